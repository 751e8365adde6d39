"""The keys of a par sheet: which must be there in each format, in the sheet itself and in each of its parts."""

from __future__ import annotations

import re
from typing import Any

from combinat.verifier.bases import MEANS, ROUNDS, SPREAD, bases_of, has_option, spreads_on_best
from combinat.verifier.reading import ANSWERS
from combinat.verifier.wheels import TIMES

OF_ANSWER = (
    *("paytable", "title", "bet", "deal", "given", "ordered_by_role", "pack", "decks", "cards", "removed"),
    *(
        "designed_decks",
        "designed",
        "cycle",
        "awards",
        "settlement",
        "up_cards",
        "losing_hands",
        "meters",
        "house_edge",
        "return",
    ),
    *("fixed_return", "hold", "hit_frequency", "push_rate", "mean_win", "variance", "standard_deviation", "skewness"),
    *("excess_kurtosis", "favors_player", "flags", "published", "requires", "example", "notes", "sources"),
)
OF_SHEET = (
    *("format", "identification", *OF_ANSWER, "expected_value", "plays_per_hit", "edge_per_resolved_bet"),
    *("return_without_top_award", "volatility_index", "settled_meters", "outlook", "deck_sensitivity"),
    *("pay_sensitivity", "meter", "exposure", "derivation", "checks", "data_sha256"),
)
ONLY_SHEETS = {"format", "identification", "outlook", "exposure", "derivation", "checks"}
"""What tells a par sheet from the answer to a question, which has fewer figures of the same names."""
OF_ROUND = ("settings", "play", "decisions")
"""What there is where a player decides within the round."""
SINCE_FORMAT_2 = ("meter_wager", "basis", "bases")
SINCE_FORMAT_3 = (
    *("results", "wrong_unit", "misranked", "rounding", "posted_jackpot", "rounds", "spots", "jurisdiction_tests"),
    *("verification", "input_files", "terms"),
)
OF_AWARD = (
    *("name", "rule", "pays", "unit", "pays_text", "inclusive_count", "ways", "probability", "return", "net", "one_in"),
    *("true_odds", "possible"),
)
OF_PARTS = {
    "variant": ("of", "differences"),
    "awards[]": OF_AWARD,
    "losing_hands": ("ways", "probability"),
    "wheels": ("wheels", "prizes"),
    "wheels.wheels[]": ("name", "stops"),
    "wheels.wheels[].stops[]": ("times", "weight", "probability"),
    "wheels.prizes[]": ("award", "pays_to_1", "pays_for_1", "probability", "return"),
    "all_matches": ("awards", "sums", "losing_ways"),
    "all_matches.awards[]": (
        *("name", "rule", "per", "pays_text", "inclusive_count", "probability", "mean_times", "paid"),
    ),
    "all_matches.sums[]": ("award", "times"),
    "up_cards[]": ("up", "probability", "bust", "suited_bust", "awards", "hit_frequency", "return", "house_edge"),
    "up_cards[].awards[]": ("name", "pays_text", "probability"),
    "published[]": ("figure", "text", "decks", "agrees"),
    "decisions[]": ("hand", "up", "probability", "best", "values"),
    "play": ("basis", "figures", "charts"),
    "play.charts[]": ("caption", "columns", "rows"),
    "play.charts[].rows[]": ("name", "cells"),
    "option": ("kind", "parlayed", "rules", "strategy", "gain", "used", "decisions"),
    "option.decisions[]": ("hand", "up", "probability", "amount", "value", "choice", "gain", "first_action"),
}
OF_TERMS = ("kind", "wager", "all_pays_deducted", "levels")
OF_LEVEL_TERMS = ("name", "seed", "rate", "reserve", "cap", "rate_after_cap", "deducted", "seed_paid_by")
OF_METER = (
    *("paytable", "decks", "kind", "wager", "basis", "fixed_return", "hold", "return_at_seed", "return_at_average"),
    "levels",
)
OF_BOUNDED_METER = ("paytable", "decks", "hold_at_least", "hold_at_most")
OF_FIXED_STEP = ("cards", "hands", "formula", "numbers", "ways")
OF_DRAWN_STEP = ("cards", "hands", "orders", "ways", "probability")
OF_COUP_STEP = ("cards", "hands", "ways", "probability")
OF_SHEET_PARTS = {
    **OF_PARTS,
    "identification": (
        *("game", "document", "revision", "date", "prepared_by", "reviewed_by", "jurisdiction", "software"),
        "input_sha256",
    ),
    "awards[]": (
        *(*OF_AWARD, "rule_in_words", "less_higher_ranked", "pays_to_1", "pays_for_1", "share_of_return"),
        *("fair_pay_for_1", "example"),
    ),
    "volatility_index[]": ("confidence", "z", "index"),
    "outlook[]": ("plays", "confidence", "method", "poor_approximation", "least_hold", "most_hold", "house_ahead"),
    "deck_sensitivity[]": (
        *("decks", "designed", "house_edge", "return", "hit_frequency", "standard_deviation", "top_award_one_in"),
    ),
    "pay_sensitivity[]": ("award", "one_more", "one_less"),
    "meter.levels[]": (
        *("name", "seed", "rate", "reserve", "cap", "reset_probability", "average_meter", "variance"),
        *("long_run_return", "break_even", "slope", "median_plays"),
    ),
    "exposure": ("max_wager", "largest_win", "largest_payment", "tax"),
    "exposure.tax[]": (
        *("award", "rule", "years", "reported_from_wager", "reported_from_wager_less_the_wager"),
        "withheld_above_wager",
    ),
    "derivation[]": ("award", "ways", "steps"),
    "checks[]": ("check", "result"),
}
PARTS_ON_A_BASIS = (
    *("up_cards[]", "volatility_index[]", "outlook[]", "deck_sensitivity[]", "pay_sensitivity[]", "exposure"),
)
SUM = "and no other award"
"""How a sheet says that an award is the sum of others."""
OF_TABLE = (
    *("hits_soft_17", "double", "double_after_split", "max_hands", "resplit_aces", "hit_split_aces"),
    *("blackjack_pays", "surrender"),
)


def is_sheet(sheet: dict[str, Any]) -> bool:
    """Whether it is a par sheet, not the answer to a question."""
    names_itself = {"format"} if sheet.get("format") in ANSWERS else set()
    return not (ONLY_SHEETS - names_itself).isdisjoint(sheet)


def draws(sheet: dict[str, Any]) -> bool:
    """Whether the dealer draws to the end of a hand."""
    return str(sheet.get("deal")).endswith(("dealer:h17", "dealer:s17"))


def is_coup(sheet: dict[str, Any]) -> bool:
    """Whether a coup of baccarat is played."""
    return sheet.get("deal") == "baccarat"


def has_roles(sheet: dict[str, Any]) -> bool:
    """Whether roles get cards of given numbers."""
    return re.fullmatch(r"\w+:\d(, \w+:\d){0,9}", str(sheet.get("deal")), re.ASCII) is not None


def option_keys(sheet: dict[str, Any], form: int) -> tuple[str, ...]:
    """List what a sheet must have because the player has something to choose; nothing if there is no sign of that."""
    means = MEANS if form > 1 and is_sheet(sheet) else ("house_edge", "return")
    on_both = (*means, *(SPREAD if spreads_on_best(sheet) else ()))
    loose = [key for key in SPREAD if spreads_on_best(sheet) and key in sheet and sheet[key] is None]
    keys = ("option", *[f"{key}_without_option" for key in on_both], *[f"{key}_bounds" for key in loose])
    return () if set(keys).isdisjoint(sheet) else keys


def keys_of(sheet: dict[str, Any], form: int) -> tuple[str, ...]:
    """List the keys that a sheet must have."""
    keys = OF_SHEET if is_sheet(sheet) else OF_ANSWER
    since = (*(SINCE_FORMAT_2 if form > 1 else ()), *(SINCE_FORMAT_3 if form > 2 and is_sheet(sheet) else ()))
    of_round = OF_ROUND if str(sheet.get("deal")) in ROUNDS else ()
    return (*keys, *since, *option_keys(sheet, form), *of_round, *settlement_keys(sheet))


def settlement_keys(sheet: dict[str, Any]) -> tuple[str, ...]:
    """List what a sheet must have because its awards tell of sums or of wheels."""
    awards = sheet["awards"] if isinstance(sheet.get("awards"), list) else []
    said = [award for award in awards if isinstance(award, dict)]
    has_sums = any(str(award.get("rule_in_words")).endswith(SUM) for award in said)
    has_wheels = any(TIMES in str(award.get("pays_text")) for award in said)
    return (*(("all_matches",) if has_sums else ()), *(("wheels",) if has_wheels else ()))


def keys_of_parts(sheet: dict[str, Any], form: int) -> dict[str, tuple[str, ...]]:
    """List the keys that each part of a sheet must have, by the part's path."""
    parts = dict(OF_SHEET_PARTS if is_sheet(sheet) else OF_PARTS)
    if is_coup(sheet):
        parts["derivation[].steps[]"] = OF_COUP_STEP
    elif draws(sheet) or has_roles(sheet):
        parts["derivation[].steps[]"] = OF_DRAWN_STEP if draws(sheet) else OF_FIXED_STEP
    if isinstance(meter := sheet.get("meter"), dict):
        is_bounded = not {"hold_at_least", "hold_at_most"}.isdisjoint(meter)
        parts["meter"] = OF_BOUNDED_METER if is_bounded else OF_METER
    return parts if form == 1 else parts | parts_since_format_2(sheet, parts, form)


def parts_since_format_2(
    sheet: dict[str, Any], parts: dict[str, tuple[str, ...]], form: int
) -> dict[str, tuple[str, ...]]:
    """List the parts that have more keys in format 2."""
    more = {path: (*parts[path], "basis") for path in PARTS_ON_A_BASIS if path in parts}
    figures = [key for key in bases_of(sheet) if key in keys_of(sheet, form)]
    more |= {"bases": tuple(figures), "option": (*parts["option"], "table"), "option.table": OF_TABLE}
    return more | (parts_since_format_3(sheet, more) if is_sheet(sheet) and form > 2 else {})


def parts_since_format_3(sheet: dict[str, Any], parts: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """List the parts that are new in format 3, or have more keys."""
    more = {
        "results[]": (
            *("basis", "meters", "house_edge", "variance", "variance_bounds", "variance_is_bound"),
            *("standard_deviation", "standard_deviation_bounds", "skewness", "excess_kurtosis"),
        ),
        "identification": (*OF_SHEET_PARTS["identification"], "history", "document_is_given"),
        "identification.history[]": ("revision", "date", "change"),
        "input_files": ("bet", "tests"),
        "input_files.bet": ("sha256", "text", "changed"),
        "input_files.tests": ("sha256", "text"),
        "terms": ("clause", "decks_clause", "requirements", "rules_of_play", "assumptions"),
        "terms.assumptions[]": ("text", "origin", "effect", "edge", "change"),
        "published[]": ("figure", "text", "decks", "agrees", "is_check"),
        "wrong_unit": ("basis", "to_as_for", "for_as_to"),
        "misranked[]": ("award", "below", "change"),
        "rounding[]": ("wager", "rounded_up", "rounded_down"),
        "jurisdiction_tests[]": (
            *("jurisdiction", "test", "applies_to", "figure", "in_money", "at_least", "at_most", "value", "passes"),
            *("consequence", "source", "year"),
        ),
        "spots": ("basis", "covariance", "correlation", "by_spots", "seven_spots"),
        "spots.by_spots[]": ("spots", "variance", "standard_deviation"),
        "rounds[]": ("meter", "spots", "one_or_more", "two_or_more", "winners_after_the_first", "cost_at_average"),
        "exposure": (
            *(*parts["exposure"], "wager_is_fixed", "by_meter", "largest_by", "largest_win_without_option"),
            "largest_payment_without_option",
        ),
        "exposure.largest_by": ("award", "hand", "up", "action"),
        "exposure.by_meter[]": ("basis", "meters", "at_most", "award", "win", "payment"),
        "exposure.tax[]": ("award", "rule", "years"),
        "deck_sensitivity[]": (*parts["deck_sensitivity[]"], "headline"),
        "volatility_index[]": (*parts["volatility_index[]"], "index_bounds"),
        "pace": ("plays_per_day", "days", "hits"),
        "pace.hits[]": (
            *("meter", "days_between_hits", "no_hit", "two_or_more", "hits_per_year", "least_per_year"),
            "most_per_year",
        ),
        "verification": ("checked", "not_checked"),
        "verification.checked[]": ("part", "figures", "by"),
        "verification.not_checked[]": ("key", "reason"),
    }
    if sheet.get("meter_wager") is not None:
        more["posted_jackpot"] = ("basis", "prizes")
        more["posted_jackpot.prizes[]"] = ("meter", "edge", "prize")
        more["deck_sensitivity[].headline"] = ("basis", "hold", "standard_deviation", "terms", "hits")
    if has_option(sheet):
        more["option"] = (*parts["option"], "other_decks", "charts")
        more["option.charts[]"] = ("decks", "hard", "soft", "pairs", "pairs_no_das", "surrender")
        more["deck_sensitivity[].headline"] = ("basis", "hold", "standard_deviation", "standard_deviation_bounds")
    if isinstance(meter := sheet.get("meter"), dict):
        is_bounded = not {"hold_at_least", "hold_at_most", "terms"}.isdisjoint(meter)
        more["meter"] = (*OF_BOUNDED_METER, "basis", "terms") if is_bounded else (*OF_METER, "all_pays_deducted")
        more |= {"meter.terms": OF_TERMS, "meter.terms.levels[]": OF_LEVEL_TERMS}
        more["meter.levels[]"] = (
            *(*OF_SHEET_PARTS["meter.levels[]"], "rate_after_cap", "deducted", "seed_paid_by", "percentile_99"),
            "percentile_99_is_bound",
        )
    return more
