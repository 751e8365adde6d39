"""The commands of blackjack itself: value of a hand, house edge, strategy."""

from __future__ import annotations

from collections import Counter
from typing import Annotated

import typer

from combinat.blackjack.game import BlackjackGame, house_edge
from combinat.blackjack.hands import INDEXES, Hand, parse_first_hand, parse_up
from combinat.blackjack.strategy import MAX_CARDS, strategy_table
from decks import Card, InputError, Rank, Shoe, parse_card, parse_cards, parse_deck_counts
from decks.cards import parse_rank
from reports.answers.blackjack import (
    edge_document,
    edge_payload,
    strategy_document,
    strategy_payload,
    value_document,
    value_payload,
)
from reports.cli.arguments import parse_digits, parse_format
from reports.cli.blackjack_options import at_a_blackjack_table
from reports.cli.options import DIGITS, Digits, Format, Removed, progress_if_slow
from reports.cli.output import print_answer
from reports.cli.table import BlackjackTable

app = typer.Typer(
    help="Blackjack itself: the exact value of a hand, the edge of the game, how to play.",
    no_args_is_help=True,
    add_completion=False,
)

OneDeckCount = Annotated[int, typer.Option("--decks", "-d", help="The number of decks.")]


def _parse_typed_cards(*texts: str) -> tuple[list[Card], Counter[Rank]]:
    """Parse cards with suits, and the ranks of cards without."""
    cards: list[Card] = []
    ranks: Counter[Rank] = Counter()
    for word in " ".join(texts).replace(",", " ").replace("-", " ").split():
        try:
            cards.append(parse_card(word))
        except InputError:
            ranks[parse_rank(word)] += 1
    return cards, ranks


def _parse_dealt_hand(shoe: Shoe, hand: str, up: str) -> Hand:
    """Parse a hand; raise `InputError` if the shoe cannot deal it, such as the same card twice from one deck."""
    first_hand = parse_first_hand(hand)
    cards, ranks = _parse_typed_cards(hand, up)
    try:
        remaining = shoe.composition.remove(cards)
    except InputError as error:
        raise InputError(f"{shoe} cannot deal {hand} against {up}: {error}") from None
    for rank, needed in ranks.items():
        available = sum(copies for card, copies in remaining if card.rank == rank)
        if available < needed and Rank.TEN <= rank <= Rank.KING:  # the game counts values, so it would take another ten
            raise InputError(f"{shoe} cannot deal {hand} against {up}: it has {available} of {rank}")
    return first_hand


@app.command("value")
@at_a_blackjack_table
def value(
    hand: Annotated[str, typer.Option(help='The first two cards: "8h 8c", or "8 8".')],
    up: Annotated[str, typer.Option(help="The dealer's up card: 6, K or Ah.")],
    decks: OneDeckCount = 6,
    removed: Removed = "",
    format: Format = "table",
    digits: Digits = DIGITS,
    *,
    table: BlackjackTable,
) -> None:
    """Show what each action on a hand is worth, given that the dealer has no blackjack."""
    format, digits = parse_format(format), parse_digits(digits)
    shoe, up_card = Shoe(decks, removed=parse_cards(removed)), parse_up(up)
    cards = _parse_dealt_hand(shoe, hand, up)
    game = BlackjackGame(shoe, table.rules, table.strategy, ups=(up_card,))
    result = game.hand(cards, up_card)
    print_answer(lambda: value_document(game, result), lambda: [value_payload(game, result)], format, digits)


@app.command("edge")
@at_a_blackjack_table
def edge(
    decks: Annotated[str, typer.Option("--decks", "-d", help="Deck counts: 6, or 1,2,4-8.")] = "6",
    removed: Removed = "",
    format: Format = "table",
    digits: Digits = DIGITS,
    *,
    table: BlackjackTable,
) -> None:
    """Show the house edge of the whole game, a line for each deck count."""
    format, digits = parse_format(format), parse_digits(digits)
    removed_cards = parse_cards(removed)
    games = [
        BlackjackGame(Shoe(count, removed=removed_cards), table.rules, table.strategy)
        for count in parse_deck_counts(decks)
    ]
    with progress_if_slow("hands") as progress:
        edges = [(game, house_edge(game, progress)) for game in games]
    print_answer(lambda: edge_document(edges), lambda: [edge_payload(*pair) for pair in edges], format, digits)


@app.command("strategy")
@at_a_blackjack_table
def strategy_(
    decks: OneDeckCount = 6,
    removed: Removed = "",
    up: Annotated[str | None, typer.Option(help="Only against this up card; left out, against all.")] = None,
    cards: Annotated[
        int, typer.Option(help=f"List exceptions among hands of up to so many cards, 2 to {MAX_CARDS}.")
    ] = 2,
    format: Format = "table",
    *,
    table: BlackjackTable,
) -> None:
    """Show how to play: decisions by total, and the cards that are played differently."""
    format = parse_format(format)
    if not 2 <= cards <= MAX_CARDS:
        raise InputError(f"no exceptions of {cards} cards are listed; give 2 to {MAX_CARDS}")
    shoe = Shoe(decks, removed=parse_cards(removed))
    ups = INDEXES if up is None else (parse_up(up),)
    game = BlackjackGame(shoe, table.rules, table.strategy, ups)
    with progress_if_slow("hands") as progress:
        result = strategy_table(game, cards, progress)
    print_answer(lambda: strategy_document(game, result), lambda: [strategy_payload(game, result)], format, 0)
