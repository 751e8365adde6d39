"""Awards that add up: each hand is asked how often it fits every one of them, and what they pay is added.

What the sheet makes of the sums, their rules and their pays, is not looked at here: a sum is known by how often each
award is in it, and what it takes and pays follows from the awards themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.amounts import plain
from combinat.verifier.pays import Pay, of_prizes, pay_of
from combinat.verifier.reading import UnreadableError, said, shown
from combinat.verifier.wheels import wheels_of

MOST_PARTS = 50
TIMES_IN_WORDS = {1: "", 2: " twice"}


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
    if "all_matches" not in sheet:
        return []
    rows = said(said(sheet, "all_matches", dict), "awards", list)
    if not 1 <= len(rows) <= MOST_PARTS:
        raise UnreadableError(f"'all_matches' has {len(rows)} awards; 1 to {MOST_PARTS} can be checked")
    parts, wheels = [], wheels_of(sheet)
    for row in rows:
        per = row.get("per") if isinstance(row, dict) else None
        question = said(row, "rule", str) if per is None else said(row, "per", str)
        parts.append(Part(question, per is not None, pay_of(row, {}, Fraction(1), wheels)))
    return parts


def sums_of(sheet: dict[str, Any], parts: list[Part]) -> list[list[int]]:
    """Read how often each award is in every sum, in the order of the sheet's awards."""
    rows = said(said(sheet, "all_matches", dict), "sums", list)
    names = [said(award, "name", str) for award in said(sheet, "awards", list)]
    given = [said(row, "award", str) for row in rows]
    if given != names:
        others = sorted({*given} ^ {*names}) or names
        raise UnreadableError(f"'all_matches' has other sums than there are awards: {shown(', '.join(others))}")
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


def stated_rules(sheet: dict[str, Any]) -> list[tuple[str, str, str]]:
    """List each rule that a sheet states of sums and of awards that add up: its place, its text, what it must mean."""
    parts, rows = parts_of(sheet), sheet["all_matches"]["awards"]
    sums = [(f"awards[{at}] {shown(award['name'])}", award) for at, award in enumerate(sheet["awards"])]
    awards = [(f"all_matches.awards[{at}] {shown(said(row, 'name', str))}", row) for at, row in enumerate(rows)]
    meanings = [
        *questions_of(sheet)[:-1],
        *[f"({part.question}) > 0" if part.counts else part.question for part in parts],
    ]
    return [
        (f"{name}: rule", said(row, "rule", str), meaning)
        for (name, row), meaning in zip([*sums, *awards], meanings, strict=True)
    ]


def misstated_sums(sheet: dict[str, Any]) -> Iterator[str]:
    """Name every sum whose name, words or pay is not what its awards add up to."""
    parts, rows = parts_of(sheet), sheet["all_matches"]["awards"]
    names = [said(row, "name", str) for row in rows]
    sums = zip(sheet["awards"], sums_of(sheet, parts), added_pays(sheet), strict=True)
    for index, (award, times, pay) in enumerate(sums):
        counts = [(name, part.pay, many) for name, part, many in zip(names, parts, times, strict=True) if many]
        name = " + ".join([f"{many} × {name}" if many > 1 else name for name, _, many in counts])
        words = [f"{name}{TIMES_IN_WORDS.get(many, f' {many} times')}" for name, _, many in counts]
        pays = " + ".join([pay.text if many == 1 else f"{many} × ({pay.text})" for _, pay, many in counts])
        expected = {"name": name, "rule_in_words": f"{' and '.join(words)}, and no other award"}
        if not is_pay(award["pays_text"], pay, pays):
            expected["pays_text"] = pays if pay.prizes else f"{pay.amount} {pay.unit}"
        for key in [key for key, text in expected.items() if key in award and award[key] != text]:
            stated = f"the file says '{shown(award[key])}', but it is '{shown(expected[key])}'"
            yield f"awards[{index}] {shown(award['name'])}: {key}: {stated}"


def is_pay(text: str, pay: Pay, words: str) -> bool:
    """Return whether a text states a pay; where a wheel decides, the text is known in full."""
    if pay.prizes:
        return text == words
    try:
        stated = pay_of({"name": pay.award, "pays_text": text}, {}, Fraction(1), {})
    except UnreadableError:
        return False
    return (stated.amount, stated.unit) == (pay.amount, pay.unit) or stated.amount == pay.amount == 0


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
