"""Loading of a game with betting rounds from a TOML file, and the games of the catalog."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from importlib.resources import files
from math import comb
from pathlib import Path

import msgspec

from combinat.bets.catalog import get_paytable
from combinat.bets.pay import parse_pay
from combinat.bets.schema import Fields, check_limits, check_name, read_text, sanitize
from combinat.betting import rank_games
from combinat.betting.conditions import parse_condition
from combinat.betting.game import (
    ALL_CARDS,
    FINAL_HAND,
    FIRST_CARDS,
    OUTCOMES,
    RESULTS,
    Action,
    Bet,
    BettingGame,
    CardGroup,
    PayLine,
    Round,
    SideBet,
    StatedStrategy,
)
from combinat.betting.hands import HandOrder, hand_order
from combinat.betting.rank_games import RankGame
from decks import InputError, did_you_mean
from decks.errors import quote

HAND_ORDERS = {"five cards": 5, "three cards": 3}
"""How hands are compared, as written in a file: by the best five cards, or by three cards."""
SIDE_BET_CARDS = (FINAL_HAND, FIRST_CARDS, ALL_CARDS)
MAX_HAND = 7
MAX_STATES = 200_000_000
"""Largest number of own hands times tables (up to suit permutation) of the last round."""
DEFAULT_PAYS = {"win": "1 to 1", "tie": "push", "lose": "loses"}
_SUITS = 4


class PayLineFields(Fields):
    """A line of a pay schedule; a line without a hand pays all other hands."""

    pays: str
    hand: str | None = None


Schedule = str | list[PayLineFields]


class GameBetFields(Fields):
    """A bet of the game; `same_as` names a bet whose pays it shares."""

    name: str
    same_as: str | None = None
    stake: int | float | str = 0
    win: Schedule = DEFAULT_PAYS["win"]
    tie: Schedule = DEFAULT_PAYS["tie"]
    lose: Schedule = DEFAULT_PAYS["lose"]
    not_qualified: Schedule | None = None
    bonus: list[PayLineFields] = msgspec.field(default_factory=list)


class ActionFields(Fields):
    """An action and what it adds to each bet."""

    name: str
    bet: dict[str, int | float | str] = msgspec.field(default_factory=dict)
    folds: bool = False
    ends: bool = False


class RoundFields(Fields):
    """A round: which cards are turned over before it, and the actions."""

    name: str
    actions: list[ActionFields]
    sees: list[str] = msgspec.field(default_factory=list)


class CardFields(Fields):
    """Numbers of cards; common cards by name, in the order in which they are turned over."""

    player: int
    dealer: int = 0
    dealer_up: int = 0
    common: dict[str, int] = msgspec.field(default_factory=dict)


class SideBetFields(Fields):
    """A bonus bet on the same cards: own pays, or those of a paytable of the catalog."""

    name: str
    cards: str = FINAL_HAND
    hands: str | None = None
    paytable: str | None = None
    pays: list[PayLineFields] = msgspec.field(default_factory=list)
    jackpot: int | None = None


class StrategyFields(Fields):
    """A stated strategy: for each round the actions with their conditions; otherwise the first action is taken."""

    name: str
    rounds: dict[str, dict[str, str]]
    source: str = ""


class GameFields(Fields):
    """A game with betting rounds."""

    game: str
    id: str
    hands: str
    cards: CardFields
    round: list[RoundFields]
    bet: list[GameBetFields]
    side_bet: list[SideBetFields] = msgspec.field(default_factory=list)
    strategy: list[StrategyFields] = msgspec.field(default_factory=list)
    qualifies: str | None = None
    ranks: str = "2-A"
    source: list[str] = msgspec.field(default_factory=list)
    notes: list[str] = msgspec.field(default_factory=list)


Game = BettingGame | RankGame


def load_game(path: Path) -> Game:
    """Load a game from a TOML file.

    A problem raises `InputError` with the file's name and the place.
    """
    return parse_game(read_text(path), path.name)


def parse_game(text: str, name: str = "game") -> Game:
    """Parse the TOML text of a game."""
    try:
        check_limits(text)
        table = tomllib.loads(text)
        for _, problem in sanitize(table):
            raise problem
        match table.get("hands"):
            case rank_games.ONE_CARD:
                return rank_games.build_war(msgspec.convert(table, rank_games.WarFields))
            case rank_games.IN_BETWEEN:
                return rank_games.build_red_dog(msgspec.convert(table, rank_games.RedDogFields))
        return build_game(msgspec.convert(table, GameFields))
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{name}: not valid TOML: {error}") from None
    except msgspec.ValidationError as error:
        raise InputError(f"{name}: {_explain(str(error))}") from None
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


def _explain(message: str) -> str:
    """Return an error of msgspec in the terms of the file."""
    problem, _, path = message.partition(" - at `$.")
    where = path.rstrip("`").replace("[...]", "")
    return f"{where}: {problem}" if where else problem


def build_game(fields: GameFields) -> BettingGame:
    """Build a game from the fields of its file; refuse what cannot be played or solved."""
    if fields.hands not in HAND_ORDERS:
        choices = [*HAND_ORDERS, rank_games.ONE_CARD, rank_games.IN_BETWEEN]
        hint = did_you_mean(fields.hands, choices)
        raise InputError(f"hands must be one of {', '.join(map(repr, choices))}, got {quote(fields.hands)}{hint}")
    order = hand_order(HAND_ORDERS[fields.hands], parse_ranks(fields.ranks))
    common = tuple(CardGroup(name, count) for name, count in fields.cards.common.items())
    _check_cards(fields.cards, order)
    _check_unique("bet", [bet.name for bet in fields.bet])
    bets = tuple(_build_bet(bet, fields, order) for bet in fields.bet)
    if not any(bet.stake for bet in bets):
        raise InputError("no bet has a stake; give the ante 'stake = 1'")
    rounds = _build_rounds(fields, bets, common)
    game = BettingGame(
        id=check_name(fields.id, "id", 40),
        title=check_name(fields.game, "game"),
        hand_size=order.size,
        ranks=order.ranks,
        player_cards=fields.cards.player,
        common=common,
        dealer_exposed=fields.cards.dealer_up,
        dealer_hidden=fields.cards.dealer - fields.cards.dealer_up,
        rounds=rounds,
        bets=bets,
        side_bets=tuple(_build_side_bet(side_bet, fields, order) for side_bet in fields.side_bet),
        strategies=tuple(_build_strategy(strategy, rounds, fields, order) for strategy in fields.strategy),
        qualifying=order.threshold(fields.qualifies) if fields.qualifies else 1,
        sources=tuple(fields.source),
        notes=tuple(fields.notes),
    )
    _check_work(game)
    return game


def parse_ranks(text: str) -> tuple[int, ...]:
    """Return the ranks of a pack such as `2-A` or `9-A`.

    >>> parse_ranks("10-A")
    (10, 11, 12, 13, 14)
    """
    names = {**{str(rank): rank for rank in range(2, 11)}, "J": 11, "Q": 12, "K": 13, "A": 14}
    low, _, high = text.partition("-")
    if low not in names or high not in names or names[low] >= names[high]:
        raise InputError(f"ranks must be a range such as '2-A' or '9-A', got {quote(text)}")
    return tuple(range(names[low], names[high] + 1))


def _check_cards(cards: CardFields, order: HandOrder) -> None:
    counts = {"player": cards.player, **cards.common} | ({"dealer": cards.dealer} if cards.dealer else {})
    for name, count in counts.items():
        if not 1 <= count <= MAX_HAND:
            raise InputError(f"cards: {name} must be 1 to {MAX_HAND}, got {count}")
    if cards.dealer_up < 0 or cards.dealer_up >= max(cards.dealer, 1):
        raise InputError(f"cards: dealer_up must be less than dealer = {cards.dealer}, got {cards.dealer_up}")
    if cards.dealer_up and cards.common:
        raise InputError("cards: common cards together with an exposed dealer card are not supported")
    shared = sum(cards.common.values())
    for name in ("player", "dealer") if cards.dealer else ("player",):
        held = counts[name] + shared
        allowed = (3,) if order.size == 3 else range(5, MAX_HAND + 1)
        if held not in allowed:
            size = "3" if order.size == 3 else f"5 to {MAX_HAND}"
            raise InputError(
                f"cards: the {name} holds {held} cards with the common ones; this order of hands needs {size}"
            )
    dealt = cards.player + cards.dealer + shared
    if dealt > _SUITS * len(order.ranks):
        raise InputError(f"cards: {dealt} cards are dealt, but the pack has {_SUITS * len(order.ranks)}")


def _check_unique(label: str, names: Sequence[str]) -> None:
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the {label} {quote(name)} is there {names.count(name)} times; names must be unique")


def _check_work(game: BettingGame) -> None:
    """Refuse a game that has too many states."""
    cards = _SUITS * len(game.ranks)
    states = comb(cards, game.player_cards) * max(comb(cards, game.table_count) // 20, 1)
    if states > MAX_STATES:
        raise InputError(
            f"{game.title} has about {states:,} states in its last round; at most {MAX_STATES:,} can be solved"
        )


def _amount(value: float | str, where: str) -> Fraction:
    """Return a stake in units of the ante, exactly as written."""
    try:
        amount = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        raise InputError(f"{where} must be a number such as 1, 0.5 or '3/2', got {quote(value)}") from None
    if not 0 <= amount <= 1000:
        raise InputError(f"{where} must be 0 to 1000, got {value}")
    return amount


def _build_rounds(fields: GameFields, bets: tuple[Bet, ...], common: tuple[CardGroup, ...]) -> tuple[Round, ...]:
    """Build the rounds; cards are turned over in the order of the groups."""
    if not fields.round:
        raise InputError("the game has no rounds; add a [[round]] with its actions")
    unseen = list(common)
    table_size = fields.cards.dealer_up
    rounds: list[Round] = []
    for round_fields in fields.round:
        for name in round_fields.sees:
            if not unseen or unseen[0].name != name:
                expected = repr(unseen[0].name) if unseen else "nothing"
                raise InputError(
                    f"round {quote(round_fields.name)}: sees {quote(name)}, but next to come is {expected}"
                )
            table_size += unseen.pop(0).count
        actions = tuple(_build_action(action, bets, round_fields.name) for action in round_fields.actions)
        if len(actions) < 2:
            raise InputError(f"round {quote(round_fields.name)} needs at least two actions")
        _check_unique("action", [action.name for action in actions])
        ordered = tuple(sorted(actions, key=lambda action: (not action.folds, action.stake)))
        if rounds and table_size == rounds[-1].table_size:
            raise InputError(f"round {quote(round_fields.name)} sees no new card; join it with the round before")
        rounds.append(Round(check_name(round_fields.name, "round"), table_size, ordered))
    if fields.cards.player + table_size > MAX_HAND:
        raise InputError(f"the player sees {fields.cards.player + table_size} cards; at most {MAX_HAND} can be solved")
    return tuple(rounds)


def _build_action(fields: ActionFields, bets: tuple[Bet, ...], round_name: str) -> Action:
    names = [bet.name for bet in bets]
    where = f"round {quote(round_name)}, action {quote(fields.name)}"
    for name in fields.bet:
        if name not in names:
            raise InputError(
                f"{where}: no bet {quote(name)}{did_you_mean(name, names)}; the bets are {', '.join(names)}"
            )
    if fields.folds and fields.bet:
        raise InputError(f"{where}: an action that folds adds no stakes")
    stakes = {name: _amount(value, f"{where}: {name}") for name, value in fields.bet.items()}
    return Action(check_name(fields.name, "action"), stakes, fields.folds, fields.ends)


def _build_bet(fields: GameBetFields, game: GameFields, order: HandOrder) -> Bet:
    """Build a bet; without `not_qualified` it pays as if the dealer qualified."""
    where = f"bet {quote(fields.name)}"
    pays = _build_pays(_find_shared_bet(fields, game.bet), order, where)
    if fields.not_qualified is not None and game.qualifies is None:
        raise InputError(f"{where}: not_qualified is given, but the game has no 'qualifies'")
    return Bet(check_name(fields.name, "bet"), _amount(fields.stake, f"{where}: stake"), pays)


def _find_shared_bet(fields: GameBetFields, bets: list[GameBetFields]) -> GameBetFields:
    """Return the bet whose pays apply: the bet itself, or the one that `same_as` names."""
    if fields.same_as is None:
        return fields
    where = f"bet {quote(fields.name)}"
    if fields != GameBetFields(name=fields.name, same_as=fields.same_as, stake=fields.stake):
        raise InputError(f"{where}: same_as takes all pays from {quote(fields.same_as)}; leave out its own pays")
    names = [bet.name for bet in bets if bet.same_as is None]
    for bet in bets:
        if bet.name == fields.same_as and bet.same_as is None:
            return bet
    hint = did_you_mean(fields.same_as, names)
    raise InputError(
        f"{where}: same_as must name a bet with its own pays ({', '.join(names)}), got {quote(fields.same_as)}{hint}"
    )


def _build_pays(fields: GameBetFields, order: HandOrder, where: str) -> dict[tuple[bool, str], tuple[PayLine, ...]]:
    """Return the pay lines of a bet for each outcome."""
    schedules = {result: _build_lines(getattr(fields, result), order, f"{where}, {result}") for result in RESULTS}
    bonus = _build_lines([*fields.bonus, PayLineFields(pays="push")], order, f"{where}, bonus")
    pays = {}
    for qualified, result in OUTCOMES:
        lines = schedules[result]
        if not qualified and fields.not_qualified is not None:
            lines = _build_lines(fields.not_qualified, order, f"{where}, not_qualified")
        pays[qualified, result] = _add_lines(lines, bonus)
    return pays


def _build_lines(schedule: Schedule, order: HandOrder, where: str, jackpot: int | None = None) -> tuple[PayLine, ...]:
    """Return the lines of a schedule, highest hand first; the last pays all other hands."""
    if isinstance(schedule, str):
        schedule = [PayLineFields(pays=schedule)]
    lines: list[PayLine] = []
    for fields in schedule:
        try:
            threshold = order.threshold(fields.hand) if fields.hand is not None else 1
            odds = _parse_odds(fields.pays, jackpot)
        except InputError as error:
            raise InputError(f"{where}: {error}") from None
        if fields.hand is None and lines and lines[-1].threshold == 1:
            continue  # the pack has no lower hand
        if lines and threshold >= lines[-1].threshold:
            raise InputError(
                f"{where}: {quote(fields.hand)} does not rank below the line above it; list the best hand first"
            )
        lines.append(PayLine(fields.hand or "all other hands", threshold, Fraction(odds)))
    if not lines or lines[-1].threshold > 1:
        raise InputError(f'{where}: the last line must pay all other hands, such as {{ pays = "push" }}')
    return tuple(lines)


def _parse_odds(text: str, jackpot: int | None) -> Fraction:
    """Return what a pay brings to 1; a share of a jackpot needs its amount, in units of the wager.

    >>> _parse_odds("3 to 2", None), _parse_odds("10% of Jackpot", 5000)
    (Fraction(3, 2), Fraction(499, 1))
    """
    net = parse_pay(text).net
    if net.is_constant:
        return Fraction(net.constant)
    if jackpot is None:
        raise InputError(f"{quote(text)} needs the amount of the jackpot; add for example jackpot = 10000")
    return sum((factor * (jackpot if powers else 1) for powers, factor in net.terms.items()), Fraction())


def _add_lines(lines: tuple[PayLine, ...], bonus: tuple[PayLine, ...]) -> tuple[PayLine, ...]:
    """Return a schedule that pays the sum of two."""
    thresholds = sorted({line.threshold for line in (*lines, *bonus)}, reverse=True)
    named = {line.threshold: line.hand for line in (*bonus, *lines)}

    def odds(schedule: tuple[PayLine, ...], strength: int) -> Fraction:
        return next(line.odds for line in schedule if strength >= line.threshold)

    return tuple(PayLine(named[at], at, odds(lines, at) + odds(bonus, at)) for at in thresholds)


# Side bets and strategies


def _build_side_bet(fields: SideBetFields, game: GameFields, order: HandOrder) -> SideBet:
    """Build a bonus bet; hands that no line takes lose."""
    where = f"side bet {quote(fields.name)}"
    if fields.cards not in SIDE_BET_CARDS:
        choices = ", ".join(map(repr, SIDE_BET_CARDS))
        hint = did_you_mean(fields.cards, SIDE_BET_CARDS)
        raise InputError(f"{where}: cards must be one of {choices}, got {quote(fields.cards)}{hint}")
    if fields.hands is not None and fields.hands not in HAND_ORDERS:
        raise InputError(
            f"{where}: hands must be {' or '.join(map(repr, HAND_ORDERS))}, "
            f"got {quote(fields.hands)}{did_you_mean(fields.hands, HAND_ORDERS)}"
        )
    size = HAND_ORDERS[fields.hands] if fields.hands else order.size
    _check_side_bet_cards(where, fields.cards, size, game, order)
    if (fields.paytable is None) == (not fields.pays):
        raise InputError(f"{where}: give either its pays or the id of a paytable, such as paytable = 'PKR-TRIPS-1'")
    pays = fields.pays if fields.paytable is None else _read_paytable(fields.paytable, where)
    if fields.jackpot is not None and fields.jackpot < 1:
        raise InputError(f"{where}: jackpot must be at least 1, got {fields.jackpot}")
    lines = _build_lines(
        [*pays, PayLineFields(pays="loses")], hand_order(size, order.ranks), where, jackpot=fields.jackpot
    )
    return SideBet(check_name(fields.name, "side bet"), fields.cards, size, lines, fields.paytable or "")


def _check_side_bet_cards(where: str, cards: str, size: int, game: GameFields, order: HandOrder) -> None:
    """Check that the cards make hands of the order."""
    shared = sum(game.cards.common.values())
    if cards == FINAL_HAND and size != order.size:
        raise InputError(f"{where}: the final hand is compared as {game.hands!r}; for other hands name the first cards")
    if cards == ALL_CARDS and (shared or not game.cards.dealer or game.cards.dealer_up):
        raise InputError(f"{where}: 'all cards' needs a dealer without exposed cards, and no common cards")
    if cards == FIRST_CARDS:
        seen = game.round[0].sees if game.round else []
        count = game.cards.player + sum(game.cards.common.get(name, 0) for name in seen)
        if not size <= count <= MAX_HAND or game.cards.dealer_up:
            raise InputError(f"{where}: {count} first cards do not make a hand of {size} cards")


def _read_paytable(id: str, where: str) -> list[PayLineFields]:
    """Return the pays of a paytable of side bets; its awards must be named like hands."""
    try:
        paytable = get_paytable(id)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None
    return [PayLineFields(hand=award.name, pays=award.stated_pay or str(award.pay)) for award in paytable.awards]


def _build_strategy(
    fields: StrategyFields, rounds: tuple[Round, ...], game: GameFields, order: HandOrder
) -> StatedStrategy:
    """Build a stated strategy."""
    where = f"strategy {quote(fields.name)}"
    names = [round.name for round in rounds]
    for name in fields.rounds:
        if name not in names:
            raise InputError(f"{where}: no round {quote(name)}{did_you_mean(name, names)}; they are {', '.join(names)}")
    rules = []
    for round in rounds:
        actions = [action.name for action in round.actions]
        conditions = []
        for name, text in fields.rounds.get(round.name, {}).items():
            if name not in actions:
                raise InputError(
                    f"{where}, round {quote(round.name)}: no action {quote(name)}{did_you_mean(name, actions)}; "
                    f"they are {', '.join(actions)}"
                )
            try:
                table_size = round.table_size - game.cards.dealer_up
                condition = parse_condition(text, order, game.cards.player, table_size)
            except InputError as error:
                raise InputError(f"{where}, round {quote(round.name)}: {error}") from None
            conditions.append((actions.index(name), condition))
        rules.append(tuple(conditions))
    return StatedStrategy(check_name(fields.name, "strategy"), tuple(rules), fields.source)


# Catalog


@lru_cache(maxsize=1)
def catalog_games() -> dict[str, Path]:
    """Return the files of the catalog's games by id, in alphabetical order."""
    folder = Path(str(files("combinat.betting") / "catalog"))
    return {tomllib.loads(path.read_text("utf-8"))["id"]: path for path in sorted(folder.glob("*.toml"))}


def find_game(name: str) -> Game:
    """Return a game by its id in the catalog or by the path of its file."""
    games = catalog_games()
    by_id = {id.casefold(): path for id, path in games.items()}
    if name.casefold() in by_id:
        return load_game(by_id[name.casefold()])
    if name.endswith(".toml") or "/" in name:
        return load_game(Path(name))
    raise InputError(
        f"no game {quote(name)}{did_you_mean(name, games)}; the games are {', '.join(games)}, or give a TOML file"
    )
