"""Facts that a reviewer checks on a sheet: one test for each kind of mistake that would keep it from being signed."""

import io

import pytest
from openpyxl import load_workbook

from combinat.analysis.exposure import jurisdiction_tests
from combinat.bets.catalog import get_paytable
from combinat.results.flags import flags
from combinat.study import build_study
from combinat.verifier import Verdict
from decks import Shoe
from reports.publish.key_figures import key_figures
from reports.sheet.identity import Identity
from reports.sheet.par_sheet import build_par_sheet
from reports.sheet.sections.awards import award_section
from reports.sheet.sections.decks import deck_section
from reports.sheet.sections.headline import headline_section
from reports.sheet.sections.jurisdictions import jurisdiction_section
from reports.sheet.sections.outlook import outlook_section, pay_sensitivity_section
from reports.sheet.sections.request import Request
from reports.sheet.sections.rules import rules_section
from reports.sheet.sections.source import assumptions_section
from tests.parlay import TWO_HANDS, small_shoe
from tests.studio import client


def build_request(id, decks):
    """Return what the sections of a sheet are made from, without the verifier's run."""
    return Request(
        build_study(get_paytable(id), Shoe(decks)), Identity(), None, jurisdiction_tests(), None, 0, None, ()
    )


def page_one_flags(id, decks):
    """Return the warnings of page one; the verifier's run is left out because no warning depends on it."""
    with pytest.MonkeyPatch.context() as patch:
        verdict = Verdict("not run in these tests")
        patch.setattr("reports.sheet.par_sheet.verify_draft", lambda *_, **__: verdict)
        return build_par_sheet(build_study(get_paytable(id), Shoe(decks))).document.flags


def texts_of(section):
    """Return all texts of a section: labels, captions, headings, cells and notes."""
    cells = [cell for table in section.tables for row in table.rows for cell in row if isinstance(cell, str)]
    titles = [column.title for table in section.tables for column in table.columns]
    captions = [item.caption for item in (*section.tables, *section.plots)]
    labels = [figure.label for figure in section.figures]
    return [*labels, *captions, *titles, *cells, *section.text, *section.notes]


def value_of(section, label):
    """Return the value of a figure by its label."""
    (value,) = [figure.value for figure in section.figures if figure.label == label]
    return value


def test_both_bases_have_one_name_each():
    study = build_study(get_paytable("HM-2"), small_shoe(), rules=TWO_HANDS)
    request = Request(study, Identity(), None, jurisdiction_tests(), None, 0, None, ())
    headline = headline_section(request)
    bases, pay_table = headline.tables
    assert [column.title for column in bases.columns] == ["Figure", "Wager alone", "Best play", "Difference"]
    assert pay_table.caption == "Pay table, wager alone"
    assert pay_table.rows[-1][-1].value == study.analysis.return_
    sections = (headline, deck_section(request), outlook_section(request), pay_sensitivity_section(request))
    texts = [text for section in sections for text in texts_of(section)]
    assert [text for text in texts if "best parlay" in text or "no parlay" in text] == []


@pytest.mark.parametrize(
    ("id", "decks", "text", "one_in"),
    [("TRI-01", 8, "4 awards at 9 to 1", "10.28"), ("21+3-PT1", 6, "2 awards at 100% of meter", "31333.25")],
)
def test_ties_for_the_top_award_count_together(id, decks, text, one_in):
    headline = headline_section(build_request(id, decks))
    assert value_of(headline, "Top award") == text
    assert f"{float(value_of(headline, 'Top award: once in')):.2f}" == one_in


def test_published_figures_name_their_deck_count():
    tables = assumptions_section(build_request("BLZ-ML03-PC", 6)).tables
    (published,) = [table for table in tables if table.caption == "Published figures"]
    hold = published.rows[0]
    assert hold[1:5] == ("21.65%", "8 decks", "21.65%", "22.39%")


@pytest.mark.slow
def test_bust_bonanza_has_both_bases():
    edges = []
    for id, decks in (("BB-1", 2), ("BB-2", 6)):
        bases = headline_section(build_request(id, decks)).tables[0]
        assert [column.title for column in bases.columns[1:3]] == ["Any round", "Each eligible hand"]
        edges.append(f"{100 * float(bases.rows[0][2].value.constant):.4f}%")
        edge, *_ = key_figures(build_request(id, decks).study)
        assert edge.basis == "any round"  # as on the sheet
    assert edges == ["9.0296%", "8.0904%"]


@pytest.mark.slow
def test_page_one_of_lucky_9_flags_the_makers_rules():
    (pay,) = [flag for flag in page_one_flags("L9", 6) if "3 to 2" in flag]
    assert pay.startswith("From the maker's public description")
    assert "every win pays 1 to 1: 3.4761%" in pay


@pytest.mark.parametrize("id", ["SOB-EXAMPLE", "BN9-EXAMPLE"])
def test_examples_are_not_designed_for_any_deck_count(id):
    request = build_request(id, 6)
    texts = [*texts_of(deck_section(request)), *texts_of(assumptions_section(request))]
    assert [text for text in texts if "designed" in text.lower()] == []
    assert "an example paytable, not a published one" in flags(request.study)


def test_heading_agrees_with_the_order_of_awards():
    captions = texts_of(rules_section(build_request("BB-1", 2)))
    assert [text for text in captions if text.startswith("Awards, highest")] == []
    assert "Awards, highest pay first" in texts_of(rules_section(build_request("TRI-03", 6)))


def test_only_winning_awards_have_a_shortfall_from_true_odds():
    (odds,) = [table for table in award_section(build_request("L9", 6)).tables if table.caption == "Odds and pays"]
    shortfalls = {row[0]: row[-1] for row in odds.rows}
    assert shortfalls["Push"] is None
    assert shortfalls["Loses two units"] is None
    assert shortfalls["Wins two units"] is not None


def test_paytable_of_another_source_is_flagged():
    (flag,) = [flag for flag in page_one_flags("21+3-PT1", 6) if "58 Pa. Code 633b.17" in flag]
    assert flag.startswith("From another published source")


def test_open_meter_terms_are_flagged():
    assert any("the hold is a formula" in flag for flag in page_one_flags("TBJ-06-2024", 8))


def test_assumption_names_the_seed_of_its_own_meters():
    texts = texts_of(assumptions_section(build_request("BLZ-1-UP", 6)))
    (inferred,) = [text for text in texts if "are inferred" in text]
    assert "seed of 2,000" in inferred
    assert "500" not in inferred


@pytest.mark.slow
def test_changed_ladder_of_the_studio_is_a_variant():
    text = get_paytable("TRI-03").bet.file.replace("100 to 1", "90 to 1", 1)
    body = {"bet": {"toml": text, "paytable": "TRI-03"}, "decks": 6}
    with client() as server:
        export = server.post("/page/export", json={"toml": text, "paytable": "TRI-03"}).json()
        response = server.post("/api/par_sheet", json={**body, "format": "json"})
        workbook = server.post("/api/par_sheet", json={**body, "format": "xlsx"})
    assert export["name"].startswith("TRI-03+variant-")
    assert "Based on TRI-03" in export["text"]
    sheet = response.json()
    assert "TRI-03-6D-variant-" in response.headers["content-disposition"]
    assert sheet["identification"]["document"].startswith("TRI-03-6D-variant-")
    assert sheet["title"].endswith("variant")
    assert all(source.startswith("Based on TRI-03") for source in sheet["sources"])
    assert "variant" in str(load_workbook(io.BytesIO(workbook.content)).worksheets[0]["A1"].value)


def test_only_tests_that_apply_to_a_table_game_are_shown():
    section = jurisdiction_section(build_request("TRI-03", 6))
    rows = [row for table in section.tables for row in table.rows] if section else []
    assert [row for row in rows if "230-15-455" in str(row)] == []  # the largest wager is not stated
    assert all(row[-1] != "fails" for row in rows)
