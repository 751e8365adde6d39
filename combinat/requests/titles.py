"""Titles of blackjack: the list of titles, and the house edge and strategy of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from combinat.bets.catalog import get_paytable
from combinat.blackjack.charts import chart_order
from combinat.blackjack.hands import NAMES, format_hand, is_natural, parse_first_hand, parse_up
from combinat.blackjack.titles.figures import (
    EXCHANGED_SEVENS,
    FreeBetFigures,
    SevensRow,
    TitleFigures,
    side_bet_figures,
)
from combinat.blackjack.titles.presets import (
    SEVEN_TITLES,
    Title,
    find_title,
    parse_rule_changes,
    parse_side_bet,
    titles,
)
from combinat.requests.arguments import CardsLike
from combinat.requests.bets import DeckCounts, parse_decks
from combinat.requests.request import Group, Notify, Option, Request
from combinat.results.titles import BlackjackGamesAnswer, BlackjackTitleAnswer, FreeBetsAnswer, SevensAnswer
from decks import InputError, Shoe
from decks.cards import as_cards
from decks.errors import quote

_LETTERS = "SHDPRZR"
"""Letters of the actions by their codes; the last is an early surrender."""


def _letter(action: int | None) -> str:
    return "" if action is None else _LETTERS[action]


class BlackjackGames(Request[Sequence[Title], BlackjackGamesAnswer], frozen=True, kw_only=True):
    """List the blackjack titles with their rules."""

    def answer(self, _notify: Notify) -> Sequence[Title]:
        return tuple(titles().values())

    def results(self, computed: Sequence[Title]) -> Sequence[BlackjackGamesAnswer]:
        return [BlackjackGamesAnswer.of(title) for title in computed]


class BlackjackTitle(Request[TitleFigures, BlackjackTitleAnswer], frozen=True, kw_only=True):
    """Show the house edge and the first actions of a blackjack title.

    `combinat blackjack games` lists the titles. Every rule can be changed with `--rule`.
    """

    game: Annotated[
        str, Option("Title, such as free-bet or zappit, or a TOML file with its rules.", names="game", is_argument=True)
    ]
    rules: Annotated[
        Sequence[str],
        Option(
            "Change a rule, such as hits_soft_17=false or zap=15-18.",
            ("--rule",),
            group=Group.TABLE,
            is_repeated=True,
            default="the rules of the title",
        ),
    ] = ()
    decks: Annotated[
        DeckCounts | None,
        Option("Number of decks, such as 6.", ("--decks", "-d"), group=Group.TABLE, default="those of the title"),
    ] = None
    removed: Annotated[CardsLike, Option('Cards removed from the shoe, such as "7h 7d Ks".', group=Group.TABLE)] = ""
    policy: Annotated[
        str,
        Option("Player's strategy: best, basic (by totals), mimic (the dealer) or never bust.", group=Group.TABLE),
    ] = "best"

    hand: Annotated[
        str | None, Option('Show the values of the actions on this hand, such as "8 8".', default="no hand")
    ] = None
    up: Annotated[str | None, Option("Show them for this up card only, such as 6.", default="all up cards")] = None
    rule_costs: Annotated[bool, Option("Also show what each rule costs; this solves the title once for each.")] = False

    def answer(self, _notify: Notify) -> TitleFigures:
        if self.up is not None and self.hand is None:
            raise InputError('an up card needs a hand, as in --hand "8 8" --up 6')
        first_hand = None if self.hand is None else parse_first_hand(self.hand)
        title = find_title(self.game)
        rules = title.with_rules(parse_rule_changes(self.rules))
        shoe = one_shoe(title, self.decks, self.removed)
        game = _engine()[0].TitleGame(shoe, rules, self.policy.strip().lower())
        ups = () if len(rules.views[0]) > 1 else tuple(chart_order(range(len(rules.views))))
        shown = None if self.up is None else parse_up(self.up)
        values = []
        if first_hand is not None:
            views = [view for view, cards in enumerate(rules.views) if shown is None or shown in cards]
            values = [value for view in views if (value := game.hand(first_hand, view)) is not None]
            if not values:
                raise InputError(f"{shoe} cannot deal {self.hand}" + (f" against {self.up}" if self.up else ""))
        return TitleFigures(
            title=title,
            shoe=shoe,
            rules=rules,
            strategy=game.strategy,
            house_edge=game.house_edge,
            element_of_risk=game.element_of_risk,
            mean_bet=game.rounds.mean_bet,
            variance=game.rounds.variance,
            results=game.end_figures(),
            up_cards=tuple(NAMES[up] for up in ups),
            rows=tuple(
                (format_hand(hand), tuple(_letter(game.first_action(hand, up)) for up in ups))
                for hand in game.solver.hands
                if ups and not is_natural(hand)
            ),
            rule_costs=game.rule_costs() if self.rule_costs else (),
            hand_values=tuple(values),
        )

    def results(self, computed: TitleFigures) -> Sequence[BlackjackTitleAnswer]:
        return [BlackjackTitleAnswer.of(computed)]


class BlackjackSevens(Request[tuple[SevensRow, ...], SevensAnswer], frozen=True, kw_only=True):
    """Compare the hold of Blazing 7's between titles.

    The bet is that on the player's own cards. The third card depends on how a title is played, so linked games with
    different rules have different holds.
    """

    bet: Annotated[
        str, Option("Paytable on the player's own 7s, such as BLZ-1-PC or BLZ-ML03-PC.", is_argument=True)
    ] = "BLZ-1-PC"
    games: Annotated[
        Sequence[str],
        Option(
            "A title, or a TOML file with its rules; may be repeated.",
            ("--game",),
            is_repeated=True,
            default="the seven titles",
        ),
    ] = ()
    exchanged: Annotated[
        str, Option("Cards that count after an exchange (zap): first cards or new cards.", group=Group.TABLE)
    ] = "first cards"
    decks: Annotated[
        DeckCounts | None,
        Option("Number of decks, such as 6.", ("--decks", "-d"), group=Group.TABLE, default="those of the titles"),
    ] = None

    def answer(self, _notify: Notify) -> tuple[SevensRow, ...]:
        if self.exchanged not in EXCHANGED_SEVENS:
            raise InputError(f"exchanged must be {' or '.join(EXCHANGED_SEVENS)}, got {quote(self.exchanged)}")
        paytable = get_paytable(self.bet)
        games = tuple(find_title(name) for name in self.games or SEVEN_TITLES)
        counts = tuple(parse_decks(self.decks) or ()) if self.decks is not None else (None,)
        if len(counts) != 1:
            raise InputError(f"this takes one deck count, as in --decks 6, not {len(counts)}")
        rows: tuple[SevensRow, ...] = _engine()[1].compare_titles(paytable, games, counts[0], self.exchanged)
        return rows

    def results(self, computed: tuple[SevensRow, ...]) -> Sequence[SevensAnswer]:
        return [SevensAnswer.of(row) for row in computed]


class BlackjackFreeBets(Request[FreeBetFigures, FreeBetsAnswer], frozen=True, kw_only=True):
    """Show the distribution of free bets in a round.

    Bets on their number, such as Pot of Gold, are listed with their edge. The title is played by best play.
    """

    game: Annotated[str, Option("Title, such as free-bet, or a TOML file with its rules.", is_argument=True)] = (
        "free-bet"
    )
    pays: Annotated[
        str | None,
        Option("Pays to 1 by the number of free bets, such as 1=3,2=12.", default="the side bets of the title"),
    ] = None
    decks: Annotated[
        DeckCounts | None,
        Option("Number of decks, such as 6.", ("--decks", "-d"), group=Group.TABLE, default="those of the title"),
    ] = None

    def answer(self, _notify: Notify) -> FreeBetFigures:
        title = find_title(self.game)
        if not title.rules.has_free_bets:
            raise InputError(f"{title.name} has no free bets; write for example free-bet")
        bets = title.side_bets
        if self.pays is not None:
            pairs = (pair.partition("=") for pair in self.pays.split(","))
            bets = (parse_side_bet("Bet on the number of free bets", {number: pay for number, _, pay in pairs}),)
        shoe = one_shoe(title, self.decks)
        game, _, free_bets = _engine()
        probabilities = free_bets.free_bet_probabilities(game.TitleGame(shoe, title.rules))
        return FreeBetFigures(
            title, shoe, title.rules, probabilities, tuple(side_bet_figures(bet, probabilities) for bet in bets)
        )

    def results(self, computed: FreeBetFigures) -> Sequence[FreeBetsAnswer]:
        return [FreeBetsAnswer.of(computed)]


def _engine() -> tuple[Any, Any, Any]:
    """Return the modules that compute; they import numpy, which lists of titles do not need."""
    from combinat.blackjack.titles import free_bets, game, sevens

    return game, sevens, free_bets


def one_shoe(title: Title, decks: DeckCounts | None, removed: CardsLike = "") -> Shoe:
    """Return the shoe of a title, or with another number of decks."""
    if isinstance(decks, Shoe):
        return decks
    counts = (title.decks,) if decks is None else tuple(parse_decks(decks) or ())
    if len(counts) != 1:
        raise InputError(f"this takes one deck count, as in --decks {title.decks}, not {len(counts)}")
    return Shoe(counts[0], title.pack, as_cards(removed))
