"""Titles of blackjack: the list of titles, and the house edge and strategy of one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from combinat.blackjack.charts import chart_order
from combinat.blackjack.hands import NAMES, format_hand
from combinat.blackjack.titles.figures import TitleFigures
from combinat.blackjack.titles.presets import Title, find_title, parse_rule_changes, titles
from combinat.requests.arguments import CardsLike
from combinat.requests.bets import DeckCounts, parse_decks
from combinat.requests.request import Group, Notify, Option, Request
from combinat.results.titles import BlackjackGamesAnswer, BlackjackTitleAnswer
from decks import InputError, Shoe
from decks.cards import as_cards

_LETTERS = {"stand": "S", "hit": "H", "double": "D", "split": "P", "surrender": "R", "zap": "Z"}


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

    def answer(self, _notify: Notify) -> TitleFigures:
        title = find_title(self.game)
        rules = title.with_rules(parse_rule_changes(self.rules))
        shoe = self._shoe(title)
        from combinat.blackjack.titles.game import TitleGame  # imports numpy

        game = TitleGame(shoe, rules, self.policy.strip().lower())
        ups = () if len(rules.views[0]) > 1 else tuple(chart_order(range(len(rules.views))))
        actions = {(hand.hand, hand.view): _LETTERS[hand.action] for hand in game.hands}
        rows = tuple(
            (format_hand(hand), tuple(actions.get((hand, up), "") for up in ups)) for hand in game.solver.hands if ups
        )
        return TitleFigures(title, shoe, rules, game.strategy, game.house_edge, tuple(NAMES[up] for up in ups), rows)

    def results(self, computed: TitleFigures) -> Sequence[BlackjackTitleAnswer]:
        return [BlackjackTitleAnswer.of(computed)]

    def _shoe(self, title: Title) -> Shoe:
        if isinstance(self.decks, Shoe):
            return self.decks
        counts = (title.decks,) if self.decks is None else tuple(parse_decks(self.decks) or ())
        if len(counts) != 1:
            raise InputError(f"this takes one deck count, as in --decks {title.decks}, not {len(counts)}")
        return Shoe(counts[0], title.pack, as_cards(self.removed))
