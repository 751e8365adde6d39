"""Casino War and Red Dog: games of one decision that compare ranks only, dealt from several packs.

Cards come in order from n = 52 x decks cards, so every way is an ordered draw. Burned cards are not seen and change
nothing. In Casino War the decision comes after a tie; in Red Dog after two cards that leave a spread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product

from msgspec import Struct, field

from combinat.bets.pay import parse_pay
from combinat.bets.schema import Fields, check_name
from combinat.betting.game import Ending
from combinat.betting.report import NO_DECISION, EndingCount, GameReport, PlayReport, SideBetLine, SideBetReport
from combinat.betting.strategy import DecisionTable, HandShares
from decks import InputError
from decks.errors import quote

ONE_CARD, IN_BETWEEN = "one card", "in between"
RANKS = 13
_CARDS_OF_RANK = 4
MAX_DECKS = 16
_WAR_PAYS = {"ante": "push", "raise": "1 to 1"}


class WarFields(Fields):
    """Casino War: the part of the ante that a surrender loses, and the pays after a war by result."""

    game: str
    id: str
    hands: str
    decks: int
    surrender: str = "1/2"
    raise_stake: int = 1
    war_win: dict[str, str] = field(default_factory=lambda: dict(_WAR_PAYS))
    war_tie: dict[str, str] = field(default_factory=lambda: dict(_WAR_PAYS))
    tie_bet: str | None = None
    source: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class RedDogFields(Fields):
    """Red Dog: pays by spread, for three of a kind, and the stake of a raise."""

    game: str
    id: str
    hands: str
    decks: int
    spread: dict[str, str]
    three_of_a_kind: str = "11 to 1"
    raise_stake: int = 1
    source: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


class RankResult(Struct, frozen=True):
    """A result of a deal: a hand class, an outcome, and the odds of ante and raise."""

    hand_class: int
    outcome: str
    ways: int
    ante: Fraction
    raised: Fraction


class RankGame(Struct, frozen=True):
    """A game of one decision: deals without a decision, and for each decision state the results of playing on."""

    id: str
    title: str
    deal: str
    round: str
    actions: tuple[str, str]
    """The action that bets less, and the raise."""
    surrender: Fraction | None
    """Part of the ante that the first action loses; None if the first action plays on with the ante alone."""
    raise_stake: Fraction
    hand_classes: tuple[str, ...]
    no_decision: tuple[RankResult, ...]
    states: tuple[tuple[RankResult, ...], ...]
    tie_odds: Fraction | None
    sources: tuple[str, ...]
    notes: tuple[str, ...]


def _odds(text: str, where: str) -> Fraction:
    try:
        return Fraction(parse_pay(text).net.constant)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _check_decks(decks: int) -> int:
    if not 1 <= decks <= MAX_DECKS:
        raise InputError(f"decks must be 1 to {MAX_DECKS}, got {decks}")
    return decks


def build_war(fields: WarFields) -> RankGame:
    """Build Casino War."""
    decks = _check_decks(fields.decks)
    for name, pays in (("war_win", fields.war_win), ("war_tie", fields.war_tie)):
        if set(pays) != {"ante", "raise"}:
            raise InputError(f"{name} must give the pays of 'ante' and 'raise', got {quote(', '.join(pays))}")
    try:
        surrender = Fraction(fields.surrender)
    except (ValueError, ZeroDivisionError):
        raise InputError(f"surrender must be a part of the ante such as '1/2', got {quote(fields.surrender)}") from None
    odds = {
        "win": [_odds(fields.war_win[bet], "war_win") for bet in ("ante", "raise")],
        "tie": [_odds(fields.war_tie[bet], "war_tie") for bet in ("ante", "raise")],
        "lose": [Fraction(-1), Fraction(-1)],
    }
    one, cards = Fraction(1), 52 * decks
    rest = (cards - 2) * (cards - 3)
    no_decision: Counter[str] = Counter()
    states = []
    for own, dealer in product(range(RANKS), repeat=2):
        ways = _ordered_ways(decks, [own, dealer])
        if own != dealer:
            no_decision["win" if own > dealer else "lose"] += ways * rest
            continue
        results: Counter[str] = Counter()
        for second, dealer_second in product(range(RANKS), repeat=2):
            result = "win" if second > dealer_second else "tie" if second == dealer_second else "lose"
            results[result] += _ordered_ways(decks, [own, dealer, second, dealer_second])
        states.append(tuple(RankResult(2 + own, result, count, *odds[result]) for result, count in results.items()))
    first = (
        RankResult(0, "win", no_decision["win"], one, Fraction()),
        RankResult(1, "lose", no_decision["lose"], -one, Fraction()),
    )
    return RankGame(
        id=check_name(fields.id, "id", 40),
        title=check_name(fields.game, "game"),
        deal=f"one card each from {decks} decks; after a tie another card each",
        round="tie",
        actions=("surrender", "go to war"),
        surrender=surrender,
        raise_stake=Fraction(fields.raise_stake),
        hand_classes=("no tie, higher card", "no tie, lower card", *(f"tie of {name}" for name in _RANK_WORDS)),
        no_decision=first,
        states=tuple(states),
        tie_odds=_odds(fields.tie_bet, "tie_bet") if fields.tie_bet else None,
        sources=tuple(fields.source),
        notes=tuple(fields.notes),
    )


_RANK_WORDS = (
    "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens", "kings",
    "aces",
)  # fmt: skip


def _ordered_ways(decks: int, ranks: list[int]) -> int:
    """Return the number of ordered draws of cards with these ranks."""
    ways, drawn = 1, Counter[int]()
    for rank in ranks:
        ways *= _CARDS_OF_RANK * decks - drawn[rank]
        drawn[rank] += 1
    return ways


def build_red_dog(fields: RedDogFields) -> RankGame:
    """Build Red Dog."""
    decks = _check_decks(fields.decks)
    pays: dict[int, Fraction] = {}
    for key, text in fields.spread.items():
        if key != "other" and not (key.isdecimal() and 1 <= int(key) <= RANKS - 2):
            raise InputError(f"spread: a key must be 1 to {RANKS - 2} or 'other', got {quote(key)}")
        pays[0 if key == "other" else int(key)] = _odds(text, f"spread {key}")
    for spread in range(1, RANKS - 1):
        if spread not in pays and 0 not in pays:
            raise InputError(f"spread: no pay for {spread}; add '{spread}' or 'other'")
    cards, suited = 52 * decks, _CARDS_OF_RANK * decks
    zero, one = Fraction(), Fraction(1)
    three = _odds(fields.three_of_a_kind, "three_of_a_kind")
    pairs = RANKS * suited * (suited - 1)
    consecutive = 2 * (RANKS - 1) * suited * suited
    no_decision = (
        RankResult(0, "tie", consecutive * (cards - 2), zero, zero),
        RankResult(1, "win", pairs * (suited - 2), three, zero),
        RankResult(1, "tie", pairs * (cards - suited), zero, zero),
    )
    states = []
    for spread in range(1, RANKS - 1):
        first_two = 2 * (RANKS - 1 - spread) * suited * suited
        odds = pays.get(spread, pays.get(0, one))
        between = spread * suited
        states.append(
            (
                RankResult(1 + spread, "win", first_two * between, odds, odds),
                RankResult(1 + spread, "lose", first_two * (cards - 2 - between), -one, -one),
            )
        )
    return RankGame(
        id=check_name(fields.id, "id", 40),
        title=check_name(fields.game, "game"),
        deal=f"two cards, then a third, from {decks} decks",
        round="spread",
        actions=("call", "raise"),
        surrender=None,
        raise_stake=Fraction(fields.raise_stake),
        hand_classes=("consecutive", "pair", *(f"spread {spread}" for spread in range(1, RANKS - 1))),
        no_decision=no_decision,
        states=tuple(states),
        tie_odds=None,
        sources=tuple(fields.source),
        notes=tuple(fields.notes),
    )


# Report


def _net(game: RankGame, result: RankResult, is_raised: bool) -> Fraction:
    if not is_raised and game.surrender is not None:
        return -game.surrender
    return result.ante + (game.raise_stake * result.raised if is_raised else 0)


def _values(game: RankGame, state: tuple[RankResult, ...]) -> tuple[Fraction, Fraction]:
    """Return the mean net result of the two actions in a decision state."""
    ways = sum(result.ways for result in state)
    first, second = (
        sum((_net(game, result, is_raised) * result.ways for result in state), Fraction()) / ways
        for is_raised in (False, True)
    )
    return first, second


def _follow(game: RankGame, raises: Callable[[Fraction, Fraction], bool]) -> Iterator[EndingCount]:
    """Yield how deals end if the player raises where `raises` says so, from the values of both actions."""
    ante = Fraction(1)
    dealt = Ending(0, NO_DECISION, (ante, Fraction()), False)
    for result in game.no_decision:
        yield EndingCount(dealt, result.hand_class, (True, result.outcome), result.ante, result.ways)
    for state in game.states:
        is_raised = raises(*_values(game, state))
        folds = not is_raised and game.surrender is not None
        stakes = (ante, game.raise_stake if is_raised else Fraction())
        ending = Ending(0, game.actions[is_raised], stakes, folds)
        for result in state:
            outcome = "fold" if folds else result.outcome
            yield EndingCount(ending, result.hand_class, (True, outcome), _net(game, result, is_raised), result.ways)


def _mean(counts: list[EndingCount], value: Callable[[EndingCount], Fraction]) -> Fraction:
    return sum((value(count) * count.ways for count in counts), Fraction()) / sum(count.ways for count in counts)


def report_rank_game(game: RankGame) -> GameReport:
    """Solve a game that compares ranks."""
    best = list(_follow(game, lambda first, second: second > first))
    most = list(_follow(game, lambda first, second: second >= first))
    plays = []
    for name, is_raised in ((f"always {game.actions[0]}", False), (f"always {game.actions[1]}", True)):
        counts = list(_follow(game, lambda *_, is_raised=is_raised: is_raised))
        plays.append(
            PlayReport(name, -_mean(counts, lambda count: count.net), _mean(counts, lambda count: count.ending.wager))
        )
    rows = []
    for state in reversed(game.states):
        first, second = _values(game, state)
        shares = (Fraction(second <= first), Fraction(second > first))
        rows.append(HandShares(game.hand_classes[state[0].hand_class], sum(result.ways for result in state), shares))
    return GameReport(
        id=game.id,
        title=game.title,
        deal=game.deal,
        bets=("ante", "raise"),
        rounds=(game.round,),
        actions=game.actions,
        hand_classes=game.hand_classes,
        edge=-_mean(best, lambda count: count.net),
        endings=tuple(_merge(best)),
        highest_wager=_mean(most, lambda count: count.ending.wager),
        plays=tuple(plays),
        side_bets=_tie_bet(game, best),
        strategy=(DecisionTable(game.round, "", game.actions, tuple(rows)),),
        sources=game.sources,
        notes=game.notes,
    )


def _merge(counts: list[EndingCount]) -> Iterator[EndingCount]:
    """Yield the counts with equal endings together."""
    ways: Counter[tuple[Ending, int, tuple[bool, str], Fraction]] = Counter()
    for count in counts:
        ways[count.ending, count.hand_class, count.outcome, count.net] += count.ways
    for key, total in ways.items():
        yield EndingCount(*key, total)


def _tie_bet(game: RankGame, counts: list[EndingCount]) -> tuple[SideBetReport, ...]:
    """Return the bet on a tie of the first two cards."""
    if game.tie_odds is None:
        return ()
    lines = []
    for name, odds, is_tie in (("tie", game.tie_odds, True), ("all other hands", Fraction(-1), False)):
        matching = [count for count in counts if (count.hand_class > 1) == is_tie]
        ways = sum(count.ways for count in matching)
        lines.append(SideBetLine(name, odds, ways, _mean(matching, lambda count: count.net)))
    return (SideBetReport("tie", "first cards", tuple(lines)),)
