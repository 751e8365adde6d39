"""One paytable that was found: its values, its figures, and the paytable itself."""

from __future__ import annotations

from fractions import Fraction
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis.analysis import Analysis, analyze
from combinat.bets.adding import sums
from combinat.bets.award import Award
from combinat.bets.meter_rules import Level, MeterSystem
from combinat.bets.paytable import Paytable
from combinat.design.model import PAY, RATE, SEED, Model
from combinat.design.spec import with_amount
from combinat.exact.whole import MiscountError
from combinat.meters.hold import known_hold
from decks import Shoe


class Candidate(Struct, frozen=True, dict=True):
    """A combination of values that does what is asked."""

    model: Model
    values: tuple[int, ...]

    def __repr__(self) -> str:
        return f"<Candidate {', '.join(one or 'out' for one in self.pays)}>"

    @property
    def pays(self) -> tuple[str | None, ...]:
        """What each award pays, as it is written; none for one that is left out."""
        return tuple(str(award.pay) if award else None for award in self.stated)

    @property
    def of_meters(self) -> tuple[tuple[str, str, Fraction], ...]:
        """The seeds and rates that were open: which of the two, of which meter, and its value."""
        found = zip(self.model.unknowns, self.values, strict=True)
        return tuple((one.kind, one.name, one.value(value)) for one, value in found if one.kind != PAY)

    @cached_property
    def edges(self) -> tuple[Fraction, ...]:
        """The edge at each deck count, or the hold in the long run."""
        return tuple(edge.at(self.values) for edge in self.model.edges)

    @cached_property
    def stated(self) -> tuple[Award | None, ...]:
        """The awards as they are stated; none for one that is left out."""
        spec = self.model.spec
        amounts = {
            one.place: one.value(value)
            for one, value in zip(self.model.unknowns, self.values, strict=True)
            if one.kind == PAY and spec.pays[one.place] is not None
        }
        return tuple(
            None
            if not kept
            else replace(award, pay=pay, said=str(pay))
            if place in amounts and (pay := with_amount(award.pay, amounts[place]))
            else award
            for place, (award, kept) in enumerate(zip(spec.stated, self.model.kept.is_kept, strict=True))
        )

    @cached_property
    def paytable(self) -> Paytable:
        """The paytable with these values; what is published is of the one that it was made from."""
        spec = self.model.spec
        before = spec.paytable
        stated = tuple(award for award in self.stated if award is not None)
        awards = sums(stated, before.bet) if before.parts else stated
        return replace(
            before,
            awards=awards,
            parts=stated if before.parts else (),
            decks=spec.decks,
            systems=self._systems,
            published=(),
            other_reading=None,
        )

    @property
    def _systems(self) -> tuple[MeterSystem, ...]:
        """How the meters are run, with the seeds and rates that were found."""
        before, found = self.model.spec.paytable, {(kind, name): value for kind, name, value in self.of_meters}
        if not found:
            return before.systems
        systems = before.systems or (MeterSystem(tuple(Level(name, Fraction(0)) for name in before.meters)),)
        return tuple(
            replace(
                system,
                levels=tuple(
                    replace(
                        level,
                        seed=found.get((SEED, level.name), level.seed),
                        rate=found.get((RATE, level.name), level.rate),
                    )
                    for level in system.levels
                ),
                basis=None,
            )
            for system in systems
        )

    @cached_property
    def analyses(self) -> tuple[Analysis, ...]:
        """The paytable worked out anew at each deck count, by which the search is checked."""
        return self.check(self.paytable)

    def check(self, paytable: Paytable) -> tuple[Analysis, ...]:
        """Work out a paytable at each deck count, and make sure that it comes to the edges that were found."""
        spec = self.model.spec
        shoes = [Shoe(decks, spec.paytable.bet.pack) for decks in spec.decks]
        found = tuple(analyze(paytable, shoe, dict(spec.amounts)) for shoe in shoes)
        held = [known_hold(one) if spec.has_meters else one.house_edge.constant for one in found]
        if held != list(self.edges):
            raise MiscountError(f"the search found edges {self.edges} where the paytable has {held}")
        return found
