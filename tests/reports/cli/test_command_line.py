"""Commands end to end: printed output, written files and refusals."""

import csv
import io
import json
import os
import subprocess
import sys
from decimal import ROUND_CEILING, Decimal
from fractions import Fraction
from pathlib import Path

import openpyxl
import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable, iter_collection
from combinat.exact.polynomial import Polynomial
from combinat.version import VERSION
from decks import Shoe
from tests.bet_text import VALID_BET
from tests.slow_cases import slow_case

DATA = Path(__file__).parents[2] / "data"
BUSTS, METERS = DATA / "busts.toml", DATA / "meters.toml"


def test_json_has_exact_figures(run):
    code, out, err = run("show", "TRI-03", "--decks", "6", "--format", "json")
    assert (code, err) == (0, "")
    (sheet,) = json.loads(out)
    analysis = analyze_wager(get_paytable("TRI-03"), Shoe(6))
    assert (sheet["paytable"], sheet["bet"], sheet["decks"], sheet["cycle"]) == ("TRI-03", "TriLux Bonus", 6, 5_013_320)
    for award, line in zip(sheet["awards"], analysis.lines, strict=True):
        assert (award["name"], award["ways"]) == (line.award.name, line.ways)
        assert Fraction(award["probability"]) == line.probability
        assert Fraction(award["return"]) == line.return_.constant
        assert Fraction(award["pays"]) == line.award.pay.amount
    for key in ("house_edge", "return", "hit_frequency", "variance"):
        figure = {"return": "return_"}.get(key, key)
        assert Polynomial.of(Fraction(sheet[key])) == getattr(analysis, figure)
    assert sheet["standard_deviation"] == f"sqrt({sheet['variance']})"
    assert sum(award["ways"] for award in sheet["awards"]) + sheet["losing_hands"]["ways"] == sheet["cycle"]


def test_json_is_symbolic_unless_meters_are_given(run):
    sheet = json.loads(run("show", "BLZ-ML03-UP", "-d", "6", "-f", "json")[1])[0]
    assert sheet["return"] == "3/250666*Major + 1/250666*Mega + 9/125333*Minor + 60192/125333"
    assert sheet["fixed_return"] == "60192/125333"
    given = ("--meter", "Mega=50000", "--meter", "major=5,000", "--meter", "Minor=500")
    sheet = json.loads(run("show", "BLZ-ML03-UP", "-d", "6", "-f", "json", *given)[1])[0]
    expected = Fraction(60192, 125333) + Fraction(50_000 + 3 * 5_000 + 18 * 500, 250_666)
    assert Fraction(sheet["return"]) == expected
    assert sheet["meters"] == {"Mega": 50000, "Major": 5000, "Minor": 500}


def test_dealer_bet_is_shown_by_up_card(run):
    _, out, _ = run("show", BUSTS, "-d", "6")
    assert "Given the up card" in out
    assert "Betting only on the best up cards" in out
    sheet = json.loads(run("show", BUSTS, "-d", "6", "-f", "json")[1])[0]
    assert [row["up"] for row in sheet["up_cards"]] == ["2", "5", "8", "10, K", "A"]
    with_eight_up = json.loads(run("show", BUSTS, "-d", "6", "--up", "8", "-f", "json")[1])[0]
    assert with_eight_up["house_edge"] == sheet["up_cards"][2]["house_edge"]
    assert [award["name"] for award in with_eight_up["awards"]] == [
        award["name"] for award in sheet["up_cards"][2]["awards"]
    ]
    assert (
        sum(award["ways"] for award in with_eight_up["awards"]) + with_eight_up["losing_hands"]["ways"]
        == with_eight_up["cycle"]
    )
    with_removed = json.loads(run("show", BUSTS, "-d", "6", "--up", "8", "--removed", "8h 8d", "-f", "json")[1])[0]
    assert Fraction(with_removed["house_edge"]) > Fraction(with_eight_up["house_edge"])
    with_s17 = json.loads(run("show", BUSTS, "-d", "6", "--s17", "-f", "json")[1])[0]
    assert Fraction(with_s17["house_edge"]) != Fraction(sheet["house_edge"])
    assert "stands on soft 17" in with_s17["title"]
    assert "Given the up card" in run("show", BUSTS, "-d", "6", "-f", "csv")[1]


@pytest.mark.slow
@pytest.mark.parametrize("format", ["latex", "markdown"])
def test_dealer_bet_is_shown_by_up_card_in_other_formats(run, format):
    assert "Given the up card" in run("show", "BB-1", "-d", "6", "-f", format)[1]


@pytest.mark.slow
def test_formula_of_a_dealer_bet_has_its_awards(run):
    assert "Suited bust" in run("formula", "BB-1")[1]


@pytest.mark.parametrize(
    ("rule", "deal", "name"),
    [
        ("--s17", "dealer:s17", "BUSTS-6D-s17.json"),
        slow_case("--h17", "dealer:h17", "BUSTS-6D.json"),
    ],
)
def test_parsheet_takes_the_options_of_other_commands(run, tmp_path, rule, deal, name):
    code, out, err = run("parsheet", BUSTS, "-d", "6,7", rule, "-f", "json", "-o", tmp_path)
    assert (code, out) == (0, f"{tmp_path / name}\n")
    assert err.startswith("combinat: BUSTS is designed for 2, 6 decks, not 7; --any-decks ")
    sheet = json.loads((tmp_path / name).read_text())
    shown = json.loads(run("show", BUSTS, "-d", "6", rule, "-f", "json")[1])[0]
    assert sheet["deal"] == shown["deal"] == deal
    assert sheet["house_edge"] == shown["house_edge"]
    assert sheet["title"] == shown["title"]


@pytest.mark.parametrize("option", [("--s17",), ("--hands", "2"), ("--strategy", "basic")])
def test_irrelevant_table_rules_are_refused(run, tmp_path, option):
    shown, written = run("show", "TRI-03", *option), run("parsheet", "TRI-03", *option, "-o", tmp_path / "x")
    assert shown == written
    assert (shown[0], shown[2].count("\n"), (tmp_path / "x").exists()) == (2, 1, False)


def test_published_figures_apply_to_their_soft_17_rule(run, tmp_path):
    file = tmp_path / "bust.toml"
    file.write_text(
        'bet = "Bust"\ndeal = "dealer:h17"\n[[paytable]]\nid = "B"\ndecks = 6\n'
        'published = [{ decks = 6, house_edge = "14.28%" }]\n'
        'awards = [{ name = "Bust", when = "bust", pays = "2 to 1" }]\n'
    )
    as_written, with_s17 = (json.loads(run("show", file, *rule, "-f", "json")[1])[0] for rule in ((), ("--s17",)))
    assert [figure["text"] for figure in as_written["published"]] == ["14.28%"]
    assert (with_s17["published"], with_s17["flags"]) == ([], [])


def test_several_deck_counts_have_a_line_each(run):
    code, out, err = run("show", "TRI-03", "--decks", "1,2,4-8")
    assert code == 0
    assert [line.split()[1] for line in out.splitlines() if line.startswith("TRI-03 ")] == [
        "2",
        "4",
        "5",
        "6",
        "7",
        "8",
    ]
    assert err.startswith("combinat: TRI-03 is designed for 2-8 decks, not 1; --any-decks ")


def test_deck_count_off_the_design_needs_the_option(run):
    code, out, err = run("show", "TRI-02", "-d", "6")
    assert (code, out) == (2, "")
    assert "TRI-02 is designed for 2 decks, not 6; --any-decks" in err
    code, out, _ = run("show", "TRI-02", "-d", "6", "--any-decks")
    assert code == 0
    assert "! not designed for 6 decks: TRI-02 is for 2 decks" in out


@pytest.mark.parametrize("format", ["table", "markdown", "csv", "latex", "json"])
@pytest.mark.parametrize("command", [("show",), ("compare", "TRI-03"), ("show", "TRI-03")])
def test_player_edge_is_flagged_everywhere(run, format, command):
    _, out, _ = run(*command, "TRI-02", "-d", "6", "--any-decks", "-f", format)
    assert "favors the player" in out
    assert "impossible" in run(*command, "SUP-01", "-d", "2", "--any-decks", "-f", format)[1]


def test_csv_reads_back_to_the_exact_figures(run):
    rows = list(csv.DictReader(io.StringIO(run("show", "TRI-04", "-d", "8", "-f", "csv")[1])))
    analysis = analyze_wager(get_paytable("TRI-04"), Shoe(8))
    for row, line in zip(rows, analysis.lines, strict=False):
        assert (row["Kind"], row["Name"], int(row["Ways"])) == ("Award", line.award.name, line.ways)
        assert Fraction(row["Probability (exact)"]) == line.probability
        assert abs(Fraction(row["Probability"]) - line.probability) <= Fraction(1, 2 * 10**8)
        assert Fraction(row["Return (exact)"]) == line.return_.constant
    (total,) = [row for row in rows if row["Kind"] == "Total"]
    assert int(total["Ways"]) == 11_912_160


@pytest.mark.parametrize("digits", [0, 3, 40])
def test_digits_option_sets_the_decimals(run, digits):
    _, out, _ = run("show", "TRI-01", "-d", "6", "--digits", digits, "-f", "csv")
    row = next(csv.DictReader(io.StringIO(out)))
    assert len(row["Probability"].partition(".")[2]) == digits
    _, out, _ = run("show", "TRI-01", "-d", "6", "--digits", digits)
    deviation = next(line.split()[-1] for line in out.splitlines() if line.startswith("Standard deviation"))
    assert len(deviation.partition(".")[2]) == digits


def test_markdown_rows_have_equal_cell_counts(run):
    _, out, _ = run("show", "TRI-03", "-d", "6", "-f", "markdown")
    table = [line for line in out.splitlines() if line.startswith("|")]
    assert {line.count("|") for line in table} == {8}
    assert len(table) == 2 + 5 + 2


def test_latex_characters_are_escaped(run):
    _, out, _ = run("show", "BLZ-1-UP", "-f", "latex")
    assert r"100\% of meter" in out
    assert out.count(r"\toprule") == out.count(r"\bottomrule") == 2
    assert r"\hline" not in out


def test_removed_cards_change_the_result(run):
    sheet = json.loads(run("show", "BLZ-1-UP", "--removed", "7h 7d Ks", "-f", "json")[1])[0]
    assert (sheet["cards"], sheet["removed"]) == (309, ["7h", "7d", "Ks"])
    assert Fraction(sheet["hit_frequency"]) == 1 - Fraction(287 * 286, 309 * 308)


def test_odds_of_a_rule(run):
    (sheet,) = json.loads(run("odds", "suited and straight", "--deal", "player:2,dealer:1", "-d", "6", "-f", "json")[1])
    assert (sheet["ways"], sheet["cycle"]) == (10_368, 5_013_320)
    sheets = json.loads(run("odds", "player.has(7)", "--given", "suited", "-d", "1,2", "-f", "json")[1])
    assert [sheet["probability"] for sheet in sheets] == ["2/13", "49/325"]


def test_bet_file_is_shown_compared_and_checked(run, mine):
    assert "Two sevens" in run("show", mine, "-d", "6")[1]
    assert "MINE" in run("compare", "TRI-03", mine, "-d", "6,8")[1]
    code, out, err = run("check", mine)
    assert (code, err) == (0, "")
    assert "warning: the house edge is up to 62.2%" in out
    mine.write_text(VALID_BET.replace("player.7-7", "player.7-7 and suited and pair and up.rank > A"))
    code, out, _ = run("check", mine)
    assert code == 1
    assert "MINE: error: Two sevens: no hand fits" in out
    mine.write_text(VALID_BET.replace("suited", "siuted").replace("2.5 for 1", "2.5"))
    code, out, err = run("check", mine)
    assert (code, out) == (2, "")
    assert [line.startswith(f"combinat: {mine}: line ") for line in err.splitlines()] == [True, True]
    assert json.loads(run("check", mine, "-f", "json")[1])[0]["ok"] is False


def test_list_names_every_paytable_and_filters(run):
    _, out, _ = run("list")
    assert all(f"\n{paytable.id} " in out for paytable in iter_collection())
    blazing = json.loads(run("list", "blazing", "-f", "json")[1])
    assert [entry["paytable"] for entry in blazing] == [
        entry.id for entry in iter_collection() if entry.id.startswith("BLZ-")
    ]


def test_collection_is_listed_by_heading_or_alone(run):
    _, every, _ = run("list")
    places = [every.index(text) for text in ("Collection: main", "TRI-03 ", "Collection: baccarat", "BAC-TIE ")]
    assert places == sorted(places)
    _, alone, _ = run("list", "--collection", "baccarat")
    assert "Collection:" not in alone
    assert "TRI-03" not in alone
    assert run("catalog", "--shelf", "baccarat")[1] == alone  # hidden synonyms
    assert "--shelf" not in run("list", "--help")[1]
    found = json.loads(run("list", "tie", "--collection", "baccarat", "-f", "json")[1])
    assert {one["collection"] for one in found} == {"baccarat"}
    assert "BAC-TIE" in {one["paytable"] for one in found}
    assert run("show", "bac-tie", "-d", "8")[0] == 0


def test_meter_commands_print_results(run):
    (sheet,) = json.loads(run("meter", "show", "BLZ-1-UP", "-f", "json")[1])
    assert Fraction("0.24775") < Fraction(sheet["hold"]) < Fraction("0.24785")
    assert Fraction(sheet["hold"]) + Fraction(sheet["return_at_average"]) == 1
    _, out, _ = run("meter", "show", "BLZ-ML03-UP", "-d", "8", "--plays-per-day", "2,000", "--days", "60")
    assert "Days between hits" in out
    assert "Inferred, not stated" in out
    (result,) = json.loads(
        run("meter", "explain", "BLZ-1-UP", "BLZ-2-UP", "BLZ-ML03-UP", "BLZ-ML04-UP", "--together", "-f", "json")[1]
    )
    assert result["explanations"] == [
        {"rate": "6/25", "seeds": [2000, 1000, 500], "decks": [6, 6, 8, 6], "holds": result["explanations"][0]["holds"]}
    ]
    assert "Break-even" in run("meter", "break-even", "BLZ-1-UP")[1]
    assert "rate - 0.000015957489 * seed" in run("meter", "show", "TBJ-06-2024", "-d", "6")[1]
    assert "15.133445%" in run("meter", "show", "TBJ-06-2024", "-d", "6", "--seed", "5000", "--rate", "20%")[1]
    assert "house jackpot" in run("meter", "show", "TBJ-06-2024", "-d", "6", "--seed", "5000", "--posted-jackpot")[1]


def test_meter_bounds_are_numbers_in_csv(run):
    (row,) = csv.DictReader(io.StringIO(run("meter", "break-even", "BLZ-1-UP", "-f", "csv", "--digits", "4")[1]))
    roots = {name: row.pop(name) for name in list(row) if "deviation (exact)" in name}
    assert all(text.startswith("sqrt(") for text in roots.values())
    numbers = {name: Fraction(text) for name, text in row.items() if name not in ("Paytable", "Given", "Meter")}
    bound = numbers["Plays there or above, at most"]
    assert (
        "Plays there or above, at most (exact)" not in row
    )  # a power of thousands of plays is computed to sixty digits only
    break_even, seed, rate, plays_per_hit = (
        Fraction(row[f"{name} (exact)"]) for name in ("Break-even", "Seed", "Rate", "Hit once in")
    )
    plays = -(-(break_even - seed) // rate)  # the last play may be the hit
    miss_probability = Decimal(plays_per_hit.numerator - plays_per_hit.denominator) / Decimal(plays_per_hit.numerator)
    assert bound == Fraction((miss_probability ** (int(plays) - 1)).quantize(Decimal("0.0001"), ROUND_CEILING))
    assert "<= 25.6521%" in run("meter", "break-even", "BLZ-1-UP", "-d", "6")[1]


@pytest.mark.slow
def test_meter_plot_is_deterministic(run, tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
    for name in ("a.svg", "a.png"):
        for folder in ("one", "two"):
            assert run("meter", "show", METERS, "-d", "6", "--plot", tmp_path / folder / name)[0] == 0
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()
    assert (tmp_path / "one" / "a.svg").read_bytes().startswith(b"<?xml")


def test_hold_without_closed_form_has_bounds(run):
    (capped,) = json.loads(run("meter", "show", "BLZ-1-UP", "--cap", "30000", "-f", "json")[1])
    low, high = Fraction(capped["hold_at_least"]), Fraction(capped["hold_at_most"])
    assert low == Fraction(json.loads(run("meter", "show", "BLZ-1-UP", "-f", "json")[1])[0]["hold"])
    assert low < high < Fraction(3, 10)
    assert "at most" in run("meter", "show", "BLZ-1-UP", "--cap", "30000")[1]
    _, out, _ = run("meter", "show", "BLZ-2-UP", "--cap", "30000", "--not-deducted")
    assert "kept out by the cap" in out
    no_cap = ("meter", "show", "BLZ-2-UP", "--not-deducted", "-f", "json")
    capped_in_vain = ("--cap", "26000", "--rate-after-cap", "24%")  # reached after exactly 100,000 contributions
    assert run(*no_cap, *capped_in_vain)[1].partition("hold")[2][:30] == run(*no_cap)[1].partition("hold")[2][:30]


def test_bounded_hold_is_shown_with_bounds(run, tmp_path):
    path = tmp_path / "capped.toml"
    path.write_text(
        'bet = "B"\ndeal = "player:2"\n[[paytable]]\nid = "B"\ndecks = 6\nawards = [\n'
        '  { name = "Aces", when = "A-A and suited", pays = "100% of meter" },\n'
        '  { name = "Kings", when = "K-K", pays = "10% of meter" },\n]\n'
        '[[paytable.meters]]\nlevels = [{ name = "meter", seed = 100, rate = "20%", cap = 500 }]\n'
    )
    assert "Hold in the long run, at most" in run("show", path)[1]
    assert json.loads(run("show", path, "-f", "json")[1])[0]["hold"] is None


def test_meter_that_pays_everything_can_be_exhausted(run):
    arguments = ("--seed", "100", "--rate", "70%", "--all-pays-deducted", "--plays", "100", "--floor", "50")
    code, out, _ = run("meter", "show", "TBJ-06-2024", "-d", "6", *arguments)
    assert code == 0
    assert "Meter below 50 within 100 plays" in out
    _, out, _ = run("meter", "show", "TBJ-06-2024", "-d", "6", *arguments[:-4], "--plays", "100000", "--floor", "50")
    assert "Meter below 50 within 100,000 plays, at most" in out


HUGE = "9" * 5000


INVALID_RATES = ["0-100000000", "30-10", "-5", "-5-10", "nan", "inf", "1e400", "0x10", "101", "1-2-3", "1/0", ","]
INVALID_RATES += ["1,,2", "20.5-24", "٢٠-٢٥", "²", "0-100-", "10..20", "1_0", "$5"]


@pytest.mark.parametrize("rates", [*INVALID_RATES, "", " ", "5" * 21, HUGE, f"0-{HUGE}", f"{HUGE}-{HUGE}"])
def test_invalid_trial_rates_are_refused_in_one_line(run, rates):
    code, out, err = run("meter", "explain", "BLZ-1-UP", f"--rates={rates}")
    assert (code, out) == (2, "")
    assert err.startswith("combinat: --rates ")
    assert err.count("\n") == 1
    assert len(err) < 400


def test_trial_rates_are_numbers_or_ranges(run):
    def explanations_for(rates):
        return json.loads(run("meter", "explain", "BLZ-1-UP", "--rates", rates, "-f", "json")[1])[0]["explanations"]

    assert (
        explanations_for("24")
        == explanations_for("24%")
        == explanations_for("24,24,24")
        == explanations_for("22-24, 24.5")
        == explanations_for("22%-24%")
    )
    assert {explanation["rate"] for explanation in explanations_for("24")} == {"6/25"}


def test_oversized_rate_grid_is_refused(run, monkeypatch):
    monkeypatch.setattr("combinat.meters.explain.MAX_TRIES", 1_000)
    seeds = ",".join(map(str, range(1, 500)))
    arguments = ("BLZ-ML03-UP", "BLZ-1-UP", "--together", "--hold", "20", "--seeds", seeds, "--rates", "0-100")
    code, out, err = run("meter", "explain", *arguments)
    assert (code, out) == (2, "")
    assert "more than 1,000 combinations to try; give fewer --rates, --seeds or --decks" in err


@pytest.mark.parametrize(("pays", "levels"), [("3.14159 to 1", 3), slow_case("100000 to 1", 0)])
def test_expensive_outlook_is_noted_in_every_format(run, tmp_path, pays, levels):
    """The normal approximation is noted in every row of the outlook and at every level of the plays needed."""
    path = tmp_path / "mine.toml"
    path.write_text(
        'bet = "B"\ndeal = "player:2"\n[[paytable]]\nid = "B"\ndecks = 6\nawards = [\n'
        f'  {{ name = "Pair", when = "pair", pays = "{pays}" }},\n'
        '  { name = "Flush", when = "suited", pays = "1.5 to 1" },\n]\n'
    )
    assert run("parsheet", path, "-f", "md,html,tex,csv,json,xlsx", "-o", tmp_path / "out")[0] == 0
    files = {file.suffix: file for file in (tmp_path / "out").glob("B-6D.*")}
    rows = json.loads(files[".json"].read_text())["outlook"]
    assert {row["method"] for row in rows} == {"normal"}
    for suffix in (".md", ".html", ".tex", ".csv"):
        assert files[suffix].read_text().count("normal curve, an approximation") == len(rows) + levels
    book = openpyxl.load_workbook(files[".xlsx"], data_only=True)
    texts = [cell.value for sheet in book for line in sheet.iter_rows() for cell in line]
    assert texts.count("normal curve, an approximation") == len(rows) + levels


def test_formula_gives_closed_forms(run):
    assert "4*n^3" in run("formula", "TRI-03")[1]
    assert json.loads(run("formula", "HM-1", "-f", "json")[1])[0]["house_edge"] == "(172*n + 39)/(13*(52*n - 1))"
    assert r"\frac" in run("formula", "HM-1", "-f", "latex")[1]


def test_words_lists_the_rule_language(run):
    _, out, _ = run("words")
    assert "three of a kind" in out
    assert "hard total" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["show", "TRI-O3"], "did you mean 'TRI-03'"),
        (["show", "TRI-03", "-d", "0"], "got 0"),
        (["show", "TRI-03", "-d", "2.5"], "'2.5'"),
        (["show", "TRI-03", "-d", "six"], "'six'"),
        (["show", "TRI-03", "-d", "1000000"], "got 1000000"),
        (["show", "TRI-03", "-d", "-1"], "'-1'"),
        (["show", "TRI-03", "-d", "6", "--removed", "7h " * 7], "cannot remove 7 of 7h: there are only 6 in 6 decks"),
        (["show", "TRI-03", "-d", "6", "--removed", "seven"], "'seven' is not a card"),
        (["show", "TRI-03", "--format", "jsno"], "did you mean 'json'"),
        (["show", "TRI-03", "--digits", "-3"], "--digits must be 0 to 1000, got -3"),
        (["show", "TRI-03", "--digits", "100000"], "--digits must be 0 to 1000, got 100000"),
        (["show", "TRI-03", "--digits", "x"], "'x' is not a valid int"),
        (["show", "TRI-03", "--meter", "5"], "TRI-03 has no meter"),
        (["show", "BLZ-1-UP", "--meter", "lots"], "'lots' is not an amount"),
        (["show", "BLZ-1-UP", "--meter", "-5"], "'-5' is not an amount"),
        (["show", "BLZ-1-UP", "--meter", "Mega=5"], "has no meter 'Mega'"),
        (["show", "BLZ-ML03-UP", "--meter", "5"], "as in Mega=5"),
        (["show", "BB-1", "--up", "11"], "'11' is not a rank"),
        (["show", "HM-1", "--up", "8"], "HM-1 has no single up card"),
        (["show", "TRI-03", "--s17"], "soft-17 rule does not affect"),
        (["meter", "show", "TRI-03"], "TRI-03 has no meters"),
        (["meter", "show", "BLZ-1-UP", "--rate", "24"], "needs a percent sign"),
        (["meter", "show", "BLZ-1-UP", "--rate", "124%"], "must be at most 100%"),
        (["meter", "show", "BLZ-1-UP", "--rate", "60%"], "but the fixed pays leave only 51.97% of it"),
        (["meter", "show", "BLZ-1-UP", "--seed", "-5"], "cannot be negative"),
        (["meter", "show", "BLZ-1-UP", "--seed", "Mega=5"], "has no meter 'Mega'"),
        (["meter", "show", "BLZ-1-UP", "--cap", "100"], "the cap of 100 must be at least the seed of 2,000"),
        (["meter", "show", "BLZ-1-UP", "--plot", "x.gif"], "cannot draw into"),
        (["meter", "show", "BLZ-1-UP", "--plays-per-day", "0"], "plays per day must be positive, got 0"),
        (["meter", "show", "TBJ-06-2024", "-d", "6", "--rate", "5%"], "give --seed too"),
        (["meter", "explain", "BLZ-1-UP", "--hold", "99.99"], "no rate and seeds"),
        (["meter", "explain", "BLZ-1-UP", "--hold", "lots"], "cannot read the percentage"),
        (["meter", "explain", "TBJ-06-2024"], "no published hold of TBJ-06-2024"),
        (["meter", "shwo"], "No such command 'shwo'"),
        (["show"], "Missing argument"),
        (["show", "TRI-03", "6"], "'6' is not a paytable; for six decks write: combinat show TRI-03 --decks 6\n"),
        (["show", "TRI-03", "6", "8"], "combinat show TRI-03 --decks 6,8\n"),
        (["count", "1-8", "TRI-03"], "combinat count TRI-03 --decks 1-8\n"),
        (["meter", "explain", "BLZ-1-UP", "6"], "combinat meter explain BLZ-1-UP --decks 6\n"),
        (["check", "TRI-03", "6"], "unknown paytable '6'"),
        (["show", "TRI-03", "--dekcs", "6"], "No such option: --dekcs"),
        (["shwo", "TRI-03"], "'shwo' is not a command; did you mean 'show'?"),
        (["parshets"], "'parshets' is not a command; did you mean 'parsheets'?"),
        (["show", "nothing.toml"], "there is no such file"),
        (["show", "."], "this is a folder"),
        (["compare", "TRI-03", "nothing/at/all"], "there is no such file"),
        (["odds", "strait"], "did you mean 'straight'"),
        (["odds", "suited", "--deal", "player"], "cannot read the deal 'player'"),
        (["odds", "suited", "--pack", "tarot"], "unknown pack 'tarot'"),
        (["odds", "suited", "--given", "identical", "-d", "1"], "no hand of 1 deck fits the condition"),
        (["list", "zebra"], "no paytable has 'zebra'"),
        (["list", "triluks", "bonus"], "did you mean 'trilux'?"),
        (["check", "nothing.toml"], "there is no such file"),
        (["formula", "TRI"], "unknown paytable 'TRI'"),
        (["parsheets", "--only", "ZZZ*"], "no id in the collection 'main' matches 'ZZZ*'"),
        (["parsheets", "--collection", "bacarat"], "unknown collection 'bacarat'; did you mean 'baccarat'?"),
        (
            ["list", "--collection", "attic"],
            "unknown collection 'attic'; the collections are main, baccarat, poker, public",
        ),
        (["parsheets", "--format", "docx"], "sheet format 'docx'"),
        (["parsheet", "TRI-02", "-d", "6"], "TRI-02 is designed for 2 decks"),
        (["parsheets", "--output", "/dev/null/x"], "cannot write into /dev/null/x"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_input_is_one_line_and_exit_code_2(run, arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
    assert err.startswith("combinat: ")
    assert "Traceback" not in err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "endings",
    [("json", "md"), ("pdf", "xlsx", "html", "md", "csv", "json", "tex")],
    ids=["some", "all"],
)
@pytest.mark.slow  # fast: publish/test_batch.py::test_batch_is_deterministic_in_every_format
def test_parsheet_writes_every_designed_deck_count_and_format(run, tmp_path, endings):
    formats = ("--format", ",".join(endings)) if len(endings) == 2 else ()
    options = ("--only", "tri-0[23]", "--decks", "2,6", "--output", tmp_path / "sheets", "--jobs", "1", *formats)
    code, out, err = run("parsheets", *options)
    assert (code, err) == (0, "")
    names = ("TRI-02-2D", "TRI-03-2D", "TRI-03-6D")  # TRI-02 is for two decks only
    expected = {f"{name}.{ending}" for name in names for ending in endings}
    index_files = {"index.html", "manifest.json", "SHA256SUMS", "checker.html"}
    assert {path.name for path in (tmp_path / "sheets").iterdir()} == expected | index_files
    assert f"{len(expected)} files for 3 par sheets" in out
    sheet = json.loads((tmp_path / "sheets" / "TRI-03-6D.json").read_text(encoding="utf-8"))
    assert sheet["cycle"] == 5_013_320
    assert "| Mini royal" in (tmp_path / "sheets" / "TRI-03-6D.md").read_text(encoding="utf-8")


def test_unfinished_file_is_removed(tmp_path, monkeypatch):
    from reports.page.files import write_file

    target = tmp_path / "sheet.md"
    write_file(target, "old")

    def fail(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", fail)
    with pytest.raises(KeyboardInterrupt):
        write_file(target, "new")
    assert [path.name for path in tmp_path.iterdir()] == ["sheet.md"]
    assert target.read_text() == "old"


def test_installed_program_runs_and_refuses():
    script = os.path.join(os.path.dirname(sys.executable), "combinat")  # noqa: PTH118, PTH120
    success = subprocess.run([script, "show", "TRI-02"], capture_output=True, text=True, check=False)
    assert (success.returncode, success.stderr) == (0, "")
    assert "Straight flush" in success.stdout
    refusal = subprocess.run([script, "show", "HM-9"], capture_output=True, text=True, check=False)
    assert (refusal.returncode, refusal.stdout) == (2, "")
    assert refusal.stderr.startswith("combinat: unknown paytable 'HM-9'; did you mean 'HM-")
    module = subprocess.run(
        [sys.executable, "-m", "reports", "list", "HM"], capture_output=True, text=True, check=False
    )
    assert module.returncode == 0


def test_shell_completion_offers_paytables():
    environment = {
        **os.environ,
        "_COMBINAT_COMPLETE": "complete_bash",
        "COMP_WORDS": "combinat show TRI-",
        "COMP_CWORD": "2",
    }
    script = os.path.join(os.path.dirname(sys.executable), "combinat")  # noqa: PTH118, PTH120
    process = subprocess.run([script], capture_output=True, text=True, check=False, env=environment)
    assert process.stdout.split() == ["TRI-01", "TRI-02", "TRI-03", "TRI-04"]


def test_every_command_has_help(run):
    code, out, _ = run("--help")
    assert code == 0
    assert run("--version") == (0, f"combinat {VERSION}\n", "")
    for command in ("list", "show", "compare", "odds", "check", "formula", "words", "parsheet", "parsheets"):
        assert command in out
        assert "--format" in run(command, "--help")[1]


def test_control_characters_never_reach_the_terminal(run, tmp_path):
    path = tmp_path / "a\x1b[2Jb.toml"
    path.write_text(VALID_BET.replace('"My bet"', '"My \\u001b[31mbet"'))
    for command in ("check", "show", "parsheet"):
        code, out, err = run(command, path)
        assert (code, out) == (2, "")
        assert len(err.splitlines()) == 1
        assert err.rstrip("\n").isprintable()
        assert "U+001B" in err


def test_posted_jackpot_sheet_has_its_own_name_and_basis(run, tmp_path):
    code, out, _ = run(
        *("parsheet", METERS, "-d", "6", "--posted-jackpot", "-f", "json", "-o", tmp_path),
        *("--meter", "Mega=9", "--meter", "Major=8", "--meter", "Minor=7"),
    )
    assert (code, out.strip()) == (0, str(tmp_path / "METERS-6D-house-jackpot.json"))
    sheet = json.loads((tmp_path / "METERS-6D-house-jackpot.json").read_text())
    assert [row["basis"] for row in sheet["results"]] == ["at the posted prize"]
    assert (sheet["meters"], [level["seed"] for level in sheet["meter"]["levels"]]) == ({}, [9, 8, 7])
    code, out, err = run("parsheet", "TRI-01", "--posted-jackpot", "-o", tmp_path / "none")
    assert (code, out, "TRI-01 has no meters" in err) == (2, "", True)
    assert not (tmp_path / "none").exists()


@pytest.mark.slow
def test_best_play_at_other_deck_counts_is_optional(run, tmp_path):
    options = ("--hands", "2", "--no-other-decks", "-f", "json,md", "-o", tmp_path)
    code, _, err = run("parsheet", "HM-2", *options)
    assert (code, err) == (0, "")
    data, page = (tmp_path / name for name in ("HM-2-1D-hands-2.json", "HM-2-1D-hands-2.md"))
    sheet = json.loads(data.read_text())
    assert sheet["option"]["other_decks"] is False
    assert {row["headline"] for row in sheet["deck_sensitivity"]} == {None}
    assert "omitted by request" in page.read_text()
    assert "all agree" in run("verify", data)[1]


def test_sheet_of_a_meter_takes_a_pace_of_play(run, tmp_path):
    options = ("--plays-per-day", "20", "--days", "2", "-f", "json", "-o", str(tmp_path))
    assert run("parsheet", METERS, "-d", "6", *options)[0] == 0
    (file,) = tmp_path.glob("*.json")
    sheet = json.loads(file.read_text("utf-8"))
    (meter,) = json.loads(
        run("meter", "show", METERS, "-d", "6", "--plays-per-day", "20", "--days", "2", "-f", "json")[1]
    )
    assert sheet["pace"] == meter["pace"]
    assert "TRI-04: there is no meter" in run("parsheet", "TRI-04", "-d", "2", *options)[2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--plays-per-day", "0"), "must be positive, got 0"),
        (("--plays-per-day", "many"), "many"),
        (("--days", "30"), "--plays-per-day 2000"),
    ],
)
def test_invalid_pace_is_refused_before_writing(run, tmp_path, options, message):
    code, _, err = run("parsheet", "BLZ-1-UP", "-d", "6", *options, "-o", str(tmp_path / "new"))
    assert code == 2
    assert message in err
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("command", ["show TRI-03", "compare TRI-03 TRI-04", "meter show TBJ-06-2020"])
def test_option_without_a_value_names_the_help(run, command):
    code, out, err = run(*command.split(), "-d")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "'-d'" in err
    assert err.endswith(f"combinat {command.split()[0]} --help\n")


def test_judged_hand_wins_whole_meters_without_decimals(run):
    _, out, _ = run("judge", "TBJ-06-2020", "As As As")
    assert "A wager of 1 wins  -1 + meter\n" in out
