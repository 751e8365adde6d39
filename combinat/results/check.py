"""The answer to `check`."""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated

from msgspec import Meta

from combinat.finder.checks import CheckResult, DeckFigures, Finding
from combinat.results.answer import ANSWER_FORMAT, Answer


class FindingAnswer(Answer, frozen=True, kw_only=True):
    """Something that is wrong or unusual about a paytable."""

    paytable: str
    level: Annotated[str, Meta(description="`error` or `warning`.")]
    text: str

    def __str__(self) -> str:
        return f"{self.paytable}: {self.level}: {self.text}"

    @classmethod
    def of(cls, finding: Finding) -> FindingAnswer:
        """Build the answer from a finding."""
        return cls(paytable=finding.paytable, level=finding.level, text=finding.text)


class DeckFiguresAnswer(Answer, frozen=True, kw_only=True):
    """Figures of a wager at one deck count."""

    paytable: str
    decks: int
    house_edge: Annotated[Fraction | None, Meta(description="`null` if it depends on a meter.")]
    hit_frequency: Fraction
    has_option: Annotated[bool, Meta(description="Whether winnings may be left on the next hand.")]

    @classmethod
    def of(cls, figures: DeckFigures) -> DeckFiguresAnswer:
        """Build the answer from figures."""
        return cls(
            paytable=figures.paytable,
            decks=figures.decks,
            house_edge=figures.house_edge,
            hit_frequency=figures.hit_frequency,
            has_option=figures.has_option,
        )


class CheckAnswer(Answer, frozen=True, kw_only=True):
    """The result of a check."""

    format: str = ANSWER_FORMAT
    ok: Annotated[bool, Meta(description="Whether there is neither a problem nor a finding.")]
    problems: Annotated[list[str], Meta(description="Why files cannot be read.")]
    findings: list[FindingAnswer]
    figures: Annotated[list[DeckFiguresAnswer], Meta(description="Figures of the wager alone.")]

    def __repr__(self) -> str:
        return "<ok>" if self.ok else f"<{len(self.problems)} problems, {len(self.findings)} findings>"

    @classmethod
    def of(cls, result: CheckResult) -> CheckAnswer:
        """Build the answer from findings and the problems of files."""
        return cls(
            ok=not result.problems and not result.findings,
            problems=list(result.problems),
            findings=[FindingAnswer.of(finding) for finding in result.findings],
            figures=[DeckFiguresAnswer.of(figures) for figures in result.figures],
        )
