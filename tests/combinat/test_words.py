"""Every sentence of the reference page as a predicate of its own, held against what the word does, for all hands."""

import re
from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement
from pathlib import Path

import pytest

from combinat.analysis.odds import iter_rule_odds
from combinat.enumeration.experiment import parse_deal
from combinat.enumeration.fixed.experiment import FixedExperiment
from combinat.enumeration.ladder import Ladder
from combinat.language.parser import parse_rule
from combinat.language.words import FACTS, KINDS, NUMBERS
from combinat.verifier.words import asked
from decks import Composition, InputError, Pack, Shoe
from decks.cards import ALL_CARDS
from reports.answers.vocabulary import vocabulary_payload

PAGE = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
SENTENCES = {
    word: meaning.replace("`", "")
    for word, meaning in re.findall(r"^\| `(.+?)` \| (.*?) \| `.*?` \| `.*?` \| [\d,]+ \|", PAGE, re.MULTILINE)
}


def pairs_alike(cards):
    return sum(one.rank == other.rank for one, other in combinations(cards, 2))


def of_one_rank(cards, many):
    """Whether some cards, so many, have one rank, and every other card differs from them and from every other."""
    for chosen in combinations(range(len(cards)), many):
        kept = [cards[place] for place in chosen]
        others = [card for place, card in enumerate(cards) if place not in chosen]
        if len({card.rank for card in kept}) == 1 and pairs_alike([kept[0], *others]) == 0:
            return True
    return False


def repeats(cards):
    return Counter(Counter(card.rank for card in cards).values())


def follow(ranks):
    return all(after - before == 1 for before, after in zip(sorted(ranks), sorted(ranks)[1:], strict=False))


def worth(cards, ace):
    """The sum of the cards, one ace taken for so much and any other for one."""
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
"""Every straight of many cards that has an ace is among these, and others that end where there is a gap."""
TWO_RANKS = [card for card in ALL_CARDS if card.rank in (2, 14)]


def shoes(word):
    """Kinds of cards that differ in what the word looks at, so that few are enough to make every sort of hand."""
    if word.suits is None:
        return [ONE_SUIT]
    return [TWO_RANKS] if word.ranks is None else [LOW, HIGH]


def hands(kinds, size):
    return combinations_with_replacement(kinds, size)


def sizes(word):
    least, most = word.sizes
    return range(max(least, 1), min(most, 5) + 1)


def test_the_page_and_the_command_say_the_same():
    said = {entry["word"]: entry["meaning"] for entry in vocabulary_payload() if "fixed" in entry["deals"]}
    assert said == {word: SENTENCES[word] for word in said}
    assert {*FACTS, *NUMBERS, *KINDS} <= said.keys()


@cache
def described(kinds, size):
    """Every hand, with its ranks, its suits, and its cards as the second method has them."""
    return [
        (
            hand,
            tuple(int(card.rank) for card in hand),
            tuple(int(card.suit) for card in hand),
            tuple((int(card.rank), str(card)[-1]) for card in hand),
        )
        for hand in hands(kinds, size)
    ]


@pytest.mark.parametrize("every", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["most", "every rank"])
@pytest.mark.parametrize("name", [*FACTS, *NUMBERS])
def test_word_does_what_its_sentence_says_for_all_hands(name, every):
    word = FACTS.get(name) or NUMBERS[name]
    sentence = PREDICATES[SENTENCES[name]]
    second = "suited" if name == "flush" else name.replace(" ", "_")
    for kinds in shoes(word):
        for size in sizes(word):
            some = MOST_RANKS if kinds is ONE_SUIT and size > 3 and not every else kinds
            for hand, ranks, suits, plainly in described(tuple(some), size):
                meant = sentence(hand)
                by_ranks = word.ranks is None or word.ranks(ranks)
                by_suits = word.suits is None or word.suits(suits)
                assert (by_ranks if name in NUMBERS else by_ranks and by_suits) == meant, hand
                assert asked(second, plainly) == meant, hand


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_counted_as_often_as_the_sentence_holds(size):
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


def test_a_full_house_is_no_lesser_hand():
    hand = (
        tuple(card for card in ALL_CARDS if card.rank == 13)[:3]
        + tuple(card for card in ALL_CARDS if card.rank == 9)[:2]
    )
    ranks = tuple(int(card.rank) for card in hand)
    assert not any(FACTS[name].ranks(ranks) for name in ("pair", "two pair", "three of a kind", "four of a kind"))


DEALS = ["player:2", "player:2, up:1", "player:5", "dealer:h17", "player:2, dealer:s17", "baccarat", "lucky 9"]


@pytest.mark.parametrize("text", DEALS)
def test_words_of_a_deal_are_those_that_its_rules_may_use(text):
    """Every word is tried by itself and with every role: it is listed for just those ways in which it is read."""
    deal = parse_deal(text)
    listed = {entry["word"]: entry for entry in vocabulary_payload(deal) if entry["kind"] in ("fact", "number")}
    listed = {word: entry for word, entry in listed.items() if "(" not in word and word != "A-K-Q"}
    assert listed
    for word in {*deal.vocabulary.facts, *deal.vocabulary.numbers, *FACTS, *NUMBERS}:
        read = []
        for role in (None, *deal.groups):
            said = f"{role}.{word}" if role else word
            is_number = word in deal.vocabulary.numbers
            try:
                parse_rule(f"{said} == 1" if is_number else said, deal)
            except InputError:
                continue
            read.append(role or "by itself")
        assert read == (listed[word]["said_of"] if word in listed else []), word


@pytest.mark.parametrize("text", DEALS)
def test_kinds_of_card_of_a_deal_are_those_that_its_rules_may_count(text):
    deal = parse_deal(text)
    for entry in vocabulary_payload(deal):
        if entry["kind"] == "kind of card":
            for role in entry["said_of"]:
                parse_rule(f"{'' if role == 'by itself' else role + '.'}has({entry['word']})", deal)
    counted = [entry["word"] for entry in vocabulary_payload(deal)]
    assert ("hearts" in counted) == (text not in ("dealer:h17", "lucky 9"))


@pytest.mark.parametrize(
    ("rule", "deal", "hint"),
    [
        ("royal", "player:2, up:1", "write 'royal flush'"),
        ("player.royal flush", "player:2, up:1", "'royal flush' is said of at least 3 cards, but 'player' has 2"),
        ("full house", "player:2, up:1", "'full house' is said of 5 cards, but the deal has 3"),
        ("boat", "player:5", "write 'full house'"),
        ("player.soft", "player:2, up:1", "a hand is soft where 'total > hard total'"),
        ("soft 17", "dealer:h17", "a hand is soft where 'total > hard total'"),
        ("has(1)", "player:2", "an ace is written A"),
        ("count(7, 1) == 1", "player:2", "an ace is written A"),
        ("1-K", "player:2", "an ace is written A"),
        ("aces", "player:2", "write 'has(A)' or 'count(A) == 2'"),
        ("player.offsuit", "player:2", "write 'not suited'"),
    ],
)
def test_word_of_the_card_room_gets_the_right_hint(rule, deal, hint):
    with pytest.raises(InputError, match=re.escape(hint)):
        parse_rule(rule, parse_deal(deal))


def test_what_the_hint_for_soft_says_is_soft():
    deal = parse_deal("player:2")
    (found,) = iter_rule_odds("total > hard total", deal, [Shoe(1)])
    assert found.ways == 4 * 48 + 6  # an ace with another card, or two aces: one of them is 11
