"""Counts the bet of a par sheet a second time, in the plainest way, with the standard library only.

This file shares no code with the program that writes the sheets; verify.py compares the figures. It reads what the
sheet says about the bet (deal, condition, rules, decks, cards removed), then deals physical cards in order: every
ordered deal of card kinds counts as many times as there are physical cards left of each kind when its turn comes, n
decks giving n for a card not seen yet and n-1 if one like it lies on the table. Each hand is judged by the rules as
they are written. Of a dealer who is asked for nothing but a blackjack, the cards are not dealt one by one: the hand is
judged with a blackjack and without, and either counts as often as the cards left can make it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import combinations_with_replacement, permutations, product
from math import factorial, perm, prod
from typing import Any

Card = tuple[int, str]  # a rank, 2 to 14 with the ace high, and a suit's letter
Cards = tuple[Card, ...]
Fitting = tuple[bool, ...] | None  # for each award whether a hand fits its rule; None if the bet's condition fails
Ways = dict[int, Counter[Fitting]]  # by the up card's rank if the dealer draws, else all under 0

RANKS = {**{str(rank): rank for rank in range(2, 11)}, "T": 10, "J": 11, "Q": 12, "K": 13, "A": 14}
TENS = (10, 11, 12, 13)
WORTH = {**{rank: min(rank, 10) for rank in range(2, 14)}, 14: 1}
PACKS = {"standard": tuple(range(2, 15)), "spanish": (*range(2, 10), *range(11, 15))}
COLORS = {"c": "cs", "s": "cs", "d": "dh", "h": "dh"}
MOST_DECKS = 100
NOTHING_ELSE: dict[str, Any] = {"__builtins__": {}}  # what a rule may use of Python
MOST_AWARDS = 200
DEALERS = ("up", "hole")
BLACKJACK, NO_BLACKJACK = ((14, "h"), (13, "h")), ((9, "h"), (9, "h"))
ENDLESS = 0  # the deck count that stands for endless decks, where no card drawn makes the next one rarer


class UnreadableError(ValueError):
    """The file is no par sheet, or says something about the bet that cannot be understood."""


class CannotRederiveError(Exception):
    """The bet is understood, but this method does not reach it."""


def shown(value: object) -> str:
    """Write what a file says so that it fits on a line."""
    text = "".join(sign if sign.isprintable() else " " for sign in str(value)[:200])
    return text if len(text) < 200 else text[:199] + "…"


# The words of the rules, each a function of the cards it is said of


def repeats(cards: Cards) -> list[int]:
    """How often the most frequent rank occurs, and the next one."""
    ranks = [rank for rank, _ in cards]
    return sorted([ranks.count(rank) for rank in set(ranks)], reverse=True)[:2]


def straight(cards: Cards) -> bool:
    """Whether the ranks follow one another, the ace being high or low."""
    high = {rank for rank, _ in cards}
    low = {1 if rank == 14 else rank for rank in high}
    return len(high) == len(cards) and len(cards) - 1 in (max(high) - min(high), max(low) - min(low))


def hard_total(cards: Cards) -> int:
    """The blackjack total with every ace as one."""
    return sum([WORTH[rank] for rank, _ in cards])


def total(cards: Cards) -> int:
    """The blackjack total with an ace as eleven if that does not go over 21."""
    hard = hard_total(cards)
    return hard + 10 if hard <= 11 and any(rank == 14 for rank, _ in cards) else hard


WORDS: dict[str, Callable[[Cards], Any]] = {
    "suited": lambda cards: len({suit for _, suit in cards}) == 1,
    "same_color": lambda cards: len({COLORS[suit] for _, suit in cards}) == 1,
    "bust": lambda cards: hard_total(cards) > 21,
    "blackjack": lambda cards: len(cards) == 2 and total(cards) == 21,
    "total": total,
    "hard_total": hard_total,
    "points": lambda cards: hard_total(cards) % 10,
    "cards": len,
}
TELL_TENS_APART: dict[str, Callable[[Cards], Any]] = {
    "straight": straight,
    "straight_flush": lambda cards: straight(cards) and len({suit for _, suit in cards}) == 1,
    "pair": lambda cards: repeats(cards) in ([2], [2, 1]),
    "two_pair": lambda cards: repeats(cards) == [2, 2],
    "three_of_a_kind": lambda cards: repeats(cards) in ([3], [3, 1]),
    "four_of_a_kind": lambda cards: repeats(cards)[0] == 4,
    "same_rank": lambda cards: len({rank for rank, _ in cards}) == 1,
    "identical": lambda cards: len(set(cards)) == 1,
    "high": lambda cards: max(rank for rank, _ in cards),
    "low": lambda cards: min(rank for rank, _ in cards),
    "rank": lambda cards: cards[0][0],
}
ASK_FOR_SUITS: dict[str, Callable[[Cards], Any]] = {
    "rainbow": lambda cards: len({suit for _, suit in cards}) == len(cards),
    "suit": lambda cards: KINDS[cards[0][1]],
    "color": lambda cards: KINDS[COLORS[cards[0][1]]],
}
WORDS |= TELL_TENS_APART | ASK_FOR_SUITS
KINDS: dict[str, Any] = {f"{name}{suit}": frozenset({(rank, suit)}) for name, rank in RANKS.items() for suit in COLORS}
KINDS |= {suits: frozenset(product(range(2, 15), suits)) for suits in ("c", "d", "h", "s", "dh", "cs")}
KINDS |= dict(zip(("clubs", "diamonds", "hearts", "spades"), map(KINDS.get, "cdhs"), strict=True))
KINDS |= {
    "red": KINDS["dh"],
    "black": KINDS["cs"],
    "face": frozenset(product(TENS[1:], "cdhs")),
    "tens": frozenset(product(TENS, "cdhs")),
}
CONSTANTS = {**RANKS, **KINDS, **{f"card_{name}": kind for name, kind in KINDS.items()}, "LIST": lambda *each: each}
OTHER_NAMES = {"flush": "suited", "trips": "three_of_a_kind", "same_colour": "same_color"}
CALLS = ("count", "has", "all")


def asked(word: str, cards: Cards) -> Any:
    """Answer a word of the tables, or a list of ranks such as `ranks_7_7_7`: whether the cards have just these."""
    if word in WORDS:
        return WORDS[word](cards)
    return sorted([rank for rank, _ in cards]) == listed_ranks(word)


@lru_cache(maxsize=None)
def listed_ranks(word: str) -> list[int]:
    """Give the ranks of a list such as `ranks_A_K_Q`, lowest first."""
    return sorted([RANKS[name] for name in word.split("_")[1:]])


class Group:
    """Some cards of a hand, of which a rule asks words and calls: `player.suited`, `player.has(7, up.rank)`."""

    def __init__(self, held: Cards) -> None:
        self.held = held
        self.counts: dict[tuple[Any, ...], int] = {}

    def __getattr__(self, word: str) -> Any:
        answer = self.__dict__[word] = asked(word, self.held)
        return answer

    def count(self, *kinds: Any) -> int:
        """Count the cards that are of one of the kinds."""
        if kinds not in self.counts:
            self.counts[kinds] = sum([is_of(card, kinds) for card in self.held])
        return self.counts[kinds]

    def has(self, *kinds: Any) -> bool:
        """Whether a card is of one of the kinds."""
        return self.count(*kinds) > 0

    def all(self, *kinds: Any) -> bool:
        """Whether every card is of one of the kinds."""
        return self.count(*kinds) == len(self.held)


group = lru_cache(maxsize=10_000)(Group)  # the same cards are asked the same, whatever others have


def is_of(card: Card, kinds: Iterable[Any]) -> bool:
    """Whether a card is of one of some kinds: a rank, a set of cards, or the one card of another role."""
    for kind in kinds:  # noqa: SIM110  # any() takes twice the time, and this is asked most often
        if card[0] == kind if isinstance(kind, int) else card in getattr(kind, "held", kind):
            return True
    return False


class Table(dict[str, Any]):
    """The hand on the table: what each word of a rule stands for, found out when it is first asked."""

    def __init__(self, hand: Cards, roles: dict[str, tuple[slice, ...]]) -> None:
        self.hand, self.roles = hand, roles

    def __missing__(self, word: str) -> Any:
        if word in self.roles:
            self[word] = group(sum([self.hand[part] for part in self.roles[word]], ()))
        elif word in CALLS:
            self[word] = getattr(Group(self.hand), word)
        else:
            self[word] = CONSTANTS[word] if word in CONSTANTS else asked(word, self.hand)
        return self[word]


class Rule:
    """A rule as an expression of Python, once phrases are joined; it is refused if it has a word of no table above."""

    def __init__(self, text: str, roles: Iterable[str]) -> None:
        self.text = shown(text)
        source = " ".join(text[:1001].translate(str.maketrans("♣♦♥♠", "cdhs")).split())
        for phrase in sorted([word for word in (*WORDS, *OTHER_NAMES) if "_" in word], key=len, reverse=True):
            source = re.sub(rf"\b{phrase.replace('_', '[ _]')}\b", phrase, source)
        source = re.sub(r"\w+", lambda found: OTHER_NAMES.get(found[0], found[0]), source)
        self.words = set(re.findall(r"\w+", source))
        known = {*WORDS, *RANKS, *KINDS, *CALLS, *roles, "and", "or", "not", "in"}
        for word in sorted(self.words - known):
            if not re.fullmatch(r"[0-9]{1,4}", word):
                raise UnreadableError(f"no word '{shown(word)}' in the rule '{self.text}'")
        source = re.sub(r"(?<!\w)\w+(-\w+)+", lambda found: f"ranks_{found[0].replace('-', '_')}", source)
        source = re.sub(r"\b(10|[2-9TJQKA])([cdhs])\b", r"card_\1\2", source)
        source = re.sub(r"\bin ?\(", "in LIST(", re.sub(r"\b0+(?=[0-9])", "", source))  # a list of one is a list too
        is_plain = re.fullmatch(r"(\w+|[=!<>]=|[-+<>(),. ])*", source, re.ASCII) and not re.search(r"\b\d+\.", source)
        try:
            self.code = compile(source if is_plain and len(text) <= 1000 else "?", "rule", "eval")
        except (SyntaxError, RecursionError, MemoryError):
            raise UnreadableError(f"something is wrong in the rule '{self.text}'") from None
        self.source = source
        self.names_role = not self.words.isdisjoint(roles)
        self.asks_for_suits = not self.words.isdisjoint({*ASK_FOR_SUITS, *KINDS} - {"face", "tens"})
        self.tells_tens_apart = not self.words.isdisjoint({*TELL_TENS_APART, "10", "T", "J", "Q", "K", "face"})
        # Whether the dealer is asked for nothing but a blackjack, and no word is said of all cards together.
        rest = source.replace("dealer.blackjack", "1")
        of_all = re.search(rf"(?<![\w.])({'|'.join([*WORDS, *CALLS])}|ranks_\w+|up|hole|dealer)\b", rest)
        self.asks_for_blackjack_only = not of_all


# The bet: what the sheet says about it


def said(sheet: Any, key: str, kind: type) -> Any:
    """Give what a sheet, or a part of it, must say."""
    if not isinstance(sheet, dict) or type(sheet.get(key)) is not kind:
        raise UnreadableError(f"'{key}' is missing or is no {kind.__name__}")
    return sheet[key]


def card_of(text: object) -> Card:
    """Read a card such as 10h."""
    if not isinstance(text, str) or text[:-1] not in RANKS or text[-1] not in COLORS:
        raise UnreadableError(f"no card '{shown(text)}'")
    return RANKS[text[:-1]], text[-1]


DEALT: dict[tuple[Any, ...], Callable[[int], Ways]] = {}
"""Bets that were dealt already, since the sheets of one bet differ in decks and pays only."""


class Bet:
    """The bet as the sheet describes it."""

    def __init__(self, sheet: dict[str, Any]) -> None:
        deal = said(sheet, "deal", str)
        self.draws = deal[-3:] if deal.endswith(("dealer:h17", "dealer:s17")) else ""
        if self.draws and len(deal) > len("dealer:h17"):
            raise CannotRederiveError("cards are dealt to others before the dealer draws")
        if not self.draws and not re.fullmatch(r"[a-z]\w*:[1-5](, [a-z]\w*:[1-5])*", deal, re.ASCII):
            raise UnreadableError(f"cannot read the deal '{shown(deal)}'")
        sizes = {} if self.draws else {part[:-2]: int(part[-1]) for part in deal.split(", ")}
        # Which role comes first changes nothing; the dealer's two come last here.
        self.sizes = dict(sorted(sizes.items(), key=lambda role: role[0] in DEALERS))
        self.cards = 0
        self.roles: dict[str, tuple[slice, ...]] = {}
        if self.draws:
            self.roles = {"up": (slice(0, 1),), "dealer": (slice(None),)}
        for role, size in self.sizes.items():
            self.roles[role] = (slice(self.cards, self.cards + size),)
            self.cards += size
        if "up" in self.roles or "hole" in self.roles:  # the dealer's are the up card and the hole card together
            self.roles.setdefault("dealer", self.roles.get("up", ()) + self.roles.get("hole", ()))
        self.ranks, self.decks = PACKS.get(said(sheet, "pack", str), ()), said(sheet, "decks", int)
        self.removed = Counter(map(card_of, said(sheet, "removed", list)))
        are_there = all(rank in self.ranks and times <= self.decks for (rank, _), times in self.removed.items())
        if not self.ranks or not 1 <= self.decks <= MOST_DECKS or not are_there:
            raise UnreadableError("there is no such shoe; look at 'pack', 'decks' and 'removed'")
        awards = said(sheet, "awards", list)
        if not 1 <= len(awards) <= MOST_AWARDS:
            raise UnreadableError(f"'awards' has {len(awards)} awards; 1 to {MOST_AWARDS} can be checked")
        given = "1 == 1" if sheet.get("given") is None else said(sheet, "given", str)
        condition, *rules = [
            Rule(text, self.roles) for text in (given, *[said(award, "rule", str) for award in awards])
        ]
        self.names_role = any(rule.names_role for rule in (condition, *rules))
        self.tells_tens_apart = any(rule.tells_tens_apart for rule in (condition, *rules))
        self.asks_for_color = any("same_color" in rule.words for rule in (condition, *rules))
        is_out_of_sight = all(rule.asks_for_blackjack_only for rule in (condition, *rules))
        self.peeks = is_out_of_sight and [self.sizes.get(role) for role in DEALERS] == [1, 1]
        if self.draws and any(rule.asks_for_suits for rule in (condition, *rules)):
            raise CannotRederiveError("suits of single cards are asked of a hand drawn to its end")
        rules += [Rule("bust", self.roles), Rule("bust and suited", self.roles)] * bool(self.draws)
        answers = ", ".join(f"({rule.source})" for rule in rules)
        self.ladder = compile(f"({answers},) if ({condition.source}) is True else None", "ladder", "eval")
        self.rules = len(rules)
        is_apart = said(sheet, "roles_told_apart", bool)
        self.orders = prod(map(factorial, self.sizes.values())) if is_apart else factorial(self.cards)
        key = (deal, self.ranks, *sorted(self.removed.elements()), *[rule.source for rule in (condition, *rules)])
        if key not in DEALT:
            if len(DEALT) > MOST_AWARDS:
                DEALT.clear()
            DEALT[key] = dealer_draws(self) if self.draws else fixed_deals(self)
        self.ways = DEALT[key]

    def size(self, decks: int) -> int:
        """How many cards the shoe has, or one deck of endless ones."""
        return (decks or 1) * 4 * len(self.ranks) - self.removed.total()

    def left(self, card: Card) -> int:
        """How many of a card the shoe has."""
        return self.decks - self.removed[card] if card[0] in self.ranks else 0

    def judge(self, hand: Cards) -> Fitting:
        """Judge a hand by the condition and all rules."""
        table = Table(hand, self.roles)
        try:
            # Safe to run, since a rule is made of nothing but words that the table knows, numbers, signs and brackets.
            answers: Fitting = eval(self.ladder, NOTHING_ELSE, table)  # noqa: S307
        except (TypeError, AttributeError, LookupError):
            answers = ()
        if answers is not None and set(map(type, answers)) != {bool}:
            raise UnreadableError("a rule does not answer yes or no: compare numbers, and join facts by 'and' or 'or'")
        return answers

    def stands(self, ranks: tuple[int, ...], hard: int) -> bool:
        """Whether the dealer draws no more with these ranks, of such a total with aces as one."""
        is_soft = hard <= 11 and 14 in ranks
        best = hard + 10 if is_soft else hard
        return len(ranks) > 1 and best >= 17 and not (best == 17 and is_soft and self.draws == "h17")


def fixed_deals(bet: Bet) -> Callable[[int], Ways]:
    """List every deal of card kinds once; the function given weighs them for any number of decks."""
    kinds = [(rank, suit) for rank in bet.ranks for suit in COLORS]
    sizes = list(bet.sizes.values()) if bet.names_role or bet.peeks else [bet.cards]
    sizes = sizes[:-2] if bet.peeks else sizes  # the dealer's two cards are counted when the others lie on the table
    seen = sum(sizes)
    if seen > 4:
        raise CannotRederiveError("dealing five cards in order would take minutes")
    # Within a role, or among all cards if no rule names a role, the order changes nothing but how often a hand comes.
    groups = [
        [(cards, len(set(permutations(cards)))) for cards in combinations_with_replacement(kinds, size)]
        for size in sizes
    ]
    nothing, everywhere = (0,) * seen, factorial(bet.cards)
    deals: Counter[tuple[tuple[Fitting, ...], tuple[int, ...], int, int]] = Counter()
    for parts in product(*groups):
        hand: Cards = sum([cards for cards, _ in parts], ())
        # For each card, how many like it are gone when it is dealt: removed, or dealt before it.
        gone = (
            nothing
            if len(set(hand)) == len(hand) and not bet.removed
            else tuple([bet.removed[card] + hand[:place].count(card) for place, card in enumerate(hand)])
        )
        tables = (hand + NO_BLACKJACK, hand + BLACKJACK) if bet.peeks else (hand,)
        worth = [WORTH[rank] for rank, _ in hand] if bet.peeks else []
        fittings = tuple([bet.judge(table) for table in tables])
        deals[fittings, gone, worth.count(1), worth.count(10)] += prod([orders for _, orders in parts])

    @lru_cache(maxsize=None)
    def ways(decks: int) -> Ways:
        found: Counter[Fitting] = Counter()
        is_finite, cards = decks != ENDLESS, bet.size(decks)
        left = [[(decks or 1) - bet.removed[card] for card in kinds if WORTH[card[0]] == worth] for worth in (1, 10)]
        for (fittings, gone, aces, tens), times in deals.items():
            # From endless decks every row is as likely; the factor keeps numbers whole when orders are taken together.
            rows = times * (prod([max(decks - one, 0) for one in gone]) if is_finite else everywhere)
            if bet.peeks:
                blackjacks = 2 * (sum(left[0]) - is_finite * aces) * (sum(left[1]) - is_finite * tens)
                found[fittings[1]] += rows * blackjacks
                rows *= (perm(max(cards - seen, 0), 2) if is_finite else cards**2) - blackjacks
            found[fittings[0]] += rows
        return {0: found}

    return ways


def dealer_draws(bet: Bet) -> Callable[[int], Ways]:
    """Draw every row of ranks once, until the dealer stands; the function given weighs them for any number of decks."""
    tens = tuple(rank for rank in bet.ranks if rank in TENS and not bet.tells_tens_apart)
    kinds = [(rank,) for rank in bet.ranks if rank not in tens] + [tens] * bool(tens)
    finished: Counter[tuple[int, ...]] = Counter()  # the up card and the others sorted: in how many orders they come

    def draw(row: tuple[int, ...], hard: int) -> None:
        if bet.stands(row, hard):
            finished[(row[0], *sorted(row[1:]))] += 1
            return
        for rank, *_ in kinds:
            draw((*row, rank), hard + WORTH[rank])

    draw((), 0)
    longest = max(map(len, finished))
    # Of each kind, how many ranks it has, and how many of its clubs, spades, diamonds and hearts are removed.
    gone = {one[0]: (len(one), *[sum([bet.removed[rank, suit] for rank in one]) for suit in COLORS]) for one in kinds}
    # Hands that are judged and weighed alike are taken together. Suits are all one (h h h), of one color, or of both.
    hands: Counter[tuple[int, tuple[Fitting, ...], tuple[tuple[tuple[int, ...], int], ...]]] = Counter()
    for ranks, orders in finished.items():
        rows = ["h" + suit * (len(ranks) - 1) for suit in ("hds" if bet.asks_for_color else "hs")]
        suited, *colors = [bet.judge(tuple(zip(ranks, row, strict=True))) for row in rows]
        held = tuple(sorted([(gone[rank], times) for rank, times in Counter(ranks).items()]))
        hands[ranks[0], (suited, colors[0], colors[-1]), held] += orders

    @lru_cache(maxsize=None)
    def ways(decks: int) -> Ways:
        cards = bet.size(decks)
        if decks != ENDLESS and cards < longest:
            raise CannotRederiveError("the shoe can run out before the dealer's hand is finished")
        found: Ways = {kind[0]: Counter() for kind in kinds}
        # In how many ways no card, one and more of each kind can be drawn in order from some suits only.
        in_order: Callable[[int, int], int] = pow if decks == ENDLESS else perm
        drawn: list[dict[tuple[int, ...], list[int]]] = []
        for suits in ((1,), (2,), (3,), (4,), (1, 2), (3, 4), (1, 2, 3, 4)):
            drawn.append({})
            for kind in gone.values():
                left = max((decks or 1) * len(suits) * kind[0] - sum([kind[suit] for suit in suits]), 0)
                drawn[-1][kind] = [in_order(left, times) for times in range(longest + 1)]
        for (up, fittings, held), orders in hands.items():
            *single, blacks, reds, every = [prod([ways[kind][times] for kind, times in held]) for ways in drawn]
            # Every way the cards can lie that are left when the hand is finished makes all rows equally long.
            rest = longest - sum([times for _, times in held])
            after = cards**rest if decks == ENDLESS else perm(cards - longest + rest, rest)
            suited, one_color = sum(single), blacks + reds
            for fitting, times in zip(fittings, (suited, one_color - suited, every - one_color), strict=True):
                found[up][fitting] += orders * times * after
        return found

    return ways
