"""The answer to `diff`."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from combinat.results.answer import ANSWER_FORMAT, Answer, Value


class ChangeAnswer(Answer, frozen=True, kw_only=True):
    """One difference between two revisions."""

    item: Annotated[str, Meta(description="What differs.")]
    before: Annotated[Any, Meta(description="The value of the old revision, as its JSON has it.")]
    after: Annotated[Any, Meta(description="The value of the new revision, as its JSON has it.")]
    difference: Annotated[
        str | int | None, Meta(description="The new value less the old one; null if it is not a number.")
    ]
    because_of: Annotated[str | None, Meta(description="The change that it follows from; null for a change itself.")]


class MovedReturnAnswer(Answer, frozen=True, kw_only=True):
    """The change of the return due to one award."""

    award: Annotated[str, Meta(description="The name of the award.")]
    by_probability: Annotated[Value, Meta(description="The part that is due to its probability.")]
    by_pay: Annotated[Value, Meta(description="The part that is due to its pay.")]


class DiffAnswer(Answer, frozen=True, kw_only=True):
    """Two revisions of one bet at one shoe."""

    format: Annotated[str, Meta(description="The name of the format.")] = ANSWER_FORMAT
    name: Annotated[str, Meta(description="The paytables and the deck count.")]
    same: Annotated[bool, Meta(description="Whether neither the bet nor a figure differs.")]
    only_in: Annotated[str | None, Meta(description="old or new, if the other side has no counterpart.")]
    undesigned: Annotated[list[str], Meta(description="Paytables that are not designed for this deck count.")]
    bases: Annotated[list[str | None], Meta(description="The basis of the figures of each side.")]
    bet: Annotated[list[ChangeAnswer], Meta(description="Changes of the bet.")]
    figures: Annotated[list[ChangeAnswer], Meta(description="Changes of the figures.")]
    return_moved: Annotated[list[MovedReturnAnswer], Meta(description="The change of the return by award.")]
    document: Annotated[list[ChangeAnswer], Meta(description="Changes of the document alone.")]

    def __repr__(self) -> str:
        if self.same:
            return f"<{self.name}: no difference>"
        return f"<{self.name}: {len(self.bet)} changes of the bet, {len(self.figures)} changed figures>"
