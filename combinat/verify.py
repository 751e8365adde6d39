"""Checks a par sheet by counting its bet a second time, in the plainest way, with the standard library only.

This file, recount.py and rehand.py share no code with the program that writes the sheets; they can be read and run by
themselves:

    python verify.py SHEET.json

What recount.py counts gives every figure of the sheet, and each that the sheet gives is compared with it; rehand.py
plays the hands on which winnings can ride. What is not compared is listed, so that nobody believes more than was
checked.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING or __package__:
    from combinat.recount import ENDLESS, MOST_DECKS, RANKS, Bet, CannotRederiveError, UnreadableError, said, shown
    from combinat.rehand import OF_DECISIONS, OF_OPTION, Unreached, option, takes
else:  # run by itself, with recount.py and rehand.py beside it
    from recount import ENDLESS, MOST_DECKS, RANKS, Bet, CannotRederiveError, UnreadableError, said, shown
    from rehand import OF_DECISIONS, OF_OPTION, Unreached, option, takes

REQUIRED = ("cycle", "awards", "loses", "house_edge", "return", "hit_frequency", "variance")
WITH_OPTION = ("house_edge_without_option", "return_without_option")
OF_AWARDS = ("fits", "ways", "probability", "return", "pays")
INPUTS = {"deal", "given", "roles_told_apart", "pack", "decks", "removed", "designed_decks", "meters", "meter_wager"}
INPUTS |= {"name", "rule", "pays_text", "z", "kind", "rules", "strategy"}
"""What the sheet says about the bet, from which everything else is worked out."""
INCOMPLETE = Unreached("with an option whose decisions are not complete")


# Amounts and pays


class Amount(dict[tuple[str, ...], Fraction]):
    """An exact amount in which meters of unknown value stand by name: the factor of each product of meters."""

    def __add__(self, other: Amount) -> Amount:
        return Amount({names: self.get(names, Fraction(0)) + other.get(names, 0) for names in {**self, **other}})

    def times(self, other: Amount | Fraction | int) -> Amount:
        """Multiply by a number or another amount."""
        result = Amount()
        for names, factor in (other if isinstance(other, Amount) else plain(other)).items():
            result += Amount({tuple(sorted(names + own)): factor * value for own, value in self.items()})
        return result

    @property
    def number(self) -> Fraction:
        """The part that depends on no meter."""
        return self.get((), Fraction(0))

    @property
    def is_open(self) -> bool:
        """Whether it depends on a meter of unknown value."""
        return any(factor for names, factor in self.items() if names)

    def __str__(self) -> str:
        text = ""
        terms = [(sorted(Counter(names).items()), factor) for names, factor in self.items() if factor]
        for powers, factor in sorted(terms, key=lambda term: (-sum(power for _, power in term[0]), term[0])):
            names = "*".join(name if power == 1 else f"{name}**{power}" for name, power in powers)
            size = "" if names and abs(factor) == 1 else f"{abs(factor)}*" if names else str(abs(factor))
            text += ((" - " if factor < 0 else " + ") if text else "-" if factor < 0 else "") + size + names
        return text


def plain(number: Fraction | int) -> Amount:
    """Make an amount of a number."""
    return Amount({(): Fraction(number)})


def number_of(value: object) -> Fraction:
    """Read an exact number: 5, "5/2", "2,000" or "2.5"."""
    digits = str(value).replace(",", "")
    if not re.fullmatch(r"\d{1,40}(\.\d{1,20}|/0*[1-9]\d{0,39})?", digits, re.ASCII):
        raise UnreadableError(f"no number '{shown(value)}'")
    return Fraction(digits)


class Pay(NamedTuple):
    """What an award pays for a wager of one; `gross` is all that comes back, the wager too if it is returned."""

    award: str
    text: str
    amount: Fraction
    unit: str
    gross: Amount


def pay_of(award: dict[str, Any], meters: dict[str, Fraction], wager: Fraction) -> Pay:
    """Read an award's pay: `9 to 1` returns the wager, `200 for 1` and `10% of meter` do not.

    A meter shows money, of which its award pays the share to whoever wagered the amount of money that the meter is for.
    """
    name, text = said(award, "name", str), said(award, "pays_text", str)
    plainly = {"push": "0 to 1", "loses": "0 for 1"}.get(text, text)
    found = re.fullmatch(r"(\S+?)(?: (to|for) 1|% of ([A-Za-z_]\w*))", plainly, re.ASCII)
    if not found:
        raise UnreadableError(f"cannot read the pay '{shown(text)}'")
    amount, meter = number_of(found[1]), found[3]
    if not meter:
        return Pay(name, text, amount, f"{found[2]} 1", plain(amount + (found[2] == "to")))
    worth = plain(meters[meter]) if meter in meters else Amount({(meter,): Fraction(1)})
    return Pay(name, text, amount / 100, f"of {meter}", worth.times(amount / 100 / wager))


# The figures that follow


def figures(bet: Bet, pays: list[Pay], ways: Counter[Any]) -> dict[str, Any]:
    """Work out everything that follows from the ways of all hands, or of those with one up card."""
    inside = {fitting: times for fitting, times in ways.items() if fitting is not None}
    cycle = sum(inside.values()) // bet.orders
    if not cycle:
        raise CannotRederiveError("no hand fulfils the condition")
    fits = [sum([times for one, times in inside.items() if one[at]]) // bet.orders for at in range(bet.rules)]
    takes = [
        sum([times for one, times in inside.items() if one[at] and not any(one[:at])]) // bet.orders
        for at in range(len(pays))
    ]
    loses = Fraction(cycle - sum(takes), cycle)
    chances = [Fraction(times, cycle) for times in takes]
    gross = [pay.gross for pay in pays]
    nets = [one + plain(-1) for one in gross]
    returns = [one.times(chance) for one, chance in zip(gross, chances, strict=True)]
    back = sum(returns, plain(0))
    edge = plain(1) + back.times(-1)
    wins = [(net, chance) for net, chance in zip(nets, chances, strict=True) if net.is_open or net.number > 0]
    hit = sum([chance for _, chance in wins], Fraction(0))
    push = sum(
        [chance for net, chance in zip(nets, chances, strict=True) if not net.is_open and net.number == 0], Fraction(0)
    )
    squares = sum([net.times(net).times(chance) for net, chance in zip(nets, chances, strict=True)], plain(loses))
    variance = squares + edge.times(edge).times(-1)
    # Distances of the results from their mean, which is the edge lost.
    results = [(net.number + edge.number, chance) for net, chance in zip(nets, chances, strict=True)]
    results.append((edge.number - 1, loses))
    second, third, fourth = [sum([far**power * chance for far, chance in results], Fraction(0)) for power in (2, 3, 4)]
    is_shaped = not back.is_open and second > 0
    # The top award is the one that pays most, a meter of unknown value being worth more than any pay.
    top = max(range(len(pays)), key=lambda at: (gross[at].is_open, gross[at].number))
    awards = [
        {
            "name": pay.award,
            "pays_text": pay.text,
            "pays": pay.amount,
            "unit": pay.unit,
            "pays_to_1": nets[at],
            "pays_for_1": gross[at],
            "fits": fits[at],
            "ways": takes[at],
            "taken_by_higher": fits[at] - takes[at],
            "probability": chances[at],
            "return": returns[at],
            "net": nets[at].times(chances[at]),
            "one_in": 1 / chances[at] if takes[at] else None,
            "fair_pay_for_1": 1 / chances[at] if takes[at] else None,
            "true_odds": 1 / chances[at] - 1 if takes[at] else None,
            "possible": takes[at] > 0,
            "share_of_return": returns[at].number / back.number if not back.is_open and back.number else None,
        }
        for at, pay in enumerate(pays)
    ]
    return {
        "cycle": cycle,
        "awards": awards,
        "loses": {"ways": cycle - sum(takes), "probability": loses},
        "house_edge": edge,
        "return": back,
        "expected_value": edge.times(-1),
        "fixed_return": sum(
            [one for one, pay in zip(returns, pays, strict=True) if pay.unit in ("to 1", "for 1")], plain(0)
        ),
        "hit_frequency": hit,
        "push_rate": push,
        "plays_per_hit": 1 / hit if hit else None,
        "edge_per_resolved_bet": edge.times(1 / (1 - push)) if push < 1 else None,
        "mean_win": sum([net.times(chance / hit) for net, chance in wins], plain(0)) if hit else None,
        "variance": variance,
        "standard_deviation": None if variance.is_open else f"sqrt({variance.number})",
        "skewness": f"{'-' * (third < 0)}sqrt({third**2 / second**3})" if is_shaped else None,
        "excess_kurtosis": fourth / second**2 - 3 if is_shaped else None,
        "return_without_top_award": back + returns[top].times(-1),
        "top_award_one_in": awards[top]["one_in"],
        "favors_player": edge.number < 0,
        **({"bust": Fraction(fits[-2], cycle), "suited_bust": Fraction(fits[-1], cycle)} if bet.draws else {}),
    }


def exact(value: Any) -> Any:
    """Write values as the sheet does: whole numbers as numbers, fractions as "p/q", meters by name."""
    if isinstance(value, Amount):
        value = str(value) if value.is_open else value.number
    if isinstance(value, Fraction):
        value = value.numerator if value.denominator == 1 else str(value)
    if isinstance(value, dict):
        return {key: exact(one) for key, one in value.items()}
    return [exact(one) for one in value] if isinstance(value, list) else value


# The sheet


def up_cards(bet: Bet, pays: list[Pay], rows: list[Any], by_up_card: dict[int, Counter[Any]], cycle: int) -> list[Any]:
    """Work out the figures given each up card, tens together or not as the sheet has them."""
    found = []
    for row in rows:
        ups = [RANKS.get(name, 0) for name in said(row, "up", str).split(", ")]
        ways = sum([by_up_card.pop(rank, Counter()) for rank in ups], Counter())
        if sum(ways.values()) == ways[None]:
            return ["a row for each up card that can be, and no other"]
        given = figures(bet, pays, ways)
        awards = [award for award in given["awards"] if award["possible"]]
        found.append(given | {"up": row["up"], "probability": Fraction(given["cycle"], cycle), "awards": awards})
    is_missing = any(sum(ways.values()) > ways[None] for ways in by_up_card.values())
    return ["a row for each up card that can be, and no other"] if is_missing else found


def deck_row(bet: Bet, pays: list[Pay], row: Any, designed: list[int]) -> dict[str, Any]:
    """Work out the figures for another number of decks."""
    decks = ENDLESS if isinstance(row, dict) and row.get("decks") == "infinite" else said(row, "decks", int)
    if not 0 <= decks <= MOST_DECKS or (decks == ENDLESS and row["decks"] != "infinite"):
        raise UnreadableError(f"no shoe has {shown(decks)} decks")
    ways = sum(bet.ways(decks).values(), Counter())
    return figures(bet, pays, ways) | {"decks": row["decks"], "designed": decks in designed}


def pay_rows(pays: list[Pay], awards: list[Any], gains: list[Fraction], rows: list[Any]) -> list[Any]:
    """Work out what one unit more and one less do to the edge, when each unit also gains so much by riding."""
    steps = {pay.award: award["probability"] + gain for pay, award, gain in zip(pays, awards, gains, strict=True)}
    asked = [said(row, "award", str) for row in rows]
    return [
        {"award": name, "one_more": -steps[name], "one_less": steps[name]} if name in steps else "an award"
        for name in asked
    ]


def recount(sheet: dict[str, Any]) -> dict[str, Any]:
    """Count the bet that a sheet describes and give the figures it should have, under the sheet's own keys."""
    bet = Bet(sheet)
    meters = {name: number_of(value) for name, value in said(sheet, "meters", dict).items()}
    # Sheets from before there was this key have amounts of meters in wagers.
    wager = Fraction(1) if sheet.get("meter_wager") is None else number_of(sheet["meter_wager"])
    if not wager:
        raise UnreadableError("a wager of nothing")
    pays = [pay_of(award, meters, wager) for award in sheet["awards"]]
    designed = said(sheet, "designed_decks", list)
    ways = bet.ways(bet.decks)
    found = figures(bet, pays, sum(ways.values(), Counter()))
    found |= {"cards": bet.size(bet.decks), "designed": bet.decks in designed}
    if bet.names_role:
        found["roles_told_apart"] = True
    for at, (award, given) in enumerate(zip(found["awards"], sheet["awards"], strict=True)):
        del award["name"], award["pays_text"]  # the sheet's own words, which nothing here can confirm
        example = given.get("example")
        is_right = takes(bet, example, at) if isinstance(example, dict) else example is None and not award["possible"]
        award["example"] = example if is_right else "a hand that takes the award" if award["possible"] else None
    gains: list[Fraction] | None = [Fraction(0)] * len(pays)
    if sheet.get("option") is not None:
        # The mean is that of the best choices; other figures are those of winnings taken.
        found["house_edge_without_option"], found["return_without_option"] = found["house_edge"], found["return"]
        found["option"], gains = option(bet, [pay.gross.number for pay in pays], said(sheet, "option", dict))
        edge = found["house_edge"] + plain(-found["option"].get("gain", 0))
        mean = {"house_edge": edge, "return": plain(1) + edge.times(-1), "expected_value": edge.times(-1)}
        mean |= {"favors_player": edge.number < 0}
        found |= dict.fromkeys(mean, INCOMPLETE) if gains is None else mean
    if all(pay.unit in ("to 1", "for 1") for pay in pays):
        found["hold"] = found["house_edge"]  # without a meter the long run is like every play
    if "up_cards" in sheet:
        rows = said(sheet, "up_cards", list)
        found["up_cards"] = up_cards(bet, pays, rows, dict(ways), found["cycle"]) if bet.draws else []
    if "deck_sensitivity" in sheet and not bet.removed:
        rows = said(sheet, "deck_sensitivity", list)
        found["deck_sensitivity"] = [deck_row(bet, pays, row, designed) for row in rows]
    if "pay_sensitivity" in sheet:
        rows = said(sheet, "pay_sensitivity", list)
        found["pay_sensitivity"] = INCOMPLETE if gains is None else pay_rows(pays, found["awards"], gains, rows)
    if "volatility_index" in sheet:
        squares = [number_of(said(row, "z", str)) ** 2 for row in said(sheet, "volatility_index", list)]
        known = None if found["variance"].is_open else found["variance"].number
        found["volatility_index"] = [
            {"index": None if known is None else f"sqrt({square * known})"} for square in squares
        ]
    if "data_sha256" in sheet:
        rest = {key: value for key, value in sheet.items() if key != "data_sha256"}
        text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        found["data_sha256"] = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    written: dict[str, Any] = exact(found)
    return written


@dataclass
class Verdict:
    """What came of checking a sheet: the figures that differ, how many were compared, and what was not looked at."""

    differences: list[str] = field(default_factory=list)
    checked: int = 0
    not_checked: list[str] = field(default_factory=list)

    def compare(self, said_there: Any, should_be: Any, path: str = "") -> None:
        """Compare what the file says with what it should be, part by part."""
        if isinstance(said_there, dict) and isinstance(should_be, dict):
            for key, value in said_there.items():
                place = f"{path}.{key}" if path and not path.endswith(" ") else f"{path}{key}"
                known = should_be.get(key)
                if key in should_be and not isinstance(known, Unreached):
                    self.compare(value, known, place)
                elif key not in INPUTS:
                    name = " ".join([re.sub(r"\[\d+\].*?: ", "[].", place), *([known] if known else [])])
                    self.not_checked += [name] * (name not in self.not_checked)
        elif isinstance(said_there, list) and isinstance(should_be, list) and len(said_there) == len(should_be):
            for at, (one, other) in enumerate(zip(said_there, should_be, strict=True)):
                labels = (
                    [one.get(key) for key in ("name", "hand", "up", "award", "decks", "confidence")]
                    if isinstance(one, dict)
                    else []
                )
                label = next((f" {shown(label)}" for label in labels if label is not None), "")
                label += (
                    f" against {shown(one['up'])}" if isinstance(one, dict) and {"hand", "up"} <= one.keys() else ""
                )
                self.compare(one, other, f"{path}[{at}]{label}: ")
        else:
            self.checked += 1
            if type(said_there) is not type(should_be) or said_there != should_be:
                what = f"the file says {in_words(said_there)}, but it is {in_words(should_be)}"
                self.differences.append(f"{path.removesuffix(': ')}: {what}")


def in_words(value: object) -> str:
    """Write a value as JSON has it."""
    return shown(json.dumps(value, ensure_ascii=False))


def verify(sheet: dict[str, Any]) -> Verdict:
    """Count the bet of a sheet again and compare every figure that is known here."""
    verdict = Verdict()
    try:
        should_be = recount(sheet)
    except CannotRederiveError as error:
        verdict.differences.append(f"cannot be re-derived: {error}")
        return verdict
    parts: list[tuple[str, dict[str, Any], tuple[str, ...]]] = [("", sheet, REQUIRED)]
    parts += [(f"awards[{at}] {shown(award['name'])}: ", award, OF_AWARDS) for at, award in enumerate(sheet["awards"])]
    if sheet.get("option") is not None:
        decisions = sheet["option"]["decisions"]
        parts += [("", sheet, WITH_OPTION), ("option.", sheet["option"], OF_OPTION)]
        parts += [(f"option.decisions[{at}]: ", decision, OF_DECISIONS) for at, decision in enumerate(decisions)]
    for path, part, required in parts:
        verdict.differences += [f"{path}{key}: missing" for key in required if key not in part]
    verdict.compare(sheet, should_be)
    return verdict


def read(path: str | Path) -> dict[str, Any]:
    """Read a sheet's file, in which nothing may be said twice: a person would see the one and a program the other."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            raise UnreadableError("a key stands twice in one object")
        return found

    try:
        sheet = json.loads(Path(path).read_bytes().decode("utf-8"), object_pairs_hook=once)
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from None
    except UnreadableError:
        raise
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"is no JSON: {shown(error)}") from None
    if not isinstance(sheet, dict):
        raise UnreadableError("is no par sheet: an object was expected")
    return sheet


def main(arguments: list[str]) -> int:
    """Check the files named and say what differs; 0 if nothing does, 1 if something does, 2 if one cannot be read."""
    result = 0 if arguments else 2
    if not arguments:
        print("usage: python verify.py SHEET.json ...", file=sys.stderr)
    for path in arguments:
        try:
            verdict = verify(read(path))
        except UnreadableError as error:
            print(f"{path}: {error}", file=sys.stderr)
            result = 2
            continue
        if verdict.differences:
            result = max(result, 1)
            print(f"{path}: differs")
            print(*(f"  {difference}" for difference in verdict.differences), sep="\n")
        else:
            print(f"{path}: {verdict.checked} figures re-derived, all agree")
        if verdict.not_checked:
            print(f"  not checked: {', '.join(verdict.not_checked)}")
    return result


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
