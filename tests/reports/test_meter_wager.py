"""Amounts of meters are money for a stated wager: scaled together, they leave every ratio as it was."""

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
from combinat.study import build_study
from combinat.verifier import verify
from decks import Shoe
from reports.answers.meters import MeterOptions, break_even_document, meter_document, meter_payload
from reports.answers.studies import study_payload
from reports.page import numerals
from reports.render import workbook
from reports.sheet.par_sheet import build_par_sheet
from tests.profiles import tries
from tests.spreadsheet import Spreadsheet

FACTORS = ["5", "10", "25", "0.5", "0.04", "3", "1000"]
AMOUNTS = {"seed", "cap", "average_meter", "break_even", "wager", "meter_wager", "Mega", "Minor", "settled_meters"}
AMOUNTS |= {"percentile_99", "max_wager", "largest_win", "largest_payment", "win", "payment", "prize"}
"""Keys of JSON, and columns, whose values are amounts of money."""
NAMES = ("Mega", "Minor")


def F(text):  # noqa: N802  # short for the many fractions below
    return Fraction(text)


def text_of(level, factor):
    money = {key: format_decimal(F(value) * factor) for key, value in level.items() if key in ("seed", "cap")}
    return ", ".join(
        f'{key} = "{value}"' if isinstance(value, str) else f"{key} = {value}" for key, value in (level | money).items()
    )


def file_of(run, factor=Fraction(1)):
    """A bet on two cards with two meters, and everything that is money multiplied by a factor."""
    mega, minor, extra, parts = run
    part = '  { name = "Nines", when = "9-9", pays = "10% of Mega" },\n' if parts else ""
    return (
        'bet = "B"\ndeal = "player:2"\n[[paytable]]\nid = "B"\ndecks = [1, 2]\nawards = [\n'
        '  { name = "Aces", when = "A-A", pays = "100% of Mega" },\n'
        '  { name = "Kings", when = "K-K", pays = "100% of Minor" },\n'
        f'{part}  {{ name = "Pair", when = "pair", pays = "3 to 1" }},\n]\n'
        f'[[paytable.meters]]\nwager = "{format_decimal(factor)}"\n{extra}levels = [\n'
        f'  {{ name = "Mega", {text_of(mega, factor)} }},\n  {{ name = "Minor", {text_of(minor, factor)} }},\n]\n'
    )


def bet_of(run, factor=Fraction(1)):
    (paytable,), problems = parse_bet(file_of(run, factor), "b.toml")
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


def number(value):
    return Fraction(value) if isinstance(value, int) or not value.startswith("sqrt") else Fraction(value[5:-1])


def assert_scaled(one, other, factor, path=()):
    """Compare two answers part by part: money is in proportion, everything else is the same."""
    key = path[-1] if path else ""
    if isinstance(one, dict):
        assert one.keys() == other.keys(), path
        for name in one:
            if name not in ("identification", "data_sha256", "tax"):  # thresholds are not in another currency
                assert_scaled(one[name], other[name], factor, (*path, name))
    elif isinstance(one, list):
        assert len(one) == len(other), path
        for a, b in zip(one, other, strict=True):
            assert_scaled(a, b, factor, path)
    elif one is None or isinstance(one, bool):
        assert one == other, path
    elif key in AMOUNTS and "hits" not in path:  # a chance by the name of its meter
        assert number(other) == number(one) * factor, path
    elif path[-2:] == ("levels", "variance"):
        assert number(other) == number(one) * factor**2, path
    elif path[-2:] == ("levels", "slope"):
        assert number(other) * factor == number(one), path
    else:
        assert one == other, path


def tables_of(document):
    """What a page shows: each column's values, under its heading."""
    return {
        (table.caption, column.title, row): [line[place] for line in table.rows][row]
        for table in document.tables
        for place, column in enumerate(table.columns)
        for row in range(len(table.rows))
    }


def scale_of(heading, factor):
    if heading in ("Seed", "Average meter and jackpot", "Its deviation", "Break-even", *NAMES):
        return factor
    if heading.endswith(": jackpot") or heading.startswith("Prize, "):
        return factor
    return 1 / factor if heading == "Return per 10,000" else Fraction(1)


def assert_page_scaled(one, other, factor):
    ours, theirs = tables_of(one), tables_of(other)
    assert ours.keys() == theirs.keys()
    for (caption, heading, row), value in ours.items():
        scale, found = scale_of(heading, factor), theirs[caption, heading, row]
        if value is None or isinstance(value, str):
            assert found == value, (caption, heading, row)
        elif hasattr(value, "square"):
            assert found.square == value.square * scale**2
        else:
            assert found == value * scale, (caption, heading, row)


@given(runs(), amounts, st.sampled_from(FACTORS).map(Fraction), st.sampled_from([1, 2]))
@tries(40, quick=3)
def test_wager_and_amounts_scaled_together_leave_every_ratio_as_it_was(run, shown, factor, decks):
    studies = [build_study(bet_of(run, scale), Shoe(decks), given_at(shown, scale)) for scale in (1, factor)]
    assert_scaled(*map(study_payload, studies), factor)
    one, other = (studied.analysis for studied in studies)
    ours, theirs = meter_figures(one), meter_figures(other)
    assert ours.hold_bounds == theirs.hold_bounds
    question, asked = MeterOptions(one.meters, Pace(F("500"))), MeterOptions(other.meters, Pace(F("500")))
    assert_scaled(meter_payload(ours, question), meter_payload(theirs, asked), factor)
    if ours.has_closed_form:
        assert_page_scaled(meter_document(ours, question), meter_document(theirs, asked), factor)
        assert_page_scaled(break_even_document(ours, question), break_even_document(theirs, asked), factor)
    # And the headline's edge is that of the meters' own section, at the amounts given.
    assert other.house_edge.constant == 1 - theirs.return_at(other.meters)
    assert other.return_.constant == theirs.return_.at(other.meters).constant


def given_at(shown, scale):
    return {name: amount * scale for name, amount in shown.items()}


@given(runs(), st.sampled_from(FACTORS).map(Fraction))
@tries(15)
def test_open_meters_stand_for_money_in_every_formula(run, factor):
    ones, others = bet_of(run), bet_of(run, factor)
    for decks in (1, 2):
        one, other = analyze_wager(ones, Shoe(decks)), analyze_wager(others, Shoe(decks))
        at = {"Mega": F("77"), "Minor": F("13")}
        for figure in ("return_", "house_edge", "variance", "mean_win", "return_without_top"):
            there = getattr(other, figure).at(given_at(at, factor))
            assert there == getattr(one, figure).at(at)
            assert there.is_constant
        assert with_meter_amounts(other).meters == given_at(with_meter_amounts(one).meters, factor)
        assert with_meter_amounts(other).variance == with_meter_amounts(one).variance
        edge, _ = house_edge_formula(others)
        symbols = meter_symbols(others)
        put_in = {symbols[name]: amount for name, amount in given_at(at, factor).items()}
        value = edge.subs({DECKS_SYMBOL: decks} | put_in)
        assert Fraction(int(value.p), int(value.q)) == other.house_edge.at(given_at(at, factor)).constant


RUN = ({"seed": "40", "rate": "8%"}, {"seed": "12", "rate": "5%", "reserve": "1%"}, "", True)


@pytest.mark.parametrize(
    "shown", [{}, pytest.param({"Mega": F("250")}, marks=pytest.mark.slow), {"Mega": F("250"), "Minor": F("31")}]
)
def test_sheets_and_workbooks_scale_too_and_the_second_method_agrees(shown):
    sheets = [
        build_par_sheet(build_study(bet_of(RUN, scale), Shoe(2), given_at(shown, scale)))
        for scale in (Fraction(1), Fraction(25))
    ]
    for sheet in sheets:
        assert verify(sheet.payload).differences == []
    one, other = (json.loads(json.dumps(sheet.payload)) for sheet in sheets)
    if len(shown) == 2:  # else there are formulas in the meters, which the second method has compared
        assert_scaled(one, other, 25)
    assert_scaled(one["expectation"], other["expectation"], 25)
    assert_scaled(one["exposure"], other["exposure"], 25)
    assert_scaled(one["meter"], other["meter"], 25, ("meter",))
    books = [Spreadsheet(workbook.render(sheet, 6)) for sheet in sheets]
    for name in ("HouseEdge", "Return", "Variance", "HitFrequency"):
        assert books[0].named(name) == books[1].named(name)
    for name in ("Meter_Mega", "Meter_Minor", "MeterWager"):
        assert books[0].named(name) * 25 == books[1].named(name)


def test_second_method_notices_another_wager():
    payload = build_par_sheet(build_study(bet_of(RUN, Fraction(25)), Shoe(2), {"Mega": F("250")})).payload
    assert payload["meter_wager"] == 25
    for wager in (1, 5, None):
        assert any("house_edge" in one for one in verify(payload | {"meter_wager": wager}).differences)


@pytest.mark.parametrize("reserve", ["0%", "5%"])
def test_meter_that_pays_everything_runs_dry_alike_in_another_currency(reserve):
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

    one, other = figures(Fraction(1)), figures(Fraction(5, 2))
    assert probability_below(one, F("4"), 12) == probability_below(other, F("10"), 12) > 0
    assert bound_probability_below(one, F("4"), 500) == pytest.approx(bound_probability_below(other, F("10"), 500))
    assert drift(other) == drift(one) * Fraction(5, 2)


def test_explained_seeds_are_money_for_the_wager_too():
    plain = ({"seed": "40", "rate": "8%"}, {"seed": "12", "rate": "5%"}, "", True)
    hold = numerals.format_percent(meter_figures(analyze_wager(bet_of(plain), Shoe(2))).hold, 2)
    found = []
    for factor in (Fraction(1), Fraction(5)):
        seeds = [amount * factor for amount in (F("10"), F("12"), F("20"), F("40"))]
        rates = [Fraction(percent, 100) for percent in range(1, 20)]
        answers = explain_hold([Goal(bet_of(plain, factor), hold, decks=(2,))], rates, seeds)
        found.append({(one.rate, tuple(seed / factor for seed in one.seeds), one.holds) for one in answers})
    assert found[0] == found[1]
    assert (F("13/100"), (40, 12)) in {(rate, seeds) for rate, seeds, _ in found[0]}


def test_command_line_speaks_of_money(run, tmp_path):
    path = tmp_path / "b.toml"
    path.write_text(file_of(RUN, Fraction(5)))
    given_meters = ("--meter", "Mega=500", "--meter", "Minor=100")
    shown = json.loads(run("show", path, "-d", "2", "-f", "json", *given_meters)[1])[0]
    asked = run("meter", "show", path, "-d", "2", *given_meters)[1]
    assert numerals.format_percent(Fraction(shown["house_edge"]), 6) in asked
    pages = (("show", path, "-d", "2"), ("show", path), ("formula", path), ("compare", path), ("meter", "show", path))
    for page in pages:
        assert "Amounts of meters are money, for a wager of 5." in run(*page)[1]
    # A wager given on the command line is the one that amounts are for.
    (for_ten,) = json.loads(run("meter", "break-even", path, "-d", "2", "--wager", "10", "-f", "json")[1])
    (for_five,) = json.loads(run("meter", "break-even", path, "-d", "2", "-f", "json")[1])
    assert Fraction(for_ten["levels"][0]["slope"]) * 2 == Fraction(for_five["levels"][0]["slope"])


def test_wagers_that_differ_by_deck_count_are_kept_apart():
    text = file_of(RUN, Fraction(5)).replace('wager = "5"', 'wager = "5"\ndecks = 1')
    text += text[text.index("[[paytable.meters]]") :].replace('"5"\ndecks = 1', '"10"\ndecks = 2')
    (paytable,), problems = parse_bet(text, "b.toml")
    assert not problems
    shown = {"Mega": F("100"), "Minor": F("100")}
    for decks, wager in ((1, 5), (2, 10)):
        sheet = build_par_sheet(build_study(paytable, Shoe(decks), shown))
        assert sheet.payload["meter_wager"] == wager
        assert verify(sheet.payload).differences == []  # one wager for every line of the sheet, other deck counts too
    assert paytable.meter_wager() == 1
    assert fraction_of_plays_above(meter_figures(analyze_wager(paytable, Shoe(1))).levels[0], F("10")) == 1
    assert (
        jackpot_quantile(meter_figures(analyze_wager(paytable, Shoe(1))).levels[1], F("1/2")) is None
    )  # a reserve is added


def test_wager_stated_for_other_deck_counts_is_taken_where_none_is(run, tmp_path):
    text = file_of(RUN, Fraction(5)).replace('wager = "5"', 'wager = "5"\ndecks = 1')
    path = tmp_path / "b.toml"
    path.write_text(text)
    (paytable,), _ = parse_bet(text, "b.toml")
    assert paytable.system_for(2) is None
    edge = analyze_wager(paytable, Shoe(2), {"Mega": F("300"), "Minor": F("70")}).house_edge
    for arguments in (("break-even",), ("show", "--seed", "0", "--rate", "0%")):
        meters = ("--meter", "Mega=300", "--meter", "Minor=70", "-f", "json")
        (answer,) = json.loads(run("meter", arguments[0], path, "-d", "2", *arguments[1:], *meters)[1])
        assert answer["wager"] == 5
        even = Fraction(answer["levels"][0]["break_even"])
        assert analyze_wager(paytable, Shoe(2), {"Mega": even, "Minor": F("70")}).house_edge == 0
        assert edge == (even - 300) * Fraction(answer["levels"][0]["slope"])
