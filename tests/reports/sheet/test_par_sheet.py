"""The par sheet's document: its sections, its totals, and figures equal to the exact ones of its payload."""

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
from combinat.verifier import verify
from combinat.verifier.expected import TOO_LONG
from combinat.version import VERSION
from decks import Shoe, parse_cards
from reports.page.model import Formula, Hand, Styled, format_cell
from reports.page.numerals import exact
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import build_par_sheet
from reports.sheet.sections.awards import award_section
from reports.sheet.sections.request import Request
from tests.bet_text import VALID_BET
from tests.sheets import find_paytable
from tests.small_bets import build_paytable

TITLES = [
    "Identification and source",
    "Headline",
    "Assumptions",
    "Signatures",
    "Rules of play",
    "Awards",
    "Statistics",
    "Confidence intervals for hold",
    "Deck sensitivity",
    "Paytable sensitivity",
    "Exposure",
    "Derivation",
    "Terms",
    "Verification",
]
SPECIAL_INDEX = 10
"""Index of the title before which a section on meters, up cards or an option is inserted."""
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
def build_named_sheet(name):
    id, decks, meters, identity = SHEETS[name]
    values = {key: Fraction(value) for key, value in meters.items()}
    paytable = find_paytable(id)
    return build_par_sheet(build_study(paytable, Shoe(decks, paytable.bet.pack), values), identity)


def find_section(document, key):
    (section,) = (candidate for candidate in document.sections if candidate.key == key)
    return section


def section_of(name, key):
    return find_section(build_named_sheet(name).document, key)


def figures_by_label(section):
    return {figure.label: figure.value for figure in section.figures}


def exact_value(value):
    """Return a cell's value as written in the payload."""
    value = value.value if isinstance(value, Styled) else value
    return value if isinstance(value, str) else exact(value)


def column_values(table, title):
    index = [column.title for column in table.columns].index(title)
    return [row[index] for row in table.rows]


@pytest.mark.parametrize("name", SHEETS)
def test_sections_are_in_order(name):
    sections = build_named_sheet(name).document.sections
    special = {FIXED: [], DRAWN: ["By the dealer's up card"]}.get(name, ["Meters"])
    titles = [*TITLES[:SPECIAL_INDEX], *special, *TITLES[SPECIAL_INDEX:]]
    titles[2] = "Published figures and assumptions" if build_named_sheet(name).payload["published"] else titles[2]
    assert [section.title for section in sections if section.key not in ("jurisdictions", "clauses")] == titles
    assert [section.key for section in sections].count("clauses") == (name in (FIXED, PROGRESSIVE, UNKNOWN))
    numbered = [section for section in sections if section.key != "signatures"]  # a block at the foot of page one
    assert [section.number for section in numbered] == list(range(1, len(sections)))
    assert all(section.text or section.figures or section.tables for section in sections)


@pytest.mark.parametrize("name", SHEETS)
def test_every_row_has_a_cell_for_every_column(name):
    for section in build_named_sheet(name).document.sections:
        for table in section.tables:
            assert {len(row) for row in table.rows} == {len(table.columns)}


@pytest.mark.parametrize("name", [FIXED, UNKNOWN, GIVEN])
def test_award_table_totals_are_sums(name):
    sheet = build_named_sheet(name)
    counts, odds, returns = section_of(name, "awards").tables
    *inclusive, _, _ = column_values(counts, "Inclusive count")
    *less_higher_ranked, _, _ = column_values(counts, "Less higher-ranked")
    *ways, total = column_values(counts, "Ways")
    assert [
        inclusive_count - taken_count
        for inclusive_count, taken_count in zip(inclusive, less_higher_ranked, strict=True)
    ] == ways[:-1]
    assert sum(ways) == total == sheet.study.analysis.ways.cycle
    *exact_texts, exact_total = column_values(counts, "Probability, exactly")
    assert sum(map(Fraction, exact_texts)) == 1 == int(exact_total)
    *probabilities, probability_total = column_values(counts, "Probability")
    assert probabilities == [Fraction(count, total) for count in ways]
    assert sum(probabilities) == probability_total == 1
    *award_returns, return_total = column_values(returns, "Return")
    assert sum(award_returns, Polynomial.of(0)) == return_total.value == sheet.study.analysis.return_
    assert f"= {total:,} hands" in section_of(name, "awards").text[0]
    *nets, net = column_values(returns, "Net")
    assert sum(nets, Polynomial.of(0)) == net.value == sheet.study.analysis.return_ - 1
    if not sheet.study.analysis.open_meters:
        *shares, share = column_values(returns, "Share of return")
        assert sum(shares) == share == 1
        *cumulative, _ = column_values(returns, "Cumulative return")
        assert cumulative == list(accumulate(award_returns))
    for row in odds.rows[:-1]:
        assert row[1] - row[2] == 1  # 1 in n hands is odds of n - 1 to 1


def test_dealer_probabilities_sum_to_one():
    *exact_texts, exact_total = column_values(section_of(DRAWN, "awards").tables[0], "Probability, exactly")
    assert sum(map(Fraction, exact_texts)) == 1 == int(exact_total)


def test_cycle_equals_its_formula():
    assert f"C(104, 3) = {comb(104, 3):,} hands" in section_of(FIXED, "awards").text[0]
    request = Request(build_study(get_paytable("BLZ-1-UP"), Shoe(6)))
    assert f"C(312, 2) · C(310, 1) = {comb(312, 2) * 310:,} hands" in award_section(request).text[0]


def test_document_figures_equal_the_payload():
    sheet, payload = build_named_sheet(FIXED), build_named_sheet(FIXED).payload
    headline, statistics = (
        figures_by_label(section_of(FIXED, "headline")),
        figures_by_label(section_of(FIXED, "statistics")),
    )
    for label, key in {
        "House edge": "house_edge",
        "Return": "return",
        "Hit frequency": "hit_frequency",
        "Standard deviation": "standard_deviation",
    }.items():
        assert exact_value(headline[label]) == exact_value(statistics[label]) == payload[key]
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
        assert exact_value(statistics[label]) == payload[key]
    assert sheet.document.figures == section_of(FIXED, "headline").figures
    (volatility,) = section_of(FIXED, "statistics").tables
    assert [tuple(map(exact_value, row[:3])) for row in volatility.rows] == [
        (row["confidence"], row["z"], row["index"]) for row in payload["volatility_index"]
    ]
    assert exact_value(headline["Volatility index, 90% (z 1.644854)"]) == payload["volatility_index"][0]["index"]


def test_award_tables_equal_the_payload():
    payload = build_named_sheet(FIXED).payload
    counts, odds, returns = section_of(FIXED, "awards").tables
    for row, award in zip(counts.rows, payload["awards"], strict=False):
        expected = [
            award[key]
            for key in ("name", "inclusive_count", "less_higher_ranked", "ways", "probability", "probability")
        ]
        assert list(map(exact_value, row)) == expected
    for row, award in zip(returns.rows, payload["awards"], strict=False):
        assert [exact_value(row[index]) for index in (0, 1, 3)] == [
            award[key] for key in ("name", "return", "share_of_return")
        ]
    for row, award in zip(odds.rows, payload["awards"], strict=False):
        assert list(map(exact_value, row[:3])) == [award[key] for key in ("name", "one_in", "true_odds")]
        assert award["one_in"] == award["fair_pay_for_1"]
        assert [Fraction(row[3]), Fraction(row[4])] == [Fraction(award["pays_to_1"]), Fraction(award["pays_for_1"])]
        assert row[5] == Fraction(award["fair_pay_for_1"]) - Fraction(award["pays_for_1"])


def test_other_tables_equal_the_payload():
    payload = build_named_sheet(FIXED).payload
    expectation, decks, pays = (
        section_of(FIXED, key).tables[0] for key in ("outlook", "deck_sensitivity", "pay_sensitivity")
    )
    for row, data in zip(expectation.rows, payload["outlook"], strict=True):
        assert row[0] == data["plays"]
        for value, key in zip(row[1:4], ("least_hold", "most_hold", "house_ahead"), strict=True):
            assert abs(Fraction(exact_value(value)) - Fraction(data[key])) <= Fraction(1, 10**30)
            assert isinstance(value, Styled) == (
                data["method"] != "distribution"
            )  # approximations are shown with fewer digits
        assert row[4].startswith("exact distribution" if data["method"] == "distribution" else "normal")
        assert ("rough" in row[4]) == data["poor_approximation"]
    for row, data in zip(decks.rows, payload["deck_sensitivity"], strict=True):
        assert exact_value(row[1]) == data["house_edge"]
        assert exact_value(row[3]) == data["hit_frequency"]
        assert exact_value(row[4]) == data["standard_deviation"]
        assert row[5] == "impossible" or exact_value(row[5]) == data["top_award_one_in"]
        assert row[6].startswith("yes") == data["designed"]
        assert ("this sheet" in row[6]) == (data["decks"] == payload["decks"])
        assert row[2] == Fraction(data["house_edge"]) - Fraction(payload["house_edge"])
    for row, data in zip(pays.rows, payload["pay_sensitivity"], strict=True):
        assert (row[0], exact_value(row[2])) == (data["award"], data["one_more"])
        assert row[3] is None or exact_value(row[3]) == data["one_less"]
        assert exact_value(row[4]) == exact(Fraction(payload["house_edge"]) + Fraction(data["one_more"]))
    steps = [step for entry in payload["derivation"] for step in entry["steps"]]
    rows = [row for row in section_of(FIXED, "derivation").tables[0].rows if isinstance(row[3], Formula)]
    for row, step in zip(rows, steps, strict=True):
        assert (row[1], row[2], row[3].plain, row[4], row[5]) == tuple(
            step[key] for key in ("cards", "hands", "formula", "numbers", "ways")
        )
    assert section_of(FIXED, "derivation").tables[0].rows[-1][-1] == payload["cycle"]
    checks = section_of(FIXED, "verification").tables[0].rows
    assert list(checks) == [(entry["check"], entry["result"]) for entry in payload["checks"]]


def test_derivation_gives_each_award_probability():
    (table,) = section_of(DRAWN, "derivation").tables
    probabilities = {line.award.name: line.probability for line in build_named_sheet(DRAWN).study.analysis.lines}
    terms_by_award = {name: [row[-1] for row in table.rows if row[0] == name] for name in probabilities}
    assert {name: sum(terms) for name, terms in terms_by_award.items()} == probabilities
    subtotals = {row[0].removesuffix(", in all"): row[-1] for row in table.rows if row[0].endswith(", in all")}
    assert subtotals.items() - {("no award", subtotals["no award"])} <= probabilities.items()
    assert set(subtotals) - {"no award"} == {name for name, terms in terms_by_award.items() if len(terms) > 1}
    assert any("in the ledger" in row for row in table.rows)
    steps = sum(len(award["steps"]) for award in build_named_sheet(DRAWN).payload["derivation"])
    assert sum(row[0] in {*probabilities, "no award"} for row in table.rows) < steps  # the payload has every step


def test_deck_plot_shows_its_table():
    table, (plot,) = section_of(FIXED, "deck_sensitivity").tables[0], section_of(FIXED, "deck_sensitivity").plots
    assert list(plot.values) == column_values(table, "House edge")
    assert plot.marked == {
        index for index, text in enumerate(column_values(table, "Designed")) if text.startswith("yes")
    }
    assert len(plot.steps) == 9


def test_sensitivity_matches_a_changed_pay():
    sheet = build_named_sheet(FIXED)
    analysis = sheet.study.analysis
    for index, row in enumerate(section_of(FIXED, "pay_sensitivity").tables[0].rows):
        awards = list(analysis.paytable.awards)
        pay = awards[index].pay
        awards[index] = replace(awards[index], pay=replace(pay, amount=pay.amount + 1))
        raised = analyze_wager(replace(analysis.paytable, awards=tuple(awards)), analysis.shoe)
        assert row[4] == raised.house_edge
        assert row[2] == (raised.house_edge - analysis.house_edge).constant == -row[3]


def test_exposure_is_the_largest_pay_times_maximum_wager():
    wager = Fraction(250)
    sheet = build_par_sheet(build_named_sheet(FIXED).study, max_wager=wager)
    section = find_section(sheet.document, "exposure")
    exposure = sheet.payload["exposure"]
    top = max(line.net.constant for line in sheet.study.analysis.lines if line.is_possible)
    assert [figure.value for figure in section.figures][:3] == [wager, top * wager, (top + 1) * wager]
    assert (exposure["max_wager"], exposure["largest_win"], exposure["largest_payment"]) == (
        250,
        exact(top * wager),
        exact((top + 1) * wager),
    )
    assert len(exposure["tax"]) == len(tax_rules()) * len(sheet.study.analysis.lines)
    assert {row["years"] for row in exposure["tax"]} == {rule.years for rule in tax_rules()}
    assert all(rule.source in " ".join(section.notes) for rule in tax_rules())


def test_page_one_has_awards_and_signatures():
    _, headline, _, signatures = build_named_sheet(FIXED).document.sections[:4]
    (awards,) = headline.tables
    assert [column.title for column in awards.columns] == ["Award", "Pays", "Ways", "Probability", "1 in", "Return"]
    assert [row[0] for row in awards.rows[:-2]] == [
        award["name"] for award in build_named_sheet(FIXED).payload["awards"]
    ]
    labels = [figure.label for figure in signatures.figures]
    assert labels[::5] == ["Prepared by", "Reviewed by"]
    assert labels[1:5] == labels[6:] == ["Title", "License number", "Date", "Signature"]


def test_tax_section_lists_only_reportable_awards():
    sheet = build_par_sheet(build_study(build_paytable("player:2", ["pair", "suited"]), Shoe(6)))
    exposure = find_section(sheet.document, "exposure")
    assert exposure.tables == ()
    assert "300 times the wager" in exposure.text[0]
    richer = build_paytable("player:2", ["pair", "suited"], pays=[500, 2])
    raised_exposure = find_section(build_par_sheet(build_study(richer, Shoe(2))).document, "exposure")
    assert [row[0] for row in raised_exposure.tables[0].rows] == ["Award 0"]
    assert "not listed" in raised_exposure.text[0]


def test_fractional_pays_are_rounded_per_wager():
    sheet = build_named_sheet(FIXED)
    (table,) = section_of(FIXED, "exposure").tables
    analysis = sheet.study.analysis
    for wager, rounded_up, stated, rounded_down in table.rows:
        assert wager % 2 == 1  # with 2.5 to 1, even wagers are paid in whole chips
        half = Fraction(1, 2 * wager)
        fractional_probability = sum(line.probability for line in analysis.lines if line.net.constant.denominator == 2)
        assert (rounded_up, rounded_down) == (
            stated - fractional_probability * half,
            stated + fractional_probability * half,
        )
        assert stated == analysis.house_edge


def test_examples_are_hands_of_the_deal():
    (table,) = section_of(FIXED, "rules").tables
    for row, award in zip(table.rows, build_named_sheet(FIXED).payload["awards"], strict=True):
        assert isinstance(row[2], Hand)
        assert [name for name, _ in row[2].roles] == ["player", "up"]
        assert [len(cards) for _, cards in row[2].roles] == [2, 1]
        assert {role: [str(card) for card in cards] for role, cards in row[2].roles} == award["example"]


# Meters


def iter_cells(section):
    for figure in section.figures:
        yield figure.value
    for table in section.tables:
        for row in table.rows:
            yield from row


@pytest.mark.parametrize("name", SHEETS)
def test_figures_contain_no_meter_formulas(name):
    for key in ("statistics", "outlook", "deck_sensitivity", "pay_sensitivity"):
        for cell in iter_cells(section_of(name, key)):
            value = cell.value if isinstance(cell, Styled) else cell
            assert not isinstance(value, Polynomial) or value.is_constant
            assert not isinstance(value, str) or "×" not in value


def test_progressive_sections_share_the_headline_basis():
    sheet = build_named_sheet(SEEDED)
    (system,) = (
        candidate
        for candidate in sheet.study.analysis.paytable.systems
        if candidate.decks is None or 6 in candidate.decks
    )
    seeds = {level.name: exact(level.seed / system.wager) for level in system.levels}
    assert sheet.payload["settled_meters"] == seeds
    assert sheet.payload["meters"] == {}
    hold = sheet.study.hold
    assert figures_by_label(section_of(SEEDED, "headline"))["Hold in the long run, rates and seeds inferred"] == hold
    assert "accounting basis" in " ".join(section_of(SEEDED, "statistics").text)
    assert figures_by_label(section_of(SEEDED, "statistics"))["Return in the long run"] == 1 - hold
    assert "House edge" not in figures_by_label(section_of(SEEDED, "statistics"))
    assert "Standard deviation, accounting basis" in figures_by_label(section_of(SEEDED, "headline"))
    by_basis = {row[0]: row[1] for row in section_of(SEEDED, "statistics").tables[1].rows}
    at_seeds = sheet.study.analysis.return_.at({name: Fraction(value) for name, value in seeds.items()})
    assert by_basis == {
        "accounting basis": hold,
        "meters at their seeds": 1 - at_seeds.constant,
        "meters at their averages": hold,
        "per wager at a random meter": hold,
    }
    first, second = section_of(SEEDED, "outlook").tables
    assert len(first.rows) == len(second.rows) == 5
    assert all(Fraction(exact_value(row[1])) < hold < Fraction(exact_value(row[2])) for row in first.rows)
    assert {row["basis"] for row in sheet.payload["outlook"][:5]} == {"accounting basis"}
    (decks,) = section_of(SEEDED, "deck_sensitivity").tables
    assert [row[1] for row in decks.rows if row[-1].endswith("this sheet")] == [hold]
    assert all(row[4] for row in decks.rows if row[-1].startswith("yes"))


def test_given_meters_make_figures_numbers():
    sheet = build_named_sheet(GIVEN)
    assert sheet.payload["settled_meters"] == {"Mega": 60, "Major": 50, "Minor": 40}
    assert isinstance(Fraction(sheet.payload["house_edge"]), Fraction)
    assert "at the given meters" in [row[0] for row in section_of(GIVEN, "statistics").tables[1].rows]
    assert sheet.payload["outlook"]
    assert [column.title for column in section_of(GIVEN, "deck_sensitivity").tables[0].columns][
        4
    ] == "Standard deviation"


@pytest.mark.parametrize("name", [UNKNOWN])
def test_unknown_seeds_omit_dependent_figures(name):
    sheet = build_named_sheet(name)
    assert sheet.payload["settled_meters"] is None
    assert sheet.payload["outlook"] == []
    assert "not known" in section_of(name, "statistics").text[0]
    assert "not known" in section_of(name, "outlook").text[0]
    assert section_of(name, "outlook").tables == ()
    assert "Standard deviation" not in figures_by_label(section_of(name, "headline"))
    assert "Standard deviation" not in [
        column.title for column in section_of(name, "deck_sensitivity").tables[0].columns
    ]
    assert "Variance" not in figures_by_label(section_of(name, "statistics"))
    assert any("depends on the meter" in row for row in section_of(name, "exposure").tables[0].rows)
    assert sheet.payload["exposure"]["largest_win"] is None


def test_meter_awards_have_no_sensitivity():
    names = [row[0] for row in section_of(SEEDED, "pay_sensitivity").tables[0].rows]
    assert names == [
        line.award.name for line in build_named_sheet(SEEDED).study.analysis.lines if line.award.pay.meter is None
    ]


# Identification and fingerprints


@pytest.mark.parametrize("name", SHEETS)
def test_payload_fingerprint_excludes_itself(name):
    # As documented: from the JSON file, with sorted keys and no spaces.
    data = json.loads(json.dumps(build_named_sheet(name).payload, indent=2, ensure_ascii=False))
    stated = data.pop("data_sha256")
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert hashlib.sha256(text.encode("utf-8")).hexdigest() == stated
    assert figures_by_label(section_of(name, "identification"))["SHA-256 of the data (JSON)"] == stated


def identification_figures(name):
    return figures_by_label(section_of(name, "signatures")) | figures_by_label(section_of(name, "identification"))


def test_identification_has_the_given_values():
    shown, data = identification_figures(FIXED), build_named_sheet(FIXED).payload["identification"]
    assert (shown["Document"], shown["Revision"], shown["Date"]) == ("DOC-7", "3", "2026-11-16")
    assert (shown["Prepared by"], shown["Reviewed by"], shown["Jurisdiction"]) == (
        "A. Author",
        "R. Reader",
        "Washington",
    )
    assert (data["document"], data["revision"], data["date"]) == ("DOC-7", "3", "2026-11-16")
    assert (data["prepared_by"], data["reviewed_by"], data["jurisdiction"]) == ("A. Author", "R. Reader", "Washington")
    assert shown["Game"] == data["game"] == "Blackjack"
    assert shown["Program"] == data["software"] == f"combinat {VERSION}"


def test_missing_identification_is_blank():
    shown, data = identification_figures(UNKNOWN), build_named_sheet(UNKNOWN).payload["identification"]
    assert (shown["Date"], shown["Prepared by"], shown["Reviewed by"]) == ("not stated", "", "")
    assert [data[key] for key in ("date", "prepared_by", "reviewed_by", "jurisdiction")] == [None] * 4
    assert (shown["Document"], shown["Revision"]) == ("21+3-PT2-6D", "1")
    assert shown["Jurisdiction"] == "not stated"


def test_input_fingerprint_is_that_of_the_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_bytes(VALID_BET.encode("utf-8"))
    (paytable,) = load_bet(path)
    sheet = build_par_sheet(build_study(paytable, Shoe(6)))
    assert sheet.payload["identification"]["input_sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()


def test_sheets_are_deterministic():
    rebuilt = build_par_sheet(build_study(get_paytable("TRI-02"), Shoe(2)), SIGNED)
    assert rebuilt.payload == build_named_sheet(FIXED).payload
    assert rebuilt.document == build_named_sheet(FIXED).document


# Flags and checks


def test_warnings_are_at_the_top():
    sheet = build_par_sheet(build_study(get_paytable("TRI-02"), Shoe(6)))
    assert sheet.document.flags[0].startswith("Favors the player by ")
    assert "Not designed for 6 decks: TRI-02 is for 2 decks" in sheet.document.flags
    assert [flag.lower() for flag in sheet.document.flags] == [flag.lower() for flag in sheet.payload["flags"]]
    assert build_named_sheet(FIXED).document.flags == ()


def test_impossible_award_is_flagged():
    sheet = build_par_sheet(build_study(get_paytable("SUP-01"), Shoe(1)))
    assert any("impossible with 1 deck" in flag for flag in sheet.document.flags)
    impossible = [award["name"] for award in sheet.payload["awards"] if not award["possible"]]
    assert impossible
    for row in find_section(sheet.document, "awards").tables[1].rows:
        assert (row[1] == "impossible") == (row[0] in impossible)
    for row in find_section(sheet.document, "rules").tables[0].rows:
        assert (row[2] == "impossible") == (row[0] in impossible)
    listed = [row[0] for table in find_section(sheet.document, "exposure").tables for row in table.rows]
    assert not set(listed) & set(impossible)


@pytest.mark.parametrize("name", SHEETS)
def test_every_check_agrees(name):
    results = {check["result"] for check in build_named_sheet(name).payload["checks"]}
    results -= {f"not checked: {TOO_LONG}"}
    assert results <= {"agrees", "depends on the meters", "not a check: the rate and seeds were chosen to give it"}
    assert "agrees" in results
    assert any("The verifier" in check["check"] for check in build_named_sheet(name).payload["checks"])


def test_long_recounts_run_on_request():
    study = build_named_sheet(DRAWN).study
    recounted = build_par_sheet(study, is_verified=True).payload
    assert {check["result"] for check in recounted["checks"]} == {"agrees"}
    assert recounted["verification"]["checked"]
    assert verify(recounted).agrees
    left_out = build_named_sheet(DRAWN).payload
    assert [row["reason"] for row in left_out["verification"]["not_checked"]] == [TOO_LONG]
    assert verify(left_out).agrees
    assert not verify(recounted | {"verification": left_out["verification"]}).agrees


def test_failed_check_is_flagged():
    # The counts are altered before the checks: nine hands moved from one award to the losing hands.
    analysis = build_named_sheet(FIXED).study.analysis
    ways = analysis.ways
    altered = replace(ways, wins=(ways.wins[0] - 9, *ways.wins[1:]), losing=ways.losing + 9)
    sheet = build_par_sheet(Study(Analysis(analysis.paytable, analysis.shoe, altered)))
    failed = [row["check"] for row in sheet.payload["checks"] if row["result"] == "DIFFERS"]
    assert any("card by card" in check for check in failed)
    assert any("The verifier" in check for check in failed)
    assert not any("add up to the cycle" in check for check in failed)
    assert sheet.document.flags[0].startswith("A check failed: ")


def test_inconsistent_counts_raise():
    ways = build_named_sheet(FIXED).study.analysis.ways
    with pytest.raises(MiscountError, match="not to the cycle"):
        replace(ways, wins=(ways.wins[0] - 9, *ways.wins[1:]))


# Unusual shoes and paytables


def test_depleted_shoe_has_a_sheet():
    sheet = build_par_sheet(build_study(get_paytable("PAIR-SQUARE-25-10"), Shoe(2, removed=parse_cards("7h 7d Ks"))))
    assert "less 7h 7d Ks" in figures_by_label(find_section(sheet.document, "identification"))["Decks"]
    assert sheet.payload["derivation"] == []
    assert "not a number of full decks" in find_section(sheet.document, "derivation").text[0]
    results = {check["result"] for check in sheet.payload["checks"]}
    assert results == {"agrees", "not checked: a shoe with removed cards is not counted again"}


@pytest.mark.parametrize("decks", [1, 10])
def test_any_deck_count_has_a_sheet(decks):
    sheet = build_par_sheet(build_study(get_paytable("PAIR-SQUARE-25-10"), Shoe(decks)))
    marks = column_values(find_section(sheet.document, "deck_sensitivity").tables[0], "Designed")
    assert sum("this sheet" in mark for mark in marks) == 1
    assert decks in [row["decks"] for row in sheet.payload["deck_sensitivity"]]


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
        ('{ name = "Half", when = "suited", pays = "0.5 for 1" }', 6),  # the award pays less than the wager
        ('{ name = "None", when = "suited", pays = "loses" }', 6),
    ],
    ids=["impossible", "push", "sure win", "no loss", "half back", "loses"],
)
def test_unusual_paytables_pass_all_checks(awards, decks, tmp_path):
    path = tmp_path / "odd.toml"
    path.write_text(ODD.format(awards))
    (paytable,) = load_bet(path)
    sheet = build_par_sheet(build_study(paytable, Shoe(decks)))
    assert {check["result"] for check in sheet.payload["checks"]} == {"agrees"}
    assert len(sheet.document.sections) == len(TITLES)


def test_every_value_can_be_rendered():
    for name in SHEETS:
        for section in build_named_sheet(name).document.sections:
            for figure in section.figures:
                assert format_cell(figure.value, figure.style, 10) is not None
            for table in section.tables:
                for row in islice(table.rows, 50):
                    for cell, column in zip(row, table.columns, strict=True):
                        text = format_cell(cell, column.style, 10)
                        assert "Polynomial" not in text
                        assert "Fraction" not in text
                        assert not isinstance(cell, Surd) or text
