"""Awards that add up, each by itself, beside the sums that hands come to."""

from __future__ import annotations

from typing import Any

from combinat.analysis.added import added_parts
from combinat.analysis.analysis import Analysis
from combinat.bets.paytable import Paytable
from combinat.language.english import in_words
from reports.page.model import Column, Style, Table
from reports.page.numerals import exact


def parts_table(analysis: Analysis) -> Table:
    """Lay out how often each award is paid, and what it comes to."""
    columns = (
        Column("Award"),
        Column("Pays", Style.COUNT),
        Column("Probability of one or more", Style.DECIMAL),
        Column("Mean number in a hand", Style.DECIMAL),
        Column("Paid on average", Style.DECIMAL),
    )
    rows = [
        (one.award.name, one.award.pays_text, one.probability, one.times, one.paid) for one in added_parts(analysis)
    ]
    return Table(columns, tuple(rows), "The awards that add up, each by itself")


def stated_table(paytable: Paytable) -> Table:
    """Say in words what each of the awards that add up is paid for."""
    deal = paytable.bet.deal
    rows = [
        (one.name, in_words(one.rule, deal), str(one.per) if one.per else "once", one.pays_text)
        for one in paytable.parts
    ]
    columns = (Column("Award"), Column("What it is for"), Column("How often"), Column("Pays"))
    return Table(columns, tuple(rows), "The awards that add up")


def parts_payload(analysis: Analysis) -> dict[str, Any]:
    """Give the awards that add up and how often each is in every sum; nothing where awards do not add up."""
    parts = added_parts(analysis)
    if not parts:
        return {}
    return {
        "adds_up": {
            "awards": [
                {
                    "name": one.award.name,
                    "rule": str(one.award.rule),
                    "per": str(one.award.per) if one.award.per else None,
                    "pays_text": str(one.award.pay),
                    "fits": one.ways,
                    "probability": exact(one.probability),
                    "mean_times": exact(one.times),
                    "paid": exact(one.paid),
                }
                for one in parts
            ],
            "sums": [{"award": line.award.name, "times": list(line.award.made_of)} for line in analysis.lines],
            "none": analysis.ways.losing,
        }
    }
