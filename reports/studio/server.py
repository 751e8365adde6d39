"""Routes of the studio: the public API, the private requests of the page, and the page itself."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from importlib.resources import files
from json import dumps
from typing import Annotated, Any
from urllib.parse import quote

from fastapi import FastAPI, Header, Query, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, StreamingResponse
from pydantic import BaseModel
from starlette.exceptions import HTTPException

from combinat.requests.par_sheet import Parsheet
from combinat.version import VERSION
from decks.errors import InputError
from reports.render.formats import FORMATS, sheet_formats
from reports.studio import requests
from reports.studio.answers import JSON, TEXT, StudioAnswer
from reports.studio.pool import RequestFailedError, WorkerPool
from reports.studio.questions import QUESTIONS
from reports.studio.schemas import describe_response, response_components
from reports.studio.security import AccessRules, Guard, failure_message
from reports.studio.streaming import JSON_LINES, cancel_on_disconnect, error_line, stream_lines, stream_rest

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}
_PATHS = {
    "index.html": ("/",),
    "mark.svg": ("/mark.svg", "/favicon.ico"),  # browsers request the second one on their own
}
"""Files of the page that are served under other paths than their names."""
_NOT_KEYS = ("body", *requests.BET_TAGS)
"""Steps in the location of an error that are no keys of the body."""
_NO_STORE = {"cache-control": "no-store"}
_HTTP_MESSAGES = {
    400: "the request is not valid JSON",
    404: "unknown path; see /openapi.json",
    405: "this path does not allow this method; see /openapi.json",
}
_REFUSALS: dict[int | str, dict[str, Any]] = {
    422: {"model": requests.Refusal, "description": "The request cannot be answered; the error states why."},
    400: {"model": requests.Refusal, "description": "The request is invalid."},
    401: {"model": requests.Refusal, "description": "The token is missing."},
    403: {"model": requests.Refusal, "description": "The Host is wrong, or another site sent the request."},
    408: {"model": requests.Refusal, "description": "The request did not arrive in time."},
    409: {"model": requests.Refusal, "description": "A newer request of the same page replaced this one."},
    413: {"model": requests.Refusal, "description": "The request is too large."},
    415: {"model": requests.Refusal, "description": "The request is not sent as JSON."},
    500: {"model": requests.Refusal, "description": "An internal error occurred."},
    503: {"model": requests.Refusal, "description": "The server is handling too many requests."},
    504: {"model": requests.Refusal, "description": "The computation took too long and was stopped."},
    507: {"model": requests.Refusal, "description": "The computation took too much memory and was stopped."},
}
_ABOUT = """\
The exact math of casino side bets over HTTP. Responses are the JSON that the command line prints with `--format json`:
integers as numbers, fractions as "p/q". The keys of a body are the options of the command and of the Python function. A
bet is a catalog id, or an object with the text of its file. The header
`Combinat-Warnings` is a JSON list of warnings, such as deck counts that were skipped. A request with a `Page` header
replaces the previous request of that page at the same path."""

_PAGE_REQUESTS: dict[str, type[BaseModel]] = {
    "variants": requests.Variants,
    "rule": requests.TriedRule,
    "save-project": requests.SavedProject,
    "open-project": requests.OpenedProject,
    "money": requests.Money,
    "rack-card": requests.RackCard,
    "export": requests.View,
    "meters": requests.Meters,
    "figures": requests.View,
    "outlook": requests.View,
    "wagers": requests.Wagers,
}
_STREAMED_REQUESTS: dict[str, type[BaseModel]] = {
    "view": requests.View,
    "edit": requests.EditedText,
    "market": requests.View,
    "finder": requests.Finder,
    "counting": requests.Counting,
    "option": requests.BlackjackTable,
}

Endpoint = Callable[..., Awaitable[Response]]
Page = Annotated[str, Header(alias="Page", max_length=64, description="Identifier of the sending page.")]


def application(workers: WorkerPool, rules: AccessRules) -> Guard:
    """Build the ASGI application."""

    @asynccontextmanager
    async def run_workers(_: FastAPI) -> AsyncIterator[None]:
        await workers.start()
        yield
        await workers.stop()

    app = FastAPI(
        title="combinat studio",
        version=VERSION,
        description=_ABOUT,
        lifespan=run_workers,
        docs_url=None,  # its pages load scripts from other sites
        redoc_url=None,
        responses=_REFUSALS,
    )
    _add_api(app, workers)
    _add_page(app, workers)
    _add_files(app)
    _describe_results(app)
    app.add_exception_handler(RequestFailedError, _request_error)
    app.add_exception_handler(RequestValidationError, _validation_error)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _internal_error)
    return Guard(app, rules)


def _add_api(app: FastAPI, workers: WorkerPool) -> None:
    for name, question in QUESTIONS.items():
        summary = (question.__doc__ or "").partition("\n")[0]
        responses = describe_response(name)
        add = app.post(f"/api/{name}", tags=["requests"], summary=summary, name=name, responses=responses)
        add(_endpoint(workers, name, requests.request_body(question)))
    sheet = requests.request_body(Parsheet, bases=(requests.SheetFile,), omitted=("removed", "up"))
    app.post(
        "/api/par_sheet",
        tags=["requests"],
        summary="Write a par sheet as one file.",
        name="par_sheet",
        response_class=Response,
        responses={
            200: {
                "description": "The file.",
                "content": {_plain(FORMATS[name].media_type): {} for name in sheet_formats()},
            }
        },
    )(_endpoint(workers, "par_sheet", sheet))

    @app.get(
        "/api/words",
        tags=["reference"],
        summary="Words of the rule language, as combinat words",
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
        summary="Text of the catalog file that contains a paytable",
        response_class=Response,
        responses={200: {"description": "The text.", "content": {_plain(TEXT): {}}}},
    )
    async def text(id: str) -> Response:
        return _response(await workers.ask("text", {"id": id}))


def _describe_results(app: FastAPI) -> None:
    """Add the schemas of the results to the OpenAPI document."""
    describe_routes = app.openapi

    def openapi() -> dict[str, Any]:
        document = describe_routes()
        document["components"]["schemas"] |= response_components()
        return document

    app.openapi = openapi  # type: ignore[method-assign]  # FastAPI's way to extend the document


def _plain(type: str) -> str:
    """Return a content type without its parameters."""
    return type.partition(";")[0]


def _add_page(app: FastAPI, workers: WorkerPool) -> None:
    """Add the private routes of the page, which may change at any time."""
    for kind, shape in _PAGE_REQUESTS.items():
        app.post(f"/page/{kind}", include_in_schema=False)(_endpoint(workers, kind, shape))
    app.post("/page/words", include_in_schema=False)(_endpoint(workers, "page-words", requests.TriedRule))
    for kind, shape in _STREAMED_REQUESTS.items():
        app.post(f"/page/{kind}", include_in_schema=False)(_streaming_endpoint(workers, kind, shape))


def _endpoint(workers: WorkerPool, kind: str, shape: type[BaseModel]) -> Endpoint:
    """Return the endpoint of one kind of request."""

    async def answer(request: Request, body: BaseModel, page: Page = "") -> Response:
        return _response(await cancel_on_disconnect(request, workers.ask(kind, body.model_dump(), page)))

    answer.__annotations__["body"] = shape  # FastAPI parses and documents the body by it
    return answer


def _streaming_endpoint(workers: WorkerPool, kind: str, shape: type[BaseModel]) -> Endpoint:
    """Return the endpoint of a kind of request that streams progress if it is slow."""

    async def answer(request: Request, body: BaseModel, page: Page = "") -> Response:
        lines = stream_lines(workers, kind, body.model_dump(), page)
        try:
            first_line = await cancel_on_disconnect(request, anext(lines))
        except RequestFailedError as error:
            if error.status != 422:
                raise
            return Response(
                error_line(error), media_type=JSON_LINES, headers=_NO_STORE
            )  # as a status of 200, so that the browser logs no error
        if isinstance(first_line, StudioAnswer):
            return _response(first_line)
        return StreamingResponse(stream_rest(first_line, lines), media_type=JSON_LINES, headers=_NO_STORE)

    answer.__annotations__["body"] = shape
    return answer


def _add_files(app: FastAPI) -> None:
    """Serve the page from memory, so that no request names a file path."""
    folder = files("reports.studio") / "page"
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        suffix = "." + file.name.rpartition(".")[2]
        if suffix in _TYPES:
            for path in _PATHS.get(file.name, (f"/{file.name}",)):
                _add_file(app, path, file.read_bytes(), _TYPES[suffix])
    labels = {name: FORMATS[name].label for name in sheet_formats()}
    _add_file(app, "/formats.js", f"export const FORMATS = {dumps(labels)};\n".encode(), _TYPES[".js"])


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


async def _request_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestFailedError)
    if error.status == 409 and request.url.path.startswith("/page/"):
        return JSONResponse(
            {"replaced": True}, headers=_NO_STORE
        )  # expected by the page; the browser should log no error
    return _error_response(error.status, error.message)


async def _validation_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    if request.method == "POST" and request.headers.get("content-type", "").partition(";")[0].strip() != JSON:
        return _error_response(415, f"send JSON with the header Content-Type: {JSON}")
    details = error.errors()[0]
    field = ".".join(str(step) for step in details["loc"] if step not in _NOT_KEYS)
    return _error_response(422, str(InputError(f"{field}: {details['msg']}" if field else details["msg"])))


async def _http_error(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = _HTTP_MESSAGES.get(error.status_code, str(error.detail))
    return JSONResponse({"error": message}, error.status_code, {**_NO_STORE, **(error.headers or {})})


async def _internal_error(_: Request, error: Exception) -> Response:
    return _error_response(500, failure_message(error))
