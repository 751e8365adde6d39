"""Par sheets that several test modules read, computed once in each process."""

import json
from functools import lru_cache
from pathlib import Path

from msgspec.structs import replace

from combinat.bets.catalog import get_paytable
from combinat.bets.load import load_bet
from combinat.bets.paytable import apply_settings
from combinat.study import build_study
from decks import Shoe, find_pack
from reports.render.workbook import render
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import build_par_sheet
from reports.sheet.payload import build_draft
from reports.sheet.sections.request import Request
from reports.sheet.sections.verification import checks_answer, run_checks
from tests.parlay import TWO_HANDS, small_shoe

IDENTITY = Identity(prepared_by="A. Analyst", date="2026-11-16")


WITHOUT_SPLITS = ("FEW-TIE", 1, ("hands", "1"), ("qualify", "three"))
"""Arguments of `build_sheet` for a game whose best play is solved quickly."""
FEW_CARDS = "a few cards"
"""Instead of a number of decks: a shoe and a table so small that blackjack hands are played quickly."""
BET_FILES = {
    "LOSES-2": "data/loses_two.toml",
    "CAPPED": "data/capped.toml",
    "ADDS-UP": "data/adds_up.toml",
    "ADDS-UP-DICE": "data/adds_up.toml",
    "METERS": "data/meters.toml",
    "BUSTS": "data/busts.toml",
    "FEW-9": "data/few_ranks.toml",
    "FEW-TIE": "data/few_ranks_tie.toml",
}
"""Bets outside the catalog, by file."""
WITH_FEW_RANKS = " of few ranks"
"""Suffix of an id: the same bet from a pack with which best play is solved quickly at every deck count."""
LUCKY9_RANKS = find_pack("standard without 2 6 7 8 J Q")  # two different cards of these still have every total
PARLAY_RANKS = find_pack("standard without 3 6 7 9 10 J")  # hands bust, are soft, are doubled and split; Q-K-A


def find_paytable(id):
    """Return a paytable of the catalog or of a file."""
    if id.endswith(WITH_FEW_RANKS):
        paytable = find_paytable(id.removesuffix(WITH_FEW_RANKS))
        pack = LUCKY9_RANKS if paytable.bet.deal.settings else PARLAY_RANKS
        return replace(paytable, bet=replace(paytable.bet, pack=pack))
    if id not in BET_FILES:
        return get_paytable(id)
    return next(one for one in load_bet(Path(__file__).parent / BET_FILES[id]) if one.id == id)


@lru_cache(maxsize=None)
def build_sheet(id, decks, *settings):
    """Return the sheet of a paytable, for a game perhaps with other settings.

    A parlay uses a table that splits a pair once; other tests cover resplits.
    """
    paytable = apply_settings(find_paytable(id), dict(settings)) if settings else find_paytable(id)
    shoe = small_shoe() if decks == FEW_CARDS else Shoe(decks, paytable.bet.pack)
    return build_par_sheet(build_study(paytable, shoe, rules=TWO_HANDS if paytable.bet.option else None), IDENTITY)


def draft_payload(study):
    """Return the JSON of a sheet as the verifier reads it while the sheet is made."""
    request = Request(study)
    return build_draft(request, checks_answer(run_checks(request))).to_dict()


@lru_cache(maxsize=None)
def build_workbook(id, decks):
    """Return the sheet as a workbook with ten decimals."""
    return render(build_sheet(id, decks), 10)


def read_sheet(id, decks, *settings):
    """Return the data of a sheet as read from a file."""
    return json.loads(json.dumps(build_sheet(id, decks, *settings).payload))


def sheet_of_text(folder, text, decks=6):
    """Write a bet's file, and return the sheet of its paytable as read from JSON."""
    path = folder / "bet.toml"
    path.write_text(text)
    return json.loads(json.dumps(build_par_sheet(build_study(load_bet(path)[0], Shoe(decks))).payload))
