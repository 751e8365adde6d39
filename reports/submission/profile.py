"""Jurisdiction profiles: what a regulator asks for, as data with source and date; what was not read is marked so."""

from __future__ import annotations

import tomllib
from functools import lru_cache
from pathlib import Path

import msgspec

from combinat.analysis.exposure import TABLE_GAMES, JurisdictionTest, jurisdiction_tests
from combinat.bets.schema import check_limits, read_text
from decks import InputError, did_you_mean
from decks.errors import quote
from reports.render.formats import PAPERS

PROFILES_FOLDER = Path(__file__).parent / "profiles"
READ = {
    "text": "text read",
    "excerpt": "beginning of the text read",
    "report": "as others report it",
    "heading": "only the heading read",
    "not read": "not read",
    "derived": "derived from other profiles",
    "not applicable": "not applicable",
}
"""How the text of a fact was read, as documents say it."""
CONDITIONS = ("", "meters", "strategy", "replacement")
"""What a requirement may depend on: bets with meters, bets with decisions, dossiers that replace an earlier one."""
APPLICANT = "applicant"
"""What the program cannot provide."""
SHEET = "sheet"
PAPERS_OF_DOSSIER = ("cover", "rules-of-play", "clause-matrix", "change-log", "how-to-check")
PLACES = (APPLICANT, SHEET, *PAPERS_OF_DOSSIER, "workbook", "json", "checker", "sums", "bet")
"""Where a requirement can be met; `sheet:KEY` is a section of the sheets."""


class Fact(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A fact about a jurisdiction: what its text says, where, when, and how it was read."""

    text: str
    read: str
    clause: str = ""
    source: str = ""
    date: str = ""
    """Date of the text; empty if it was not stated."""

    @property
    def citation(self) -> str:
        """The clause with the date of its text and how it was read."""
        parts = [self.clause, f"text of {self.date}" if self.date else "", READ[self.read]]
        return ", ".join(part for part in parts if part)


class Requirement(Fact, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Something that a submission must contain, and where the dossier has it."""

    met_by: tuple[str, ...]
    applies_to: str = ""
    """One of `CONDITIONS`."""


class Paper(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The paper size of a jurisdiction."""

    size: str
    basis: str
    read: str


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a jurisdiction asks for."""

    jurisdiction: str
    """The name as sheets and jurisdiction tests have it; empty for none."""
    name: str
    authority: str
    paper: Paper
    certification: Fact
    """The wording of the certification; its text is empty if it was not read."""
    requirement: tuple[Requirement, ...]
    wager_limit: tuple[Fact, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def tests(self) -> tuple[JurisdictionTest, ...]:
        """The jurisdiction tests that come with the program and apply to table games here."""
        return tuple(
            test
            for test in jurisdiction_tests()
            if test.jurisdiction == self.jurisdiction and test.applies_to == TABLE_GAMES
        )

    @property
    def requirements(self) -> tuple[Requirement, ...]:
        """All requirements, those of the jurisdiction tests included."""
        tested = (
            Requirement(
                text=f"Test of a figure: {test.name}",
                read="text",
                clause=test.clause,
                source=test.source,
                date=str(test.year),
                met_by=("sheet:jurisdictions",),
            )
            for test in self.tests
        )
        return (*self.requirement, *tested)


@lru_cache(maxsize=1)
def list_profiles() -> tuple[str, ...]:
    """Return the names of the profiles that come with the program.

    >>> "washington" in list_profiles()
    True
    """
    return tuple(sorted(path.stem for path in PROFILES_FOLDER.glob("*.toml")))


def find_profile_text(name: str) -> str:
    """Return the text of a profile: one that comes with the program, or a TOML file."""
    key = name.strip().lower().replace(" ", "-")
    if key in list_profiles():
        return (PROFILES_FOLDER / f"{key}.toml").read_text(encoding="utf-8")
    if not name.lower().endswith(".toml"):
        hint = did_you_mean(key, list_profiles()) or f"; profiles are {', '.join(list_profiles())}, or a TOML file"
        raise InputError(f"unknown jurisdiction profile {quote(name)}{hint}")
    try:
        return read_text(Path(name))
    except OSError as error:
        raise InputError(f"cannot read the profile {name}: {error.strerror}") from None
    except InputError as error:
        raise InputError(f"the profile {name}: {error}") from None


def parse_profile(text: str, name: str) -> Profile:
    """Parse the text of a profile; errors cite `name`."""
    try:
        check_limits(text)
        profile = msgspec.convert(tomllib.loads(text), Profile)
    except (InputError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise InputError(f"the profile {name}: {error}") from None
    _check_choice(name, "paper size", profile.paper.size, PAPERS)
    for fact in (profile.certification, *profile.wager_limit, *profile.requirement):
        _check_choice(name, "value of read", fact.read, tuple(READ))
    for requirement in profile.requirement:
        _check_choice(name, "value of applies_to", requirement.applies_to, CONDITIONS)
        for place in requirement.met_by:
            if not place.startswith(f"{SHEET}:"):
                _check_choice(name, "value of met_by", place, PLACES)
    return profile


def _check_choice(name: str, label: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        expected = ", ".join(filter(None, choices))
        raise InputError(f"the profile {name}: unknown {label} {quote(value)}; expected one of {expected}")
