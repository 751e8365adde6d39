"""The answer to `sensitivity`: the effect of each pay on the house edge, and the pays that keep it within limits."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

from combinat.analysis.sensitivity import PayMove, PayRange, intersect_ranges, pay_moves
from combinat.bets.pay import MAX_PAY
from combinat.bets.paytable import Paytable
from combinat.exact.interval import Interval, Limits
from combinat.figures import FIGURES, figure_values
from combinat.results.analysis import condition_text
from combinat.results.answer import ANSWER_FORMAT, Answer
from combinat.study import Study
from decks import InputError, did_you_mean
from decks.errors import quote


class HouseShare(Struct, frozen=True):
    """The house edge or hold of a study on its headline's basis, and the effect of each pay on it."""

    study: Study
    key: str
    label: str
    edge: Fraction | None
    moves: tuple[PayMove, ...]

    @property
    def decks(self) -> int:
        """The number of decks."""
        return self.study.shoe.decks


def house_share(study: Study) -> HouseShare:
    """Return the house edge and its sensitivities, or those of the long-run hold if the edge depends on meters."""
    first = next(figure_values(study, "house_edge"))
    gains_per_unit = study.option.gain_per_unit if study.option is not None else ()
    if study.house_edge.is_constant:
        edge = study.house_edge.constant
        return HouseShare(study, "house_edge", first.label, edge, pay_moves(study.analysis, edge, gains_per_unit))
    meters = study.meters
    has_hold = meters is not None and meters.has_closed_form and not meters.system.all_pays_deducted
    hold = study.hold if has_hold else None
    key = "hold" if hold is not None else "house_edge"
    return HouseShare(study, key, FIGURES[key].label, hold, pay_moves(study.analysis, hold, gains_per_unit))


class PaySensitivity(Struct, frozen=True):
    """The effect of each pay of a paytable at several deck counts, and the limits of the house edge."""

    paytable: Paytable
    rows: tuple[HouseShare, ...]
    """The house edge and the effect of each pay at each deck count."""
    limits: Limits | None = None

    @property
    def interval(self) -> Limits:
        """The limits of the house edge; by default, all edges that are not negative."""
        return Interval(Fraction(0), None) if self.limits is None else self.limits

    @property
    def moves(self) -> tuple[PayMove, ...]:
        """The pays at the first deck count."""
        return self.rows[0].moves

    def range_at_all_decks(self, index: int) -> PayRange | None:
        """Return the range of a pay, all others fixed, that keeps the edge within the limits at every deck count."""
        return intersect_ranges(row.moves[index].pays_within(self.interval) for row in self.rows)

    def range_at(self, award: str, decks: int | None = None) -> PayRange | None:
        """Return the range of the pay of an award at one deck count, or at all of them; `None` if it is unknown."""
        names = [move.award for move in self.moves]
        matching = [index for index, name in enumerate(names) if name.lower() == award.strip().lower()]
        if not matching:
            hint = did_you_mean(award, names) or f"; its awards are {', '.join(names)}"
            raise InputError(f"{self.paytable.id} has no award {quote(award)} with a fixed pay{hint}")
        if decks is None:
            return self.range_at_all_decks(matching[0])
        for row in self.rows:
            if row.decks == decks:
                return row.moves[matching[0]].pays_within(self.interval)
        counts = ", ".join(str(row.decks) for row in self.rows)
        raise InputError(f"the pays were not computed at {decks} decks; the deck counts are {counts}")


def pay_sensitivities(studies: Sequence[Study], limits: Limits | None) -> list[PaySensitivity]:
    """Return the effects of pays for each paytable; refuse limits of an edge that depends on a meter."""
    shares = [house_share(study) for study in studies]
    if limits is not None:
        for share in shares:
            _check_edge_is_known(share)
    return [
        PaySensitivity(paytable, tuple(share for share in shares if share.study.paytable == paytable), limits)
        for paytable in dict.fromkeys(study.paytable for study in studies)
    ]


def _check_edge_is_known(share: HouseShare) -> None:
    """Raise `InputError` if the house edge depends on a meter."""
    if share.edge is None:
        paytable = share.study.paytable
        terms = ", or --seed and --rate" if paytable.up is None else ""
        raise InputError(
            f"--edge: the house edge of {paytable.id} depends on the meter {paytable.meters[0]}; "
            f"give --meter {paytable.meters[0]}=AMOUNT{terms}"
        )


class LimitsAnswer(Answer, frozen=True, kw_only=True):
    """Limits of the house edge; null is unbounded."""

    low: Fraction | None
    high: Fraction | None


class PayRangeAnswer(Answer, frozen=True, kw_only=True):
    """The pays of an award, all others fixed, that keep the house edge within the limits."""

    name: str
    pays_text: str
    least_pay: Fraction | None
    most_pay: Annotated[Fraction | None, Meta(description="The largest pay; null if it is unbounded.")]
    whole_pays: Annotated[list[int | None] | None, Meta(description="The smallest and the largest whole pay.")]
    possible: Annotated[bool | None, Meta(description="Whether there is such a pay; null if the edge is unknown.")]


class PayMoveAnswer(Answer, frozen=True, kw_only=True):
    """The effect of the pay of one award at one deck count."""

    name: str
    pays_text: str
    one_more: Annotated[Fraction, Meta(description="Change of the edge or hold per unit added to the pay.")]
    least_pay: Fraction | None
    most_pay: Annotated[Fraction | None, Meta(description="The largest pay; null if it is unbounded.")]
    whole_pays: Annotated[list[int | None] | None, Meta(description="The smallest and the largest whole pay.")]
    possible: Annotated[bool | None, Meta(description="Whether there is such a pay; null if the edge is unknown.")]


class SensitivityAtDecksAnswer(Answer, frozen=True, kw_only=True):
    """The effect of each pay at one deck count."""

    decks: int
    basis: str
    house_edge: Annotated[Fraction | UnsetType | None, Meta(description="The house edge, if it is the figure.")] = UNSET
    hold: Annotated[Fraction | UnsetType | None, Meta(description="The long-run hold, if it is the figure.")] = UNSET
    awards: list[PayMoveAnswer]


class SensitivityAnswer(Answer, frozen=True, kw_only=True):
    """The effect of each pay of a paytable on its house edge or hold."""

    format: str = ANSWER_FORMAT
    paytable: str
    title: str
    given: Annotated[str | None, Meta(description="The condition: hands that do not match it are not counted.")]
    limits: LimitsAnswer
    figure: Annotated[str, Meta(description="house_edge, or hold where the edge depends on meters.")]
    by_decks: list[SensitivityAtDecksAnswer]
    all_decks: Annotated[list[PayRangeAnswer], Meta(description="Pays within the limits at all these deck counts.")]

    @classmethod
    def of(cls, sensitivity: PaySensitivity) -> SensitivityAnswer:
        """Build the answer from the effects of the pays of a paytable."""
        paytable, interval, first = sensitivity.paytable, sensitivity.interval, sensitivity.rows[0]
        return cls(
            paytable=paytable.id,
            title=paytable.title,
            given=condition_text(paytable),
            limits=LimitsAnswer(low=interval.low, high=interval.high),
            figure=first.key,
            by_decks=[
                SensitivityAtDecksAnswer(
                    decks=row.decks,
                    basis=str(next(figure_values(row.study, row.key)).basis),
                    awards=[
                        PayMoveAnswer(
                            name=move.award,
                            pays_text=str(move.pay),
                            one_more=-move.per_unit,
                            **_range_fields(move.pays_within(interval)),
                        )
                        for move in row.moves
                    ],
                    **{row.key: row.edge},
                )
                for row in sensitivity.rows
            ],
            all_decks=[
                PayRangeAnswer(
                    name=move.award,
                    pays_text=str(move.pay),
                    **_range_fields(sensitivity.range_at_all_decks(index)),
                )
                for index, move in enumerate(sensitivity.moves)
            ],
        )


def _range_fields(pay_range: PayRange | None) -> dict[str, Any]:
    """Return the fields of a range of pays."""
    if pay_range is None or pay_range.is_empty:
        possible = None if pay_range is None else False
        return {"least_pay": None, "most_pay": None, "whole_pays": None, "possible": possible}
    whole_pays = pay_range.integer_range
    is_bound = pay_range.high < MAX_PAY
    return {
        "least_pay": pay_range.low,
        "most_pay": pay_range.high if is_bound else None,
        "whole_pays": None if whole_pays is None else [whole_pays[0], whole_pays[1] if is_bound else None],
        "possible": True,
    }
