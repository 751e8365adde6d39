"""Every meaning of the reference page as a Python predicate, compared with its word for all hands."""

import re
from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import pytest

from combinat import words
from combinat.analysis.odds import iter_rule_odds
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.fixed.experiment import FixedExperiment
from combinat.enumeration.ladder import Ladder
from combinat.language.parser import parse_rule
from combinat.language.words import FACTS, KINDS, NUMBERS
from combinat.verifier.rules import Row, Rule
from decks import Composition, InputError, Pack, Shoe
from decks.cards import ALL_CARDS
from tests.slow_cases import slow_case

PAGE = (Path(__file__).parents[3] / "docs" / "rules.md").read_text(encoding="utf-8")
SENTENCES = {
    word: meaning.replace("`", "")
    for word, meaning in re.findall(r"^\| `(.+?)` \| (.*?) \| `.*?` \| `.*?` \| [\d,]+ \|", PAGE, re.MULTILINE)
}


def pairs_alike(cards):
    return sum(first.rank == second.rank for first, second in combinations(cards, 2))


def of_one_rank(cards, many):
    """Return whether `count` cards have one rank and all others differ from them and from each other."""
    for chosen in combinations(range(len(cards)), many):
        kept = [cards[index] for index in chosen]
        others = [card for index, card in enumerate(cards) if index not in chosen]
        if len({card.rank for card in kept}) == 1 and pairs_alike([kept[0], *others]) == 0:
            return True
    return False


def repeats(cards):
    return Counter(Counter(card.rank for card in cards).values())


def follow(ranks):
    return all(after - rank == 1 for rank, after in zip(sorted(ranks), sorted(ranks)[1:], strict=False))


def worth(cards, ace):
    """Return the sum of the cards, with one ace at the given value and any other at 1."""
    aces = sum(card.rank == 14 for card in cards)
    return sum(min(int(card.rank), 10) for card in cards if card.rank != 14) + (aces and aces - 1 + ace)


def blackjack_total(cards):
    return worth(cards, 11) if worth(cards, 11) <= 21 else worth(cards, 1)


PREDICATES = {
    "all the cards have one suit": lambda cards: all(card.suit == cards[0].suit for card in cards),
    "the same as suited": lambda cards: all(card.suit == cards[0].suit for card in cards),
    "all the cards are red, or all are black": lambda cards: (
        {str(card)[-1] for card in cards} <= set("dh") or {str(card)[-1] for card in cards} <= set("cs")
    ),
    "no two cards have the same suit": lambda cards: not any(a.suit == b.suit for a, b in combinations(cards, 2)),
    "the ranks follow one another; an ace is high or low (A-2-3, Q-K-A), never in between": lambda cards: (
        follow([card.rank for card in cards])
        or follow([card.rank % 13 if card.rank == 14 else card.rank for card in cards])
    ),
    "two cards have one rank, all others differ from them and from one another": lambda cards: of_one_rank(cards, 2),
    "two ranks or more occur twice, and none more often": lambda cards: (
        repeats(cards)[2] >= 2 and not any(times > 2 for times in repeats(cards))
    ),
    "three cards have one rank, all others differ from them and from one another; so no full house": lambda cards: (
        of_one_rank(cards, 3) and not (repeats(cards)[3] and repeats(cards)[2])
    ),
    "a rank occurs four times, and none more often": lambda cards: max(repeats(cards)) == 4,
    "three cards have one rank and two another": lambda cards: repeats(cards) == {3: 1, 2: 1},
    "a rank occurs five times, and none more often; needs two decks or more": lambda cards: max(repeats(cards)) == 5,
    "no two cards have the same rank": lambda cards: pairs_alike(cards) == 0,
    "the highest straight, of one suit: A-K-Q-J-10 for five cards, A-K-Q for three": lambda cards: (
        len({card.suit for card in cards}) == 1
        and sorted("AKQJ10".find(str(card.rank)) for card in cards) == list(range(len(cards)))
    ),
    "the highest rank that two cards or more have; 0 if all ranks differ": lambda cards: max(
        [0, *(int(one.rank) for one, other in combinations(cards, 2) if one.rank == other.rank)]
    ),
    "all the cards have one rank": lambda cards: pairs_alike(cards) == len(cards) * (len(cards) - 1) // 2,
    "all the cards have one rank and one suit; needs two decks or more": lambda cards: all(
        str(card) == str(cards[0]) for card in cards
    ),
    "the blackjack total is over 21": lambda cards: blackjack_total(cards) > 21,
    "two cards, an ace and a 10, J, Q or K": lambda cards: (
        len(cards) == 2
        and "A" in map(str, [card.rank for card in cards])
        and any(10 <= card.rank <= 13 for card in cards)
    ),
    "the rank of one card, 2 to 10, J, Q, K, A (ace high)": lambda cards: int(cards[0].rank),
    "the highest rank among the cards (ace high)": lambda cards: sorted(cards, key=lambda card: card.rank)[-1].rank,
    "the lowest rank among the cards (ace high)": lambda cards: sorted(cards, key=lambda card: card.rank)[0].rank,
    "the blackjack total; one ace is 11 unless that goes over 21, any other is 1": blackjack_total,
    "the blackjack total with every ace as 1": lambda cards: worth(cards, 1),
    "how many cards there are": len,
    "baccarat points: ace 1, tens and faces 0, last digit of the sum": lambda cards: int(
        str(sum(0 if 10 <= card.rank <= 13 else card.rank % 13 for card in cards))[-1]
    ),
}
PREDICATES["straight and suited"] = lambda cards: (
    PREDICATES[SENTENCES["straight"]](cards) and PREDICATES[SENTENCES["suited"]](cards)
)

LOW = [card for card in ALL_CARDS if card.rank in (2, 3, 4, 5, 14) and str(card)[-1] in "ch"]
HIGH = [card for card in ALL_CARDS if card.rank in (10, 11, 12, 13, 14) and str(card)[-1] in "cs"]
ONE_SUIT = [card for card in ALL_CARDS if str(card)[-1] == "h"]
MOST_RANKS = [card for card in ONE_SUIT if card.rank not in (6, 7, 9)]
"""Ranks that contain every long straight with an ace, and others with a gap."""
TWO_RANKS = [card for card in ALL_CARDS if card.rank in (2, 14)]


def shoes(word):
    """Return kinds of cards that differ in what the word looks at: few kinds make every sort of hand."""
    if word.suits is None:
        return [ONE_SUIT]
    return [TWO_RANKS] if word.ranks is None else [LOW, HIGH]


def hands(kinds, size):
    return combinations_with_replacement(kinds, size)


def sizes(word):
    lowest, highest = word.sizes
    return range(max(lowest, 1), min(highest, 5) + 1)


def test_page_and_command_list_the_same_words():
    message = {entry["word"]: entry["meaning"] for entry in words().to_dict() if "fixed" in entry["deals"]}
    assert message == {word: SENTENCES[word] for word in message}
    assert {*FACTS, *NUMBERS, *KINDS} <= message.keys()


@cache
def described(kinds, size):
    """Yield every hand with its ranks, its suits, and rows of ranks and suits in the verifier's form."""
    return [
        (
            hand,
            tuple(int(card.rank) for card in hand),
            tuple(int(card.suit) for card in hand),
            tuple(
                Row(values, {"": range(size)})
                for values in ([int(card.rank) for card in hand], [str(card)[-1] for card in hand])
            ),
        )
        for hand in hands(kinds, size)
    ]


@pytest.mark.parametrize("every", [False, slow_case(True)], ids=["most", "every rank"])
@pytest.mark.parametrize("name", [*FACTS, *NUMBERS])
def test_words_match_their_meaning_for_all_hands(name, every):
    word = FACTS.get(name) or NUMBERS[name]
    sentence = PREDICATES[SENTENCES[name]]
    verifier_rule = Rule(name, [], is_number=name in NUMBERS)
    for kinds in shoes(word):
        for size in sizes(word):
            some = MOST_RANKS if kinds is ONE_SUIT and size > 3 and not every else kinds
            for hand, ranks, suits, rows in described(tuple(some), size):
                meant = sentence(hand)
                by_ranks = word.ranks is None or word.ranks(ranks)
                by_suits = word.suits is None or word.suits(suits)
                assert (by_ranks if name in NUMBERS else by_ranks and by_suits) == meant, hand
                assert verifier_rule.test(*rows) == meant, hand


@pytest.mark.parametrize("size", [2, 3, 4, slow_case(5)])
def test_word_counts_match_their_meaning(size):
    names = [name for name, word in FACTS.items() if size in sizes(word)]
    deal = parse_deal(f"player:{size}")
    rules = tuple(parse_rule(name, deal) for name in names)
    for kinds in (LOW, HIGH):
        shoe = Composition.of([*kinds, *kinds])
        pack = Pack("small", tuple(sorted({card.rank for card in kinds})))
        counted = FixedExperiment(deal, pack, Ladder(rules), False).count(shoe).matches
        for name, ways in zip(names, counted, strict=True):
            sentence = PREDICATES[SENTENCES[name]]
            assert ways == sum(shoe.ways(hand) for hand in hands(kinds, size) if sentence(hand)), name


def test_full_house_is_no_lower_hand():
    hand = (
        tuple(card for card in ALL_CARDS if card.rank == 13)[:3]
        + tuple(card for card in ALL_CARDS if card.rank == 9)[:2]
    )
    ranks = tuple(int(card.rank) for card in hand)
    assert not any(FACTS[name].ranks(ranks) for name in ("pair", "two pair", "three of a kind", "four of a kind"))


DEALS = ["player:2", "player:2, up:1", "player:5", "dealer:h17", "player:2, dealer:s17", "baccarat", "lucky 9"]


@pytest.mark.parametrize("text", DEALS)
def test_listed_words_are_accepted_in_rules(text):
    """Try every word alone and with every role: it is listed exactly where it is accepted."""
    deal = parse_deal(text)
    listed = {entry["word"]: entry for entry in words(str(deal)).to_dict() if entry["kind"] in ("fact", "number")}
    listed = {word: entry for word, entry in listed.items() if "(" not in word and word != "A-K-Q"}
    assert listed
    for word in {*deal.vocabulary.facts, *deal.vocabulary.numbers, *FACTS, *NUMBERS}:
        read = []
        for role in (None, *deal.positions_by_role):
            message = f"{role}.{word}" if role else word
            is_number = word in deal.vocabulary.numbers
            try:
                parse_rule(f"{message} == 1" if is_number else message, deal)
            except InputError:
                continue
            read.append(role or "by itself")
        assert read == (listed[word]["roles"] if word in listed else []), word


@pytest.mark.parametrize("text", DEALS)
def test_listed_card_kinds_are_accepted_in_rules(text):
    deal = parse_deal(text)
    for entry in words(str(deal)).to_dict():
        if entry["kind"] == "kind of card":
            for role in entry["roles"]:
                parse_rule(f"{'' if role == 'by itself' else role + '.'}has({entry['word']})", deal)
    counted = [entry["word"] for entry in words(str(deal)).to_dict()]
    assert ("hearts" in counted) == (text not in ("dealer:h17", "lucky 9"))


@pytest.mark.parametrize(
    ("rule", "deal", "hint"),
    [
        ("royal", "player:2, up:1", "write 'royal flush'"),
        ("player.royal flush", "player:2, up:1", "'royal flush' needs at least 3 cards, but 'player' has 2"),
        ("full house", "player:2, up:1", "'full house' needs 5 cards, but the deal has 3"),
        ("boat", "player:5", "write 'full house'"),
        ("player.soft", "player:2, up:1", "write 'total > hard total'"),
        ("soft 17", "dealer:h17", "write 'total > hard total'"),
        ("has(1)", "player:2", "write A for an ace"),
        ("count(7, 1) == 1", "player:2", "write A for an ace"),
        ("1-K", "player:2", "write A for an ace"),
        ("aces", "player:2", "write 'has(A)' or 'count(A) == 2'"),
        ("player.offsuit", "player:2", "write 'not suited'"),
    ],
)
def test_casino_jargon_gets_a_hint(rule, deal, hint):
    with pytest.raises(InputError, match=re.escape(hint)):
        parse_rule(rule, parse_deal(deal))


def test_hint_for_soft_is_correct():
    deal = parse_deal("player:2")
    (odds,) = iter_rule_odds("total > hard total", deal, [Shoe(1)])
    assert odds.ways == 4 * 48 + 6  # an ace with another card, or two aces: one of them is 11
