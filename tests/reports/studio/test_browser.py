"""The studio in a real browser. Without one the tests are skipped, or fail if COMBINAT_NEEDS_BROWSER is set."""

import io
import json
import re
import tomllib
from fractions import Fraction
from itertools import pairwise

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

import combinat
from reports.page.numerals import format_percent
from tests.studio import PATIENCE, expect, run_studio

pytestmark = pytest.mark.slow
DESK, PHONE = {"width": 1440, "height": 1000}, {"width": 390, "height": 844}


@pytest.fixture
def open_page(browser, address, windows):
    """Return a function that opens pages; console errors and requests to other addresses fail the test.

    A link is opened in a new window with its own storage.
    """
    cleanups, errors = [], []
    listeners = {
        "console": lambda message: errors.append(message.text) if message.type == "error" else None,
        "pageerror": lambda error: errors.append(str(error)),
        "request": lambda request: None if request.url.startswith((address, "blob:")) else errors.append(request.url),
    }

    def return_window(page, has_touch):
        windows.give_back(page, has_touch)
        for event, listener in listeners.items():
            page.remove_listener(event, listener)

    def open_page(link=None, viewport=DESK, scheme="light", has_touch=False):
        if link is None:
            page = windows.take(viewport, scheme, has_touch)
            cleanups.append(lambda: return_window(page, has_touch))
        else:
            page = browser.new_page(viewport=viewport)
            page.set_default_timeout(PATIENCE)
            cleanups.append(page.close)
        for event, listener in listeners.items():
            page.on(event, listener)
        page.goto(link or address)
        page.wait_for_function("() => document.body.dataset.shown > 0")
        return page

    yield open_page
    for cleanup in cleanups:
        cleanup()
    assert errors == []


def edge_figure(page):
    return page.locator("[data-key=house_edge] td.selected")


def edge_text(page):
    """Return the edge of the selected deck count, without its mark."""
    return edge_figure(page).evaluate("cell => cell.firstChild.textContent")


def select_decks(page, count):
    page.locator(f"#deck-table [data-decks='{count}']").click()
    wait_for_figures(page)


def wait_for_figures(page):
    """Wait until the figures belong to the current text."""
    page.wait_for_function("() => !document.body.classList.contains('behind')")


def open_catalog_bet(page, id):
    choose_catalog_bet(page, id)
    page.wait_for_function("id => document.getElementById('paytable').value === id", arg=id)
    wait_for_figures(page)


def choose_catalog_bet(page, id):
    page.fill("#catalog", id)
    page.locator(f"#catalog-list [data-id='{id}']").click()


def put_caret(page, before):
    """Put the caret of the editor after the text `before`."""
    page.click("#tab-text")
    page.evaluate(
        """before => { const { view } = studio.editor; view.focus();
        const at = studio.text.indexOf(before) + before.length; view.dispatch({ selection: { anchor: at } }); }""",
        before,
    )


def replace_text(page, text):
    """Replace the text in the editor, as by pasting over it."""
    page.evaluate(
        "text => studio.editor.view.dispatch({ changes: { from: 0, to: studio.text.length, insert: text } })", text
    )


def test_error_stays_at_its_line_until_fixed(open_page):
    page = open_page()
    put_caret(page, '"Straight" = "straight')
    for _ in range(4):
        page.keyboard.press("Backspace")
    page.keyboard.type("it")
    page.keyboard.press("Escape")
    expect(page.locator("#problems li.error")).to_have_text(
        re.compile(r"^Line 8hand 'Straight': unknown word 'strait' .*did you mean 'straight'\?$")
    )
    expect(page.locator(".cm-lintRange-error")).to_have_text("strait")
    assert page.locator("body").evaluate("body => body.classList.contains('behind')")  # the figures are outdated
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type("ight")
    page.keyboard.press("Escape")
    expect(page.locator("#problems")).to_have_text("✓ No problems found")
    wait_for_figures(page)


def test_changed_pay_gives_the_edge_of_show(open_page, tmp_path):
    page = open_page()
    open_catalog_bet(page, "TRI-03")
    pay = page.get_by_label("Pays of Mini royal")
    pay.fill("250 to 1")
    wait_for_figures(page)
    select_decks(page, 6)
    page.click("#tab-sheets")
    file = tmp_path / "mine.toml"
    with page.expect_download() as download:
        page.click("#save")
    download.value.save_as(file)
    id = download.value.suggested_filename.removesuffix(".toml")
    assert re.fullmatch(r"TRI-03\+variant-[0-9a-f]{8}", id)
    assert all(source.startswith("Based on TRI-03: ") for source in tomllib.loads(file.read_text())["source"])
    expected = combinat.analyze(f"{file}:{id}", decks=6).house_edge
    assert expected == Fraction(2127, 48205) - 150 * Fraction(864, 5013320)
    assert (edge_figure(page).get_attribute("data-exact"), edge_text(page)) == (
        str(expected),
        format_percent(expected, 2),
    )
    edge_figure(page).hover()
    expect(page.locator("#exact")).to_have_text(str(expected))


def test_late_completions_are_offered(windows, address):
    page = windows.take(DESK)
    routes = []
    page.route("**/api/words*", lambda route: routes.append(route))  # Playwright cannot inspect the builtin held.append
    with page.expect_request("**/api/words*"):
        page.goto(address)
    page.wait_for_function("() => document.body.dataset.shown > 0")
    page.click("#tab-rules")
    page.get_by_label("Rule of Straight", exact=True).press("End")
    page.keyboard.type(" and pla")
    expect(page.locator("#choices")).to_be_hidden()
    for route in routes:
        route.continue_()
    expect(page.locator("#choices")).to_be_visible()
    windows.give_back(page)


def test_rule_words_are_completed_in_text_and_rules(open_page):
    page = open_page()
    put_caret(page, '"Straight" = "straight')
    page.keyboard.type(" and player.sui", delay=20)
    choices = page.locator(".cm-tooltip-autocomplete")
    expect(choices.locator("[aria-selected]")).to_contain_text("player.suited")
    page.wait_for_timeout(120)  # CodeMirror ignores Enter right after the list has opened
    page.keyboard.press("Enter")
    page.wait_for_function("() => studio.text.includes('\"straight and player.suited\"')")
    expect(choices).to_have_count(0)
    page.click("#tab-rules")
    page.get_by_label("Rule of Flush", exact=True).press("End")
    page.keyboard.type(" and pla")
    choices = page.locator("#choices")
    expect(choices).to_be_visible()
    page.keyboard.type("yer.sui")
    expect(choices.locator("[aria-selected=true] b")).to_have_text("player.suited")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Rule of Flush", exact=True)).to_have_value("flush and player.suited")
    expect(choices).to_be_hidden()
    wait_for_figures(page)


def test_views_stay_in_sync(open_page):
    page = open_page()
    page.click("#tab-rules")
    page.get_by_label("Rule of Flush", exact=True).fill("suited and not straight")
    page.click("#tab-pays")
    # Two clicks before an answer arrives and moves the button.
    page.get_by_role("button", name="Add an award").evaluate("button => { button.click(); button.click(); }")
    expect(page.get_by_label("Pays of New award 2")).to_be_visible()
    page.get_by_role("button", name="Remove New award 2").click()
    expect(page.get_by_label("Pays of New award 2")).to_have_count(0)
    page.get_by_label("Pays of New award", exact=True).fill("push")
    page.get_by_role("button", name="Move New award up").click()
    page.click("#tab-rules")
    page.get_by_label("Only if").fill("player.pair")
    expect(page.locator("#problems")).to_contain_text("Suited triple")
    page.get_by_label("Only if").fill("")
    page.locator(".hand .name").nth(4).fill("All of one suit")
    page.locator(".hand .name").nth(4).press("Tab")
    wait_for_figures(page)
    text = page.evaluate("studio.text")
    assert '"All of one suit" = "suited and not straight"' in text
    assert '  { name = "New award", when = "suited", pays = "push" },\n  { hand = "All of one suit"' in text
    assert "given" not in text
    page.click("#tab-text")
    replace_text(page, text.replace('"100 to 1"', '"77 to 1"'))
    page.click("#tab-pays")
    expect(page.get_by_label("Pays of Suited triple")).to_have_value("77 to 1")


def test_click_survives_an_update_while_pressed(open_page):
    page = open_page()
    page.click("#tab-rules")
    page.locator(".hand .name").nth(4).fill("All of one suit")
    button = page.get_by_role("button", name="Add a hand")
    button.hover()
    with page.expect_response("**/page/view") as answer:
        page.mouse.down()  # the field loses focus, which renames the hand and rebuilds the form
    answer.value.finished()
    page.wait_for_timeout(200)
    page.mouse.up()
    expect(page.get_by_label("Rule of New hand")).to_be_visible()
    expect(page.get_by_label("Rule of All of one suit")).to_be_visible()
    wait_for_figures(page)


def test_removed_button_does_nothing(open_page):
    page = open_page()
    page.click("#tab-rules")
    page.locator(".hand .name").nth(4).fill("All of one suit")
    button = page.get_by_role("button", name="Remove Flush").first
    button.hover()
    with page.expect_response("**/page/view") as answer:
        page.mouse.down()
    answer.value.finished()
    page.wait_for_timeout(200)
    page.mouse.up()
    expect(page.get_by_label("Rule of All of one suit")).to_be_visible()
    wait_for_figures(page)


def test_pointer_released_elsewhere_does_not_block_updates(open_page):
    page = open_page()
    page.get_by_role("button", name="Add an award").hover()
    page.evaluate(
        "document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))"
    )  # without a pointerup
    page.get_by_label("Pays of Flush").fill("6 to 1")
    page.mouse.move(5, 5)
    wait_for_figures(page)


def test_form_has_wheels_sums_and_settings(open_page):
    page = open_page()
    open_catalog_bet(page, "NEXT-STEP")
    page.click("#tab-rules")
    page.get_by_label("Stops of Dice", exact=True).fill("2: 3, 5: 1")
    page.get_by_label("Stops of Dice", exact=True).press("Tab")
    page.get_by_label("Wheel of Dealer blackjack").select_option("Dice, suited")
    page.get_by_role("button", name="Add a wheel").click()
    expect(page.get_by_label("Stops of Wheel", exact=True)).to_be_visible()
    page.locator(".hand .name").last.fill("Idle")
    page.locator(".hand .name").last.press("Tab")
    page.get_by_role("button", name="All 2").click()
    expect(page.locator("#problems")).to_contain_text("wheel 'Idle': no award uses it")
    page.get_by_role("button", name="All 2").click()
    page.get_by_label("Awards paid").select_option("first match")
    expect(page.locator("legend", has_text="Awards")).to_have_text("Awards, highest first")
    page.get_by_role("button", name="notes").click()
    bet = tomllib.loads(page.evaluate("studio.text"))
    assert (bet["wheels"]["Dice"], bet["wheels"]["Idle"]) == ({"2": 3, "5": 1}, {"1": 3, "2": 1})
    assert bet["paytable"][0]["awards"][3]["wheel"] == "Dice, suited"
    assert "settlement" not in bet
    page.click("#tab-rules")
    page.evaluate("studio.open('L9-TIE')")  # takes seconds, but the form is usable before
    page.get_by_label("The Tie pays").fill("8 to 1")
    page.get_by_label("Two hands of 9").select_option("maker")
    page.wait_for_function("() => studio.text.includes('nines')")
    (paytable,) = tomllib.loads(page.evaluate("studio.text"))["paytable"]
    assert paytable["settings"] == {"tie_pays": "8 to 1", "nines": "maker"}


def test_undo_keeps_panel_inputs(open_page):
    page = open_page()
    page.get_by_label("Pays of Flush", exact=True).fill("6 to 1")
    page.click("#tab-sheets")
    page.get_by_label("Prepared by").fill("Ann")
    page.get_by_label("Prepared by").press("Control+z")  # undoes the field, not the bet
    expect(page.get_by_label("Pays of Flush", exact=True)).to_have_value("6 to 1")
    page.get_by_label("Prepared by").fill("Ann")
    select_decks(page, 6)
    page.click("#undo")
    expect(page.get_by_label("Pays of Flush", exact=True)).to_have_value("5 to 1")
    wait_for_figures(page)
    expect(page.get_by_label("Prepared by")).to_have_value("Ann")
    assert page.evaluate("[studio.state.asked.sheets.prepared_by, studio.state.at]") == ["Ann", 6]


def test_undo_and_redo_survive_a_reload(open_page):
    page = open_page()
    before = edge_text(page)
    page.get_by_label("Pays of Flush", exact=True).press("ArrowUp")
    expect(edge_figure(page)).not_to_contain_text(before)
    after = edge_text(page)
    page.keyboard.press("Control+z")
    expect(edge_figure(page)).to_contain_text(before)
    page.keyboard.press("Control+Shift+z")
    expect(edge_figure(page)).to_contain_text(after)
    page.get_by_role("button", name="Remove Suited triple").click()
    expect(page.get_by_label("Pays of Suited triple")).to_have_count(0)
    page.evaluate("studio.updateLink()")
    page.reload()
    page.wait_for_function("() => document.body.dataset.shown > 0")
    expect(page.get_by_label("Pays of Suited triple")).to_have_count(0)
    page.click("#undo")
    expect(page.get_by_label("Pays of Suited triple")).to_have_count(1)
    page.click("#undo")
    expect(edge_figure(page)).to_contain_text(before)
    page.click("#redo")
    expect(edge_figure(page)).to_contain_text(after)


def test_variant_shows_what_the_bet_changes(open_page):
    page = open_page()
    open_catalog_bet(page, "TRI-03")
    select_decks(page, 6)
    page.fill("#target", "3%..5%")
    page.keyboard.press("Alt+p")
    page.get_by_label("Pays of Flush", exact=True).fill("4 to 1")
    edge = page.locator("#panel .compare tr", has=page.get_by_role("rowheader", name="House edge"))
    difference = edge.locator(".difference")
    expect(difference).to_contain_text("+5.842%")
    expect(difference).to_contain_text("more for the house")
    expect(difference).to_contain_text("farther from the target")
    assert "is-farther" in difference.get_attribute("class")
    page.get_by_label("Name of variant 1").fill("Regulator's")
    expect(page.locator("#panel .compare thead")).to_contain_text("Regulator's")
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(page.get_by_label("Pays of Flush", exact=True)).to_have_value("5 to 1")
    wait_for_figures(page)
    page.get_by_role("button", name="Remove Regulator's").click()
    expect(page.locator("#panel")).to_contain_text("No variant is kept")


def test_link_restores_the_whole_state(open_page):
    page = open_page()
    open_catalog_bet(page, "TRI-03")
    page.get_by_label("Pays of Flush", exact=True).fill("6 to 1")
    page.fill("#removed", "7h 7d")
    page.fill("#target", "2%..3%")
    wait_for_figures(page)
    select_decks(page, 6)
    page.keyboard.press("Alt+p")
    page.click("#tab-find")
    page.get_by_label("Allowed pays").fill("Flush=3..8")
    page.evaluate("studio.updateLink()")
    state = page.evaluate("JSON.stringify(studio.state)")
    edge = edge_figure(page).get_attribute("data-exact")
    other = open_page(page.url)
    wait_for_figures(other)
    assert json.loads(other.evaluate("JSON.stringify(studio.state)")) == json.loads(state)
    assert edge_figure(other).get_attribute("data-exact") == edge
    expect(other.get_by_label("Allowed pays")).to_have_value("Flush=3..8")
    other.evaluate("location.hash = '#1broken'")
    other.wait_for_timeout(200)
    assert json.loads(other.evaluate("JSON.stringify(studio.state)")) == json.loads(state)


def test_downloaded_sheets_are_readable(open_page, tmp_path):
    page = open_page()
    page.click("#tab-sheets")
    page.get_by_label("Prepared by").fill("A. Designer")
    content_by_format = {}
    for format in ("pdf", "xlsx", "json"):
        with page.expect_download() as download:
            page.click(f"[data-format={format}]")
        download.value.save_as(tmp_path / download.value.suggested_filename)
        content_by_format[format] = (tmp_path / download.value.suggested_filename).read_bytes()
        assert download.value.suggested_filename == f"MINE-1-8D.{format}"
    text = "".join(pdf_page.extract_text() for pdf_page in PdfReader(io.BytesIO(content_by_format["pdf"])).pages)
    assert "A. Designer" in text
    exact = edge_figure(page).get_attribute("data-exact")
    assert json.loads(content_by_format["json"])["house_edge"] == exact
    assert format_percent(Fraction(exact), 8) in text
    assert "Inputs" in load_workbook(io.BytesIO(content_by_format["xlsx"])).sheetnames


def test_meter_terms_can_be_overridden(open_page):
    page = open_page()
    open_catalog_bet(page, "BLZ-1-UP")
    page.click("#tab-meters")
    hold = page.locator("#panel tr", has=page.get_by_role("rowheader", name="hold of the house in the long run"))
    expect(hold).to_be_visible()
    before = hold.inner_text()
    page.locator("#panel").get_by_label("Seed").fill("4000")
    expect(hold).not_to_have_text(re.compile(re.escape(before.split()[-1])))
    expect(page.locator("#panel")).to_contain_text("Break-even")


def test_found_pays_can_be_applied(open_page):
    page = open_page()
    open_catalog_bet(page, "TRI-04")
    page.click("#tab-find")
    page.get_by_label("Allowed pays").fill("*=1..50")
    page.locator("#panel").get_by_label("House edge").fill("4.0%..4.5%")
    page.locator("#panel").get_by_label("Deck counts").fill("6,8")
    page.get_by_text("More limits").click()
    page.get_by_label("Order of pays").select_option("yes")
    page.get_by_label("Differ by").fill("0")
    page.get_by_role("button", name="Find paytables").click()
    expect(page.locator("#panel .subtitle")).to_contain_text("53 of 6,250,000 combinations")
    rows = page.locator("#panel tbody tr")
    expect(rows.first).to_contain_text("today")
    expected_edge = rows.nth(1).locator("td").nth(5).get_attribute("data-exact")
    page.get_by_role("button", name="Use number 1 in the bet").click()
    expect(page.get_by_label("Pays of Straight flush", exact=True)).to_have_value("34 to 1")
    select_decks(page, 6)
    expect(edge_figure(page)).to_have_attribute("data-exact", expected_edge)
    page.locator("#panel svg.scatter .point[role=button]").nth(2).press("Enter")
    expect(page.get_by_label("Pays of Straight flush", exact=True)).to_have_value("30 to 1")
    page.get_by_label("Order of pays").select_option("no")
    page.get_by_role("button", name="Find paytables").click()
    expect(page.locator("#panel .subtitle")).to_contain_text("646 of 6,250,000 combinations")


def test_joint_wagers_are_combined(open_page):
    page = open_page()
    open_catalog_bet(page, "TRI-01")
    select_decks(page, 6)
    page.click("#tab-joint")
    page.get_by_role("button", name="Add another wager").click()
    page.get_by_label("Wager 2", exact=True).select_option("SUP-01")
    page.get_by_label("Stake on wager 2").fill("5")
    page.get_by_label("Stake on this bet").fill("10")
    expect(page.locator("#panel .subtitle")).to_contain_text("10 on TRI-01 and 5 on SUP-01")
    expect(page.locator("#panel")).to_contain_text("Covariance")


def test_removal_and_counting_are_shown(open_page):
    page = open_page()
    page.click("#tab-counting")
    panel = page.locator("#panel")
    expect(panel).to_contain_text("Scaled to one deck")
    expect(panel).to_contain_text("Betting correlation")
    panel.get_by_label("Cut card, from the end").fill("some")
    expect(panel.locator(".problem")).to_have_text("Cut card, from the end must be an integer, got some")
    panel.get_by_label("Cut card, from the end").fill("52")
    panel.get_by_text("Conventions and table").click()
    panel.get_by_label("True count").select_option("floored")
    panel.get_by_label("Tags", exact=True).fill("A=1 2=1 9=x")
    expect(panel.locator(".problem")).to_contain_text("9=x")
    panel.get_by_label("Tags", exact=True).fill("A=1 2=-1")
    expect(panel).to_contain_text("floored")


def test_parlay_shows_progress(open_page):
    page = open_page()
    open_catalog_bet(page, "HM-1")
    page.evaluate(  # a progress bar may disappear before the next query
        """() => { window.bars = []; const panel = document.getElementById("panel");
        new MutationObserver(() => bars.push(...panel.querySelectorAll("progress")))
          .observe(panel, { childList: true, subtree: true }); }"""
    )
    page.get_by_role("button", name="Compute the parlay").click()
    expect(page.locator("#panel")).to_contain_text("Leave (L) or take (T)")
    assert page.evaluate("bars.splice(0).length > 0")
    figures = page.locator("#panel .facts").inner_text()
    page.get_by_label("Maximum hands after splits").select_option("2")
    page.wait_for_function("() => bars.length > 0")
    expect(page.locator("#panel .facts")).not_to_have_text(figures)


def test_slow_rule_keeps_the_page_responsive(open_page):
    page, other = open_page(), open_page()
    open_catalog_bet(page, "TRI-03")
    with page.expect_request(lambda request: request.url.endswith("/page/view") and "lucky 9" in request.post_data):
        choose_catalog_bet(page, "L9")
    page.get_by_role("button", name="Undo").click()  # the page responds, and the newer request replaces the slow one
    expect(page.get_by_label("Pays of Mini royal")).to_have_value("100 to 1")
    wait_for_figures(page)
    other.get_by_label("Pays of Flush", exact=True).press("ArrowUp")
    wait_for_figures(other)


def test_timeout_is_shown_on_the_page(windows):
    with run_studio("--seconds", "5") as (address, _):
        page = windows.take(DESK)
        page.goto(address)
        page.wait_for_function("() => document.body.dataset.shown > 0")
        page.locator("#decks").fill("1-40")  # fast for this bet, half a minute for the next
        wait_for_figures(page)
        choose_catalog_bet(page, "L9")
        expect(page.locator("#question")).to_contain_text("5 seconds")
        page.keyboard.press("Control+z")
        wait_for_figures(page)
        expect(page.locator("#question")).to_be_hidden()
        windows.give_back(page)


def test_concurrent_pages_have_their_own_figures(open_page):
    pages = [open_page() for _ in range(3)]
    for index, page in enumerate(pages):
        page.get_by_label("Pays of Suited triple").fill(f"{100 + index} to 1")
    for page in pages:
        wait_for_figures(page)
    edges = [edge_figure(page).get_attribute("data-exact") for page in pages]
    steps = {Fraction(edge) - Fraction(next_edge) for edge, next_edge in pairwise(edges)}
    assert steps == {Fraction(2912, 11912160)}


def test_page_works_by_keyboard(open_page):
    page = open_page()
    focused = set()
    for _ in range(75):
        page.keyboard.press("Tab")
        focused.add(
            page.evaluate("document.activeElement.id || document.activeElement.getAttribute('aria-label') || ''")
        )
    expected = {"catalog", "project", "share", "theme", "help", "tab-pays", "Pays of Flush", "8 decks", "tab-charts"}
    assert expected <= focused
    page.keyboard.press("Alt+3")
    assert page.evaluate("studio.editor.view.hasFocus")
    page.keyboard.press("Alt+1")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Pays of Suited triple"
    page.keyboard.press("Alt+f")
    assert page.evaluate("document.activeElement.dataset.decks") == "8"
    page.click("#tab-figures")
    page.locator("#panel table th").first.focus()
    page.keyboard.press("ArrowDown")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.exact") == "7/28635"
    expect(page.locator("#exact")).to_have_text("7/28635")
    page.keyboard.press("F1")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_catalog_is_searched_by_keyboard(open_page):
    page = open_page()
    page.keyboard.press("Control+o")
    page.keyboard.type("lucky ladies")
    expect(page.locator("#catalog-list li").first).to_contain_text("LUCKY-LADIES-A")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_function("() => studio.state.paytable === 'LUCKY-LADIES-B'")
    wait_for_figures(page)


def test_slider_and_stepper_change_the_pay(open_page):
    page = open_page()
    pay = page.get_by_label("Pays of Flush", exact=True)
    page.get_by_label("Raise the pay of Flush by 1").click()
    expect(pay).to_have_value("6 to 1")
    page.get_by_label("Slider for the pay of Flush").press("ArrowLeft")
    expect(pay).to_have_value("5 to 1")
    page.get_by_label("Slider for the pay of Suited triple").press("ArrowRight")
    expect(page.get_by_label("Pays of Suited triple", exact=True)).to_have_value("125 to 1")
    wait_for_figures(page)
    probability = Fraction(2912, 11912160)
    step = page.locator("[data-award='Suited triple'] [data-figure=step]")
    assert Fraction(step.get_attribute("data-exact")) == -probability


def test_problems_are_one_line_that_leads_to_the_field(open_page):
    page = open_page(viewport={"width": 1280, "height": 720})
    page.get_by_label("Pays of Suited triple").fill("1 to 1")
    page.get_by_label("Pays of Flush", exact=True).fill("50 to 1")
    wait_for_figures(page)
    expect(page.locator("#problems li")).to_have_count(1)
    top = page.get_by_label("Pays of Flush", exact=True).bounding_box()["y"]
    page.get_by_role("button", name=re.compile(r"^All \d")).click()
    assert page.locator("#problems li").count() > 1
    assert page.get_by_label("Pays of Flush", exact=True).bounding_box()["y"] == top
    page.get_by_label("Pays of Flush", exact=True).fill("many")
    expect(page.get_by_label("Pays of Flush", exact=True)).to_have_attribute("aria-invalid", "true")
    page.locator("#problems li.error button").first.click()
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "Pays of Flush"


SIX_AWARDS = """bet = "Six"
deal = "player:2, up:1"
[[paytable]]
id = "SIX-1"
decks = "6, 8"
awards = [
  { name = "Suited triple", when = "three of a kind and suited", pays = "200 to 1" },
  { name = "Straight flush", when = "straight flush", pays = "40 to 1" },
  { name = "Three of a kind", when = "three of a kind", pays = "25 to 1" },
  { name = "Straight", when = "straight", pays = "8 to 1" },
  { name = "Flush", when = "flush", pays = "4 to 1" },
  { name = "Pair of aces", when = "count(A) == 2", pays = "1 to 1" },
]
"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_six_awards_fit_a_small_laptop(open_page, scheme):
    page = open_page(viewport={"width": 1280, "height": 720}, scheme=scheme)
    page.evaluate("text => studio.store.change({ toml: text, paytable: null })", SIX_AWARDS)
    expect(page.get_by_label("Pays of Pair of aces")).to_be_visible()
    wait_for_figures(page)
    assert page.evaluate("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]") == [720, 1280]
    for selector in ("#pays", "#deck-table"):
        box, content = page.locator(selector).evaluate(
            "part => [[part.clientWidth, part.clientHeight], [part.scrollWidth, part.scrollHeight]]"
        )
        assert content[0] <= box[0]
        assert content[1] <= box[1]
    for part in (
        page.get_by_role("button", name="Goal seek"),
        page.locator("#problems"),
        page.locator("#panel svg").first,
    ):
        box = part.bounding_box()
        assert box["y"] + box["height"] <= 720


def test_focus_is_kept_while_awards_move(open_page):
    page = open_page()
    focused = "document.activeElement.getAttribute('aria-label')"
    page.get_by_label("Move Flush up").focus()
    for above in ("Straight", "Three of a kind"):
        page.keyboard.press("Enter")
        expect(page.locator(".ladder tbody tr").nth(4 if above == "Straight" else 3)).to_have_attribute(
            "data-award", above
        )
        assert page.evaluate(focused) == "Move Flush up"
    page.get_by_role("button", name="Remove Flush").last.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Pays of Flush", exact=True)).to_have_count(0)
    assert page.evaluate("document.getElementById('pays').contains(document.activeElement)")


def test_typing_survives_a_form_rebuild(open_page):
    page = open_page()
    page.click("#tab-rules")
    page.get_by_label("Only if").press_sequentially("player.pair or player.suited", delay=7)
    wait_for_figures(page)
    expect(page.get_by_label("Only if")).to_have_value("player.pair or player.suited")
    assert 'given = "player.pair or player.suited"' in page.evaluate("studio.text")


def test_dropped_request_is_repeated(windows, address):
    page = windows.take(DESK)
    page.goto(address)
    page.wait_for_function("() => document.body.dataset.shown > 0")
    page.route("**/page/view", lambda route: route.abort())
    before = edge_text(page)
    page.get_by_label("Pays of Flush", exact=True).press("ArrowUp")
    expect(page.locator("#question")).to_contain_text("combinat studio")
    page.unroute_all()  # the message stays until there is an answer
    expect(page.locator("#question")).to_be_hidden()
    wait_for_figures(page)
    assert edge_text(page) != before
    windows.give_back(page)


def test_overtaken_request_is_repeated(windows, address):
    """Requests on two connections may arrive in the wrong order, so that the server drops the newer one."""
    page = windows.take(DESK)
    page.goto(address)
    page.wait_for_function("() => document.body.dataset.shown > 0")
    page.route("**/page/view", lambda route: route.fulfill(json={"replaced": True}), times=1)
    before = edge_text(page)
    page.get_by_label("Pays of Flush", exact=True).press("ArrowUp")
    wait_for_figures(page)
    assert edge_text(page) != before
    windows.give_back(page)


TOOLS = {
    "charts": "svg",
    "variants": ".compare",
    "find": "tbody tr",
    "market": "svg",
    "money": "tbody tr",
    "figures": "tbody tr",
    "joint": ".facts",
    "counting": ".facts",
    "long-run": "tbody tr",
    "sheets": "[data-format]",
}
"""The tools of any bet, with what each shows when it is ready."""
WCAG_AA = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"], "resultTypes": ["violations"]}
CONTRAST = {"runOnly": {"type": "rule", "values": ["color-contrast"]}, "resultTypes": ["violations"]}


@pytest.mark.parametrize(("scheme", "options"), [("light", WCAG_AA), ("dark", CONTRAST)])
def test_page_meets_wcag_aa(open_page, scheme, options):
    """Every state by its part of the page; in dark mode only colors differ."""
    from axe_playwright_python.sync_playwright import Axe

    page = open_page(viewport={"width": 1280, "height": 720}, scheme=scheme)
    page.evaluate(Axe().axe_script)

    def check(part):
        found = page.evaluate("([part, options]) => axe.run(part, options)", [part, options])["violations"]
        assert [(rule["id"], [node["html"] for node in rule["nodes"]][:3]) for rule in found] == [], part

    page.keyboard.press("Alt+p")
    page.get_by_label("Pays of Flush", exact=True).fill("6 to 1")
    wait_for_figures(page)
    check("body")
    page.click("#tab-text")
    check(".bet")
    page.click("#tab-rules")
    page.get_by_text("Rule builder").click()
    for card in ("A of ♠", "A of ♣", "K of ♥"):
        page.get_by_role("button", name=card).click()
    expect(page.locator(".verdict li").first).to_be_visible()
    check(".bet")
    page.click("#tab-pays")
    for tool, content in TOOLS.items():
        page.click(f"#tab-{tool}")
        if tool == "find":
            page.get_by_role("button", name="Find paytables").click()
        expect(page.locator(f"#panel {content}").first).to_be_visible()
        check("#panel")
    page.click("#tab-find")
    page.get_by_text("More limits").click()
    page.locator("#panel").get_by_label("House edge").fill("1%..1.001%")
    page.get_by_label("Allowed pays").fill("Flush=2..3")
    page.get_by_role("button", name="Find paytables").click()
    expect(page.locator("#panel .problem")).to_be_visible()
    check("#panel")
    page.get_by_role("button", name="Goal seek").click()
    expect(page.locator(".goal-output")).to_contain_text(re.compile("Solved|No pays"))
    page.get_by_label("Pays of Flush", exact=True).fill("60 to 1")
    page.get_by_role("button", name=re.compile(r"^All \d")).click()
    check(".bet")
    page.get_by_label("Pays of Flush", exact=True).fill("many")
    expect(page.locator("#problems li.error")).to_be_visible()
    check(".bet")
    open_catalog_bet(page, "BLZ-1-UP")
    page.click("#tab-meters")
    expect(page.locator("#panel tbody tr").first).to_be_visible()
    check(".desk")
    page.click("#project")
    check("#project-menu")
    page.keyboard.press("Escape")
    page.fill("#catalog", "lucky")
    expect(page.locator("#catalog-list li").first).to_be_visible()
    check(".bar")
    page.keyboard.press("Escape")
    page.keyboard.press("F1")
    check("#keys")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_page_fits_a_phone(open_page, scheme):
    page = open_page(viewport=PHONE, scheme=scheme, has_touch=True)
    expect(page.locator("#strip")).to_contain_text("Edge")
    for side in ("bet", "figures"):
        page.click(f"nav [data-side={side}]")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.click("#keep")
    for tool in TOOLS:
        page.click(f"#tab-{tool}")
        if tool == "variants":
            expect(page.locator("#panel .compare")).to_be_visible()
            right = page.get_by_role("button", name="Remove Variant A").bounding_box()
            assert right["x"] + right["width"] <= PHONE["width"]
        if tool == "joint":
            page.wait_for_function("() => studio.catalog.entries.length > 0")
            page.get_by_role("button", name="Add another wager").click()
            expect(page.get_by_label("Stake on wager 2")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], tool
    small = "all => all.filter(one => parseFloat(getComputedStyle(one).fontSize) < 16).map(one => one.outerHTML)"
    for side, view in (("figures", "#tab-sheets"), ("bet", "#tab-rules"), ("bet", "#tab-pays")):
        page.click(f"nav [data-side={side}]")
        page.click(view)
        fields = page.locator("input:visible:not([type=range], [type=checkbox]), select:visible, textarea:visible")
        assert fields.evaluate_all(small) == []  # smaller fonts make phones zoom in
    page.click("nav [data-side=figures]")
    page.locator("#deck-table td[data-exact]").first.tap()
    expect(page.locator("#exact")).to_be_visible()
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(246, 247, 249)", "dark": "rgb(16, 21, 27)"}[scheme]


PASTED_BET = """bet = "Mine"
deal = "player:3"
[[paytable]]
id = "RQ-1"
decks = 6
awards = [{ name = "Flush", when = "suited", pays = "12 to 1" }]
"""


PAYTABLE_IS_SHOWN = """() =>
  studio.outlinedText === studio.text && studio.paytableIds?.includes(studio.state.paytable)"""


def id_field(page):
    return page.locator("#rules input[data-path$='\"id\"]']")


def test_renamed_paytable_stays_in_the_form(open_page):
    page = open_page()
    open_catalog_bet(page, "TRI-03")
    text = page.evaluate("studio.text")
    pay = page.get_by_label("Pays of Mini royal")
    page.click("#tab-rules")
    field = id_field(page)
    field.focus()
    for key in [
        "End",
        "X",
        "Backspace",
        "Backspace",
        "1",
        "9",
        "Home",
        "Delete",
    ]:  # passes through TRI-01, an existing id
        page.keyboard.press(key)
        page.wait_for_function(PAYTABLE_IS_SHOWN)
        expect(pay).to_have_value("100 to 1")
    expect(field).to_have_value("RI-019")
    wait_for_figures(page)
    expect(page.locator("#paytable")).to_have_value("RI-019")
    assert page.evaluate("studio.paytable") == "RI-019"
    field.blur()
    page.evaluate("text => { while (studio.text !== text) studio.store.undo(); }", text)
    wait_for_figures(page)
    expect(page.locator("#paytable")).to_have_value("TRI-03")
    expect(id_field(page)).to_have_value("TRI-03")


def test_paytable_renamed_in_the_text_stays_selected(open_page):
    page = open_page()
    open_catalog_bet(page, "TRI-03")
    before = edge_text(page)
    put_caret(page, 'id = "TRI-03')
    for key in ["Backspace", "1", "X", "Backspace", "Backspace", "Backspace", "Q"]:
        page.keyboard.press(key)
        page.wait_for_function(PAYTABLE_IS_SHOWN)
    wait_for_figures(page)
    expect(page.locator("#paytable")).to_have_value("TRI-Q")
    expect(edge_figure(page)).to_contain_text(before)


@pytest.mark.parametrize(
    ("panel", "path"),
    [
        ("variants", "variants"),
        ("joint", "wagers"),
        ("long-run", "outlook"),
        ("counting", "counting"),
        ("find", "view"),
    ],
)
def test_text_pasted_over_a_catalog_bet_leaves_no_old_id(open_page, panel, path):
    page = open_page()
    open_catalog_bet(page, "TRI-03")
    page.click(f"#tab-{panel}")
    if panel == "variants":
        page.click("#keep")

    def is_about_pasted_bet(response):
        return response.url.endswith(f"/page/{path}") and '"paytable":"RQ-1"' in response.request.post_data

    page.click("#tab-text")
    with page.expect_response(is_about_pasted_bet) as answer:
        replace_text(page, PASTED_BET)
    answer.value.finished()
    wait_for_figures(page)
    assert "no paytable" not in page.locator("#panel").inner_text()
    assert page.evaluate("studio.requestBody().paytable") == "RQ-1"
    page.evaluate("studio.updateLink()")
    page.reload()
    page.wait_for_function("() => document.body.dataset.shown > 0")
    assert page.evaluate("studio.state.paytable") == "RQ-1"


def test_link_with_an_unknown_id_shows_the_first_paytable(open_page, address):
    page = open_page()
    link = page.evaluate(
        """async text => { const { encodeState, initialState } = await import("./state.js");
        return "#" + await encodeState({ ...initialState(), toml: text, paytable: "TRI-03", panel: "long-run" }); }""",
        PASTED_BET,
    )
    page = open_page(f"{address}{link}")
    page.wait_for_function("() => studio.state.paytable === 'RQ-1'")
    wait_for_figures(page)
    expect(page.locator("#panel .problem")).to_have_count(0)


def test_whole_job_of_a_designer(open_page, tmp_path):
    """Idea, rules by the builder, pays by goal seek, variants, finder, comparison, sheet, project, undo."""
    page = open_page(viewport={"width": 1440, "height": 900})
    # The idea: a public bet with one more award, by the rule builder.
    open_catalog_bet(page, "TRI-03")
    page.click("#tab-rules")
    page.get_by_text("Rule builder").click()
    words = page.get_by_role("group", name="Words")
    words.get_by_role("button", name=re.compile(r"^pair\b")).first.click()
    page.get_by_label("Join words with").select_option("and")
    words.get_by_role("button", name=re.compile(r"^player\.suited")).first.click()
    rule = page.get_by_label("Rule", exact=True)
    expect(rule).to_have_value("pair and player.suited")
    answer = page.locator(".builder-answer")
    expect(answer).to_contain_text("In words")
    expect(answer).to_contain_text("1 in")
    page.get_by_label("Name of the new hand").fill("Suited pair")
    page.get_by_role("button", name="Add as a hand").click()
    expect(page.get_by_label("Rule of Suited pair", exact=True)).to_have_value("pair and player.suited")
    wait_for_figures(page)
    for card in ("A of ♠", "A of ♠", "K of ♥"):
        page.get_by_role("button", name=card).click()
    expect(page.locator(".verdict")).to_contain_text("Suited pair")
    # Pays by goal seek, with one pay locked.
    page.click("#tab-pays")
    page.fill("#target", "5%..6%")
    page.get_by_label("Lock the pay of Mini royal").check()
    page.get_by_label("at decks").fill("6, 8")
    page.get_by_role("button", name="Goal seek").click()
    expect(page.locator(".goal-output")).to_contain_text("Solved")
    wait_for_figures(page)
    for decks in (6, 8):
        select_decks(page, decks)
        expect(edge_figure(page)).to_have_attribute("data-place", "in")
    expect(page.get_by_label("Pays of Mini royal")).to_have_value("100 to 1")
    # Three variants.
    page.keyboard.press("Alt+p")
    for award, pay in (("Flush", "4 to 1"), ("Straight flush", "50 to 1")):
        page.get_by_label(f"Pays of {award}", exact=True).fill(pay)
        wait_for_figures(page)
        page.keyboard.press("Alt+p")
    expect(page.locator("#panel .compare thead th")).to_have_count(5)
    expect(page.locator("#panel .difference.is-closer, #panel .difference.is-farther").first).to_be_visible()
    # The finder: first infeasible, then relaxed as it proposes.
    page.click("#tab-find")
    page.get_by_label("Allowed pays").fill("Flush=2..4, Straight=5..8")
    page.locator("#panel").get_by_label("House edge").fill("1%..1.1%")
    page.locator("#panel").get_by_label("Deck counts", exact=True).fill("6, 8")
    page.get_by_role("button", name="Find paytables").click()
    expect(page.locator("#panel .problem")).to_contain_text("the edge is at most 1.1%")
    page.get_by_role("button", name="Relax for number 1").click()
    expect(page.locator("#panel .subtitle")).to_contain_text("combinations meet the requirements")
    page.get_by_role("button", name="Use number 1 in the bet").click()
    wait_for_figures(page)
    # The sheet is marked as a variant; its figures are those of the page.
    page.click("#tab-sheets")
    with page.expect_download() as download:
        page.click("[data-format=json]")
    assert re.fullmatch(r"TRI-03-8D-variant-[0-9a-f]{8}\.json", download.value.suggested_filename)
    download.value.save_as(tmp_path / "sheet.json")
    sheet = json.loads((tmp_path / "sheet.json").read_text())
    assert sheet["house_edge"] == edge_figure(page).get_attribute("data-exact")
    assert sheet["variant"]["of"] == "TRI-03"
    assert "variant" in sheet["identification"]["document"]
    assert all(source.startswith("Based on TRI-03: ") for source in sheet["sources"])
    for format, start in (("PDF", b"%PDF"), ("SVG", b"<svg")):
        with page.expect_download() as download:
            page.locator("#panel .downloads", has_text="Rack card").get_by_role("button", name=format).click()
        download.value.save_as(tmp_path / "card")
        assert (tmp_path / "card").read_bytes().startswith(start)
    # The project: saved, reopened in another window, undone.
    page.click("#project")
    page.get_by_label("Name of the project").fill("Suited pairs")
    page.get_by_label("Notes").fill("for the March meeting")
    with page.expect_download() as download:
        page.click("#save-project")
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)
    assert file.name == "Suited pairs.toml"
    assert len(tomllib.loads(file.read_text())["variant"]) == 3
    text = page.evaluate("studio.text")
    other = open_page()
    initial = other.evaluate("studio.text")
    other.click("#project")
    with other.expect_file_chooser() as chooser:
        other.get_by_role("button", name="Open file").click()
    chooser.value.set_files(file)
    other.wait_for_function("() => studio.state.variants.length === 3")
    wait_for_figures(other)
    assert other.evaluate("[studio.text, studio.state.name, studio.state.notes, studio.state.target]") == [
        *(text, "Suited pairs", "for the March meeting", "5%..6%")
    ]
    other.keyboard.press("Control+z")
    assert other.evaluate("studio.text") == initial
    other.click("#project")
    other.get_by_role("button", name="Suited pairs").click()
    other.wait_for_function("() => studio.state.variants.length === 3")
    wait_for_figures(other)
    other.evaluate("studio.updateLink()")
    other.reload()
    other.wait_for_function("() => document.body.dataset.shown > 0")
    other.click("#undo")
    other.wait_for_function("() => studio.state.variants.length === 0")


def test_changed_catalog_bet_is_marked_in_the_figures(open_page):
    page = open_page()
    open_catalog_bet(page, "TRI-03")
    page.get_by_label("Pays of Mini royal").fill("250 to 1")
    expect(page.locator("#deck-table .flags")).to_contain_text("variant of TRI-03")


def test_saved_sheet_and_index_work_under_their_own_policy(browser, run, tmp_path):
    code, _, error = run(
        *("parsheets", "--only", "TRI-02,TRI-03", "--decks", "2", "--format", "html", "-o", str(tmp_path), "-j", "1")
    )
    assert (code, error) == (0, "")
    page = browser.new_page()
    errors = []
    page.on("console", lambda message: errors.append(message.text))
    page.on("pageerror", lambda page_error: errors.append(str(page_error)))
    page.goto((tmp_path / "TRI-03-2D.html").as_uri())
    assert page.evaluate("document.querySelectorAll('svg').length") > 0
    first = "document.querySelector('[style]')"
    assert (
        page.evaluate(f"getComputedStyle({first}).getPropertyValue({first}.style[0])") != ""
    )  # from a style attribute
    assert page.evaluate("getComputedStyle(document.querySelector('td.number')).textAlign") in ("right", "end")
    page.goto((tmp_path / "index.html").as_uri())
    page.get_by_role("searchbox").or_(page.locator(".filter input")).first.fill("TRI-02")
    expect(page.locator("tbody tr:visible")).to_have_count(1)
    page.locator(".filter input").fill("")
    page.locator("thead button").first.click()
    expect(page.locator("tbody tr").first).to_contain_text("TRI-02")
    assert errors == []
    page.evaluate(
        """() => { for (const source of ["alert(1)", "document.title = 'x'"]) {
        const script = document.createElement("script");
        script.textContent = source;
        document.body.append(script); } }"""
    )
    assert page.title() == "Par sheets"
    assert len(errors) == 2  # both scripts were blocked
    page.close()
