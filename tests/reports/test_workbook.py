"""Workbooks are read back, and their formulas worked out here with exact fractions, without any spreadsheet program."""

import io
import os
import subprocess
import sys
import zipfile
from fractions import Fraction
from functools import cache

import openpyxl
import pytest
from msgspec.structs import replace
from openpyxl.utils import get_column_letter

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.pay import parse_pay
from combinat.exact.surd import Surd
from combinat.study import Study, build_study
from decks import Shoe, parse_card
from reports.page.model import Column, Document, Figure, Formula, Hand, Plot, Section, Style, Styled, Table
from reports.render.workbook import render
from reports.render.workbook.index import FormulaIndex, LiveCell
from reports.render.workbook.sections import worksheet_name
from reports.sheet.identity import Identity
from tests.riding import QUICK, small_shoe
from tests.sheets import FEW, made, paytable_of
from tests.sheets import workbook as content_of
from tests.spreadsheet import Spreadsheet, read_back, root

CASES = [
    ("TRI-03", 6),
    ("METERS", 6),
    ("BUSTS", 2),
    ("HM-2", FEW),
    *[pytest.param(*one, marks=pytest.mark.slow) for one in (("TRI-02", 2), ("BLZ-ML03-UP", 6), ("BB-1", 2))],
]
SETTLED = [
    ("ADDS-UP-DICE", 6),
    ("LOSES-2", 6),
    *[
        pytest.param(*one, marks=pytest.mark.slow)
        for one in (("ADDS-UP", 6), ("MATCH-THE-DEALER-4-19", 2), ("NEXT-STEP", 6), ("WAR", 6))
    ],
]
"""Bets whose awards add up, whose pays dice multiply, and that can lose more than the wager."""
WHO = Identity(prepared_by="A. Analyst", date="2026-11-16")
LONGEST_SHEET_NAME = 31


@cache
def sheet_of(id, decks):
    return made(id, decks)


@cache
def book_of(id, decks):
    """The workbook as it was written, with nothing changed; what its formulas give is kept."""
    return Spreadsheet(content_of(id, decks))


def settled(id, decks):
    """The analysis at the amounts that the workbook starts with."""
    paytable = paytable_of(id)
    shoe = small_shoe() if decks == FEW else Shoe(decks, paytable.bet.pack)
    system = paytable.system_for(shoe.decks)
    seeds = {level.name: level.seed / system.wager for level in system.levels} if system else {}
    return analyze_wager(paytable, shoe, seeds)


def near(value, other):
    return abs(value - other) <= Fraction(1, 10**13) * max(1, abs(other))


def same(worked_out, kept):
    """Whether a formula gives what is stored with it; nothing is stored for no words."""
    if kept is None or isinstance(kept, str):
        return worked_out == (kept or "")
    return near(worked_out, Fraction(str(kept)))


def one_of(book, name, place):
    """Where a cell of a named column stands."""
    sheet, cells = book.named_cells(name)
    return sheet, cells[place]


def custom(document, id="TRI-03", decks=6):
    sheet = sheet_of(id, decks)
    return openpyxl.load_workbook(io.BytesIO(render(replace(sheet, document=document), 10)))


@pytest.mark.parametrize(("id", "decks"), CASES + SETTLED)
def test_every_formula_gives_the_value_that_is_stored_with_it(id, decks):
    book = book_of(id, decks)
    found = list(book.formulas())
    assert len(found) > 300
    for sheet, cell, kept in found:
        assert same(book.value(sheet, cell), kept), (sheet, cell)


@pytest.mark.parametrize(("id", "decks"), CASES + SETTLED)
def test_the_figures_are_those_of_the_exact_analysis(id, decks):
    book, analysis = book_of(id, decks), settled(id, decks)
    expected = {
        "ReturnTotal": analysis.return_.constant,
        "HouseEdge": analysis.house_edge.constant,
        "ExpectedValue": -analysis.house_edge.constant,
        "HitFrequency": analysis.hit_frequency,
        "PushRate": analysis.push_rate,
        "MeanWin": analysis.mean_win.constant,
        "Variance": analysis.variance.constant,
        "StandardDeviation": root(analysis.variance.constant),
        "Skewness": root(analysis.skewness.square) * (-1 if analysis.skewness.negative else 1),
        "ExcessKurtosis": analysis.excess_kurtosis,
        "VolatilityIndex_90": Fraction("1.644854") * root(analysis.variance.constant),
    }
    for name, value in expected.items():
        sheet, cell = book.named_cells(name)
        assert near(book.named(name), value), name
        assert book.shown(sheet, cell) == pytest.approx(float(value), rel=1e-15, abs=1e-17), name


@pytest.mark.parametrize(("id", "decks"), CASES)
def test_the_headline_is_live(id, decks):
    page = book_of(id, decks).book.worksheets[0]
    live = {page.cell(row, 1).value: page.cell(row, 2).value for row in range(1, page.max_row + 1)}
    assert page.title == "Par sheet"
    labels = [page.cell(row, 1).value for row in range(1, page.max_row + 1)]
    option = paytable_of(id).bet.option
    edges = ["House edge", "Return"]
    if option:
        edges = [f"{edge}, {kind} {option}" for edge in edges for kind in ("best", "no")]
    on = ", on the books" if paytable_of(id).meters else ""
    on = f", best {option}" if option else on
    assert {labels.count(label) for label in (*edges, "Hit frequency", f"Standard deviation{on}")} == {1}
    assert ("Return of the fixed pays" in labels) == bool(paytable_of(id).meters)
    without = f", no {option}" if option else ""
    assert live[f"House edge{without}"] == "=HouseEdge"
    assert live[f"Return{without}"] == "=ReturnTotal"
    if option:
        assert live[f"House edge, best {option}"] == "=BestHouseEdge"
    assert live["Hit frequency"] == "=HitFrequency"
    if option:  # known between bounds, which no formula over the awards can tell
        assert live[f"Standard deviation{on}"] is None
        assert " to " in page.cell(labels.index(f"Standard deviation{on}") + 1, 3).value
    else:
        assert live[f"Standard deviation{on}"] == ("=BooksDeviation" if on else "=StandardDeviation")
    if paytable_of(id).meters:
        assert live["Hold in the long run, rates and seeds inferred"] == "=Hold"


@pytest.mark.parametrize(("id", "decks"), CASES)
def test_names_stand_for_the_column_they_name(id, decks):
    book = book_of(id, decks)
    titles = {"Probability": "Probability", "Return": "Return", "NetPay": "Pays to 1", "GrossPay": "Pays for 1"}
    if id not in ("BB-1", "BUSTS"):
        titles["Ways"] = "Ways"
    outcomes = [*(award.name for award in paytable_of(id).awards), "no award"]
    for name, title in titles.items():
        sheet, cells = book.named_cells(name)
        page = book.book[sheet]
        first = page[cells[0]]
        assert page.cell(first.row - 1, first.column).value == title
        assert [page.cell(page[cell].row, 2).value for cell in cells] == outcomes
    sheet, cells = book.named_cells("Pays")
    inputs = [book.book[sheet].cell(book.book[sheet][cell].row, 1).value for cell in cells]
    assert inputs == [*(f"{name}: pays" for name in outcomes[:-1]), outcomes[-1]]
    for name in book.book.defined_names:
        assert book.named(name) is not None


def test_ways_add_up_to_the_cycle_and_altered_ways_are_noticed():
    content, book = content_of("TRI-03", 6), book_of("TRI-03", 6)
    assert book.named("Ways") == [864, 9504, 26312, 155520, 292896, 4528224]
    assert book.named("Cycle") == sum(book.named("Ways")) == 5013320
    checks = [cell for cell in book.formulas() if cell[2] == "ok"]
    assert len(checks) == 2
    altered = Spreadsheet(content, {one_of(book, "Ways", 0): 865})
    assert [altered.value(sheet, cell) for sheet, cell, _ in checks] == ["differs", "differs"]


def test_what_higher_awards_take_is_the_difference():
    awards = read_back(content_of("TRI-03", 6))["Awards"]
    head = next(row for row in awards.iter_rows() if row[0].value == "Award")
    column = {cell.value: cell.column for cell in head}
    line = next(row for row in awards.iter_rows(min_row=head[0].row) if row[0].value == "Straight flush")
    fits, taken, ways = (
        line[column[title] - 1].value for title in ("Hands that fit", "Less: taken by a higher award", "Ways")
    )
    assert taken == f"{fits}-{ways.removeprefix('=')}"


@pytest.mark.parametrize(("id", "decks", "award", "amount"), [("TRI-03", 6, 2, 30), ("TRI-03", 6, 4, 2.25)])
def test_a_changed_pay_moves_the_edge_as_the_analysis_says(id, decks, award, amount):
    paytable = paytable_of(id)
    awards = list(paytable.awards)
    awards[award] = replace(awards[award], pay=parse_pay(f"{amount} to 1"))
    expected = analyze_wager(replace(paytable, awards=tuple(awards)), Shoe(decks, paytable.bet.pack))
    book = book_of(id, decks)
    changed = Spreadsheet(content_of(id, decks), {one_of(book, "Pays", award): amount})
    assert changed.named("HouseEdge") == expected.house_edge.constant
    assert changed.named("Variance") == expected.variance.constant


@pytest.mark.parametrize(("pays", "unit"), [(0, "to 1"), (0, "for 1"), (0.5, "for 1"), (2, "to 1")])
def test_a_changed_pay_rides_as_long_as_it_wins(pays, unit):
    paytable = get_paytable("HM-2")
    *others, last = paytable.awards
    changed_pay = replace(last, pay=parse_pay(f"{pays} {unit}"))
    expected = build_study(replace(paytable, awards=(*others, changed_pay)), small_shoe(), rules=QUICK)
    book = book_of("HM-2", FEW)
    cells = [one_of(book, name, len(others)) for name in ("Pays", "Unit")]
    changed = Spreadsheet(content_of("HM-2", FEW), dict(zip(cells, (pays, unit), strict=True)))
    assert near(changed.named("BestHouseEdge"), expected.house_edge.constant)


def test_a_changed_unit_moves_the_edge_by_the_wager():
    content, book = content_of("TRI-03", 6), book_of("TRI-03", 6)
    changed = Spreadsheet(content, {one_of(book, "Unit", 4): "for 1"})
    assert changed.named("HouseEdge") - book.named("HouseEdge") == Fraction(292896, 5013320)


def test_meters_start_at_their_seeds_and_move_the_edge():
    content, book = content_of("METERS", 6), book_of("METERS", 6)
    assert [book.named(f"Meter_{name}") for name in ("Mega", "Major", "Minor")] == [5, 3, 2]
    raised = Spreadsheet(content, {book.named_cells("Meter_Mega"): 100})
    paytable = paytable_of("METERS")
    amounts = {"Mega": Fraction(100), "Major": Fraction(3), "Minor": Fraction(2)}
    assert raised.named("HouseEdge") == analyze_wager(paytable, Shoe(6), amounts).house_edge.constant


def test_a_progressive_gives_its_edge_in_terms_of_the_meters_too():
    page = read_back(content_of("METERS", 6))["Par sheet"]
    texts = [cell.value for row in page.iter_rows() for cell in row if isinstance(cell.value, str)]
    assert "-1/26*Major - 3/52*Mega - 1/13*Minor + 71/104" in texts
    assert any("Mega at 5.00 (its seed, which is inferred)" in text for text in texts)


def test_a_given_meter_is_kept_and_an_unknown_one_is_left_to_the_reader():
    sheet = sheet_of("METERS", 6)
    paytable = sheet.study.paytable
    at_amount = build_study(paytable, Shoe(6), {"Mega": Fraction(123, 2)})
    given = Spreadsheet(render(replace(sheet, study=at_amount), 10))
    assert given.named("Meter_Mega") == Fraction("61.5")
    bare = Study(replace(sheet.study.analysis, paytable=replace(paytable, systems=())))
    book = Spreadsheet(render(replace(sheet, study=bare), 10))
    assert book.named("Meter_Mega") == 0
    assert all(same(book.value(*cell[:2]), cell[2]) for cell in book.formulas())
    texts = [str(cell.value) for row in book.book["Inputs"].iter_rows() for cell in row]
    assert sum("(not known: put the amount in)" in text for text in texts) == 3


def test_ways_beyond_what_a_cell_counts_give_way_to_probabilities():
    book = book_of("BUSTS", 2)
    analysis = settled("BUSTS", 2)
    assert "Ways" not in book.book.defined_names
    sheet, cells = book.named_cells("Probability")
    for cell, line in zip(cells, analysis.lines, strict=False):
        assert book.shown(sheet, cell) == pytest.approx(float(line.probability), rel=3e-16)
        row = book.book[sheet][book.book[sheet][cell].row]
        assert str(line.probability) in [other.value for other in row]
    data = book.book["Data"]
    place = 1 + next(cell.column for cell in data[5] if cell.value == 2)
    kept = [data.cell(6 + number, place - 1) for number in range(len(analysis.lines))]
    assert {cell.data_type for cell in kept} == {"n"}
    assert [cell.value for cell in kept] == [
        pytest.approx(float(line.probability), rel=3e-16) for line in analysis.lines
    ]


def test_an_award_that_cannot_be_won_is_called_impossible():
    at_one = build_study(get_paytable("SUP-01"), Shoe(1))
    book = Spreadsheet(render(replace(sheet_of("TRI-03", 6), study=at_one), 10))
    impossible = [cell for cell in book.formulas() if cell[2] == "impossible"]
    assert impossible
    assert all(book.value(sheet, cell) == "impossible" for sheet, cell, _ in impossible)


def test_numbers_are_kept_to_the_last_digit():
    with zipfile.ZipFile(io.BytesIO(content_of("BUSTS", 2))) as archive:
        names = [name for name in archive.namelist() if name.startswith("xl/worksheets/sheet")]
        last = archive.read(max(names, key=lambda name: int("".join(filter(str.isdigit, name))))).decode()
    assert "<v>0.0036521739130434782609</v>" in last  # 21/5750, among the data
    assert float("0.00042385304194134745060") == float(Fraction(253, 596905))


@pytest.mark.parametrize(("id", "decks"), CASES)
def test_no_number_is_wider_than_its_column(id, decks):
    book = read_back(content_of(id, decks), kept=True)
    for sheet in book:
        groups = sheet.column_dimensions.values()
        widths = {column: group.width for group in groups for column in range(group.min, group.max + 1)}
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type != "n" or cell.value is None:
                    continue
                pattern = cell.number_format
                if "E" in pattern or ";" in pattern:  # few digits in any case
                    continue
                places = len(pattern.rstrip("%").partition(".")[2]) if pattern != "General" else 2
                shown = f"{cell.value * (100 if pattern.endswith('%') else 1):,.{places}f}"
                assert len(shown) < widths[cell.column], (sheet.title, cell.coordinate)


def test_the_same_sheet_gives_the_same_bytes_in_another_process():
    code = "import sys\nfrom tests.sheets import workbook\nsys.stdout.buffer.write(workbook('TRI-02', 2))"
    elsewhere = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    done = subprocess.run([sys.executable, "-c", code], env=elsewhere, capture_output=True, check=True)
    assert done.stdout == content_of("TRI-02", 2)


def test_the_file_bears_the_date_of_the_sheet_only():
    content = content_of("TRI-03", 6)
    book = read_back(content)
    assert book.properties.created.isoformat() == book.properties.modified.isoformat() == "2026-11-16T00:00:00"
    assert book.properties.creator == "A. Analyst"
    assert book.properties.title
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    undated = render(replace(sheet_of("TRI-03", 6), identity=Identity()), 10)
    with zipfile.ZipFile(io.BytesIO(undated)) as archive:
        assert b">1980-01-01T00:00:00Z</dcterms:created>" in archive.read("docProps/core.xml")


NASTY = [
    "=1+1",
    '=HYPERLINK("http://x")',
    "+1",
    "-1",
    "@SUM(A1)",
    "{=A1}",
    "http://example.com/",
    "<b>&amp;",
    "_x0041_",
]


def test_text_from_a_file_never_becomes_a_formula_or_a_link():
    sheet = sheet_of("TRI-03", 6)
    paytable = sheet.study.paytable
    awards = tuple(replace(one, name=name) for one, name in zip(paytable.awards, NASTY, strict=False))
    rows = tuple((text, 1) for text in NASTY)
    table = Table((Column("=A1"), Column("n", Style.COUNT)), rows, "=caption")
    section = Section(
        "A/B: [x]*?" + "long " * 20,
        number=9,
        text=("=text",),
        figures=(Figure("=label", "=value"),),
        tables=(table,),
        notes=("=note",),
    )
    document = Document("=title & Co", "-subtitle", ("+flag",), notes=("@note",), sections=(section, section))
    studied = Study(replace(sheet.study.analysis, paytable=replace(paytable, awards=awards)))
    content = render(replace(sheet, study=studied, document=document), 10)
    book = openpyxl.load_workbook(io.BytesIO(content))
    assert [book["Calculation"].cell(row, 2).value for row in range(5, 10)] == NASTY[:5]
    for page in book:
        assert len(page.title) <= LONGEST_SHEET_NAME
        for row in page.iter_rows():
            for cell in row:
                assert cell.hyperlink is None
                is_ours = page.title in ("Par sheet", "Inputs", "Calculation", "Data") and cell.data_type == "f"
                assert is_ours or cell.data_type in ("s", "n"), cell
    section_texts = [cell.value for row in book.worksheets[2].iter_rows() for cell in row if cell.data_type == "s"]
    assert set(NASTY) < set(section_texts)
    assert len({page.title for page in book}) == 6


def test_values_of_every_kind_stand_in_the_tables():
    hand = Hand((("player", (parse_card("As"), parse_card("Kd"))),))
    rows = (
        ("third", Fraction(1, 3), Fraction(1, 3), 1234567, Fraction(5, 2), Surd(Fraction(2))),
        ("other", None, "none", 10**20, Fraction(1, 8), Surd(Fraction(1, 4), negative=True)),
        ("kinds", Styled(Fraction(1, 8), Style.PERCENT), Formula("n²", "n^2"), hand, "", 7),
    )
    columns = (
        Column("Name"),
        Column("Share", Style.PERCENT),
        Column("Chance", Style.DECIMAL),
        Column("Count", Style.COUNT),
        Column("Odds", Style.ODDS),
        Column("Root", Style.DECIMAL),
    )
    document = Document("t", sections=(Section("Kinds", number=5, tables=(Table(columns, rows, totals=1),)),))
    page = custom(document)["Kinds"]
    lines = [[cell.value for cell in row] for row in page.iter_rows(min_row=3)]
    assert lines[0][:8] == ["Name", "Share", "Share, exact", "Chance", "Chance, exact", "Count", "Odds", "Root"]
    assert lines[1][:8] == ["third", 1 / 3, "1/3", 1 / 3, "1/3", 1234567, 2.5, 2**0.5]
    assert lines[2][:8] == ["other", "—", None, "none", None, f"{10**20:,}", 0.125, -0.5]
    assert lines[3][:8] == ["kinds", 0.125, "1/8", "n²", None, str(hand), None, 7]
    assert page["B4"].number_format == "0.00000000%"
    assert page["D4"].number_format == "#,##0.0000000000"
    assert page["F4"].number_format == "#,##0"
    assert page.freeze_panes == "A4"
    assert page.print_title_rows == "$3:$3"


def charts(document):
    content = render(replace(sheet_of("TRI-03", 6), document=document), 10)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [archive.read(name).decode() for name in archive.namelist() if name.startswith("xl/charts/chart")]


def test_a_plot_is_a_chart_over_the_cells_of_its_table():
    edges = tuple(Fraction(1, step) for step in (2, 3, 4))
    table = Table((Column("Decks"), Column("Edge", Style.PERCENT)), tuple(zip("124", edges, strict=True)))
    plot = Plot("Edge by decks", ("1", "2", "4"), edges, frozenset({1}), "decks", "edge", source="Edge")
    (chart,) = charts(Document("t", sections=(Section("Decks", number=7, tables=(table,), plots=(plot,)),)))
    assert "<c:f>Decks!$A$4:$A$6</c:f>" in chart
    assert "<c:f>Decks!$B$4:$B$6</c:f>" in chart


def test_a_plot_of_figures_in_no_table_brings_its_own():
    plot = Plot("Edge by decks", ("1", "2"), (Fraction(1, 2), Fraction(1, 3)), x_label="decks", y_label="edge")
    document = Document("t", sections=(Section("Decks", number=7, plots=(plot,)),))
    (chart,) = charts(document)
    assert "<c:f>Decks!$B$5:$B$6</c:f>" in chart
    assert [custom(document)["Decks"][f"B{row}"].value for row in (5, 6)] == [0.5, 1 / 3]


@pytest.mark.parametrize(("id", "decks"), CASES)
def test_every_page_prints_one_page_wide_with_its_name_and_number(id, decks):
    book = read_back(content_of(id, decks))
    assert book.sheetnames[:2] == ["Par sheet", "Inputs"]
    assert book.sheetnames[-2:] == ["Calculation", "Data"]
    assert book["Calculation"].freeze_panes == "C1"
    for page in book:
        assert page.page_setup.fitToWidth in (None, 1)
        assert page.sheet_properties.pageSetUpPr.fitToPage
        assert "Page &P of &N" in page.oddFooter.right.text


def test_a_formula_is_found_by_name_and_never_by_an_equal_value():
    facts = FormulaIndex()
    facts.add_row(
        "levels", "Mega", [LiveCell("seed", "Seed", Fraction(7)), LiveCell("average", "Average", Fraction(7))]
    )
    columns = (Column("Meter"), Column("Average", Style.ODDS, key="average"), Column("Cap", Style.ODDS, key="cap"))
    (row,) = facts.of_table(Table(columns, (("Mega", Fraction(7), Fraction(7)),), key="levels"))
    assert [fact.formula if fact else None for fact in row] == [None, "Average", None]
    assert facts.of_table(Table(columns, (("Mega", Fraction(7), Fraction(7)),))) == [[None] * 3]
    assert facts.of_table(Table(columns, (("Mega", Fraction(8), None),), key="levels")) == [[None] * 3]
    facts.add_figure("house_edge", "wager alone", LiveCell("house_edge", "HouseEdge", Fraction(1, 9)))
    on = [Figure("House edge", Fraction(1, 9), Style.PERCENT, "house_edge", basis) for basis in ("wager alone", "long")]
    assert [fact.formula if fact else None for fact in facts.of_figures(on)] == ["HouseEdge", None]


@pytest.mark.parametrize("id", ["METERS", pytest.param("SOB-EXAMPLE", marks=pytest.mark.slow)])
def test_the_hold_at_each_deck_count_follows_the_books_and_not_an_edge_that_moves_alike(id):
    book = read_back(content_of(id, 6))
    data = {row[1].value: row[0].row for row in book["Data"].iter_rows(min_row=2) if row[1].value}
    (row,) = [row for row in book["Deck sensitivity"].iter_rows() if row[0].value == 8]
    kept, change = row[1].value, row[3].value
    named = [label for label, number in data.items() if kept.endswith(f"${number}")]
    assert named == ["Kept on the books"]
    assert change.startswith(f"{kept}-")


def test_names_of_tabs_end_with_a_whole_word():
    assert worksheet_name("Analyzed, By the dealer's up card", []) == "Analyzed, By the dealer's up"
    assert worksheet_name("Paytable sensitivity of many awards", ["paytable sensitivity of many"])[-2:] == " 2"
    assert worksheet_name("Analyzed, What is the players' own", []) == "Analyzed, What is the players"
    assert len(worksheet_name("x" * 40, [])) == 31


def test_long_exact_values_have_rows_for_all_their_lines():
    """A number without spaces is broken where its columns end, and a long one after its sign."""
    seen = 0
    for page in openpyxl.load_workbook(io.BytesIO(content_of("BUSTS", 2))):
        for area in page.merged_cells.ranges:
            text = str(page.cell(area.min_row, area.min_col).value or "")
            letters = [get_column_letter(column) for column in range(area.min_col, area.max_col + 1)]
            room = sum(page.column_dimensions[letter].width for letter in letters) - 2
            if " " not in text and len(text) > room:
                seen += 1
                assert page.row_dimensions[area.min_row].height >= 13 * -(-len(text) // room)
    assert seen
