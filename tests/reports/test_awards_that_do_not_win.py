"""An award that does not win is no award: put into a ladder anywhere, it leaves every figure as it was.

What is put in loses with hands that lose anyway, or stands for a hand that cannot be. Only its own rows may differ, and
the ways of "no award", some of which it takes over.
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
from combinat.verifier import verify
from decks import Shoe, find_pack
from reports.answers.studies import study_payload
from reports.render.workbook.model import Calculation
from reports.sheet.payload import sheet_payload
from reports.sheet.sections.request import Request
from tests.riding import QUICK, small_shoe

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
def figures(paytable):
    """Give all that `show`, the sheet and its workbook say of a paytable."""
    shoe = small_shoe() if paytable.bet.option else Shoe(6, paytable.bet.pack)
    studied = build_study(paytable, shoe, rules=QUICK if paytable.bet.option else None)
    workbook = {one.label: (one.value, one.exact) for one in Calculation(studied).figures}
    return study_payload(studied), sheet_payload(Request(studied)), workbook


def without_inserted(payload):
    """Leave out the rows of awards put in, and count their hands as lost again."""
    rest = copy.deepcopy(payload)
    ways = rest["loses"]["ways"] + sum(one["ways"] for one in rest["awards"] if one["name"].startswith(INSERTED))
    rest["loses"] = ways, Fraction(ways, rest["cycle"])
    for key, label in [("awards", "name"), ("pay_sensitivity", "award"), ("derivation", "award")]:
        rest[key] = [row for row in rest.get(key, []) if not row[label].startswith((INSERTED, "no award"))]
    for up_card in rest["up_cards"]:
        up_card["awards"] = [row for row in up_card["awards"] if not row["name"].startswith(INSERTED)]
    if "exposure" in rest:
        rest["exposure"]["tax"] = [row for row in rest["exposure"]["tax"] if not row["award"].startswith(INSERTED)]
    rest["flags"] = [flag for flag in rest["flags"] if not flag.startswith(INSERTED)]
    rest.pop("misranked", None)  # what it costs to pay an award as the one below, which is another one now
    return rest


def with_awards(paytable, chosen, chance):
    """Put awards into a ladder at random places, each twice in a row."""
    awards = list(paytable.awards)
    for number, (rule, pays) in enumerate(chosen):
        place = chance.randint(0, len(awards))
        for name in (f"{INSERTED} {number}", f"{INSERTED} {number} again"):
            awards.insert(place, Award(name, parse_rule(rule, paytable.bet.deal), parse_pay(pays)))
    return replace(paytable, awards=tuple(awards))


FEW_RANKS = "BB-1, dealt from few ranks"
LONG = {"TRI-03", "BB-1", "BLZ-1-UP", "TRILXDLX-01"}


def bet_of(id):
    if id != FEW_RANKS:
        return get_paytable(id)
    paytable = get_paytable("BB-1")
    return replace(paytable, bet=replace(paytable.bet, pack=find_pack("standard without 3 4 6 7 9 J Q")))


@pytest.mark.parametrize(
    "name", [pytest.param(id, marks=[pytest.mark.slow] if id in LONG else []) for id in [*LOSING, FEW_RANKS]]
)
def test_awards_that_do_not_win_leave_every_figure_as_it_was(name):
    id, paytable = name.partition(",")[0], bet_of(name)
    chance = random.Random(id)
    impossible = [(IMPOSSIBLE, pays) for pays in ("push", "loses", "1 for 2")]
    chosen = [chance.choice(impossible), *[(rule, "loses") for rule in chance.sample(LOSING[id], 2)]]
    before, after = figures(paytable), figures(with_awards(paytable, chosen, chance))
    for one, other in zip(before[:2], after[:2], strict=True):
        assert without_inserted(one) == without_inserted(other)
    assert before[2] == after[2]
    assert verify(after[1], is_finished=False).differences == []
