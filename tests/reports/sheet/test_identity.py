"""Identification of a sheet: dates given or from SOURCE_DATE_EPOCH, never from the clock; fingerprints of its input."""

import hashlib
from importlib.metadata import version

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.bets.catalog import collection_files, get_paytable
from decks import InputError
from reports.sheet.identity import Identity, fingerprint, input_fingerprint, sheet_date, software_version


@pytest.fixture(autouse=True)
def without_source_date(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)


def test_default_date_is_blank():
    assert sheet_date(None) == ""


def test_given_date_overrides_the_environment(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert sheet_date("2026-11-16") == "2026-11-16"


@pytest.mark.parametrize(
    ("epoch", "date"),
    [("0", "1970-01-01"), ("86399", "1970-01-01"), ("86400", "1970-01-02"), ("1735689600", "2025-01-01")],
)
def test_environment_date_is_utc(monkeypatch, epoch, date):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    assert sheet_date(None) == date


@pytest.mark.parametrize("epoch", ["now", "-1", "1.5", "9" * 12, " 5"])
def test_invalid_environment_date_is_refused(monkeypatch, epoch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", epoch)
    with pytest.raises(InputError, match="SOURCE_DATE_EPOCH"):
        sheet_date(None)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("16.11.2026", "write it as 2026-11-16"),
        ("2026-11", "write it as 2026-11-16"),
        ("20261116", "write it as 2026-11-16"),
        ("", "write it as 2026-11-16"),
        ("today", "write it as 2026-11-16"),
        ("2026-11-31", "write year, month and day"),
        ("2026-02-29", "write year, month and day"),
        ("0000-01-01", "write year, month and day"),
        ("2026-11-16\n", "write it as 2026-11-16"),
    ],
)
def test_impossible_date_is_refused(text, message):
    with pytest.raises(InputError, match=message):
        sheet_date(text)


@given(st.dates())
def test_dates_survive_a_round_trip(date):
    assert sheet_date(date.isoformat()) == date.isoformat()


@pytest.mark.parametrize("field", ["document", "revision", "prepared_by", "reviewed_by", "jurisdiction"])
@pytest.mark.parametrize("text", ["two\nlines", "W" * 81, "a\x00b", "\u202ereversed"])
def test_free_text_must_be_one_line(field, text):
    with pytest.raises(InputError, match="one line of up to 80 characters"):
        Identity(**{field: text})
    assert getattr(Identity(**{field: "Zoë O'Hara & Co. <x>"}), field) == "Zoë O'Hara & Co. <x>"


def test_software_has_name_and_version():
    assert software_version() == f"combinat {version('combinat')}"


def test_input_fingerprint_is_sha256_of_the_bet_file():
    sums = {hashlib.sha256(path.read_bytes()).hexdigest() for path in collection_files()}
    for id in ("TRI-02", "BB-1", "21+3-PT2"):
        assert input_fingerprint(get_paytable(id)) in sums
    assert fingerprint(b"abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
