"""Requests about meters."""

import pytest

from combinat.requests import meters
from combinat.requests.meters import MeterBreakEven, MeterShow
from decks import InputError


@pytest.mark.parametrize("request_type", [MeterShow, MeterBreakEven])
def test_bet_without_meters_is_refused_before_counting(request_type, monkeypatch):
    monkeypatch.setattr(meters, "analyze_wager", lambda *_: pytest.fail("counted"))
    with pytest.raises(InputError, match="PKR-PRIME has no meters"):
        request_type(bet="PKR-PRIME").answer(lambda _: None)
