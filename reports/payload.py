"""Analyses as JSON carries them: exact values only, whole numbers as numbers and fractions as "p/q"."""

from __future__ import annotations

from typing import Any

from combinat.analysis import Analysis
from combinat.meters import known_hold
from combinat.odds import Odds
from combinat.paytable import Paytable
from combinat.published import agrees
from reports.flags import flags
from reports.numerals import exact


def analysis_payload(analysis: Analysis) -> dict[str, Any]:
    """Give all figures of a paytable at a shoe."""
    paytable, shoe = analysis.paytable, analysis.shoe
    return {
        "paytable": paytable.id,
        "title": paytable.title,
        "bet": paytable.bet.name,
        "deal": str(paytable.bet.deal),
        "given": str(paytable.bet.given) if paytable.bet.given else None,
        "roles_told_apart": paytable.apart,
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
                "fits": line.fits,
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
        "up_cards": _up_cards(analysis),
        "loses": {"ways": analysis.ways.none, "probability": exact(analysis.lose_probability)},
        "meters": {name: exact(value) for name, value in analysis.meters.items()},
        "house_edge": exact(analysis.best_edge),
        "return": exact(analysis.best_return),
        **_option(analysis),
        "fixed_return": exact(analysis.fixed_return),
        "hold": exact(known_hold(analysis) if analysis.riding is None else analysis.best_edge),
        "hit_frequency": exact(analysis.hit_frequency),
        "push_rate": exact(analysis.push_rate),
        "mean_win": exact(analysis.mean_win),
        "variance": exact(analysis.variance),
        "standard_deviation": exact(analysis.standard_deviation),
        "skewness": exact(analysis.skewness),
        "excess_kurtosis": exact(analysis.kurtosis),
        "favors_player": analysis.best_edge.constant < 0,
        "flags": list(flags(analysis)),
        "published": [
            {
                "figure": printed.figure,
                "text": printed.text,
                "decks": printed.decks,
                "agrees": agrees(analysis, printed),
            }
            for printed in paytable.published
            if printed.decks == shoe.decks
        ],
        "requires": paytable.requires,
        "example": paytable.is_example,
        "notes": [*paytable.bet.notes, *paytable.notes],
        "sources": list(paytable.bet.sources),
    }


def _option(analysis: Analysis) -> dict[str, Any]:
    """Give the edge without the option, and the option itself; nothing for bets that have none."""
    if analysis.riding is None:
        return {}
    from reports.riding_tables import riding_payload

    return {
        "house_edge_without_option": exact(analysis.house_edge),
        "return_without_option": exact(analysis.return_),
        "option": riding_payload(analysis.riding),
    }


def _up_cards(analysis: Analysis) -> list[dict[str, Any]]:
    """Give a bet on the dealer's finished hand by up card; nothing for other bets."""
    return [
        {
            "up": one.name,
            "probability": exact(one.probability),
            "bust": exact(one.bust),
            "suited_bust": exact(one.suited_bust),
            "awards": [
                {"name": line.award.name, "pays_text": str(line.award.pay), "probability": exact(line.probability)}
                for line in one.analysis.lines
                if line.is_possible
            ],
            "hit_frequency": exact(one.analysis.hit_frequency),
            "return": exact(one.analysis.return_),
            "house_edge": exact(one.analysis.house_edge),
        }
        for one in analysis.by_up_card
    ]


def paytable_payload(paytable: Paytable) -> dict[str, Any]:
    """Give what the catalog knows of a paytable."""
    return {
        "paytable": paytable.id,
        "title": paytable.title,
        "bet": paytable.bet.name,
        "deal": str(paytable.bet.deal),
        "decks": list(paytable.decks),
        "awards": [
            {"name": award.name, "rule": str(award.rule), "pays_text": str(award.pay)} for award in paytable.awards
        ],
        "meters": list(paytable.meters),
        "requires": paytable.requires,
        "example": paytable.is_example,
        "sources": list(paytable.bet.sources),
    }


def odds_payload(odds: Odds) -> dict[str, Any]:
    """Give how likely a rule is."""
    return {
        "rule": odds.rule,
        "given": odds.given,
        "deal": str(odds.deal),
        "roles_told_apart": odds.apart,
        "pack": odds.shoe.pack.name,
        "decks": odds.shoe.decks,
        "removed": [str(card) for card in odds.shoe.removed],
        "cycle": odds.cycle,
        "ways": odds.ways,
        "probability": exact(odds.probability),
        "one_in": exact(odds.one_in),
        "true_odds": exact(odds.true_odds),
    }
