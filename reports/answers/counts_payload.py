"""What `count` answers as data: a count with all its triggers, depths and places of the cut card."""

from __future__ import annotations

from typing import Any

from combinat.advantage.bound import Bound
from combinat.advantage.counts import Count, Worth
from combinat.advantage.played import Played
from combinat.exact.root import Root
from combinat.exact.span import Span
from reports.answers.bound import bound_payload
from reports.answers.counts import Answer
from reports.answers.payload import SECOND_BASIS, stands_on
from reports.page.numerals import exact, exact_or_bounds


def counts_payload(answer: Answer) -> dict[str, Any]:
    """Give a count with all its triggers, depths and places of the cut card."""
    count, conventions, chosen = answer.count, answer.count.conventions, answer.chosen
    return {
        "paytable": count.paytable.id,
        "bet": count.paytable.bet.name,
        "decks": count.shoe.decks,
        "cards": count.shoe.size,
        "designed": answer.played.study.analysis.is_designed,
        "removed": [str(card) for card in count.shoe.removed],
        **stands_on(answer.played.study, rides=answer.played.ride is not None),
        "tags": {str(card): tag for card, tag in count.tags.of.items()},
        "tags_total": count.tags.total(count.shoe.composition),
        "betting_correlation": exact(answer.correlation),
        "conventions": {
            "name": conventions.name,
            "round_cards": exact(conventions.round_cards),
            "lengths": {str(cards): exact(chance) for cards, chance in conventions.lengths},
            "first": conventions.first,
            "burned": conventions.burned,
            "burned_seen": conventions.burned_seen,
            "burns_by_first_card": conventions.burns_by_first_card,
            "rounds_after_cut": conventions.rounds_after_cut,
            "divisor": conventions.divisor,
            "decks": conventions.decks,
            "true_count": conventions.true_count,
            "start": conventions.start,
        },
        "rounds_are_approximate": answer.cut is not None and bool(conventions.round_cards),
        "cut": answer.cut,
        "rounds": exact(count.number_of_rounds) if count.has_rounds else None,
        "basis": str(answer.played.basis),
        **_edges_payload(answer.played),
        "always": _worth(count, count.always),
        "triggers": [_worth(count, one) for one in count.by_trigger],
        "best": _worth(count, count.best) if count.best else None,
        "at_every_gaining_count": exact(100 * count.most_by_count()),
        "by_depth": [{"seen": seen} | _worth(count, one) for seen, one in count.by_depth(chosen.trigger)]
        if chosen
        else [],
        "by_cut": [
            {"cut": cut, "best": _worth(one, one.best) if one.best else None} for cut, one in count.by_cut(answer.cut)
        ]
        if answer.cut is not None
        else [],
        "information": {what: exact(worth) for what, worth in answer.information},
        "perfect_play": None if answer.bound is None else sampled_payload(answer.bound),
        "won_per_hour": exact(answer.per_hour),
    }


def _edges_payload(way: Played) -> dict[str, Any]:
    alone = {} if way.ride is None else {SECOND_BASIS.format("house_edge"): exact(way.study.analysis.house_edge)}
    return {"house_edge": exact(way.house_edge)} | alone


def sampled_payload(bound: Bound) -> dict[str, Any]:
    """Give what no count can beat, with the chunks in which it was sampled."""
    return bound_payload(bound) | {"chunk": bound.chunk or None}


def _worth(count: Count, one: Worth) -> dict[str, Any]:
    return {
        "trigger": exact(one.trigger),
        "frequency": exact(one.frequency),
        "edge": exact(one.edge),
        "won_per_100_rounds": exact(one.per_hundred),
        "won_per_shoe": exact(one.per_shoe) if count.has_rounds else None,
        **_or_bounds("standard_deviation", one.deviation),
        **_or_bounds("desirability", one.desirability),
    }


def _or_bounds(key: str, value: Root | Span | None) -> dict[str, Any]:
    """Give a figure, and beside it its bounds where no more is known."""
    return exact_or_bounds(key, value) if isinstance(value, Span) else {key: exact(value)}
