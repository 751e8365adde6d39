"""Figures of a wager from its awards: pays, return, edge, variance, and what other pays or chips would do.

With probabilities p and gross returns g (the wager included): return = Σ p·g, edge = 1 - return, variance =
Σ p·(g-1)² - edge², skewness = Σ p·(g-1+edge)³ / variance^(3/2), excess kurtosis = Σ p·(g-1+edge)⁴ / variance² - 3, hit
frequency = Σ p over g > 1, and so on. `9 to 1` returns 10, `9 for 1` returns 9, `10% of meter` a tenth of the meter for
the wager that the meter is for. A meter without a given amount stays in the figures by its name.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.deal import Counts
from combinat.verifier.sheet import Amount, Root, SheetError, field, parse_number, show

TIMES = " × "
CHIPS = (1, 2, 3, 5, 10, 15, 25)
Results = list[tuple[Fraction, Fraction]]
"""Gross returns for a wager of 1, each with its probability."""


class Pay(NamedTuple):
    """The pay of an award for a wager of 1."""

    award: str
    text: str
    amount: Fraction
    unit: str
    gross: Amount
    """The total return, the wager included if it is returned; the mean if a wheel decides."""
    prizes: tuple[tuple[Fraction, Fraction], ...] = ()
    """If a wheel decides: each total return with its probability."""

    @property
    def is_fixed(self) -> bool:
        """Whether it does not come from a meter."""
        return self.unit in ("to 1", "for 1")

    @property
    def meter(self) -> str:
        """The meter that pays."""
        return self.unit.removeprefix("of ")

    @property
    def outcomes(self) -> list[tuple[Amount, Fraction]]:
        """The total returns with their probabilities, given the award."""
        return [(Amount.of(gross), chance) for gross, chance in self.prizes] or [(self.gross, Fraction(1))]

    @property
    def highest(self) -> Fraction:
        """The largest total return."""
        return max([gross for gross, _ in self.prizes], default=self.gross.number)


def _format_decimal(value: Fraction) -> str:
    """Format a number as the sheet does: 2.5, 1,000 or 2/3."""
    for decimals in range(12):
        scaled = value * 10**decimals
        if scaled.denominator == 1:
            digits = str(abs(scaled.numerator)).rjust(decimals + 1, "0")
            integer_digits, decimal_digits = (digits[:-decimals], digits[-decimals:]) if decimals else (digits, "")
            return f"{'-' if value < 0 else ''}{int(integer_digits):,}" + (
                f".{decimal_digits}" if decimal_digits else ""
            )
    return str(value)


def parse_odds(text: str) -> tuple[Fraction, str]:
    """Parse the pay of a paytable as an amount and its unit.

    >>> parse_odds("5 to 2"), parse_odds("push"), parse_odds("10% of Mega")
    ((Fraction(5, 2), 'to 1'), (Fraction(0, 1), 'to 1'), (Fraction(1, 10), 'of Mega'))
    """
    plain = " ".join(text.split())
    special = {"push": (0, "to 1"), "loses": (0, "for 1"), "even money": (1, "to 1")}
    if plain.lower() in special:
        amount, unit = special[plain.lower()]
        return Fraction(amount), unit
    if lost := re.fullmatch(r"loses (\S+)", plain):
        return -parse_number(lost[1]), "to 1"
    if share := re.fullmatch(r"(\S+?)% of ([A-Za-z_]\w*)", plain, re.ASCII):
        return parse_number(share[1]) / 100, f"of {share[2]}"
    odds = re.fullmatch(r"([\d.,/]+) (to|for) ([\d.,]+)", plain, re.ASCII) or re.fullmatch(
        r"([\d.,]+)()(?:-to-|:)([\d.,]+)", plain, re.ASCII
    )
    if odds is None or not parse_number(odds[3]):
        raise SheetError(f"the pay '{show(text)}' cannot be read")
    return parse_number(odds[1]) / parse_number(odds[3]), f"{odds[2] or 'to'} 1"


def format_odds(amount: Fraction, unit: str) -> str:
    """Format a pay as the sheet does."""
    if unit.startswith("of "):
        return f"{_format_decimal(amount * 100)}% {unit}"
    if amount < 0:
        return f"loses {_format_decimal(-amount)}"
    if amount == 0:
        return "push" if unit == "to 1" else "loses"
    return f"{_format_decimal(amount)} {unit}"


def pay_of(name: str, text: str, meters: dict[str, Fraction], wager: Fraction, wheels: dict[str, Results]) -> Pay:
    """Return the pay of an award as the sheet states it."""
    once, separator, wheel = text.partition(TIMES)
    amount, unit = parse_odds(once)
    if format_odds(amount, unit) != once:
        raise SheetError(f"the pay '{show(text)}' is not written as a sheet writes it")
    if separator:
        if wheel not in wheels:
            raise SheetError(f"there is no wheel '{show(wheel)}'")
        wager_kept = int(unit == "to 1")  # the wager comes back once, however often the pay is multiplied
        return of_prizes(name, text, unit, [(amount * stop + wager_kept, chance) for stop, chance in wheels[wheel]])
    if not unit.startswith("of "):
        return Pay(name, text, amount, unit, Amount.of(amount + (unit == "to 1")))
    meter = unit.removeprefix("of ")
    worth = Amount.of(meters[meter]) if meter in meters else Amount({(meter,): Fraction(1)})
    return Pay(name, text, amount, unit, worth.times(amount / wager))


def of_prizes(name: str, text: str, unit: str, prizes: Results) -> Pay:
    """Return a pay of several prizes, equal ones together, the highest first."""
    together: dict[Fraction, Fraction] = {}
    for gross, chance in prizes:
        together[gross] = together.get(gross, Fraction(0)) + chance
    mean = sum([gross * chance for gross, chance in together.items()], Fraction(0))
    ordered = tuple(sorted(together.items(), reverse=True))
    return Pay(name, text, mean - (unit == "to 1"), unit, Amount.of(mean), ordered)


class Awards(NamedTuple):
    """The awards of a bet with their probabilities."""

    pays: list[Pay]
    chances: list[Fraction]

    @classmethod
    def of(cls, pays: list[Pay], counts: Counts) -> Awards:
        """Return the awards with the probabilities of some counts."""
        return cls(pays, [Fraction(ways, counts.cycle) for ways in counts.winning])

    @property
    def losing(self) -> Fraction:
        """The probability of no award."""
        return 1 - sum(self.chances, Fraction(0))

    @property
    def fixed_return(self) -> Fraction:
        """The return of the awards that are not paid from a meter."""
        pairs = zip(self.pays, self.chances, strict=True)
        return sum([pay.gross.number * chance for pay, chance in pairs if pay.is_fixed], Fraction(0))

    @property
    def meters(self) -> list[str]:
        """The meters that awards are paid from."""
        return list(dict.fromkeys(pay.meter for pay in self.pays if not pay.is_fixed))

    def results(self, amounts: dict[str, Fraction], wager: Fraction) -> Results:
        """Return the gross returns while the meters stand at some amounts, that of no award last."""
        rows: Results = []
        for pay, chance in zip(self.pays, self.chances, strict=True):
            if pay.is_fixed:
                rows += [(gross.number, chance * share) for gross, share in pay.outcomes]
            else:
                rows.append((pay.amount * amounts[pay.meter] / wager, chance))
        return [*rows, (Fraction(0), self.losing)]

    def gross_at(self, amounts: dict[str, Fraction], wager: Fraction) -> list[Fraction] | None:
        """Return the mean gross return of each award at some amounts; `None` if a meter has none."""
        if not set(self.meters) <= set(amounts):
            return None
        return [pay.gross.number if pay.is_fixed else pay.amount * amounts[pay.meter] / wager for pay in self.pays]


def mean_of(results: Results) -> Fraction:
    """Return the mean gross return."""
    return sum([gross * chance for gross, chance in results], Fraction(0))


def central_moment(results: Results, power: int) -> Fraction:
    """Return the mean of a power of the distance from the mean."""
    mean = mean_of(results)
    return sum([(gross - mean) ** power * chance for gross, chance in results], Fraction(0))


def moments(results: Results) -> dict[str, Any]:
    """Return edge, variance, standard deviation, skewness and excess kurtosis of gross returns."""
    second, third, fourth = [central_moment(results, power) for power in (2, 3, 4)]
    return {
        "house_edge": 1 - mean_of(results),
        "variance": second,
        "standard_deviation": Root(second),
        "skewness": Root(third**2 / second**3, third < 0) if second else None,
        "excess_kurtosis": fourth / second**2 - 3 if second else None,
    }


def add(amounts: list[Amount]) -> Amount:
    """Return the sum of amounts."""
    return sum(amounts, Amount.of(0))


# The figures of a wager


def wager_figures(pays: list[Pay], counts: Counts) -> dict[str, Any]:
    """Return every figure that follows from the counts of the awards."""
    awards = Awards.of(pays, counts)
    pairs = list(zip(pays, awards.chances, strict=True))
    returned = add([pay.gross.times(chance) for pay, chance in pairs])
    edge = Amount.of(1) - returned
    outcomes = [(gross - Amount.of(1), chance * share) for pay, chance in pairs for gross, share in pay.outcomes]
    wins = [(net, chance) for net, chance in outcomes if net.is_open or net.number > 0]
    hit = sum([chance for _, chance in wins], Fraction(0))
    push = sum([chance for net, chance in outcomes if not net.is_open and net.number == 0], Fraction(0))
    all_outcomes = [*outcomes, (Amount.of(-1), awards.losing)]
    variance = add([net.times(net).times(chance) for net, chance in all_outcomes]) - edge.times(edge)
    top = max(pays, key=lambda pay: (pay.gross.is_open, pay.gross.number))
    top_pairs = [(pay, chance) for pay, chance in pairs if pay.gross == top.gross]  # several may tie
    top_chance = sum([chance for _, chance in top_pairs], Fraction(0))
    shape: dict[str, Any] = {"skewness": None, "excess_kurtosis": None}
    if not edge.is_open:
        shape = {key: moments([(net.number + 1, chance) for net, chance in all_outcomes])[key] for key in shape}
    return {
        "cycle": counts.cycle,
        "losing_hands": {"ways": counts.losing, "probability": awards.losing},
        "house_edge": edge,
        "return": returned,
        "expected_value": edge.times(-1),
        "favors_player": edge.number < 0,
        "fixed_return": add([pay.gross.times(chance) for pay, chance in pairs if pay.is_fixed]),
        "hit_frequency": hit,
        "push_rate": push,
        "plays_per_hit": 1 / hit if hit else None,
        "mean_win": add([net.times(chance / hit) for net, chance in wins]) if hit else None,
        "edge_per_resolved_bet": edge.times(1 / (1 - push)) if push < 1 else None,
        "variance": variance,
        "standard_deviation": None if variance.is_open else Root(variance.number),
        **shape,
        "return_without_top_award": returned - add([pay.gross.times(chance) for pay, chance in top_pairs]),
        "top_award_one_in": 1 / top_chance if top_chance else None,
    }


def award_rows(pays: list[Pay], counts: Counts) -> list[dict[str, Any]]:
    """Return the figures of each award."""
    awards = Awards.of(pays, counts)
    returned = add([pay.gross.times(chance) for pay, chance in zip(pays, awards.chances, strict=True)])
    rows = []
    for index, (pay, chance) in enumerate(zip(pays, awards.chances, strict=True)):
        one_in = 1 / chance if chance else None
        has_share = not returned.is_open and returned.number
        rows.append(
            {
                "pays": pay.amount,
                "unit": pay.unit,
                "inclusive_count": counts.matching[index],
                "ways": counts.winning[index],
                "probability": chance,
                "return": pay.gross.times(chance),
                "net": (pay.gross - Amount.of(1)).times(chance),
                "one_in": one_in,
                "true_odds": None if one_in is None else one_in - 1,
                "possible": chance > 0,
                "less_higher_ranked": counts.matching[index] - counts.winning[index],
                "pays_to_1": pay.gross - Amount.of(1),
                "pays_for_1": pay.gross,
                "share_of_return": pay.gross.times(chance).number / returned.number if has_share else None,
                "fair_pay_for_1": one_in,
            }
        )
    return rows


# Awards that add up, and wheels


def parse_wheels(sheet: dict[str, Any]) -> dict[str, Results]:
    """Return the wheels of a sheet: each multiplier with its probability."""
    wheels = {}
    for row in field(field(sheet, "wheels", dict), "wheels", list) if "wheels" in sheet else ():
        weights = [field(stop, "weight", int) for stop in field(row, "stops", list)]
        if not weights or min(weights) < 1:
            raise SheetError("a wheel has no stops")
        stops = [parse_number(stop.get("times")) for stop in row["stops"]]
        wheels[field(row, "name", str)] = [
            (stop, Fraction(weight, sum(weights))) for stop, weight in zip(stops, weights, strict=True)
        ]
    return wheels


def sum_pay(name: str, pays_won: list[tuple[Pay, int]]) -> Pay:
    """Return the pay of several awards together, each a number of times."""
    text = " + ".join([pay.text if count == 1 else f"{count}{TIMES}({pay.text})" for pay, count in pays_won])
    if any(pay.prizes for pay, _ in pays_won):
        unit = "for 1" if all(pay.unit == "for 1" and pay.amount for pay, _ in pays_won) else "to 1"
        wager_kept = int(unit == "to 1")
        prizes: Results = [(Fraction(wager_kept), Fraction(1))]
        for pay, count in pays_won:
            prizes = [
                (total + (gross.number - wager_kept) * count, chance * share)
                for total, chance in prizes
                for gross, share in pay.outcomes
            ]
        return of_prizes(name, text, unit, prizes)
    if all(pay.unit == "for 1" and pay.amount for pay, _ in pays_won):
        gross = sum([pay.amount * count for pay, count in pays_won], Fraction(0))
        return Pay(name, format_odds(gross, "for 1"), gross, "for 1", Amount.of(gross))
    won = sum([(pay.gross.number - 1) * count for pay, count in pays_won], Fraction(0))
    is_part_lost = -1 <= won < 0
    amount, unit = (won + 1, "for 1") if is_part_lost else (won, "to 1")
    return Pay(name, format_odds(amount, unit), amount, unit, Amount.of(won + 1))


# Other pays


def misranked_rows(awards: Awards) -> list[dict[str, Any]]:
    """Return what it costs players if each award is paid as the next one, the last not at all."""
    possible = [(pay, chance) for pay, chance in zip(awards.pays, awards.chances, strict=True) if chance]
    rows = []
    for (pay, chance), (below, _) in zip(possible, [*possible[1:], (None, None)], strict=False):
        if not pay.is_fixed or (below is not None and not below.is_fixed):
            continue
        lost = pay.gross.number - (below.gross.number if below is not None else 0)
        if lost > 0:
            rows.append({"award": pay.award, "below": below and below.award, "change": chance * lost})
    return rows


def rounding_rows(awards: Awards) -> list[dict[str, Any]]:
    """Return the edge if wins are rounded to whole chips, for each wager at which something is rounded."""
    possible = [(pay.gross, chance) for pay, chance in zip(awards.pays, awards.chances, strict=True) if chance]
    if any(gross.is_open for gross, _ in possible):
        return []
    nets = [(gross.number - 1, chance) for gross, chance in possible]
    edge = awards.losing - sum([net * chance for net, chance in nets], Fraction(0))
    rows = []
    for chips in CHIPS:
        won = [(net * chips, chance) for net, chance in nets if net > 0]
        if all(amount.denominator == 1 for amount, _ in won):
            continue
        up = sum([(amount.__ceil__() - amount) * chance for amount, chance in won], Fraction(0)) / chips
        down = sum([(amount - amount.__floor__()) * chance for amount, chance in won], Fraction(0)) / chips
        rows.append({"wager": chips, "rounded_up": edge - up, "rounded_down": edge + down})
    return rows


def pay_rows(awards: Awards, basis: str, extra_return: Callable[[int, int], Fraction]) -> list[dict[str, Any]]:
    """Return what one unit more and less does to the edge; `extra_return` adds what a parlay then gains."""
    return [
        {
            "award": pay.award,
            "one_more": -chance - extra_return(index, 1),
            "one_less": chance - extra_return(index, -1),
            "basis": basis,
        }
        for index, (pay, chance) in enumerate(zip(awards.pays, awards.chances, strict=True))
        if pay.is_fixed
    ]


def wrong_unit(awards: Awards, rows: list[dict[str, Any]], basis: str, adds_up: bool) -> dict[str, Any]:
    """Return what it does to the edge if pays "to 1" are paid "for 1", and the reverse."""
    changes = {row["award"]: row for row in rows}
    fields: dict[str, Any] = {"basis": basis}
    for key, unit, change in (("to_as_for", "to 1", "one_less"), ("for_as_to", "for 1", "one_more")):
        wins = [
            pay.award
            for pay, chance in zip(awards.pays, awards.chances, strict=True)
            if chance and pay.unit == unit and pay.gross.number > 1
        ]
        total = sum([changes[award][change] for award in wins], Fraction(0))
        fields[key] = total if wins and not adds_up else None
    return fields
