"""Rules in English, for a reader who does not know the rule language.

A hand comes first and what else is asked of the same cards follows it: "three 7s, all diamonds". Where and, or and not
are mixed, brackets show what belongs together, so that a text can be read in one way only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from combinat.language import tree
from combinat.language.deal import Deal
from combinat.language.tree import (
    And,
    Compare,
    Count,
    Fact,
    Like,
    Literal,
    Measure,
    Number,
    Or,
    Places,
    Ranks,
    Said,
    Sum,
)
from combinat.language.words import KINDS, Kind
from decks import Rank, Suit

_SHARED = {
    "suited": "of one suit",
    "flush": "of one suit",
    "same color": "of one color",
    "rainbow": "of different suits",
    "same rank": "of one rank",
    "identical": "of the same rank and suit",
}
"""What all the cards have in common if the word holds; the other words are names of hands."""
_CARDS_IN_HAND = {"pair": 2, "two pair": 4, "three of a kind": 3, "four of a kind": 4}
_AMOUNTS = {"total": "a total", "hard total": "a hard total", "points": "points"}
_QUANTITIES = {"high": "highest rank", "low": "lowest rank", "cards": "number of cards", "points": "number of points"}
_BY_RANK = ("rank", "high", "low")

_OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
_MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_FORMS = {
    "==": ("of {}", "is {}", "is {}", "exactly {}", "{} cards"),
    "!=": ("other than {}", "is not {}", "is not {}", "exactly {}", "a number of cards other than {}"),
    "<": ("of less than {}", "is less than {}", "is lower than {}", "fewer than {}", "fewer than {} cards"),
    "<=": ("of {} or less", "is at most {}", "is {} or lower", "at most {}", "{} or fewer cards"),
    ">": ("of more than {}", "is more than {}", "is higher than {}", "more than {}", "more than {} cards"),
    ">=": ("of {} or more", "is at least {}", "is {} or higher", "at least {}", "{} or more cards"),
    "from": ("from {}", "is from {}", "is from {}", "from {}", "from {} cards"),
}
"""How a condition is said of an amount, of a number, of one card's rank, of a count, and of the cards of a hand."""
_OF, _IS, _RANKS_AS, _COUNTS, _HELD = range(5)

_NUMBERS = dict(enumerate(("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")))
_RANKS = {int(rank): str(rank) if rank <= Rank.TEN else rank.name.lower() for rank in Rank}
_SORTS = ("hand", "amount", "shared", "count", "up")
_PERSONS = ("player", "dealer", "banker")
_MORE_THAN_ANY_HAND = 99


def in_words(rule: tree.Rule, deal: Deal) -> str:
    """Say a rule in English, as a part of a sentence.

    >>> from combinat.language.deal import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> deal = parse_deal("player:2, up:1")
    >>> in_words(parse_rule("7-7-7 and all(diamonds)", deal), deal)
    'three 7s, all diamonds'
    >>> in_words(parse_rule("pair or suited and straight", deal), deal)
    'a pair, or (a straight, all of one suit)'
    >>> in_words(parse_rule("player.has(7) and not up.has(A)", deal), deal)
    "the player holds a 7, and the dealer's up card is not an ace"
    """
    spoken_of = [node for node in tree.parts(rule.fact) if isinstance(node, (Said, Ranks, Measure, Count))]
    speaker = _Speaker(deal, names_all=any(node.places != deal.everybody for node in spoken_of))
    return speaker.piece(rule.fact).alone + (" (aces high)" if _looks_at_order(rule.fact) else "")


class _Cards(Struct, frozen=True):
    """Some cards of the deal as a sentence names them; no size means as many as the dealer draws."""

    name: str
    size: int | None
    holder: str = ""
    unnamed: bool = False
    """Whether no other cards are spoken of, so that they need no name."""

    @property
    def every(self) -> str:
        return "both" if self.size == 2 else "all"

    def say(self, what: str, has: str, do: str) -> str:
        whose = f"{self.holder} {has}" if self.holder else f"{self.name} {do}"
        return what if self.unnamed else f"{whose} {what}"

    def have(self, what: str) -> str:
        return self.say(what, "has", "makes" if self.size == 1 else "together make")

    def number(self, quantity: str) -> str:
        if self.holder and not self.unnamed:
            return f"{self.holder}'s {quantity}"
        return f"the {quantity}{'' if self.unnamed else f' of {self.name}'}"


class _Piece(Struct, frozen=True):
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
        return f"({self.alone})" if self.is_joined else self.alone


class _Speaker(Struct, frozen=True):
    """Puts the facts of one rule into words."""

    deal: Deal
    names_all: bool
    """Whether all cards together must be named, since others are spoken of too."""

    def piece(self, fact: Fact, negated: bool = False) -> _Piece:
        match fact:
            case Said(word, places):
                return self.said(word, places, negated)
            case Ranks(places, ranks):
                return self.ranks(places, [ranks], negated)
            case Compare(sign, left, right):
                return self.compared(_OPPOSITE[sign] if negated else sign, left, right)
            case tree.Not(inner):
                return self.piece(inner, not negated)
            case Or(facts) if found := _compared_to_values(facts):
                return self.measured(found[0], "!=" if negated else "==", found[1])
            case _ if negated:
                return _Piece(f"not ({self.piece(fact).alone})")
            case And(facts):
                return _all_of(list(self.conditions(list(_flat(facts)))))
            case Or(facts):
                lists = [one for one in facts if isinstance(one, Ranks)]
                if len(lists) == len(facts) and len({one.places for one in lists}) == 1:
                    return self.ranks(lists[0].places, [one.ranks for one in lists])
                return _Piece(", or ".join(self.piece(one).within for one in facts), is_joined=len(facts) > 1)

    def conditions(self, facts: Sequence[Fact]) -> Iterator[_Piece]:
        """Say each fact, but two comparisons that bound one number as one."""
        place = 0
        while place < len(facts):
            match facts[place : place + 2]:
                case [Compare("<=", Literal(low), one), Compare("<=", other, Literal(high))] if one == other:
                    yield self.measured(one, "from", (low, high))
                    place += 2
                case [Compare("<" | "<=" as over, least, one), Compare("<" | "<=" as under, two, most)] if one == two:
                    above, below = self.comparison(_MIRRORED[over], one, least), self.comparison(under, one, most)
                    yield _Piece(f"{self.number(one)} {above} and {below.removeprefix('is ')}")
                    place += 2
                case _:
                    yield self.piece(facts[place])
                    place += 1

    def said(self, word: str, places: Places, negated: bool) -> _Piece:
        cards, shared = self.cards(places), _SHARED.get(word, "")
        not_ = "not " if negated else ""
        if shared and word != "flush":
            every = f"{not_}{cards.every} cards" if cards.unnamed else f"{cards.name} are {not_}{cards.every}"
            text = f"{every} {shared}"
        elif word == "bust" and cards.holder and not cards.unnamed:
            text = f"{cards.holder} does not bust" if negated else f"{cards.holder} busts"
        else:
            a = "no " if negated else "" if " of a " in word or word == "two pair" else "a "
            text = cards.have(a + word)
        if negated:
            return _Piece(text, places)
        if shared:
            after = (f"{cards.every} {shared}", f"{cards.every} cards {shared}")
            return _Piece(text, places, "shared", after, is_whole=True)
        is_whole = word.startswith("straight") or cards.size == _CARDS_IN_HAND.get(word, 0)
        return _Piece(text, places, "hand", is_whole=is_whole)

    def ranks(self, places: Places, lists: Sequence[tuple[int, ...]], negated: bool = False) -> _Piece:
        cards = self.cards(places)
        texts = [_ranks(ranks, cards.every if cards.size and not cards.unnamed else "") for ranks in lists]
        is_plain = not any(" and " in text for text in texts)
        text = _listed(texts) if is_plain else ", or ".join(texts)
        subject = "" if cards.unnamed else f"{cards.name} are " if cards.size else "the dealer's hand is "
        if negated:
            return _Piece(f"{subject}not {text if is_plain or subject else f'({text})'}", places)
        return _Piece(subject + text, places, "hand", is_whole=True, is_choice=len(lists) > 1)

    def compared(self, sign: str, left: Number, right: Number) -> _Piece:
        if isinstance(right, Literal):
            return self.measured(left, sign, (right.value,))
        if isinstance(left, Literal):
            return self.compared(_MIRRORED[sign], right, left)
        if isinstance(left, Count) and right == Measure("cards", left.places) and sign in ("==", "!="):
            return self.every(left, negated=sign == "!=")
        return _Piece(f"{self.number(left)} {self.comparison(sign, left, right)}")

    def comparison(self, sign: str, left: Number, right: Number) -> str:
        text = _FORMS[sign][_IS].format(self.number(right))
        if any(isinstance(side, Measure) and side.word in _BY_RANK for side in (left, right)):
            return text.replace("is less", "is lower").replace("is more", "is higher")
        return text

    def measured(self, number: Number, sign: str, values: Sequence[int]) -> _Piece:
        """Say that a number meets a condition that is written in numbers."""
        of, is_, ranks_as, _, held = _FORMS[sign]
        match number:
            case Count():
                return self.counted(number, sign, values)
            case Measure(word, places) if word in _AMOUNTS:
                what = f"{_AMOUNTS[word]} {of.format(_numerals(sign, values))}"
                return _with("amount", self.cards(places).have(what), places, what)
            case Measure("cards", places) if self.cards(places).unnamed or self.cards(places).holder:
                what = held.format(_numerals(sign, [_NUMBERS.get(one, one) for one in values])).replace(
                    "one cards", "one card"
                )
                return _with("count", self.cards(places).have(what), places, what)
            case Measure(word, places) if word in _BY_RANK and all(value in _RANKS for value in values):
                names = [_RANKS[value] for value in values]
                if len(places) > 1:
                    return _Piece(f"{self.number(number)} {is_.format(_numerals(sign, names))}")
                what = _numerals(sign, names) if sign == "from" else _with_article(names)
                text = f"{self.cards(places).name} {ranks_as.format(what)}"
                return self.single(places, text, what if sign == "==" else "")
            case _:
                return _Piece(f"{self.number(number)} {is_.format(_numerals(sign, values))}")

    def single(self, places: Places, text: str, what: str) -> _Piece:
        """Say what one card is; a drawing dealer's up card can follow what is said of the hand."""
        if what and self.deal.draw and places == self.deal.groups["up"]:
            return _with("up", text, self.deal.drawn, f"{what} up")
        return _Piece(text)

    def counted(self, count: Count, sign: str, values: Sequence[int]) -> _Piece:
        """Say how many cards are of a kind, in the plainest way that means the same."""
        places, cards = count.places, self.cards(count.places)
        most = cards.size or _MORE_THAN_ANY_HAND
        meeting = [many for many in range(most + 1) if _meets(many, sign, values)]
        if cards.size and meeting in ([most], list(range(most))):
            return self.every(count, negated=meeting != [most])
        if cards.size == 1:  # it holds always or never
            return _Piece(f"{self.number(count)} {_FORMS[sign][_IS].format(_numerals(sign, values))}")
        one = _listed(self.kinds(count))
        if meeting == [0]:
            return _Piece(cards.say(f"no {one}", "holds", "include"), places)
        if meeting == list(range(1, most + 1)):
            what = f"at least one {one}"
            held = cards.say(what if cards.unnamed else _with_article(self.kinds(count)), "holds", "include")
            return _with("count", held, places, what)
        kinds = one if list(values) == [1] else _listed(self.kinds(count, plural=True))
        what = f"{_FORMS[sign][_COUNTS].format(_numerals(sign, [_NUMBERS.get(one, one) for one in values]))} {kinds}"
        if sign == "!=":
            what = f"not {what}" if cards.unnamed else what
            return _Piece(cards.say(what, "does not hold", "do not include"), places)
        return _with("count", cards.say(what, "holds", "include"), places, what)

    def every(self, count: Count, *, negated: bool) -> _Piece:
        """Say that every card is of a kind, or that not every card is."""
        places, cards = count.places, self.cards(count.places)
        what, several = self.predicate(count)
        if cards.size == 1:
            text = f"{cards.name} is {'not ' if negated else ''}{what}"
            return self.single(places, text, "" if negated or " as " in what else what)
        if negated:
            return _Piece(f"not every {'card' if cards.unnamed else f'one of {cards.name}'} is {what}", places)
        text = f"every card is {what}" if cards.unnamed else f"each of {cards.name} is {what}"
        after = f"{cards.every} {several}" if several else f"each {what}"
        return _Piece(text, places, "shared", (after, f"each card {what}"), is_whole=True)

    def number(self, number: Number) -> str:
        match number:
            case Literal(value):
                return str(value)
            case Measure(word, places):
                return self.cards(places).number(_QUANTITIES.get(word, word))
            case Count(places):
                among = "" if self.cards(places).unnamed else f" among {self.cards(places).name}"
                return f"the number of {_listed(self.kinds(number, plural=True))}{among}"
            case Sum(left, right, sign):
                other = f"({self.number(right)})" if isinstance(right, Sum) else self.number(right)
                return f"{self.number(left)} {'plus' if sign > 0 else 'minus'} {other}"

    def cards(self, places: Places) -> _Cards:
        """Name some cards as the deal does."""
        if places == self.deal.drawn:
            return _Cards("the dealer's cards", None, "the dealer")
        role = next((role for role, own in self.deal.groups.items() if own == places), "")
        unnamed = places == self.deal.everybody and not self.names_all and role not in ("dealer", "up", "hole")
        called, size = role.replace("_", " "), len(places)
        many = [_NUMBERS[size]] if size > 1 else []
        card = "cards" if size > 1 else "card"
        if role.startswith(_PERSONS):
            return _Cards(" ".join([f"the {called}'s", *many, card]), size, f"the {called}", unnamed)
        whose = "the dealer's" if role in ("up", "hole") else "the"
        return _Cards(" ".join([whose, *many, *called.split(), card]), size, "", unnamed)

    def kinds(self, count: Count, *, plural: bool = False) -> list[str]:
        """Name kinds of cards, those like another card last, since their names are long."""
        plain = [name for kind in count.kinds if isinstance(kind, Kind) for name in _kind(kind, plural)]
        alike = [f"card{'s' if plural else ''} {self.like(kind)}" for kind in count.kinds if isinstance(kind, Like)]
        return list(dict.fromkeys([*plain, *alike]))

    def like(self, kind: Like) -> str:
        return f"of the same {kind.what or 'rank and suit'} as {self.cards((kind.place,)).name}"

    def predicate(self, count: Count) -> tuple[str, str]:
        """Say what one card of these kinds is, and what several are if that takes no list."""
        names, several = self.kinds(count), self.kinds(count, plural=True)
        if len(names) > 1:
            return _with_article(names), ""
        short = {"red card": "red", "black card": "black"}.get(names[0], names[0].removeprefix("card "))
        return (_with_article(names), several[0]) if short == names[0] else (short, short)


def _with(sort: str, alone: str, places: Places, what: str) -> _Piece:
    return _Piece(alone, places, sort, (f"with {what}", f"with {what}"))


def _all_of(pieces: Sequence[_Piece]) -> _Piece:
    """Join facts that hold together, those about the same cards side by side."""
    if len(pieces) == 1:
        return pieces[0]
    groups: dict[object, list[_Piece]] = {}
    for place, piece in enumerate(pieces):
        groups.setdefault(place if piece.cards is None else piece.cards, []).append(piece)
    text, *rest = [sentence for group in groups.values() for sentence in _sentences(group)]
    for sentence in rest:
        text += f", {'but' if sentence.startswith(('no ', 'not ')) else 'and'} {sentence}"
    return _Piece(text, is_joined=True)


def _sentences(group: Sequence[_Piece]) -> Iterator[str]:
    """Put a hand first with all that can follow it, then what cannot."""
    by_sort = {sort: [piece for piece in group if piece.sort == sort] for sort in _SORTS}
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


def _flat(facts: Sequence[Fact]) -> Iterator[Fact]:
    for fact in facts:
        yield from _flat(fact.facts) if isinstance(fact, And) else (fact,)


def _looks_at_order(fact: Fact) -> bool:
    """Whether the order of the ranks matters, so that it must be said where the ace stands."""
    nodes = list(tree.parts(fact))
    ordered = [node for node in nodes if isinstance(node, (Compare, Sum)) and node.sign not in ("==", "!=")]
    sides = [side for node in ordered for side in (node.left, node.right)]
    words = [node.word for node in nodes if isinstance(node, Measure)]
    return "high" in words or "low" in words or any(isinstance(one, Measure) and one.word == "rank" for one in sides)


def _compared_to_values(facts: Sequence[Fact]) -> tuple[Number, list[int]] | None:
    """Give the one number that the facts compare with written ones, and those, if that is all they do."""
    equal = [fact for fact in facts if isinstance(fact, Compare) and fact.sign == "=="]
    values = [fact.right.value for fact in equal if isinstance(fact.right, Literal)]
    is_list = len(values) == len(facts) and all(fact.left == equal[0].left for fact in equal)
    return (equal[0].left, values) if is_list else None


def _meets(many: int, sign: str, values: Sequence[int]) -> bool:
    low, high = values[0], values[-1]
    tests = {"==": many in values, "<": many < low, "<=": many <= low, "from": low <= many <= high}
    return tests[sign] if sign in tests else not tests[_OPPOSITE[sign]]


def _numerals(sign: str, values: Sequence[object]) -> str:
    return f"{values[0]} to {values[1]}" if sign == "from" else _listed(list(dict.fromkeys(map(str, values))))


def _ranks(ranks: tuple[int, ...], every: str = "") -> str:
    """Name the ranks of a hand, aces and faces first, or say what every card is if that is one thing.

    >>> _ranks((12, 13, 14)), _ranks((6, 7, 8)), _ranks((7, 7, 14)), _ranks((7, 7), "both")
    ('ace, king and queen', '6, 7 and 8', 'an ace and two 7s', 'both 7s')
    """
    ordered = sorted(set(ranks), key=lambda rank: (rank <= Rank.TEN, rank if rank <= Rank.TEN else -rank))
    if 1 < len(ordered) == len(ranks):
        return _listed([_RANKS[rank] for rank in ordered], "and")
    if every and len(ordered) == 1:
        return f"{every} {_RANKS[ordered[0]]}s"
    counts = [(_RANKS[rank], ranks.count(rank)) for rank in ordered]
    return _listed(
        [f"{_NUMBERS.get(many, many)} {name}s" if many > 1 else _with_article([name]) for name, many in counts], "and"
    )


def _kind(kind: Kind, plural: bool) -> list[str]:
    """Name the cards of a kind, one name for each rank or suit of it."""
    s = "s" if plural else ""
    for color in ("red", "black"):
        if kind == KINDS[color][0]:
            return [f"{color} card{s}"]
    ranks = [f"{_RANKS[rank]}{s}" for rank in sorted(kind.ranks or ())]
    suits = [str(Suit(suit)) for suit in sorted(kind.suits or ())]
    return [f"{rank} of {suit}" for rank in ranks for suit in suits] or ranks or [suit[:-1] + s for suit in suits]


def _with_article(names: Sequence[str]) -> str:
    return f"{'an' if names[0][0] in '8a' else 'a'} {_listed(list(dict.fromkeys(names)))}"


def _listed(texts: Sequence[str], joint: str = "or") -> str:
    return f"{', '.join(texts[:-1])} {joint} {texts[-1]}" if len(texts) > 1 else texts[0]
