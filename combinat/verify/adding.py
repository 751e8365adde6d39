"""Awards that add up: each hand is asked how often it fits every one of them, and what they pay is added.

What the sheet makes of the sums, their rules and their pays, is not looked at here: a sum is known by how often each
award is in it, and what it takes and pays follows from the awards themselves.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verify.amounts import plain
from combinat.verify.pays import Pay, of_prizes, pay_of
from combinat.verify.reading import UnreadableError, said, shown
from combinat.verify.wheels import wheels_of

MOST_PARTS = 50


class Part(NamedTuple):
    """One of the awards that add up."""

    question: str
    """The rule, or the number for each of which it is paid."""
    counts: bool
    """Whether it is a number."""
    pay: Pay

    def comes(self, times: int) -> str:
        """Ask whether a hand fits it just so often; of a card that is not there nothing is counted."""
        if self.counts:
            return f"({self.question}) == {times}" if times else f"not ({self.question}) > 0"
        return f"({self.question})" if times else f"not ({self.question})"


def parts_of(sheet: dict[str, Any]) -> list[Part]:
    """Read the awards that add up; there are none on most sheets."""
    if "adds_up" not in sheet:
        return []
    rows = said(said(sheet, "adds_up", dict), "awards", list)
    if not 1 <= len(rows) <= MOST_PARTS:
        raise UnreadableError(f"'adds_up' has {len(rows)} awards; 1 to {MOST_PARTS} can be checked")
    parts, wheels = [], wheels_of(sheet)
    for row in rows:
        per = row.get("per") if isinstance(row, dict) else None
        question = said(row, "rule", str) if per is None else said(row, "per", str)
        parts.append(Part(question, per is not None, pay_of(row, {}, Fraction(1), wheels)))
    return parts


def sums_of(sheet: dict[str, Any], parts: list[Part]) -> list[list[int]]:
    """Read how often each award is in every sum, in the order of the sheet's awards."""
    rows = said(said(sheet, "adds_up", dict), "sums", list)
    names = [said(award, "name", str) for award in said(sheet, "awards", list)]
    given = [said(row, "award", str) for row in rows]
    if given != names:
        others = sorted({*given} ^ {*names}) or names
        raise UnreadableError(f"'adds_up' has other sums than there are awards: {shown(', '.join(others))}")
    sums = [said(row, "times", list) for row in rows]
    for times in sums:
        if len(times) != len(parts) or not all(type(many) is int and 0 <= many <= 1000 for many in times):
            raise UnreadableError(f"cannot read the 'times' that awards are in a sum: {shown(times)}")
    return sums


def questions_of(sheet: dict[str, Any]) -> list[str]:
    """Write the question of each sum, and at last that of the hands that fit no award."""
    parts = parts_of(sheet)
    sums = [*sums_of(sheet, parts), [0] * len(parts)]
    return [" and ".join([part.comes(many) for part, many in zip(parts, times, strict=True)]) for times in sums]


def added_pays(sheet: dict[str, Any]) -> list[Pay]:
    """Add up what is paid in each sum: what is won, if the wager comes back, or all that comes back."""
    parts = parts_of(sheet)
    return [added_pay(sheet["awards"][at], parts, times) for at, times in enumerate(sums_of(sheet, parts))]


def added_pay(award: dict[str, Any], parts: list[Part], times: list[int]) -> Pay:
    """Add up the pays of one sum."""
    paid = [(part.pay, many) for part, many in zip(parts, times, strict=True) if many]
    name, text = said(award, "name", str), said(award, "pays_text", str)
    if not all(pay.is_fixed for pay, _ in paid):
        raise UnreadableError("awards that are paid from a meter do not add up")
    if any(pay.prizes for pay, _ in paid):
        return added_prizes(name, text, paid)
    if all(pay.unit == "for 1" and pay.amount for pay, _ in paid):
        back = sum([pay.amount * many for pay, many in paid], Fraction(0))
        return Pay(name, text, back, "for 1", plain(back))
    won = sum([(pay.gross.number - 1) * many for pay, many in paid], Fraction(0))
    is_part_lost = -1 <= won < 0  # a part of the wager, or just the wager, is written as what comes back of it
    return Pay(name, text, won + is_part_lost, "for 1" if is_part_lost else "to 1", plain(won + 1))


def added_prizes(name: str, text: str, paid: list[tuple[Pay, int]]) -> Pay:
    """Add up pays of which wheels decide some: every prize of one with every prize of the others."""
    unit = "for 1" if all(pay.unit == "for 1" and pay.amount for pay, _ in paid) else "to 1"
    kept = 1 if unit == "to 1" else 0  # what is won adds up, or all that comes back
    prizes = [(Fraction(kept), Fraction(1))]
    for pay, many in paid:
        prizes = [
            (total + (back.number - kept) * many, one * other) for total, one in prizes for back, other in pay.outcomes
        ]
    return of_prizes(name, text, unit, prizes)
