"""Routes of the studio: the public API, the private requests of the page, and the page itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.metadata import version
from importlib.resources import files
from json import dumps
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from decks.errors import InputError
from reports.studio import requests as asked
from reports.studio.answers import JSON, SHEET_TYPES, TEXT, StudioAnswer
from reports.studio.pool import RequestFailedError, WorkerPool
from reports.studio.schemas import describe_response
from reports.studio.security import AccessRules, Guard, failure_message
from reports.studio.streaming import LINES, cancel_on_disconnect, error_line, stream_lines, stream_rest

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_ADDRESSES = {
    "index.html": ("/",),
    "mark.svg": ("/mark.svg", "/favicon.ico"),  # where a browser looks by itself when it shows an answer, not the page
}
"""Files of the page that are served under other paths than their names."""
_NO_STORE = {"cache-control": "no-store"}
_HTTP_MESSAGES = {
    400: "the request cannot be read as JSON",
    404: "there is no such address; see /openapi.json",
    405: "this address is not asked in this way; see /openapi.json",
}
_REFUSALS: dict[int | str, dict[str, Any]] = {
    422: {"model": asked.Refusal, "description": "The question cannot be answered; one line says why."},
    400: {"model": asked.Refusal, "description": "The request cannot be read."},
    401: {"model": asked.Refusal, "description": "The token is missing, where one is asked for."},
    403: {"model": asked.Refusal, "description": "The request names another Host, or another site sent it."},
    408: {"model": asked.Refusal, "description": "The request did not come in time."},
    409: {"model": asked.Refusal, "description": "A newer question of the same page took its place."},
    413: {"model": asked.Refusal, "description": "The request is too large."},
    415: {"model": asked.Refusal, "description": "The request is not sent as JSON."},
    500: {"model": asked.Refusal, "description": "The program failed; one line says how."},
    503: {"model": asked.Refusal, "description": "Too much to do at the moment."},
    504: {"model": asked.Refusal, "description": "It took too long and was stopped."},
    507: {"model": asked.Refusal, "description": "It took too much memory and was stopped."},
}
_ABOUT = """\
The exact math of casino side bets over HTTP. Answers are the JSON that the command line prints with `--format json`:
whole numbers as numbers, fractions as "p/q". A bet is sent as an id of the catalog or as the text of its file. What was
left out of an answer, and why, is in the header `Combinat-Warnings`, a list in JSON. A question with a `Page` header
takes the place of the one that this page asked before at the same address."""

_QUESTIONS: tuple[tuple[str, type[BaseModel], str], ...] = (
    ("analyze", asked.Studies, "Every figure of bets at shoes, as combinat show"),
    ("compare", asked.Studies, "Bets side by side, as combinat compare"),
    ("joint", asked.Joint, "Wagers on the same cards together, as combinat joint"),
    ("design", asked.Design, "Paytables that do what is asked, as combinat design"),
    ("removal", asked.Studies, "How the edge moves when a card is gone, as combinat removal"),
    ("count", asked.Count, "What a count of the cards is worth, as combinat count"),
    ("odds", asked.Odds, "How likely a rule is, as combinat odds"),
    ("check", asked.Check, "What is wrong with bets, as combinat check"),
)
_PAGE_QUESTIONS: dict[str, type[BaseModel]] = {
    "pins": asked.Pins,
    "export": asked.View,
    "meters": asked.Meters,
    "long run": asked.View,
    "wagers": asked.Wagers,
}
_LONG_QUESTIONS: dict[str, type[BaseModel]] = {
    "view": asked.View,
    "found": asked.Finder,
    "watched": asked.Watched,
    "option": asked.Option,
}

Asking = Callable[..., Awaitable[Response]]
Page = Annotated[str, Header(alias="Page", max_length=64, description="Names the page that asks.")]


def application(workers: WorkerPool, rules: AccessRules) -> Guard:
    """Build the ASGI application."""

    @asynccontextmanager
    async def life(_: FastAPI) -> AsyncIterator[None]:
        await workers.start()
        yield
        await workers.stop()

    app = FastAPI(
        title="combinat studio",
        version=version("combinat"),
        description=_ABOUT,
        lifespan=life,
        docs_url=None,  # its pages load their parts from elsewhere
        redoc_url=None,
        responses=_REFUSALS,
    )
    _add_api(app, workers)
    _add_page(app, workers)
    _add_files(app)
    app.add_exception_handler(RequestFailedError, _handle_request_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _handle_http_error)
    app.add_exception_handler(Exception, _handle_failure)
    return Guard(app, rules)


def _add_api(app: FastAPI, workers: WorkerPool) -> None:
    for kind, shape, summary in _QUESTIONS:
        add = app.post(
            f"/api/{kind}", tags=["questions"], summary=summary, name=kind, responses=describe_response(kind)
        )
        add(_endpoint(workers, kind, shape))
    app.post(
        "/api/sheet",
        tags=["questions"],
        summary="A par sheet as a file, as combinat parsheet",
        name="sheet",
        response_class=Response,
        responses={200: {"description": "The file.", "content": {_plain(type): {} for type in SHEET_TYPES.values()}}},
    )(_endpoint(workers, "sheet", asked.Sheet))

    @app.get(
        "/api/words",
        tags=["reference"],
        summary="The words of a rule, as combinat words",
        responses=describe_response("words"),
    )
    async def words(deal: Annotated[str | None, Query(max_length=200)] = None) -> Response:
        return _response(await workers.ask("words", {"deal": deal}))

    @app.get(
        "/api/catalog",
        tags=["reference"],
        summary="The paytables of the catalog, as combinat list",
        responses=describe_response("catalog"),
    )
    async def catalog() -> Response:
        return _response(await workers.ask("catalog", {}))

    @app.get(
        "/api/catalog/{id}",
        tags=["reference"],
        summary="The text of the bet's file that a paytable of the catalog is in",
        response_class=Response,
        responses={200: {"description": "The text.", "content": {_plain(TEXT): {}}}},
    )
    async def text(id: str) -> Response:
        return _response(await workers.ask("text", {"id": id}))


def _plain(type: str) -> str:
    """Return a content type without its parameters."""
    return type.partition(";")[0]


def _add_page(app: FastAPI, workers: WorkerPool) -> None:
    """Add the private routes of the page, which may change at any time."""
    for kind, shape in _PAGE_QUESTIONS.items():
        app.post(f"/page/{kind.replace(' ', '-')}", include_in_schema=False)(_endpoint(workers, kind, shape))
    for kind, shape in _LONG_QUESTIONS.items():
        app.post(f"/page/{kind}", include_in_schema=False)(_streaming_endpoint(workers, kind, shape))


def _endpoint(workers: WorkerPool, kind: str, shape: type[BaseModel]) -> Asking:
    """Return the endpoint of one kind of request."""

    async def answer(request: Request, body: BaseModel, page: Page = "") -> Response:
        return _response(await cancel_on_disconnect(request, workers.ask(kind, body.model_dump(), page)))

    answer.__annotations__["body"] = shape  # by which the body is read and described
    return answer


def _streaming_endpoint(workers: WorkerPool, kind: str, shape: type[BaseModel]) -> Asking:
    """Return the endpoint of a kind of request that streams progress if it is slow."""

    async def tell(request: Request, body: BaseModel, page: Page = "") -> Response:
        lines = stream_lines(workers, kind, body.model_dump(), page)
        try:
            first = await cancel_on_disconnect(request, anext(lines))
        except RequestFailedError as error:
            if error.status != 422:
                raise
            return Response(error_line(error), media_type=LINES, headers=_NO_STORE)  # the page shows it; no warning
        if isinstance(first, StudioAnswer):
            return _response(first)
        return StreamingResponse(stream_rest(first, lines), media_type=LINES, headers=_NO_STORE)

    tell.__annotations__["body"] = shape
    return tell


def _add_files(app: FastAPI) -> None:
    """Serve the page from memory, so that no request names a file path."""
    folder = files("reports.studio") / "page"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        suffix = "." + file.name.rpartition(".")[2]
        if suffix in _TYPES:
            for path in _ADDRESSES.get(file.name, (f"/{file.name}",)):
                _add_file(app, path, file.read_bytes(), _TYPES[suffix])


def _add_file(app: FastAPI, path: str, content: bytes, type: str) -> None:
    @app.get(path, include_in_schema=False)
    async def file() -> Response:
        return Response(content, media_type=type, headers={"cache-control": "no-cache"})


def _response(answer: StudioAnswer) -> Response:
    headers = dict(_NO_STORE)
    if answer.file:
        headers["content-disposition"] = f"attachment; filename*=UTF-8''{quote(answer.file)}"
    if answer.warnings:
        headers["combinat-warnings"] = dumps(list(answer.warnings))
    return Response(answer.content, media_type=answer.type, headers=headers)


def _error_response(status: int, message: str) -> JSONResponse:
    return JSONResponse({"error": message}, status, _NO_STORE)


async def _handle_request_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestFailedError)
    if error.status == 409 and request.url.path.startswith("/page/"):
        return JSONResponse({"replaced": True}, headers=_NO_STORE)  # the page meant it so, and no console should warn
    return _error_response(error.status, error.message)


async def _validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    if request.method == "POST" and request.headers.get("content-type", "").partition(";")[0].strip() != JSON:
        return _error_response(415, f"send JSON, with the header Content-Type: {JSON}")
    first = error.errors()[0]
    where = ".".join(str(step) for step in first["loc"] if step != "body")
    return _error_response(422, str(InputError(f"{where}: {first['msg']}" if where else first["msg"])))


async def _handle_http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = _HTTP_MESSAGES.get(error.status_code, str(error.detail))
    return JSONResponse({"error": message}, error.status_code, {**_NO_STORE, **(error.headers or {})})


async def _handle_failure(_: Request, error: Exception) -> Response:
    return _error_response(500, failure_message(error))
