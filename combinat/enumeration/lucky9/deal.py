"""The deal of Lucky 9: `lucky 9` for the main wager, `lucky 9 tie` for the Tie, and the words of its rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from msgspec.structs import replace

from combinat.enumeration.lucky9.round import Key
from combinat.enumeration.lucky9.rules import ANY, PUSH, SETTINGS, LuckyNineRules
from combinat.enumeration.table import Mask, MasksByValue
from combinat.exact.numbers import format_decimal, number_word
from combinat.language.deal import CardsDescription, Deal, SettingValue, read_settings
from combinat.language.rules import CardCount, Node, NumberWord, Predicate, Ranks
from combinat.language.words import ANY_SIZE, NUMBERS, Positions, Vocabulary, Word
from decks import InputError
from decks.errors import quote

ROUND: Positions = (0,)
DEALER: Positions = (1,)

POINTS = NUMBERS["points"]
_FACTS: dict[str, Callable[[Key], bool]] = {
    "tie": lambda key: key.is_tie,
    "lucky nine": lambda key: key.is_lucky,
}
_NUMBERS: dict[str, Callable[[Key], int]] = {
    "units won": lambda key: max(key.units, 0),
    "units lost": lambda key: max(-key.units, 0),
    POINTS.name: lambda key: key.dealer,
}
VOCABULARY = Vocabulary(
    facts={
        "tie": Word("tie", "the dealer's hand and that of the player's first card have equal points", ANY_SIZE),
        "lucky nine": Word("lucky nine", "the first two cards make 9 without a ten-valued card, and stand", ANY_SIZE),
    },
    numbers={
        "units won": Word(
            "units won", "hands won less hands lost, if more are won", ANY_SIZE, quantity="number of units won"
        ),
        "units lost": Word(
            "units lost", "hands lost less hands won, if more are lost", ANY_SIZE, quantity="number of units lost"
        ),
        POINTS.name: POINTS,
    },
)
OBJECTION = "rules of Lucky 9 cannot refer to single cards; use tie, lucky nine, units won, units lost or dealer.points"


def word_objection(word: Word, positions: Positions) -> str:
    """Return why a word cannot be used at these positions; an empty string if it can."""
    if (word.name == POINTS.name) == (positions == DEALER):
        return ""
    return f"'{word.name}' applies to {'the dealer; write dealer.points' if word.name == POINTS.name else 'the round'}"


class RoundEvaluator:
    """Evaluates rule nodes as masks over a list of outcomes."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self._keys = keys
        self.everything: Mask = (1 << len(keys)) - 1

    def predicate(self, predicate: Predicate) -> Mask:
        """Evaluate a predicate."""
        holds = _FACTS[predicate.word.name]
        return sum(1 << row for row, key in enumerate(self._keys) if holds(key))

    def number(self, number: NumberWord) -> MasksByValue:
        """Evaluate a number word."""
        value_of = _NUMBERS[number.word.name]
        rows_by_value: MasksByValue = {}
        for row, key in enumerate(self._keys):
            rows_by_value[value_of(key)] = rows_by_value.get(value_of(key), 0) | 1 << row
        return rows_by_value

    def ranks(self, ranks: Ranks) -> Mask:
        """Raise an error: rules cannot refer to ranks."""
        raise ValueError(f"{OBJECTION}: {ranks}")

    def count(self, count: CardCount) -> MasksByValue:
        """Raise an error: rules cannot count cards."""
        raise ValueError(f"{OBJECTION}: {count}")


MAIN, TIE = "lucky 9", "lucky 9 tie"
_FIELDS = {"hands": "max_hands"}
"""Settings whose field has a different name, because a deal already has an attribute of that name."""


class LuckyNine(Deal, frozen=True):
    """A round under the rules of a table, and the wager on it.

    >>> deal = read_deal("lucky 9").with_settings({"hands": "2"})
    >>> [name for name, _, _ in deal.awards]
    ['Wins two units', 'Lucky 9 wins', 'Wins one unit', 'Push', 'Loses two units']
    """

    wager: str = MAIN
    nines: str = PUSH
    qualify: str = ANY
    lucky_pays: Fraction = Fraction(3, 2)
    max_hands: int = 4
    tie_pays: Fraction = Fraction(7)
    tie_stake: Fraction = Fraction(0)

    def __str__(self) -> str:
        return self.wager

    @property
    def kind(self) -> str:
        """The experiment's name."""
        return MAIN

    @property
    def rules(self) -> LuckyNineRules:
        """The rules by which hands are played and compared."""
        return LuckyNineRules(self.nines, self.qualify, self.lucky_pays, self.max_hands)

    @property
    def settings(self) -> tuple[SettingValue, ...]:
        """The settings of the table, formatted as in a file."""
        return tuple(
            SettingValue(
                setting, _format_setting(getattr(self, _FIELDS.get(setting.key, setting.key)), setting.default)
            )
            for setting in SETTINGS
        )

    def with_settings(self, overrides: Mapping[str, str]) -> LuckyNine:
        """Return the same wager with some settings overridden."""
        values = read_settings(overrides, SETTINGS, f"the deal {quote(str(self))}")
        return replace(self, **{_FIELDS.get(key, key): value for key, value in values.items()})

    @property
    def awards(self) -> tuple[tuple[str, str, str], ...]:
        """The awards of the wager; the loss of one unit is implied."""
        if self.wager == TIE:
            return (("Tie", "tie", _format_odds(self.tie_pays)),)
        unit_counts = range(self.max_hands, 1, -1)
        return (
            *((f"Wins {number_word(units)} units", f"units won == {units}", f"{units} to 1") for units in unit_counts),
            ("Lucky 9 wins", "lucky nine and units won == 1", _format_odds(self.lucky_pays)),
            ("Wins one unit", "units won == 1", "1 to 1"),
            ("Push", "units won == 0 and units lost == 0", "push"),
            *(
                (f"Loses {number_word(units)} units", f"units lost == {units}", f"loses {units}")
                for units in reversed(unit_counts)
            ),
        )

    @property
    def objection_to_cards(self) -> str:
        """Why a round cannot be evaluated from its cards: the result also depends on the player's actions."""
        return "a round of Lucky 9 cannot be settled from its cards alone: the result depends on how they were played"

    @property
    def vocabulary(self) -> Vocabulary:
        """The words of the round."""
        return VOCABULARY

    @property
    def positions_by_role(self) -> dict[str, Positions]:
        """Positions of the dealer's finished hand."""
        return {"dealer": DEALER}

    @property
    def all_positions(self) -> Positions:
        """Position that stands for the entire round."""
        return ROUND

    def size(self, positions: Positions) -> int | None:  # noqa: ARG002  # unknown for all of them
        """Return `None`: the number of cards depends on the player's actions."""
        return None

    def max_cards(self, positions: Positions) -> int:
        """Return the maximum number of cards: three for the dealer, or as many as the splits of a round take."""
        return 3 if positions == DEALER else self.rules.length

    def possible_values(self, word: Word, positions: Positions) -> range | None:  # noqa: ARG002  # a word has one position only
        """Return the range of a number word."""
        return range(10) if word.name == "points" else range(self.max_hands + 1)

    def check_node(self, node: Node) -> str:
        """Return why a node cannot be evaluated: it refers to single cards, or a word is used of the wrong hand."""
        match node:
            case Predicate(word, positions) | NumberWord(word, positions):
                return word_objection(word, positions)
            case _:
                return OBJECTION

    def describe_cards(self, positions: Positions) -> CardsDescription:
        """Return the name of the round, or of the dealer's hand."""
        if positions == DEALER:
            return CardsDescription("the dealer's cards", None, "the dealer", "the dealer's hand")
        return CardsDescription("the round", None, hand="the round", needs_name=False)

    def describe(self, roles_distinct: bool) -> str:  # noqa: ARG002  # there are no roles to distinguish
        """Describe the hands on which the wager is evaluated."""
        strategy = "played best for both wagers" if self.tie_stake else "played best for the main wager"
        hand = "the player's hand" if self.wager == MAIN else "the hand of the player's first card"
        return f"{hand} and the dealer's, {strategy}"


def _format_setting(value: object, usual: str) -> str:
    """Format a value as in a file, in the form of the default."""
    if isinstance(value, Fraction):
        return _format_odds(value) if " to " in usual else format_decimal(value)
    return str(value)


def _format_odds(odds: Fraction) -> str:
    """Format odds to one as a ratio of integers.

    >>> _format_odds(Fraction(3, 2)), _format_odds(Fraction(7))
    ('3 to 2', '7 to 1')
    """
    return f"{odds.numerator} to {odds.denominator}"


def read_deal(text: str) -> LuckyNine:
    """Parse the wager of a Lucky 9 deal.

    >>> str(read_deal("Lucky 9 Tie"))
    'lucky 9 tie'
    """
    wager = " ".join(text.split()).lower()
    if wager not in (MAIN, TIE):
        raise InputError(f"cannot read the deal {quote(text)}; write '{MAIN}' or '{TIE}'")
    return LuckyNine(wager)
