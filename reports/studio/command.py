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
"""Tokens that need no escaping in a URL or a cookie and are hard to guess."""


@app.command()
def studio(
    host: Annotated[
        str, typer.Option(help="Address to listen on. An address other than loopback requires a token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Port to listen on; 0 means any free port.")] = _PORT,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in a browser, or only print its address.")
    ] = True,
    token: Annotated[
        str,
        typer.Option(
            help="Secret that every request must carry, 8 to 200 letters, digits, - and _.",
            show_default="none on loopback, otherwise a random one",
        ),
    ] = "",
    seconds: Annotated[int, typer.Option(help="Time limit of a computation, in seconds.")] = 60,
    memory: Annotated[int, typer.Option(help="Memory limit of a computation, in megabytes.")] = 2048,
) -> None:
    """Open the studio, an editor for bets, in a browser.

    Shows exact figures while you type. Press Ctrl-C to stop it.

    combinat studio
    combinat studio --port 0 --no-browser
    """
    _check_options(port, seconds, memory, token)
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
            typer.echo("Press Ctrl-C to stop.", err=True)
            open_page(address, browser)

        run_server(listener, rules, Limits(seconds=seconds, memory=memory * _MEGABYTE), ready)
    typer.echo("combinat studio: stopped")


def _check_options(port: int, seconds: int, memory: int, token: str) -> None:
    if not 0 <= port <= 65535:
        raise InputError(f"--port must be 0 to 65535, got {port}")
    if not 1 <= seconds <= 3600:
        raise InputError(f"--seconds must be 1 to 3600, got {seconds}")
    if token and not _TOKEN.fullmatch(token):
        raise InputError(
            "--token must be 8 to 200 letters, digits, - and _; without --token one is generated where it is needed"
        )
    if not 256 <= memory <= 2**20:
        raise InputError(f"--memory must be 256 to {2**20} megabytes, got {memory}")


def open_listener(host: str, port: int) -> socket.socket:
    """Return a listening socket, or raise `InputError`."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        # asyncio turns off Nagle's algorithm, which delays small answers, only for sockets created with this protocol.
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
                f"port {port} is in use, perhaps by another studio; choose another, or write --port 0 for any free port"
            ) from None
        raise InputError(f"cannot listen on {quote(f'{host}:{port}')}: {error.strerror}") from None
    return listener


def _address(rules: Any) -> str:
    host = f"[{rules.host}]" if ":" in rules.host else rules.host
    return f"http://{host}:{rules.port}/" + (f"?token={rules.token}" if rules.token else "")


def open_page(address: str, should_open: bool) -> None:
    """Open the page in a browser, unless the only browser runs in the terminal."""
    if not should_open:
        return
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return
    is_in_terminal = type(browser) is webbrowser.GenericBrowser
    if not is_in_terminal:
        browser.open(address)
