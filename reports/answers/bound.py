"""What no count can beat, exactly or as sampled, with all that a sample has to say of itself."""

from __future__ import annotations

from typing import Any

from combinat.advantage.bound import Bound
from reports.page.model import Figure, Style
from reports.page.numerals import exact


def bound_figures(bound: Bound | None) -> tuple[Figure, ...]:
    """Tell what no count can beat, and how that is known."""
    if bound is None:
        return ()
    label = "Won per 100 rounds by perfect play"
    if not bound.is_sampled:
        return (Figure(f"{label}, exactly", bound.per_hundred, Style.DECIMAL),)
    return (
        Figure(f"{label}, sampled", bound.per_hundred, Style.DECIMAL),
        Figure("99% confidence, plus or minus", 100 * bound.half_width, Style.DECIMAL)
        if bound.half_width is not None
        else Figure("99% confidence", "not to be told: too few shoes favor the player; sample more"),
        *([Figure("How rounds of perfect play are played", "as is best from each shoe")] if bound.chosen_anew else []),
        Figure("Shoes sampled", bound.samples, Style.COUNT),
        Figure("Of these in favor of the player", bound.gaining, Style.COUNT),
        Figure("Seed", bound.seed, Style.COUNT),
        *([Figure("In chunks of", bound.chunk, Style.COUNT)] if bound.samples > bound.chunk else []),
    )


def bound_payload(bound: Bound) -> dict[str, Any]:
    """Give what no count can beat, and how that is known."""
    return {
        "sampled": bound.is_sampled,
        "won_per_100_rounds": exact(bound.per_hundred),
        "confidence_99": exact(100 * bound.half_width) if bound.half_width is not None else None,
        "play_chosen_anew": bound.chosen_anew,
        "samples": bound.samples or None,
        "in_favor_of_the_player": bound.gaining if bound.is_sampled else None,
        "seed": bound.seed if bound.is_sampled else None,
        "classes": [[str(card) for card in cards] for cards in bound.classes],
    }
