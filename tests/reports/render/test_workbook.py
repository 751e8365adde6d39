"""Workbooks are read back and their formulas evaluated with exact fractions, without a spreadsheet program."""

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
from tests.parlay import TWO_HANDS, small_shoe
from tests.sheets import FEW_CARDS, build_sheet, find_paytable
from tests.sheets import build_workbook as workbook_bytes
from tests.slow_cases import slow_case, slow_cases
from tests.spreadsheet import Spreadsheet, read_back, root

CASES = [
    ("TRI-03", 6),
    ("METERS", 6),
    ("BUSTS", 2),
    ("HM-2", FEW_CARDS),
    *[slow_case(*case) for case in (("TRI-02", 2), ("BLZ-ML03-UP", 6), ("BB-1", 2))],
]
SETTLED = [
    ("ADDS-UP-DICE", 6),
    ("LOSES-2", 6),
    *[slow_case(*case) for case in (("ADDS-UP", 6), ("MATCH-THE-DEALER-4-19", 2), ("NEXT-STEP", 6), ("WAR", 6))],
]
"""Bets whose awards add up, whose pays are multiplied by dice, or that can lose more than the wager."""
WHO = Identity(prepared_by="A. Analyst", date="2026-11-16")
LONGEST_SHEET_NAME = 31


@cache
def sheet_of(id, decks):
    return build_sheet(id, decks)


@cache
def book_of(id, decks):
    """Return the workbook as written; the values of its formulas are cached."""
    return Spreadsheet(workbook_bytes(id, decks))


def initial_analysis(id, decks):
    """Return the analysis at the initial meter amounts of the workbook."""
    paytable = find_paytable(id)
    shoe = small_shoe() if decks == FEW_CARDS else Shoe(decks, paytable.bet.pack)
    system = paytable.system_for(shoe.decks)
    seeds = {level.name: level.seed / system.wager for level in system.levels} if system else {}
    return analyze_wager(paytable, shoe, seeds)


def is_close(value, expected):
    return abs(value - expected) <= Fraction(1, 10**13) * max(1, abs(expected))


def equals_stored(computed, stored):
    """Return whether a computed value equals the stored one; an empty text is stored as None."""
    if stored is None or isinstance(stored, str):
        return computed == (stored or "")
    return is_close(computed, Fraction(str(stored)))


def named_cell(book, name, index):
    """Return the position of a cell in a named column."""
    sheet, cells = book.named_cells(name)
    return sheet, cells[index]


def load_custom(document, id="TRI-03", decks=6):
    sheet = sheet_of(id, decks)
    return openpyxl.load_workbook(io.BytesIO(render(replace(sheet, document=document), 10)))


@slow_cases("TRI-03-6", "LOSES-2-6")
@pytest.mark.parametrize(("id", "decks"), CASES + SETTLED)
def test_every_formula_gives_its_stored_value(id, decks):
    book = book_of(id, decks)
    formulas = list(book.formulas())
    assert len(formulas) > 300
    for sheet, cell, stored in formulas:
        assert equals_stored(book.value(sheet, cell), stored), (sheet, cell)


@slow_cases("LOSES-2-6")
@pytest.mark.parametrize(("id", "decks"), CASES + SETTLED)
def test_figures_equal_the_exact_analysis(id, decks):
    book, analysis = book_of(id, decks), initial_analysis(id, decks)
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
        assert is_close(book.named(name), value), name
        assert book.shown(sheet, cell) == pytest.approx(float(value), rel=1e-15, abs=1e-17), name


@pytest.mark.parametrize(("id", "decks"), CASES)
def test_headline_is_computed_by_formulas(id, decks):
    page = book_of(id, decks).book.worksheets[0]
    formula_by_label = {page.cell(row, 1).value: page.cell(row, 2).value for row in range(page.max_row, 0, -1)}
    assert page.title == "Par sheet"
    labels = [page.cell(row, 1).value for row in range(1, page.max_row + 1)]
    option = find_paytable(id).bet.option
    edges = ["House edge", "Return"]
    if option:
        edges = [f"{edge}, {basis}" for edge in edges for basis in ("best play", "wager alone")]
    if find_paytable(id).meters:
        edges = [f"{edge}, meters at their seeds" for edge in edges]
    basis_suffix = ", accounting basis" if find_paytable(id).meters else ""
    basis_suffix = ", best play" if option else basis_suffix
    stated = {labels.count(label) for label in (*edges, "Hit frequency", f"Standard deviation{basis_suffix}")}
    assert stated == {1 if find_paytable(id).bet.eligible_hands == "any" else 2}  # again in a table of both bases
    assert ("Return of the fixed pays" in labels) == bool(find_paytable(id).meters)
    without_suffix = ", wager alone" if option else ", meters at their seeds" if find_paytable(id).meters else ""
    assert formula_by_label[f"House edge{without_suffix}"] == "=HouseEdge"
    assert formula_by_label[f"Return{without_suffix}"] == "=ReturnTotal"
    if option:
        assert formula_by_label["House edge, best play"] == "=BestHouseEdge"
    assert formula_by_label["Hit frequency"] == "=HitFrequency"
    if option:  # only bounds are known, and no formula over the awards gives them
        assert formula_by_label[f"Standard deviation{basis_suffix}"] is None
        assert " to " in page.cell(labels.index(f"Standard deviation{basis_suffix}") + 1, 3).value
    else:
        assert formula_by_label[f"Standard deviation{basis_suffix}"] == (
            "=BooksDeviation" if basis_suffix else "=StandardDeviation"
        )
    if find_paytable(id).meters:
        assert formula_by_label["Hold in the long run, rates and seeds inferred"] == "=Hold"


@pytest.mark.parametrize(("id", "decks"), CASES)
def test_defined_names_cover_their_columns(id, decks):
    book = book_of(id, decks)
    titles = {"Probability": "Probability", "Return": "Return", "NetPay": "Pays to 1", "GrossPay": "Pays for 1"}
    if id not in ("BB-1", "BUSTS"):
        titles["Ways"] = "Ways"
    outcomes = [*(award.name for award in find_paytable(id).awards), "no award"]
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


def test_altered_ways_fail_the_cycle_check():
    content, book = workbook_bytes("TRI-03", 6), book_of("TRI-03", 6)
    assert book.named("Ways") == [864, 9504, 26312, 155520, 292896, 4528224]
    assert book.named("Cycle") == sum(book.named("Ways")) == 5013320
    checks = [cell for cell in book.formulas() if cell[2] == "ok"]
    assert len(checks) == 2
    altered = Spreadsheet(content, {named_cell(book, "Ways", 0): 865})
    assert [altered.value(sheet, cell) for sheet, cell, _ in checks] == ["differs", "differs"]


def test_ways_taken_by_higher_awards_are_the_difference():
    awards = read_back(workbook_bytes("TRI-03", 6))["Awards"]
    head = next(row for row in awards.iter_rows() if row[0].value == "Award")
    column = {cell.value: cell.column for cell in head}
    line = next(row for row in awards.iter_rows(min_row=head[0].row) if row[0].value == "Straight flush")
    fits, less_higher_ranked, ways = (
        line[column[title] - 1].value for title in ("Inclusive count", "Less higher-ranked", "Ways")
    )
    assert less_higher_ranked == f"{fits}-{ways.removeprefix('=')}"


@pytest.mark.parametrize(("id", "decks", "award", "amount"), [("TRI-03", 6, 2, 30), ("TRI-03", 6, 4, 2.25)])
def test_changed_pay_moves_the_edge_exactly(id, decks, award, amount):
    paytable = find_paytable(id)
    awards = list(paytable.awards)
    awards[award] = replace(awards[award], pay=parse_pay(f"{amount} to 1"))
    expected = analyze_wager(replace(paytable, awards=tuple(awards)), Shoe(decks, paytable.bet.pack))
    book = book_of(id, decks)
    changed = Spreadsheet(workbook_bytes(id, decks), {named_cell(book, "Pays", award): amount})
    assert changed.named("HouseEdge") == expected.house_edge.constant
    assert changed.named("Variance") == expected.variance.constant


@pytest.mark.parametrize(("pays", "unit"), [(0, "to 1"), (0, "for 1"), (0.5, "for 1"), (2, "to 1")])
def test_changed_pay_keeps_the_parlay_while_it_wins(pays, unit):
    paytable = get_paytable("HM-2")
    *others, last = paytable.awards
    changed_pay = replace(last, pay=parse_pay(f"{pays} {unit}"))
    expected = build_study(replace(paytable, awards=(*others, changed_pay)), small_shoe(), rules=TWO_HANDS)
    book = book_of("HM-2", FEW_CARDS)
    cells = [named_cell(book, name, len(others)) for name in ("Pays", "Unit")]
    changed = Spreadsheet(workbook_bytes("HM-2", FEW_CARDS), dict(zip(cells, (pays, unit), strict=True)))
    assert is_close(changed.named("BestHouseEdge"), expected.house_edge.constant)


def test_changed_unit_moves_the_edge_by_the_wager():
    content, book = workbook_bytes("TRI-03", 6), book_of("TRI-03", 6)
    changed = Spreadsheet(content, {named_cell(book, "Unit", 4): "for 1"})
    assert changed.named("HouseEdge") - book.named("HouseEdge") == Fraction(292896, 5013320)


def test_meters_start_at_seeds_and_move_the_edge():
    content, book = workbook_bytes("METERS", 6), book_of("METERS", 6)
    assert [book.named(f"Meter_{name}") for name in ("Mega", "Major", "Minor")] == [5, 3, 2]
    raised = Spreadsheet(content, {book.named_cells("Meter_Mega"): 100})
    paytable = find_paytable("METERS")
    amounts = {"Mega": Fraction(100), "Major": Fraction(3), "Minor": Fraction(2)}
    assert raised.named("HouseEdge") == analyze_wager(paytable, Shoe(6), amounts).house_edge.constant


def test_progressive_edge_is_also_a_formula_of_the_meters():
    book = read_back(workbook_bytes("METERS", 6))
    texts = [cell.value for page in book for row in page.iter_rows() for cell in row if isinstance(cell.value, str)]
    assert "1/26*Major + 3/52*Mega + 1/13*Minor + 33/104" in texts
    assert any("Mega at 5.00 (its seed, which is inferred)" in text for text in texts)


def test_given_meter_is_filled_and_unknown_is_blank():
    sheet = sheet_of("METERS", 6)
    paytable = sheet.study.paytable
    at_amount = build_study(paytable, Shoe(6), {"Mega": Fraction(123, 2)})
    given = Spreadsheet(render(replace(sheet, study=at_amount), 10))
    assert given.named("Meter_Mega") == Fraction("61.5")
    bare = Study(replace(sheet.study.analysis, paytable=replace(paytable, systems=())))
    book = Spreadsheet(render(replace(sheet, study=bare), 10))
    assert book.named("Meter_Mega") == 0
    assert all(equals_stored(book.value(*cell[:2]), cell[2]) for cell in book.formulas())
    texts = [str(cell.value) for row in book.book["Inputs"].iter_rows() for cell in row]
    assert sum("(not known: put the amount in)" in text for text in texts) == 3


def test_ways_beyond_cell_precision_become_probabilities():
    book = book_of("BUSTS", 2)
    analysis = initial_analysis("BUSTS", 2)
    assert "Ways" not in book.book.defined_names
    sheet, cells = book.named_cells("Probability")
    for cell, line in zip(cells, analysis.lines, strict=False):
        assert book.shown(sheet, cell) == pytest.approx(float(line.probability), rel=3e-16)
        row = book.book[sheet][book.book[sheet][cell].row]
        assert str(line.probability) in [other.value for other in row]
    data = book.book["Data"]
    column = 1 + next(cell.column for cell in data[5] if cell.value == 2)
    cells_of_data = [data.cell(6 + index, column - 1) for index in range(len(analysis.lines))]
    assert {cell.data_type for cell in cells_of_data} == {"n"}
    assert [cell.value for cell in cells_of_data] == [
        pytest.approx(float(line.probability), rel=3e-16) for line in analysis.lines
    ]


def test_unwinnable_award_is_called_impossible():
    at_one = build_study(get_paytable("SUP-01"), Shoe(1))
    book = Spreadsheet(render(replace(sheet_of("TRI-03", 6), study=at_one), 10))
    impossible = [cell for cell in book.formulas() if cell[2] == "impossible"]
    assert impossible
    assert all(book.value(sheet, cell) == "impossible" for sheet, cell, _ in impossible)


def test_numbers_keep_every_digit():
    with zipfile.ZipFile(io.BytesIO(workbook_bytes("BUSTS", 2))) as archive:
        names = [name for name in archive.namelist() if name.startswith("xl/worksheets/sheet")]
        *_, data, _ = sorted(names, key=lambda name: int("".join(filter(str.isdigit, name))))
        assert b"<v>0.0036521739130434782609</v>" in archive.read(data)  # 21/5750
    assert float("0.00042385304194134745060") == float(Fraction(253, 596905))


@pytest.mark.parametrize(("id", "decks"), CASES)
def test_numbers_fit_their_columns(id, decks):
    book = read_back(workbook_bytes(id, decks), kept=True)
    for sheet in book:
        groups = sheet.column_dimensions.values()
        widths = {column: group.width for group in groups for column in range(group.min, group.max + 1)}
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type != "n" or cell.value is None:
                    continue
                pattern = cell.number_format
                if "E" in pattern or ";" in pattern:  # always few digits
                    continue
                places = len(pattern.rstrip("%").partition(".")[2]) if pattern != "General" else 2
                shown = f"{cell.value * (100 if pattern.endswith('%') else 1):,.{places}f}"
                assert len(shown) < widths[cell.column], (sheet.title, cell.coordinate)


@pytest.mark.slow  # fast: reports/publish/test_batch.py::test_batch_is_deterministic_in_every_format
def test_workbook_is_deterministic_across_processes():
    code = "import sys\nfrom tests.sheets import build_workbook\nsys.stdout.buffer.write(build_workbook('TRI-02', 2))"
    environment = {**os.environ, "PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo"}
    process = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=True)
    assert process.stdout == workbook_bytes("TRI-02", 2)


def test_file_has_only_the_date_of_the_sheet():
    content = workbook_bytes("TRI-03", 6)
    book = read_back(content)
    assert book.properties.created.isoformat() == book.properties.modified.isoformat() == "2026-11-16T00:00:00"
    assert book.properties.creator == "A. Analyst"
    assert book.properties.title
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    undated = render(replace(sheet_of("TRI-03", 6), identity=Identity()), 10)
    with zipfile.ZipFile(io.BytesIO(undated)) as archive:
        assert b">1980-01-01T00:00:00Z</dcterms:created>" in archive.read("docProps/core.xml")


HOSTILE_TEXTS = [
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


def test_text_never_becomes_a_formula_or_link():
    sheet = sheet_of("TRI-03", 6)
    paytable = sheet.study.paytable
    awards = tuple(replace(award, name=name) for award, name in zip(paytable.awards, HOSTILE_TEXTS, strict=False))
    rows = tuple((text, 1) for text in HOSTILE_TEXTS)
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
    assert [book["Calculation"].cell(row, 2).value for row in range(5, 10)] == HOSTILE_TEXTS[:5]
    for page in book:
        assert len(page.title) <= LONGEST_SHEET_NAME
        for row in page.iter_rows():
            for cell in row:
                assert cell.hyperlink is None
                is_ours = page.title in ("Par sheet", "Inputs", "Calculation", "Data") and cell.data_type == "f"
                assert is_ours or cell.data_type in ("s", "n"), cell
    section_texts = [cell.value for row in book.worksheets[2].iter_rows() for cell in row if cell.data_type == "s"]
    assert set(HOSTILE_TEXTS) < set(section_texts)
    assert len({page.title for page in book}) == 7


def test_tables_hold_every_value_type():
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
    page = load_custom(document)["Kinds"]
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


def chart_files(document):
    content = render(replace(sheet_of("TRI-03", 6), document=document), 10)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return [archive.read(name).decode() for name in archive.namelist() if name.startswith("xl/charts/chart")]


def test_plot_is_a_chart_of_its_table():
    edges = tuple(Fraction(1, step) for step in (2, 3, 4))
    table = Table((Column("Decks"), Column("Edge", Style.PERCENT)), tuple(zip("124", edges, strict=True)))
    plot = Plot("Edge by decks", ("1", "2", "4"), edges, frozenset({1}), "decks", "edge", source="Edge")
    (chart,) = chart_files(Document("t", sections=(Section("Decks", number=7, tables=(table,), plots=(plot,)),)))
    assert "<c:f>Decks!$A$4:$A$6</c:f>" in chart
    assert "<c:f>Decks!$B$4:$B$6</c:f>" in chart


def test_plot_without_a_table_brings_its_own():
    plot = Plot("Edge by decks", ("1", "2"), (Fraction(1, 2), Fraction(1, 3)), x_label="decks", y_label="edge")
    document = Document("t", sections=(Section("Decks", number=7, plots=(plot,)),))
    (chart,) = chart_files(document)
    assert "<c:f>Decks!$B$5:$B$6</c:f>" in chart
    assert [load_custom(document)["Decks"][f"B{row}"].value for row in (5, 6)] == [0.5, 1 / 3]


@pytest.mark.parametrize(("id", "decks"), CASES)
def test_pages_print_one_page_wide_with_footer(id, decks):
    book = read_back(workbook_bytes(id, decks))
    assert book.sheetnames[:2] == ["Par sheet", "Inputs"]
    assert book.sheetnames[-3:] == ["Calculation", "Data", "Embedded files"]
    assert book["Calculation"].freeze_panes == "C1"
    for page in book.worksheets[:-1]:  # the last is hidden
        assert page.page_setup.fitToWidth in (None, 1)
        assert page.sheet_properties.pageSetUpPr.fitToPage
        assert "Page &P of &N" in page.oddFooter.right.text


def test_formula_is_found_by_name_not_by_value():
    index = FormulaIndex()
    index.add_row(
        "levels", "Mega", [LiveCell("seed", "Seed", Fraction(7)), LiveCell("average", "Average", Fraction(7))]
    )
    columns = (Column("Meter"), Column("Average", Style.ODDS, key="average"), Column("Cap", Style.ODDS, key="cap"))
    (row,) = index.of_table(Table(columns, (("Mega", Fraction(7), Fraction(7)),), key="levels"))
    assert [live_cell.formula if live_cell else None for live_cell in row] == [None, "Average", None]
    assert index.of_table(Table(columns, (("Mega", Fraction(7), Fraction(7)),))) == [[None] * 3]
    assert index.of_table(Table(columns, (("Mega", Fraction(8), None),), key="levels")) == [[None] * 3]
    index.add_figure("house_edge", "wager alone", LiveCell("house_edge", "HouseEdge", Fraction(1, 9)))
    figures = [
        Figure("House edge", Fraction(1, 9), Style.PERCENT, "house_edge", basis) for basis in ("wager alone", "long")
    ]
    assert [live_cell.formula if live_cell else None for live_cell in index.of_figures(figures)] == ["HouseEdge", None]


@pytest.mark.parametrize("id", ["METERS", slow_case("SOB-EXAMPLE")])
def test_hold_by_deck_count_uses_the_accounting_basis(id):
    book = read_back(workbook_bytes(id, 6))
    data = {row[1].value: row[0].row for row in book["Data"].iter_rows(min_row=2) if row[1].value}
    (row,) = [row for row in book["Deck sensitivity"].iter_rows() if row[0].value == 8]
    hold, change = row[1].value, row[3].value
    labels = [label for label, number in data.items() if hold.endswith(f"${number}")]
    assert labels == ["Hold, accounting basis"]
    assert change.startswith(f"{hold}-")


def test_tab_names_end_with_a_whole_word():
    assert worksheet_name("Analyzed, By the dealer's up card", []) == "Analyzed, By the dealer's up"
    assert worksheet_name("Paytable sensitivity of many awards", ["paytable sensitivity of many"])[-2:] == " 2"
    assert worksheet_name("Analyzed, What is the players' own", []) == "Analyzed, What is the players"
    assert len(worksheet_name("x" * 40, [])) == 31


def test_long_exact_values_get_tall_rows():
    """A number without spaces wraps at the end of its columns, so its row must be taller."""
    checked = 0
    for page in openpyxl.load_workbook(io.BytesIO(workbook_bytes("BUSTS", 2))):
        for area in page.merged_cells.ranges:
            text = str(page.cell(area.min_row, area.min_col).value or "")
            letters = [get_column_letter(column) for column in range(area.min_col, area.max_col + 1)]
            width = sum(page.column_dimensions[letter].width for letter in letters) - 2
            if " " not in text and len(text) > width:
                checked += 1
                assert page.row_dimensions[area.min_row].height >= 13 * -(-len(text) // width)
    assert checked
