"""The browser of tests of pages; without one they are skipped, or fail if COMBINAT_NEEDS_BROWSER is set."""

import os
import shutil

import pytest

from tests.studio import CHROMIUM_OPTIONS, PATIENCE


@pytest.fixture(scope="module")
def browser():
    from playwright.sync_api import expect, sync_playwright  # takes half a second to import

    path = shutil.which("chromium") or shutil.which("google-chrome")
    if path is None:
        reason = "there is no Chromium on this machine"
        pytest.fail(reason) if os.environ.get("COMBINAT_NEEDS_BROWSER") else pytest.skip(reason)
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path, args=CHROMIUM_OPTIONS, timeout=PATIENCE)
        yield browser
        browser.close()
