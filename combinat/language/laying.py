"""Laying cards down: from what a person writes, in the order of the deal or by the names of roles, to places."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from combinat.language.deal import SMALL_NUMBERS, Deal
from combinat.language.laid import LaidHand
from combinat.language.tree import Rule, said_of
from combinat.language.word import Places
from decks import Card, InputError, suggestion
from decks.errors import quoted

_Lying = dict[int, tuple[Card, ...]]


def lay_in_order(deal: Deal, cards: Sequence[Card]) -> LaidHand:
    """Lay cards down as they are dealt, role by role; a hand that grows takes all that are left.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from decks import parse_cards
    >>> hand = lay_in_order(parse_deal("player:2, up:1"), parse_cards("As Ks Qs"))
    >>> hand.at((0, 1)), hand.at((2,))
    ((Card('As'), Card('Ks')), (Card('Qs'),))
    """
    if deal.unlaid:
        raise InputError(deal.unlaid)
    lying: _Lying = {}
    hands = deal.disjoint_groups()
    open_ended = [name for name, places in hands[:-1] if deal.least_cards(places) < deal.most_cards(places)]
    if open_ended:
        raise InputError(
            f"how many cards {quoted(open_ended[0])} has depends on them; name the roles, as in {_form(deal)}"
        )
    least, most = (sum(bound(places) for _, places in hands) for bound in (deal.least_cards, deal.most_cards))
    _check_count(least, most, len(cards), f"the deal {deal}")
    start = 0
    for name, places in hands:
        end = start + len(places) if (name, places) != hands[-1] else len(cards)
        lying |= _lie(deal, places, cards[start:end], name)
        start = end
    return _laid(deal, lying)


def lay_by_role(deal: Deal, roles: Mapping[str, Sequence[Card]], rules: Iterable[Rule] = ()) -> LaidHand:
    """Lay down each role's cards; each card that is dealt must be somebody's, or one that no rule looks at."""
    if deal.unlaid and not roles.keys() <= deal.groups.keys():
        raise InputError(deal.unlaid)
    lying: _Lying = {}
    by_role: dict[str, _Lying] = {}
    for role, cards in roles.items():
        by_role[role] = _lie(deal, deal.positions(role), cards, role)
        for place, there in by_role[role].items():
            if lying.setdefault(place, there) != there:
                raise InputError(_given_differently(by_role, place, role))
    dealt = {place for _, places in deal.disjoint_groups() for place in places}
    looked_at = {place for places in said_of(rule.fact for rule in rules) for place in places}
    if missing := (looked_at & dealt or dealt) - lying.keys():
        names = [name for name, places in deal.groups.items() if set(places) & missing and name not in roles]
        whose = " or ".join(map(quoted, names))
        is_begun = any(lying.keys() & set(deal.groups[name]) for name in names)
        said = f"not all cards of {whose} are given" if is_begun else f"no card of {whose} is given"
        raise InputError(f"{said}; the deal is {deal}")
    # Whether more cards would have come is known only where all of them lie.
    return _laid(deal, lying) if dealt <= lying.keys() else LaidHand(deal, lying)


def _given_differently(by_role: Mapping[str, _Lying], place: int, role: str) -> str:
    """Say which of two roles has the other's card among its own, and what each gives there."""
    other = next(name for name, lying in by_role.items() if place in lying)
    few, many = sorted((role, other), key=lambda name: len(by_role[name]))
    told, there = (" ".join(map(str, by_role[name][place])) for name in (few, many))
    if by_role[few].keys() == by_role[many].keys():
        return f"{quoted(other)} and {quoted(role)} are the same cards, but are given differently"
    return (
        f"the cards of {quoted(many)} include that of {quoted(few)}, {told}, but have {there} in its place; give it in "
        f"both, or leave {quoted(few)} out"
    )


def parse_roles_of_hand(texts: Sequence[str], deal: Deal) -> dict[str, str]:
    """Read cards by the names of roles, as in `player=As Ks`; nothing if no text names a role.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> parse_roles_of_hand(["player=As Ks", "up: Qs"], parse_deal("player:2, up:1"))
    {'player': 'As Ks', 'up': 'Qs'}
    """
    parts = [part.strip() for text in texts for part in text.replace(":", "=").split(";")]
    if not any("=" in part for part in parts):
        return {}
    found: dict[str, str] = {}
    for part in parts:
        role, equals, cards = (word.strip() for word in part.partition("="))
        if not equals:
            raise InputError(f"cannot tell whose cards {quoted(part)} are; name every role, as in {_form(deal)}")
        name = role.lower().replace(" ", "_")
        if name not in deal.groups:
            hint = suggestion(name, deal.groups) or f"; the deal has {', '.join(deal.groups)}"
            raise InputError(deal.unlaid or f"nobody called {quoted(role)} is dealt cards{hint}")
        if name in found:
            raise InputError(f"the cards of {quoted(role)} are given twice")
        found[name] = cards
    return found


def _form(deal: Deal) -> str:
    return " ".join(f'{name}="..."' for name, _ in deal.disjoint_groups())


def _lie(deal: Deal, places: Places, cards: Sequence[Card], whose: str) -> _Lying:
    """Put a card at each place, as long as there are cards; the last place takes all that are left."""
    _check_count(deal.least_cards(places), deal.most_cards(places), len(cards), whose)
    last = len(places) - 1
    return {place: tuple(cards[n:] if n == last else cards[n : n + 1]) for n, place in enumerate(places)}


def _check_count(least: int, most: int, given: int, whose: str) -> None:
    if not least <= given <= most:
        number = SMALL_NUMBERS[least] if least < len(SMALL_NUMBERS) else str(least)
        needs = f"{'at least ' if most > least else ''}{number} card{'s' if least != 1 else ''}"
        raise InputError(f"{whose} has {needs}; {given} {'is' if given == 1 else 'are'} given")


def _laid(deal: Deal, lying: _Lying) -> LaidHand:
    if wrong := deal.misdealt(lying):
        raise InputError(f"such cards do not come: {wrong}")
    return LaidHand(deal, lying)
