"""From a keystroke to new figures in the studio, in wall time: what a user waits for."""

from __future__ import annotations

import shutil
import time

from combinat.bets.catalog import get_paytable
from tests.bench.timing import Row, Times, time_row
from tests.studio import CHROMIUM_OPTIONS, TYPED, run_studio

_RUNS = 40
_UNDER = 0.1


def rows() -> list[Row]:
    """Change a pay of a three-card bet at eight deck counts, over the loopback and in a browser if there is one."""
    with run_studio() as (address, _):
        found = [
            time_row(
                "studio: a pay of a three-card bet changed, eight deck counts", _asked(address, TYPED), under=_UNDER
            ),
            time_row("  of Fortune, once it was counted", _asked(address, _fortune(), "PKR-FORTUNE-1"), under=_UNDER),
        ]
        if browser := shutil.which("chromium"):
            found.append(time_row("  from the key to the figures, in Chromium", _typed(address, browser), under=_UNDER))
    return found


def _fortune() -> str:
    """The slowest bet while its first pay is typed."""
    text = get_paytable("PKR-FORTUNE-1").bet.file.replace("{", "{{").replace("}", "}}")
    return text.replace("8,000 to 1", "{} to 1")


def _asked(address: str, typed: str, paytable: str | None = None) -> Times:
    import httpx2

    times = []
    with httpx2.Client(base_url=address, headers={"Page": "bench"}, timeout=60) as client:
        for run in range(_RUNS):
            body = {"toml": typed.format(100 + run), "paytable": paytable, "decks": "1-8"}
            started = time.perf_counter()
            answer = client.post("/page/view", json=body)
            times.append(time.perf_counter() - started)
            answer.raise_for_status()
    return Times(tuple(times[5:]))


def _typed(address: str, browser: str) -> Times:
    """Press a key in a pay repeatedly, and read from the page how long the new figures took."""
    from playwright.sync_api import sync_playwright

    times = []
    with sync_playwright() as driver:
        page = driver.chromium.launch(executable_path=browser, args=CHROMIUM_OPTIONS).new_page()
        page.goto(address)
        page.wait_for_function("() => document.body.dataset.shown > 0")
        page.locator("input.pays").first.focus()
        for _ in range(_RUNS):
            before = page.evaluate("() => document.body.dataset.shown")
            page.keyboard.press("ArrowUp")
            page.wait_for_function("before => document.body.dataset.shown !== before", arg=before)
            times.append(page.evaluate("() => Number(document.body.dataset.took)") / 1000)
    return Times(tuple(times[5:]))
