"""`diff` tells what changed between two revisions, in words and exact figures, and why."""

import csv
import io
import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from combinat import analyze
from tests.sheets import made

OLD = Path(__file__).parents[1] / "data" / "sheets-0.1.0"
BET = """
bet = "Mine"
deal = "player:2, up:1"
[hands]
"Trips" = "three of a kind"
"Flush" = "flush"
"Pair" = "pair"
[[paytable]]
id = "MINE"
decks = "6, 8"
awards = [
  { hand = "Trips", pays = "30 to 1" },
  { hand = "Flush", pays = "4 to 1" },
  { hand = "Pair", pays = "1 to 1" },
]
"""


@pytest.fixture
def revisions(tmp_path, run):
    """Write a bet and a revision of it, and give what `diff` answers in JSON."""

    def compared(*replacements, decks="6"):
        old, new, text = tmp_path / "old.toml", tmp_path / "new.toml", BET
        old.write_text(text)
        for before, after in replacements:
            assert before in text
            text = text.replace(before, after)
        new.write_text(text)
        code, out, err = run("diff", old, new, "-d", decks, "-f", "json")
        assert err == ""
        return code, json.loads(out)

    return compared


def figures(one):
    return {change["what"]: change for change in one["figures"]}


def test_same_bet_is_no_difference(revisions):
    code, (one,) = revisions()
    assert (code, one["same"], one["bet"], one["figures"]) == (0, True, [], [])


def test_changed_pay_is_told_with_what_it_moves(revisions):
    code, (one,) = revisions(("4 to 1", "5 to 1"))
    assert code == 1
    assert [(each["what"], each["before"], each["after"]) for each in one["bet"]] == [
        ("pay of Flush", "4 to 1", "5 to 1")
    ]
    edge = figures(one)["House edge"]
    assert edge["because_of"] == "pay of Flush"
    assert Fraction(edge["after"]) - Fraction(edge["before"]) == Fraction(edge["difference"])
    moved = {each["award"]: (Fraction(each["by_chance"]), Fraction(each["by_pay"])) for each in one["return_moved"]}
    assert moved == {"Flush": (0, -Fraction(edge["difference"]))}
    assert "Flush: ways" not in figures(one)
    assert figures(one)["Flush: return"]["because_of"] == "its pay"


def test_change_of_a_root_is_told_exactly_and_rounded_once(revisions, run, tmp_path):
    _, (one,) = revisions(("4 to 1", "5 to 1"))
    deviation = figures(one)["Standard deviation"]
    assert deviation["difference"] == f"{deviation['after']} - {deviation['before']}"
    squares = [Fraction(deviation[side].removeprefix("sqrt(").removesuffix(")")) for side in ("before", "after")]
    before, after = ((Decimal(one.numerator) / Decimal(one.denominator)).sqrt() for one in squares)
    (line,) = [
        row.split()
        for row in run("diff", tmp_path / "old.toml", tmp_path / "new.toml", "-d", "6")[1].splitlines()
        if row.startswith("Standard deviation")
    ]
    assert abs(Decimal(line[4]) - (after - before)) <= Decimal("0.5e-8")
    assert after > before
    assert figures(one)["Skewness"]["difference"] is not None


def test_change_of_a_figure_in_terms_of_a_meter_is_told_term_by_term(revisions, run, tmp_path):
    code, (one,) = revisions(('pays = "30 to 1"', 'pays = "10% of Mega"'), ("1 to 1", "2 to 1"))
    trips, pair = (analyze(tmp_path / "old.toml", 6)[name].probability for name in ("Trips", "Pair"))
    edge = figures(one)["House edge"]
    assert code == 1
    assert edge["after"].startswith(f"-{trips / 10}*Mega + ")
    assert edge["difference"] == f"-{trips / 10}*Mega - {pair - 31 * trips}"
    moved = {each["award"]: (each["by_chance"], each["by_pay"]) for each in one["return_moved"]}
    assert moved == {"Trips": (0, f"{trips / 10}*Mega - {31 * trips}"), "Pair": (0, str(pair))}
    told = run("diff", tmp_path / "old.toml", tmp_path / "new.toml", "-d", "6", "--digits", "4")[1]
    assert f"-{float(pair - 31 * trips):.4f} - 0.0005248 * Mega" in told


def test_return_that_pay_and_chance_moved_names_both(revisions):
    _, (one,) = revisions(('"Flush" = "flush"', '"Flush" = "flush and not pair"'), ("1 to 1", "2 to 1"))
    assert figures(one)["Pair: return"]["because_of"] == "its pay and chance"
    assert figures(one)["Pair: probability"]["because_of"] == "rule of Flush, pay of Pair"


def test_decks_that_a_bet_is_not_designed_for_are_marked(run):
    code, told, _ = run("diff", "TRI-02", "TRI-03", "-d", "6")
    assert (code, "! TRI-02, 6 decks and TRI-03, 6 decks: not what TRI-02 is designed for\n" in told) == (1, True)


def test_words_that_changed_have_no_difference(revisions):
    _, (one,) = revisions(('deal = "player:2, up:1"', 'deal = "player:2, up:1"\npack = "spanish"'))
    assert [(change["what"], change["difference"]) for change in one["bet"]] == [("pack", None)]


def test_figures_say_what_they_stand_on(revisions, run, tmp_path):
    _, (one,) = revisions(("4 to 1", "5 to 1"))
    assert one["bases"] == ["wager alone", "wager alone"]
    told = run("diff", tmp_path / "old.toml", tmp_path / "new.toml", "-d", "6")[1]
    assert "MINE, 6 decks: figures, wager alone\n" in told


def test_figures_known_between_bounds_are_told_with_them(run, tmp_path):
    sheet = made("PAIR-SQUARE-25-10", 2).payload
    for name, bounds in (("old", [2, "sqrt(9/2)"]), ("new", [2, "sqrt(5)"])):
        data = sheet | {"standard_deviation": None, "standard_deviation_bounds": bounds}
        (tmp_path / f"{name}.json").write_text(json.dumps(data))
    code, told, _ = run("diff", tmp_path / "old.json", tmp_path / "new.json")
    assert code == 1
    assert "2.00000000 to 2.12132034  2.00000000 to 2.23606798" in told


def test_changed_rule_moves_what_it_takes_and_what_it_leaves(revisions):
    code, (one,) = revisions(('"Flush" = "flush"', '"Flush" = "flush and not pair"'))
    assert code == 1
    assert one["bet"][0]["what"] == "rule of Flush"
    changed = figures(one)
    assert changed["Flush: ways"]["because_of"] == "its rule"
    assert changed["Pair: ways"]["because_of"] == "rule of Flush"
    assert changed["Flush: ways"]["difference"] == -changed["Pair: ways"]["difference"]
    assert "Trips: ways" not in changed


def test_awards_that_come_and_go_and_change_places_are_told(revisions):
    _, (one,) = revisions(
        ('  { hand = "Pair", pays = "1 to 1" },\n', ""),
        ('  { hand = "Trips", pays = "30 to 1" },\n  { hand = "Flush", pays = "4 to 1" },\n',
         '  { hand = "Flush", pays = "4 to 1" },\n  { hand = "Trips", pays = "30 to 1" },\n'),
    )  # fmt: skip
    told = {each["what"]: (each["before"], each["after"]) for each in one["bet"]}
    assert told["award Pair"] == ("1 to 1", None)
    assert told["order of the awards"] == ("Trips, Flush", "Flush, Trips")


def test_chance_and_pay_add_up_to_the_whole_change_of_the_return(revisions):
    _, (one,) = revisions(
        ("4 to 1", "5 to 1"), ('"Pair" = "pair"', '"Pair" = "pair and not player.pair"'), ("30", "25")
    )
    edge = figures(one)["House edge"]
    moved = sum(Fraction(each["by_chance"]) + Fraction(each["by_pay"]) for each in one["return_moved"])
    assert moved == -Fraction(edge["difference"])


def test_deck_counts_of_one_side_only_are_told(revisions):
    code, found = revisions(('decks = "6, 8"', 'decks = "6"'), decks="6")
    assert code == 1
    assert found[0]["bet"][0]["what"] == "designed decks"
    _, found = revisions(('decks = "6, 8"', 'decks = "4-8"'), decks="6")
    assert (found[0]["bet"][0]["before"], found[0]["bet"][0]["after"]) == ("6, 8", "4-8")


def test_other_deck_count_is_the_reason(run, tmp_path):
    for decks in ("6", "8"):
        assert run("parsheet", "PERFECT-PAIRS-B", "-d", decks, "-f", "json", "-o", tmp_path)[0] == 0
    code, told, _ = run(
        "diff", tmp_path / "PERFECT-PAIRS-B_6-decks.json", tmp_path / "PERFECT-PAIRS-B_8-decks.json", "-f", "json"
    )
    (one,) = json.loads(told)
    assert code == 1
    assert [each["what"] for each in one["bet"]] == ["decks"]
    assert {each["because_of"] for each in one["figures"]} == {"decks"}
    edge = figures(one)["House edge"]
    assert Fraction(edge["before"]) == analyze("PERFECT-PAIRS-B", 6).house_edge
    assert Fraction(edge["after"]) == analyze("PERFECT-PAIRS-B", 8).house_edge


def test_sheet_of_the_first_version_is_read_beside_the_catalog(run):
    code, told, _ = run("diff", OLD / "TRI-03_6-decks.json", "TRI-03")
    assert code == 0
    assert "no difference in the bet or in any figure" in told


def test_figures_that_move_although_the_bet_does_not_are_the_programs(run, tmp_path):
    sheet = made("PAIR-SQUARE-25-10", 2).payload
    other = sheet | {"house_edge": "1/7", "identification": sheet["identification"] | {"software": "combinat 9.9"}}
    for name, data in (("old", sheet), ("new", other), ("odd", sheet | {"house_edge": "1/7"})):
        (tmp_path / f"{name}.json").write_text(json.dumps(data))
    code, told, _ = run("diff", tmp_path / "old.json", tmp_path / "new.json", "-f", "json")
    assert code == 1
    assert "now combinat 9.9" in figures(json.loads(told)[0])["House edge"]["because_of"]
    (one,) = json.loads(run("diff", tmp_path / "old.json", tmp_path / "odd.json", "-f", "json")[1])
    assert figures(one)["House edge"]["because_of"] == "nothing that the revisions say"


def test_another_date_or_program_alone_is_a_note(run, tmp_path):
    sheet = made("PAIR-SQUARE-25-10", 2).payload
    other = sheet | {"identification": sheet["identification"] | {"date": "2027-01-01", "revision": "2"}}
    for name, data in (("old", sheet), ("new", other)):
        (tmp_path / f"{name}.json").write_text(json.dumps(data))
    code, told, _ = run("diff", tmp_path / "old.json", tmp_path / "new.json")
    assert code == 0
    assert "date 2026-11-16, now 2027-01-01" in told


@pytest.mark.parametrize("format", ["table", "markdown", "csv", "latex"])
def test_answer_comes_in_every_format(run, tmp_path, format):
    (tmp_path / "a.toml").write_text(BET)
    (tmp_path / "b.toml").write_text(BET.replace("30 to 1", "25 to 1"))
    code, told, _ = run("diff", tmp_path / "a.toml", tmp_path / "b.toml", "-d", "6", "-f", format)
    assert code == 1
    assert "pay of Trips" in told


def test_lines_for_spreadsheets_have_every_figure_exactly(run, tmp_path):
    (tmp_path / "a.toml").write_text(BET)
    (tmp_path / "b.toml").write_text(BET.replace("30 to 1", "25 to 1"))
    asked = ("diff", tmp_path / "a.toml", tmp_path / "b.toml", "-d", "6", "-f")
    (told,) = json.loads(run(*asked, "json")[1])
    _, _, after = run(*asked, "csv")[1].partition("Table,Figure,")
    rows = {row["Figure"]: row for row in csv.DictReader(io.StringIO("Table,Figure," + after))}
    assert len(told["figures"]) > 5
    for one in told["figures"]:
        row = rows[one["what"]]
        assert [row[f"{title} (exact)"] for title in ("Before", "After")] == [str(one["before"]), str(one["after"])]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{}", "is no par sheet"),
        ("[1]", "is no par sheet"),
        ("{", "is not a par sheet's JSON"),
        ('{"a": 1, "a": 2}', "twice"),
    ],
)
def test_file_that_is_no_sheet_is_refused_in_one_line(run, tmp_path, content, said):
    path = tmp_path / "x.json"
    path.write_text(content)
    code, out, err = run("diff", path, "TRI-03")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert said in err
    assert run("diff", tmp_path / "missing.json", "TRI-03")[0] == 2


@pytest.mark.parametrize("edge", ["1/0", "5/", "--5", "9" * 6_000, [], [1, 2, 3], {}, True, None, "meter"])
def test_figures_of_a_sheet_that_somebody_altered_break_nothing(run, tmp_path, edge):
    _, told, _ = run("show", "TRI-01", "-d", "6", "-f", "json")
    sheet = json.loads(told)
    sheet[0]["house_edge"] = edge
    for name, content in (("old", told), ("new", json.dumps(sheet))):
        (tmp_path / f"{name}.json").write_text(content)
    for format in ("table", "csv", "json"):
        code, _, err = run("diff", tmp_path / "old.json", tmp_path / "new.json", "-f", format)
        assert (code, err) == (1, "")
