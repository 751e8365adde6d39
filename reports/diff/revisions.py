"""Two revisions of bets, each a sheet, an answer or a bet's own file, as the data that sheets carry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from combinat.analysis.analysis import analyze
from combinat.bets.catalog import resolve
from combinat.bets.paytable import Paytable
from combinat.study import Study, study
from combinat.verifier.reading import UnreadableError, load_json
from decks import InputError, Shoe
from decks.errors import truncate_middle
from reports.answers.studies import study_payload
from reports.sheet.identity import input_fingerprint, software

Data = dict[str, Any]
_NEEDED = ("paytable", "deal", "decks", "awards", "cycle")


def read_sides(old: str, new: str, decks: Sequence[int] | None = None) -> tuple[list[Data], list[Data]]:
    """Read two revisions; a bet's file beside a sheet is worked out at the sheet's deck counts."""
    before, after = (_written_down(side) if side.lower().endswith(".json") else None for side in (old, new))
    old_data = before if before is not None else _worked_out(old, after, decks)
    new_data = after if after is not None else _worked_out(new, before, decks)
    wanted = None if decks is None else set(decks)
    return tuple([one for one in side if wanted is None or one["decks"] in wanted] for side in (old_data, new_data))  # type: ignore[return-value]


def _written_down(path: str) -> list[Data]:
    """Read what a JSON file says: one sheet, one answer, or a list of answers."""
    try:
        found = load_json(path)
    except UnreadableError as error:
        raise InputError(f"{truncate_middle(path)}: {error}") from None
    sheets = found if isinstance(found, list) else [found]
    for one in sheets:
        if not isinstance(one, dict) or any(key not in one for key in _NEEDED) or not isinstance(one["awards"], list):
            raise InputError(f"{truncate_middle(path)}: is no par sheet and no answer of show")
    return sheets


def _worked_out(argument: str, other: list[Data] | None, decks: Sequence[int] | None) -> list[Data]:
    """Work a bet's file out, at the deck counts of the other side or at those of its design."""
    found = []
    paytables = resolve(argument)
    for paytable in paytables:
        asked = [one for one in other or () if _is_of(one, paytable, len(paytables))]
        counts = sorted({one["decks"] for one in asked}) or decks or paytable.decks
        for count in counts:
            shoe = Shoe(count, paytable.bet.pack)
            # Beside a sheet the figures must stand on its basis; two files are compared by their wagers alone.
            worked = study(paytable, shoe) if asked else Study(analyze(paytable, shoe))
            identification = {"software": software(), "input_sha256": input_fingerprint(paytable)}
            found.append({"identification": identification, **study_payload(worked)})
    return found


def _is_of(data: Data, paytable: Paytable, paytables: int) -> bool:
    return paytables == 1 or str(data["paytable"]).lower() == paytable.id.lower()


def paired(old: list[Data], new: list[Data]) -> list[tuple[Data | None, Data | None]]:
    """Put together what is of one paytable and one deck count; single ones go together whatever they are called."""
    if len(old) == len(new) == 1:
        return [(old[0], new[0])]
    ids = {str(one["paytable"]).lower() for one in (*old, *new)}
    is_one_each = len({one["paytable"] for one in old}) == len({one["paytable"] for one in new}) == 1 < len(ids)

    def key(one: Data) -> tuple[str, int]:
        return ("" if is_one_each else str(one["paytable"]).lower(), one["decks"])

    before, after = {key(one): one for one in old}, {key(one): one for one in new}
    return [(before.get(one), after.get(one)) for one in dict.fromkeys((*before, *after))]
