"""What the tables of a sheet should say: up cards, numbers of decks, pays, volatility, and the derivation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import perm
from typing import Any, NamedTuple

from combinat.verifier.adding import added_pays
from combinat.verifier.bases import basis_of, basis_of_the_wager
from combinat.verifier.bet import Bet, Matches
from combinat.verifier.cards import INFINITE, MOST_DECKS, RANKS, TENS
from combinat.verifier.compare import Described, NotChecked
from combinat.verifier.counting import Counts, Ways, counts_of, is_void, listed, winners
from combinat.verifier.coups import LONGEST, Coups
from combinat.verifier.dealer_draws import DealerDraws
from combinat.verifier.figures import figures
from combinat.verifier.fixed_deals import FixedDeals
from combinat.verifier.patterns import drawn_hands, fixed_steps, patterns_of
from combinat.verifier.pays import Pay, pays_of
from combinat.verifier.rank_by_rank import RankByRank
from combinat.verifier.reading import UnreadableError, format_of, said, shown
from combinat.verifier.riding import Riding, has_choice
from combinat.verifier.steps import NO_AWARD

OF_DECKS = ("house_edge", "return", "hit_frequency", "standard_deviation", "top_award_one_in")
EVERY_UP_CARD = Described("a row for each up card that can be, and no other")
AN_AWARD = Described("an award")
EVERY_AWARD = Described("a row for each award and one for none, in their order")
WITH_HANDS_OUT_OF_REACH = NotChecked("of awards that would then win with hands out of reach")


class Counted(NamedTuple):
    """A sheet with its bet counted again."""

    sheet: dict[str, Any]
    bet: Bet
    pays: list[Pay]
    hands: FixedDeals | DealerDraws | Coups | RankByRank
    """All hands, listed once."""
    ways_of_decks: Callable[[int], Ways]
    ways: Ways
    """Those of the sheet's own number of decks."""
    counts: Counts
    figures: dict[str, Any]
    """The figures of the wager alone."""

    def counts_of(self, ways: Counter[Matches]) -> Counts:
        """Count the hands of some ways."""
        return counts_of(self.bet, len(self.pays), ways)

    def place_of(self, award: str) -> int | None:
        """Find an award by its name."""
        return next((at for at, pay in enumerate(self.pays) if pay.award == award), None)


def count(sheet: dict[str, Any]) -> Counted:
    """Count the bet that a sheet describes."""
    bet, pays = Bet(sheet), added_pays(sheet) if "all_matches" in sheet else pays_of(sheet)
    found = listed(bet)
    ways = found.ways(bet.shoe.decks)
    counts = counts_of(bet, len(pays), ways.together)
    return Counted(sheet, bet, pays, found.hands, found.ways, ways, counts, figures(pays, counts))


# Up cards


def up_card_rows(counted: Counted) -> list[Any] | Described:
    """Work out the figures given each up card, tens together or not as the sheet has them."""
    rows = said(counted.sheet, "up_cards", list)
    if not counted.bet.deal.draws:
        return []
    shown_ranks = [[RANKS.get(name, 0) for name in said(row, "up", str).split(", ")] for row in rows]
    if not is_every_up_card(counted, shown_ranks):
        return EVERY_UP_CARD
    return [up_card_row(counted, row, ranks) for row, ranks in zip(rows, shown_ranks, strict=True)]


def is_every_up_card(counted: Counted, rows: list[list[int]]) -> bool:
    """Whether the rows are all up cards that can be, each once, and tens together if they were counted together."""
    ways, listed = counted.ways, [rank for ranks in rows for rank in ranks]
    if len(set(listed)) < len(listed) or not ways.ups <= set(listed):
        return False
    if any(is_void(ways.with_up(ranks)) for ranks in rows):
        return False
    tens = {rank for rank in counted.bet.shoe.ranks if rank in TENS}
    return counted.bet.tells_tens_apart or all(tens.isdisjoint(ranks) or tens == set(ranks) for ranks in rows)


def up_card_row(counted: Counted, row: dict[str, Any], ranks: list[int]) -> dict[str, Any]:
    """Work out the figures given one up card; the last two rules of such a bet are a bust and a suited bust."""
    counts = counted.counts_of(counted.ways.with_up(ranks))
    found = figures(counted.pays, counts)
    found["awards"] = [award for award in found["awards"] if award["possible"]]
    bust, suited_bust = counts.matching[-2:]
    return found | {
        "up": row["up"],
        "probability": Fraction(counts.cycle, counted.counts.cycle),
        "bust": Fraction(bust, counts.cycle),
        "suited_bust": Fraction(suited_bust, counts.cycle),
        "basis": basis_of_the_wager(counted.sheet),
    }


# Other numbers of decks


def deck_rows(counted: Counted) -> list[Any]:
    """Work out the figures for other numbers of decks."""
    return [deck_row(counted, row) for row in said(counted.sheet, "deck_sensitivity", list)]


def deck_row(counted: Counted, row: Any) -> dict[str, Any]:
    """Work out the figures for one number of decks; there are none if no hand fulfils the condition."""
    decks = decks_of(row)
    ways = counted.ways_of_decks(decks).together
    found: dict[str, Any] = dict.fromkeys(OF_DECKS)
    if not is_void(ways):
        found = figures(counted.pays, counted.counts_of(ways))
    is_designed = decks in said(counted.sheet, "designed_decks", list)
    return found | {"decks": row["decks"], "designed": is_designed, "basis": basis_of_the_wager(counted.sheet)}


def decks_of(row: Any) -> int:
    """Read the number of decks of a row."""
    if isinstance(row, dict) and row.get("decks") == "infinite":
        return INFINITE
    decks: int = said(row, "decks", int)
    if not 1 <= decks <= MOST_DECKS:
        raise UnreadableError(f"no shoe has {shown(decks)} decks")
    return decks


# Other pays


def pay_rows(counted: Counted, riding: Riding | None, is_straight: bool) -> list[Any]:
    """Work out what one unit more and one less do to the edge, with what then rides if winnings can."""

    def row_of(award: str) -> Any:
        at = counted.place_of(award)
        if at is None:
            return AN_AWARD
        one_more, one_less = [edge_change(counted, riding, at, units, is_straight) for units in (1, -1)]
        return {"award": award, "one_more": one_more, "one_less": one_less, "basis": basis_of(counted.sheet)}

    return [row_of(said(row, "award", str)) for row in said(counted.sheet, "pay_sensitivity", list)]


def edge_change(
    counted: Counted, riding: Riding | None, at: int, units: int, is_straight: bool
) -> Fraction | NotChecked:
    """Work out by how much the edge moves if an award pays so many units more."""
    paid = Fraction(-counted.counts.winning[at] * units, counted.counts.cycle)
    if riding is None:
        return paid
    home = counted.pays[at].gross.number
    if is_straight:  # what rides now rides then, one unit more of it or less
        per_unit = riding_more(riding, at, home, 1) if has_choice(riding.kind, home) else Fraction(0)
        return WITH_HANDS_OUT_OF_REACH if per_unit is None else paid - units * per_unit
    more = riding_more(riding, at, home, units)
    return WITH_HANDS_OUT_OF_REACH if more is None else paid - more


def riding_more(riding: Riding, at: int, home: Fraction, units: int) -> Fraction | None:
    """Give what riding gains more if an award brings so many units more back; nothing if that is not known."""
    now, then = riding.gain(at, home), riding.gain(at, home + units)
    return None if now is None or then is None else then - now


# The derivation


def derivation_rows(counted: Counted) -> list[Any]:
    """Work out the ways of each award; those of hands drawn to their end also by the number of cards."""
    counts = counted.counts
    known: dict[str, dict[str, Any]] = {
        name: {"award": name, "ways": ways}
        for name, ways in zip(award_names(counted), [*counts.winning, counts.losing], strict=True)
    }
    rows = said(counted.sheet, "derivation", list)
    given = {row["award"]: row.get("steps") for row in rows if isinstance(said(row, "award", str), str)}
    for at, (name, row) in enumerate(known.items()):
        row["steps"] = steps_of(counted, at, given.get(name))
    if rows and [row["award"] for row in rows] != list(known):
        return [EVERY_AWARD]
    return list(known.values()) if rows else []


def steps_of(counted: Counted, at: int, given: Any) -> Any:
    """Work out the steps to the ways of one award."""
    if counted.bet.deal.draws or counted.bet.deal.is_coup:
        return draw_steps(counted, at)
    hands = counted.hands
    if not isinstance(hands, (FixedDeals, RankByRank)) or counted.bet.shoe.removed:
        return AN_AWARD
    found = {pattern: rows for (award, pattern), rows in patterns_of(hands, len(counted.pays)).items() if award == at}
    return fixed_steps(counted.bet, found, given if isinstance(given, list) else [])


def award_names(counted: Counted) -> list[str]:
    """Name the awards, and after them that there is none."""
    return [*[pay.award for pay in counted.pays], NO_AWARD]


def draw_steps(counted: Counted, at: int) -> list[dict[str, Any]]:
    """Count an award by the number of cards: the ways to draw just these cards in order, and how likely they are."""
    ways, cards = counted.ways, counted.bet.shoe.size(counted.bet.shoe.decks)
    longest, steps = LONGEST if counted.bet.deal.is_coup else ways.lengths[-1], []
    hands, decks, drawn = counted.hands, counted.bet.shoe.decks, dict[tuple[int, int], tuple[int, int]]()
    if isinstance(hands, DealerDraws) and format_of(counted.sheet) > 1:
        drawn = drawn_hands(hands, decks, len(counted.pays))
    for length in ways.lengths:
        rows = winners(ways.with_cards(length), len(counted.pays))[at]
        if rows:
            # Rows are all of the longest length; the cards after a finished hand can lie in so many ways.
            after = perm(cards - length, longest - length)
            whole = counted.counts.cycle * counted.bet.orders
            step = {"cards": length, "ways": rows // after, "probability": Fraction(rows, whole)}
            if drawn:
                step |= dict(zip(("hands", "orders"), drawn.get((at, length), (0, 0)), strict=True))
            steps.append(step)
    return steps
