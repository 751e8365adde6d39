"""The commands of blackjack: `value`, `edge`, `strategy`, `games`, `title`, `sevens` and `free-bets`."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import typer

from combinat.blackjack.game import BlackjackGame, HandValue
from combinat.blackjack.strategy import StrategyTable
from combinat.blackjack.titles.figures import FreeBetFigures, SevensRow, TitleFigures
from combinat.blackjack.titles.presets import Title
from combinat.requests.blackjack import BlackjackEdge, BlackjackStrategy, BlackjackValue
from combinat.requests.titles import BlackjackFreeBets, BlackjackGames, BlackjackSevens, BlackjackTitle
from reports.answers.blackjack import edge_document, strategy_document, value_document
from reports.answers.titles import free_bets_document, games_document, sevens_document, title_document
from reports.cli.printing import Printing, TextPrinting
from reports.cli.request_command import add_request_command

app = typer.Typer(
    help="Analyze the game of blackjack: hands, house edge, strategy.",
    no_args_is_help=True,
    add_completion=False,
)


def _show_value(question: BlackjackValue, answer: tuple[BlackjackGame, HandValue], printing: Printing) -> None:
    printing.show(lambda: value_document(*answer), lambda: question.results(answer))


def _show_edges(question: BlackjackEdge, edges: Sequence[tuple[BlackjackGame, Fraction]], printing: Printing) -> None:
    printing.show(lambda: edge_document(edges), lambda: question.results(edges))


def _show_strategy(
    question: BlackjackStrategy, answer: tuple[BlackjackGame, StrategyTable], printing: TextPrinting
) -> None:
    printing.show(lambda: strategy_document(*answer), lambda: question.results(answer))


def _show_games(question: BlackjackGames, games: Sequence[Title], printing: TextPrinting) -> None:
    printing.show(lambda: games_document(games), lambda: question.results(games))


def _show_title(question: BlackjackTitle, figures: TitleFigures, printing: Printing) -> None:
    printing.show(lambda: title_document(figures), lambda: question.results(figures))


def _show_sevens(question: BlackjackSevens, rows: Sequence[SevensRow], printing: Printing) -> None:
    printing.show(
        lambda: sevens_document(question.bet, question.exchanged, rows), lambda: question.results(tuple(rows))
    )


def _show_free_bets(question: BlackjackFreeBets, figures: FreeBetFigures, printing: Printing) -> None:
    printing.show(lambda: free_bets_document(figures), lambda: question.results(figures))


add_request_command(
    app,
    BlackjackValue,
    Printing,
    _show_value,
    name="value",
    progress_label="hands",
    examples=[
        'combinat blackjack value --hand "8 8" --up 10',
        'combinat blackjack value --hand "10h 6c" --up 10 --decks 1 --s17',
    ],
)
add_request_command(
    app,
    BlackjackEdge,
    Printing,
    _show_edges,
    name="edge",
    progress_label="hands",
    examples=[
        "combinat blackjack edge --decks 1,2,6 --s17",
        "combinat blackjack edge --decks 6 --blackjack 6:5 --no-das",
    ],
)
add_request_command(
    app,
    BlackjackStrategy,
    TextPrinting,
    _show_strategy,
    name="strategy",
    progress_label="hands",
    examples=[
        "combinat blackjack strategy --decks 6 --s17",
        "combinat blackjack strategy --decks 1 --up 10 --cards 3",
    ],
)
add_request_command(
    app,
    BlackjackGames,
    TextPrinting,
    _show_games,
    name="games",
    progress_label="titles",
    examples=["combinat blackjack games"],
)
add_request_command(
    app,
    BlackjackTitle,
    Printing,
    _show_title,
    name="title",
    progress_label="hands",
    examples=[
        "combinat blackjack title free-bet",
        "combinat blackjack title zappit --rule zap=15-18 --decks 8",
        "combinat blackjack title spanish-21 --rule hits_soft_17=false",
        'combinat blackjack title european --hand "8 8" --up 10',
    ],
)
add_request_command(
    app,
    BlackjackSevens,
    Printing,
    _show_sevens,
    name="sevens",
    progress_label="titles",
    examples=[
        "combinat blackjack sevens BLZ-1-PC",
        'combinat blackjack sevens BLZ-1-PC --game zappit --exchanged "new cards"',
    ],
)
add_request_command(
    app,
    BlackjackFreeBets,
    Printing,
    _show_free_bets,
    name="free-bets",
    progress_label="hands",
    examples=[
        "combinat blackjack free-bets free-bet",
        'combinat blackjack free-bets free-bet --pays "1=3,2=10,3=50"',
    ],
)
