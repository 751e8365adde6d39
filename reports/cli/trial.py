"""What is tried of a paytable without a file: other pays, and meters that are run otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from combinat.bets.variants import MeterOverrides

if TYPE_CHECKING:  # few questions ask for it
    from combinat.bets.variants import MeterOverrides


class PayOverrides(Struct, frozen=True):
    """What is tried, as it was typed; nothing if nothing was."""

    pays: tuple[str, ...] = ()
    seeds: tuple[str, ...] = ()
    rates: tuple[str, ...] = ()
    wager: str | None = None

    @property
    def run(self) -> MeterOverrides | None:
        """How the meters are to be run; none if nothing was said about it."""
        if not (self.seeds or self.rates or self.wager):
            return None
        values = {"seed": self.seeds, "rate": self.rates}
        return MeterOverrides({field: texts for field, texts in values.items() if texts}, self.wager)
