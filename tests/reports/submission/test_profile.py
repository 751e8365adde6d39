import re
from pathlib import Path

import pytest

from decks import InputError
from reports.publish.sheets import default_paper
from reports.sheet.identity import Identity
from reports.submission.profile import READ, SHEET, find_profile_text, list_profiles, parse_profile

SECTIONS = Path(__file__).parents[3] / "reports" / "sheet" / "sections"


def load(name):
    return parse_profile(find_profile_text(name), name)


@pytest.mark.parametrize("name", list_profiles())
def test_profile_states_source_of_what_was_read(name):
    profile = load(name)
    assert profile.paper.size == default_paper(Identity(jurisdiction=profile.jurisdiction))
    for fact in (*profile.wager_limit, *profile.requirement):
        assert fact.text
        assert fact.read in READ
        assert fact.read in ("not read", "derived") or (fact.clause and fact.source), fact
    assert profile.certification.text == "" or profile.certification.read != "not read"


def test_required_sections_are_sections_of_sheets():
    keys = {key for path in SECTIONS.glob("*.py") for key in re.findall(r'key="(\w+)"', path.read_text())}
    for name in list_profiles():
        places = {place for requirement in load(name).requirements for place in requirement.met_by}
        assert {place.partition(":")[2] for place in places if place.startswith(f"{SHEET}:")} <= keys


def test_tests_of_the_program_are_requirements():
    assert any("WAC 230-15-455" in requirement.clause for requirement in load("washington").requirements)
    assert load("generic").tests == ()


@pytest.mark.parametrize("name", ["washingtn", "nowhere", "absent.toml"])
def test_unknown_profile_is_named(name):
    with pytest.raises(InputError, match=re.escape(name)):
        find_profile_text(name)


@pytest.mark.parametrize(
    ("old", "new"),
    [('size = "a4"', 'size = "a5"'), ('["cover"', '["cupboard"'), ('"derived"', '"guessed"'), ("[paper]", "[paper")],
)
def test_invalid_profile_is_refused(old, new):
    text = find_profile_text("generic")
    assert old in text
    with pytest.raises(InputError, match=r"mine\.toml"):
        parse_profile(text.replace(old, new), "mine.toml")
