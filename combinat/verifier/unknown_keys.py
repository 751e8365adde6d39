"""Keys that no sheet has: whoever reads a sheet may believe what stands under them, and nothing checks it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from combinat.verifier.bases import MEANS, SPREAD
from combinat.verifier.keys import OF_LEVEL_TERMS, OF_TERMS, is_sheet, keys_of, keys_of_parts
from combinat.verifier.reading import FORMATS, shown

LATEST_FORMAT, LATEST = max(FORMATS.items(), key=lambda known: known[1])
OPTIONAL_KEYS = {
    "": (
        *(
            "format",
            "data_sha256",
            "pace",
            "card_counting",
            "all_matches",
            "wheels",
            "option",
            "settings",
            "play",
            "decisions",
        ),
        *(f"{key}_{end}" for key in (*MEANS, *SPREAD) for end in ("bounds", "without_option")),
        *("meter_wager", "basis", "bases", "variant", "input_files", "terms", "eligibility"),
    ),
    "published[]": ("is_check",),
    "exposure.tax[]": (
        *("reported", "reported_less_the_wager", "withheld"),
        *(f"{key}_{end}" for key in ("reported_from", "withheld_above") for end in ("meter", "wager")),
        *("reported_from_meter_less_the_wager", "reported_from_wager_less_the_wager"),
    ),
}
"""Keys that a part may have and need not."""
EXTRA_PARTS = {
    "deck_sensitivity[].headline": ("basis", "hold", "standard_deviation", "standard_deviation_bounds"),
    "deck_sensitivity[].headline.terms": OF_TERMS,
    "deck_sensitivity[].headline.terms.levels[]": OF_LEVEL_TERMS,
    "derivation[].steps[]": (
        *("cards", "hands", "formula", "numbers", "orders", "ways", "probability", "action", "situations"),
    ),
}
"""Parts that only some sheets have."""
FREE_PARTS = {
    *("input_files", "terms", "eligibility"),
    *("card_counting", "settings", "meters", "settled_meters", "results[].meters", "exposure.by_meter[].meters"),
    *("awards[].example", "decisions[].values", "play.figures", "deck_sensitivity[].headline.hits"),
    *("option.charts[].hard", "option.charts[].soft", "option.charts[].pairs", "option.charts[].surrender"),
    "option.charts[].pairs_no_das",
}
"""Parts whose keys are names of something, or are looked at elsewhere."""


def unknown_keys(sheet: dict[str, Any], form: int) -> Iterator[str]:
    """Name every key that no sheet of this format has, in the sheet and in its parts."""
    kinds = [(sheet, form)]
    if not is_sheet(sheet):  # an answer to a question may have any part of a sheet
        kinds.append(({**sheet, "format": LATEST_FORMAT}, LATEST))
    top, allowed = {*OPTIONAL_KEYS[""]}, {path: {*keys} for path, keys in {**EXTRA_PARTS, **OPTIONAL_KEYS}.items()}
    for kind in kinds:
        top |= {*keys_of(*kind)}
        for path, keys in keys_of_parts(*kind).items():
            allowed[path] = {*allowed.get(path, ()), *keys}
    yield from [f"{shown(key)}: is no key of a sheet" for key in sheet if key not in top]
    for key in [key for key in sheet if key in top and key not in FREE_PARTS]:
        yield from unknown_keys_of(sheet[key], key, shown(key), allowed)


def unknown_keys_of(part: Any, path: str, name: str, allowed: Mapping[str, Collection[str]]) -> Iterator[str]:
    """Name every unknown key of a part that has a path such as `up_cards[].awards[]`."""
    if isinstance(part, list):
        for index, row in enumerate(part):
            yield from unknown_keys_of(row, f"{path}[]", f"{name}[{index}]", allowed)
    elif isinstance(part, dict) and path not in FREE_PARTS:
        for key, value in part.items():
            if key not in allowed.get(path, ()):
                yield f"{name}.{shown(key)}: is no key of a sheet"
            else:
                yield from unknown_keys_of(value, f"{path}.{key}", f"{name}.{key}", allowed)
