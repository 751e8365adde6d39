"""Fixtures of the studio tests: a running studio and reusable windows."""

from urllib.parse import urljoin

import pytest

from tests.studio import PATIENCE, run_studio


@pytest.fixture(scope="module")
def address():
    with run_studio("--seconds", "120") as (address, _):  # a parlay is slow on a busy machine
        yield address


class Windows:
    """Reusable windows of one browser, because opening one takes Chromium longer than loading several pages."""

    def __init__(self, browser):
        self._browser = browser
        self._contexts, self._spare = {}, {}

    def take(self, viewport, scheme="light", has_touch=False):
        """Return a blank window with empty storage."""
        if has_touch not in self._contexts:
            self._contexts[has_touch] = self._browser.new_context(has_touch=has_touch)
        spare = self._spare.setdefault(has_touch, [])
        page = spare.pop() if spare else self._contexts[has_touch].new_page()
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme)
        page.set_default_timeout(PATIENCE)
        return page

    def give_back(self, page, has_touch=False):
        """Leave the page, clear its storage and keep the window for the next test.

        The window stays at the same address, so Chromium can reuse its process.
        """
        page.unroute_all()
        page.evaluate("localStorage.clear()")
        page.goto(urljoin(page.url, "/mark.svg"))
        self._spare[has_touch].append(page)


@pytest.fixture(scope="module")
def windows(browser):
    return Windows(browser)
