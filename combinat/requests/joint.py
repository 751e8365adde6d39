"""Wagers on the same cards."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated

from msgspec.structs import replace

from combinat.analysis.joint import JointAnalysis, JointSpots, analyze_joint, analyze_spots, check_spots
from combinat.exact.numbers import parse_number
from combinat.requests.arguments import Amount, BetLike, exact_amount
from combinat.requests.bets import ShoeRequest, read_meters
from combinat.requests.request import Notify, Option
from combinat.results.joint import JointAnswer
from decks import InputError
from decks.errors import quote

JointRound = tuple[JointAnalysis, JointSpots | None]
"""Wagers of a round at one spot, and at several if there are several."""


class Joint(ShoeRequest[Sequence[JointRound], JointAnswer], frozen=True, kw_only=True):
    """Analyze several wagers on the same cards together.

    Shows the total result of a round, the correlation of the wagers, and with --spots the result of several spots.
    Write the stake of a wager after its paytable, as in TRI-01=10; the default is 1.
    """

    spots: Annotated[int, Option("Spots that make these wagers and share the dealer's cards and the shoe.")] = 1
    stakes: Annotated[
        Sequence[Amount], Option("Stakes in the order of the bets, instead of TRI-01=10.", unit="money")
    ] = ()

    def answer(self, notify: Notify) -> Sequence[JointRound]:
        bets, stakes = zip(*self._wagers(), strict=True)
        question = replace(self, bet=bets)
        if len(self.pay_overrides) > 1:
            raise InputError("several pays make several variants; give one at a time here")
        for bet in bets:
            replace(question, bet=(bet,), pays=None).single_paytable(notify)  # refuses a file with several paytables
        paytables = question.paytables(notify)
        for message in dict.fromkeys(filter(None, map(self.undesigned_counts, paytables))):
            notify(message)
        counts = [set(paytable.select_deck_counts(self.deck_counts, self.any_decks)) for paytable in paytables]
        shared = sorted(set.intersection(*counts))
        if not shared:
            designs = ", ".join(f"{paytable.id} for {paytable.decks_text}" for paytable in paytables)
            raise InputError(f"the wagers have no designed deck count in common ({designs}); --any-decks allows others")
        amounts = read_meters(self.meters, paytables)
        shoes = [self.shoe(paytables[0], count) for count in shared]
        check_spots(paytables, shoes[0], self.spots)
        wagers = list(zip(paytables, stakes, strict=True))
        results = [analyze_joint(wagers, shoe, amounts) for shoe in shoes]
        return [(result, analyze_spots(result, self.spots) if self.spots != 1 else None) for result in results]

    def results(self, computed: Sequence[JointRound]) -> Sequence[JointAnswer]:
        return [JointAnswer.of(*each) for each in computed]

    def _wagers(self) -> list[tuple[BetLike, Fraction]]:
        """Return the bets with their stakes."""
        if not self.stakes:
            return [parse_wager(bet) for bet in self.bets]
        if len(self.stakes) != len(self.bets):
            raise InputError(f"joint has {len(self.bets)} bets and {len(self.stakes)} stakes; give a stake for each")
        return [(bet, exact_amount(stake, "the stake")) for bet, stake in zip(self.bets, self.stakes, strict=True)]


def parse_wager(bet: BetLike) -> tuple[BetLike, Fraction]:
    """Parse a paytable with its stake; the default stake is 1.

    >>> parse_wager("TRI-01=10"), parse_wager("TRI-01")
    (('TRI-01', Fraction(10, 1)), ('TRI-01', Fraction(1, 1)))
    """
    if not isinstance(bet, str) or "=" not in bet:
        return bet, Fraction(1)
    name, _, number = bet.rpartition("=")
    stake = parse_number(number.strip().lstrip("$"))
    if stake is None or not name.strip():
        raise InputError(f"cannot read the wager {quote(bet)}; write a paytable and its stake, as in TRI-01=10")
    return name.strip(), stake
