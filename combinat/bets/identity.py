"""Comparison of a paytable with its catalog original, and marking of variants, which must not pass for the original."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from combinat.bets.award import Award
from combinat.bets.paytable import BasedOn, Paytable
from combinat.bets.schema import MAX_NAME, MAX_SOURCE

_MARK = "variant"


def find_differences(paytable: Paytable, original: Paytable) -> tuple[str, ...]:
    """Name the topics in which a paytable differs from another, in a fixed order; empty if it is the same game.

    Ids, sources, notes and the layout of the file are not compared.

    >>> from combinat.bets.catalog import get_paytable
    >>> find_differences(get_paytable("TRI-02"), get_paytable("TRI-03"))
    ('awards', 'pays', 'decks')
    """
    return tuple(dict.fromkeys(_iter_differences(paytable, original)))


def _iter_differences(paytable: Paytable, original: Paytable) -> Iterator[str]:
    bet, original_bet = paytable.bet, original.bet
    if (bet.deal, paytable.roles_distinct, paytable.up) != (original_bet.deal, original.roles_distinct, original.up):
        yield "deal"
    if bet.pack != original_bet.pack:
        yield "pack"
    if _condition_fact(paytable) != _condition_fact(original):
        yield "condition"
    yield from _iter_award_differences(paytable.settlement.stated_awards, original.settlement.stated_awards)
    if bool(paytable.stated_awards) != bool(original.stated_awards):
        yield "settlement"
    if paytable.wheels != original.wheels:
        yield "wheels"
    if bet.option != original_bet.option:
        yield "option"
    if paytable.requires != original.requires:
        yield "required wager"
    if paytable.decks != original.decks:
        yield "decks"
    if paytable.systems != original.systems:
        yield "meters"
    if _sheet_names(paytable) != _sheet_names(original):
        yield "names"
    if (paytable.published, paytable.is_example) != (original.published, original.is_example):
        yield "published figures"


def _condition_fact(paytable: Paytable) -> object:
    return paytable.bet.condition.fact if paytable.bet.condition else None


def _sheet_names(paytable: Paytable) -> tuple[str, ...]:
    """Return the names on a sheet; a title made of the bet's name and the id follows from these."""
    bet = paytable.bet
    title = "" if paytable.title == f"{bet.name} {paytable.id}" else paytable.title
    return bet.name, bet.game, bet.made, bet.settled, title


def _iter_award_differences(awards: Sequence[Award], originals: Sequence[Award]) -> Iterator[str]:
    if [award.name for award in awards] != [award.name for award in originals]:
        yield "awards"
    award_by_name = {award.name: award for award in originals}
    for award in awards:
        if (original := award_by_name.get(award.name)) is not None:
            if (award.rule.fact, award.per) != (original.rule.fact, original.per):
                yield "rules"
            if award.pay != original.pay:
                yield "pays"


def count_common_awards(paytable: Paytable, original: Paytable) -> int:
    """Return how many awards two paytables share by name and pay: the larger, the more one looks like the other."""
    original_pays = {(award.name, str(award.pay)) for award in original.settlement.stated_awards}
    return sum((award.name, str(award.pay)) in original_pays for award in paytable.settlement.stated_awards)


def mark_as_variant(paytable: Paytable, original: Paytable, differences: tuple[str, ...]) -> Paytable:
    """Return the paytable marked as a variant of another: in its title, its names for files, and its sources.

    What is published of the original is not said of the variant. A paytable with an id and a title of its own, or one
    that an option of a command has renamed, needs no further name.
    """
    name, title = paytable.variant, paytable.title
    has_own_name = bool(name) or paytable.id.lower() != original.id.lower()
    if not has_own_name:
        name = (f"{_MARK}-{_fingerprint(paytable)}",)
    if not paytable.variant and (not has_own_name or title.lower() == original.title.lower()):
        title = f"{title[: MAX_NAME - len(_MARK) - 2]}, {_MARK}"
    return replace(
        paytable,
        title=title,
        variant=name,
        bet=replace(paytable.bet, sources=based_on_sources(original.id, paytable.bet.sources)),
        published=tuple(figure for figure in paytable.published if figure not in original.published),
        other_interpretation=None
        if paytable.other_interpretation == original.other_interpretation
        else paytable.other_interpretation,
        based_on=BasedOn(original.id, differences),
    )


def based_on_sources(id: str, sources: Sequence[str]) -> tuple[str, ...]:
    """Cite the sources of a paytable for a variant of it.

    >>> based_on_sources("TRI-03", ["Rules of TriLux Blackjack"])
    ('Based on TRI-03: Rules of TriLux Blackjack',)
    """
    return tuple(f"Based on {id}: {source}"[:MAX_SOURCE] for source in sources) or (f"Based on {id}",)


def _fingerprint(paytable: Paytable) -> str:
    """Return eight hexadecimal digits that change with whatever `find_differences` compares."""
    bet = paytable.bet
    settings = [(choice.setting.key, choice.text) for choice in bet.deal.settings]
    awards = [
        (award.name, str(award.rule), str(award.per), award.pays_text) for award in paytable.settlement.stated_awards
    ]
    content = (
        *(
            bet.deal,
            settings,
            bet.pack,
            paytable.roles_distinct,
            paytable.up,
            bet.condition,
            awards,
            bool(paytable.stated_awards),
        ),
        *(paytable.wheels, bet.option, paytable.requires, paytable.decks, paytable.systems, _sheet_names(paytable)),
        *(paytable.published, paytable.is_example),
    )
    return hashlib.sha256("\n".join(map(str, content)).encode()).hexdigest()[:8]
