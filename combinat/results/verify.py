"""The answer to `verify`."""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta

from combinat.results.answer import ANSWER_FORMAT, Answer


class VerifyAnswer(Answer, frozen=True, kw_only=True):
    """The verdict of the verifier on one sheet."""

    format: Annotated[str, Meta(description="The name of the format.")] = ANSWER_FORMAT
    file: Annotated[str, Meta(description="The file; empty for a sheet that is not a file.")]
    ok: Annotated[bool, Meta(description="Whether every figure was recounted and is equal.")]
    problem: Annotated[str | None, Meta(description="Why the file cannot be read; null if it can.")]
    checked: Annotated[int, Meta(description="The number of figures that were recounted.")]
    differences: Annotated[list[str], Meta(description="Figures that differ, one sentence each.")]
    not_reached: Annotated[str | None, Meta(description="Why the bet was not recounted; null if it was.")]
    not_checked: Annotated[list[str], Meta(description="Figures that were not recounted.")]
    coverage: Annotated[dict[str, Any] | None, Meta(description="What was checked and how, and what was not.")]
    notes: Annotated[list[str], Meta(description="Remarks, such as a file that is not of the catalog.")]

    @property
    def agrees(self) -> bool:
        """Whether every figure was recounted and is equal."""
        return self.ok

    def __repr__(self) -> str:
        if self.problem:
            return f"<cannot be read: {self.problem}>"
        if self.ok:
            return f"<all {self.checked:,} figures agree>"
        if self.differences:
            return f"<{len(self.differences)} of {self.checked:,} figures differ>"
        return f"<{len(self.not_checked)} figures not recounted>"
