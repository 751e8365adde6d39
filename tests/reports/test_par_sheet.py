"""The par sheet's model: its sections, its sums, and every figure that it shows the exact one of its data."""

import hashlib
import json
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, islice
from math import comb

import pytest
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, analyze_wager
from combinat.analysis.exposure import tax_rules
from combinat.bets.catalog import get_paytable
from combinat.bets.load import load_bet
from combinat.exact.numbers import MiscountError
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.study import Study, build_study
from decks import Shoe, parse_cards
from reports.page.model import Formula, Hand, Styled, format_cell
from reports.page.numerals import exact
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import build_par_sheet
from reports.sheet.sections.awards import award_section
from reports.sheet.sections.request import Request
from tests.files import GOOD
from tests.made_bets import bet
from tests.sheets import paytable_of

TITLES = [
    "Headline",
    "Signatures",
    "Rules and assumptions",
    "Awards",
    "Statistics",
    "What to expect",
    "Deck sensitivity",
    "Paytable sensitivity",
    "Exposure",
    "Jurisdiction tests",
    "Derivation",
    "Verification",
    "Identification and terms",
]
SPECIAL = 8
"""Before which of these meters, up cards or an option stand, if there are any."""
FIXED, PROGRESSIVE, GIVEN, UNKNOWN, DRAWN, SEEDED = "fixed", "progressive", "given", "unknown", "drawn", "seeded"
SIGNED = Identity("DOC-7", "3", "2026-11-16", "A. Author", "R. Reader", "Washington")
SHEETS = {
    FIXED: ("TRI-02", 2, {}, SIGNED),
    PROGRESSIVE: ("TBJ-06-2024", 6, {}, None),
    GIVEN: ("METERS", 6, {"Mega": 60, "Major": 50, "Minor": 40}, None),
    UNKNOWN: ("21+3-PT2", 6, {}, None),
    DRAWN: ("BUSTS", 2, {}, None),
    SEEDED: ("METERS", 6, {}, None),
}


@lru_cache(maxsize=None)
def sheet(name):
    id, decks, meters, identity = SHEETS[name]
    values = {key: Fraction(value) for key, value in meters.items()}
    paytable = paytable_of(id)
    return build_par_sheet(build_study(paytable, Shoe(decks, paytable.bet.pack), values), identity)


def part_of(document, key):
    (found,) = (one for one in document.sections if one.key == key)
    return found


def section(name, key):
    return part_of(sheet(name).document, key)


def figures(part):
    return {figure.label: figure.value for figure in part.figures}


def number(value):
    """A cell's value as the data carries it."""
    value = value.value if isinstance(value, Styled) else value
    return value if isinstance(value, str) else exact(value)


def column(table, title):
    place = [one.title for one in table.columns].index(title)
    return [row[place] for row in table.rows]


@pytest.mark.parametrize("name", SHEETS)
def test_sections_stand_in_order(name):
    sections = sheet(name).document.sections
    special = {FIXED: [], DRAWN: ["By the dealer's up card"]}.get(name, ["Meters"])
    assert [one.title for one in sections] == [*TITLES[:SPECIAL], *special, *TITLES[SPECIAL:]]
    assert [one.number for one in sections] == list(range(1, len(sections) + 1))
    assert all(one.text or one.figures or one.tables for one in sections)


@pytest.mark.parametrize("name", SHEETS)
def test_every_row_has_a_cell_for_every_column(name):
    for part in sheet(name).document.sections:
        for table in part.tables:
            assert {len(row) for row in table.rows} == {len(table.columns)}


@pytest.mark.parametrize("name", [FIXED, UNKNOWN, GIVEN])
def test_award_table_adds_up(name):
    made = sheet(name)
    counts, odds, returns = section(name, "awards").tables
    *fitting, _, _ = column(counts, "Hands that fit")
    *taken, _, _ = column(counts, "Less: taken by a higher award")
    *ways, total = column(counts, "Ways")
    assert [fit - less for fit, less in zip(fitting, taken, strict=True)] == ways[:-1]
    assert sum(ways) == total == made.study.analysis.ways.cycle
    *exactly, one = column(counts, "Probability, exactly")
    assert sum(map(Fraction, exactly)) == 1 == int(one)
    *chances, all_of_them = column(counts, "Probability")
    assert chances == [Fraction(count, total) for count in ways]
    assert sum(chances) == all_of_them == 1
    *parts, whole = column(returns, "Return")
    assert sum(parts, Polynomial.of(0)) == whole.value == made.study.analysis.return_
    assert f"= {total:,} hands" in section(name, "awards").text[0]
    *nets, net = column(returns, "Net")
    assert sum(nets, Polynomial.of(0)) == net.value == made.study.analysis.return_ - 1
    if not made.study.analysis.open_meters:
        *shares, share = column(returns, "Share of return")
        assert sum(shares) == share == 1
        *so_far, _ = column(returns, "Return so far")
        assert so_far == list(accumulate(parts))
    for row in odds.rows[:-1]:
        assert row[1] - row[2] == 1  # once in so many hands, or odds of one less to one


def test_chances_of_a_dealers_hand_add_up():
    *exactly, one = column(section(DRAWN, "awards").tables[0], "Probability, exactly")
    assert sum(map(Fraction, exactly)) == 1 == int(one)


def test_cycle_is_the_number_that_its_formula_gives():
    assert f"C(104, 3) = {comb(104, 3):,} hands" in section(FIXED, "awards").text[0]
    told_apart = Request(build_study(get_paytable("BLZ-1-UP"), Shoe(6)))
    assert f"C(312, 2) · C(310, 1) = {comb(312, 2) * 310:,} hands" in award_section(told_apart).text[0]


def test_figures_of_the_document_are_those_of_the_data():
    made, payload = sheet(FIXED), sheet(FIXED).payload
    headline, statistics = figures(section(FIXED, "headline")), figures(section(FIXED, "statistics"))
    for label, key in {
        "House edge": "house_edge",
        "Return": "return",
        "Hit frequency": "hit_frequency",
        "Standard deviation": "standard_deviation",
    }.items():
        assert number(headline[label]) == number(statistics[label]) == payload[key]
    for label, key in {
        "Expected value": "expected_value",
        "Return without the top award": "return_without_top_award",
        "Plays per hit": "plays_per_hit",
        "Push rate": "push_rate",
        "Mean win when winning": "mean_win",
        "Variance": "variance",
        "Skewness": "skewness",
        "Excess kurtosis": "excess_kurtosis",
    }.items():
        assert number(statistics[label]) == payload[key]
    assert made.document.figures == section(FIXED, "headline").figures
    (volatility,) = section(FIXED, "statistics").tables
    assert [tuple(map(number, row[:3])) for row in volatility.rows] == [
        (row["confidence"], row["z"], row["index"]) for row in payload["volatility_index"]
    ]
    assert number(headline["Volatility index, 90% (z 1.644854)"]) == payload["volatility_index"][0]["index"]


def test_award_tables_of_the_document_are_those_of_the_data():
    payload = sheet(FIXED).payload
    counts, odds, returns = section(FIXED, "awards").tables
    for row, award in zip(counts.rows, payload["awards"], strict=False):
        expected = [award[key] for key in ("name", "fits", "taken_by_higher", "ways", "probability", "probability")]
        assert list(map(number, row)) == expected
    for row, award in zip(returns.rows, payload["awards"], strict=False):
        assert [number(row[place]) for place in (0, 1, 3)] == [
            award[key] for key in ("name", "return", "share_of_return")
        ]
    for row, award in zip(odds.rows, payload["awards"], strict=False):
        assert list(map(number, row[:3])) == [award[key] for key in ("name", "one_in", "true_odds")]
        assert award["one_in"] == award["fair_pay_for_1"]
        assert [Fraction(row[3]), Fraction(row[4])] == [Fraction(award["pays_to_1"]), Fraction(award["pays_for_1"])]
        assert row[5] == Fraction(award["fair_pay_for_1"]) - Fraction(award["pays_for_1"])


def test_later_tables_of_the_document_are_those_of_the_data():
    payload = sheet(FIXED).payload
    expectation, decks, pays = (
        section(FIXED, key).tables[0] for key in ("expectation", "deck_sensitivity", "pay_sensitivity")
    )
    for row, data in zip(expectation.rows, payload["expectation"], strict=True):
        assert row[0] == data["plays"]
        for value, key in zip(row[1:4], ("least_hold", "most_hold", "house_ahead"), strict=True):
            assert abs(Fraction(number(value)) - Fraction(data[key])) <= Fraction(1, 10**30)
            assert isinstance(value, Styled) == (data["method"] != "distribution")  # with the digits that it deserves
        assert row[4].startswith("the distribution" if data["method"] == "distribution" else "normal")
        assert ("rough" in row[4]) == data["rough"]
    for row, data in zip(decks.rows, payload["deck_sensitivity"], strict=True):
        assert number(row[1]) == data["house_edge"]
        assert number(row[3]) == data["hit_frequency"]
        assert number(row[4]) == data["standard_deviation"]
        assert row[5] == "impossible" or number(row[5]) == data["top_award_one_in"]
        assert row[6].startswith("yes") == data["designed"]
        assert ("this sheet" in row[6]) == (data["decks"] == payload["decks"])
        assert row[2] == Fraction(data["house_edge"]) - Fraction(payload["house_edge"])
    for row, data in zip(pays.rows, payload["pay_sensitivity"], strict=True):
        assert (row[0], number(row[2])) == (data["award"], data["one_more"])
        assert row[3] is None or number(row[3]) == data["one_less"]
        assert number(row[4]) == exact(Fraction(payload["house_edge"]) + Fraction(data["one_more"]))
    steps = [step for one in payload["derivation"] for step in one["steps"]]
    rows = [row for row in section(FIXED, "derivation").tables[0].rows if isinstance(row[3], Formula)]
    for row, step in zip(rows, steps, strict=True):
        assert (row[1], row[2], row[3].plain, row[4], row[5]) == tuple(
            step[key] for key in ("cards", "hands", "formula", "numbers", "ways")
        )
    assert section(FIXED, "derivation").tables[0].rows[-1][-1] == payload["cycle"]
    checks = section(FIXED, "verification").tables[0].rows
    assert list(checks) == [(one["check"], one["result"]) for one in payload["checks"]]


def test_derivation_of_drawn_hands_comes_to_the_probability_of_each_award():
    (table,) = section(DRAWN, "derivation").tables
    chances = {line.award.name: line.probability for line in sheet(DRAWN).study.analysis.lines}
    parts = {name: [row[-1] for row in table.rows if row[0] == name] for name in chances}
    assert {name: sum(found) for name, found in parts.items()} == chances
    subtotals = {row[0].removesuffix(", in all"): row[-1] for row in table.rows if row[0].endswith(", in all")}
    assert subtotals.items() - {("no award", subtotals["no award"])} <= chances.items()
    assert set(subtotals) - {"no award"} == {name for name, found in parts.items() if len(found) > 1}
    assert any("in the ledger" in row for row in table.rows)
    steps = sum(len(one["steps"]) for one in sheet(DRAWN).payload["derivation"])
    assert sum(row[0] in {*chances, "no award"} for row in table.rows) < steps  # data has every one


def test_plot_of_the_decks_shows_the_table_beside_it():
    table, (plot,) = section(FIXED, "deck_sensitivity").tables[0], section(FIXED, "deck_sensitivity").plots
    assert list(plot.values) == column(table, "House edge")
    assert plot.marked == {place for place, text in enumerate(column(table, "Designed")) if text.startswith("yes")}
    assert len(plot.steps) == 9


def test_one_unit_more_on_an_award_is_what_the_sheet_says():
    made = sheet(FIXED)
    analysis = made.study.analysis
    for place, row in enumerate(section(FIXED, "pay_sensitivity").tables[0].rows):
        awards = list(analysis.paytable.awards)
        pay = awards[place].pay
        awards[place] = replace(awards[place], pay=replace(pay, amount=pay.amount + 1))
        richer = analyze_wager(replace(analysis.paytable, awards=tuple(awards)), analysis.shoe)
        assert row[4] == richer.house_edge
        assert row[2] == (richer.house_edge - analysis.house_edge).constant == -row[3]


def test_exposure_is_the_largest_pay_at_the_maximum_wager():
    wager = Fraction(250)
    made = build_par_sheet(sheet(FIXED).study, max_wager=wager)
    part = part_of(made.document, "exposure")
    exposure = made.payload["exposure"]
    top = max(line.net.constant for line in made.study.analysis.lines if line.is_possible)
    assert [figure.value for figure in part.figures][:3] == [wager, top * wager, (top + 1) * wager]
    assert (exposure["max_wager"], exposure["largest_win"], exposure["largest_payment"]) == (
        250,
        exact(top * wager),
        exact((top + 1) * wager),
    )
    assert len(exposure["tax"]) == len(tax_rules()) * len(made.study.analysis.lines)
    assert {row["years"] for row in exposure["tax"]} == {rule.years for rule in tax_rules()}
    assert all(rule.source in " ".join(part.notes) for rule in tax_rules())


def test_page_one_has_every_award_and_where_to_sign():
    headline, signed = sheet(FIXED).document.sections[:2]
    (awards,) = headline.tables
    assert [one.title for one in awards.columns] == ["Award", "Pays", "Ways", "Probability", "1 in", "Return"]
    assert [row[0] for row in awards.rows[:-2]] == [award["name"] for award in sheet(FIXED).payload["awards"]]
    assert [one.label for one in signed.figures][-3:] == ["Date", "Prepared by", "Reviewed by"]


def test_only_awards_that_can_be_reported_are_listed_for_the_tax_office():
    few = build_par_sheet(build_study(bet("player:2", ["pair", "suited"]), Shoe(6)))
    exposure = part_of(few.document, "exposure")
    assert exposure.tables == ()
    assert exposure.text == (
        "No award is reported or has tax withheld by the rules below: none pays 300 times the wager.",
    )
    richer = bet("player:2", ["pair", "suited"], pays=[500, 2])
    some = part_of(build_par_sheet(build_study(richer, Shoe(2))).document, "exposure")
    assert [row[0] for row in some.tables[0].rows] == ["Award 0"]
    assert "not listed" in some.text[0]


def test_broken_pays_are_rounded_wager_by_wager():
    made = sheet(FIXED)
    (table,) = section(FIXED, "exposure").tables
    analysis = made.study.analysis
    for wager, up, stated, down in table.rows:
        assert wager % 2 == 1  # with 2.5 to 1, even wagers are paid in whole chips
        half = Fraction(1, 2 * wager)
        broken = sum(line.probability for line in analysis.lines if line.net.constant.denominator == 2)
        assert (up, down) == (stated - broken * half, stated + broken * half)
        assert stated == analysis.house_edge


def test_examples_are_drawn_as_hands_of_the_deal():
    (table,) = section(FIXED, "rules").tables
    for row, award in zip(table.rows, sheet(FIXED).payload["awards"], strict=True):
        assert isinstance(row[2], Hand)
        assert [name for name, _ in row[2].roles] == ["player", "up"]
        assert [len(cards) for _, cards in row[2].roles] == [2, 1]
        assert {role: [str(card) for card in cards] for role, cards in row[2].roles} == award["example"]


# Meters


def cells(part):
    for figure in part.figures:
        yield figure.value
    for table in part.tables:
        for row in table.rows:
            yield from row


@pytest.mark.parametrize("name", SHEETS)
def test_no_formula_in_the_meters_stands_in_the_numbers(name):
    for key in ("statistics", "expectation", "deck_sensitivity", "pay_sensitivity"):
        for cell in cells(section(name, key)):
            value = cell.value if isinstance(cell, Styled) else cell
            assert not isinstance(value, Polynomial) or value.is_constant
            assert not isinstance(value, str) or "×" not in value


def test_every_section_of_a_progressive_stands_on_the_headlines_basis_and_names_the_others():
    made = sheet(SEEDED)
    (system,) = (one for one in made.study.analysis.paytable.systems if one.decks is None or 6 in one.decks)
    seeds = {level.name: exact(level.seed / system.wager) for level in system.levels}
    assert made.payload["settled_meters"] == seeds
    assert made.payload["meters"] == {}
    hold = made.study.hold
    assert figures(section(SEEDED, "headline"))["Hold in the long run, rates and seeds inferred"] == hold
    assert "on the books" in " ".join(section(SEEDED, "statistics").text)
    assert figures(section(SEEDED, "statistics"))["Return"] == 1 - hold
    assert "Standard deviation, on the books" in figures(section(SEEDED, "headline"))
    by_basis = {row[0]: row[1] for row in section(SEEDED, "statistics").tables[1].rows}
    at_seeds = made.study.analysis.return_.at({name: Fraction(value) for name, value in seeds.items()})
    assert by_basis == {
        "on the books": hold,
        "meters at their seeds": 1 - at_seeds.constant,
        "meters at their averages": hold,
        "the player's side": hold,
    }
    first, beside = section(SEEDED, "expectation").tables
    assert len(first.rows) == len(beside.rows) == 5
    assert all(Fraction(number(row[1])) < hold < Fraction(number(row[2])) for row in first.rows)
    assert {row["basis"] for row in made.payload["expectation"][:5]} == {"on the books"}
    (decks,) = section(SEEDED, "deck_sensitivity").tables
    assert [row[1] for row in decks.rows if row[-1].endswith("this sheet")] == [hold]
    assert all(row[4] for row in decks.rows if row[-1].startswith("yes"))


def test_given_meters_make_every_figure_a_number():
    made = sheet(GIVEN)
    assert made.payload["settled_meters"] == {"Mega": 60, "Major": 50, "Minor": 40}
    assert isinstance(Fraction(made.payload["house_edge"]), Fraction)
    assert "at the given meters" in [row[0] for row in section(GIVEN, "statistics").tables[1].rows]
    assert made.payload["expectation"]
    assert [one.title for one in section(GIVEN, "deck_sensitivity").tables[0].columns][4] == "Standard deviation"


@pytest.mark.parametrize("name", [UNKNOWN])
def test_unknown_seeds_leave_out_what_depends_on_them_and_say_so(name):
    made = sheet(name)
    assert made.payload["settled_meters"] is None
    assert made.payload["expectation"] == []
    assert "not known" in section(name, "statistics").text[0]
    assert "not known" in section(name, "expectation").text[0]
    assert section(name, "expectation").tables == ()
    assert "Standard deviation" not in figures(section(name, "headline"))
    assert "Standard deviation" not in [one.title for one in section(name, "deck_sensitivity").tables[0].columns]
    assert "Variance" not in figures(section(name, "statistics"))
    assert any("depends on the meter" in row for row in section(name, "exposure").tables[0].rows)
    assert made.payload["exposure"]["largest_win"] is None


def test_awards_from_a_meter_have_no_pay_to_change():
    names = [row[0] for row in section(SEEDED, "pay_sensitivity").tables[0].rows]
    assert names == [line.award.name for line in sheet(SEEDED).study.analysis.lines if line.award.pay.meter is None]


# Identification and fingerprints


@pytest.mark.parametrize("name", SHEETS)
def test_fingerprint_of_the_data_is_that_of_its_json_without_itself(name):
    # As a stranger would do it: from the file, with sorted keys and no spaces.
    data = json.loads(json.dumps(sheet(name).payload, indent=2, ensure_ascii=False))
    said = data.pop("data_sha256")
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode("utf-8")).hexdigest() == said
    assert figures(section(name, "identification"))["SHA-256 of this sheet's data"] == said


def identified(name):
    return figures(section(name, "signatures")) | figures(section(name, "identification"))


def test_identification_has_what_was_given():
    shown, data = identified(FIXED), sheet(FIXED).payload["identification"]
    assert (shown["Document"], shown["Revision"], shown["Date"]) == ("DOC-7", "3", "2026-11-16")
    assert (shown["Prepared by"], shown["Reviewed by"], shown["Jurisdiction"]) == (
        "A. Author",
        "R. Reader",
        "Washington",
    )
    assert (data["document"], data["revision"], data["date"]) == ("DOC-7", "3", "2026-11-16")
    assert (data["prepared_by"], data["reviewed_by"], data["jurisdiction"]) == ("A. Author", "R. Reader", "Washington")
    assert shown["Game"] == data["game"] == "Blackjack"
    assert shown["Software"] == data["software"] == "combinat 0.1.0"


def test_identification_leaves_blank_what_was_not_given_the_date_too():
    shown, data = identified(UNKNOWN), sheet(UNKNOWN).payload["identification"]
    assert (shown["Date"], shown["Prepared by"], shown["Reviewed by"]) == ("", "", "")
    assert [data[key] for key in ("date", "prepared_by", "reviewed_by", "jurisdiction")] == [None] * 4
    assert (shown["Document"], shown["Revision"]) == ("21+3-PT2-6D", "1")
    assert "Jurisdiction" not in shown


def test_fingerprint_of_the_input_is_that_of_the_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(GOOD.encode("utf-8"))
    (mine,) = load_bet(path)
    made = build_par_sheet(build_study(mine, Shoe(6)))
    assert made.payload["identification"]["input_sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_same_study_gives_the_same_sheet():
    again = build_par_sheet(build_study(get_paytable("TRI-02"), Shoe(2)), SIGNED)
    assert again.payload == sheet(FIXED).payload
    assert again.document == sheet(FIXED).document


# Flags and checks


def test_what_must_not_be_missed_stands_at_the_top():
    made = build_par_sheet(build_study(get_paytable("TRI-02"), Shoe(6)))
    assert made.document.flags[0].startswith("Favors the player by ")
    assert "Not designed for 6 decks: TRI-02 is for 2 decks" in made.document.flags
    assert [flag.lower() for flag in made.document.flags] == [flag.lower() for flag in made.payload["flags"]]
    assert sheet(FIXED).document.flags == ()


def test_award_that_cannot_be_won_is_flagged_and_said_to_be_impossible():
    made = build_par_sheet(build_study(get_paytable("SUP-01"), Shoe(1)))
    assert any("impossible with 1 deck" in flag for flag in made.document.flags)
    impossible = [award["name"] for award in made.payload["awards"] if not award["possible"]]
    assert impossible
    for row in part_of(made.document, "awards").tables[1].rows:
        assert (row[1] == "impossible") == (row[0] in impossible)
    for row in part_of(made.document, "rules").tables[0].rows:
        assert (row[2] == "impossible") == (row[0] in impossible)
    tested = [row[0] for table in part_of(made.document, "exposure").tables for row in table.rows]
    assert not set(tested) & set(impossible)


@pytest.mark.parametrize("name", SHEETS)
def test_every_check_agrees(name):
    results = {one["result"] for one in sheet(name).payload["checks"]}
    assert results <= {"agrees", "depends on the meters", "not a check: the rate and seeds were chosen to give it"}
    assert "agrees" in results
    assert any("second method" in one["check"] for one in sheet(name).payload["checks"])


def test_check_that_fails_is_flagged():
    # The counts are altered before the checks: nine hands moved from one award to the losing hands.
    analysis = sheet(FIXED).study.analysis
    ways = analysis.ways
    altered = replace(ways, wins=(ways.wins[0] - 9, *ways.wins[1:]), losing=ways.losing + 9)
    made = build_par_sheet(Study(Analysis(analysis.paytable, analysis.shoe, altered)))
    failed = [one["check"] for one in made.payload["checks"] if one["result"] == "DIFFERS"]
    assert any("weighed card by card" in one for one in failed)
    assert any("second method" in one for one in failed)
    assert not any("add up to the cycle" in one for one in failed)
    assert made.document.flags[0].startswith("A check failed: ")


def test_counts_that_do_not_add_up_make_no_sheet():
    ways = sheet(FIXED).study.analysis.ways
    with pytest.raises(MiscountError, match="not to the cycle"):
        replace(ways, wins=(ways.wins[0] - 9, *ways.wins[1:]))


# Shoes that are out of the ordinary


def test_shoe_that_lacks_cards_has_a_sheet_too():
    made = build_par_sheet(build_study(get_paytable("PAIR-SQUARE-25-10"), Shoe(2, removed=parse_cards("7h 7d Ks"))))
    assert "less 7h 7d Ks" in figures(part_of(made.document, "identification"))["Decks"]
    assert made.payload["derivation"] == []
    assert "not a number of full decks" in part_of(made.document, "derivation").text[0]
    assert {one["result"] for one in made.payload["checks"]} == {"agrees"}


@pytest.mark.parametrize("decks", [1, 10])
def test_any_number_of_decks_has_a_sheet(decks):
    made = build_par_sheet(build_study(get_paytable("PAIR-SQUARE-25-10"), Shoe(decks)))
    marks = column(part_of(made.document, "deck_sensitivity").tables[0], "Designed")
    assert sum("this sheet" in mark for mark in marks) == 1
    assert decks in [row["decks"] for row in made.payload["deck_sensitivity"]]


ODD = """
bet = "Odd"
deal = "player:2"
[[paytable]]
id = "ODD"
decks = 6
awards = [{}]
"""


@pytest.mark.parametrize(
    ("awards", "decks"),
    [
        ('{ name = "Same", when = "identical", pays = "500 to 1" }', 1),  # nothing can be won
        ('{ name = "Any", when = "total >= 2", pays = "push" }', 6),  # nothing can be lost
        ('{ name = "Any", when = "total >= 2", pays = "1 to 1" }', 6),  # everything wins
        (
            '{ name = "Aces", when = "A-A and suited", pays = "1000 to 1" },'
            '{ name = "Rest", when = "total >= 2", pays = "push" }',
            6,
        ),
        ('{ name = "Half", when = "suited", pays = "0.5 for 1" }', 6),  # all that is paid is less than the wager
        ('{ name = "None", when = "suited", pays = "loses" }', 6),
    ],
    ids=["impossible", "push", "sure win", "no loss", "half back", "loses"],
)
def test_odd_paytables_have_sheets_without_a_failed_check(awards, decks, tmp_path):
    path = tmp_path / "odd.toml"
    path.write_text(ODD.format(awards))
    (paytable,) = load_bet(path)
    made = build_par_sheet(build_study(paytable, Shoe(decks)))
    assert {one["result"] for one in made.payload["checks"]} == {"agrees"}
    assert len(made.document.sections) == 13


def test_every_value_can_be_written():
    for name in SHEETS:
        for part in sheet(name).document.sections:
            for figure in part.figures:
                assert format_cell(figure.value, figure.style, 10) is not None
            for table in part.tables:
                for row in islice(table.rows, 50):
                    for cell, one in zip(row, table.columns, strict=True):
                        text = format_cell(cell, one.style, 10)
                        assert "Polynomial" not in text
                        assert "Fraction" not in text
                        assert not isinstance(cell, Surd) or text
