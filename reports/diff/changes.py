"""Compare two revisions of one bet: its definition first, then every figure with the cause of its change."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import resolve_paytables
from combinat.bets.paytable import Paytable
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import SurdDifference
from combinat.figures import FIGURES
from combinat.study import Study, build_study
from combinat.verifier import SheetError, read_sheet
from decks import InputError, Shoe, format_deck_counts
from decks.errors import truncate_middle
from reports.answers.studies import SECOND_BASIS, study_payload
from reports.page.numerals import BOUNDS, parse_exact_number, parse_root
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
        content = read_sheet(path)
    except SheetError as error:
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


_BET_FIELDS = {
    "paytable": "id",
    "title": "title",
    "bet": "bet",
    "deal": "deal",
    "given": "condition",
    "settings": "settings of the game",
    "pack": "pack",
    "decks": "decks",
    "removed": "removed cards",
    "designed_decks": "designed decks",
    "meters": "meters",
    "meter_wager": "wager of the meters",
}
_CAUSES = (
    "deal",
    "settings of the game",
    "condition",
    "pack",
    "decks",
    "removed cards",
    "meters",
    "wager of the meters",
    "rules of the table",
)
"""Labels of the changes that affect figures."""
_DOCUMENT_FIELDS = ("document", "revision", "date", "prepared_by", "reviewed_by", "jurisdiction", "software")


class ValueChange(Struct, frozen=True):
    """One difference: a label, the old and the new value, and its cause if it follows from another change."""

    what: str
    before: Any
    after: Any
    why: str = ""
    key: str = ""
    """Key of the figure, if it is one."""

    @property
    def difference(self) -> Fraction | SurdDifference | Polynomial | None:
        """Return new minus old for numbers, roots and polynomials in meters; `None` for anything else."""
        old_number, new_number = parse_exact_number(self.before), parse_exact_number(self.after)
        if old_number is not None and new_number is not None:
            return new_number - old_number
        old_root, new_root = parse_root(self.before), parse_root(self.after)
        if old_root is not None and new_root is not None:
            return SurdDifference(new_root, old_root)
        if not self.key:  # not a figure, so that a word is no meter
            return None
        old_value, new_value = parse_polynomial(self.before), parse_polynomial(self.after)
        return new_value - old_value if old_value is not None and new_value is not None else None


class ReturnSplit(Struct, frozen=True):
    """Change of the wager's return due to one award, split into probability and pay."""

    award: str
    by_probability: Polynomial
    by_pay: Polynomial

    @property
    def moved(self) -> Polynomial:
        """Return the total change."""
        return self.by_probability + self.by_pay


class RevisionComparison(Struct, frozen=True):
    """Two revisions of one bet at one shoe."""

    name: str
    said: tuple[ValueChange, ...] = ()
    """Changes of the bet's definition."""
    figures: tuple[ValueChange, ...] = ()
    document: tuple[ValueChange, ...] = ()
    """Changes of the document alone, such as its date or the program version."""
    split: tuple[ReturnSplit, ...] = ()
    undesigned: tuple[str, ...] = ()
    """Paytables that are not designed for this number of decks."""
    only_in: str = ""
    """`old` or `new` if the other side has no counterpart, else empty."""
    bases: tuple[str | None, str | None] = (None, None)
    """Basis of the figures of each side; `None` in old sheets."""

    @property
    def is_same(self) -> bool:
        """Return whether neither the bet nor a figure differs."""
        return not (self.said or self.figures or self.only_in)


def parse_polynomial(value: object) -> Polynomial | None:
    """Parse a figure as a polynomial in meters; a number is a constant polynomial."""
    constant = parse_exact_number(value)
    if constant is not None:
        return Polynomial.of(constant)
    return Polynomial.parse(value) if isinstance(value, str) else None


def compare_revisions(old_sheet: Data | None, new_sheet: Data | None) -> RevisionComparison:
    """Compare two revisions of a bet at a shoe."""
    if old_sheet is None or new_sheet is None:
        data = old_sheet or new_sheet or {}
        return RevisionComparison(_data_name(data), only_in="new" if old_sheet is None else "old")
    bet_changes = (
        *_bet_changes(old_sheet, new_sheet),
        *_wheel_changes(old_sheet, new_sheet),
        *_award_changes(old_sheet, new_sheet),
    )
    document = tuple(_document_changes(old_sheet, new_sheet))
    reason = _common_cause(bet_changes, document)
    names = dict.fromkeys((_data_name(old_sheet), _data_name(new_sheet)))
    figures, bases = (
        tuple(_figure_changes(old_sheet, new_sheet, reason)),
        (old_sheet.get("basis"), new_sheet.get("basis")),
    )
    undesigned = tuple(
        dict.fromkeys(str(data["paytable"]) for data in (old_sheet, new_sheet) if data.get("designed") is False)
    )
    return RevisionComparison(
        " and ".join(names),
        bet_changes,
        figures,
        document,
        _split_return(old_sheet, new_sheet),
        undesigned,
        bases=bases,
    )


def _data_name(data: Data) -> str:
    return f"{data.get('paytable')}, {data.get('decks')} deck{'s' if data.get('decks') != 1 else ''}"


def _bet_changes(old_sheet: Data, new_sheet: Data) -> Iterator[ValueChange]:
    for key, label in _BET_FIELDS.items():
        if key in old_sheet and key in new_sheet and old_sheet[key] != new_sheet[key]:
            yield ValueChange(label, _format_value(old_sheet[key]), _format_value(new_sheet[key]))
    old_rules, new_rules = ((data.get("option") or {}).get("table") or {} for data in (old_sheet, new_sheet))
    differing_rules = [key for key in old_rules if key in new_rules and old_rules[key] != new_rules[key]]
    if differing_rules:
        texts = (
            ", ".join(f"{key.replace('_', ' ')} {_format_value(side[key])}" for key in differing_rules)
            for side in (old_rules, new_rules)
        )
        yield ValueChange("rules of the table", *texts)


def _wheel_changes(old_sheet: Data, new_sheet: Data) -> Iterator[ValueChange]:
    """Yield wheels whose stops or weights differ."""
    old_wheels, new_wheels = (
        {wheel["name"]: wheel["stops"] for wheel in (side.get("wheels") or {}).get("wheels", [])}
        for side in (old_sheet, new_sheet)
    )
    for name in dict.fromkeys((*old_wheels, *new_wheels)):
        old_stops, new_stops = (
            ", ".join(f"{stop['times']} × {stop['weight']}" for stop in side[name]) if name in side else None
            for side in (old_wheels, new_wheels)
        )
        if old_stops != new_stops:
            yield ValueChange(f"wheel {name}, stops × weights", old_stops, new_stops)


def _award_changes(old_sheet: Data, new_sheet: Data) -> Iterator[ValueChange]:
    old_awards, new_awards = ({award["name"]: award for award in side["awards"]} for side in (old_sheet, new_sheet))
    for name in dict.fromkeys((*old_awards, *new_awards)):
        old_award, new_award = old_awards.get(name), new_awards.get(name)
        if old_award is None or new_award is None:
            yield ValueChange(
                f"award {name}", old_award and old_award.get("pays_text"), new_award and new_award.get("pays_text")
            )
            continue
        if old_award.get("rule") != new_award.get("rule"):
            yield ValueChange(f"rule of {name}", old_award.get("rule"), new_award.get("rule"))
        if old_award.get("pays_text") != new_award.get("pays_text"):
            yield ValueChange(f"pay of {name}", old_award.get("pays_text"), new_award.get("pays_text"))
    shared_names_by_side = [
        [name for name in side if name in old_awards and name in new_awards] for side in (old_awards, new_awards)
    ]
    if shared_names_by_side[0] != shared_names_by_side[1]:
        yield ValueChange("order of the awards", ", ".join(shared_names_by_side[0]), ", ".join(shared_names_by_side[1]))


def _document_changes(old_sheet: Data, new_sheet: Data) -> Iterator[ValueChange]:
    old_identification, new_identification = (data.get("identification") or {} for data in (old_sheet, new_sheet))
    for key in _DOCUMENT_FIELDS:
        if (
            old_identification.get(key)
            and new_identification.get(key)
            and old_identification[key] != new_identification[key]
        ):
            label = "program" if key == "software" else key.replace("_", " ")
            yield ValueChange(label, old_identification[key], new_identification[key])


def _common_cause(bet_changes: tuple[ValueChange, ...], document: tuple[ValueChange, ...]) -> str:
    """Name the cause of changed figures: changes of the bet, else the program version."""
    prefixes = ("pay of", "rule of", "award ", "order of", "wheel ")
    causes = [change.what for change in bet_changes if change.what in _CAUSES or change.what.startswith(prefixes)]
    if causes:
        return ", ".join(causes)
    programs = [change for change in document if change.what == "program"]
    return f"program: {programs[0].before}, now {programs[0].after}" if programs else "unknown"


def _figure_changes(old_sheet: Data, new_sheet: Data, reason: str) -> Iterator[ValueChange]:
    for key, figure in FIGURES.items():
        for name, label in ((key, figure.label), (SECOND_BASIS.format(key), f"{figure.label}, wager alone")):
            old_value, new_value = _value_or_bounds(old_sheet, name), _value_or_bounds(new_sheet, name)
            if name in old_sheet and name in new_sheet and old_value != new_value:
                bases = [(data.get("bases") or {}).get(name) for data in (old_sheet, new_sheet)]
                basis = f"; {bases[0]}, now {bases[1]}" if all(bases) and bases[0] != bases[1] else ""
                yield ValueChange(label, old_value, new_value, reason + basis, key)
    old_awards, new_awards = ({award["name"]: award for award in side["awards"]} for side in (old_sheet, new_sheet))
    for name in [name for name in old_awards if name in new_awards]:
        for key in ("ways", "probability", "return"):
            old_value, new_value = old_awards[name].get(key), new_awards[name].get(key)
            if old_value != new_value:
                yield ValueChange(
                    f"{name}: {key}", old_value, new_value, _award_cause(name, key, old_awards, new_awards, reason), key
                )


def _value_or_bounds(data: Data, name: str) -> Any:
    """Return a figure, or its bounds if only these are known."""
    value = data.get(name)
    return data.get(BOUNDS.format(name)) if value is None else value


def _award_cause(name: str, key: str, old_awards: Data, new_awards: Data, reason: str) -> str:
    """Name the cause of a change of an award's figure: its own pay or rule, else the common cause."""
    causes = [
        cause
        for cause, field in (("pay", "pays_text"), ("rule", "rule"))
        if old_awards[name].get(field) != new_awards[name].get(field)
    ]
    if key != "return":
        causes = [cause for cause in causes if cause == "rule"]
    elif causes == ["pay"] and old_awards[name].get("probability") != new_awards[name].get("probability"):
        causes.append("probability")  # it changed for another reason
    return f"its {' and '.join(causes)}" if causes else reason


def _split_return(old_sheet: Data, new_sheet: Data) -> tuple[ReturnSplit, ...]:
    """Split the change of the return by award; empty if a return is neither a number nor a formula."""
    old_awards, new_awards = ({award["name"]: award for award in side["awards"]} for side in (old_sheet, new_sheet))
    splits = []
    for name in dict.fromkeys((*old_awards, *new_awards)):
        old_probability, new_probability = (
            parse_exact_number(side[name].get("probability")) if name in side else Fraction(0)
            for side in (old_awards, new_awards)
        )
        old_return, new_return = (
            parse_polynomial(side[name].get("return") if name in side else 0) for side in (old_awards, new_awards)
        )
        if old_probability is None or new_probability is None or old_return is None or new_return is None:
            return ()
        # Gross pay when the award is won.
        pay = (
            old_return * (1 / old_probability)
            if old_probability
            else new_return * (1 / new_probability)
            if new_probability
            else Polynomial.of(0)
        )
        by_probability = pay * (new_probability - old_probability)
        if new_return != old_return:
            splits.append(ReturnSplit(name, by_probability, new_return - old_return - by_probability))
    return tuple(splits)


def _format_value(value: object) -> str:
    if isinstance(value, list) and value and all(type(item) is int for item in value):
        return format_deck_counts(value)  # only deck counts are lists of integers
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{key} {item}" for key, item in value.items()) or "none"
    return "none" if value is None else str(value)
