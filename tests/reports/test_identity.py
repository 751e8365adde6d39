"""What identifies a sheet: dates as given or from the environment, never the clock's; fingerprints of what went in."""

import hashlib
from importlib.metadata import version

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.bets.catalog import collection_files, get_paytable
from decks import InputError
from reports.sheet.identity import Identity, fingerprint, input_fingerprint, sheet_date, software_version


@pytest.fixture(autouse=True)
def no_epoch(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)


def test_date_is_never_todays_by_itself():
    assert sheet_date(None) == ""


def test_date_is_the_one_given_whatever_the_environment_says(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert sheet_date("2026-11-16") == "2026-11-16"


@pytest.mark.parametrize(
    ("epoch", "date"),
    [("0", "1970-01-01"), ("86399", "1970-01-01"), ("86400", "1970-01-02"), ("1735689600", "2025-01-01")],
)
def test_date_of_the_environment_is_in_universal_time(monkeypatch, epoch, date):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    assert sheet_date(None) == date


@pytest.mark.parametrize("epoch", ["now", "-1", "1.5", "9" * 12, " 5"])
def test_environment_that_is_no_date_is_refused(monkeypatch, epoch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(InputError, match=r"SOURCE_DATE_EPOCH is .* seconds since 1970"):
        sheet_date(None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("16.11.2026", "cannot read the date"),
        ("2026-11", "cannot read the date"),
        ("20261116", "cannot read the date"),
        ("", "cannot read the date"),
        ("today", "cannot read the date"),
        ("2026-11-31", "there is no date"),
        ("2026-02-29", "there is no date"),
        ("0000-01-01", "there is no date"),
        ("2026-11-16\n", "cannot read the date"),
    ],
)
def test_date_that_there_is_not_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        sheet_date(text)


@given(st.dates())
def test_every_date_is_read_back_as_written(date):
    assert sheet_date(date.isoformat()) == date.isoformat()


@pytest.mark.parametrize("field", ["document", "revision", "prepared_by", "reviewed_by", "jurisdiction"])
@pytest.mark.parametrize("text", ["two\nlines", "W" * 81, "a\x00b", "\u202ereversed"])
def test_what_a_person_says_is_one_line(field, text):
    with pytest.raises(InputError, match="write one line of up to 80 characters"):
        Identity(**{field: text})
    assert getattr(Identity(**{field: "Zoë O'Hara & Co. <x>"}), field) == "Zoë O'Hara & Co. <x>"


def test_software_is_named_with_its_version():
    assert software_version() == f"combinat {version('combinat')}"


def test_fingerprint_of_the_input_is_what_sha256sum_gives_of_the_bets_file():
    sums = {hashlib.sha256(path.read_bytes()).hexdigest() for path in collection_files()}
    for id in ("TRI-02", "BB-1", "21+3-PT2"):
        assert input_fingerprint(get_paytable(id)) in sums
    assert fingerprint(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
