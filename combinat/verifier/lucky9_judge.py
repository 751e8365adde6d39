"""The awards of a wager on a round of Lucky 9: which outcomes each takes, by the rules that the sheet states."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, NamedTuple

from combinat.verifier.bet import OutOfReachError
from combinat.verifier.cards import WORTH, Shoe, card_of
from combinat.verifier.counting import Counts, first_of
from combinat.verifier.lucky9_play import Play
from combinat.verifier.lucky9_round import Law
from combinat.verifier.lucky9_rules import hand_of
from combinat.verifier.reading import UnreadableError, said, shown
from combinat.verifier.rules import NOTHING_ELSE

OF_THE_TIE, OF_THE_ROUND = {"tie"}, {"units won", "units lost", "lucky nine"}
WORDS = {*OF_THE_TIE, *OF_THE_ROUND, "dealer.points"}
HANDS = ("first", "second", "third", "fourth")
"""How an example calls the hands of a split."""
JOINTS = {"and", "or", "not", "in"}


class Came(NamedTuple):
    """An outcome as a rule can ask for it."""

    units: int
    lucky: bool
    tie: bool
    dealer: int


class Judge:
    """The rules of a sheet's awards, and its condition."""

    def __init__(self, sheet: dict[str, Any]) -> None:
        given = sheet.get("given")
        self.texts = [said(award, "rule", str) for award in said(sheet, "awards", list)]
        self.condition = "1 == 1" if given is None else said(sheet, "given", str)
        everything = " ".join([*self.texts, self.condition])
        self.asks_for_tie = re.search(r"\btie\b", everything) is not None
        if self.asks_for_tie and re.search(r"\b(units|lucky)\b", everything):
            raise OutOfReachError("a tie and units are asked for together")
        self.rules = [compiled(text) for text in (*self.texts, self.condition)]

    def matches(self, came: Came) -> tuple[bool, ...] | None:
        """Tell which awards an outcome matches, or nothing if the condition does not hold."""
        names = {
            "units_won": max(came.units, 0),
            "units_lost": max(-came.units, 0),
            "lucky_nine": came.lucky,
            "tie": came.tie,
            "dealer_points": came.dealer,
        }
        # Safe to run: a rule is made of nothing but these words, numbers, comparisons and brackets.
        answers = [eval(rule, NOTHING_ELSE, names) for rule in self.rules]  # noqa: S307
        if set(map(type, answers)) != {bool}:
            raise UnreadableError("a rule does not answer yes or no")
        return tuple(answers[:-1]) if answers[-1] else None

    def outcomes(self, law: Law) -> dict[Came, int]:
        """Give the outcomes with their ways, told apart by what the rules ask for."""
        found: Counter[Came] = Counter()
        for (units, lucky, dealer), ways in law.main.items():
            found[Came(0, False, False, dealer) if self.asks_for_tie else Came(units, lucky, False, dealer)] += ways
        for dealer, ways in law.tied.items() if self.asks_for_tie else ():
            found[Came(0, False, True, dealer)] += ways
            found[Came(0, False, False, dealer)] -= ways
        return dict(found)

    def counts(self, laws: list[Law]) -> Counts:
        """Count the outcomes that match each award and that it wins."""
        matching, winning, cycle = [0] * len(self.texts), [0] * len(self.texts), 0
        for law in laws:
            for came, ways in self.outcomes(law).items():
                matches = self.matches(came)
                if matches is None:
                    continue
                cycle += ways
                matching = [many + ways * matched for many, matched in zip(matching, matches, strict=True)]
                if (first := first_of(matches)) is not None:
                    winning[first] += ways
        if not cycle:
            raise OutOfReachError("no round fulfils the condition")
        return Counts(cycle, matching, winning)


def compiled(text: str) -> Any:
    """Make an expression of Python of a rule in which nothing but words of a round stand."""
    source = text
    for word in WORDS:
        source = re.sub(rf"(?<![\w.]){re.escape(word)}\b", re.sub(r"\W", "_", word), source)
    known = {re.sub(r"\W", "_", word) for word in WORDS} | JOINTS
    unknown = [word for word in re.findall(r"\w+", source) if word not in known and not re.fullmatch(r"\d{1,3}", word)]
    if unknown or len(text) > 1000 or not re.fullmatch(r"(\w|[=!<>]=|[-+<>(), ])*", source, re.ASCII):
        raise UnreadableError(f"cannot read the rule '{shown(text)}'")
    try:
        return compile(source, "rule", "eval")
    except (SyntaxError, RecursionError, MemoryError):
        raise UnreadableError(f"something is wrong in the rule '{shown(text)}'") from None


def example_wins(judge: Judge, play: Play, shoe: Shoe, example: Any, award: int) -> bool:
    """Whether an example can be dealt, is played as it should be, and wins its award."""
    if not isinstance(example, dict):
        return False
    cards = [card_of(card) for cards in example.values() for card in cards]
    if any(many > shoe.left(card) for card, many in Counter(cards).items()):
        return False
    worth = {role: [WORTH[card_of(card)[0]] % 10 for card in cards] for role, cards in example.items()}
    dealer = worth.get("up", []) + worth.get("hole", [])
    if len(dealer) != 2 or (sum(dealer) % 10 < 5) != ("draw" in worth):
        return False
    end = hand_of(*dealer, *worth.get("draw", []))
    split = [cards for role, cards in worth.items() if role in HANDS]
    hands = split or [worth.get("player", []) + worth.get("hit", [])]
    first = sorted([hand[0] for hand in split[:2]] if split else worth.get("player", []))
    spot = (first[0], first[1], dealer[0])
    action = play.best.get(spot, "")
    is_so_played = {"stand": "hit" not in worth and not split, "hit": "hit" in worth and not split}
    if not is_so_played.get(action, bool(split)):
        return False
    units = sum([play.terms.wins(hand_of(*hand), end, is_split=bool(split)) for hand in hands])
    lucky = not split and hand_of(*hands[0]).is_lucky
    came = Came(units, lucky, sum(hands[0]) % 10 == end.points, end.points)
    matches = judge.matches(came)
    return matches is not None and first_of(matches) == award
