"""The figures of a wager that is settled and over, from how often each award comes and what it pays."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.adding import parts_of, sums_of
from combinat.verifier.amounts import Amount, added, plain
from combinat.verifier.counting import Counts
from combinat.verifier.pays import Pay
from combinat.verifier.wheels import stop_figures


class Line(NamedTuple):
    """An award with its chance."""

    pay: Pay
    chance: Fraction

    @property
    def net(self) -> Amount:
        """What the player is then richer by."""
        return self.pay.gross - plain(1)

    @property
    def back(self) -> Amount:
        """What comes back on average because of it."""
        return self.pay.gross.times(self.chance)

    @property
    def results(self) -> list[tuple[Amount, Fraction]]:
        """What the player is richer by, with the chance of each: one result, or one for each prize of a wheel."""
        return [(back - plain(1), self.chance * chance) for back, chance in self.pay.outcomes]

    @property
    def one_in(self) -> Fraction | None:
        """In how many plays it comes once."""
        return 1 / self.chance if self.chance else None


def figures(pays: list[Pay], counts: Counts) -> dict[str, Any]:
    """Work out everything that follows from the counts."""
    lines = [Line(pay, Fraction(won, counts.cycle)) for pay, won in zip(pays, counts.winning, strict=True)]
    loses = Fraction(counts.losing, counts.cycle)
    back = added([line.back for line in lines])
    return {
        "cycle": counts.cycle,
        "awards": [award(line, counts, at, back) for at, line in enumerate(lines)],
        "losing_hands": {"ways": counts.losing, "probability": loses},
        "fixed_return": added([line.back for line in lines if line.pay.is_fixed]),
        **mean(plain(1) - back),
        **hits(lines, plain(1) - back),
        **spread(lines, loses, plain(1) - back),
        **top_award(lines, back),
    }


def award(line: Line, counts: Counts, at: int, back: Amount) -> dict[str, Any]:
    """Give the figures of one award."""
    is_share_known = not back.is_open and back.number
    return {
        "name": line.pay.award,
        "pays_text": line.pay.text,
        "pays": line.pay.amount,
        "unit": line.pay.unit,
        "pays_to_1": line.net,
        "pays_for_1": line.pay.gross,
        "inclusive_count": counts.matching[at],
        "ways": counts.winning[at],
        "less_higher_ranked": counts.matching[at] - counts.winning[at],
        "probability": line.chance,
        "return": line.back,
        "net": line.net.times(line.chance),
        "one_in": line.one_in,
        "fair_pay_for_1": line.one_in,
        "true_odds": None if line.one_in is None else line.one_in - 1,
        "possible": line.chance > 0,
        "share_of_return": line.back.number / back.number if is_share_known else None,
    }


def mean(edge: Amount) -> dict[str, Any]:
    """Give what is kept and what comes back on average."""
    return {
        "house_edge": edge,
        "return": plain(1) - edge,
        "expected_value": edge.times(-1),
        "favors_player": edge.number < 0,
    }


def hits(lines: list[Line], edge: Amount) -> dict[str, Any]:
    """Give how often the player wins, how much then, and how often nothing is decided.

    More than the wager is won if more comes back; a meter of unknown value is worth that.
    """
    results = [result for line in lines for result in line.results]
    wins = [(net, chance) for net, chance in results if net.is_open or net.number > 0]
    hit = sum([chance for _, chance in wins], Fraction(0))
    push = sum([chance for net, chance in results if not net.is_open and net.number == 0], Fraction(0))
    return {
        "hit_frequency": hit,
        "push_rate": push,
        "plays_per_hit": 1 / hit if hit else None,
        "edge_per_resolved_bet": edge.times(1 / (1 - push)) if push < 1 else None,
        "mean_win": added([net.times(chance / hit) for net, chance in wins]) if hit else None,
    }


def spread(lines: list[Line], loses: Fraction, edge: Amount) -> dict[str, Any]:
    """Give how far the results lie from their mean, which is the edge lost."""
    every = [*[result for line in lines for result in line.results], (plain(-1), loses)]
    variance = added([net.times(net).times(chance) for net, chance in every]) - edge.times(edge)
    known: dict[str, Any] = {
        "variance": variance,
        "standard_deviation": None,
        "skewness": None,
        "excess_kurtosis": None,
    }
    if not variance.is_open:
        known["standard_deviation"] = f"sqrt({variance.number})"
    if edge.is_open:
        return known
    second, third, fourth = [
        sum([(net.number + edge.number) ** power * chance for net, chance in every], Fraction(0)) for power in (2, 3, 4)
    ]
    if second:
        known["skewness"] = f"{'-' if third < 0 else ''}sqrt({third**2 / second**3})"
        known["excess_kurtosis"] = fourth / second**2 - 3
    return known


def top_award(lines: list[Line], back: Amount) -> dict[str, Any]:
    """Give how rare the award is that pays most, a meter of unknown value being worth more than any pay."""
    top = max(lines, key=lambda line: (line.pay.gross.is_open, line.pay.gross.number))
    highest = [line for line in lines if line.pay.gross == top.pay.gross]
    chance = sum([line.chance for line in highest], Fraction(0))
    for line in highest:
        back = back - line.back
    return {"return_without_top_award": back, "top_award_one_in": 1 / chance if chance else None}


def added_figures(sheet: dict[str, Any], counts: Counts) -> dict[str, Any]:
    """Work out each award by itself, and how many hands fit none."""
    parts = parts_of(sheet)
    sums = list(zip(sums_of(sheet, parts), counts.winning, strict=True))
    rows = []
    for at, part in enumerate(parts):
        fitting = sum([ways for times, ways in sums if times[at]])
        mean = Fraction(sum([ways * times[at] for times, ways in sums]), counts.cycle)
        rows.append(
            {
                "inclusive_count": fitting,
                "probability": Fraction(fitting, counts.cycle),
                "mean_times": mean,
                "paid": mean * part.pay.amount,
            }
        )
    names = [{"award": award["name"]} for award in sheet["awards"]]
    return {"awards": rows, "sums": names, "none": counts.matching[len(sums)]}


def wheel_figures(sheet: dict[str, Any], pays: list[Pay], counts: Counts) -> dict[str, Any]:
    """Work out every prize that a wheel decides."""
    prizes = [
        {
            "award": pay.award,
            "pays_to_1": back - 1,
            "pays_for_1": back,
            "probability": Fraction(won, counts.cycle) * chance,
            "return": back * Fraction(won, counts.cycle) * chance,
        }
        for pay, won in zip(pays, counts.winning, strict=True)
        for back, chance in pay.prizes
    ]
    return {"wheels": stop_figures(sheet), "prizes": prizes}
