"""Awards that never win change no figure, wherever they are inserted into the ladder.

An inserted award loses with hands that lose anyway, or requires an impossible hand. Only its own rows may differ, and
the ways of "no award", some of which move to it.
"""

import copy
import random
from fractions import Fraction
from functools import lru_cache

import pytest
from msgspec.structs import replace

from combinat.bets.award import Award
from combinat.bets.catalog import get_paytable
from combinat.bets.pay import parse_pay
from combinat.language.parser import parse_rule
from combinat.study import build_study
from combinat.verifier import verify_draft
from decks import Shoe, find_pack
from reports.answers.studies import study_payload
from reports.render.workbook.model import Calculation
from tests.parlay import TWO_HANDS, small_shoe
from tests.sheets import draft_payload
from tests.slow_cases import slow_cases

LOSING = {
    "TRI-03": ["pair and rainbow", "total == 20 and pair and rainbow", "not suited and not straight and pair"],
    "BLZ-1-UP": ["not has(7)", "not has(7) and suited"],
    "BB-1": ["not bust", "dealer.total == 20"],
    "HM-2": ["not pair and not straight", "suited and not pair and not straight"],
    "TRILXDLX-01": ["pair and rainbow", "not suited and not straight and pair"],
}
IMPOSSIBLE = "total > 30"
INSERTED = "Inserted"


@lru_cache(maxsize=None)
def all_figures(paytable):
    """Return the figures of `show`, of the sheet and of the workbook."""
    shoe = small_shoe() if paytable.bet.option else Shoe(6, paytable.bet.pack)
    study = build_study(paytable, shoe, rules=TWO_HANDS if paytable.bet.option else None)
    workbook = {figure.label: (figure.value, figure.exact) for figure in Calculation(study).figures}
    return study_payload(study), draft_payload(study), workbook


def without_inserted(payload):
    """Return a payload without the inserted awards, with their ways counted as losing hands."""
    remaining = copy.deepcopy(payload)
    ways = remaining["losing_hands"]["ways"] + sum(
        award["ways"] for award in remaining["awards"] if award["name"].startswith(INSERTED)
    )
    remaining["losing_hands"] = ways, Fraction(ways, remaining["cycle"])
    for key, label in [("awards", "name"), ("pay_sensitivity", "award"), ("derivation", "award")]:
        remaining[key] = [row for row in remaining.get(key, []) if not row[label].startswith((INSERTED, "no award"))]
    for up_card in remaining["up_cards"]:
        up_card["awards"] = [row for row in up_card["awards"] if not row["name"].startswith(INSERTED)]
    if "exposure" in remaining:
        remaining["exposure"]["tax"] = [
            row for row in remaining["exposure"]["tax"] if not row["award"].startswith(INSERTED)
        ]
    eligibility = remaining.get("eligibility")
    for part in [eligibility["total"], *eligibility["up_cards"]] if eligibility else []:
        names = [award["name"] for award in payload["awards"]]
        part["awards"] = [
            value for name, value in zip(names, part["awards"], strict=True) if not name.startswith(INSERTED)
        ]
    remaining["flags"] = [flag for flag in remaining["flags"] if not flag.startswith(INSERTED)]
    remaining.pop("input_files", None)  # it names the changed topics
    remaining.pop("misranked", None)  # the cost of paying an award as the next lower one, which may be an inserted one
    return remaining


def insert_awards(paytable, rules_and_pays, generator):
    """Insert awards into a ladder at random positions, each twice in a row."""
    awards = list(paytable.awards)
    for index, (rule, pays) in enumerate(rules_and_pays):
        position = generator.randint(0, len(awards))
        for name in (f"{INSERTED} {index}", f"{INSERTED} {index} again"):
            awards.insert(position, Award(name, parse_rule(rule, paytable.bet.deal), parse_pay(pays)))
    return replace(paytable, awards=tuple(awards))


FEW_RANKS = "BB-1, dealt from few ranks"


def find_bet(id):
    if id != FEW_RANKS:
        return get_paytable(id)
    paytable = get_paytable("BB-1")
    return replace(paytable, bet=replace(paytable.bet, pack=find_pack("standard without 3 4 6 7 9 J Q")))


@slow_cases("TRI-03", "BB-1", "BLZ-1-UP", "TRILXDLX-01", "BB-1, dealt from few ranks")
@pytest.mark.parametrize("name", [*LOSING, FEW_RANKS])
def test_losing_awards_change_no_figure(name):
    id, paytable = name.partition(",")[0], find_bet(name)
    generator = random.Random(id)
    impossible = [(IMPOSSIBLE, pays) for pays in ("push", "loses", "1 for 2")]
    rules_and_pays = [generator.choice(impossible), *[(rule, "loses") for rule in generator.sample(LOSING[id], 2)]]
    before, after = all_figures(paytable), all_figures(insert_awards(paytable, rules_and_pays, generator))
    for original, changed in zip(before[:2], after[:2], strict=True):
        assert without_inserted(original) == without_inserted(changed)
    assert before[2] == after[2]
    assert verify_draft(after[1]).differences == []
