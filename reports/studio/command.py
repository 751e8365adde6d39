"""The command `combinat studio`."""

from __future__ import annotations

import errno
import re
import secrets
import socket
import webbrowser
from typing import Annotated, Any

import typer

from decks import InputError
from decks.errors import quote

app = typer.Typer(add_completion=False)
_PORT = 8765
_MEGABYTE = 2**20
_TOKEN = re.compile(r"[A-Za-z0-9_-]{8,200}")
"""Tokens that need no escaping in a URL or a cookie, and are not easily guessed."""


@app.command()
def studio(
    host: Annotated[
        str, typer.Option(help="The address to listen on. Any but this machine's own asks every request for a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="The port to listen on; 0 takes any that is free.")] = _PORT,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in a browser.")] = True,
    token: Annotated[
        str,
        typer.Option(help="What requests must carry; left out, none on this machine's own address, else a new one."),
    ] = "",
    seconds: Annotated[int, typer.Option(help="How long a computation may take before it is stopped.")] = 60,
    memory: Annotated[int, typer.Option(help="How many megabytes of memory a computation may take.")] = 2048,
) -> None:
    """Open the bench in a browser: a bet as a form and as text, every figure exact while you type. Ctrl-C ends it."""
    _check(port, seconds, memory, token)
    try:
        from reports.studio.pool import Limits
        from reports.studio.running import run_server
        from reports.studio.security import AccessRules
    except ModuleNotFoundError as error:
        raise InputError(f"the studio needs {error.name}; in a checkout of combinat: pip install '.[studio]'") from None
    listener = open_listener(host, port)
    with listener:
        rules = AccessRules(host, listener.getsockname()[1], token)
        if not rules.is_loopback and not token:
            rules = AccessRules(host, rules.port, secrets.token_urlsafe(24))
        address = _address(rules)

        def ready() -> None:
            """Print the address once the server listens, and open the page."""
            typer.echo(f"combinat studio: {address}")
            typer.echo("Ctrl-C ends it.", err=True)
            open_page(address, browser)

        run_server(listener, rules, Limits(seconds=seconds, memory=memory * _MEGABYTE), ready)
    typer.echo("combinat studio: stopped")


def _check(port: int, seconds: int, memory: int, token: str) -> None:
    if not 0 <= port <= 65535:
        raise InputError(f"no port {port}; give 0 to 65535")
    if not 1 <= seconds <= 3600:
        raise InputError(f"cannot stop after {seconds} seconds; give 1 to 3600")
    if token and not _TOKEN.fullmatch(token):
        raise InputError(
            "a token has 8 to 200 letters, digits, - and _; left out, a new one is made where one is needed"
        )
    if not 256 <= memory <= 2**20:
        raise InputError(f"cannot work with {memory} megabytes; give 256 or more")


def open_listener(host: str, port: int) -> socket.socket:
    """Return a listening socket, or raise `InputError`."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # Only of sockets that say they are TCP's does the server know not to hold small answers back.
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    except OSError as error:
        raise InputError(f"cannot listen on {quote(host)}: {error.strerror}") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(2048)
    except OSError as error:
        listener.close()
        if error.errno == errno.EADDRINUSE:
            raise InputError(
                f"port {port} is taken, perhaps by another studio; give another with --port, or 0 for any that is free"
            ) from None
        raise InputError(f"cannot listen on {quote(f'{host}:{port}')}: {error.strerror}") from None
    return listener


def _address(rules: Any) -> str:
    host = f"[{rules.host}]" if ":" in rules.host else rules.host
    return f"http://{host}:{rules.port}/" + (f"?token={rules.token}" if rules.token else "")


def open_page(address: str, is_wanted: bool) -> None:
    """Open the page, unless the only browser is one that runs in the terminal."""
    if not is_wanted:
        return
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    is_in_terminal = type(browser) is webbrowser.GenericBrowser
    if not is_in_terminal:
        browser.open(address)
