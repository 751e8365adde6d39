"""What a rule in English is put together from: names of cards, forms of conditions, facts that follow a hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from combinat.language.deal import Cards
from combinat.language.word import Kind, Places, Word
from combinat.language.words import KINDS
from decks import JOKER, JOKER_NAME, Rank, Suit

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


class Forms(Struct, frozen=True):
    """How a condition is said: of an amount, of a number, of one card's rank, of a count, and of a hand's cards."""

    amount: str
    number: str
    rank: str
    count: str
    held: str


FORMS = {
    "==": Forms("of {}", "is {}", "is {}", "exactly {}", "{} cards"),
    "!=": Forms("other than {}", "is not {}", "is not {}", "exactly {}", "a number of cards other than {}"),
    "<": Forms("of less than {}", "is less than {}", "is lower than {}", "fewer than {}", "fewer than {} cards"),
    "<=": Forms("of {} or less", "is at most {}", "is {} or lower", "at most {}", "{} or fewer cards"),
    ">": Forms("of more than {}", "is more than {}", "is higher than {}", "more than {}", "more than {} cards"),
    ">=": Forms("of {} or more", "is at least {}", "is {} or higher", "at least {}", "{} or more cards"),
    "from": Forms("from {}", "is from {}", "is from {}", "from {}", "from {} cards"),
}

SMALL_NUMBERS = dict(enumerate(("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")))
RANK_NAMES = {int(rank): str(rank) if rank <= Rank.TEN else rank.name.lower() for rank in Rank}
KIND_NAMES = {**RANK_NAMES, int(JOKER.rank): JOKER_NAME}
SORTS = ("hand", "amount", "shared", "count", "up")
MORE_THAN_ANY_HAND = 99


class SpokenCards(Struct, frozen=True):
    """Some cards of the deal in a sentence."""

    called: Cards
    unnamed: bool = False
    """Whether no other cards are spoken of, so that they need no name."""

    @property
    def name(self) -> str:
        """What they are called."""
        return self.called.name

    @property
    def size(self) -> int | None:
        """How many there are, if that is known."""
        return self.called.size

    @property
    def holder(self) -> str:
        """Who holds them, if one says so."""
        return self.called.holder

    @property
    def every(self) -> str:
        """How one says all of them."""
        return "both" if self.size == 2 else "all"

    def say(self, what: str, has: str, do: str) -> str:
        """Say something of them: that the holder has it, or that they do something."""
        whose = f"{self.holder} {has}" if self.holder else f"{self.name} {do}"
        return what if self.unnamed else f"{whose} {what}"

    def have(self, what: str) -> str:
        """Say that they make something."""
        return self.say(what, "has", "makes" if self.size == 1 else "together make")

    def best(self, word: Word, negated: bool) -> str:
        """Say what the best of them make."""
        best = f"best {SMALL_NUMBERS[word.best]}"
        whose = f"{self.holder}'s {best} cards" if self.holder else f"the {best} of {self.name}"
        return f"{f'the {best} cards' if self.unnamed else whose} make {hand_named(word.name, negated)}"

    def some(self, word: Word, negated: bool) -> str:
        """Say that some of them make a hand, or that none do."""
        among = "the cards" if self.unnamed else self.name
        which = f"{'no' if negated else 'some'} {SMALL_NUMBERS[word.any_size]}"
        return f"{which} of {among} make {hand_named(word.name)}"

    def number(self, quantity: str) -> str:
        """Name a quantity of theirs."""
        if self.holder and not self.unnamed:
            return f"{self.holder}'s {quantity}"
        return f"the {quantity}{'' if self.unnamed else f' of {self.name}'}"


class Piece(Struct, frozen=True):
    """A fact in words, standing alone or following a hand of the same cards."""

    alone: str
    cards: Places | None = None
    sort: str = "sentence"
    """A hand, an amount, what is shared by the cards, a count of some, the dealer's up card, or its own sentence."""
    after: tuple[str, str] = ("", "")
    """How it follows a hand, if that is made of all the cards and otherwise."""
    is_whole: bool = False
    """Whether it is made of all the cards."""
    is_choice: bool = False
    """Whether it is one of several hands."""
    is_joined: bool = False
    """Whether it has to stand in brackets within something larger."""

    @property
    def within(self) -> str:
        """How it stands within something larger."""
        return f"({self.alone})" if self.is_joined else self.alone


def following(sort: str, alone: str, places: Places, what: str) -> Piece:
    """Make a piece that follows a hand by a mere with."""
    return Piece(alone, places, sort, (f"with {what}", f"with {what}"))


def all_of(pieces: Sequence[Piece]) -> Piece:
    """Join facts that hold together, those about the same cards side by side."""
    if len(pieces) == 1:
        return pieces[0]
    groups: dict[object, list[Piece]] = {}
    for place, piece in enumerate(pieces):
        groups.setdefault(place if piece.cards is None else piece.cards, []).append(piece)
    text, *rest = [sentence for group in groups.values() for sentence in sentences(group)]
    for sentence in rest:
        text += f", {'but' if sentence.startswith(('no ', 'not ')) else 'and'} {sentence}"
    return Piece(text, is_joined=True)


def sentences(group: Sequence[Piece]) -> Iterator[str]:
    """Put a hand first with all that can follow it, then what cannot."""
    by_sort = {sort: [piece for piece in group if piece.sort == sort] for sort in SORTS}
    main = next((one for pieces in by_sort.values() for one in pieces), None)
    if main is None or main.sort == "up":
        yield from (piece.within for piece in group)
        return
    others = [one for pieces in by_sort.values() for one in pieces if one is not main and one.sort != "hand"]
    follows = [one for one in others if one.sort != main.sort or one.sort == "shared"]
    following = [one.after[0 if main.is_whole else 1] for one in follows]
    if following and main.is_choice:
        following[0] = f"in each case {following[0]}"
    # After several names in a row, a mere "with" would leave open which of them it belongs to.
    is_plain = main.sort in ("hand", "amount") and " and " not in main.alone
    is_short = is_plain and len(following) == 1 and following[0].startswith("with ")
    yield main.alone + "".join(f" {text}" if is_short else f", {text}" for text in following)
    yield from (one.within for one in group if not any(one is other for other in (main, *follows)))


def numerals(sign: str, values: Sequence[object]) -> str:
    """Write the numbers of a condition: a range, or one of several."""
    return f"{values[0]} to {values[1]}" if sign == "from" else listed(list(dict.fromkeys(map(str, values))))


def ranks_in_words(ranks: tuple[int, ...], every: str = "") -> str:
    """Name the ranks of a hand, aces and faces first, or say what every card is if that is one thing.

    >>> ranks_in_words((12, 13, 14)), ranks_in_words((7, 7, 14)), ranks_in_words((7, 7), "both")
    ('ace, king and queen', 'an ace and two 7s', 'both 7s')
    """
    ordered = sorted(set(ranks), key=lambda rank: (rank <= Rank.TEN, rank if rank <= Rank.TEN else -rank))
    if 1 < len(ordered) == len(ranks):
        return listed([RANK_NAMES[rank] for rank in ordered], "and")
    if every and len(ordered) == 1:
        return f"{every} {RANK_NAMES[ordered[0]]}s"
    counts = [(RANK_NAMES[rank], ranks.count(rank)) for rank in ordered]
    return listed(
        [f"{SMALL_NUMBERS.get(many, many)} {name}s" if many > 1 else with_article([name]) for name, many in counts],
        "and",
    )


def hand_named(name: str, negated: bool = False) -> str:
    """Name a hand with its article, or the lack of it.

    >>> hand_named("straight"), hand_named("two pair"), hand_named("two pair", negated=True)
    ('a straight', 'two pair', 'no two pair')
    """
    return f"{'no ' if negated else '' if ' of a ' in name or name == 'two pair' else 'a '}{name}"


def kind_in_words(kind: Kind, plural: bool) -> list[str]:
    """Name the cards of a kind, one name for each rank or suit of it."""
    s = "s" if plural else ""
    for color in ("red", "black"):
        if kind == KINDS[color][0]:
            return [f"{color} card{s}"]
    ranks = [f"{KIND_NAMES[rank]}{s}" for rank in sorted(kind.ranks or ())]
    suits = [str(Suit(suit)) for suit in sorted(kind.suits or ())]
    return [f"{rank} of {suit}" for rank in ranks for suit in suits] or ranks or [suit[:-1] + s for suit in suits]


def with_article(names: Sequence[str]) -> str:
    """Put a or an before names of which one is meant."""
    return f"{'an' if names[0][0] in '8a' else 'a'} {listed(list(dict.fromkeys(names)))}"


def listed(texts: Sequence[str], joint: str = "or") -> str:
    """List texts as a sentence does."""
    return f"{', '.join(texts[:-1])} {joint} {texts[-1]}" if len(texts) > 1 else texts[0]


def meets(many: int, sign: str, values: Sequence[int]) -> bool:
    """Whether a number meets a condition that is written in numbers."""
    low, high = values[0], values[-1]
    tests = {"==": many in values, "<": many < low, "<=": many <= low, "from": low <= many <= high}
    return tests[sign] if sign in tests else not tests[OPPOSITE[sign]]
