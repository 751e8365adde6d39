"""Assumptions behind the figures of a bet: what no source states in full, whose words it follows, what it changes.

The effect of an assumption on the house edge is a text such as "none", or an alternative: the same bet with other
rules, pays or settings, whose house edge is computed and printed beside the assumption.
"""

from __future__ import annotations

from msgspec import Struct

ORIGINS = {
    "source": "source",
    "maker": "maker's public description",
    "other": "another published source",
    "interpretation": "interpretation",
    "assumption": "assumption, no source",
}
"""Whose words an assumption follows, by the key in a bet file."""
_LABELS = {
    "maker": "Maker's description",
    "other": "Other source",
    "interpretation": "Interpretation",
    "assumption": "Assumption",
}


class Alternative(Struct, frozen=True):
    """The bet without an assumption."""

    text: str
    """What is different, in a few words."""
    rules: tuple[tuple[str, str], ...] = ()
    """Other rules of awards, by the name of the award."""
    pays: tuple[tuple[str, str], ...] = ()
    """Other pays of awards, by the name of the award."""
    settings: tuple[tuple[str, str], ...] = ()
    """Other settings of the game."""
    paytable: str | None = None
    """The id of a catalog paytable that is counted the other way."""
    soft_17: str | None = None
    """The other soft-17 rule of the dealer, `h17` or `s17`."""
    given: str | None = None
    """Another condition of the bet; empty for none."""
    table: tuple[tuple[str, bool | int], ...] = ()
    """Other rules of the blackjack table, by their names in Python, for bets with a parlay or press."""


class Assumption(Struct, frozen=True):
    """One assumption, with its effect on the house edge."""

    text: str
    origin: str
    """A key of `ORIGINS`."""
    effect: str = ""
    """The effect as text; empty if an alternative gives it."""
    alternative: Alternative | None = None

    @property
    def origin_text(self) -> str:
        """Whose words the assumption follows."""
        return ORIGINS[self.origin]

    @property
    def label(self) -> str:
        """The label of the assumption in a list of notes; empty if the source states it."""
        return _LABELS.get(self.origin, "")

    def concerns(self, award_names: frozenset[str]) -> bool:
        """Return whether the assumption concerns a paytable with these awards."""
        if self.alternative is None:
            return True
        names = {name for name, _ in (*self.alternative.rules, *self.alternative.pays)}
        return not names or not names.isdisjoint(award_names)
