"""The studio in a real browser, as a designer uses it; without one the tests say so, or fail where one is a must."""

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
from tests.studio import PATIENCE, expect, running

pytestmark = pytest.mark.slow
DESK, PHONE = {"width": 1440, "height": 1000}, {"width": 390, "height": 844}


@pytest.fixture
def opened(browser, address, windows):
    """Open pages; whatever one of them writes to its console as an error, or loads from elsewhere, is a failure.

    A link is opened in a window that shares nothing with the others.
    """
    ends, faults = [], []
    heard = {
        "console": lambda message: faults.append(message.text) if message.type == "error" else None,
        "pageerror": lambda error: faults.append(str(error)),
        "request": lambda asked: None if asked.url.startswith((address, "blob:")) else faults.append(asked.url),
    }

    def end(page, has_touch):
        windows.give_back(page, has_touch)
        for event, hears in heard.items():
            page.remove_listener(event, hears)

    def opened(link=None, viewport=DESK, scheme="light", has_touch=False):
        if link is None:
            page = windows.take(viewport, scheme, has_touch)
            ends.append(lambda: end(page, has_touch))
        else:
            page = browser.new_page(viewport=viewport)
            page.set_default_timeout(PATIENCE)
            ends.append(page.close)
        for event, hears in heard.items():
            page.on(event, hears)
        page.goto(link or address)
        page.wait_for_function("() => document.body.dataset.shown > 0")
        return page

    yield opened
    for end_one in ends:
        end_one()
    assert faults == []


def edge(page):
    return page.locator("[data-key=house_edge] strong")


def settled(page):
    """Wait until the figures are those of what is typed."""
    page.wait_for_function("() => !document.body.classList.contains('behind')")


def opens(page, id):
    page.locator(f"#catalog option[value='{id}']").wait_for(state="attached")
    page.select_option("#catalog", id)
    page.wait_for_function("id => document.getElementById('paytable').value === id", arg=id)
    settled(page)


def put_caret(page, before):
    """Put the caret of the text after some words of it."""
    page.click("#tab-text")
    page.evaluate(
        """before => { const field = document.getElementById("source"); field.focus();
        const at = field.value.indexOf(before) + before.length; field.setSelectionRange(at, at); }""",
        before,
    )


def test_an_error_stands_at_its_line_until_it_is_mended(opened):
    page = opened()
    put_caret(page, '"Straight" = "straight')
    for _ in range(4):
        page.keyboard.press("Backspace")
    page.keyboard.type("it")
    expect(page.locator("#problems li.error")).to_have_text(
        re.compile(r"^Line 8 hand 'Straight': no word 'strait' .*did you mean 'straight'\?$")
    )
    expect(page.locator(".lines .error")).to_have_text("● 8")
    expect(page.locator(".layer .wrong")).to_have_text("strait")
    assert page.locator("body").evaluate("body => body.classList.contains('behind')")  # what stands there is of before
    page.keyboard.press("Backspace")
    page.keyboard.press("Backspace")
    page.keyboard.type("ight")
    page.keyboard.press("Escape")
    expect(page.locator("#problems")).to_have_text("✓ nothing wrong with the bet")
    settled(page)


def test_a_changed_pay_gives_the_edge_that_show_says(opened, tmp_path):
    page = opened()
    opens(page, "TRI-03")
    pay = page.get_by_label("Pays of Mini royal")
    pay.fill("250 to 1")
    settled(page)
    page.get_by_label("6 decks").click()
    settled(page)
    file = tmp_path / "mine.toml"
    with page.expect_download() as download:
        page.keyboard.press("Control+s")
    download.value.save_as(file)
    id = download.value.suggested_filename.removesuffix(".toml")
    assert re.fullmatch(r"TRI-03\+variant-[0-9a-f]{8}", id)
    assert all(one.startswith("Based on TRI-03: ") for one in tomllib.loads(file.read_text())["source"])
    expected = combinat.analyze(f"{file}:{id}", decks=6).house_edge
    assert expected == Fraction(2127, 48205) - 150 * Fraction(864, 5013320)
    tile = page.locator("[data-key=house_edge]")
    assert (tile.get_attribute("data-exact"), edge(page).inner_text()) == (str(expected), format_percent(expected, 6))
    tile.hover()
    expect(page.locator("#exact")).to_have_text(str(expected))


def test_words_that_come_after_somebody_has_begun_to_type_are_offered(windows, address):
    page = windows.take(DESK)
    held = []
    page.route("**/api/words*", lambda route: held.append(route))  # a builtin cannot be looked into
    with page.expect_request("**/api/words*"):
        page.goto(address)
    page.wait_for_function("() => document.body.dataset.shown > 0")
    put_caret(page, '"Straight" = "straight')
    page.keyboard.type(" and pla")
    expect(page.locator("#choices")).to_be_hidden()
    for route in held:
        route.continue_()
    expect(page.locator("#choices")).to_be_visible()
    windows.give_back(page)


def test_words_of_a_rule_are_completed(opened):
    page = opened()
    put_caret(page, '"Straight" = "straight')
    page.keyboard.type(" and pla")
    choices = page.locator("#choices")
    expect(choices).to_be_visible()
    page.keyboard.type("yer.sui")
    expect(choices.locator("[aria-selected=true] b")).to_have_text("player.suited")
    page.keyboard.press("Enter")
    assert '"straight and player.suited"' in page.locator("#source").input_value()
    expect(choices).to_be_hidden()
    settled(page)


def test_form_and_text_are_one_thing(opened):
    page = opened()
    page.get_by_label("Rule of Flush", exact=True).fill("suited and not straight")
    # Twice before any answer can be there, after which the button is further down.
    page.get_by_role("button", name="Add an award").evaluate("button => { button.click(); button.click(); }")
    expect(page.get_by_label("Pays of New award 2")).to_be_visible()
    page.get_by_role("button", name="Remove New award 2").click()
    expect(page.get_by_label("Pays of New award 2")).to_have_count(0)
    page.get_by_label("Pays of New award", exact=True).fill("push")
    page.get_by_role("button", name="Move New award up").click()
    page.get_by_label("Only if").fill("player.pair")
    expect(page.locator("#problems")).to_contain_text("Suited triple")
    page.get_by_label("Only if").fill("")
    page.locator(".hand .name").nth(4).fill("All of one suit")
    page.locator(".hand .name").nth(4).press("Tab")
    settled(page)
    page.click("#tab-text")
    text = page.locator("#source").input_value()
    assert '"All of one suit" = "suited and not straight"' in text
    assert '  { name = "New award", when = "suited", pays = "push" },\n  { hand = "All of one suit"' in text
    assert "given" not in text
    page.locator("#source").fill(text.replace('"100 to 1"', '"77 to 1"'))
    page.click("#tab-form")
    expect(page.get_by_label("Pays of Suited triple")).to_have_value("77 to 1")


def test_a_click_counts_though_an_answer_comes_while_the_button_is_down(opened):
    page = opened()
    page.locator(".hand .name").nth(4).fill("All of one suit")
    button = page.get_by_role("button", name="Add a hand")
    button.hover()
    with page.expect_response("**/page/view") as answer:
        page.mouse.down()  # the field is left, its hand has another name, and the form is to be built anew
    answer.value.finished()
    page.wait_for_timeout(200)
    page.mouse.up()
    expect(page.get_by_label("Rule of New hand")).to_be_visible()
    expect(page.get_by_label("Rule of All of one suit")).to_be_visible()
    settled(page)


def test_what_is_pressed_and_is_no_longer_there_does_nothing(opened):
    page = opened()
    page.locator(".hand .name").nth(4).fill("All of one suit")
    button = page.get_by_role("button", name="Remove Flush").first
    button.hover()
    with page.expect_response("**/page/view") as answer:
        page.mouse.down()
    answer.value.finished()
    page.wait_for_timeout(200)
    page.mouse.up()
    expect(page.get_by_label("Rule of All of one suit")).to_be_visible()
    settled(page)


def test_a_pointer_that_is_let_go_elsewhere_holds_no_answer_back(opened):
    page = opened()
    page.get_by_role("button", name="Add a hand").hover()
    page.evaluate("document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))")  # and never up
    page.get_by_label("Pays of Flush").fill("6 to 1")
    page.mouse.move(5, 5)
    settled(page)


def test_wheels_sums_and_settings_are_on_the_form(opened):
    page = opened()
    opens(page, "NEXT-STEP")
    page.get_by_label("Stops of Dice", exact=True).fill("2: 3, 5: 1")
    page.get_by_label("Stops of Dice", exact=True).press("Tab")
    page.get_by_label("Wheel of Dealer blackjack").select_option("Dice, suited")
    page.get_by_role("button", name="Add a wheel").click()
    expect(page.get_by_label("Stops of Wheel", exact=True)).to_be_visible()
    page.locator(".hand .name").last.fill("Idle")
    page.locator(".hand .name").last.press("Tab")
    expect(page.locator("#problems")).to_contain_text("wheel 'Idle': no award of the file has it")
    page.get_by_label("Awards add up").uncheck()
    expect(page.locator("legend", has_text="Awards")).to_have_text("Awards, highest first")
    page.get_by_role("button", name="notes").click()
    bet = tomllib.loads(page.locator("#source").input_value())
    assert (bet["wheels"]["Dice"], bet["wheels"]["Idle"]) == ({"2": 3, "5": 1}, {"1": 3, "2": 1})
    assert bet["paytable"][0]["awards"][3]["wheel"] == "Dice, suited"
    assert "awards_add_up" not in bet
    page.click("#tab-form")
    page.evaluate("studio.open('L9-TIE')")  # takes seconds; what can be filled in is there before
    page.get_by_label("The Tie pays").fill("8 to 1")
    page.get_by_label("Two hands of 9").select_option("maker")
    page.wait_for_function("() => studio.text.includes('nines')")
    (paytable,) = tomllib.loads(page.evaluate("studio.text"))["paytable"]
    assert paytable["settings"] == {"tie_pays": "8 to 1", "nines": "maker"}


def test_what_was_typed_into_a_panel_stays_while_the_bet_is_undone(opened):
    page = opened()
    page.get_by_label("Pays of Flush", exact=True).fill("6 to 1")
    page.click("#tab-sheets")
    page.get_by_label("Prepared by").fill("Ann")
    page.get_by_label("Prepared by").press("Control+z")  # of the field itself
    expect(page.get_by_label("Pays of Flush", exact=True)).to_have_value("6 to 1")
    page.get_by_label("Prepared by").fill("Ann")
    page.get_by_label("6 decks").click()
    page.click("#undo")
    expect(page.get_by_label("Pays of Flush", exact=True)).to_have_value("5 to 1")
    settled(page)
    expect(page.get_by_label("Prepared by")).to_have_value("Ann")
    assert page.evaluate("[studio.now.asked.sheets.prepared_by, studio.now.at]") == ["Ann", 6]


def test_what_was_done_is_undone_and_done_again(opened):
    page = opened()
    before = edge(page).inner_text()
    pay = page.get_by_label("Pays of Flush", exact=True)
    pay.press("ArrowUp")
    expect(edge(page)).not_to_have_text(before)
    after = edge(page).inner_text()
    page.keyboard.press("Control+z")
    expect(edge(page)).to_have_text(before)
    page.keyboard.press("Control+Shift+z")
    expect(edge(page)).to_have_text(after)
    page.get_by_role("button", name="Remove Suited triple").last.click()
    expect(page.get_by_label("Pays of Suited triple")).to_have_count(0)
    page.click("#undo")
    expect(page.get_by_label("Pays of Suited triple")).to_have_count(1)


def test_a_pinned_variant_stands_beside_the_bet_with_its_difference(opened):
    page = opened()
    opens(page, "TRI-03")
    page.get_by_label("6 decks").click()
    page.keyboard.press("Alt+p")
    page.get_by_label("Pays of Flush", exact=True).fill("4 to 1")
    row = page.locator("#panel tr", has=page.get_by_role("rowheader", name="House edge"))
    more = Fraction(292896, 5013320)
    expect(row.locator("td").nth(2)).to_have_attribute("data-exact", str(-more))
    expect(row.locator("td").nth(1)).to_have_attribute("data-exact", "2127/48205")
    expect(page.locator("[data-key=house_edge] small")).to_have_text("TRI-03 A: −5.842356%")
    better = page.locator("#panel table", has_text="Which is better for the player")
    expect(better.locator("tbody tr").first).to_have_text(re.compile("TRI-03 A.*This bet.*yes.*yes.*yes"))
    expect(page.locator("#panel svg.line circle[data-exact^='TRI-03 A, 6 decks: 4.412405%']")).to_be_visible()
    expect(page.locator("#panel .piles [data-exact^='This bet, Flush: ']")).to_be_visible()
    page.get_by_role("button", name="Back to this").click()
    expect(page.get_by_label("Pays of Flush", exact=True)).to_have_value("5 to 1")


def test_a_link_carries_the_whole_state_into_a_new_window(opened):
    page = opened()
    opens(page, "TRI-04")
    page.get_by_label("Pays of Flush", exact=True).fill("6 to 1")
    page.keyboard.press("Alt+p")
    page.get_by_label("Pays of Flush", exact=True).fill("4 to 1")
    page.locator("#decks").fill("2,6")
    page.locator("#removed").fill("7h")
    page.click("#tab-sheets")
    page.get_by_label("Prepared by").fill("Ann")
    settled(page)
    page.evaluate(  # the figures are said a moment after they are there, perhaps over what is said of the link
        """() => { window.said = []; const live = document.getElementById("live");
        new MutationObserver(() => said.push(live.textContent)).observe(live, { childList: true }); }"""
    )
    page.click("#share")
    page.wait_for_function("() => said.some(one => one.startsWith('The link is'))")
    other = opened(page.evaluate("location.href"))
    for id in ("#decks", "#removed"):
        assert other.locator(id).input_value() == page.locator(id).input_value()
    expect(other.get_by_label("Pays of Flush", exact=True)).to_have_value("4 to 1")
    expect(other.get_by_label("Prepared by")).to_have_value("Ann")
    assert edge(other).inner_text() == edge(page).inner_text()
    other.click("#tab-compare")
    expect(other.get_by_label("Name of variant 1")).to_have_value("TRI-04 A")


def test_sheets_are_downloaded_and_can_be_read(opened, tmp_path):
    page = opened()
    page.click("#tab-sheets")
    page.get_by_label("Prepared by").fill("A. Designer")
    got = {}
    for format in ("pdf", "xlsx", "json"):
        with page.expect_download() as download:
            page.click(f"[data-format={format}]")
        download.value.save_as(tmp_path / download.value.suggested_filename)
        got[format] = (tmp_path / download.value.suggested_filename).read_bytes()
        assert download.value.suggested_filename == f"MINE-1_8-decks.{format}"
    text = "".join(one.extract_text() for one in PdfReader(io.BytesIO(got["pdf"])).pages)
    assert "A. Designer" in text
    exact = page.locator("[data-key=house_edge]").get_attribute("data-exact")
    assert json.loads(got["json"])["house_edge"] == exact
    assert format_percent(Fraction(exact), 8) in text
    assert "Inputs" in load_workbook(io.BytesIO(got["xlsx"])).sheetnames


def test_meters_are_tried_on_other_terms(opened):
    page = opened()
    opens(page, "BLZ-1-UP")
    page.click("#tab-meters")
    hold = page.locator("#panel tr", has=page.get_by_role("rowheader", name="hold of the house in the long run"))
    expect(hold).to_be_visible()
    before = hold.inner_text()
    page.locator("#panel").get_by_label("Seed").fill("4000")
    expect(hold).not_to_have_text(re.compile(re.escape(before.split()[-1])))
    expect(page.locator("#panel")).to_contain_text("Break-even")


def test_a_paytable_is_found_and_taken_into_the_bet(opened):
    page = opened()
    opens(page, "TRI-04")
    page.click("#tab-find")
    page.get_by_label("What awards may pay").fill("*=1..50")
    page.locator("#panel").get_by_label("House edge").fill("4.0%..4.5%")
    page.locator("#panel").get_by_label("At decks").fill("6,8")
    page.get_by_role("button", name="Find pays").click()
    expect(page.locator("#panel .subtitle")).to_contain_text("53 of 6,250,000 combinations")
    wanted = page.locator("#panel tbody tr").first.locator("td").nth(4).get_attribute("data-exact")
    page.get_by_role("button", name="Take number 1 into the bet").click()
    expect(page.get_by_label("Pays of Straight flush")).to_have_value("34 to 1")
    page.get_by_label("6 decks").click()
    expect(page.locator("[data-key=house_edge]")).to_have_attribute("data-exact", wanted)
    page.locator("#panel [data-name=falling]").select_option("no")
    page.get_by_role("button", name="Find pays").click()
    expect(page.locator("#panel .subtitle")).to_contain_text("646 of 6,250,000 combinations")
    page.locator("#panel").get_by_label("House edge").fill("99%..")
    page.get_by_role("button", name="Find pays").click()
    expect(page.locator("#panel .problem")).to_contain_text("none of 6,250,000 combinations")


def test_wagers_on_the_same_cards_are_put_together(opened):
    page = opened()
    opens(page, "TRI-01")
    page.get_by_label("6 decks").click()
    page.click("#tab-joint")
    page.get_by_role("button", name="Add another wager").click()
    page.get_by_label("Wager 2", exact=True).select_option("SUP-01")
    page.get_by_label("Stake on wager 2").fill("5")
    page.get_by_label("Stake on this bet").fill("10")
    expect(page.locator("#panel .subtitle")).to_contain_text("10 on TRI-01 and 5 on SUP-01")
    expect(page.locator("#panel")).to_contain_text("Covariance")


def test_cards_that_are_gone_and_counts_of_them_are_told(opened):
    page = opened()
    page.click("#tab-counting")
    panel = page.locator("#panel")
    expect(panel).to_contain_text("Scaled to one deck")
    expect(panel).to_contain_text("Betting correlation")
    panel.get_by_label("Cards behind the cut card").fill("some")
    expect(panel.locator(".problem")).to_have_text("Cards behind the cut card: some is no whole number")
    panel.get_by_label("Cards behind the cut card").fill("52")
    panel.get_by_text("The table and its customs").click()
    panel.get_by_label("True count").select_option("floored")
    panel.get_by_label("Tags", exact=True).fill("A=1 2=1 9=x")
    expect(panel.locator(".problem")).to_contain_text("9=x")
    panel.get_by_label("Tags", exact=True).fill("A=1 2=-1")
    expect(panel).to_contain_text("floored")


def test_a_parlay_is_worked_out_with_progress(opened):
    page = opened()
    opens(page, "HM-1")
    page.evaluate(  # a bar may be gone before anybody looks for it again
        """() => { window.bars = []; const panel = document.getElementById("panel");
        new MutationObserver(() => bars.push(...panel.querySelectorAll("progress")))
          .observe(panel, { childList: true, subtree: true }); }"""
    )
    page.get_by_role("button", name="work out the parlay").click()
    expect(page.locator("#panel")).to_contain_text("Leave (L) or take (T)")
    assert page.evaluate("bars.splice(0).length > 0")
    figures = page.locator("#panel .facts").inner_text()
    page.get_by_label("Splits make").select_option("2")
    page.wait_for_function("() => bars.length > 0")
    expect(page.locator("#panel .facts")).not_to_have_text(figures)


def test_a_slow_rule_leaves_the_page_alive_and_is_stopped(opened):
    page, other = opened(), opened()
    opens(page, "TRI-03")
    with page.expect_request(lambda asked: asked.url.endswith("/page/view") and "lucky 9" in asked.post_data):
        page.locator("#catalog").select_option("L9")
    page.get_by_role("button", name="Undo").click()  # the page is alive, and the newer question replaces the slow one
    expect(page.get_by_label("Pays of Mini royal")).to_have_value("100 to 1")
    settled(page)
    other.get_by_label("Pays of Flush", exact=True).press("ArrowUp")
    settled(other)


def test_what_takes_too_long_is_stopped_with_a_line_on_the_page(windows):
    with running("--seconds", "5") as (address, _):
        page = windows.take(DESK)
        page.goto(address)
        page.wait_for_function("() => document.body.dataset.shown > 0")
        page.locator("#decks").fill("1-40")  # a moment for this bet, and half a minute for the next
        settled(page)
        page.locator("#catalog option[value='L9']").wait_for(state="attached")
        page.select_option("#catalog", "L9")
        expect(page.locator("#question")).to_have_text("this takes longer than 5 seconds and was stopped")
        page.keyboard.press("Control+z")
        settled(page)
        expect(page.locator("#question")).to_be_hidden()
        windows.give_back(page)


def test_pages_at_once_each_have_their_own_figures(opened):
    pages = [opened() for _ in range(3)]
    for number, page in enumerate(pages):
        page.get_by_label("Pays of Suited triple").fill(f"{100 + number} to 1")
    for page in pages:
        settled(page)
    found = [page.locator("[data-key=house_edge]").get_attribute("data-exact") for page in pages]
    steps = {Fraction(one) - Fraction(other) for one, other in pairwise(found)}
    assert steps == {Fraction(2912, 11912160)}


def test_the_keyboard_is_enough(opened):
    page = opened()
    seen = set()
    for _ in range(60):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.id || document.activeElement.getAttribute('aria-label') || ''"))
    assert {"catalog", "undo", "share", "theme", "help", "tab-form", "Rule of Flush", "Pays of Flush"} <= seen | {
        "undo"
    }
    page.keyboard.press("Alt+2")
    assert page.evaluate("document.activeElement.id") == "source"
    page.keyboard.press("Alt+f")
    page.locator("#shown table th").first.focus()
    page.keyboard.press("ArrowDown")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.dataset.exact") == "7/28635"
    expect(page.locator("#exact")).to_have_text("7/28635")
    page.keyboard.press("F1")
    expect(page.locator("#keys")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#keys")).to_be_hidden()


def test_the_deck_count_that_is_looked_at_is_marked_and_arrow_keys_walk_on(opened):
    page = opened()
    counts = page.locator("#counts")
    expect(counts.get_by_role("radio", name="8 decks")).to_be_checked()
    counts.get_by_role("radio", name="8 decks").focus()
    for count in ("7", "6"):
        page.keyboard.press("ArrowLeft")
        expect(counts.get_by_role("radio", checked=True)).to_have_text(count)
        settled(page)
        assert page.evaluate("document.activeElement.textContent") == count
    assert counts.get_by_role("radio", checked=True).count() == 1
    colors = counts.locator("button").evaluate_all("all => all.map(one => getComputedStyle(one).backgroundColor)")
    assert [place for place, color in enumerate(colors, 1) if colors.count(color) == 1] == [6]


def test_the_keyboard_keeps_its_place_while_awards_move_and_go(opened):
    page = opened()
    focused = "document.activeElement.getAttribute('aria-label')"
    page.get_by_label("Move Flush up").focus()
    for above in ("Straight", "Three of a kind"):
        page.keyboard.press("Enter")
        expect(page.locator(".award select").nth(4 if above == "Straight" else 3)).to_have_value(above)
        assert page.evaluate(focused) == "Move Flush up"
    page.get_by_role("button", name="Remove Flush").last.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Pays of Flush", exact=True)).to_have_count(0)
    assert page.evaluate("document.getElementById('form').contains(document.activeElement)")


def test_what_is_typed_while_the_form_is_built_anew_stays(opened):
    page = opened()
    page.get_by_label("Only if").press_sequentially("player.pair or player.suited", delay=7)
    settled(page)
    expect(page.get_by_label("Only if")).to_have_value("player.pair or player.suited")
    assert 'given = "player.pair or player.suited"' in page.evaluate("studio.text")


def test_a_question_that_was_dropped_is_asked_again(windows, address):
    page = windows.take(DESK)
    page.goto(address)
    page.wait_for_function("() => document.body.dataset.shown > 0")
    page.route("**/page/view", lambda route: route.abort())
    before = edge(page).inner_text()
    page.get_by_label("Pays of Flush", exact=True).press("ArrowUp")
    expect(page.locator("#question")).to_have_text("the studio does not answer; is combinat studio still running?")
    page.unroute_all()  # once the line has been seen, which stays until there is an answer
    expect(page.locator("#question")).to_be_hidden()
    settled(page)
    assert edge(page).inner_text() != before
    windows.give_back(page)


def test_a_question_that_an_older_one_overtook_is_asked_again(windows, address):
    """Two questions that go over two connections may come in the other order, and the server drops the newer one."""
    page = windows.take(DESK)
    page.goto(address)
    page.wait_for_function("() => document.body.dataset.shown > 0")
    page.route("**/page/view", lambda route: route.fulfill(json={"replaced": True}), times=1)
    before = edge(page).inner_text()
    page.get_by_label("Pays of Flush", exact=True).press("ArrowUp")
    settled(page)
    assert edge(page).inner_text() != before
    windows.give_back(page)


def test_every_field_and_button_has_a_name_for_a_screen_reader(opened):
    page = opened()
    for view in ("#tab-form", "#tab-text"):
        page.click(view)
        unnamed = page.evaluate(
            """() => [...document.querySelectorAll("button, input, select, textarea, [role=img], [role=grid]")]
            .filter(one => one.checkVisibility())
            .filter(one => !(one.getAttribute("aria-label") || one.textContent.trim() || one.labels?.length))
            .map(one => one.outerHTML)"""
        )
        assert unnamed == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_all_of_it(opened, scheme):
    page = opened(viewport=PHONE, scheme=scheme, has_touch=True)
    for side in ("bet", "figures", "panels"):
        page.click(f"nav [data-side={side}]")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for panel in ("find", "joint", "meters", "option", "counting", "long-run", "sheets", "compare"):
        page.click(f"#tab-{panel}")
        if panel == "joint":
            page.locator("#catalog option[value='21+3-PT1']").wait_for(state="attached")
            page.get_by_role("button", name="Add another wager").click()
            expect(page.get_by_label("Stake on wager 2")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], panel
    small = "all => all.filter(one => parseFloat(getComputedStyle(one).fontSize) < 16).map(one => one.outerHTML)"
    for side, view in (("panels", "#tab-sheets"), ("bet", "#tab-form"), ("bet", "#tab-text")):
        page.click(f"nav [data-side={side}]")
        page.click(view)
        assert (
            page.locator("input:visible, select:visible, textarea:visible").evaluate_all(small) == []
        )  # no zooming in
    page.click("nav [data-side=figures]")
    page.locator("#shown td[data-exact]").first.tap()
    expect(page.locator("#exact")).to_be_visible()
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert background == {"light": "rgb(246, 247, 249)", "dark": "rgb(16, 21, 27)"}[scheme]


def test_text_has_enough_contrast(opened):
    for scheme in ("light", "dark"):
        page = opened(scheme=scheme)
        ratios = page.evaluate(
            """() => { const style = getComputedStyle(document.documentElement);
            const light = name => { const hex = style.getPropertyValue(name).trim().slice(1);
              const parts = [0, 2, 4].map(at => parseInt(hex.slice(at, at + 2), 16) / 255)
                .map(one => one <= 0.03928 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4);
              return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]; };
            const ratio = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p);
              return (x + 0.05) / (y + 0.05); };
            return [["--ink", "--card"], ["--soft", "--card"], ["--soft", "--wash"], ["--accent-ink", "--accent"],
              ["--bad", "--bad-wash"], ["--warn", "--warn-wash"], ["--good", "--card"], ["--key", "--card"],
              ["--string", "--card"], ["--comment", "--card"], ["--number", "--card"]]
              .map(([a, b]) => [a, b, ratio(a, b)]); }"""
        )
        assert [one for one in ratios if one[2] < 4.5] == []


OWN_TEXT = """bet = "Mine"
deal = "player:3"
[[paytable]]
id = "RQ-1"
decks = 6
awards = [{ name = "Flush", when = "suited", pays = "12 to 1" }]
"""


def id_field(page):
    return page.locator("#form input[data-path$='\"id\"]']")


def test_renamed_paytable_stays_in_the_form(opened):
    page = opened()
    opens(page, "TRI-03")
    text = page.evaluate("studio.text")
    pay = page.get_by_label("Pays of Mini royal")
    field = id_field(page)
    field.focus()
    for key in ["End", "X", "Backspace", "Backspace", "1", "9", "Home", "Delete"]:  # TRI-01, which there is, among them
        page.keyboard.press(key)
        page.wait_for_function("() => studio.outlined === studio.text && studio.ids?.includes(studio.now.paytable)")
        expect(pay).to_have_value("100 to 1")
    expect(field).to_have_value("RI-019")
    settled(page)
    expect(page.locator("#paytable")).to_have_value("RI-019")
    assert page.evaluate("studio.paytable") == "RI-019"
    field.blur()
    page.evaluate("text => { while (studio.text !== text) studio.store.undo(); }", text)
    settled(page)
    expect(page.locator("#paytable")).to_have_value("TRI-03")
    expect(id_field(page)).to_have_value("TRI-03")


def test_paytable_renamed_in_the_text_stays_the_one_shown(opened):
    page = opened()
    opens(page, "TRI-03")
    before = edge(page).text_content()
    put_caret(page, 'id = "TRI-03')
    for key in ["Backspace", "1", "X", "Backspace", "Backspace", "Backspace", "Q"]:
        page.keyboard.press(key)
        page.wait_for_function("() => studio.outlined === studio.text && studio.ids?.includes(studio.now.paytable)")
    settled(page)
    expect(page.locator("#paytable")).to_have_value("TRI-Q")
    expect(edge(page)).to_have_text(before)


@pytest.mark.parametrize("panel", ["compare", "joint", "long-run", "counting", "find"])
def test_text_pasted_over_a_catalog_bet_leaves_no_old_id(opened, panel):
    page = opened()
    opens(page, "TRI-03")
    page.click(f"#tab-{panel}")
    if panel == "compare":
        page.click("#pin")
    page.click("#tab-text")
    page.locator("#source").fill(OWN_TEXT)
    page.wait_for_function("() => studio.now.paytable === 'RQ-1'")
    settled(page)
    page.wait_for_timeout(700)  # what panels with long answers wait for
    assert "no paytable" not in page.locator("#panel").inner_text()
    assert page.evaluate("studio.question().paytable") == "RQ-1"
    page.evaluate("studio.keep_link()")
    page.reload()
    page.wait_for_function("() => document.body.dataset.shown > 0")
    assert page.evaluate("studio.now.paytable") == "RQ-1"


def test_link_with_an_id_that_its_text_lacks_shows_what_there_is(opened, address):
    page = opened()
    link = page.evaluate(
        """async text => { const { packed, blank } = await import("./state.js");
        return "#" + await packed({ ...blank(), toml: text, paytable: "TRI-03", panel: "long-run" }); }""",
        OWN_TEXT,
    )
    page = opened(f"{address}{link}")
    page.wait_for_function("() => studio.now.paytable === 'RQ-1'")
    settled(page)
    expect(page.locator("#panel .problem")).to_have_count(0)


def test_sheet_of_a_changed_catalog_bet_is_a_variant(opened, tmp_path):
    page = opened()
    opens(page, "TRI-03")
    page.get_by_label("Pays of Mini royal").fill("250 to 1")
    settled(page)
    page.click("#tab-sheets")
    with page.expect_download() as download:
        page.click("[data-format=json]")
    assert "_variant-" in download.value.suggested_filename
    download.value.save_as(tmp_path / "sheet.json")
    sheet = json.loads((tmp_path / "sheet.json").read_text())
    assert sheet["variant"] == {"of": "TRI-03", "differences": ["pays"]}
    assert "variant" in sheet["identification"]["document"]
    assert all(one.startswith("Based on TRI-03: ") for one in sheet["sources"])


def test_saved_sheet_and_index_work_under_their_own_policy(browser, run, tmp_path):
    code, _, error = run(
        *("parsheets", "--only", "TRI-02,TRI-03", "--decks", "2", "--format", "html", "-o", str(tmp_path), "-j", "1")
    )
    assert (code, error) == (0, "")
    page = browser.new_page()
    faults = []
    page.on("console", lambda message: faults.append(message.text))
    page.on("pageerror", lambda fault: faults.append(str(fault)))
    page.goto((tmp_path / "TRI-03_2-decks.html").as_uri())
    assert page.evaluate("document.querySelectorAll('svg').length") > 0
    first = "document.querySelector('[style]')"
    assert page.evaluate(f"getComputedStyle({first}).getPropertyValue({first}.style[0])") != ""  # of an attribute
    assert page.evaluate("getComputedStyle(document.querySelector('td.number')).textAlign") in ("right", "end")
    page.goto((tmp_path / "index.html").as_uri())
    page.get_by_role("searchbox").or_(page.locator(".filter input")).first.fill("TRI-02")
    expect(page.locator("tbody tr:visible")).to_have_count(1)
    page.locator(".filter input").fill("")
    page.locator("thead button").first.click()
    expect(page.locator("tbody tr").first).to_contain_text("TRI-02")
    assert faults == []
    page.evaluate(
        """() => { for (const source of ["alert(1)", "document.title = 'x'"]) {
        const script = document.createElement("script");
        script.textContent = source;
        document.body.append(script); } }"""
    )
    assert page.title() == "Par sheets"
    assert len(faults) == 2  # neither ran
    page.close()
