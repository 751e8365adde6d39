"""Load two revisions of bets, each a sheet, an answer or a bet file, as the data of a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import resolve_paytables
from combinat.bets.paytable import Paytable
from combinat.study import Study, build_study
from combinat.verifier.reading import UnreadableError, load_json
from decks import InputError, Shoe
from decks.errors import truncate_middle
from reports.answers.studies import study_payload
from reports.sheet.identity import input_fingerprint, software_version

Data = dict[str, Any]
_REQUIRED_KEYS = ("paytable", "deal", "decks", "awards", "cycle")


def load_sides(old: str, new: str, requested_deck_counts: Sequence[int] | None = None) -> tuple[list[Data], list[Data]]:
    """Load two revisions; a bet file compared with a sheet is computed at the sheet's deck counts."""
    old_sheets, new_sheets = (_load_sheets(side) if side.lower().endswith(".json") else None for side in (old, new))
    old_data = old_sheets if old_sheets is not None else _compute_sheets(old, new_sheets, requested_deck_counts)
    new_data = new_sheets if new_sheets is not None else _compute_sheets(new, old_sheets, requested_deck_counts)
    deck_counts = None if requested_deck_counts is None else set(requested_deck_counts)
    return tuple(
        [data for data in side if deck_counts is None or data["decks"] in deck_counts] for side in (old_data, new_data)
    )  # type: ignore[return-value]


def _load_sheets(path: str) -> list[Data]:
    """Load a JSON file: one sheet, one answer, or a list of answers."""
    try:
        content = load_json(path)
    except UnreadableError as error:
        raise InputError(f"{truncate_middle(path)}: {error}") from None
    sheets = content if isinstance(content, list) else [content]
    for sheet in sheets:
        if (
            not isinstance(sheet, dict)
            or any(key not in sheet for key in _REQUIRED_KEYS)
            or not isinstance(sheet["awards"], list)
        ):
            raise InputError(f"{truncate_middle(path)}: neither a par sheet nor the JSON of the command show")
    return sheets


def _compute_sheets(argument: str, other_side: list[Data] | None, decks: Sequence[int] | None) -> list[Data]:
    """Compute a bet file at the deck counts of the other side, else at those of its design."""
    results = []
    paytables = resolve_paytables(argument)
    for paytable in paytables:
        matching_sheets = [data for data in other_side or () if _matches_paytable(data, paytable, len(paytables))]
        counts = sorted({data["decks"] for data in matching_sheets}) or decks or paytable.decks
        for count in counts:
            shoe = Shoe(count, paytable.bet.pack)
            # Figures compared with a sheet need its basis; two bet files are compared by the wager alone.
            result = build_study(paytable, shoe) if matching_sheets else Study(analyze_wager(paytable, shoe))
            identification = {"software": software_version(), "input_sha256": input_fingerprint(paytable)}
            results.append({"identification": identification, **study_payload(result)})
    return results


def _matches_paytable(data: Data, paytable: Paytable, paytable_count: int) -> bool:
    return paytable_count == 1 or str(data["paytable"]).lower() == paytable.id.lower()


def pair_revisions(old: list[Data], new: list[Data]) -> list[tuple[Data | None, Data | None]]:
    """Pair the data of both sides by paytable and deck count; two single items pair whatever their ids."""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    ids = {str(data["paytable"]).lower() for data in (*old, *new)}
    has_one_paytable_each = (
        len({data["paytable"] for data in old}) == len({data["paytable"] for data in new}) == 1 < len(ids)
    )

    def key(data: Data) -> tuple[str, int]:
        return ("" if has_one_paytable_each else str(data["paytable"]).lower(), data["decks"])

    old_by_key, new_by_key = {key(data): data for data in old}, {key(data): data for data in new}
    return [
        (old_by_key.get(pair_key), new_by_key.get(pair_key)) for pair_key in dict.fromkeys((*old_by_key, *new_by_key))
    ]
