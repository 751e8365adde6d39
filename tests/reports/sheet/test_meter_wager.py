"""Meter amounts are money for a stated wager: scaling both changes no ratio."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.closed_form import DECKS_SYMBOL, house_edge_formula, meter_symbols
from combinat.analysis.outlook import with_meter_amounts
from combinat.bets.load import parse_bet
from combinat.exact.numbers import format_decimal
from combinat.meters.explain import Goal, explain_hold
from combinat.meters.hits import (
    bound_probability_below,
    drift,
    fraction_of_plays_above,
    jackpot_quantile,
    probability_below,
)
from combinat.meters.hold import meter_figures
from combinat.meters.session import Pace
from combinat.results.meters import MeterAnswer
from combinat.study import build_study
from combinat.verifier import verify
from decks import Shoe
from reports.answers.meters import MeterOptions, break_even_document, meter_document
from reports.answers.studies import study_payload
from reports.page import numerals
from reports.page.model import AtMost
from reports.render import workbook
from reports.sheet.par_sheet import build_par_sheet
from tests.profiles import tries
from tests.slow_cases import slow_case
from tests.spreadsheet import Spreadsheet

FACTORS = ["5", "10", "25", "0.5", "0.04", "3", "1000"]
AMOUNTS = {"seed", "cap", "average_meter", "break_even", "wager", "meter_wager", "Mega", "Minor", "settled_meters"}
AMOUNTS |= {"percentile_99", "max_wager", "largest_win", "largest_payment", "win", "payment", "prize"}
"""Keys of JSON, and columns, whose values are amounts of money."""
NAMES = ("Mega", "Minor")


def F(text):  # noqa: N802  # short for the many fractions below
    return Fraction(text)


def format_level(level, factor):
    amounts = {key: format_decimal(F(value) * factor) for key, value in level.items() if key in ("seed", "cap")}
    return ", ".join(
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}"
        for key, value in (level | amounts).items()
    )


def build_file(terms, factor=Fraction(1)):
    """Return the file of a two-card bet with two meters, with every amount of money multiplied by `factor`."""
    mega, minor, extra, has_shares = terms
    share_award = '  { name = "Nines", when = "9-9", pays = "10% of Mega" },\n' if has_shares else ""
    return (
        'bet = "B"\ndeal = "player:2"\n[[paytable]]\nid = "B"\ndecks = [1, 2]\nawards = [\n'
        '  { name = "Aces", when = "A-A", pays = "100% of Mega" },\n'
        '  { name = "Kings", when = "K-K", pays = "100% of Minor" },\n'
        f'{share_award}  {{ name = "Pair", when = "pair", pays = "3 to 1" }},\n]\n'
        f'[[paytable.meters]]\nwager = "{format_decimal(factor)}"\n{extra}levels = [\n'
        f'  {{ name = "Mega", {format_level(mega, factor)} }},\n'
        f'  {{ name = "Minor", {format_level(minor, factor)} }},\n]\n'
    )


def parse_scaled_bet(terms, factor=Fraction(1)):
    (paytable,), problems = parse_bet(build_file(terms, factor), "b.toml")
    assert not problems
    return paytable


seeds = st.integers(0, 60).map(str)
percents = st.integers(0, 15).map(lambda percent: f"{percent}%")


@st.composite
def levels(draw):
    level = {"seed": draw(seeds), "rate": draw(percents)}
    if draw(st.booleans()):
        level |= {"cap": str(int(level["seed"]) + draw(st.integers(0, 30))), "rate_after_cap": draw(percents)}
    elif draw(st.booleans()):
        level |= {"reserve": draw(st.integers(1, 5).map(lambda percent: f"{percent}%"))}
        level |= {"seed_paid_by": draw(st.sampled_from(["house", "reserve"]))}
    return level


@st.composite
def runs(draw):
    extra = 'kind = "progressive"\n'
    return draw(levels()), draw(levels()), extra, draw(st.booleans())


amounts = st.fixed_dictionaries({name: st.integers(0, 300).map(Fraction) for name in NAMES})


def parse_number(value):
    return Fraction(value) if isinstance(value, int) or not value.startswith("sqrt") else Fraction(value[5:-1])


def assert_scaled(original, scaled, factor, path=()):
    """Check that `other` equals `one` except for amounts of money, which are multiplied by `factor`."""
    key = path[-1] if path else ""
    if isinstance(original, dict):
        assert original.keys() == scaled.keys(), path
        for name in original:
            if name not in ("identification", "input_files", "data_sha256", "tax"):  # tax thresholds do not scale
                assert_scaled(original[name], scaled[name], factor, (*path, name))
    elif isinstance(original, list):
        assert len(original) == len(scaled), path
        for item, scaled_item in zip(original, scaled, strict=True):
            assert_scaled(item, scaled_item, factor, path)
    elif original is None or isinstance(original, bool):
        assert original == scaled, path
    elif key in AMOUNTS and "hits" not in path:  # "hits" holds probabilities by meter
        assert parse_number(scaled) == parse_number(original) * factor, path
    elif path[-2:] == ("levels", "variance"):
        assert parse_number(scaled) == parse_number(original) * factor**2, path
    elif path[-2:] == ("levels", "slope"):
        assert parse_number(scaled) * factor == parse_number(original), path
    else:
        assert original == scaled, path


def cells_by_heading(document):
    """Return the cells of a document by table caption, column heading and row."""
    return {
        (table.caption, column.title, row): [line[index] for line in table.rows][row]
        for table in document.tables
        for index, column in enumerate(table.columns)
        for row in range(len(table.rows))
    }


def scale_of(heading, factor):
    if heading in ("Seed", "Average meter and jackpot", "Its deviation", "Break-even", *NAMES):
        return factor
    if heading.endswith(": jackpot") or heading.startswith("Prize, "):
        return factor
    return 1 / factor if heading == "Return per 10,000" else Fraction(1)


def assert_page_scaled(original, scaled, factor):
    cells, scaled_cells = cells_by_heading(original), cells_by_heading(scaled)
    assert cells.keys() == scaled_cells.keys()
    for (caption, heading, row), value in cells.items():
        scale, scaled_value = scale_of(heading, factor), scaled_cells[caption, heading, row]
        if isinstance(value, AtMost):
            assert scaled_value.bound == value.bound * scale, (caption, heading, row)
        elif value is None or isinstance(value, str):
            assert scaled_value == value, (caption, heading, row)
        elif hasattr(value, "square"):
            assert scaled_value.square == value.square * scale**2
        else:
            assert scaled_value == value * scale, (caption, heading, row)


@given(runs(), amounts, st.sampled_from(FACTORS).map(Fraction), st.sampled_from([1, 2]))
@tries(40, quick=3)
def test_scaling_wager_and_amounts_keeps_every_ratio(terms, shown, factor, decks):
    studies = [
        build_study(parse_scaled_bet(terms, scale), Shoe(decks), scale_amounts(shown, scale)) for scale in (1, factor)
    ]
    assert_scaled(*map(study_payload, studies), factor)
    analysis, scaled = (study.analysis for study in studies)
    figures, scaled_figures = meter_figures(analysis), meter_figures(scaled)
    assert figures.hold_bounds == scaled_figures.hold_bounds
    options, scaled_options = MeterOptions(analysis.meters, Pace(F("500"))), MeterOptions(scaled.meters, Pace(F("500")))
    pairs = ((figures, options), (scaled_figures, scaled_options))
    assert_scaled(*(MeterAnswer.of(of_meters, at.meters, at.pace).to_dict() for of_meters, at in pairs), factor)
    if figures.has_closed_form:
        assert_page_scaled(meter_document(figures, options), meter_document(scaled_figures, scaled_options), factor)
        assert_page_scaled(
            break_even_document(figures, options), break_even_document(scaled_figures, scaled_options), factor
        )
    # The headline edge equals that of the meter section at the given amounts.
    assert scaled.house_edge.constant == 1 - scaled_figures.return_at(scaled.meters)
    assert scaled.return_.constant == scaled_figures.return_.at(scaled.meters).constant


def scale_amounts(amounts, scale):
    return {name: amount * scale for name, amount in amounts.items()}


@given(runs(), st.sampled_from(FACTORS).map(Fraction))
@tries(15)
def test_meters_in_formulas_are_money(terms, factor):
    paytable, scaled_paytable = parse_scaled_bet(terms), parse_scaled_bet(terms, factor)
    for decks in (1, 2):
        analysis, scaled = analyze_wager(paytable, Shoe(decks)), analyze_wager(scaled_paytable, Shoe(decks))
        amounts = {"Mega": F("77"), "Minor": F("13")}
        for figure in ("return_", "house_edge", "variance", "mean_win", "return_without_top"):
            scaled_figure = getattr(scaled, figure).at(scale_amounts(amounts, factor))
            assert scaled_figure == getattr(analysis, figure).at(amounts)
            assert scaled_figure.is_constant
        assert with_meter_amounts(scaled).meters == scale_amounts(with_meter_amounts(analysis).meters, factor)
        assert with_meter_amounts(scaled).variance == with_meter_amounts(analysis).variance
        edge, _ = house_edge_formula(scaled_paytable)
        symbols = meter_symbols(scaled_paytable)
        substitutions = {symbols[name]: amount for name, amount in scale_amounts(amounts, factor).items()}
        value = edge.subs({DECKS_SYMBOL: decks} | substitutions)
        assert Fraction(int(value.p), int(value.q)) == scaled.house_edge.at(scale_amounts(amounts, factor)).constant


RUN = ({"seed": "40", "rate": "8%"}, {"seed": "12", "rate": "5%", "reserve": "1%"}, "", True)


@pytest.mark.parametrize(
    "amounts",
    [slow_case({}), slow_case({"Mega": F("250")}), {"Mega": F("250"), "Minor": F("31")}],
)
def test_scaled_sheets_and_workbooks_verify(amounts):
    sheets = [
        build_par_sheet(build_study(parse_scaled_bet(RUN, scale), Shoe(2), scale_amounts(amounts, scale)))
        for scale in (Fraction(1), Fraction(25))
    ]
    for sheet in sheets:
        assert verify(sheet.payload).differences == []
    original, scaled = (json.loads(json.dumps(sheet.payload)) for sheet in sheets)
    if len(amounts) == 2:  # otherwise figures are formulas of the meters, which the verifier has compared
        assert_scaled(original, scaled, 25)
    assert_scaled(original["outlook"], scaled["outlook"], 25)
    assert_scaled(original["exposure"], scaled["exposure"], 25)
    assert_scaled(original["meter"], scaled["meter"], 25, ("meter",))
    books = [Spreadsheet(workbook.render(sheet, 6)) for sheet in sheets]
    for name in ("HouseEdge", "Return", "Variance", "HitFrequency"):
        assert books[0].named(name) == books[1].named(name)
    for name in ("Meter_Mega", "Meter_Minor", "MeterWager"):
        assert books[0].named(name) * 25 == books[1].named(name)


def test_verifier_finds_an_altered_wager():
    payload = build_par_sheet(build_study(parse_scaled_bet(RUN, Fraction(25)), Shoe(2), {"Mega": F("250")})).payload
    assert payload["meter_wager"] == 25
    for wager in (1, 5, None):
        assert any("house_edge" in difference for difference in verify(payload | {"meter_wager": wager}).differences)


@pytest.mark.parametrize("reserve", ["0%", "5%"])
def test_exhausted_meter_scales_with_the_wager(reserve):
    def figures(factor):
        seed = format_decimal(10 * factor)
        text = (
            'bet = "B"\ndeal = "card:1"\n[[paytable]]\nid = "B"\ndecks = 1\nawards = [\n'
            '  { name = "Ace", when = "card.rank == A", pays = "100% of meter" },\n'
            '  { name = "Heart", when = "all(hearts)", pays = "2 for 1" },\n]\n'
            f'[[paytable.meters]]\nwager = "{format_decimal(factor)}"\nall_pays_deducted = true\n'
            f'levels = [{{ name = "meter", rate = "30%", reserve = "{reserve}", seed = "{seed}" }}]'
        )
        (paytable,), problems = parse_bet(text, "b.toml")
        assert not problems
        return meter_figures(analyze_wager(paytable, Shoe(1)))

    original, scaled = figures(Fraction(1)), figures(Fraction(5, 2))
    assert probability_below(original, F("4"), 12) == probability_below(scaled, F("10"), 12) > 0
    assert bound_probability_below(original, F("4"), 500) == pytest.approx(
        bound_probability_below(scaled, F("10"), 500)
    )
    assert drift(scaled) == drift(original) * Fraction(5, 2)


def test_explained_seeds_are_money():
    terms = ({"seed": "40", "rate": "8%"}, {"seed": "12", "rate": "5%"}, "", True)
    hold = numerals.format_percent(meter_figures(analyze_wager(parse_scaled_bet(terms), Shoe(2))).hold, 2)
    explanations = []
    for factor in (Fraction(1), Fraction(5)):
        seeds = [amount * factor for amount in (F("10"), F("12"), F("20"), F("40"))]
        rates = [Fraction(percent, 100) for percent in range(1, 20)]
        answers = explain_hold([Goal(parse_scaled_bet(terms, factor), hold, decks=(2,))], rates, seeds)
        explanations.append(
            {
                (explanation.rate, tuple(seed / factor for seed in explanation.seeds), explanation.holds)
                for explanation in answers
            }
        )
    assert explanations[0] == explanations[1]
    assert (F("13/100"), (40, 12)) in {(rate, seeds) for rate, seeds, _ in explanations[0]}


def test_command_line_uses_money(run, tmp_path):
    path = tmp_path / "b.toml"
    path.write_text(build_file(RUN, Fraction(5)))
    given_meters = ("--meter", "Mega=500", "--meter", "Minor=100")
    study = json.loads(run("show", path, "-d", "2", "-f", "json", *given_meters)[1])[0]
    page_of_meters = run("meter", "show", path, "-d", "2", *given_meters)[1]
    assert numerals.format_percent(Fraction(study["house_edge"]), 6) in page_of_meters
    pages = (("show", path, "-d", "2"), ("show", path), ("formula", path), ("compare", path), ("meter", "show", path))
    for page in pages:
        assert "Amounts of meters are money, for a wager of 5." in run(*page)[1]
    # --wager replaces the wager that the amounts refer to.
    (for_ten,) = json.loads(run("meter", "break-even", path, "-d", "2", "--wager", "10", "-f", "json")[1])
    (for_five,) = json.loads(run("meter", "break-even", path, "-d", "2", "-f", "json")[1])
    assert Fraction(for_ten["levels"][0]["slope"]) * 2 == Fraction(for_five["levels"][0]["slope"])


def test_wagers_may_differ_by_deck_count():
    text = build_file(RUN, Fraction(5)).replace('wager = "5"', 'wager = "5"\ndecks = 1')
    text += text[text.index("[[paytable.meters]]") :].replace('"5"\ndecks = 1', '"10"\ndecks = 2')
    (paytable,), problems = parse_bet(text, "b.toml")
    assert not problems
    amounts = {"Mega": F("100"), "Minor": F("100")}
    for decks, wager in ((1, 5), (2, 10)):
        sheet = build_par_sheet(build_study(paytable, Shoe(decks), amounts))
        assert sheet.payload["meter_wager"] == wager
        assert verify(sheet.payload).differences == []  # every line of the sheet uses one wager, other deck counts too
    assert paytable.meter_wager() == 1
    assert fraction_of_plays_above(meter_figures(analyze_wager(paytable, Shoe(1))).levels[0], F("10")) == 1
    assert (
        jackpot_quantile(meter_figures(analyze_wager(paytable, Shoe(1))).levels[1], F("1/2")) is None
    )  # a reserve is added


def test_wager_of_other_deck_counts_is_the_default(run, tmp_path):
    text = build_file(RUN, Fraction(5)).replace('wager = "5"', 'wager = "5"\ndecks = 1')
    path = tmp_path / "b.toml"
    path.write_text(text)
    (paytable,), _ = parse_bet(text, "b.toml")
    assert paytable.system_for(2) is None
    edge = analyze_wager(paytable, Shoe(2), {"Mega": F("300"), "Minor": F("70")}).house_edge
    for arguments in (("break-even",), ("show", "--seed", "0", "--rate", "0%")):
        meters = ("--meter", "Mega=300", "--meter", "Minor=70", "-f", "json")
        (answer,) = json.loads(run("meter", arguments[0], path, "-d", "2", *arguments[1:], *meters)[1])
        assert answer["wager"] == 5
        break_even = Fraction(answer["levels"][0]["break_even"])
        assert analyze_wager(paytable, Shoe(2), {"Mega": break_even, "Minor": F("70")}).house_edge == 0
        assert edge == (break_even - 300) * Fraction(answer["levels"][0]["slope"])
