"""The studio's HTTP API answers what the command line prints, and refuses in one line what it must not take."""

import asyncio
import io
import json

import jsonschema
import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from combinat.bets.catalog import get_paytable
from reports.publish.sheets import EXTENSIONS
from reports.studio.answers import StudioAnswer
from reports.studio.pool import RequestFailedError
from reports.studio.security import AccessRules
from reports.studio.server import application
from reports.studio.worker import PartialAnswer, WorkerProgress
from tests.files import GOOD
from tests.studio import InProcess, client


@pytest.fixture(scope="module")
def server():
    with client() as found:
        yield found


def printed(run, *arguments):
    return json.loads(run(*arguments, "--format", "json")[1])


def test_analyze_is_what_show_prints(server, run, mine):
    options = ["--decks", "5-8", "--removed", "7h"]
    told = server.post("/api/analyze", json={"bets": [{"id": "tri-03"}], "decks": "5-8", "removed": "7h"})
    assert told.json() == printed(run, "show", "TRI-03", *options)
    told = server.post("/api/analyze", json={"bets": [{"toml": GOOD}], "decks": "6"})
    assert told.json() == printed(run, "show", mine, "--decks", "6")


def test_compare_is_what_compare_prints(server, run):
    told = server.post("/api/compare", json={"bets": [{"id": "TRI-03"}, {"id": "TRI-04"}], "decks": "6"})
    assert told.json() == printed(run, "compare", "TRI-03", "TRI-04", "--decks", "6")
    told = server.post("/api/compare", json={"bets": [{"id": "TRI-01"}], "decks": "6", "pays": ["Flush=8"]})
    assert told.json() == printed(run, "compare", "TRI-01", "--decks", "6", "--pays", "Flush=8")


def test_joint_is_what_joint_prints(server, run):
    wagers = [{"bet": {"id": "TRI-01"}, "stake": "10"}, {"bet": {"id": "HM-1"}, "stake": "5"}]
    told = server.post("/api/joint", json={"wagers": wagers, "decks": "6", "spots": 2})
    assert told.json() == printed(run, "joint", "TRI-01=10", "HM-1=5", "--decks", "6", "--spots", "2")


def test_design_is_what_design_prints(server, run):
    asked = {"pays": "Flush=1..9, Straight=5..15", "edge": "4%..6%", "falling": True, "best": 3}
    told = server.post("/api/design", json={"bet": {"id": "TRI-04"}, "decks": "6", **asked})
    options = ["--pays", asked["pays"], "--edge", asked["edge"], "--falling", "--best", "3", "--decks", "6"]
    assert told.json() == printed(run, "design", "TRI-04", *options)
    assert told.json()[0]["candidates"]
    told = server.post("/api/design", json={"bet": {"id": "TRI-04"}, "pays": "Flush=1..9", "edge": "99%.."})
    assert (told.status_code, "none of 9 combinations" in told.json()["error"]) == (422, True)


def test_design_of_a_rare_award_of_a_dealer_bet_is_found(server, run):
    asked = {"pays": "7 cards=50..150 step 10", "edge": "4%..6%", "decks": "6"}
    told = server.post("/api/design", json={"bet": {"id": "BUSTER-30"}, **asked})
    options = [part for key, value in asked.items() for part in (f"--{key}", value)]
    assert told.json() == printed(run, "design", "BUSTER-30", *options)


def test_design_has_the_same_default_order_and_need_of_an_edge_as_the_command(server, run):
    asked = {"bet": {"id": "TRI-04"}, "decks": "6", "pays": "*=1..5"}
    told = server.post("/api/design", json={**asked, "edge": "55%..60%", "falling": False})
    options = ["TRI-04", "--decks", "6", "--pays", "*=1..5"]
    assert told.json() == printed(run, "design", *options, "--edge", "55%..60%", "--any-order")
    told = server.post("/api/design", json={**asked, "edge": "55%..60%"})
    assert told.json() == printed(run, "design", *options, "--edge", "55%..60%")
    told = server.post("/api/design", json=asked)
    assert (told.status_code, "--edge" in told.json()["error"]) == (422, True)


def test_removal_is_what_removal_prints(server, run):
    told = server.post("/api/removal", json={"bets": [{"id": "TRI-01"}], "decks": "6"})
    assert told.json() == printed(run, "removal", "TRI-01", "--decks", "6")


def test_count_is_what_count_prints(server, run):
    asked = {"tags": "A=1 5=-1", "depths": "52,260", "true_count": "floored", "wager": "25", "trigger": "2"}
    told = server.post("/api/count", json={"bets": [{"id": "TRI-01"}], "decks": "6", **asked})
    options = [part for key, value in asked.items() for part in (f"--{key.replace('_', '-')}", value)]
    assert told.json() == printed(run, "count", "TRI-01", "--decks", "6", *options)
    assert told.json()[0]["won_per_hour"]


@pytest.mark.slow
def test_counts_of_many_and_what_none_can_beat_are_those_of_count(server, run):
    body = {"bets": [{"id": "TRI-01"}, {"id": "BLZ-1-UP"}], "decks": "6,8", "bound": True, "samples": 40, "seed": 7}
    told = server.post("/api/count", json={**body, "best": 2, "unbalanced": True})
    options = ["--decks", "6,8", "--bound", "--samples", "40", "--seed", "7", "--best", "2", "--unbalanced"]
    assert told.json() == printed(run, "count", "TRI-01", "BLZ-1-UP", *options)
    assert any("pays from meters" in one for one in json.loads(told.headers["combinat-warnings"]))
    told = server.post("/api/count", json={"bets": [{"id": "BLZ-1-UP"}], "decks": "6"})
    assert (told.status_code, "pays from meters" in told.json()["error"]) == (422, True)


def test_other_pays_and_meters_are_tried(server, run):
    told = server.post("/api/analyze", json={"bets": [{"id": "TRI-01"}], "decks": "6", "pays": ["Flush=8"]})
    assert told.json() == printed(run, "show", "TRI-01", "--decks", "6", "--pays", "Flush=8")
    body = {"bets": [{"id": "BLZ-1-UP"}], "decks": "6", "seed": ["3000"], "rate": ["20%"]}
    told = server.post("/api/analyze", json=body)
    assert told.json() == printed(run, "show", "BLZ-1-UP", "--decks", "6", "--seed", "3000", "--rate", "20%")


def test_odds_are_what_odds_prints(server, run):
    body = {"rule": "suited and straight", "deal": "player:2, up:1", "decks": "2,6", "given": "player.suited"}
    options = ["--deal", body["deal"], "--decks", body["decks"], "--given", body["given"]]
    assert server.post("/api/odds", json=body).json() == printed(run, "odds", body["rule"], *options)


def test_check_is_what_check_prints(server, run, mine):
    broken = GOOD.replace("suited", "suitd")
    mine.write_text(broken)
    (told,) = server.post("/api/check", json={"bets": [{"toml": broken, "name": str(mine.name)}]}).json()
    (expected,) = printed(run, "check", mine)
    assert told["problems"] == [text.replace(str(mine), mine.name) for text in expected["problems"]]
    assert told["problems"]
    assert server.post("/api/check", json={"bets": [{"id": "TRI-03"}]}).json() == printed(run, "check", "TRI-03")


def test_words_and_catalog_are_what_the_command_line_lists(server, run):
    assert server.get("/api/words?deal=dealer:h17").json() == printed(run, "words", "--deal", "dealer:h17")
    assert server.get("/api/catalog").json() == printed(run, "list")
    assert server.get("/api/catalog/tri-03").text == get_paytable("TRI-03").bet.file


def test_a_sheet_comes_as_a_file(server, monkeypatch):
    class Ready:
        name = "MINE_6-decks"

        def content(self, format):
            return format.encode()

    asked = {}
    monkeypatch.setattr("reports.studio.answers.par_sheet", lambda *_, **more: asked.update(more) or Ready())
    body = {"bet": {"toml": GOOD}, "decks": 6, "format": "md", "prepared_by": "Ann", "max_wager": "25"}
    told = server.post("/api/sheet", json=body)
    assert told.headers["content-disposition"] == "attachment; filename*=UTF-8''MINE_6-decks.md"
    assert told.text == "markdown"
    assert (asked["prepared_by"], asked["max_wager"], asked["other_decks"]) == ("Ann", "25", False)


@pytest.mark.slow
def test_a_sheet_is_the_file_that_parsheet_writes(server, run, tmp_path):
    body = {"bet": {"id": "TRI-02"}, "decks": 2, "format": "json", "date": "2026-11-17"}
    told = server.post("/api/sheet", json=body)
    run("parsheet", "TRI-02", "--decks", "2", "--format", "json", "--date", "2026-11-17", "--output", tmp_path)
    assert told.content == (tmp_path / "TRI-02_2-decks.json").read_bytes()
    assert "TRI-02_2-decks.json" in told.headers["content-disposition"]


@pytest.mark.slow
@pytest.mark.parametrize("format", EXTENSIONS)
def test_every_sheet_format_is_served_and_can_be_read(server, format):
    told = server.post("/api/sheet", json={"bet": {"toml": GOOD}, "format": format})
    assert told.status_code == 200
    if format == "pdf":
        assert "My bet" in PdfReader(io.BytesIO(told.content)).pages[0].extract_text()
    elif format == "xlsx":
        assert "Inputs" in load_workbook(io.BytesIO(told.content)).sheetnames
    else:
        assert "MINE" in told.text


def test_what_is_left_out_is_told_in_a_header(server):
    told = server.post("/api/analyze", json={"bets": [{"id": "TRI-02"}, {"id": "TRI-03"}], "decks": "6"})
    (warning,) = json.loads(told.headers["combinat-warnings"])
    assert warning.startswith("TRI-02 is designed for 2 decks, not 6")


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("analyze", {"bets": [{"id": "TRI-3"}]}, "no paytable 'TRI-3'; did you mean 'TRI-03'?"),
        ("analyze", {"bets": [{"id": "/etc/passwd"}]}, "files of this machine are not read"),
        ("analyze", {"bets": [{"id": "../mine.toml"}]}, "files of this machine are not read"),
        ("analyze", {"bets": [{"id": "pyproject.toml:X"}]}, "files of this machine are not read"),
        ("analyze", {"bets": [{"id": "pyproject"}]}, "no paytable 'pyproject'; combinat list shows them all"),
        ("analyze", {"bets": [{}]}, "bet 1: give either its id in the catalog or its text, as 'toml'"),
        ("analyze", {"bets": []}, "bets: List should have at least 1 item"),
        ("analyze", {"bets": [{"id": "TRI-03"}], "deks": "6"}, "deks: Extra inputs are not permitted"),
        ("analyze", {"bets": [{"id": "TRI-03"}], "decks": "0"}, "no shoe has 0 decks"),
        ("analyze", {"bets": [{"id": 3}]}, "bets.0.id: Input should be a valid string"),
        ("analyze", {"bets": [{"toml": GOOD.replace("suited", "suitd")}]}, "did you mean 'suited'?"),
        ("analyze", {"bets": [{"toml": "x" * 299_000}]}, "the text has 299,000 bytes; at most 262,144 are read"),
        ("odds", {"rule": "strait"}, "did you mean 'straight'?"),
        ("sheet", {"bet": {"id": "TRI-03"}, "format": "docx"}, "no sheet format 'docx'"),
        ("sheet", {"bet": {"id": "TRI-03"}, "format": "pdf,json"}, "one format at a time"),
    ],
)
def test_a_mistake_is_answered_in_the_programs_own_line(server, path, body, message):
    told = server.post(f"/api/{path}", json=body)
    assert told.status_code == 422
    assert message in told.json()["error"]
    assert "\n" not in told.json()["error"]


def test_other_reading_looks_at_no_file(server, tmp_path, monkeypatch):
    (tmp_path / "secret").write_text("")
    monkeypatch.chdir(tmp_path)
    text = GOOD.replace('id = "MINE"', 'id = "MINE"\nother_reading = "secret"')
    (told,) = server.post("/api/check", json={"bets": [{"toml": text}]}).json()
    assert [one["text"] for one in told["findings"]] == [
        "other_reading: no paytable 'secret'; combinat list shows them all"
    ]


ASKED = {
    "analyze": {"bets": [{"id": "TRI-03"}, {"id": "BLZ-1-UP"}, {"toml": GOOD}], "decks": "6"},
    "compare": {"bets": [{"id": "TRI-03"}, {"id": "TRI-04"}], "decks": "6"},
    "joint": {"wagers": [{"bet": {"id": "TRI-01"}}, {"bet": {"id": "TRI-03"}}], "decks": "6"},
    "design": {"bet": {"id": "TRI-04"}, "decks": "6", "pays": "Flush=1..9", "edge": "1%..20%"},
    "removal": {"bets": [{"id": "TRI-01"}], "decks": "6"},
    "count": {"bets": [{"id": "TRI-01"}], "decks": "6", "tags": "A=1 2=-1", "depths": "260"},
    "odds": {"rule": "suited", "decks": "6"},
    "check": {"bets": [{"toml": GOOD.replace("5 to 1", "500 to 1")}]},
}


def test_the_api_is_described(server):
    """What the description says of answers and refusals is so."""
    described = server.get("/openapi.json").json()
    assert not any(path.startswith("/page") for path in described["paths"])
    assert server.get("/docs").status_code == 404
    told = {path: server.post(f"/api/{path}", json=body) for path, body in ASKED.items()}
    told |= {path: server.get(f"/api/{path}") for path in ("words", "catalog")}
    assert {f"/api/{path}" for path in (*told, "sheet", "catalog/{id}")} == set(described["paths"])
    for path, answer in told.items():
        (about,) = described["paths"][f"/api/{path}"].values()
        schema = about["responses"]["200"]["content"]["application/json"]["schema"]
        jsonschema.validate(answer.json(), schema)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate([{}], schema)
        for status in ("400", "401", "403", "408", "409", "413", "415", "422", "500", "503", "504", "507"):
            refusal = about["responses"][status]["content"]["application/json"]["schema"]
            assert refusal == {"$ref": "#/components/schemas/Refusal"}
    text = described["paths"]["/api/catalog/{id}"]["get"]["responses"]["200"]["content"]
    assert text == {"text/plain": {}}


@pytest.mark.parametrize(
    "headers",
    [
        {"host": "evil.example:8765"},
        {"host": "127.0.0.1:9999"},
        {"host": "127.0.0.1"},
        {"host": "127.0.0.1:8765@evil.example"},
        {"host": ""},
        {"origin": "http://evil.example"},
        {"origin": "https://127.0.0.1:8765"},
        {"origin": "null"},
        {"origin": "http://127.0.0.1:9999"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_foreign_host_or_origin_is_refused(server, headers):
    told = server.post("/api/check", json={"bets": [{"id": "TRI-03"}]}, headers=headers)
    assert (told.status_code, list(told.json())) == (403, ["error"])


def test_another_site_may_lead_to_the_page_and_to_nothing_else(server):
    foreign = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert server.get("/", headers=foreign).status_code == 200
    assert server.get("/api/catalog", headers=foreign).status_code == 403
    assert server.get("/", headers={**foreign, "sec-fetch-dest": "iframe"}).status_code == 403
    picture = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    assert server.get("/api/words?deal=player:2", headers=picture).status_code == 403


def test_own_pages_and_programs_are_let_in(server):
    for headers in ({}, {"origin": "http://127.0.0.1:8765"}, {"origin": "http://localhost:8765"}):
        assert server.post("/api/check", json={"bets": [{"id": "TRI-03"}]}, headers=headers).status_code == 200


def test_a_form_of_another_site_cannot_ask(server):
    """What a page can send elsewhere without asking first, plain text and forms, is no JSON here."""
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        told = server.post("/api/check", content='{"bets": [{"id": "TRI-03"}]}', headers={"content-type": kind})
        assert (told.status_code, told.json()["error"]) == (
            415,
            "send JSON, with the header Content-Type: application/json",
        )


def test_what_is_no_json_is_told_plainly(server):
    told = server.post("/api/check", content=b"{", headers={"content-type": "application/json"})
    assert (told.status_code, "Input should" not in told.json()["error"]) == (422, True)
    told = server.post("/api/check", content=b"[" * 100_000, headers={"content-type": "application/json"})
    assert (told.status_code, told.json()) == (400, {"error": "the request cannot be read as JSON"})


def test_a_header_that_says_two_things_is_refused(server):
    for name, values in (("origin", ("http://evil.example", "http://127.0.0.1:8765")), ("authorization", ("a", "b"))):
        told = server.post("/api/check", content=b"{}", headers=[(name, one) for one in values])
        assert (told.status_code, told.json()) == (400, {"error": f"the header {name} is given twice"})
    lengths = [("content-length", "2"), ("transfer-encoding", "chunked")]
    assert server.post("/api/check", content=b"{}", headers=lengths).status_code == 400


def test_a_whole_number_beyond_all_measure_is_refused(server):
    for path, key in (("/page/view", "at"), ("/api/sheet", "decks"), ("/api/joint", "spots")):
        told = server.post(path, json={key: 10**30})
        assert told.status_code == 422
    told = server.post("/page/view", json={"toml": GOOD, "at": 10**30})
    assert "at: Input should be less than or equal to 1000000" in told.json()["error"]


def test_a_sheet_is_of_a_whole_shoe_and_says_so(server):
    for key in ("removed", "up"):
        told = server.post("/api/sheet", json={"bet": {"id": "TRI-03"}, key: "7h"})
        assert (told.status_code, told.json()["error"]) == (422, f"{key}: Extra inputs are not permitted")


def test_an_oversized_body_is_refused_whatever_it_says_of_its_length(server):
    large = b"x" * (1024 * 1024 + 1)
    assert server.post("/api/check", content=large).status_code == 413
    assert server.post("/api/check", content=iter([large])).status_code == 413
    assert server.post("/api/check", headers={"content-length": "-1"}, content=b"").status_code == 413


@pytest.mark.parametrize(
    "path", ["/../../etc/passwd", "/page/../index.html", "/%2e%2e/%2e%2e/etc/passwd", "/page/", "//etc/passwd"]
)
def test_a_path_with_dots_leads_nowhere(server, path):
    told = server.get(path)
    assert told.status_code == 404
    assert told.json() == {"error": "there is no such address; see /openapi.json"}


def test_a_browser_that_shows_an_answer_finds_the_mark_where_it_looks_for_one(server):
    told, mark = server.get("/favicon.ico"), server.get("/mark.svg")
    assert (told.status_code, told.content, told.headers["content-type"]) == (200, mark.content, "image/svg+xml")


def test_nothing_may_be_loaded_from_outside(server):
    told = server.get("/")
    policy = told.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "//" not in policy


def test_another_address_asks_for_the_token():
    with client(host="192.0.2.7", token="secret") as server:
        there = {"host": "192.0.2.7:8765"}
        assert server.get("/", headers=there).status_code == 401
        assert server.get("/?token=wrong", headers=there).status_code == 401
        assert server.get("/", headers={**there, "authorization": "Bearer wrong"}).status_code == 401
        assert server.get("/", headers={**there, "authorization": "Bearer secret"}).status_code == 200
        welcome = server.get("/?token=secret", headers=there, follow_redirects=False)
        assert (welcome.status_code, welcome.headers["location"]) == (303, "/")
        cookie = welcome.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert server.get("/", headers={**there, "cookie": cookie.partition(";")[0]}).status_code == 200
        assert server.get("/", headers={"authorization": "Bearer secret"}).status_code == 403  # another Host
        elsewhere = cookie.partition(";")[0].replace("_8765", "_8766")  # a browser sends the cookies of all ports
        assert server.get("/", headers={**there, "cookie": elsewhere}).status_code == 401


def called(app, messages, path="/api/check"):
    """Call a server as its own does, with a body that comes bit by bit or not at all."""
    sent = []

    async def receive():
        return messages.pop(0) if messages else await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    headers = [(b"host", b"127.0.0.1:8765"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
    asyncio.run(app(scope, receive, send))
    return sent


def test_a_body_that_does_not_come_is_not_waited_for():
    app = application(InProcess(), AccessRules(patience=50))
    start, end = called(app, [{"type": "http.request", "body": b"{", "more_body": True}])
    assert (start["status"], end["body"]) == (408, b'{"error": "the request did not come in time"}')
    assert app.inside == 0


def test_what_nobody_waits_for_any_more_is_not_worked_out():
    class Endless(InProcess):
        cancelled = False

        async def ask(self, *_):
            try:
                await asyncio.Event().wait()
            finally:
                self.cancelled = True

    workers = Endless()
    body = json.dumps({"bets": [{"id": "TRI-03"}]}).encode()
    called(application(workers, AccessRules()), [{"type": "http.request", "body": body}, {"type": "http.disconnect"}])
    assert workers.cancelled


class Telling(InProcess):
    """Tells of an answer before it is there."""

    async def ask(self, *given):
        for step in self.steps:
            given[-1](step)
            for _ in range(100):  # turns for the others, until it is sent; a time may be over before they have had any
                await asyncio.sleep(0)
        if self.error:
            raise self.error
        return StudioAnswer(b'{"whole": 1}')


def test_what_takes_long_is_told_of_line_by_line():
    with client(workers := Telling()) as server:

        def told(*steps, error=None):
            workers.steps, workers.error = steps, error
            return server.post("/page/view", json={"toml": ""})

        lines = told(
            WorkerProgress(1, 8), PartialAnswer(StudioAnswer(b'{"a": 1}')), WorkerProgress(2, 8)
        ).text.splitlines()
        expected = [{"done": 1, "total": 8}, {"part": {"a": 1}}, {"done": 2, "total": 8}, {"answer": {"whole": 1}}]
        assert [json.loads(line) for line in lines] == expected
        *_, last = told(WorkerProgress(1, 8), error=RequestFailedError(504, "too long")).text.splitlines()
        assert json.loads(last) == {"error": "too long", "status": 504}
        assert told().json() == {"whole": 1}


class Failing:
    async def start(self):
        pass

    async def stop(self):
        pass

    async def ask(self, *_):
        raise ZeroDivisionError("two\nlines")


def test_whatever_goes_wrong_is_one_line():
    with client(Failing()) as server:
        told = server.get("/api/catalog")
        assert (told.status_code, told.json()) == (500, {"error": "the studio failed: ZeroDivisionError: two lines"})
