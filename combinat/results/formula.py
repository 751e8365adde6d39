"""The answer to `formula`: closed forms in the number of decks, n; importing this module imports sympy."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any

from msgspec import UNSET, Meta, UnsetType, field

from combinat.analysis.closed_form import (
    AwardFormula,
    CaseFormula,
    award_formulas,
    case_formulas,
    house_edge_formula,
    meter_symbols,
)
from combinat.bets.paytable import Paytable
from combinat.enumeration.experiment import ExposedView
from combinat.results.analysis import UP_CARDS, condition_text, insert_views
from combinat.results.answer import ANSWER_FORMAT, Answer

ViewFormulas = tuple[ExposedView, tuple[CaseFormula, ...]]
"""Exposed cards, with the closed forms of each case of them."""


def view_formulas(paytable: Paytable) -> list[ViewFormulas]:
    """Return the views of exposed cards that have closed forms, such as busts by up card."""
    views = [(view, case_formulas(paytable, view)) for view in paytable.experiment.views()]
    return [(view, cases) for view, cases in views if cases]


class AwardFormulaAnswer(Answer, frozen=True, kw_only=True):
    """The closed forms of an award, of the losing hands, or of all hands."""

    name: str
    ways: Annotated[str, Meta(description="The ways from n decks.")]
    probability: str
    limit: Annotated[str, Meta(description="The probability from infinite decks.")]

    @classmethod
    def of(cls, formula: AwardFormula) -> AwardFormulaAnswer:
        """Build the answer from the formulas of an award."""
        return cls(
            name=formula.name,
            ways=str(formula.ways),
            probability=str(formula.probability),
            limit=str(formula.limit),
        )


class UpCardFormulaAnswer(Answer, frozen=True, kw_only=True):
    """The closed forms of the dealer's busts given one up card."""

    up: str
    bust: str
    bust_limit: Annotated[str, Meta(description="The probability from infinite decks.")]
    suited_bust: str
    suited_bust_limit: str
    fewest_decks: Annotated[int, Meta(description="The smallest number of decks for which the formulas hold.")]


class FormulaAnswer(Answer, frozen=True, kw_only=True):
    """The closed forms of a bet: of exposed cards where these have some, otherwise of its awards and house edge."""

    format: str = ANSWER_FORMAT
    paytable: str
    bet: str
    given: Annotated[str | None, Meta(description="The condition: hands that do not match it are not counted.")]
    up_cards: list[UpCardFormulaAnswer] | UnsetType = UNSET
    views: Annotated[
        dict[str, list[dict[str, Any]]],
        Meta(description="Cases of other exposed cards; each has a key of its own in JSON."),
    ] = field(default_factory=dict)
    awards: list[AwardFormulaAnswer] | UnsetType = UNSET
    house_edge: str | UnsetType = UNSET
    house_edge_limit: Annotated[str | UnsetType, Meta(description="The house edge from infinite decks.")] = UNSET
    fewest_decks: Annotated[
        int | UnsetType | None, Meta(description="The smallest number of decks for which the formulas hold.")
    ] = UNSET
    note: str | UnsetType = UNSET
    meters: Annotated[dict[str, str] | UnsetType, Meta(description="The symbol of each meter in the formulas.")] = UNSET
    meter_wager: Fraction | UnsetType | None = UNSET

    @classmethod
    def of(cls, paytable: Paytable) -> FormulaAnswer:
        """Build the answer for a paytable."""
        identity: dict[str, Any] = {
            "paytable": paytable.id,
            "bet": paytable.bet.name,
            "given": condition_text(paytable),
        }
        if views := view_formulas(paytable):
            cases_by_view = {view.key: [_case_values(view, case) for case in cases] for view, cases in views}
            up_cards = cases_by_view.pop(UP_CARDS, None)
            return cls(
                **identity,
                up_cards=UNSET if up_cards is None else [UpCardFormulaAnswer(**values) for values in up_cards],
                views=cases_by_view,
            )
        edge, limit = house_edge_formula(paytable)
        return cls(
            **identity,
            awards=list(map(AwardFormulaAnswer.of, award_formulas(paytable))),
            house_edge=str(edge),
            house_edge_limit=str(limit),
            fewest_decks=paytable.tally.fewest_decks,
            note=paytable.tally.note or UNSET,
            meters={name: symbol.name for name, symbol in meter_symbols(paytable).items()},
            meter_wager=paytable.meter_wager() if paytable.meters else None,
        )

    def to_dict(self) -> dict[str, Any]:
        return insert_views(super().to_dict())


def _case_values(view: ExposedView, case: CaseFormula) -> dict[str, Any]:
    """Return the closed forms of one case of exposed cards by key."""
    values: dict[str, Any] = {view.case_key: case.name}
    for (key, _), probability, limit in zip(view.extras, case.probabilities, case.limits, strict=True):
        values |= {key: str(probability), f"{key}_limit": str(limit)}
    return values | {"fewest_decks": case.fewest_decks}
