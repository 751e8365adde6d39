"""Changed inputs: every figure of the workbook that follows is the program's own for the file so changed."""

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
from combinat.verifier.compare import Verdict
from decks import Shoe
from reports.render.workbook import render
from reports.sheet.par_sheet import build_par_sheet
from reports.sheet.sections.outlook import method_text
from tests.riding import QUICK as QUICK_TABLE
from tests.sheets import FEW, OF_FEW_RANKS, WHO, made, paytable_of
from tests.sheets import workbook as content_of
from tests.spreadsheet import Spreadsheet, read_back, values_of

OFFICE = shutil.which("soffice")
NEEDS_OFFICE = pytest.mark.skipif(OFFICE is None, reason="LibreOffice is not installed")
UNASKED = Verdict(coverage={"checked": [], "not_checked": []})
"""What the second method says where nobody asked it."""
NOT_FIGURES = ("Inputs",)
"""The tab that says what was analyzed, which is another matter for another file."""


class Change(Struct, frozen=True):
    """An input that is changed: its name and place, what is put in, and what the file then says."""

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
        """The program's own sheet for the changed file."""
        paytable = paytable_of(self.id)
        if self.pay:
            awards = list(paytable.awards)
            awards[self.place] = replace(awards[self.place], pay=parse_pay(self.pay))
            paytable = replace(paytable, awards=tuple(awards))
        if self.level or self.wager:
            systems = tuple(self.system(one) for one in paytable.systems)
            paytable = replace(paytable, systems=systems)
        shoe = Shoe(self.then_decks or self.decks, paytable.bet.pack)
        rules = QUICK_TABLE if paytable.bet.option else None  # as the sheet that is changed
        with pytest.MonkeyPatch.context() as patch:  # figures are held against figures: nobody asks who counted twice
            patch.setattr("reports.sheet.par_sheet.verify", lambda *_, **__: UNASKED)
            return build_par_sheet(build_study(paytable, shoe, rules=rules), WHO, Fraction(self.max_wager))

    def system(self, one):
        levels = tuple(replace(level, **self.level.get(level.name, {})) for level in one.levels)
        return replace(one, levels=levels, wager=self.wager or one.wager)

    def cell(self, book):
        sheet, cells = book.named_cells(self.name)
        return sheet, cells if self.place is None else cells[self.place]


PAY = Change("TRI-03", 6, "Pays", 30, 2, pay="30 to 1")
QUICK = [
    PAY,
    Change("TRI-03", 6, "Pays", 2.5, 4, pay="2.5 to 1"),
    Change("TRI-03", 6, "Pays", 1, 0, pay="1 to 1"),  # another award is then the largest
    Change("TRI-03", 6, "Decks", 8, then_decks=8),
    Change("TRI-03", 6, "Unit", "for 1", 2, pay="33 for 1"),
    Change("TRI-03", 6, "MaxWager", 250, max_wager=250),
    Change("METERS", 6, "Seed_Mega", 7, level={"Mega": {"seed": Fraction(7)}}),
    Change("METERS", 6, "Rate_Major", 0.05, level={"Major": {"rate": Fraction(1, 20)}}),
    Change("BLZ-ML03-UP", 6, "MeterWager", 5, wager=Fraction(5)),
    Change("METERS", 6, "Pays", 0.75, 4, pay="3 to 4"),
    Change("METERS", 6, "MeterWager", 0.5, wager=Fraction(1, 2)),
]
LONG = [
    *QUICK,
    Change("HM-1" + OF_FEW_RANKS, 6, "Pays", 5, 1, pay="5 to 1"),
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
    Change("TRILXDLX-01" + OF_FEW_RANKS, 1, "Pays", 25, 0, pay="25 to 1"),
    Change("TRILXDLX-01" + OF_FEW_RANKS, 1, "Pays", 8, 2, pay="8 to 1"),
    Change("SOB-EXAMPLE", 6, "Rate_meter", 0.1, level={"meter": {"rate": Fraction(1, 10)}}),
]


@cache
def own_figures(place):
    """The workbook of the program's own sheet for one of the changed files, which other programs are to agree with."""
    return values_of(render(LONG[place].sheet(), 10))


def differences(id, decks, change, worked_out):
    """Every figure that follows, beside the program's own; what only the distribution tells is an approximation."""
    book, own, kept = (
        read_back(content_of(id, decks)),
        own_figures(LONG.index(change)),
        values_of(content_of(id, decks)),
    )
    compared = 0
    for page in book:
        if page.title in NOT_FIGURES:
            continue
        rows = own[page.title]
        shift = first_row(rows) - first_row(kept[page.title])
        there, here = named_rows(rows), named_rows(kept[page.title])
        for row in page.iter_rows():
            name = row[0].value
            beside = there[name] if name in there and name in here else row[0].row + shift
            for cell in row:
                if cell.data_type != "f" or "InputsDiffering" in cell.value:
                    continue
                compared += 1
                found = worked_out(page.title, cell.coordinate)
                expected = rows[beside - 1][cell.column - 1] if beside <= len(rows) else None
                if not is_near(found, expected):
                    yield page.title, cell.coordinate, found, expected
    assert compared > 250


@cache
def unlike_own_figures(place):
    """The figures of a workbook with a changed input that are not the program's own for the file so changed."""
    change = LONG[place]
    content = content_of(change.id, change.decks)
    changed = Spreadsheet(content, {change.cell(Spreadsheet(content)): change.value})
    return list(differences(change.id, change.decks, change, changed.value))


def first_row(rows):
    """Where the figures of a page begin: a flag more or less moves the first page's."""
    return next((at for at, row in enumerate(rows, 1) if row[0] == "Figure"), 0)


def named_rows(rows):
    """The rows that have a name of their own: a figure more, such as what paying "for" as "to" costs, moves them."""
    names = Counter(row[0] for row in rows)
    return {row[0]: at for at, row in enumerate(rows, 1) if row[0] and names[row[0]] == 1}


def is_near(found, expected):
    if isinstance(expected, (int, float)) and not isinstance(found, str) and found is not None:
        return abs(found - Fraction(expected)) <= Fraction(1, 10**11) * max(abs(Fraction(expected)), Fraction(1, 100))
    return (found or "") == (expected or "")


@pytest.mark.parametrize(
    "change", [QUICK[0], QUICK[3], *(one for one in LONG if one.name == "Cap_Jackpot"), LONG[-1]], ids=str
)
def test_changed_inputs_give_the_programs_own_figures_for_the_changed_file(change):
    assert unlike_own_figures(LONG.index(change)) == []


@pytest.mark.slow
@pytest.mark.parametrize("change", LONG, ids=str)
def test_every_kind_of_changed_input_gives_the_programs_own_figures(change):
    assert unlike_own_figures(LONG.index(change)) == []


LAST = {one.id: one for one in LONG} | {one.name.partition("_")[0]: one for one in LONG}
ONE_OF_EACH = [one for one in LONG if one in LAST.values()]
"""A change of every workbook and one of every kind of input: each takes a start of LibreOffice."""


def recalculated(content, changes, folder):
    """Have LibreOffice work out a workbook with other inputs; without stored values it has to."""
    book = openpyxl.load_workbook(io.BytesIO(content))
    for (sheet, cell), value in changes.items():
        book[sheet][cell].value = value
    book.save(folder / "changed.xlsx")
    profile = f"-env:UserInstallation=file://{folder}/profile"
    command = [
        OFFICE,
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


@NEEDS_OFFICE
@pytest.mark.slow
@pytest.mark.parametrize("change", ONE_OF_EACH, ids=str)
def test_libreoffice_gives_the_programs_own_figures_for_changed_inputs(change, tmp_path):
    content = content_of(change.id, change.decks)
    office = recalculated(content, {change.cell(Spreadsheet(content)): change.value}, tmp_path)

    def value(sheet, cell):
        found = office[sheet][cell].value
        return Fraction(found) if isinstance(found, (int, float)) else found

    assert list(differences(change.id, change.decks, change, value)) == []


@NEEDS_OFFICE
@pytest.mark.slow
@pytest.mark.parametrize(("id", "decks"), [("TRI-03", 6), ("BLZ-ML03-UP", 6), ("HM-1" + OF_FEW_RANKS, 6), ("BB-2", 6)])
def test_libreoffice_works_out_what_is_stored(id, decks, tmp_path):
    office, kept = recalculated(content_of(id, decks), {}, tmp_path), read_back(content_of(id, decks), kept=True)
    for sheet, cell, _ in Spreadsheet(content_of(id, decks)).formulas():
        found = office[sheet][cell].value
        number = Fraction(found) if isinstance(found, (int, float)) else found
        assert is_near(number, kept[sheet][cell].value), (sheet, cell)


def test_a_changed_confidence_moves_its_z_and_its_name():
    content = content_of("TRI-03", 6)
    book = Spreadsheet(content)
    changed = Spreadsheet(content, {book.named_cells("Confidence_90"): 0.95})
    assert changed.named("z_90") == book.named("z_95") == Fraction("1.959964")
    assert changed.named("VolatilityIndex_90") == book.named("VolatilityIndex_95")
    labels = [changed.value("Statistics", cell.coordinate) for (cell,) in book.book["Statistics"]["A1:A40"]]
    assert labels.count("95%") == 2
    assert "90%" not in labels


def test_inputs_differ_only_if_one_is_changed_and_say_which():
    content = content_of("TRI-03", 6)
    book = Spreadsheet(content)
    assert book.named("InputsDiffering") == 0
    sheet, cell = PAY.cell(book)
    changed = Spreadsheet(content, {(sheet, cell): 30})
    assert changed.named("InputsDiffering") == 1
    (row,) = [number for number, state in enumerate(changed.named("InputStates")) if state == "changed"]
    assert row == PAY.place


def test_what_the_distribution_gave_becomes_an_approximation_that_says_so():
    content = content_of("TRI-03", 6)
    book = Spreadsheet(content)
    changed = Spreadsheet(content, {PAY.cell(book): 30})
    stretches = made("TRI-03", 6).study.outlooks[0][1]
    (page,) = [page for page in book.book if page.title == "What to expect"]
    (named,) = [row for row in page.iter_rows() if row[0].value == 1000]
    assert book.value(page.title, named[4].coordinate) == method_text(stretches[0]) == "the distribution itself"
    assert changed.value(page.title, named[4].coordinate) == "normal curve, a rough approximation"
    assert changed.value(page.title, named[1].coordinate) < changed.named("HouseEdge")


@pytest.mark.parametrize(("id", "decks"), [("TRI-03", 6), ("METERS", 6)])
def test_what_does_not_follow_is_headed_as_analyzed_and_greyed_when_inputs_differ(id, decks):
    book = read_back(content_of(id, decks))
    live = [page for page in book if any(cell.data_type == "f" for row in page.iter_rows() for cell in row)]
    stays = [page for page in book if page not in live]
    assert {"Derivation", "Verification"} <= {page.title for page in stays}
    for page in stays:
        assert str(page["A1"].value).endswith(", as analyzed")
        rules = [rule for ranges in page.conditional_formatting for rule in ranges.rules]
        assert [rule.formula for rule in rules] == [["InputsDiffering>0"]]
    assert {"Awards", "Statistics", "What to expect", "Deck sensitivity", "Exposure"} <= {page.title for page in live}


def test_every_part_of_the_hold_follows():
    page = read_back(content_of("METERS", 6))["Meters"]
    parts = [row[1].value for row in page.iter_rows(min_col=1, max_col=2) if str(row[0].value).startswith("M")]
    paid = {f"={what}_{name}" for what in ("LongRunReturn", "SeedShare") for name in ("Mega", "Major", "Minor")}
    assert paid <= set(parts)


def test_every_yellow_cell_stands_among_the_inputs():
    book = read_back(content_of("METERS", 6))
    yellow = [
        (page.title, cell.coordinate)
        for page in book
        for row in page.iter_rows()
        for cell in row
        if cell.fill.fgColor.rgb == "FFFFF4C2"
    ]
    assert {page for page, _ in yellow} == {"Inputs"}
    named = {"Decks", "MeterWager", "Seed_Mega", "Rate_Mega", "Meter_Mega", "Confidence_90", "ReportedFrom_1"}
    cells = {Spreadsheet(content_of("METERS", 6)).named_cells(name) for name in named}
    assert cells <= set(yellow)


def test_other_decks_than_those_analyzed_take_a_new_analysis_of_the_best_play():
    at_one = build_study(get_paytable("HM-2"), Shoe(1), rules=BlackjackRules(max_hands=1))
    content = render(replace(made("HM-2", FEW), study=at_one), 10)
    book = Spreadsheet(content)
    changed = Spreadsheet(content, {book.named_cells("Decks"): 2})
    assert changed.named("BestHouseEdge") == "takes a new analysis"
    assert abs(
        changed.named("HouseEdge") - analyze_wager(get_paytable("HM-2"), Shoe(2)).house_edge.constant
    ) < Fraction(1, 10**15)


def test_percentages_are_formatted_as_such():
    book = read_back(content_of("TRI-03", 6), kept=True)
    formats = {row[0].value: [cell.number_format for cell in row[1:4]] for row in book["What to expect"].iter_rows()}
    *bounds, ahead = formats[1000]  # the distribution itself
    assert bounds == ["0.00000000%"] * 2
    assert ahead == '[>=0.99999999995]"> 99.99999999%";[<0.00000000005]"< 0.00000001%";0.00000000%'
    *bounds, ahead = formats[10000]  # the normal curve, an approximation
    assert bounds == ["0.00%"] * 2
    assert ahead == '[>=0.99995]"> 99.99%";[<0.00005]"< 0.01%";0.00%'


def with_a_pace(decks):
    sheet = build_par_sheet(build_study(paytable_of("METERS"), Shoe(decks)), WHO, pace=Pace(Fraction(20)))
    return sheet, render(sheet, 10)


def pace_rows(book, meters):
    """The cells behind each meter's name in the table of the pace."""
    rows = list(book["Meters"].iter_rows(values_only=True))
    first = next(place for place, row in enumerate(rows) if row[0] == "At 20 plays a day") + 2
    return {row[0]: row[1:7] for row in rows[first : first + len(meters)]}


def test_every_figure_of_the_pace_is_a_formula():
    sheet, content = with_a_pace(6)
    names = [row["meter"] for row in sheet.payload["pace"]["hits"]]
    found = pace_rows(read_back(content), names)
    assert list(found) == names
    assert all(str(cell).startswith("=") for row in found.values() for cell in row)


@pytest.mark.slow
@NEEDS_OFFICE
def test_pace_follows_the_decks_in_libreoffice(tmp_path):
    _, content = with_a_pace(6)
    book = Spreadsheet(content)
    office = recalculated(content, {book.named_cells("Decks"): 8}, tmp_path)
    changed = build_par_sheet(build_study(paytable_of("METERS"), Shoe(8)), WHO, pace=Pace(Fraction(20))).payload[
        "pace"
    ]["hits"]
    found = pace_rows(office, changed)
    keys = ("days_between_hits", "no_hit", "two_or_more", "hits_per_year", "least_per_year", "most_per_year")
    for row in changed:
        expected = [Fraction(row[key]) for key in keys]
        assert [float(value) for value in found[row["meter"]]] == pytest.approx([float(one) for one in expected])
