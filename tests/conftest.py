"""What tests of several rooms share."""

import pytest
from hypothesis import settings

import tests.profiles  # noqa: F401  # names the profiles that --hypothesis-profile may ask for

settings.load_profile("quick")


@pytest.fixture
def forked(monkeypatch):
    """Have workers forked, so that they are given what a test has put in place of the real thing.

    Such tests write no PDF: a process that is forked after the typesetter has run would wait for its threads.
    """
    monkeypatch.setattr("reports.publish.crew.start_method", lambda: "fork")
