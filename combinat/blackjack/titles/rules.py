"""The rules of a blackjack title: one field for each rule that can differ between tables."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from combinat.blackjack.hands import ACE, NAMES, Hand, hard_hand_total, is_soft, pair_index, total
from combinat.blackjack.rules import DOUBLES, MAX_HANDS, BlackjackRules, parse_blackjack_pays
from decks import InputError, did_you_mean
from decks.errors import quote

MAX_DOUBLES = 4
"""Maximum number of times that a hand may be doubled."""


class HoleCard(StrEnum):
    """When the dealer's second card is known, and what a dealer's blackjack takes."""

    PEEK = "peek"
    ALL = "none, all bets lost"
    ORIGINAL = "none, original bet lost"
    BUSTED = "none, busted bets and one lost"
    EXPOSED = "exposed"


class Surrender(StrEnum):
    """When half the bet may be given up."""

    NONE = "none"
    LATE = "late"
    EARLY = "early"
    ANY_TIME = "any time"


class ZappedBlackjack(StrEnum):
    """What an ace and a ten after a zap are against a dealer's blackjack."""

    PUSH = "push"
    WIN = "win"
    ORDINARY = "ordinary 21"


def _rule(sentence: str) -> Meta:
    return Meta(description=sentence)


class Bonus(Struct, frozen=True, forbid_unknown_fields=True):
    """A pay for a 21 that is not doubled, by its number of cards or by its values and suits."""

    pays: Fraction
    cards: int | None = None
    """Number of cards, or at least this many with `or_more`."""
    or_more: bool = False
    values: tuple[str, ...] = ()
    """Values of the three cards, such as 6, 7, 8."""
    suits: str = "any"
    """Suits of the cards: any, suited or spades."""

    def __post_init__(self) -> None:
        if (self.cards is None) == (not self.values):
            raise InputError("a bonus needs either cards or values, such as cards = 5 or values = ['6', '7', '8']")
        if self.suits not in ("any", "suited", "spades"):
            raise InputError(f"suits of a bonus must be any, suited or spades, got {quote(self.suits)}")
        if self.suits != "any" and not self.values:
            raise InputError("a bonus by suits needs values, such as values = ['7', '7', '7']")

    def matches(self, hand: Hand) -> bool:
        """Return whether a hand of 21 has this bonus, whatever its suits."""
        if self.values:
            return hand == _hand_of_values(self.values)
        card_count = sum(hand)
        return card_count >= (self.cards or 0) if self.or_more else card_count == self.cards

    def __str__(self) -> str:
        cards = "-".join(self.values) or f"21 with {self.cards} {'or more ' if self.or_more else ''}cards"
        return f"{cards}{'' if self.suits == 'any' else f' {self.suits}'} pays {_odds(self.pays)}"


class TitleRules(Struct, frozen=True, forbid_unknown_fields=True):
    """The rules of a title; the defaults are those of an ordinary six-deck table.

    >>> print(TitleRules(push_22=True, free_splits="A23456789", free_doubles=(9, 10, 11)))
    dealer hits soft 17, blackjack pays 3 to 2, double any two cards and after a split, split to 4 hands, \
split aces once with one card each, no surrender, dealer's 22 pushes, free double of hard 9, 10, 11 with two cards, \
free split of A, 2, 3, 4, 5, 6, 7, 8, 9
    """

    hits_soft_17: Annotated[bool, _rule("The dealer hits soft 17.")] = True
    double: Annotated[str, _rule("Totals that may be doubled: any, 9-11 (hard), 10-11 (hard) or none.")] = "any"
    double_after_split: Annotated[bool, _rule("Hands of a split may be doubled.")] = True
    max_hands: Annotated[int, _rule("Maximum number of hands after splits; 1 means that nothing may be split.")] = 4
    resplit_aces: Annotated[bool, _rule("Aces may be split again.")] = False
    hit_split_aces: Annotated[bool, _rule("Split aces may draw more than one card.")] = False
    blackjack_pays: Annotated[Fraction, _rule("Pay of a blackjack to 1.")] = Fraction(3, 2)
    surrender: Annotated[
        Surrender,
        _rule(
            "When half the bet may be given up: none; late, after the check for blackjack (without a hole card, a "
            "dealer's blackjack still takes all); early, before it; any time: late, with any number of cards."
        ),
    ] = Surrender.NONE
    hole_card: Annotated[
        HoleCard,
        _rule(
            "peek: the dealer checks for blackjack first. none: the second card comes after the players, and a "
            "blackjack takes all bets, the original bet, or busted bets and one. exposed: both cards are seen."
        ),
    ] = HoleCard.PEEK
    suited_blackjack_pays: Annotated[Fraction | None, _rule("Pay of a blackjack of one suit, if it differs.")] = None
    blackjack_tie: Annotated[str, _rule("Blackjack of both: push, or the player wins or loses.")] = "push"
    ties: Annotated[str, _rule("Equal totals: push, or the player loses.")] = "push"
    push_22: Annotated[bool, _rule("A dealer's 22 pushes every live hand except a blackjack.")] = False
    player_21_wins: Annotated[bool, _rule("A player's 21 always wins, at once.")] = False
    charlie: Annotated[int, _rule("A hand of this many cards that is not busted wins at once; 0: no such rule.")] = 0
    bonuses: Annotated[tuple[Bonus, ...], _rule("Pays of a 21 that is not doubled, instead of even money.")] = ()
    double_any_cards: Annotated[bool, _rule("A hand may be doubled on any number of cards, not only on two.")] = False
    double_split_aces: Annotated[bool, _rule("Split aces that may be hit may also be doubled.")] = False
    max_doubles: Annotated[int, _rule("Times that one hand may be doubled; each doubles the whole stake.")] = 1
    surrender_after_double: Annotated[bool, _rule("Half the stake of a doubled hand may be given up.")] = False
    free_doubles: Annotated[tuple[int, ...], _rule("Hard totals that the house doubles for free.")] = ()
    free_double_any_cards: Annotated[bool, _rule("Free doubles on any number of cards, not only on two.")] = False
    free_double_after_split: Annotated[bool, _rule("Free doubles of the hands of a split.")] = True
    free_splits: Annotated[str, _rule("Pairs that the house splits for free, such as A23456789; T is ten.")] = ""
    max_free_splits: Annotated[int | None, _rule("Free splits in one round; further ones cost money.")] = None
    paid_splits: Annotated[bool, _rule("Pairs without a free split may be split for money.")] = True
    paid_double_on_free_hand: Annotated[bool, _rule("A free hand may be doubled for money.")] = True
    zap: Annotated[tuple[int, ...], _rule("Hard totals of two cards that may be exchanged once for two others.")] = ()
    zap_before_peek: Annotated[bool, _rule("The exchange comes before the dealer checks for blackjack.")] = False
    zapped_blackjack: Annotated[
        ZappedBlackjack,
        _rule("An ace and a ten after an exchange: push a dealer's blackjack, win at once, or are an ordinary 21."),
    ] = ZappedBlackjack.PUSH
    zapped_blackjack_pays: Annotated[Fraction, _rule("Pay of an ace and a ten after an exchange, to 1.")] = Fraction(1)
    surrender_after_zap: Annotated[bool, _rule("Surrender is allowed after an exchange.")] = True

    def __post_init__(self) -> None:
        _check_choices(self)
        _check_combinations(self)

    @property
    def ordinary(self) -> BlackjackRules | None:
        """The same rules for the engines of ordinary blackjack, or `None` if they have no such rule."""
        if self.surrender not in (Surrender.NONE, Surrender.LATE) or self.double == "none":
            return None
        names = BlackjackRules.__struct_fields__
        fields = {name: getattr(self, name) for name in names} | {"surrender": self.surrender is Surrender.LATE}
        if self != type(self)(**(fields | {"surrender": self.surrender})):
            return None
        return BlackjackRules(**fields)

    @classmethod
    def of(cls, rules: BlackjackRules) -> TitleRules:
        """Return the rules of an ordinary table."""
        fields = {name: getattr(rules, name) for name in rules.__struct_fields__}
        return cls(**(fields | {"surrender": Surrender.LATE if rules.surrender else Surrender.NONE}))

    @property
    def has_peek(self) -> bool:
        """Whether a dealer's blackjack takes exactly the original bet, whatever the player does."""
        return self.hole_card in (HoleCard.PEEK, HoleCard.ORIGINAL, HoleCard.EXPOSED)

    @property
    def has_free_bets(self) -> bool:
        """Whether the house doubles or splits for free."""
        return bool(self.free_doubles or self.free_splits)

    @property
    def views(self) -> tuple[tuple[int, ...], ...]:
        """The cards of the dealer that the player can see, as indexes of values."""
        if self.hole_card is HoleCard.EXPOSED:
            return tuple((first, second) for first in range(10) for second in range(first, 10))
        return tuple((index,) for index in range(10))

    def max_split_hands(self, index: int) -> int:
        """Return the maximum number of hands a pair of this value can be split into."""
        if not self.paid_splits and not self.is_free_split(index):
            return 1
        return min(self.max_hands, 2) if index == ACE and not self.resplit_aces else self.max_hands

    def max_free_hands(self, index: int) -> int:
        """Return the maximum number of free hands when a pair of this value is split."""
        if not self.is_free_split(index):
            return 0
        return self.max_split_hands(index) if self.max_free_splits is None else self.max_free_splits

    def is_free_split(self, index: int) -> bool:
        """Return whether the house splits a pair of this value for free."""
        return bool(self.free_splits) and "A23456789T"[index] in self.free_splits

    def can_double(self, hand: Hand) -> bool:
        """Return whether a hand may be doubled for money by its cards."""
        card_count = sum(hand)
        return (card_count == 2 or (card_count > 2 and self.double_any_cards)) and self.has_double_total(hand)

    def has_double_total(self, hand: Hand) -> bool:
        """Return whether the total of a hand may be doubled for money."""
        if self.double == "none":
            return False
        min_total = {"any": 0, "9-11": 9, "10-11": 10}[self.double]
        return not min_total or (not is_soft(hand) and min_total <= hard_hand_total(hand) <= 11)

    def can_double_free(self, hand: Hand) -> bool:
        """Return whether the house doubles a hand for free by its cards."""
        card_count = sum(hand)
        is_count_right = card_count >= 2 if self.free_double_any_cards else card_count == 2
        return is_count_right and not is_soft(hand) and total(hand) in self.free_doubles

    def can_zap(self, hand: Hand) -> bool:
        """Return whether two cards may be exchanged."""
        return sum(hand) == 2 and not is_soft(hand) and total(hand) in self.zap

    def __str__(self) -> str:
        ordinary = BlackjackRules(
            hits_soft_17=self.hits_soft_17,
            double=self.double if self.double != "none" else "any",
            double_after_split=self.double_after_split,
            max_hands=self.max_hands,
            resplit_aces=self.resplit_aces,
            hit_split_aces=self.hit_split_aces,
            blackjack_pays=self.blackjack_pays,
        )
        text = str(ordinary)
        if self.double == "none":
            text = text.replace("double any two cards and after a split", "no doubles").replace(
                "double any two cards", "no doubles"
            )
        if self.double_any_cards:
            text = text.replace("two cards and", "number of cards and").replace("two cards,", "number of cards,")
        if self.surrender is not Surrender.NONE:
            text = text.replace("no surrender", f"{self.surrender} surrender")
        return ", ".join([text, *self.further_rules])

    @property
    def further_rules(self) -> list[str]:
        """The rules that an ordinary table does not have, in words."""
        return _further_rules(self)


def _odds(pays: Fraction) -> str:
    return f"{pays.numerator} to {pays.denominator}"


def _further_rules(rules: TitleRules) -> list[str]:
    """Describe the rules that an ordinary table does not have."""
    numbers = {"free_doubles": rules.free_doubles, "zap": rules.zap}
    listed = {name: ", ".join(map(str, totals)) for name, totals in numbers.items()}
    pairs = ", ".join("10" if letter == "T" else letter for letter in rules.free_splits)
    suited_pays, zapped = rules.suited_blackjack_pays, rules.zapped_blackjack
    texts = {
        f"hole card: {rules.hole_card}": rules.hole_card is not HoleCard.PEEK,
        f"suited blackjack pays {_odds(suited_pays or Fraction(1))}": suited_pays is not None,
        f"blackjack of both: {rules.blackjack_tie}": rules.blackjack_tie != "push",
        "ties lose": rules.ties == "lose",
        "dealer's 22 pushes": rules.push_22,
        "player's 21 always wins": rules.player_21_wins,
        f"{rules.charlie} cards win": rules.charlie,
        "; ".join(map(str, rules.bonuses)): rules.bonuses,
        "double split aces": rules.double_split_aces,
        f"up to {rules.max_doubles} doubles of one hand": rules.max_doubles > 1,
        "surrender after a double": rules.surrender_after_double,
        f"free double of hard {listed['free_doubles']} with "
        f"{'any number of' if rules.free_double_any_cards else 'two'} cards"
        f"{'' if rules.free_double_after_split else ', not after a split'}": rules.free_doubles,
        f"free split of {pairs}": pairs,
        f"{rules.max_free_splits} free split(s) in a round": rules.max_free_splits is not None,
        "no other splits": not rules.paid_splits,
        "no paid double of a free hand": not rules.paid_double_on_free_hand,
        f"exchange of hard {listed['zap']} {'before' if rules.zap_before_peek else 'after'} the check for blackjack, "
        f"then a blackjack pays {_odds(rules.zapped_blackjack_pays)} and is: {zapped}": rules.zap,
        "no surrender after an exchange": rules.zap and not rules.surrender_after_zap,
    }
    return [text for text, applies in texts.items() if applies]


def _hand_of_values(values: tuple[str, ...]) -> Hand:
    counts = [0] * 10
    for value in values:
        if value not in NAMES:
            raise InputError(f"{quote(value)} is not a value of a bonus; write A, 2 to 9 or 10")
        counts[NAMES.index(value)] += 1
    return tuple(counts)


def _check_choices(rules: TitleRules) -> None:
    """Raise `InputError` for a field outside its choices."""
    for name, value, choices in (
        ("double", rules.double, (*DOUBLES, "none")),
        ("ties", rules.ties, ("push", "lose")),
        ("blackjack_tie", rules.blackjack_tie, ("push", "win", "lose")),
    ):
        if value not in choices:
            raise InputError(f"{name} must be one of {', '.join(choices)}, got {quote(value)}")
    for name, number, low, high in (
        ("max_hands", rules.max_hands, 1, MAX_HANDS),
        ("max_doubles", rules.max_doubles, 1, MAX_DOUBLES),
        ("blackjack_pays", rules.blackjack_pays, 0, 10),
        ("max_free_splits", rules.max_free_splits or 1, 1, MAX_HANDS),
    ):
        if not low <= number <= high:
            raise InputError(f"{name} must be {low} to {high}, got {number}")
    if rules.charlie and not 3 <= rules.charlie <= 21:
        raise InputError(f"charlie must be 0 or 3 to 21 cards, got {rules.charlie}")
    for name, totals, low, high in (("free_doubles", rules.free_doubles, 4, 20), ("zap", rules.zap, 12, 20)):
        for number in totals:
            if not low <= number <= high:
                raise InputError(f"{name} must list hard totals from {low} to {high}, got {number}")
    for letter in rules.free_splits:
        if letter not in "A23456789T":
            raise InputError(f"free_splits must list values such as A23456789 or T for ten, got {quote(letter)}")
    for bonus in rules.bonuses:
        if bonus.values:
            hand = _hand_of_values(bonus.values)
            if total(hand) != 21 or sum(hand) < 3:
                raise InputError(f"a bonus is for a 21 of three or more cards; {'-'.join(bonus.values)} is not one")


def _check_combinations(rules: TitleRules) -> None:
    """Raise `InputError` for rules that no table can have together."""
    refusals = {
        "zap_before_peek needs hole_card = 'peek': without a check there is no before": rules.zap_before_peek
        and rules.hole_card is not HoleCard.PEEK,
        "zap needs hole_card = 'peek'": rules.zap and rules.hole_card is not HoleCard.PEEK,
        "early surrender cannot be offered with hole_card = 'exposed': the dealer's blackjack is seen": (
            rules.surrender is Surrender.EARLY and rules.hole_card is HoleCard.EXPOSED
        ),
        "max_doubles above 1 cannot be combined with free_doubles": rules.max_doubles > 1 and rules.free_doubles,
        "max_doubles above 1 needs doubles": rules.max_doubles > 1 and rules.double == "none",
        "surrender_after_double cannot be combined with free_doubles": (
            rules.surrender_after_double and rules.free_doubles
        ),
        "double_split_aces needs hit_split_aces = true": rules.double_split_aces and not rules.hit_split_aces,
        "resplit_aces needs max_hands above 2": rules.resplit_aces and rules.max_hands < 3,
        "free_splits needs max_hands above 1": rules.free_splits and rules.max_hands < 2,
        "max_free_splits needs free_splits": rules.max_free_splits is not None and not rules.free_splits,
        "charlie cannot be combined with bonuses for more cards than it": rules.charlie
        and any((bonus.cards or 0) > rules.charlie for bonus in rules.bonuses),
        "free bets need hole_card = 'peek'": rules.has_free_bets and rules.hole_card is not HoleCard.PEEK,
    }
    for text, is_refused in refusals.items():
        if is_refused:
            raise InputError(text)
    if rules.hole_card is HoleCard.BUSTED and rules.max_hands > 1:
        raise InputError(
            f"hole_card = {quote(HoleCard.BUSTED)} needs max_hands = 1: "
            "the probability that all hands of a split bust is not computed"
        )


def rules_fields() -> dict[str, tuple[Any, str]]:
    """Return the default and the sentence of every rule.

    >>> rules_fields()["push_22"]
    (False, "A dealer's 22 pushes every live hand except a blackjack.")
    """
    defaults = TitleRules()
    fields = msgspec.inspect.type_info(TitleRules)
    assert isinstance(fields, msgspec.inspect.StructType)
    return {field.name: (getattr(defaults, field.name), _sentence(field.type)) for field in fields.fields}


def _sentence(kind: Any) -> str:
    return str((kind.extra_json_schema or {}).get("description", "")) if hasattr(kind, "extra_json_schema") else ""


def parse_title_rules(fields: Mapping[str, Any]) -> TitleRules:
    """Build rules from data such as a TOML table or options; name what is wrong.

    >>> parse_title_rules({"blackjack_pays": "6:5", "push_22": True}).blackjack_pays
    Fraction(6, 5)
    """
    names = TitleRules.__struct_fields__
    for name in fields:
        if name not in names:
            raise InputError(f"{quote(name)} is not a rule{did_you_mean(name, names) or ''}")
    values = {name: parse_title_rule(name, value) for name, value in fields.items()}
    return TitleRules(**values)


def parse_title_rule(name: str, value: Any) -> Any:
    """Parse the value of one rule, given as data or as text from an option."""
    if name in ("blackjack_pays", "suited_blackjack_pays", "zapped_blackjack_pays"):
        return value if isinstance(value, Fraction) else parse_blackjack_pays(str(value))
    if name in ("free_doubles", "zap"):
        return _parse_totals(name, value)
    if name == "bonuses":
        return tuple(_parse_bonus(bonus) for bonus in value)
    kind: Any = TitleRules.__annotations__[name]
    default = getattr(TitleRules(), name)
    if isinstance(default, bool) and isinstance(value, str):
        words = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
        if value.lower() not in words:
            raise InputError(f"{name} must be true or false, got {quote(value)}")
        return words[value.lower()]
    choices: dict[str, type[StrEnum]] = {
        "surrender": Surrender,
        "hole_card": HoleCard,
        "zapped_blackjack": ZappedBlackjack,
    }
    if name in choices:
        texts = [str(choice) for choice in choices[name]]
        if str(value) not in texts:
            raise InputError(f"{name} must be one of {'; '.join(texts)}, got {quote(str(value))}")
        return choices[name](str(value))
    is_number = isinstance(default, int) and not isinstance(default, bool)
    if (is_number or name == "max_free_splits") and isinstance(value, str):
        if not value.isdecimal():
            raise InputError(f"{name} must be a number, got {quote(value)}")
        return int(value)
    expected = type(default) if name != "max_free_splits" else int
    if not isinstance(value, expected) or (expected is int and isinstance(value, bool)):
        raise InputError(f"{name} must be of type {expected.__name__}, got {value!r} ({kind})")
    return value


def _parse_totals(name: str, value: Any) -> tuple[int, ...]:
    """Parse hard totals such as `9-11` or `15, 16, 17`."""
    if isinstance(value, (list, tuple)):
        return tuple(int(number) for number in value)
    totals: list[int] = []
    for part in str(value).replace(",", " ").split():
        first, _, last = part.partition("-")
        if not first.isdecimal() or (last and not last.isdecimal()):
            raise InputError(f"{name} must list totals such as 9-11 or 15, 16, 17, got {quote(str(value))}")
        totals.extend(range(int(first), int(last or first) + 1))
    return tuple(totals)


def _parse_bonus(value: Any) -> Bonus:
    if isinstance(value, Bonus):
        return value
    fields = dict(value)
    fields["pays"] = parse_blackjack_pays(str(fields.get("pays", "")))
    fields["values"] = tuple(str(text) for text in fields.get("values", ()))
    unknown = set(fields) - set(Bonus.__struct_fields__)
    if unknown:
        raise InputError(f"{quote(sorted(unknown)[0])} is not a field of a bonus")
    return Bonus(**fields)


def pair_of(hand: Hand, rules: TitleRules) -> int | None:
    """Return the index of a pair that may be split, or `None`."""
    pair = pair_index(hand)
    return pair if pair is not None and rules.max_split_hands(pair) > 1 else None
