"""Changed inputs of a workbook give the figures that the program computes for the changed bet file."""

import io
import shutil
import subprocess
from collections import Counter
from fractions import Fraction
from functools import cache

import openpyxl
import pytest
from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.pay import parse_pay
from combinat.blackjack.rules import BlackjackRules
from combinat.meters.session import Pace
from combinat.study import build_study
from combinat.verifier import Verdict
from decks import Shoe
from reports.render.workbook import render
from reports.sheet.par_sheet import build_par_sheet
from reports.sheet.sections.outlook import method_text
from tests.parlay import TWO_HANDS
from tests.sheets import FEW_CARDS, IDENTITY, WITH_FEW_RANKS, build_sheet, find_paytable
from tests.sheets import build_workbook as workbook_bytes
from tests.slow_cases import slow_cases
from tests.spreadsheet import Spreadsheet, read_back, values_of

SOFFICE = shutil.which("soffice")
needs_libreoffice = pytest.mark.skipif(SOFFICE is None, reason="LibreOffice is not installed")
SKIPPED_VERDICT = Verdict("not run in these tests")
"""Replaces the verifier's verdict, which these tests do not need."""
NOT_FIGURES = ("Inputs",)
"""Worksheets that describe the analyzed file instead of holding figures."""


class Change(Struct, frozen=True):
    """A changed input (name, index, new value) and the equivalent change of the bet file."""

    id: str
    decks: int
    name: str
    value: float | str
    place: int | None = None
    pay: str = ""
    level: dict = {}
    wager: Fraction | None = None
    then_decks: int | None = None
    max_wager: int = 100

    def __str__(self):
        return f"{self.id}-{self.name}{'' if self.place is None else self.place}"

    def sheet(self):
        """Return the program's sheet for the changed file."""
        paytable = find_paytable(self.id)
        if self.pay:
            awards = list(paytable.awards)
            awards[self.place] = replace(awards[self.place], pay=parse_pay(self.pay))
            paytable = replace(paytable, awards=tuple(awards))
        if self.level or self.wager:
            systems = tuple(self.system(system) for system in paytable.systems)
            paytable = replace(paytable, systems=systems)
        shoe = Shoe(self.then_decks or self.decks, paytable.bet.pack)
        rules = TWO_HANDS if paytable.bet.option else None  # as in the original sheet
        with pytest.MonkeyPatch.context() as patch:  # only figures are compared, so the verifier is skipped
            patch.setattr("reports.sheet.par_sheet.verify_draft", lambda *_, **__: SKIPPED_VERDICT)
            return build_par_sheet(build_study(paytable, shoe, rules=rules), IDENTITY, Fraction(self.max_wager))

    def system(self, system):
        levels = tuple(replace(level, **self.level.get(level.name, {})) for level in system.levels)
        return replace(system, levels=levels, wager=self.wager or system.wager)

    def cell(self, book):
        sheet, cells = book.named_cells(self.name)
        return sheet, cells if self.place is None else cells[self.place]


PAY = Change("TRI-03", 6, "Pays", 30, 2, pay="30 to 1")
FAST_CHANGES = [
    PAY,
    Change("TRI-03", 6, "Pays", 2.5, 4, pay="2.5 to 1"),
    Change("TRI-03", 6, "Pays", 1, 0, pay="1 to 1"),  # makes another award the largest
    Change("TRI-03", 6, "Decks", 8, then_decks=8),
    Change("TRI-03", 6, "Unit", "for 1", 2, pay="33 for 1"),
    Change("TRI-03", 6, "MaxWager", 250, max_wager=250),
    Change("METERS", 6, "Seed_Mega", 7, level={"Mega": {"seed": Fraction(7)}}),
    Change("METERS", 6, "Rate_Major", 0.05, level={"Major": {"rate": Fraction(1, 20)}}),
    Change("BLZ-ML03-UP", 6, "MeterWager", 5, wager=Fraction(5)),
    Change("METERS", 6, "Pays", 0.75, 4, pay="3 to 4"),
    Change("METERS", 6, "MeterWager", 0.5, wager=Fraction(1, 2)),
]
CHANGES = [
    *FAST_CHANGES,
    Change("HM-1" + WITH_FEW_RANKS, 6, "Pays", 5, 1, pay="5 to 1"),
    Change("BB-2", 6, "Pays", 30, 1, pay="30 to 1"),
    Change("BB-2", 6, "Pays", 4, 21, pay="4 to 1"),
    Change("21+3-PT1", 6, "Decks", 8, then_decks=8),
    Change("21+3-PT1", 6, "Seed_meter", 2500, level={"meter": {"seed": Fraction(2500)}}),
    Change("21+3-PT1", 6, "Pays", 30, 3, pay="30 for 1"),
    Change("21+3-PT1", 6, "Rate_meter", 0.13, level={"meter": {"rate": Fraction(13, 100)}}),
    Change("21+3-PT1", 6, "MeterWager", 2, wager=Fraction(2)),
    Change("CAPPED", 6, "Cap_Jackpot", 180, level={"Jackpot": {"cap": Fraction(180)}}),
    Change("CAPPED", 6, "RateAfter_Jackpot", 0, level={"Jackpot": {"rate_after_cap": Fraction(0)}}),
    Change("CAPPED", 6, "Seed_Jackpot", 120, level={"Jackpot": {"seed": Fraction(120)}}),
    Change("CAPPED", 6, "Rate_Jackpot", 0.03, level={"Jackpot": {"rate": Fraction(3, 100)}}),
    Change("CAPPED", 6, "MeterWager", 1, wager=Fraction(1)),
    Change("CAPPED", 6, "Pays", 3, 1, pay="3 for 1"),
    Change("CAPPED", 6, "Decks", 2, then_decks=2),
    Change("TRILXDLX-01" + WITH_FEW_RANKS, 1, "Pays", 25, 0, pay="25 to 1"),
    Change("TRILXDLX-01" + WITH_FEW_RANKS, 1, "Pays", 8, 2, pay="8 to 1"),
    Change("SOB-EXAMPLE", 6, "Rate_meter", 0.1, level={"meter": {"rate": Fraction(1, 10)}}),
]


@cache
def changed_file_values(index):
    """Return the values of the program's workbook for the changed file of `CHANGES[index]`."""
    return values_of(render(CHANGES[index].sheet(), 10))


def iter_differences(id, decks, change, computed_value):
    """Yield every computed cell that differs from the program's workbook for the changed file."""
    book, expected_values, original_values = (
        read_back(workbook_bytes(id, decks)),
        changed_file_values(CHANGES.index(change)),
        values_of(workbook_bytes(id, decks)),
    )
    compared = 0
    for page in book:
        if page.title in NOT_FIGURES:
            continue
        rows = expected_values[page.title]
        shift = first_row(rows) - first_row(original_values[page.title])
        expected_rows, original_rows = named_rows(rows), named_rows(original_values[page.title])
        for row in page.iter_rows():
            name = row[0].value
            is_above_flags = row[0].row <= 2  # title and subtitle
            expected_row = row[0].row + (0 if is_above_flags else shift)
            if name in expected_rows and name in original_rows:
                expected_row = expected_rows[name]
            for cell in row:
                if cell.data_type != "f" or "InputsDiffering" in cell.value:
                    continue
                compared += 1
                computed = computed_value(page.title, cell.coordinate)
                expected = rows[expected_row - 1][cell.column - 1] if expected_row <= len(rows) else None
                if not is_near(computed, expected):
                    yield page.title, cell.coordinate, computed, expected
    assert compared > 250


@cache
def find_differences(index):
    """Return the cells of the workbook with `CHANGES[index]` that differ from the changed file's workbook."""
    change = CHANGES[index]
    content = workbook_bytes(change.id, change.decks)
    changed = Spreadsheet(content, {change.cell(Spreadsheet(content)): change.value})
    return list(iter_differences(change.id, change.decks, change, changed.value))


def first_row(rows):
    """Return the row at which the figures of a page begin, which depends on the number of flags."""
    return next((number for number, row in enumerate(rows, 1) if row[0] == "Figure"), 0)


def named_rows(rows):
    """Return the row numbers of unique names, because an additional figure moves the rows below it."""
    names = Counter(row[0] for row in rows)
    return {row[0]: number for number, row in enumerate(rows, 1) if row[0] and names[row[0]] == 1}


def is_near(computed, expected):
    if isinstance(expected, (int, float)) and not isinstance(computed, str) and computed is not None:
        return abs(computed - Fraction(expected)) <= Fraction(1, 10**11) * max(
            abs(Fraction(expected)), Fraction(1, 100)
        )
    return (computed or "") == (expected or "")


@slow_cases("CAPPED-Cap_Jackpot", "SOB-EXAMPLE-Rate_meter", "TRI-03-Pays2")
@pytest.mark.parametrize(
    "change",
    [FAST_CHANGES[0], FAST_CHANGES[3], *(change for change in CHANGES if change.name == "Cap_Jackpot"), CHANGES[-1]],
    ids=str,
)
def test_changed_inputs_match_the_changed_file(change):
    assert find_differences(CHANGES.index(change)) == []


@pytest.mark.slow
@pytest.mark.parametrize("change", CHANGES, ids=str)
def test_every_kind_of_changed_input_matches(change):
    assert find_differences(CHANGES.index(change)) == []


LAST_BY_KIND = {change.id: change for change in CHANGES} | {change.name.partition("_")[0]: change for change in CHANGES}
ONE_OF_EACH = [change for change in CHANGES if change in LAST_BY_KIND.values()]
"""One change for every workbook and every kind of input, because each starts LibreOffice."""


def recalculate(content, changes, folder):
    """Return a workbook with changed inputs, recalculated by LibreOffice because no values are stored."""
    book = openpyxl.load_workbook(io.BytesIO(content))
    for (sheet, cell), value in changes.items():
        book[sheet][cell].value = value
    book.save(folder / "changed.xlsx")
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = [
        SOFFICE,
        profile,
        "--headless",
        "--convert-to",
        "xlsx",
        "--outdir",
        folder / "out",
        folder / "changed.xlsx",
    ]
    subprocess.run(command, check=True, capture_output=True, timeout=180)
    return openpyxl.load_workbook(folder / "out" / "changed.xlsx", data_only=True)


@needs_libreoffice
@pytest.mark.slow
@pytest.mark.parametrize("change", ONE_OF_EACH, ids=str)
def test_libreoffice_matches_changed_inputs(change, tmp_path):
    content = workbook_bytes(change.id, change.decks)
    office = recalculate(content, {change.cell(Spreadsheet(content)): change.value}, tmp_path)

    def value(sheet, cell):
        computed = office[sheet][cell].value
        return Fraction(computed) if isinstance(computed, (int, float)) else computed

    assert list(iter_differences(change.id, change.decks, change, value)) == []


@needs_libreoffice
@pytest.mark.slow
@pytest.mark.parametrize(
    ("id", "decks"), [("TRI-03", 6), ("BLZ-ML03-UP", 6), ("HM-1" + WITH_FEW_RANKS, 6), ("BB-2", 6)]
)
def test_libreoffice_computes_the_stored_values(id, decks, tmp_path):
    office, stored = (
        recalculate(workbook_bytes(id, decks), {}, tmp_path),
        read_back(workbook_bytes(id, decks), kept=True),
    )
    for sheet, cell, _ in Spreadsheet(workbook_bytes(id, decks)).formulas():
        computed = office[sheet][cell].value
        number = Fraction(computed) if isinstance(computed, (int, float)) else computed
        assert is_near(number, stored[sheet][cell].value), (sheet, cell)


def test_changed_confidence_moves_z_and_label():
    content = workbook_bytes("TRI-03", 6)
    book = Spreadsheet(content)
    changed = Spreadsheet(content, {book.named_cells("Confidence_90"): 0.95})
    assert changed.named("z_90") == book.named("z_95") == Fraction("1.959964")
    assert changed.named("VolatilityIndex_90") == book.named("VolatilityIndex_95")
    labels = [changed.value("Statistics", cell.coordinate) for (cell,) in book.book["Statistics"]["A1:A40"]]
    assert labels.count("95%") == 2
    assert "90%" not in labels


def test_changed_inputs_are_listed():
    content = workbook_bytes("TRI-03", 6)
    book = Spreadsheet(content)
    assert book.named("InputsDiffering") == 0
    sheet, cell = PAY.cell(book)
    changed = Spreadsheet(content, {(sheet, cell): 30})
    assert changed.named("InputsDiffering") == 1
    (index,) = [position for position, state in enumerate(changed.named("InputStates")) if state == "changed"]
    assert index == PAY.place


def test_changed_inputs_replace_exact_distribution_by_approximation():
    content = workbook_bytes("TRI-03", 6)
    book = Spreadsheet(content)
    changed = Spreadsheet(content, {PAY.cell(book): 30})
    outlooks = build_sheet("TRI-03", 6).study.outlooks[0][1]
    (page,) = [page for page in book.book if page.title == "Confidence intervals for hold"]
    (row_cells,) = [row for row in page.iter_rows() if row[0].value == 1000]
    assert book.value(page.title, row_cells[4].coordinate) == method_text(outlooks[0]) == "exact distribution"
    assert changed.value(page.title, row_cells[4].coordinate) == "normal curve, a rough approximation"
    assert changed.value(page.title, row_cells[1].coordinate) < changed.named("HouseEdge")


@pytest.mark.parametrize(("id", "decks"), [("TRI-03", 6), ("METERS", 6)])
def test_static_values_are_greyed_when_inputs_differ(id, decks):
    book = read_back(workbook_bytes(id, decks))
    live = [page for page in book if any(cell.data_type == "f" for row in page.iter_rows() for cell in row)]
    static = [page for page in book if page not in live and page.sheet_state == "visible"]
    assert {"Derivation", "Verification"} <= {page.title for page in static}
    for page in static:
        assert str(page["A1"].value).endswith(", as analyzed")
        rules = [rule for ranges in page.conditional_formatting for rule in ranges.rules]
        assert [rule.formula for rule in rules] == [["InputsDiffering>0"]]
    assert {"Awards", "Statistics", "Confidence intervals for hold", "Deck sensitivity", "Exposure"} <= {
        page.title for page in live
    }


def test_every_part_of_the_hold_follows_inputs():
    page = read_back(workbook_bytes("METERS", 6))["Meters"]
    formulas = [row[1].value for row in page.iter_rows(min_col=1, max_col=2) if str(row[0].value).startswith("M")]
    paid = {
        f"={name_prefix}_{name}"
        for name_prefix in ("LongRunReturn", "SeedShare")
        for name in ("Mega", "Major", "Minor")
    }
    assert paid <= set(formulas)


def test_every_yellow_cell_is_an_input():
    book = read_back(workbook_bytes("METERS", 6))
    yellow = [
        (page.title, cell.coordinate)
        for page in book
        for row in page.iter_rows()
        for cell in row
        if cell.fill.fgColor.rgb == "FFFFF4C2"
    ]
    assert {page for page, _ in yellow} == {"Inputs"}
    named = {"Decks", "MeterWager", "Seed_Mega", "Rate_Mega", "Meter_Mega", "Confidence_90", "ReportedFrom_1"}
    cells = {Spreadsheet(workbook_bytes("METERS", 6)).named_cells(name) for name in named}
    assert cells <= set(yellow)


def test_best_play_needs_new_analysis_for_other_decks():
    at_one = build_study(get_paytable("HM-2"), Shoe(1), rules=BlackjackRules(max_hands=1))
    content = render(replace(build_sheet("HM-2", FEW_CARDS), study=at_one), 10)
    book = Spreadsheet(content)
    changed = Spreadsheet(content, {book.named_cells("Decks"): 2})
    assert changed.named("BestHouseEdge") == "takes a new analysis"
    assert abs(
        changed.named("HouseEdge") - analyze_wager(get_paytable("HM-2"), Shoe(2)).house_edge.constant
    ) < Fraction(1, 10**15)


def test_percentages_have_percent_format():
    book = read_back(workbook_bytes("TRI-03", 6), kept=True)
    formats = {
        row[0].value: [cell.number_format for cell in row[1:4]]
        for row in book["Confidence intervals for hold"].iter_rows()
    }
    *bounds, ahead = formats[1000]  # exact distribution
    assert bounds == ["0.00000000%"] * 2
    assert ahead == '[>=0.99999999995]"> 99.99999999%";[<0.00000000005]"< 0.00000001%";0.00000000%'
    *bounds, ahead = formats[10000]  # the normal curve, an approximation
    assert bounds == ["0.00%"] * 2
    assert ahead == '[>=0.99995]"> 99.99%";[<0.00005]"< 0.01%";0.00%'


def build_sheet_with_pace(decks):
    sheet = build_par_sheet(build_study(find_paytable("METERS"), Shoe(decks)), IDENTITY, pace=Pace(Fraction(20)))
    return sheet, render(sheet, 10)


def pace_rows(book, meters):
    """Return the cells to the right of each meter's name in the table on the pace of play."""
    rows = list(book["Meters"].iter_rows(values_only=True))
    first = next(index for index, row in enumerate(rows) if row[0] == "At 20 plays a day") + 2
    return {row[0]: row[1:7] for row in rows[first : first + len(meters)]}


def test_every_figure_of_the_pace_is_a_formula():
    sheet, content = build_sheet_with_pace(6)
    names = [row["meter"] for row in sheet.payload["pace"]["hits"]]
    rows = pace_rows(read_back(content), names)
    assert list(rows) == names
    assert all(str(cell).startswith("=") for row in rows.values() for cell in row)


@pytest.mark.slow
@needs_libreoffice
def test_pace_follows_the_decks_in_libreoffice(tmp_path):
    _, content = build_sheet_with_pace(6)
    book = Spreadsheet(content)
    office = recalculate(content, {book.named_cells("Decks"): 8}, tmp_path)
    changed = build_par_sheet(build_study(find_paytable("METERS"), Shoe(8)), IDENTITY, pace=Pace(Fraction(20))).payload[
        "pace"
    ]["hits"]
    rows_by_meter = pace_rows(office, changed)
    keys = ("days_between_hits", "no_hit", "two_or_more", "hits_per_year", "least_per_year", "most_per_year")
    for row in changed:
        expected = [Fraction(row[key]) for key in keys]
        assert [float(value) for value in rows_by_meter[row["meter"]]] == pytest.approx(
            [float(number) for number in expected]
        )


@pytest.mark.parametrize(
    ("name", "value", "term"),
    [("Cap_meter", 9000, {"cap": Fraction(9000)}), ("Reserve_meter", Fraction(1, 50), {"reserve": Fraction(1, 50)})],
)
def test_added_cap_or_reserve_changes_the_hold(name, value, term):
    change = Change("21+3-PT1", 6, name, value, level={"meter": term})
    content = workbook_bytes(change.id, change.decks)
    book = Spreadsheet(content, {change.cell(Spreadsheet(content)): Fraction(value)})
    figures = change.sheet().study.meters
    assert float(Spreadsheet(content).named("Hold")) != pytest.approx(float(figures.hold), rel=1e-6)
    assert float(book.named("Hold")) == pytest.approx(float(figures.hold), rel=1e-12)
    assert float(book.named("Average_meter")) == pytest.approx(float(figures.levels[0].average), rel=1e-9)


def test_terms_that_no_source_states_are_inputs():
    content = workbook_bytes("TBJ-06-2024", 8)
    book = Spreadsheet(content)
    names = ["Seed_meter", "Rate_meter", "Reserve_meter", "Cap_meter", "MeterWager"]
    assert [book.named(name) for name in names] == ["not stated", "not stated", 0, "none", 1]
    assert "seed" in book.named("Hold")
    cells = {name: (sheet, cell) for name in names[:2] for sheet, cell in [book.named_cells(name)]}
    entered = Spreadsheet(content, {cells["Seed_meter"]: Fraction(5000), cells["Rate_meter"]: Fraction(3, 20)})
    analysis = analyze_wager(get_paytable("TBJ-06-2024"), Shoe(8))
    hold = 1 - analysis.fixed_return - Fraction(3, 20) - 5000 * analysis.lines[0].probability
    assert float(entered.named("Hold")) == pytest.approx(float(hold), rel=1e-12)
    assert "variant" in entered.value("Par sheet", "A1")
