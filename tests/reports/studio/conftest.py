"""A browser and a studio that runs, for the tests that need them."""

import os
import shutil
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import pytest

import reports.studio
from tests.studio import CHROMIUM_OPTIONS, PATIENCE, running

PAGE = Path(reports.studio.__file__).parent / "page"


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import expect, sync_playwright  # half a second, for few tests

    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        told = "there is no Chromium on this machine"
        pytest.fail(told) if os.environ.get("COMBINAT_NEEDS_BROWSER") else pytest.skip(told)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=CHROMIUM_OPTIONS, timeout=PATIENCE)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address():
    with running("--seconds", "120") as (address, _):  # a parlay takes many on a busy machine
        yield address


class Windows:
    """Windows of one browser, which tests hand on: to make one takes Chromium longer than to load several pages."""

    def __init__(self, browser):
        self._browser = browser
        self._contexts, self._spare = {}, {}

    def take(self, viewport, scheme="light", has_touch=False):
        """Give a window that shows nothing and whose page has kept nothing."""
        if has_touch not in self._contexts:
            self._contexts[has_touch] = self._browser.new_context(has_touch=has_touch)
        spare = self._spare.setdefault(has_touch, [])
        page = spare.pop() if spare else self._contexts[has_touch].new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme)
        page.set_default_timeout(PATIENCE)
        return page

    def give_back(self, page, has_touch=False):
        """Leave the page, so that it works no more, and forget what it has kept; nothing else carries over.

        A page of the same address comes next most often, for which Chromium needs no other process.
        """
        page.unroute_all()
        page.evaluate("localStorage.clear()")
        page.goto(urljoin(page.url, "/mark.svg"))
        self._spare[has_touch].append(page)


@pytest.fixture(scope="module")
def windows(browser):
    return Windows(browser)


@pytest.fixture(scope="module")
def blank_page(browser):
    """A page with the studio's scripts, which can be tried by themselves; nobody has to serve them."""
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    page.route("**/*", lambda route: route.fulfill(path=PAGE / urlsplit(route.request.url).path[1:]))
    page.goto("http://studio/mark.svg")
    yield page
    page.close()
