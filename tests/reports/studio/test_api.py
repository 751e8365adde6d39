"""The studio's HTTP API returns what the command line prints, and refuses invalid requests in one line."""

import asyncio
import io
import json
from os import PathLike
from typing import Annotated

import jsonschema
import pytest
from openpyxl import load_workbook
from pydantic import ValidationError
from pypdf import PdfReader

from combinat.bets.catalog import get_paytable
from combinat.requests.odds import Odds as OddsRequest
from combinat.requests.request import Option, request_fields
from reports.render.formats import sheet_formats
from reports.studio import requests as bodies
from reports.studio.answers import StudioAnswer
from reports.studio.pool import RequestFailedError
from reports.studio.questions import QUESTIONS
from reports.studio.security import AccessRules
from reports.studio.server import application
from reports.studio.worker import PartialAnswer, WorkerProgress
from tests.bet_text import VALID_BET
from tests.studio import InProcess, client


@pytest.fixture(scope="module")
def server():
    with client() as test_client:
        yield test_client


def command_json(run, *arguments):
    return json.loads(run(*arguments, "--format", "json")[1])


def test_analyze_equals_the_show_command(server, run, mine):
    options = ["--decks", "5-8", "--removed", "7h"]
    response = server.post("/api/analyze", json={"bet": [{"id": "tri-03"}], "decks": "5-8", "removed": "7h"})
    assert response.json() == command_json(run, "show", "TRI-03", *options)
    response = server.post("/api/analyze", json={"bet": [{"toml": VALID_BET}], "decks": "6"})
    assert response.json() == command_json(run, "show", mine, "--decks", "6")


def test_compare_equals_the_command(server, run):
    response = server.post("/api/compare", json={"bet": [{"id": "TRI-03"}, {"id": "TRI-04"}], "decks": "6"})
    assert response.json() == command_json(run, "compare", "TRI-03", "TRI-04", "--decks", "6")
    response = server.post("/api/compare", json={"bet": [{"id": "TRI-01"}], "decks": "6", "pays": ["Flush=8"]})
    assert response.json() == command_json(run, "compare", "TRI-01", "--decks", "6", "--pays", "Flush=8")


def test_joint_equals_the_command(server, run):
    body = {"bet": ["TRI-01", {"id": "HM-1"}], "stakes": ["10", 5], "decks": 6, "spots": 2}
    response = server.post("/api/joint", json=body)
    assert response.json() == command_json(run, "joint", "TRI-01=10", "HM-1=5", "--decks", "6", "--spots", "2")


def test_design_equals_the_command(server, run):
    fields = {"pays": "Flush=1..9, Straight=5..15", "edge": "4%..6%", "falling": True, "best": 3}
    response = server.post("/api/design", json={"bet": {"id": "TRI-04"}, "decks": "6", **fields})
    options = ["--pays", fields["pays"], "--edge", fields["edge"], "--falling", "--best", "3", "--decks", "6"]
    assert response.json() == command_json(run, "design", "TRI-04", *options)
    assert response.json()[0]["candidates"]
    response = server.post("/api/design", json={"bet": {"id": "TRI-04"}, "pays": "Flush=1..9", "edge": "99%.."})
    (answer,) = response.json()
    assert (response.status_code, answer["found"], len(answer["nearest"])) == (200, 0, 1)


def test_design_handles_a_rare_dealer_award(server, run):
    fields = {"pays": "7 cards=50..150 step 10", "edge": "4%..6%", "decks": "6"}
    response = server.post("/api/design", json={"bet": {"id": "BUSTER-30"}, **fields})
    options = [part for key, value in fields.items() for part in (f"--{key}", value)]
    assert response.json() == command_json(run, "design", "BUSTER-30", *options)


def test_design_defaults_equal_the_command(server, run):
    fields = {"bet": {"id": "TRI-04"}, "decks": "6", "pays": "*=1..5"}
    response = server.post("/api/design", json={**fields, "edge": "55%..60%", "falling": False})
    options = ["TRI-04", "--decks", "6", "--pays", "*=1..5"]
    assert response.json() == command_json(run, "design", *options, "--edge", "55%..60%", "--any-order")
    response = server.post("/api/design", json={**fields, "edge": "55%..60%"})
    assert response.json() == command_json(run, "design", *options, "--edge", "55%..60%")
    response = server.post("/api/design", json=fields)
    assert (response.status_code, "--edge" in response.json()["error"]) == (422, True)


def test_removal_equals_the_command(server, run):
    response = server.post("/api/removal", json={"bet": [{"id": "TRI-01"}], "decks": "6"})
    assert response.json() == command_json(run, "removal", "TRI-01", "--decks", "6")


def test_count_equals_the_command(server, run):
    fields = {"tags": "A=1 5=-1", "depths": "52,260", "true_count": "floored", "wager": "25", "trigger": "2"}
    response = server.post("/api/count", json={"bet": [{"id": "TRI-01"}], "decks": "6", **fields})
    options = [part for key, value in fields.items() for part in (f"--{key.replace('_', '-')}", value)]
    assert response.json() == command_json(run, "count", "TRI-01", "--decks", "6", *options)
    assert response.json()[0]["won_per_hour"]


@pytest.mark.slow
def test_count_of_several_bets_and_upper_bound_equal_the_command(server, run):
    body = {"bet": [{"id": "TRI-01"}, {"id": "BLZ-1-UP"}], "decks": "6,8", "bound": True, "samples": 40, "seed": 7}
    response = server.post("/api/count", json={**body, "best": 2, "unbalanced": True})
    options = ["--decks", "6,8", "--bound", "--samples", "40", "--seed", "7", "--best", "2", "--unbalanced"]
    assert response.json() == command_json(run, "count", "TRI-01", "BLZ-1-UP", *options)
    assert any("pays from meters" in warning for warning in json.loads(response.headers["combinat-warnings"]))
    response = server.post("/api/count", json={"bet": [{"id": "BLZ-1-UP"}], "decks": "6"})
    assert (response.status_code, "pays from meters" in response.json()["error"]) == (422, True)


def test_pay_and_meter_overrides_apply(server, run):
    response = server.post("/api/analyze", json={"bet": [{"id": "TRI-01"}], "decks": "6", "pays": ["Flush=8"]})
    assert response.json() == command_json(run, "show", "TRI-01", "--decks", "6", "--pays", "Flush=8")
    body = {"bet": [{"id": "BLZ-1-UP"}], "decks": "6", "seed": ["3000"], "rate": ["20%"]}
    response = server.post("/api/analyze", json=body)
    assert response.json() == command_json(run, "show", "BLZ-1-UP", "--decks", "6", "--seed", "3000", "--rate", "20%")


def test_odds_equal_the_command(server, run):
    body = {"rule": "suited and straight", "deal": "player:2, up:1", "decks": "2,6", "given": "player.suited"}
    options = ["--deal", body["deal"], "--decks", body["decks"], "--given", body["given"]]
    assert server.post("/api/odds", json=body).json() == command_json(run, "odds", body["rule"], *options)


def test_check_equals_the_command(server, run, mine):
    broken = VALID_BET.replace("suited", "suitd")
    mine.write_text(broken)
    (response,) = server.post("/api/check", json={"bet": [{"toml": broken, "name": str(mine.name)}]}).json()
    (expected,) = command_json(run, "check", mine)
    assert response["problems"] == [text.replace(str(mine), mine.name) for text in expected["problems"]]
    assert response["problems"]
    assert server.post("/api/check", json={"bet": [{"id": "TRI-03"}]}).json() == command_json(run, "check", "TRI-03")


def test_words_and_catalog_equal_the_command(server, run):
    assert server.get("/api/words?deal=dealer:h17").json() == command_json(run, "words", "--deal", "dealer:h17")
    assert server.get("/api/catalog").json() == command_json(run, "list")
    assert server.get("/api/catalog/tri-03").text == get_paytable("TRI-03").bet.file


def test_sheet_is_an_attachment(server, monkeypatch):
    class Ready:
        name = "MINE-6D"

        def content(self, format):
            return format.encode()

    fields = {}
    monkeypatch.setattr("reports.studio.answers.par_sheet", lambda *_, **options: fields.update(options) or Ready())
    body = {"bet": {"toml": VALID_BET}, "decks": 6, "format": "md", "prepared_by": "Ann", "max_wager": "25"}
    response = server.post("/api/par_sheet", json=body)
    assert response.headers["content-disposition"] == "attachment; filename*=UTF-8''MINE-6D.md"
    assert response.text == "markdown"
    assert (fields["prepared_by"], fields["max_wager"], fields["other_decks"]) == ("Ann", "25", True)
    server.post("/api/par_sheet", json={**body, "bet": {"id": "HM-1"}})
    assert not fields["other_decks"]  # best play at other deck counts is slow, so it must be requested


@pytest.mark.slow
def test_sheet_equals_the_file_of_parsheet(server, run, tmp_path):
    body = {"bet": {"id": "TRI-02"}, "decks": 2, "format": "json", "date": "2026-11-17"}
    response = server.post("/api/par_sheet", json=body)
    run("parsheet", "TRI-02", "--decks", "2", "--format", "json", "--date", "2026-11-17", "--output", tmp_path)
    assert response.content == (tmp_path / "TRI-02-2D.json").read_bytes()
    assert "TRI-02-2D.json" in response.headers["content-disposition"]


@pytest.mark.parametrize("digits", [0, 60])
def test_workbook_has_the_requested_digits(server, run, tmp_path, digits):
    body = {"bet": {"id": "TRI-03"}, "decks": 6, "format": "xlsx", "digits": digits, "date": "2026-11-17"}
    response = server.post("/api/par_sheet", json=body)
    assert response.status_code == 200
    options = ["--decks", "6", "--format", "xlsx", "--digits", str(digits), "--date", "2026-11-17"]
    assert run("parsheet", "TRI-03", *options, "--output", tmp_path)[0] == 0
    written = load_workbook(tmp_path / "TRI-03-6D.xlsx")
    served = load_workbook(io.BytesIO(response.content))
    assert [cell_texts(page) for page in served] == [cell_texts(page) for page in written]


def cell_texts(page):
    return [[(cell.value, cell.number_format) for cell in row] for row in page.iter_rows()]


@pytest.mark.slow
@pytest.mark.parametrize("format", sheet_formats())
def test_every_sheet_format_is_served(server, format):
    response = server.post("/api/par_sheet", json={"bet": {"toml": VALID_BET}, "format": format})
    assert response.status_code == 200
    if format == "pdf":
        assert "My bet" in PdfReader(io.BytesIO(response.content)).pages[0].extract_text()
    elif format == "xlsx":
        assert "Inputs" in load_workbook(io.BytesIO(response.content)).sheetnames
    else:
        assert "MINE" in response.text


def test_page_offers_every_sheet_format(server):
    labels = json.loads(server.get("/formats.js").text.removeprefix("export const FORMATS = ").removesuffix(";\n"))
    assert tuple(labels) == sheet_formats()


def test_skipped_deck_counts_are_in_a_header(server):
    response = server.post("/api/analyze", json={"bet": [{"id": "TRI-02"}, {"id": "TRI-03"}], "decks": "6"})
    (warning,) = json.loads(response.headers["combinat-warnings"])
    assert warning.startswith("TRI-02 is designed for 2 decks, not 6")


@pytest.mark.parametrize(
    ("path", "body", "message"),
    [
        ("analyze", {"bet": [{"id": "TRI-3"}]}, "unknown paytable 'TRI-3'; did you mean 'TRI-03'?"),
        ("analyze", {"bet": [{"id": "/etc/passwd"}]}, "local files are not read"),
        ("analyze", {"bet": [{"id": "../mine.toml"}]}, "local files are not read"),
        ("analyze", {"bet": [{"id": "pyproject.toml:X"}]}, "local files are not read"),
        ("analyze", {"bet": [{"id": "pyproject"}]}, "unknown paytable 'pyproject'; combinat list shows"),
        ("analyze", {"bet": [{}]}, "bet 1: give either"),
        ("analyze", {"bet": []}, "bet: List should have at least 1 item"),
        ("analyze", {"bet": [{"id": "TRI-03"}], "deks": "6"}, "deks: Extra inputs are not permitted"),
        ("analyze", {"bet": [{"id": "TRI-03"}], "decks": "0"}, "got 0"),
        ("analyze", {"bet": [{"id": 3}]}, "bet.0.id: Input should be a valid string"),
        ("analyze", {"bet": [{"toml": VALID_BET.replace("suited", "suitd")}]}, "did you mean 'suited'?"),
        ("analyze", {"bet": [{"toml": "x" * 299_000}]}, "the text has 299,000 bytes; the maximum is 262,144"),
        ("odds", {"rule": "strait"}, "did you mean 'straight'?"),
        ("par_sheet", {"bet": {"id": "TRI-03"}, "format": "docx"}, "sheet format 'docx'"),
        ("par_sheet", {"bet": {"id": "TRI-03"}, "format": "pdf,json"}, "give one format, got pdf,json"),
    ],
)
def test_errors_equal_those_of_the_command(server, path, body, message):
    response = server.post(f"/api/{path}", json=body)
    assert response.status_code == 422
    assert message in response.json()["error"]
    assert "\n" not in response.json()["error"]


def test_other_reading_opens_no_file(server, tmp_path, monkeypatch):
    (tmp_path / "secret").write_text("")
    monkeypatch.chdir(tmp_path)
    text = VALID_BET.replace('id = "MINE"', 'id = "MINE"\nother_interpretation = "secret"')
    (response,) = server.post("/api/check", json={"bet": [{"toml": text}]}).json()
    (finding,) = response["findings"]
    assert finding["text"].startswith("other_interpretation: ")
    assert "'secret'" in finding["text"]


BODIES = {
    "analyze": {"bet": [{"id": "TRI-03"}, "BLZ-1-UP", {"toml": VALID_BET}], "decks": 6},
    "compare": {"bet": ["TRI-03", "TRI-04"], "decks": "6"},
    "sensitivity": {"bet": "TRI-03", "decks": "6", "edge": "3%..5%"},
    "joint": {"bet": ["TRI-01", "TRI-03"], "decks": [6]},
    "design": {"bet": "TRI-04", "decks": "6", "pays": {"Flush": "1..9"}, "edge": "1%..20%"},
    "removal": {"bet": "TRI-01", "decks": "6"},
    "count": {"bet": "TRI-01", "decks": "6", "tags": {"A": 1, "2": -1}, "depths": [260]},
    "odds": {"rule": "suited", "decks": "6"},
    "judge": {"bet": "TRI-03", "hand": "As Ks Qs"},
    "formula": {"bet": "TRI-03"},
    "ledger": {"bet": "TRI-03", "decks": 6, "limit": 3},
    "meter": {"bet": "BLZ-1-UP", "decks": 6, "seed": {"meter": 2000}},
    "meter_break_even": {"bet": "BLZ-1-UP"},
    "meter_explain": {"bet": "BLZ-1-UP", "rates": "24", "seeds": "2000"},
    "blackjack_games": {},
    "solve": {"game": "RED-DOG"},
    "check": {"bet": {"toml": VALID_BET.replace("5 to 1", "500 to 1")}},
}
SLOW_QUESTIONS = {"blackjack_value", "blackjack_edge", "blackjack_strategy", "blackjack_title"}
"""Questions that solve a game of blackjack."""


@pytest.mark.parametrize("name", ["sensitivity", "judge", "formula", "meter_break_even"])
def test_question_over_http_equals_the_command(server, run, name):
    body = BODIES[name]
    arguments = [body["bet"], *([body["hand"]] if "hand" in body else [])]
    options = [part for key in ("decks", "edge") if key in body for part in (f"--{key}", body[key])]
    answer = server.post(f"/api/{name}", json=body).json()
    assert answer == command_json(run, *name.replace("_", " ", 1).replace("_", "-").split(), *arguments, *options)


def test_no_option_over_http_names_a_file(server):
    for request in QUESTIONS.values():
        body = bodies.request_body(request)
        for field in request_fields(request):
            if PathLike in field.choices and field.option.names != "paytable" and field.name in body.model_fields:
                with pytest.raises(ValidationError):
                    body.model_validate({field.name: "table.toml"})
    for body in ({"bet": "mine.toml"}, {"bet": ["../x/mine.toml:A"]}, {"bet": {"id": "mine.toml"}}):
        assert "local files are not read" in server.post("/api/analyze", json=body).json()["error"]
    for game in ("mine.toml", "../games/mine", "mine/"):
        response = server.post("/api/solve", json={"game": game})
        assert (response.status_code, response.json()["error"].partition(":")[0]) == (422, "game")


def test_blackjack_rules_are_options_over_http(server):
    rules = {"bet": "TRI-03", "decks": 6, "table": {"max_hands": 2}}
    assert "blackjack rules do not affect TRI-03" in server.post("/api/analyze", json=rules).json()["error"]


def test_openapi_describes_every_route(server):
    """Answers fit the schemas of `/openapi.json`, which also lists every refusal."""
    openapi = server.get("/openapi.json").json()
    assert not any(path.startswith("/page") for path in openapi["paths"])
    assert server.get("/docs").status_code == 404
    response = {path: server.post(f"/api/{path}", json=body) for path, body in BODIES.items()}
    response |= {path: server.get(f"/api/{path}") for path in ("words", "catalog")}
    others = {"par_sheet", "catalog/{id}", *SLOW_QUESTIONS}
    assert {f"/api/{path}" for path in (*response, *others)} == set(openapi["paths"])
    for path, answer in response.items():
        (operation,) = openapi["paths"][f"/api/{path}"].values()
        schema = operation["responses"]["200"]["content"]["application/json"]["schema"]
        schema |= {"components": openapi["components"]}
        jsonschema.validate(answer.json(), schema)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate([{}], schema)
        for status in ("400", "401", "403", "408", "409", "413", "415", "422", "500", "503", "504", "507"):
            refusal = operation["responses"][status]["content"]["application/json"]["schema"]
            assert refusal == {"$ref": "#/components/schemas/Refusal"}
    text = openapi["paths"]["/api/catalog/{id}"]["get"]["responses"]["200"]["content"]
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
def test_foreign_host_or_origin_is_refused(server, headers):
    response = server.post("/api/check", json={"bet": [{"id": "TRI-03"}]}, headers=headers)
    assert (response.status_code, list(response.json())) == (403, ["error"])


def test_other_site_may_only_link_to_the_page(server):
    foreign = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    assert server.get("/", headers=foreign).status_code == 200
    assert server.get("/api/catalog", headers=foreign).status_code == 403
    assert server.get("/", headers={**foreign, "sec-fetch-dest": "iframe"}).status_code == 403
    picture = {"sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image"}
    assert server.get("/api/words?deal=player:2", headers=picture).status_code == 403


def test_own_pages_and_programs_are_allowed(server):
    for headers in ({}, {"origin": "http://127.0.0.1:8765"}, {"origin": "http://localhost:8765"}):
        assert server.post("/api/check", json={"bet": [{"id": "TRI-03"}]}, headers=headers).status_code == 200


def test_cross_site_form_is_refused(server):
    """Content types that a page can send to other sites without a preflight request are refused."""
    for kind in ("text/plain", "application/x-www-form-urlencoded"):
        response = server.post("/api/check", content='{"bet": [{"id": "TRI-03"}]}', headers={"content-type": kind})
        assert (response.status_code, "application/json" in response.json()["error"]) == (415, True)


def test_invalid_json_is_reported(server):
    response = server.post("/api/check", content=b"{", headers={"content-type": "application/json"})
    assert (response.status_code, "Input should" not in response.json()["error"]) == (422, True)
    response = server.post("/api/check", content=b"[" * 100_000, headers={"content-type": "application/json"})
    assert (response.status_code, "JSON" in response.json()["error"]) == (400, True)


def test_conflicting_headers_are_refused(server):
    for name, values in (("origin", ("http://evil.example", "http://127.0.0.1:8765")), ("authorization", ("a", "b"))):
        response = server.post("/api/check", content=b"{}", headers=[(name, value) for value in values])
        assert (response.status_code, name in response.json()["error"]) == (400, True)
    lengths = [("content-length", "2"), ("transfer-encoding", "chunked")]
    assert server.post("/api/check", content=b"{}", headers=lengths).status_code == 400


def test_huge_integer_is_refused(server):
    for path, key in (("/page/view", "at"), ("/api/par_sheet", "decks"), ("/api/joint", "spots")):
        response = server.post(path, json={key: 10**30})
        assert response.status_code == 422
    response = server.post("/page/view", json={"toml": VALID_BET, "at": 10**30})
    assert response.json()["error"].startswith("at: ")
    assert "1000000" in response.json()["error"]


def test_sheet_with_removed_cards_is_refused(server):
    for key in ("removed", "up"):
        response = server.post("/api/par_sheet", json={"bet": {"id": "TRI-03"}, key: "7h"})
        assert (response.status_code, response.json()["error"].partition(":")[0]) == (422, key)


def test_oversized_body_is_refused_whatever_its_header(server):
    large = b"x" * (1024 * 1024 + 1)
    assert server.post("/api/check", content=large).status_code == 413
    assert server.post("/api/check", content=iter([large])).status_code == 413
    assert server.post("/api/check", headers={"content-length": "-1"}, content=b"").status_code == 413


@pytest.mark.parametrize(
    "path", ["/../../etc/passwd", "/page/../index.html", "/%2e%2e/%2e%2e/etc/passwd", "/page/", "//etc/passwd"]
)
def test_path_with_dots_is_not_found(server, path):
    response = server.get(path)
    assert response.status_code == 404
    assert "/openapi.json" in response.json()["error"]


def test_favicon_is_found(server):
    response, mark = server.get("/favicon.ico"), server.get("/mark.svg")
    assert (response.status_code, response.content, response.headers["content-type"]) == (
        200,
        mark.content,
        "image/svg+xml",
    )


def test_content_policy_blocks_other_origins(server):
    response = server.get("/")
    policy = response.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "//" not in policy


def test_other_address_needs_the_token():
    with client(host="192.0.2.7", token="secret") as server:
        host_header = {"host": "192.0.2.7:8765"}
        assert server.get("/", headers=host_header).status_code == 401
        assert server.get("/?token=wrong", headers=host_header).status_code == 401
        assert server.get("/", headers={**host_header, "authorization": "Bearer wrong"}).status_code == 401
        assert server.get("/", headers={**host_header, "authorization": "Bearer secret"}).status_code == 200
        redirect = server.get("/?token=secret", headers=host_header, follow_redirects=False)
        assert (redirect.status_code, redirect.headers["location"]) == (303, "/")
        cookie = redirect.headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert server.get("/", headers={**host_header, "cookie": cookie.partition(";")[0]}).status_code == 200
        assert server.get("/", headers={"authorization": "Bearer secret"}).status_code == 403  # wrong Host header
        cookie_of_other_port = cookie.partition(";")[0].replace(
            "_8765", "_8766"
        )  # browsers send the cookies of all ports
        assert server.get("/", headers={**host_header, "cookie": cookie_of_other_port}).status_code == 401


def call_app(app, messages, path="/api/check"):
    """Call an ASGI application with the given messages; afterwards `receive` waits forever."""
    sent = []

    async def receive():
        return messages.pop(0) if messages else await asyncio.Event().wait()

    async def send(message):
        sent.append(message)

    headers = [(b"host", b"127.0.0.1:8765"), (b"content-type", b"application/json")]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
    asyncio.run(app(scope, receive, send))
    return sent


def test_missing_body_times_out():
    app = application(InProcess(), AccessRules(body_timeout=50))
    start, end = call_app(app, [{"type": "http.request", "body": b"{", "more_body": True}])
    assert (start["status"], list(json.loads(end["body"]))) == (408, ["error"])
    assert app.active_requests == 0


def test_abandoned_request_is_cancelled():
    class Endless(InProcess):
        cancelled = False

        async def ask(self, *_):
            try:
                await asyncio.Event().wait()
            finally:
                self.cancelled = True

    workers = Endless()
    body = json.dumps({"bet": [{"id": "TRI-03"}]}).encode()
    call_app(application(workers, AccessRules()), [{"type": "http.request", "body": body}, {"type": "http.disconnect"}])
    assert workers.cancelled


class ProgressPool(InProcess):
    """A pool that reports progress before it answers."""

    async def ask(self, *arguments):
        for step in self.steps:
            arguments[-1](step)
            for _ in range(100):  # let other tasks send it; a fixed delay may be too short
                await asyncio.sleep(0)
        if self.error:
            raise self.error
        return StudioAnswer(b'{"whole": 1}')


def test_long_request_streams_progress():
    with client(workers := ProgressPool()) as server:

        def post_view(*steps, error=None):
            workers.steps, workers.error = steps, error
            return server.post("/page/view", json={"toml": ""})

        lines = post_view(
            WorkerProgress(1, 8), PartialAnswer(StudioAnswer(b'{"a": 1}')), WorkerProgress(2, 8)
        ).text.splitlines()
        expected = [{"done": 1, "total": 8}, {"part": {"a": 1}}, {"done": 2, "total": 8}, {"answer": {"whole": 1}}]
        assert [json.loads(line) for line in lines] == expected
        *_, last = post_view(WorkerProgress(1, 8), error=RequestFailedError(504, "too long")).text.splitlines()
        assert json.loads(last) == {"error": "too long", "status": 504}
        assert post_view().json() == {"whole": 1}


class FailingPool:
    async def start(self):
        pass

    async def stop(self):
        pass

    async def ask(self, *_):
        raise ZeroDivisionError("two\nlines")


def test_any_failure_is_one_line():
    with client(FailingPool()) as server:
        response = server.get("/api/catalog")
        assert response.status_code == 500
        assert response.json()["error"].endswith("ZeroDivisionError: two lines")


class _WithNewOption(OddsRequest, frozen=True, kw_only=True):
    """A request with one more option."""

    depth: Annotated[int | None, Option("How deep.")] = None


def test_new_option_of_a_request_is_in_the_body():
    body = bodies.request_body(_WithNewOption)
    assert set(body.model_fields) == {*bodies.request_body(OddsRequest).model_fields, "depth"}
    assert body.model_fields["depth"].description == "How deep."
    assert body.model_validate({"rule": "suited", "depth": 3}).depth == 3


def test_body_states_the_unit_of_an_option():
    properties = bodies.request_body(QUESTIONS["meter"]).model_json_schema()["properties"]
    assert (properties["seed"]["unit"], properties["rate"]["unit"]) == ("money", "percent of each wager")


def test_every_option_of_a_question_is_in_its_body():
    for request in QUESTIONS.values():
        fields = {field.name: field for field in request_fields(request) if field.name not in bodies.NOT_OVER_HTTP}
        body = bodies.request_body(request)
        assert set(body.model_fields) == set(fields)
        assert all(body.model_fields[name].description == fields[name].option.description for name in fields)
