"""A browser and a studio that runs, for the tests that need them."""

import os
import shutil

import pytest

from tests.studio import CHROMIUM_OPTIONS, running


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import expect, sync_playwright  # half a second, for few tests

    found = shutil.which("chromium") or shutil.which("google-chrome")
    if found is None:
        told = "there is no Chromium on this machine"
        pytest.fail(told) if os.environ.get("COMBINAT_NEEDS_BROWSER") else pytest.skip(told)
    expect.set_options(timeout=60_000)  # who waits sees it as soon as it is there; a busy machine takes longer
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=found, args=CHROMIUM_OPTIONS)
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def address():
    with running("--seconds", "30") as (address, _):
        yield address


@pytest.fixture(scope="module")
def blank_page(browser, address):
    """A page of the studio whose scripts can be tried by themselves."""
    page = browser.new_page()
    page.goto(address)
    yield page
    page.close()
