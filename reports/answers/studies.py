"""Studies as JSON (integers as numbers, fractions as "p/q") and as records for spreadsheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from combinat.analysis.odds import RuleOdds
from combinat.bets.paytable import Paytable
from combinat.exact.interval import Span
from combinat.exact.polynomial import Polynomial
from combinat.figures import FIGURES, figure_values, headline_value
from combinat.finder.checks import is_check, matches_published
from combinat.study import Study
from reports.page.figures import STYLES
from reports.page.model import Cell, Column, Document, Style, Styled, Table
from reports.page.numerals import exact, exact_or_bounds
from reports.tables.awards import ONE_IN, PROBABILITY, TRUE_ODDS, WAYS, added_awards_payload, wheels_payload
from reports.tables.decisions import option_payload, play_payload
from reports.tables.headings import conditions_text, flags, paytable_names
from reports.tables.results import view_payload

SECOND_BASIS = "{}_without_option"
"""Key of a figure on its second basis, the wager alone."""
ANSWER_FORMAT = "combinat answer 2"
"""Format name in JSON. Format 1 had no name, and a single answer was an object instead of a list."""
_FIGURES = (
    "fixed_return",
    "hold",
    "hit_frequency",
    "push_rate",
    "mean_win",
    "variance",
    "standard_deviation",
    "skewness",
    "excess_kurtosis",
)


def answers_payload(answers: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return answers as a list, each with the version of the format."""
    return [{"format": ANSWER_FORMAT} | answer for answer in answers]


def figures_payload(study: Study, *keys: str) -> tuple[dict[str, Any], dict[str, str]]:
    """Return figures by key, and the basis of each; a second basis has its own key."""
    values: dict[str, Any] = {}
    bases: dict[str, str] = {}
    for key in keys:
        for index, figure_value in enumerate(figure_values(study, key)):
            name = key if not index else SECOND_BASIS.format(key)
            values |= (
                exact_or_bounds(name, figure_value.value)
                if isinstance(figure_value.value, Span)
                else {name: exact(figure_value.value)}
            )
            bases[name] = str(figure_value.basis)
    return values, bases


def study_payload(study: Study) -> dict[str, Any]:
    """Return all figures of a bet at a shoe."""
    analysis, paytable, shoe = study.analysis, study.paytable, study.shoe
    edges, edge_bases = figures_payload(study, "house_edge", "return")
    figures, bases = figures_payload(study, *_FIGURES)
    return {
        "paytable": paytable.id,
        "title": paytable.title,
        **variant_payload(paytable),
        "bet": paytable.bet.name,
        "deal": str(paytable.bet.deal),
        "given": condition_text(paytable),
        "roles_told_apart": paytable.roles_distinct,
        **settings_payload(paytable),
        "pack": paytable.bet.pack.name,
        "decks": shoe.decks,
        "cards": shoe.size,
        "removed": [str(card) for card in shoe.removed],
        "designed_decks": list(paytable.decks),
        "designed": analysis.is_designed,
        "cycle": analysis.ways.cycle,
        "awards": [
            {
                "name": line.award.name,
                "rule": str(line.award.rule),
                "pays": exact(line.award.pay.amount),
                "unit": line.award.pay.unit if line.award.pay.meter is None else f"of {line.award.pay.meter}",
                "pays_text": str(line.award.pay),
                "fits": line.matches,
                "ways": line.ways,
                "probability": exact(line.probability),
                "return": exact(line.return_),
                "net": exact(line.net * line.probability),
                "one_in": exact(line.one_in),
                "true_odds": exact(line.true_odds),
                "possible": line.is_possible,
            }
            for line in analysis.lines
        ],
        **added_awards_payload(analysis),
        **wheels_payload(analysis),
        **view_payload(study),
        "loses": {"ways": analysis.ways.losing, "probability": exact(analysis.lose_probability)},
        "meters": {name: exact(value) for name, value in analysis.meters.items()},
        "meter_wager": exact(analysis.meter_wager) if paytable.meters else None,
        "basis": str(study.basis),
        **edges,
        **_option(study),
        **_play(study),
        **figures,
        "bases": edge_bases | bases,
        "favors_player": study.favors_player,
        "flags": list(flags(study)),
        "published": [
            {
                "figure": printed.figure,
                "text": printed.text,
                "decks": printed.decks,
                "agrees": matches_published(analysis, printed),
                "is_check": is_check(analysis, printed),
            }
            for printed in paytable.published
            if printed.decks == shoe.decks
        ],
        "requires": paytable.requires,
        "example": paytable.is_example,
        "notes": [*paytable.bet.notes, *paytable.notes],
        "sources": list(paytable.bet.sources),
    }


def variant_payload(paytable: Paytable) -> dict[str, Any]:
    """Return the base paytable of a variant and its differences; empty if it is not a variant."""
    if paytable.based_on is None:
        return {}
    return {"variant": {"of": paytable.based_on.id, "differences": list(paytable.based_on.differences)}}


def _option(study: Study) -> dict[str, Any]:
    """Return the option; empty for bets without one."""
    if study.option is None:
        return {}
    return {"option": option_payload(study.option)}


def _play(study: Study) -> dict[str, Any]:
    """Return the strategy and every decision; empty if there is nothing to decide."""
    if study.play is None:
        return {}
    return play_payload(study.play)


def settings_payload(paytable: Paytable) -> dict[str, Any]:
    """Return the game settings that are in force; empty if the game has none."""
    settings = paytable.bet.deal.settings
    return {"settings": {choice.setting.key: choice.said for choice in settings}} if settings else {}


def condition_text(paytable: Paytable) -> str | None:
    """Return the condition of a bet, or `None`."""
    return str(paytable.bet.given) if paytable.bet.given else None


def assumptions_payload(study: Study, *, rides: bool) -> dict[str, Any]:
    """Return condition, settings, meter amounts and, if `rides`, the table rules and strategy of the parlay."""
    analysis, option = study.analysis, study.option
    return {
        "given": condition_text(analysis.paytable),
        **settings_payload(analysis.paytable),
        "meters": {name: exact(value) for name, value in analysis.meters.items()},
        "meter_wager": exact(analysis.meter_wager) if analysis.paytable.meters else None,
        **({"option": option.data} if rides and option is not None else {}),
    }


def paytable_payload(paytable: Paytable, shelf: str) -> dict[str, Any]:
    """Return the catalog entry of a paytable."""
    return {
        "paytable": paytable.id,
        "shelf": shelf,
        "title": paytable.title,
        "bet": paytable.bet.name,
        "deal": str(paytable.bet.deal),
        **settings_payload(paytable),
        "decks": list(paytable.decks),
        "awards": [
            {"name": award.name, "rule": str(award.rule), "pays_text": str(award.pay)} for award in paytable.awards
        ],
        "meters": list(paytable.meters),
        "requires": paytable.requires,
        "example": paytable.is_example,
        "sources": list(paytable.bet.sources),
    }


def odds_payload(odds: RuleOdds) -> dict[str, Any]:
    """Return the probability of a rule as data."""
    return {
        "rule": odds.rule,
        "given": odds.given,
        "deal": str(odds.deal),
        "roles_told_apart": odds.roles_distinct,
        "pack": odds.shoe.pack.name,
        "decks": odds.shoe.decks,
        "removed": [str(card) for card in odds.shoe.removed],
        "cycle": odds.cycle,
        "ways": odds.ways,
        "probability": exact(odds.probability),
        "one_in": exact(odds.one_in),
        "true_odds": exact(odds.true_odds),
    }


COLUMNS = (
    Column("Paytable"),
    Column("Decks", Style.COUNT),
    Column("Given"),
    Column("Kind"),
    Column("Name"),
    Column("Key"),
    Column("Basis"),
    Column("Pays"),
    WAYS,
    PROBABILITY,
    ONE_IN,
    TRUE_ODDS,
    Column(FIGURES["return"].label, Style.DECIMAL),
    Column("Value", Style.DECIMAL),
)


def records_document(studies: Sequence[Study]) -> Document:
    """Return studies as records, each with paytable, deck count, condition and kind."""
    labels = paytable_names(study.paytable for study in studies)
    rows = tuple(
        (labels[study.paytable], study.shoe.decks, conditions_text(study.analysis), *line)
        for study in studies
        for line in _lines(study)
    )
    return Document("", tables=(Table(COLUMNS, rows),))


def _lines(study: Study) -> Iterator[tuple[Cell, ...]]:
    analysis, basis = study.analysis, str(study.wager_basis)
    for line in analysis.lines:
        chances = (line.ways, line.probability, line.one_in, line.true_odds)
        yield ("Award", line.award.name, None, basis, str(line.award.pay), *chances, line.return_, None)
    lose, ways = analysis.lose_probability, analysis.ways
    chances = (ways.losing, lose, 1 / lose if lose else None, (1 - lose) / lose if lose else None)
    yield ("No award", "no award", None, basis, "loses", *chances, Polynomial.of(0), None)
    yield ("Total", "total", None, basis, None, ways.cycle, 1, None, None, analysis.return_, None)
    empty = (None,) * 6
    for key in FIGURES:
        for index, figure_value in enumerate(figure_values(study, key)):
            if figure_value.value is not None:
                name = SECOND_BASIS.format(key) if index else key
                yield (
                    "Figure",
                    figure_value.label,
                    name,
                    str(figure_value.basis),
                    *empty,
                    Styled(figure_value.value, STYLES[key].style),
                )
    for view, cases in study.views:
        for case in cases:
            case_study = Study(case.analysis)
            edge = Styled(headline_value(case_study, "house_edge"), STYLES["house_edge"].style)
            labels = (f"Given the {view.case_title.lower()}", case.name, "house_edge", basis)
            yield (*labels, None, None, case.probability, None, None, headline_value(case_study, "return"), edge)
    for flag in flags(study):
        yield ("Flag", flag, None, None, *empty, None)
