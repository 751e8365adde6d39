"""The terms of a bet: clauses and rules of play from its file, and each assumption with its effect on the edge.

An assumption with an alternative is counted again without it: the same bet with other rules, pays, settings, dealer's
rule or condition, as the file says. Its effect is that edge less the edge of the sheet; with meters, of the hold.
"""

from __future__ import annotations

import copy
from fractions import Fraction
from typing import Any

from combinat.verifier.figures import Awards, format_odds, parse_odds
from combinat.verifier.lucky9 import RoundDeal
from combinat.verifier.meters import house_of
from combinat.verifier.sheet import By, NotCountedError, Unchecked
from combinat.verifier.source import LUCKY_9_SETTINGS

ORIGINS = {
    "source": "source",
    "maker": "maker's public description",
    "other": "another published source",
    "interpretation": "interpretation",
    "assumption": "assumption, no source",
}
OTHER_BET = Unchecked("the edge of another bet, whose file is not on the sheet")
OTHER_TABLE = Unchecked("best play at other tables takes long; verify a sheet made with these rules")


def terms_part(expected: Any) -> Any:
    """Return the section on the terms of the bet."""
    bet, table, sheet = expected.source.bet, expected.source.table, expected.sheet
    names = {row["name"] for row in sheet.get("all_matches", sheet)["awards"]}
    rows = []
    for assumption in [*bet.get("assumptions", []), *table.get("assumptions", [])]:
        alternative = assumption.get("alternative")
        concerned = {*(alternative or {}).get("rules", {}), *(alternative or {}).get("pays", {})}
        if concerned and not concerned & names:
            continue
        effect = assumption.get("effect", "") if alternative is None else alternative["text"]
        row = {"text": assumption["text"], "origin": ORIGINS[assumption["origin"]], "effect": effect}
        rows.append(row | effect_of(expected, alternative))
    return {
        "clause": table.get("clause"),
        "decks_clause": table.get("decks_clause"),
        "requirements": bet.get("requirements"),
        "rules_of_play": bet.get("rules_of_play", []),
        "assumptions": rows,
    }


def effect_of(expected: Any, alternative: dict[str, Any] | None) -> dict[str, Any]:
    """Return the edge without an assumption, and its change."""
    if alternative is None or ("table" in alternative and not expected.has_option):
        return {"edge": None, "change": None}
    if "paytable" in alternative:
        return dict.fromkeys(("edge", "change"), OTHER_BET)
    if "table" in alternative:
        return dict.fromkeys(("edge", "change"), OTHER_TABLE)
    if "all_matches" in expected.sheet and {"rules", "pays"} & set(alternative):
        return dict.fromkeys(("edge", "change"), Unchecked("other awards that add up are not counted again"))
    own, own_fixed = edge_of(expected)
    try:
        other, fixed = edge_of(type(expected)(altered(expected, alternative), max_hands=expected.max_hands))
    except NotCountedError as error:
        return dict.fromkeys(("edge", "change"), Unchecked(f"without the assumption: {error}"))
    if own is None or other is None:
        return {"edge": None, "change": By(own_fixed - fixed, expected.count_method)}
    method = expected.count_method
    return {"edge": By(other, method), "change": By(other - own, method)}


def altered(expected: Any, alternative: dict[str, Any]) -> dict[str, Any]:
    """Return a sheet of the bet without an assumption, with what is needed to count it."""
    sheet: dict[str, Any] = copy.deepcopy(expected.sheet)
    if "soft_17" in alternative:
        sheet["deal"] = sheet["deal"].replace("h17", alternative["soft_17"]).replace("s17", alternative["soft_17"])
    if "given" in alternative:
        sheet["given"] = alternative["given"] or None
    if "settings" in alternative:
        sheet["settings"] = {**LUCKY_9_SETTINGS, **sheet["settings"]} | alternative["settings"]
        sheet["awards"] = expected.source.stated_awards(sheet["settings"])
    for award in sheet["awards"]:
        award["rule"] = alternative.get("rules", {}).get(award["name"], award["rule"])
        pay = alternative.get("pays", {}).get(award["name"], award["pays_text"])
        award["pays_text"] = format_odds(*parse_odds(pay)) if " × " not in pay else pay
    return sheet


def edge_of(expected: Any) -> tuple[Fraction | None, Fraction]:
    """Return the edge of a wager alone, with meters the hold, `None` if it is not known; and the fixed return."""
    if "all_matches" in expected.sheet and not expected.parts:
        expected.read_parts()
    pays = expected.pays()
    if expected.deal is None:
        is_round = expected.kind.startswith("lucky")
        expected.deal = RoundDeal(expected) if is_round else expected.deal_cards(pays)
    counts = expected.counts(expected.decks, pays)
    if not counts.cycle:
        raise NotCountedError("no hand satisfies the condition")
    awards = Awards.of(pays, counts)
    if not awards.meters:
        return 1 - awards.fixed_return, awards.fixed_return
    system = expected.system(awards.meters, expected.meter_terms())
    house = house_of(awards, system) if system else None
    return (house.hold if house and house.has_closed_form else None), awards.fixed_return
