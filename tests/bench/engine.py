"""Counting: one bet for all deck counts, many shoes, the dealer's hand, many pays; against the same work of others."""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from combinat.analysis.analysis import analyze
from combinat.analysis.many import PayVariants, house_edges
from combinat.bets.load import load, parse
from combinat.bets.paytable import Paytable
from combinat.enumeration.baccarat.coups import all_coups
from combinat.enumeration.dealer.experiment import DealerExperiment
from combinat.enumeration.experiment import experiment, parse_deal, weigh_many
from combinat.enumeration.fixed.fixed_deal import _rows_by_shape
from combinat.enumeration.ladder import Ladder
from combinat.enumeration.rank_rows import rank_space
from combinat.enumeration.symmetry import suit_rows
from combinat.language.parser import parse_rule
from decks import STANDARD, Composition, Shoe
from tests.bench.references import SIX_DECKS, InC, WinningRows, plain_loop, with_icepool
from tests.bench.timing import Row, Times, interleaved, of_python, own, ratios
from tests.slow.dealer import final_hands

HERE = Path(__file__).parent
PUBLISHED = HERE.parent / "published"
DRAW = parse_deal("dealer:h17")
FIVE = ("straight flush", "four of a kind", "flush", "straight", "three of a kind", "two pair", "pair")
_ASK = """
from combinat.enumeration.experiment import experiment, parse_deal
from combinat.enumeration.ladder import Ladder
from combinat.language.parser import parse_rule
from decks import STANDARD, parse_cards
deal = parse_deal({deal!r})
rules = tuple(parse_rule(text, deal) for text in {rules!r})
trial = experiment(deal, STANDARD, Ladder(rules), any(rule.roles for rule in rules))
"""
_SHOES = "[trial.weigh((STANDARD.composition * n).remove(parse_cards({gone!r}))) for n in {decks!r}]"
_SUITS = ("dealer.bust and dealer.suited", "player.suited and dealer.bust", "player.total == 20")


def shoes(many: int, decks: int = 6, seed: int = 7) -> list[Composition]:
    """Make shoes from which some dozens of cards are gone."""
    dice = random.Random(seed)
    found = []
    for _ in range(many):
        counts = [decks] * 52
        for _ in range(dice.randrange(60)):
            card = dice.randrange(52)
            counts[card] -= counts[card] > 0
        found.append(Composition(counts))
    return found


def three_card_bet() -> Paytable:
    """Load the bet's file, with nothing remembered of it."""
    parse.cache_clear()
    return load(HERE / "three_card.toml")[0]


def ours() -> list[int]:
    """Load the bet's file and count it for all eight deck counts."""
    _forget_counts()
    tally = three_card_bet().tally
    return [list(tally.at(decks).wins) for decks in range(1, 9)][5]


def _forget_counts() -> None:
    from combinat.enumeration.experiment import _made

    _made.cache_clear()


def four_cards_cold() -> None:
    """Load and count a four-card bet with nothing remembered from before."""
    for known in (rank_space, suit_rows, _rows_by_shape, parse):
        known.cache_clear()
    _forget_counts()
    tally = load(HERE / "four_card.toml")[0].tally
    for decks in range(1, 9):
        tally.at(decks)


def dealer_ours() -> dict[tuple[int, int], Fraction]:
    """Bust probabilities of all ten up cards for one to eight decks, from the table of finished hands."""
    tallies = DealerExperiment(DRAW, STANDARD, Ladder((parse_rule("bust", DRAW),))).tally_by_up_card()
    found = {}
    for (rank, *_), tally in tallies.items():
        for decks in range(1, 9):
            ways = tally.at(decks)
            found[decks, 1 if rank == 14 else rank] = Fraction(ways.wins[0], ways.cycle)
    return found


def dealer_twin() -> dict[tuple[int, int], Fraction]:
    """The same by recursion, card by card."""
    return {
        (decks, up): sum(chance for (hard, _), chance in final_hands(decks, up, True).items() if hard > 21)
        for decks in range(1, 9)
        for up in range(1, 11)
    }


def one_bet(c: InC | None) -> list[Row]:
    """One bet for eight deck counts, against one deck count of the others."""
    assert ours() == plain_loop() == with_icepool() == SIX_DECKS
    works: dict[str, Callable[[], float]] = {
        "ours": lambda: own(lambda: [ours() for _ in range(20)]) / 20,
        "loop": lambda: own(plain_loop),
        "icepool": lambda: own(with_icepool),
    }
    if c:
        six = [[6] * 52]
        assert c.three_cards(six) == [SIX_DECKS]
        works["c"] = lambda: own(lambda: [c.three_cards(six) for _ in range(50)]) / 50
    taken = interleaved(works, 9)
    mine = taken["ours"]
    rows = [
        Row("load a three-card bet and count it for 1-8 decks, warm", str(mine)),
        Row(
            "  a plain loop, one deck count", ratios(taken["loop"], mine), "at least 10", _over(taken["loop"], mine, 10)
        ),
        Row(
            "  icepool, one deck count",
            ratios(taken["icepool"], mine),
            "at least 20",
            _over(taken["icepool"], mine, 20),
        ),
    ]
    if c:
        rows.append(Row("  C over all types, one deck count", ratios(taken["c"], mine)))
    four = interleaved({"four": lambda: own(four_cards_cold)}, 3)["four"]
    return [*rows, Row("load and count a four-card bet, cold", str(four), "under 1 s", four.least < 1)]


def _over(one: Times, other: Times, times: int) -> bool:
    return max(one.least / other.least, one.median / other.median) >= times


def five_cards(c: InC | None) -> list[Row]:
    """Five cards in a process of its own, as a command would ask."""
    ask = _ASK.format(deal="player:5", rules=FIVE)
    gone = ask + _SHOES.format(gone="7h 7d Ks 2c As", decks=[6])
    works = {"full": lambda: of_python(ask + "trial.tally().at(6)")[0], "gone": lambda: of_python(gone)[0]}
    if c:
        deal = parse_deal("player:5")
        rules = Ladder(tuple(parse_rule(text, deal) for text in FIVE))
        assert c.five_cards([6] * 52)[:-1] == list(experiment(deal, STANDARD, rules, False).tally().at(6).wins)
        works["c"] = lambda: own(lambda: c.five_cards([6] * 52))
    taken = interleaved(works, 5)
    rows = [
        Row(
            "five dealt cards, seven awards, a process of its own",
            str(taken["full"]),
            "under 0.8 s",
            taken["full"].least < 0.8,
        ),
        Row("  with five cards gone", str(taken["gone"]), "under 0.6 s", taken["gone"].least < 0.6),
    ]
    if c:
        rows.append(
            Row("  C over 3,819,816 types, the loop alone", f"{taken['c']}; {ratios(taken['c'], taken['full'])}")
        )
    return rows


def many_shoes(c: InC | None) -> list[Row]:
    """Shoes in a second: three cards, and the dealer's hand."""
    many, few = shoes(4000), shoes(400)
    bet, rows_of_wins = three_card_bet(), WinningRows()
    exact = [list(ways.wins) for ways in weigh_many(bet.experiment, few)]
    assert exact == [rows_of_wins.ways(shoe.counts) for shoe in few]
    busts = load(PUBLISHED / "buster_blackjack.toml")[0]
    works: dict[str, Callable[[], float]] = {
        "ours": lambda: own(lambda: list(house_edges(bet, many))) / len(many),
        "one": lambda: own(lambda: [bet.experiment.weigh(shoe) for shoe in few[:40]]) / 40,
        "numpy": lambda: own(lambda: [rows_of_wins.ways(shoe.counts) for shoe in few]) / len(few),
        "dealer": lambda: own(lambda: list(house_edges(busts, many[:1000]))) / 1000,
    }
    if c:
        counts = [shoe.counts for shoe in few]
        assert c.three_cards(counts) == exact
        works["c"] = lambda: own(lambda: c.three_cards(counts)) / len(few)
    taken = interleaved(works, 5)
    per_second = {name: 1 / times.least for name, times in taken.items()}
    rows = [
        Row("three cards, many shoes together", _rate(taken["ours"]), "over 10,000/s", per_second["ours"] > 10_000),
        Row("  one shoe after the other", _rate(taken["one"])),
        Row("  numpy over the winning hands, a shoe at a time", _rate(taken["numpy"])),
    ]
    if c:
        rows.append(Row("  C over all types", _rate(taken["c"])))
    return [
        *rows,
        Row(
            "the dealer's hand, many shoes together",
            _rate(taken["dealer"]),
            "over 1,000/s",
            per_second["dealer"] > 1000,
        ),
    ]


def _rate(times: Times) -> str:
    return f"{1 / times.least:,.0f}/s, median {1 / times.median:,.0f}/s"


def dealers() -> list[Row]:
    """The dealer's hand: every up card, and with the player's cards and suits."""
    assert dealer_ours() == dealer_twin()
    taken = interleaved({"ours": lambda: own(dealer_ours), "twin": lambda: own(dealer_twin)}, 5)
    ask = _ASK.format(deal="player:2, dealer:h17", rules=_SUITS)
    cold = [of_python(ask + "[trial.tally().at(n) for n in (1, 2, 4, 6, 8)]") for _ in range(3)]
    gone = [of_python(ask + _SHOES.format(gone="7h 7d Ks 2c As 9s", decks=[1, 2, 4, 6, 8])) for _ in range(3)]
    with_player, with_gone = (Times(tuple(seconds for seconds, _ in runs)) for runs in (cold, gone))
    memory = max(megabytes for _, megabytes in (*cold, *gone))
    ups = taken["ours"]
    return [
        Row("ten up cards of a dealer bet for 1-8 decks, warm", str(ups), "under 20 ms", ups.least < 0.02),
        Row("  the recursion card by card", ratios(taken["twin"], ups), "at least 20", _over(taken["twin"], ups, 20)),
        Row(
            "player:2, dealer:h17 with suits, five deck counts, cold",
            str(with_player),
            "under 1 s",
            with_player.least < 1,
        ),
        Row("  with six cards gone", str(with_gone), "under 5 s", with_gone.least < 5),
        Row("  memory", f"{memory:.0f} MB", "under 150 MB", memory < 150),
    ]


def baccarat() -> list[Row]:
    """A baccarat bet from its file for one to eight decks, with the coups known from before and without them."""

    def count() -> None:
        parse.cache_clear()
        _forget_counts()
        tally = load(HERE / "baccarat.toml")[0].tally
        for decks in range(1, 9):
            tally.at(decks)

    def cold() -> None:
        all_coups.cache_clear()
        suit_rows.cache_clear()
        count()

    taken = interleaved({"cold": lambda: own(cold), "warm": lambda: own(count)}, 5)
    warm, first = taken["warm"], taken["cold"]
    return [
        Row("load a baccarat bet and count it for 1-8 decks, warm", str(warm), "under 150 ms", warm.least < 0.15),
        Row("  cold", str(first), "under 1.5 s", first.least < 1.5),
    ]


def many_pays() -> list[Row]:
    """A hundred thousand ladders of pays for one bet, as exact fractions."""
    bet = three_card_bet()
    ways = analyze(bet, Shoe(6)).ways
    dice = random.Random(3)
    rows = [[dice.randrange(200) for _ in bet.awards] for _ in range(100_000)]
    one = PayVariants(ways, rows[:1]).house_edges[0]
    assert one == 1 - sum(Fraction(won, ways.cycle) * (pay + 1) for won, pay in zip(ways.wins, rows[0], strict=True))
    taken = interleaved({"pays": lambda: own(lambda: list(PayVariants(ways, rows).house_edges))}, 3)["pays"]
    return [Row("100,000 ladders of pays of one bet", str(taken), "under 1 s", taken.least < 1)]


def rows(c: InC | None) -> list[Row]:
    """Everything about counting."""
    return [*one_bet(c), *five_cards(c), *many_shoes(c), *dealers(), *baccarat(), *many_pays()]
