"""The effect of each assumption on the house edge: the edge of the bet without it, at the same shoe and table."""

from __future__ import annotations

from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.assumptions import Alternative, Assumption
from combinat.bets.catalog import get_paytable
from combinat.bets.pay import parse_pay
from combinat.bets.paytable import Paytable, apply_settings
from combinat.bets.variants import with_soft_17
from combinat.blackjack.rules import BlackjackRules
from combinat.language.parser import parse_rule
from combinat.meters.hold import compute_hold
from combinat.study import Study, compute_edge_only
from decks import InputError


class AssumptionEffect(Struct, frozen=True):
    """An assumption, and the house edge without it; with meters, the hold in the long run."""

    assumption: Assumption
    edge: Fraction | None = None
    """The edge under the alternative; `None` without one, or if the terms of the meters are not known."""
    change: Fraction | None = None
    """The edge under the alternative less the edge of the sheet; `None` without an alternative."""


def assumption_effects(study: Study) -> tuple[AssumptionEffect, ...]:
    """Return each assumption of a study with the edge under its alternative.

    With a parlay or press, the edge is that of best play if the alternative concerns the table, otherwise that of the
    wager alone.

    >>> from combinat.bets.catalog import get_paytable
    >>> from combinat.study import build_study
    >>> from decks import Shoe
    >>> effects = assumption_effects(build_study(get_paytable("TRI-03"), Shoe(6)))
    >>> effects[0].assumption.alternative.text, round(float(effects[0].edge), 5)
    ('ace high only', 0.07773)
    """
    return tuple(_effect(assumption, study) for assumption in study.paytable.assumptions)


def _effect(assumption: Assumption, study: Study) -> AssumptionEffect:
    alternative = assumption.alternative
    if alternative is None:
        return AssumptionEffect(assumption)
    changed = apply_alternative(alternative, study.paytable)
    if alternative.table:
        return _effect_of_table(assumption, dict(alternative.table), study)
    analysis = analyze_wager(changed, study.shoe)
    if not changed.meters:
        edge = analysis.house_edge.constant
        return AssumptionEffect(assumption, edge, edge - study.analysis.house_edge.constant)
    hold, own_hold = compute_hold(analysis), compute_hold(study.analysis)
    if hold is None or own_hold is None:  # the meters contribute the same to both
        return AssumptionEffect(assumption, None, study.analysis.fixed_return - analysis.fixed_return)
    return AssumptionEffect(assumption, hold, hold - own_hold)


def _effect_of_table(assumption: Assumption, changes: dict[str, bool | int], study: Study) -> AssumptionEffect:
    """Return the effect of other rules of the blackjack table; none if the study has no option or too few cards."""
    if study.option is None:
        return AssumptionEffect(assumption)
    table = dict(study.option.data["table"])
    table["blackjack_pays"] = Fraction(table["blackjack_pays"])
    rules = BlackjackRules(**table | changes)
    strategy = study.option.data["strategy"]
    try:
        edge = compute_edge_only(study.paytable, study.shoe, rules=rules, strategy=strategy).house_edge.constant
    except InputError:  # a shoe of few cards may do for this table and not for the other
        return AssumptionEffect(assumption)
    return AssumptionEffect(assumption, edge, edge - study.house_edge.constant)


def apply_alternative(alternative: Alternative, paytable: Paytable) -> Paytable:
    """Return a paytable with the rules, pays, settings or condition of an alternative."""
    if alternative.paytable is not None:
        return get_paytable(alternative.paytable)
    if alternative.soft_17 is not None:
        paytable = with_soft_17(paytable, alternative.soft_17)
    paytable = apply_settings(paytable, dict(alternative.settings))
    bet, rules, pays = paytable.bet, dict(alternative.rules), dict(alternative.pays)
    if alternative.given is not None:
        condition = parse_rule(alternative.given, bet.deal) if alternative.given else None
        paytable = replace(paytable, bet=replace(bet, condition=condition))
    awards = tuple(
        replace(
            award,
            rule=parse_rule(rules[award.name], bet.deal) if award.name in rules else award.rule,
            pay=parse_pay(pays[award.name]) if award.name in pays else award.pay,
        )
        for award in paytable.awards
    )
    return replace(paytable, awards=awards)
