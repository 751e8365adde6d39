"""The page `checker.html` in a real browser: it accepts every sheet within its limits and notices every edit.

Without a browser the tests are skipped, or fail if COMBINAT_NEEDS_BROWSER is set.
"""

import base64
import hashlib
import json
import random
import re
from fractions import Fraction
from pathlib import Path

import pytest

import combinat
from combinat.bets.catalog import iter_collection, list_collections
from combinat.study import build_study
from decks import Shoe
from reports.page.files import format_json
from reports.sheet.checker import CHECKER, checker_sha256, read_checker
from reports.sheet.payload import build_draft
from reports.sheet.sections.request import Request
from tests.reference_page import EXAMPLES, split_pack
from tests.sheets import build_sheet, find_paytable
from tests.studio import expect

PAGE = Path(__file__).parents[3] / "reports" / "sheet" / CHECKER
EDITS = 60
"""Edits of each sheet in the test suite."""
EDITED = ("TRI-03", 6), ("BB-2", 6), ("BLZ-ML03-UP", 6), ("BAC-TIE", 8), ("MATCH-THE-DEALER-4-19", 2)
VECTORS = json.loads(Path(__file__).with_name("checker_vectors.json").read_text(encoding="utf-8"))
"""Rules and hands, and for each hand a digit for each rule: 1 if it matches."""


@pytest.fixture(scope="module")
def page(browser):
    """The page, opened as a file; requests and console errors fail the tests."""
    page, errors = browser.new_page(viewport={"width": 390, "height": 844}), []
    page.set_default_timeout(600_000)
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: errors.append(request.url) if not request.url.startswith("file:") else None)
    page.goto(PAGE.as_uri())
    yield page
    page.close()
    assert errors == []


def check(page, text):
    """Return the page's result for the text of a sheet."""
    return page.evaluate(
        """async text => { try {
        const {method, rows, differences, unchecked} = await checkSheet(text);
        return {method, differences, unchecked, fields: rows.map(row => row.field)};
        } catch (error) { return {problem: error.message, isUnsupported: error instanceof Unsupported}; } }""",
        text,
    )


def test_policy_allows_only_the_script_and_style_of_the_page():
    text = PAGE.read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
    for tag, directive in (("script", "script-src"), ("style", "style-src")):
        (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{directive} 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "http" not in text.replace("http-equiv", "")


def test_page_has_under_700_lines_of_code():
    (script,) = re.findall(r"<script>(.*?)</script>", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert sum(bool(line.strip()) and not line.strip().startswith("//") for line in script.splitlines()) < 700


def test_every_sheet_states_the_hash_of_the_page():
    assert checker_sha256() == hashlib.sha256(read_checker()).hexdigest()
    figures = [figure for section in build_sheet("TRI-02", 2).document.sections for figure in section.figures]
    assert checker_sha256() in [figure.value for figure in figures]


def compute_payload(paytable, decks):
    """Return the JSON of a sheet before the verifier has read it; best play is not solved for other deck counts."""
    study = build_study(paytable, Shoe(decks, paytable.bet.pack), {}, other_decks=False)
    return build_draft(Request(study), []).to_dict()


LIMITS = {
    "PKR-FORTUNE-1": "joker",
    "PKR-FORTUNE-2": "joker",
    **dict.fromkeys(("PKR-PRIME", "PKR-6-CARD-1", "PKR-6-CARD-2", *(f"PKR-TRIPS-{n}" for n in range(1, 5))), "hands"),
    **dict.fromkeys((f"BLZ-{n}-PC-PEEK" for n in ("1", "2", "ML03", "ML04")), "hands"),
}
"""Paytables that the page does not recount: more hands than its limit, or jokers."""


SIMILAR = {"NEXT-STEP", "PKR-QUEENS-UP-1", "KINGS-BOUNTY-6D", "SUPER-4", "RED-FLEX"}
"""Paytables that take 10 seconds or more, with the deal and the words of others."""


def one_paytable_of_each_bet():
    """Return the first paytable of each bet that is dealt, drawn by the dealer or a coup of baccarat."""
    paytables = [paytable for collection in list_collections() for paytable in iter_collection(collection)]
    bets = {paytable.bet.name: paytable for paytable in reversed(paytables)}
    return [
        paytable
        for paytable in bets.values()
        if not str(paytable.bet.deal).startswith("lucky") and paytable.id not in SIMILAR
    ]


@pytest.mark.slow
def test_every_bet_of_the_catalog_within_the_limits_agrees(page):
    agreeing = 0
    for paytable in one_paytable_of_each_bet():
        result = check(page, format_json(compute_payload(paytable, paytable.decks[0])))
        if paytable.id in LIMITS:
            assert LIMITS[paytable.id] in result["problem"], paytable.id
            assert result["isUnsupported"]
            continue
        differences = [row for row in result.get("differences", [result]) if row.get("field") != "data_sha256"]
        assert differences == [], (paytable.id, differences[:3])
        assert len(result["fields"]) > 80
        agreeing += 1
    assert agreeing > 60


def test_vectors_hold_in_python():
    awards = [{"name": rule, "when": rule, "pays": "1 to 1"} for rule in VECTORS["rules"]]
    bet = {"bet": "Vectors", "deal": VECTORS["deal"], "paytable": [{"id": "V", "decks": 6, "awards": awards}]}
    paytable = combinat.loads(bet)
    for hand, digits in VECTORS["hands"].items():
        found = {award.name: award.matches for award in combinat.judge(paytable, hand).awards}
        assert "".join(str(int(found[rule])) for rule in VECTORS["rules"]) == digits, hand


@pytest.mark.slow
def test_vectors_hold_in_javascript(page):
    found = page.evaluate(
        """({deal, rules, hands}) => {
        const game = readGame({deal, pack: "standard", removed: []});
        const tests = rules.map(rule => compileRule(rule, game, {on: 0, roles: new Set()}));
        const card = name => 4 * rankNumber(name.slice(0, -1)) + "cdhs".indexOf(name.at(-1));
        return Object.fromEntries(Object.keys(hands).map(hand => {
          const cards = hand.split(" ").map(card);
          const groups = {all: new Group(cards), player: new Group(cards.slice(0, 2)), up: new Group(cards.slice(2))};
          return [hand, tests.map(test => Number(test(groups))).join("")];
        })); }""",
        VECTORS,
    )
    assert found == VECTORS["hands"]


COUNT_RULE = """({rule, deal, pack, given, decks}) => {
const sheet = {deal, pack, given, removed: [], up_cards: [], awards: [{rule}]}, counter = count(sheet);
let step = counter.next();
while (!step.done) step = counter.next();
const outcomes = waysFrom(step.value, decks);
const sum = list => list.reduce((total, {ways}) => total.plus(ways), new Fraction(0n)).toString();
return [sum(outcomes.filter(({results}) => results[0])), sum(outcomes)]; }"""


@pytest.mark.slow
def test_examples_of_the_reference_page_are_counted(page):
    counted = 0
    for _, rule, example, ways, cycle in EXAMPLES:
        deal, pack = split_pack(example)
        if "joker" not in pack and ":6" not in deal:
            found = page.evaluate(COUNT_RULE, {"rule": rule, "deal": deal, "pack": pack, "given": None, "decks": 1})
            assert found == [str(ways), str(cycle)], rule
            counted += 1
    assert counted > 50


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "deal", "given", "probability"),
    [
        ("bust", "dealer:h17", None, "21489394753003/74749614439500"),
        ("bust", "dealer:s17", None, "2039239971/7190920100"),
        ("bust and suited", "dealer:h17", "up.has(10)", "2939/299880"),
        ("total == 22 and same color", "dealer:h17", None, "2212703861/158033011500"),
        ("leading reds == 3", "dealer:h17", None, "53959/812175"),
        ("leading blacks == cards", "dealer:h17", "up.has(6)", "99137/958800"),
        ("player.blackjack and dealer.bust", "player:2, dealer:h17", None, "1463834522/103408557525"),
    ],
)
def test_examples_of_dealer_hands_are_counted(page, rule, deal, given, probability):
    arguments = {"rule": rule, "deal": deal, "pack": "standard", "given": given, "decks": 1}
    ways, cycle = map(Fraction, page.evaluate(COUNT_RULE, arguments))
    assert str(ways / cycle) == probability


def leaves(value, path=()):
    """Yield the path of every value that is neither an object nor a list."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else None
    if items is None:
        yield path
    for key, item in items or ():
        yield from leaves(item, (*path, key))


def alter(value, chosen):
    """Return another value of the same kind."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chosen.choice((-1, 1, 10, -value or 7))
    if value is None:
        return chosen.choice((0, "1/2"))
    if not re.search(r"\d", value):
        return f"{value}x"
    digit = chosen.choice([match.start() for match in re.finditer(r"\d", value)])
    return value[:digit] + str((int(value[digit]) + chosen.randint(1, 9)) % 10) + value[digit + 1 :]


EXACT = re.compile(r"-?\d+(/0*[1-9]\d*)?")


def is_same(old, new):
    """Return whether two texts are the same fraction, as 1/2 and 01/2 are."""
    if type(old) is not type(new):
        return False
    if not (isinstance(old, str) and EXACT.fullmatch(old) and EXACT.fullmatch(new)):
        return old == new
    return Fraction(old) == Fraction(new)


def find_unnoticed_edits(page, payload, count, chosen):
    """Alter, delete or swap recounted values of a sheet, one at a time; return the edits that the page accepts."""
    text = format_json(payload)
    fields = set(check(page, text)["fields"]) - {"data_sha256"}
    paths = [path for path in leaves(payload) if ".".join(map(str, path)) in fields]
    edits = []
    while len(edits) < count:
        path, kind = chosen.choice(paths), chosen.choice(("alter", "alter", "delete", "swap", "null"))
        old = get(payload, path)
        new = get(payload, chosen.choice(paths)) if kind == "swap" else None if kind == "null" else alter(old, chosen)
        if kind == "delete" or not is_same(old, new):
            edits.append((kind, path, None if kind == "delete" else json.dumps(new)))
    return page.evaluate(
        """({text, edits}) => {
        const counter = count(readSheet(text));
        let step = counter.next();
        while (!step.done) step = counter.next();
        const original = waysFrom, known = new Map(); // only the sheet changes, not the count
        waysFrom = (counted, decks) => known.get(decks) ?? known.set(decks, original(counted, decks)).get(decks);
        try { return edits.filter(([kind, path, value]) => {
          const sheet = JSON.parse(text.replace(JSON_NUMBER, number => number[0] === '"' ? number : `"#${number}"`));
          const parent = path.slice(0, -1).reduce((object, key) => object[key], sheet), key = path.at(-1);
          if (kind === "delete") { if (Array.isArray(parent)) parent.splice(key, 1); else delete parent[key]; }
          else parent[key] = typeof JSON.parse(value) === "number" ? `#${value}` : JSON.parse(value);
          const edited = readSheet(JSON.stringify(sheet).replace(/"#(-?\\d+)"/g, "$1"));
          try { return compare(edited, recount(edited, step.value)).rows.every(({agrees}) => agrees); }
          catch { return false; }
        }); } finally { waysFrom = original; } }""".replace("JSON_NUMBER", r"""/"(?:[^"\\]|\\.)*"|-?\d+/g"""),
        {"text": text, "edits": edits},
    )


@pytest.mark.slow
@pytest.mark.parametrize(("id", "decks"), EDITED)
def test_no_edit_is_accepted(page, id, decks):
    payload = compute_payload(find_paytable(id), decks)
    assert find_unnoticed_edits(page, payload, EDITS, random.Random(f"{id} {decks}")) == []


def get(payload, path):
    for key in path:
        payload = payload[key]
    return payload


@pytest.fixture
def choose_file(page, tmp_path):
    """Return a function that gives the page a file, as its user does."""

    def choose_file(name, text):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        page.set_input_files("#file", path)

    return choose_file


@pytest.mark.slow
def test_page_shows_the_verdict(page, choose_file):
    text = format_json(build_sheet("TRI-02", 2).payload)
    choose_file("sheet.json", text)
    expect(page.locator("#verdict")).to_have_text(re.compile("TRI-02.*: all \\d+ recounted values agree"))
    expect(page.locator("#report h2")).to_have_text(["What was recounted", "What is not checked here"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")  # on a phone
    choose_file("forged.json", text.replace('"1265/45526"', '"1264/45526"'))
    expect(page.locator("#verdict")).to_have_text(re.compile("values differ"))
    expect(page.locator("#report h2").first).to_have_text("What differs")
    assert "1264/45526" in page.locator("#report table").first.inner_text()


@pytest.mark.slow
def test_other_files_get_one_clear_line(page, choose_file):
    lucky9 = {**build_sheet("TRI-02", 2).payload, "deal": "lucky 9"}
    for name, text in {
        "notes.txt": "hello",
        "list.json": "[1, 2]",
        "twice.json": '{"format": "combinat par sheet 3", "format": "combinat par sheet 3"}',
        "part.json": '{"format": "combinat par sheet 3"}',
        "lucky9.json": format_json(lucky9),
    }.items():
        choose_file(name, text)
        expect(page.locator("#verdict")).to_have_text(re.compile(f"^{re.escape(name)}.*:"))
        assert page.locator("#report *").count() == 0
