"""The bet as a sheet describes it: who gets how many cards, from which shoe, and how a hand is judged."""

from __future__ import annotations

import re
from functools import cached_property
from math import factorial, prod
from typing import Any, NamedTuple

from combinat.verifier.adding import MOST_PARTS, parts_of, questions_of
from combinat.verifier.cards import ACE, TENS, shoe_of
from combinat.verifier.coup_words import OF_THE_COUP, OTHER_NAMES, ROLES, CoupTable
from combinat.verifier.reading import UnreadableError, said, shown
from combinat.verifier.rules import JOINED, MOST_CHARACTERS, NO_FACT, NOTHING_ELSE, Rule
from combinat.verifier.seen import Seen
from combinat.verifier.words import CALLS, CONSTANTS, LEADING, MOST_KNOWN, OF_BOTH, OF_SUITS, WORDS, Table
from combinat.verifier.words import OTHER_NAMES as OTHER_WORDS

Matches = tuple[bool, ...] | None  # for each rule whether a hand matches it; None if the bet's condition fails

MOST_AWARDS = 200
DEALER = ("up", "hole")
COUP = "baccarat"
NO_ROLES = {*WORDS, *CALLS, *CONSTANTS, *OTHER_WORDS, *JOINED}
"""Names that no role can have, since they mean something else in a rule."""
MOST_OTHERS = 2
"""How many cards others may get before the dealer draws."""
OTHERS_BEFORE = "cards are dealt to others before the dealer draws"
DRAWING = {"dealer:h17": True, "dealer:s17": False}  # whether the dealer hits soft 17


class OutOfReachError(Exception):
    """The bet is understood, but this method does not reach it."""


class UnknownDealError(Exception):
    """The cards come in a way of which this method knows nothing."""


class Deal(NamedTuple):
    """How the cards come: to roles of given sizes, or to a dealer who draws until a total is reached."""

    sizes: dict[str, int]
    """How many cards each role gets, the dealer's last; if the dealer draws, those of the others."""
    draws: bool
    hits_soft_17: bool
    is_coup: bool = False
    """Whether it is a coup of baccarat."""

    @property
    def cards(self) -> int:
        """How many cards are dealt."""
        return sum(self.sizes.values())

    @property
    def roles(self) -> dict[str, tuple[slice, ...]]:
        """Where in a hand the cards of each role lie."""
        if self.is_coup:
            return ROLES
        found: dict[str, tuple[slice, ...]] = {}
        first = 0
        for role, size in self.sizes.items():
            found[role] = (slice(first, first + size),)
            first += size
        if self.draws:
            return {**found, "up": (slice(first, first + 1),), "dealer": (slice(first, None),)}
        if "up" in found or "hole" in found:  # the dealer's are the up card and the hole card together
            found.setdefault("dealer", found.get("up", ()) + found.get("hole", ()))
        return found

    def stands(self, ranks: tuple[int, ...], hard: int) -> bool:
        """Whether a dealer draws no more with these ranks, of such a total with aces as one."""
        is_soft = hard <= 11 and ACE in ranks
        best = hard + 10 if is_soft else hard
        return len(ranks) > 1 and best >= 17 and not (best == 17 and is_soft and self.hits_soft_17)


def deal_of(text: str) -> Deal:
    """Read a deal such as `player:2, up:1` or `dealer:h17`."""
    if text in DRAWING:
        return Deal({}, True, DRAWING[text])
    if text == COUP:
        return Deal({}, False, False, is_coup=True)
    others, _, drawing = text.rpartition(", ")
    if drawing in DRAWING:
        sizes = deal_of(others).sizes
        if not sizes or not {*DEALER, "dealer"}.isdisjoint(sizes) or sum(sizes.values()) > MOST_OTHERS:
            raise OutOfReachError(OTHERS_BEFORE)
        return Deal(sizes, True, DRAWING[drawing])
    if text.strip() and ":" not in text:  # a name, where roles have sizes
        raise UnknownDealError(f"no verifier for the deal '{shown(text)}'")
    if not re.fullmatch(r"[a-z]\w*:[1-7](, [a-z]\w*:[1-7])*", text, re.ASCII):
        raise UnreadableError(f"cannot read the deal '{shown(text)}'")
    sizes = {part[:-2]: int(part[-1]) for part in text.split(", ")}
    if len(sizes) < text.count(":") or not NO_ROLES.isdisjoint(sizes):
        raise UnreadableError(f"cannot read the deal '{shown(text)}': a role is there twice or is a word of the rules")
    # Which role comes first changes nothing; the dealer's come last here.
    return Deal(dict(sorted(sizes.items(), key=lambda role: role[0] in (*DEALER, "dealer"))), False, False)


class Bet:
    """The bet as the sheet describes it, or the same with rules of its awards that are read already."""

    def __init__(self, sheet: dict[str, Any], rules: list[Rule] | None = None) -> None:
        self.deal = deal_of(said(sheet, "deal", str))
        self.shoe = shoe_of(sheet)
        self.roles = self.deal.roles
        self.rules = award_rules(sheet, self.deal) if rules is None else list(rules)
        self.condition = rule_of("1 == 1" if sheet.get("given") is None else said(sheet, "given", str), self.deal)
        self.every_rule = (self.condition, *self.rules)
        self.asks_for_run = any(not rule.words.isdisjoint(LEADING) for rule in self.every_rule)
        """Whether a rule counts the cards of a color that a hand begins with."""
        if self.asks_for_run and not self.deal.draws:
            raise UnreadableError("leading cards of a color are asked of cards that no dealer draws")
        if self.deal.draws:
            if any(rule.asks_for_suits for rule in self.every_rule):
                raise OutOfReachError("suits of single cards are asked of a hand drawn to its end")
            if self.deal.sizes and any(not rule.words.isdisjoint({*OF_SUITS, *OF_BOTH}) for rule in self.every_rule):
                raise OutOfReachError(f"{OTHERS_BEFORE}, and a rule asks for suits")
            self.rules += [rule_of(text, self.deal) for text in ("dealer.bust", "dealer.bust and dealer.suited")]
        answers = ", ".join([f"({rule.source})" for rule in self.rules])
        self.ladder = compile(f"({answers},) if ({self.condition.source}) is True else None", "ladder", "eval")
        self.seen = Seen([rule.source for rule in (self.condition, *self.rules)], self.roles)
        self.judged: dict[tuple[object, ...], Matches] = {}
        self.ordered_by_role = said(sheet, "ordered_by_role", bool)
        self.jackpots = whole_meters(sheet)

    @property
    def orders(self) -> int:
        """In how many orders the same hand can be dealt, if the sheet counts it once."""
        if self.deal.is_coup:
            return 1  # its outcomes are orders of cards
        if self.ordered_by_role:
            return prod(map(factorial, self.deal.sizes.values()))
        return factorial(self.deal.cards)

    @property
    def names_role(self) -> bool:
        """Whether it matters who has which card."""
        return any(rule.names_role for rule in self.every_rule)

    @property
    def tells_tens_apart(self) -> bool:
        """Whether the cards worth ten differ; with one of them gone they do, whatever the rules say."""
        is_one_gone = any(rank in TENS for rank, _ in self.shoe.removed)
        return is_one_gone or any(rule.tells_tens_apart for rule in self.every_rule)

    @cached_property
    def asks_for_color(self) -> bool:
        """Whether a rule tells hands of one color from others."""
        return any("same_color" in rule.words for rule in self.every_rule)

    @property
    def asks_for_blackjack_only(self) -> bool:
        """Whether an up card and a hole card are dealt of which nothing is asked but a dealer's blackjack."""
        has_both = [self.deal.sizes.get(role) for role in DEALER] == [1, 1]
        return has_both and all(rule.asks_for_blackjack_only for rule in self.every_rule)

    def judge(self, hand: Any) -> Matches:
        """Judge a hand by the condition and all rules; hands that answer each question alike are judged once."""
        if self.deal.is_coup:
            return self.by_the_ladder(hand)
        seen = self.seen.of(hand)
        if seen not in self.judged:
            if len(self.judged) >= MOST_KNOWN:
                self.judged.clear()
            self.judged[seen] = self.by_the_ladder(hand)
        return self.judged[seen]

    def by_the_ladder(self, hand: Any) -> Matches:
        """Judge a hand, or a coup, by itself."""
        table = CoupTable(hand, self.roles) if self.deal.is_coup else Table(hand, self.roles)
        try:
            # Safe to run, since a rule is made of nothing but words that the table knows, numbers, signs and brackets.
            answers: Matches = eval(self.ladder, NOTHING_ELSE, table)  # noqa: S307
        except (TypeError, AttributeError, LookupError, NameError):
            answers = ()
        if answers is not None and set(map(type, answers)) != {bool}:
            raise UnreadableError(NO_FACT)
        return answers


def award_rules(sheet: dict[str, Any], deal: Deal) -> list[Rule]:
    """Read the rules of the awards; where awards add up, of their sums and of the hands that fit none."""
    awards = said(sheet, "awards", list)
    if not 1 <= len(awards) <= MOST_AWARDS:
        raise UnreadableError(f"'awards' has {len(awards)} awards; 1 to {MOST_AWARDS} can be checked")
    if "all_matches" in sheet:
        for part in parts_of(sheet):  # each by itself, since a bracket too many could join it with the next
            rule_of(part.question, deal, is_number=part.counts)
        return [rule_of(question, deal, MOST_CHARACTERS * MOST_PARTS) for question in questions_of(sheet)]
    return [rule_of(said(award, "rule", str), deal) for award in awards]


def rule_of(text: str, deal: Deal, most: int = MOST_CHARACTERS, *, is_number: bool = False) -> Rule:
    """Read a rule about a deal, or a number, of so many characters at most."""
    own, other_names = (OF_THE_COUP, OTHER_NAMES) if deal.is_coup else ((), {})
    return Rule(text, deal.roles, own, other_names, most, is_number=is_number)


def whole_meters(sheet: dict[str, Any]) -> tuple[int, ...]:
    """The places of the awards that take a whole meter."""
    texts = [str(award.get("pays_text")) for award in sheet["awards"]]
    return tuple([at for at, text in enumerate(texts) if text.startswith("100% of ")])
