"""What a sheet should say of winnings that can ride on the player's hand: each decision, and what all gain together."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from combinat.verifier.best_hands import table_of
from combinat.verifier.bet import Bet
from combinat.verifier.cards import INFINITE, WORTH, Shoe
from combinat.verifier.charts import Chart, chart_for, charts_of
from combinat.verifier.compare import Described, NotChecked
from combinat.verifier.dealer_steps import VALUES, Hand, hard_total
from combinat.verifier.format_1 import rules_in_words
from combinat.verifier.hands import is_blackjack
from combinat.verifier.house import Awards
from combinat.verifier.largest_wins import Largest, largest_win
from combinat.verifier.meetings import Meeting, Name, meetings
from combinat.verifier.outlook import Side
from combinat.verifier.play import Play
from combinat.verifier.reading import UnreadableError, fraction_of, said, shown
from combinat.verifier.riding import RIDES, Riding, has_choice, purses
from combinat.verifier.riding_results import Table, best_side
from combinat.verifier.table_rules import TableRules, rules_of_table

DEALS = ({"player": 2}, {"player": 2, "up": 1})
STRATEGIES = ("best", "basic")
EVERY_DECISION = Described("a decision for each winning hand and each up card that it can meet, and no other")
RULES_OF_THE_TABLE = Described("a sentence that says what the table says")
BY_A_CHART = NotChecked("by a printed chart")
BY_A_CHART_AND_HIT = NotChecked("of hands that are hit or split by a printed chart")


class Terms(NamedTuple):
    """What may ride, and on what hands."""

    kind: str
    rules: TableRules
    charts: dict[range, Chart] | None
    """The charts that hands are played by; nothing if they are played as well as they can be."""
    is_known: bool
    """Whether it is known how hands are played: older sheets do not say what their charts are."""

    def chart(self, decks: int) -> Chart | None:
        """The chart for a number of decks, if hands are played by one."""
        return None if self.charts is None else chart_for(self.charts, decks)

    @property
    def blackjack_gains(self) -> Fraction:
        """What a unit gains on a blackjack: pressed chips are paid even money."""
        return self.rules.blackjack_pays if self.kind == "parlay" else Fraction(1)


def terms_of(bet: Bet, part: dict[str, Any], form: int) -> Terms:
    """Read the terms of an option, its rules from the table or, in format 1, from their sentence."""
    kind, strategy = said(part, "kind", str), said(part, "strategy", str)
    if kind not in RIDES or strategy not in STRATEGIES:
        raise UnreadableError(f"no option '{shown(kind)}' with the strategy '{shown(strategy)}'")
    if bet.deal.sizes not in DEALS:
        raise UnreadableError("winnings ride on two cards of the player's, with no others than the up card counting")
    rules = rules_in_words(said(part, "rules", str)) if form == 1 else rules_of_table(said(part, "table", dict))
    has_chart = strategy == "basic" and bool(part.get("charts"))
    return Terms(kind, rules, charts_of(part) if has_chart else None, strategy == "best" or has_chart)


class Option:
    """An option worked out, with the decisions that its sheet gives."""

    def __init__(self, bet: Bet, homes: list[Fraction], part: dict[str, Any], form: int) -> None:
        self.terms = terms_of(bet, part, form)
        self.homes, self.form, self.sentence = homes, form, part.get("rules")
        self.bet, counts = bet, values_in(bet.shoe)
        self.met, self.play = meetings(bet, counts), Play(counts, self.terms.rules)
        rows = said(part, "decisions", list)
        names = [(said(row, "hand", str), said(row, "up", str)) for row in rows]
        self.is_complete = sorted(names) == sorted(filter(self.is_asked, self.met))
        self.rows = dict(zip(names, rows, strict=True)) if self.is_complete else {}
        self.hands = {name: self.hand_figures(self.met[name], row) for name, row in self.rows.items()}

    @property
    def is_known_play(self) -> bool:
        """Whether it is known how hands are played."""
        return self.terms.is_known

    @property
    def is_sentence_right(self) -> bool:
        """Return whether the rules in words are those of the table."""
        try:
            return rules_in_words(str(self.sentence)) == self.terms.rules.as_sentence_says
        except UnreadableError:
            return False

    def is_asked(self, name: Name) -> bool:
        """Whether a hand and an up card come with an award that has a choice."""
        return any(has_choice(self.terms.kind, self.homes[award]) for award in self.met[name].chances)

    def figures(self) -> dict[str, Any]:
        """Give what the sheet should say; nobody knows what units gain if decisions are missing."""
        terms: dict[str, Any] = {"parlayed": RIDES[self.terms.kind]}
        if self.form > 1:
            terms["rules"] = self.sentence if self.is_sentence_right else RULES_OF_THE_TABLE
        if not self.is_complete:
            return {**terms, "decisions": EVERY_DECISION}
        decisions = [self.decision(name) for name in self.rows]
        gain = sum([one["gain"] for one in decisions], Fraction(0))
        used = sum([one["probability"] for one in decisions if one["choice"] == "leave"], Fraction(0))
        return {**terms, "gain": gain, "used": used, "decisions": decisions}

    def decision(self, name: Name) -> dict[str, Any]:
        """Give what one decision should say."""
        kind, value = self.terms.kind, self.value(name)
        chance = amount = gained = Fraction(0)
        for award, one in self.met[name].chances.items():
            if has_choice(kind, self.homes[award]):
                taken, left = purses(kind, self.homes[award], value)
                _, doubled = purses(kind, self.homes[award], Fraction(1))
                chance += one
                amount += one * (doubled - taken)  # what lies on the hand is what even money would add to it
                gained += one * (max(taken, left) - taken)
        choice = {"choice": "leave" if value > 0 else "take", "gain": gained}
        return {"hand": name[0], "up": name[1], "probability": chance, "amount": amount, **choice, **self.hands[name]}

    def hand_figures(self, meeting: Meeting, row: Any) -> dict[str, Any]:
        """Give what a decision should say of its hand: the first action, and what a unit on it gains."""
        if is_blackjack(meeting.hand):
            return {"value": self.terms.blackjack_gains, "first_action": "stand"}
        if not self.terms.is_known:
            worth, action = self.play.worth(meeting.hand, meeting.up), said(row, "first_action", str)
            is_known = action in worth and action != "hit"  # the chart may say where to go on hitting
            return {"value": worth[action] if is_known else BY_A_CHART_AND_HIT, "first_action": BY_A_CHART}
        best = self.table(self.bet.shoe).best(meeting)
        return {"value": best.result.gain, "first_action": best.action}

    def table(self, shoe: Shoe) -> Table:
        """The table with a shoe."""
        hands = table_of(values_in(shoe), self.terms.rules, shoe.decks == INFINITE, self.terms.chart(shoe.decks))
        return Table(hands, self.terms.blackjack_gains, self.terms.rules)

    def best_side(self, awards: Awards, decks: int, meters: dict[str, Fraction]) -> Side | None:
        """Give what a play brings with the best choices and so many decks; nothing if these are too few cards."""
        shoe = self.bet.shoe if decks == self.bet.shoe.decks else self.bet.shoe._replace(decks=decks)
        counts = values_in(shoe)
        if decks != INFINITE and runs_out(counts, self.terms.rules):
            return None
        met = self.met if shoe is self.bet.shoe else meetings(self.bet, counts, shoe)
        return best_side(self.terms.kind, awards, list(met.values()), self.table(shoe), meters)

    def largest(self, awards: Awards) -> Largest:
        """Find the most that a wager of one can win, in the order of the sheet's decisions."""
        asked = [self.met[name] for name in self.rows]
        return largest_win(self.terms.kind, awards, asked, self.table(self.bet.shoe))

    def value(self, name: Name) -> Fraction:
        """Give what a unit gains on a hand of a decision, by the sheet itself if it is not known here."""
        found = self.hands[name]["value"]
        return found if isinstance(found, Fraction) else value_of(self.rows[name])

    def unseen_value(self, meeting: Meeting) -> Fraction | None:
        """Give what a unit gains on a hand of which the sheet says nothing, if no chart is in the way."""
        if not self.terms.is_known and not is_blackjack(meeting.hand):
            return None
        return self.table(self.bet.shoe).best(meeting).result.gain

    def riding(self) -> Riding:
        """Give what rides with each award, whatever it pays."""
        values = {
            name: self.value(name) if name in self.rows else self.unseen_value(meeting)
            for name, meeting in self.met.items()
        }
        return Riding(self.terms.kind, self.met, values)


def value_of(row: Any) -> Fraction:
    """Read the value that a decision gives."""
    value = fraction_of(row.get("value"))
    if value is None:
        raise UnreadableError(f"no value '{shown(row.get('value'))}' of a hand")
    return value


def values_in(shoe: Shoe) -> Hand:
    """Count the cards of each value in the shoe, or in one deck of infinitely many."""
    left = {card: shoe.left(card) if shoe.decks else 1 for card in shoe.kinds}
    return tuple([sum([many for card, many in left.items() if WORTH[card[0]] == value]) for value in VALUES])


def runs_out(counts: Hand, rules: TableRules) -> bool:
    """Whether all cards could be used up: a hand has 30 points at most, a dealer draws up to 16 and one card more."""
    hands = min(rules.most_hands, max(counts))
    return hard_total(counts) <= 30 * hands + 16
