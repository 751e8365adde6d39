"""`diff` lists the changes between two revisions of a bet, the changed figures and the cause of each."""

import csv
import io
import json
from decimal import Decimal
from fractions import Fraction

import pytest

from combinat import analyze
from tests.sheets import build_sheet

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
    """Return a function that writes a bet and a revision of it, and returns the JSON of `diff`."""

    def compare_revisions(*replacements, decks="6"):
        old, new, text = tmp_path / "old.toml", tmp_path / "new.toml", BET
        old.write_text(text)
        for before, after in replacements:
            assert before in text
            text = text.replace(before, after)
        new.write_text(text)
        code, out, err = run("diff", old, new, "-d", decks, "-f", "json")
        assert err == ""
        return code, json.loads(out)

    return compare_revisions


def changes_by_figure(result):
    return {change["item"]: change for change in result["figures"]}


def test_same_bet_has_no_difference(revisions):
    code, (result,) = revisions()
    assert (code, result["same"], result["bet"], result["figures"]) == (0, True, [], [])


def test_changed_pay_is_listed_with_its_effects(revisions):
    code, (result,) = revisions(("4 to 1", "5 to 1"))
    assert code == 1
    assert [(row["item"], row["before"], row["after"]) for row in result["bet"]] == [
        ("pay of Flush", "4 to 1", "5 to 1")
    ]
    edge = changes_by_figure(result)["House edge"]
    assert edge["because_of"] == "pay of Flush"
    assert Fraction(edge["after"]) - Fraction(edge["before"]) == Fraction(edge["difference"])
    moved = {row["award"]: (Fraction(row["by_probability"]), Fraction(row["by_pay"])) for row in result["return_moved"]}
    assert moved == {"Flush": (0, -Fraction(edge["difference"]))}
    assert "Flush: ways" not in changes_by_figure(result)
    assert changes_by_figure(result)["Flush: return"]["because_of"] == "its pay"


def test_change_of_a_square_root_is_exact(revisions, run, tmp_path):
    _, (result,) = revisions(("4 to 1", "5 to 1"))
    deviation = changes_by_figure(result)["Standard deviation"]
    assert deviation["difference"] == f"{deviation['after']} - {deviation['before']}"
    squares = [Fraction(deviation[side].removeprefix("sqrt(").removesuffix(")")) for side in ("before", "after")]
    before, after = ((Decimal(square.numerator) / Decimal(square.denominator)).sqrt() for square in squares)
    (line,) = [
        row.split()
        for row in run("diff", tmp_path / "old.toml", tmp_path / "new.toml", "-d", "6")[1].splitlines()
        if row.startswith("Standard deviation")
    ]
    assert abs(Decimal(line[4]) - (after - before)) <= Decimal("0.5e-8")
    assert after > before
    assert changes_by_figure(result)["Skewness"]["difference"] is not None


def test_change_of_a_meter_formula_is_given_by_term(revisions, run, tmp_path):
    code, (result,) = revisions(('pays = "30 to 1"', 'pays = "10% of Mega"'), ("1 to 1", "2 to 1"))
    trips, pair = (analyze(tmp_path / "old.toml", 6)[name].probability for name in ("Trips", "Pair"))
    edge = changes_by_figure(result)["House edge"]
    assert code == 1
    assert edge["after"].startswith(f"-{trips / 10}*Mega + ")
    assert edge["difference"] == f"-{trips / 10}*Mega - {pair - 31 * trips}"
    moved = {row["award"]: (row["by_probability"], row["by_pay"]) for row in result["return_moved"]}
    assert moved == {"Trips": (0, f"{trips / 10}*Mega - {31 * trips}"), "Pair": (0, str(pair))}
    output = run("diff", tmp_path / "old.toml", tmp_path / "new.toml", "-d", "6", "--digits", "4")[1]
    assert f"-{float(pair - 31 * trips):.4f} - 0.0005248 * Mega" in output


def test_return_change_names_pay_and_probability(revisions):
    _, (result,) = revisions(('"Flush" = "flush"', '"Flush" = "flush and not pair"'), ("1 to 1", "2 to 1"))
    assert changes_by_figure(result)["Pair: return"]["because_of"] == "its pay and probability"
    assert changes_by_figure(result)["Pair: probability"]["because_of"] == "rule of Flush, pay of Pair"


def test_deck_count_off_the_design_is_marked(run):
    code, output, _ = run("diff", "TRI-02", "TRI-03", "-d", "6")
    assert (code, "! TRI-02, 6 decks and TRI-03, 6 decks: TRI-02 is not designed for it\n" in output) == (1, True)


def test_changed_text_has_no_numeric_difference(revisions):
    _, (result,) = revisions(('deal = "player:2, up:1"', 'deal = "player:2, up:1"\npack = "spanish"'))
    assert [(change["item"], change["difference"]) for change in result["bet"]] == [("pack", None)]


def test_figures_state_their_basis(revisions, run, tmp_path):
    _, (result,) = revisions(("4 to 1", "5 to 1"))
    assert result["bases"] == ["wager alone", "wager alone"]
    output = run("diff", tmp_path / "old.toml", tmp_path / "new.toml", "-d", "6")[1]
    assert "MINE, 6 decks: figures, wager alone\n" in output


def test_bounded_figures_show_bounds(run, tmp_path):
    sheet = build_sheet("PAIR-SQUARE-25-10", 2).payload
    for name, bounds in (("old", [2, "sqrt(9/2)"]), ("new", [2, "sqrt(5)"])):
        data = sheet | {"standard_deviation": None, "standard_deviation_bounds": bounds}
        (tmp_path / f"{name}.json").write_text(json.dumps(data))
    code, output, _ = run("diff", tmp_path / "old.json", tmp_path / "new.json")
    assert code == 1
    assert "2.00000000 to 2.12132034  2.00000000 to 2.23606798" in output


def test_changed_rule_moves_its_award_and_lower_ones(revisions):
    code, (result,) = revisions(('"Flush" = "flush"', '"Flush" = "flush and not pair"'))
    assert code == 1
    assert result["bet"][0]["item"] == "rule of Flush"
    changed = changes_by_figure(result)
    assert changed["Flush: ways"]["because_of"] == "its rule"
    assert changed["Pair: ways"]["because_of"] == "rule of Flush"
    assert changed["Flush: ways"]["difference"] == -changed["Pair: ways"]["difference"]
    assert "Trips: ways" not in changed


def test_added_removed_and_moved_awards_are_listed(revisions):
    _, (result,) = revisions(
        ('  { hand = "Pair", pays = "1 to 1" },\n', ""),
        ('  { hand = "Trips", pays = "30 to 1" },\n  { hand = "Flush", pays = "4 to 1" },\n',
         '  { hand = "Flush", pays = "4 to 1" },\n  { hand = "Trips", pays = "30 to 1" },\n'),
    )  # fmt: skip
    output = {row["item"]: (row["before"], row["after"]) for row in result["bet"]}
    assert output["award Pair"] == ("1 to 1", None)
    assert output["order of the awards"] == ("Trips, Flush", "Flush, Trips")


def test_probability_and_pay_changes_sum_to_the_return_change(revisions):
    _, (result,) = revisions(
        ("4 to 1", "5 to 1"), ('"Pair" = "pair"', '"Pair" = "pair and not player.pair"'), ("30", "25")
    )
    edge = changes_by_figure(result)["House edge"]
    moved = sum(Fraction(row["by_probability"]) + Fraction(row["by_pay"]) for row in result["return_moved"])
    assert moved == -Fraction(edge["difference"])


def test_unmatched_deck_counts_are_listed(revisions):
    code, results = revisions(('decks = "6, 8"', 'decks = "6"'), decks="6")
    assert code == 1
    assert results[0]["bet"][0]["item"] == "designed decks"
    _, results = revisions(('decks = "6, 8"', 'decks = "4-8"'), decks="6")
    assert (results[0]["bet"][0]["before"], results[0]["bet"][0]["after"]) == ("6, 8", "4-8")


def test_other_deck_count_is_the_reason(run, tmp_path):
    for decks in ("6", "8"):
        assert run("parsheet", "PERFECT-PAIRS-B", "-d", decks, "-f", "json", "-o", tmp_path)[0] == 0
    code, output, _ = run(
        "diff", tmp_path / "PERFECT-PAIRS-B-6D.json", tmp_path / "PERFECT-PAIRS-B-8D.json", "-f", "json"
    )
    (result,) = json.loads(output)
    assert code == 1
    assert [row["item"] for row in result["bet"]] == ["decks"]
    assert {row["because_of"] for row in result["figures"]} == {"decks"}
    edge = changes_by_figure(result)["House edge"]
    assert Fraction(edge["before"]) == analyze("PERFECT-PAIRS-B", 6).house_edge
    assert Fraction(edge["after"]) == analyze("PERFECT-PAIRS-B", 8).house_edge


def test_unexplained_changes_are_attributed_to_the_program(run, tmp_path):
    sheet = build_sheet("PAIR-SQUARE-25-10", 2).payload
    other = sheet | {"house_edge": "1/7", "identification": sheet["identification"] | {"software": "combinat 9.9"}}
    for name, data in (("old", sheet), ("new", other), ("odd", sheet | {"house_edge": "1/7"})):
        (tmp_path / f"{name}.json").write_text(json.dumps(data))
    code, output, _ = run("diff", tmp_path / "old.json", tmp_path / "new.json", "-f", "json")
    assert code == 1
    assert "now combinat 9.9" in changes_by_figure(json.loads(output)[0])["House edge"]["because_of"]
    (result,) = json.loads(run("diff", tmp_path / "old.json", tmp_path / "odd.json", "-f", "json")[1])
    assert changes_by_figure(result)["House edge"]["because_of"] == "unknown"


def test_changed_date_or_program_is_a_note(run, tmp_path):
    sheet = build_sheet("PAIR-SQUARE-25-10", 2).payload
    other = sheet | {"identification": sheet["identification"] | {"date": "2027-01-01", "revision": "2"}}
    for name, data in (("old", sheet), ("new", other)):
        (tmp_path / f"{name}.json").write_text(json.dumps(data))
    code, output, _ = run("diff", tmp_path / "old.json", tmp_path / "new.json")
    assert code == 0
    assert "date 2026-11-16, now 2027-01-01" in output


@pytest.mark.parametrize("format", ["table", "markdown", "csv", "latex"])
def test_every_format_has_the_differences(run, tmp_path, format):
    (tmp_path / "a.toml").write_text(BET)
    (tmp_path / "b.toml").write_text(BET.replace("30 to 1", "25 to 1"))
    code, output, _ = run("diff", tmp_path / "a.toml", tmp_path / "b.toml", "-d", "6", "-f", format)
    assert code == 1
    assert "pay of Trips" in output


def test_csv_has_every_figure_exactly(run, tmp_path):
    (tmp_path / "a.toml").write_text(BET)
    (tmp_path / "b.toml").write_text(BET.replace("30 to 1", "25 to 1"))
    command = ("diff", tmp_path / "a.toml", tmp_path / "b.toml", "-d", "6", "-f")
    (output,) = json.loads(run(*command, "json")[1])
    _, _, table_text = run(*command, "csv")[1].partition("Table,Figure,")
    rows = {row["Figure"]: row for row in csv.DictReader(io.StringIO("Table,Figure," + table_text))}
    assert len(output["figures"]) > 5
    for result in output["figures"]:
        row = rows[result["item"]]
        assert [row[f"{title} (exact)"] for title in ("Before", "After")] == [
            str(result["before"]),
            str(result["after"]),
        ]


@pytest.mark.parametrize(
    ("content", "token"),
    [
        ("{}", "par sheet"),
        ("[1]", "par sheet"),
        ("{", "is not a par sheet's JSON"),
        ('{"a": 1, "a": 2}', "twice"),
    ],
)
def test_non_sheet_file_is_refused_in_one_line(run, tmp_path, content, token):
    path = tmp_path / "x.json"
    path.write_text(content)
    code, out, err = run("diff", path, "TRI-03")
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert token in err
    assert run("diff", tmp_path / "missing.json", "TRI-03")[0] == 2


@pytest.mark.parametrize("edge", ["1/0", "5/", "--5", "9" * 6_000, [], [1, 2, 3], {}, True, None, "meter"])
def test_malformed_figures_are_handled(run, tmp_path, edge):
    _, output, _ = run("show", "TRI-01", "-d", "6", "-f", "json")
    sheet = json.loads(output)
    sheet[0]["house_edge"] = edge
    for name, content in (("old", output), ("new", json.dumps(sheet))):
        (tmp_path / f"{name}.json").write_text(content)
    for format in ("table", "csv", "json"):
        code, _, err = run("diff", tmp_path / "old.json", tmp_path / "new.json", "-f", format)
        assert (code, err) == (1, "")
