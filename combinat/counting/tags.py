"""Tags: what each card adds to a running count when it is seen, and the best tags of a level.

The best tags have the highest betting correlation: over the cards of the shoe, the correlation between the tag of a
card and the player's gain from its removal.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from math import gcd, lcm

from msgspec import Struct

from combinat.counting.removal import RemovalEffects
from combinat.exact.surd import Surd
from decks import Card, Composition, InputError, Suit
from decks.cards import JOKER_NAME, parse_card, parse_rank
from decks.errors import quote

MAX_TAG = 99
"""Maximum absolute value of a tag; larger ones are probably typing errors."""
HIGHEST_LEVEL = 5
"""Highest level for which the best tags are searched."""
_INTEGER = re.compile(r"[+-]?[0-9]{1,3}")
MAX_KINDS = 20
"""Maximum number of kinds of cards whose tags are searched separately."""


class Tags(Struct, frozen=True):
    """The tag of each card of a shoe."""

    tag_by_card: Mapping[Card, int]

    def __str__(self) -> str:
        tags_by_rank: dict[str, set[int]] = {}
        for card, tag in self.tag_by_card.items():
            tags_by_rank.setdefault(card.face[0], set()).add(tag)
        if any(len(tags) > 1 for tags in tags_by_rank.values()):
            return " ".join(f"{card}={tag}" for card, tag in self.tag_by_card.items() if tag)
        ace_names = ["A"] if "A" in tags_by_rank else []
        names = [*ace_names, *(name for name in tags_by_rank if name != "A")]
        return " ".join(f"{name}={next(iter(tags_by_rank[name]))}" for name in names)

    def cards_by_tag(self) -> dict[int, list[Card]]:
        """Return the cards by tag, from the lowest tag to the highest."""
        cards_by_tag: dict[int, list[Card]] = {}
        for card, tag in self.tag_by_card.items():
            cards_by_tag.setdefault(tag, []).append(card)
        return dict(sorted(cards_by_tag.items()))

    def total(self, composition: Composition) -> int:
        """Return the count after all cards are seen: 0 if the tags are balanced."""
        return sum(tag * composition[card] for card, tag in self.tag_by_card.items())


class SuitSpread(Struct, frozen=True):
    """A count that is not a sum of tags: remaining cards of the fullest suit less those of the emptiest."""

    tag_by_card: Mapping[Card, int] = {}

    def __str__(self) -> str:
        return "cards left of the fullest suit less those of the emptiest"

    def total(self, composition: Composition) -> int:
        """Return the count after all cards are seen."""
        del composition
        return 0


def parse_tags(text: str, composition: Composition) -> Tags:
    """Parse tags by rank, suit or card; `10` or `T` means all ten-valued cards unless J, Q or K is named too.

    >>> from decks import STANDARD
    >>> str(parse_tags("A=-1 2=1 T=-1", STANDARD.composition))
    'A=-1 2=1 3=0 4=0 5=0 6=0 7=0 8=0 9=0 10=-1 J=-1 Q=-1 K=-1'
    """
    shoe_cards = [card for card, _ in composition]
    tags = dict.fromkeys(shoe_cards, 0)
    tagged_cards: set[Card] = set()
    words = text.replace(",", " ").split()
    if not words:
        raise InputError("the tags are empty; write for example 'A=-2 2=1 10=-1'")
    has_faces = any(word.split("=")[0].upper() in ("J", "Q", "K") for word in words)
    for word in words:
        name, equals, tag_text = word.partition("=")
        if not equals or not _INTEGER.fullmatch(tag_text):
            raise InputError(f"{quote(word)} is not a tag; write a rank or card and an integer, such as A=-2")
        tag = int(tag_text)
        if abs(tag) > MAX_TAG:
            raise InputError(f"a tag must be -{MAX_TAG} to {MAX_TAG}, got {tag}")
        matching_cards = _find_cards(name, shoe_cards, has_faces)
        if not matching_cards:
            raise InputError(f"tag {quote(word)}: the shoe has no such card")
        if tagged_cards & set(matching_cards):
            raise InputError(f"tag {quote(word)}: some of these cards already have a tag")
        tagged_cards |= set(matching_cards)
        tags |= dict.fromkeys(matching_cards, tag)
    return Tags(tags)


def _find_cards(name: str, shoe_cards: list[Card], has_faces: bool) -> list[Card]:
    suits = {str(suit): suit for suit in Suit}
    if name.lower() in suits:
        return [card for card in shoe_cards if not card.is_joker and card.suit == suits[name.lower()]]
    if name.lower() == JOKER_NAME:
        return [card for card in shoe_cards if card.is_joker]
    try:
        rank = parse_rank(name)
    except InputError:
        try:
            card = parse_card(name)
        except InputError:
            raise InputError(
                f"{quote(name)} is not a card to tag; write a rank, a suit or a card, such as 10, hearts or As"
            ) from None
        return [candidate for candidate in shoe_cards if candidate == card]
    ranks = range(10, 14) if rank == 10 and not has_faces else (int(rank),)
    return [card for card in shoe_cards if int(card.rank) in ranks]


def betting_correlation(tags: Tags, removal: RemovalEffects) -> Surd | None:
    """Return the correlation between tags and gains from removal; `None` if either is the same for all cards.

    Tags are centered at their mean, so that unbalanced tags are not at a disadvantage.
    """
    shoe = removal.study.shoe.composition
    rows = [
        (shoe[card], tags.tag_by_card[card], -effect.change.constant)
        for effect in removal.effects
        for card in effect.cards
    ]
    size = sum(copies for copies, _, _ in rows)
    mean_tag = Fraction(sum(copies * tag for copies, tag, _ in rows), size)
    mean = sum((copies * gain for copies, _, gain in rows), Fraction(0)) / size
    covariance = sum((copies * (tag - mean_tag) * (gain - mean) for copies, tag, gain in rows), Fraction(0))
    squares = [
        sum((copies * (value - mean_value) ** 2 for copies, value, mean_value in row), Fraction(0))
        for row in (
            [(copies, Fraction(tag), mean_tag) for copies, tag, _ in rows],
            [(copies, gain, mean) for copies, _, gain in rows],
        )
    ]
    return Surd(covariance**2 / (squares[0] * squares[1]), negative=covariance < 0) if all(squares) else None


def best_tags(removal: RemovalEffects, level: int, balanced: bool = True) -> Tags:
    """Find the integer tags up to a level that correlate best with the effects of removal.

    Cards of one rank with one effect get one tag. Dynamic programming keeps the best product with the effects for every
    sum of tags and of their squares, so the search is exhaustive. Of equally good tags, such as ones and twos, the
    smaller ones are chosen.
    """
    if not 1 <= level <= HIGHEST_LEVEL:
        raise InputError(f"the level must be 1 to {HIGHEST_LEVEL}, got {level}")
    if not all(effect.change.is_constant for effect in removal.effects):
        raise InputError(f"{removal.study.paytable.id} pays from meters; the best tags depend on what they show")
    kinds = _tag_groups(removal)
    gains = [gain for _, _, gain in kinds]
    if not any(gains):
        raise InputError(
            f"{removal.study.paytable.id}: no card's removal moves the edge, so no count is better than none"
        )
    common_denominator = lcm(*(gain.denominator for gain in gains))
    common_copies = gcd(*(copies for _, copies, _ in kinds))
    units = [copies // common_copies for _, copies, _ in kinds]
    best: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {(0, 0): (0, ())}
    for copies, gain in zip(units, gains, strict=True):
        gain_weight = int(gain * common_denominator) * copies
        extended: dict[tuple[int, int], tuple[int, tuple[int, ...]]] = {}
        for (total, squares), (product, tags) in best.items():
            for tag in range(-level, level + 1):
                key = total + copies * tag, squares + copies * tag * tag
                value = product + gain_weight * tag
                if key not in extended or value > extended[key][0]:
                    extended[key] = value, (*tags, tag)
        best = extended
    size = sum(units)

    def correlation_key(item: tuple[tuple[int, int], tuple[int, tuple[int, ...]]]) -> tuple[Fraction, int]:
        (total, squares), (product, _) = item
        tag_variance = squares * size - total * total
        # Center the effects: for a bet with a condition their mean is not zero.
        product = product * size - total * sum(
            int(gain * common_denominator) * copies for copies, gain in zip(units, gains, strict=True)
        )
        return (Fraction(product * abs(product), tag_variance) if tag_variance else Fraction(0)), -squares

    candidates = [item for item in best.items() if not balanced or item[0][0] == 0]
    (_, (_, tags)) = max(candidates, key=correlation_key)
    if not any(tags):
        raise InputError(f"no balanced tags of level {level}; allow unbalanced ones or a higher level")
    tag_by_card = {card: tag for (cards, _, _), tag in zip(kinds, tags, strict=True) for card in cards}
    return Tags({card: tag_by_card[card] for card, _ in removal.study.shoe.composition})


def _tag_groups(removal: RemovalEffects) -> list[tuple[list[Card], int, Fraction]]:
    """List cards that share a tag, their number, and the player's gain from their removal.

    They are the cards of one rank with one effect, or of ranks that no outcome distinguishes; where suits make these
    too many, all cards with one effect.
    """
    shoe, experiment = removal.study.shoe.composition, removal.study.paytable.experiment
    if removal.merges_suits:
        return _rank_groups(removal)
    resolution = experiment.card_resolution(shoe)
    rank_groups = resolution.ranks if resolution else ()
    first_rank = {rank: ranks[0] for ranks in rank_groups for rank in ranks}
    cards_by_kind: dict[tuple[Fraction, int], list[Card]] = {}
    for effect in removal.effects:
        for card in effect.cards:
            cards_by_kind.setdefault(
                (-effect.change.constant, first_rank.get(int(card.rank), int(card.rank))), []
            ).append(card)
    if len(cards_by_kind) > MAX_KINDS:
        return [(list(effect.cards), effect.copies, -effect.change.constant) for effect in removal.effects]
    return [(cards, sum(shoe[card] for card in cards), gain) for (gain, _), cards in cards_by_kind.items()]


def _rank_groups(removal: RemovalEffects) -> list[tuple[list[Card], int, Fraction]]:
    """List the cards of each rank, with the mean of the player's gain from their removal."""
    shoe = removal.study.shoe.composition
    cards_by_rank: dict[int, list[tuple[Card, Fraction]]] = {}
    for effect in removal.effects:
        for card in effect.cards:
            cards_by_rank.setdefault(int(card.rank), []).append((card, -effect.change.constant))
    kinds = []
    for _, members in sorted(cards_by_rank.items()):
        copies = sum(shoe[card] for card, _ in members)
        gain = sum((shoe[card] * gain for card, gain in members), Fraction(0)) / copies
        kinds.append(([card for card, _ in members], copies, gain))
    return kinds
