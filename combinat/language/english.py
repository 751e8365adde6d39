"""Rules in English, for a reader who does not know the rule language.

A hand comes first and what else is asked of the same cards follows it: "three 7s, all diamonds". Where and, or and not
are mixed, brackets show what belongs together, so that a text can be read in one way only.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from combinat.language import tree
from combinat.language.deal import Deal
from combinat.language.phrases import (
    FORMS,
    MIRRORED,
    MORE_THAN_ANY_HAND,
    OPPOSITE,
    RANK_NAMES,
    SMALL_NUMBERS,
    Piece,
    SpokenCards,
    all_of,
    following,
    hand_named,
    kind_in_words,
    listed,
    meets,
    numerals,
    ranks_in_words,
    with_article,
)
from combinat.language.tree import (
    And,
    Compare,
    Count,
    Fact,
    Literal,
    Measure,
    Number,
    Or,
    Predicate,
    Ranks,
    SameAs,
    Sum,
)
from combinat.language.word import Kind, Places, Word
from combinat.language.words import NUMBERS


def in_words(rule: tree.Rule, deal: Deal) -> str:
    """Say a rule in English, as a part of a sentence.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> deal = parse_deal("player:2, up:1")
    >>> in_words(parse_rule("7-7-7 and all(diamonds)", deal), deal)
    'three 7s, all diamonds'
    >>> in_words(parse_rule("pair or suited and straight", deal), deal)
    'a pair, or (a straight, all of one suit)'
    >>> in_words(parse_rule("player.has(7) and not up.has(A)", deal), deal)
    "the player holds a 7, and the dealer's up card is not an ace"
    """
    spoken_of = [node for node in tree.parts(rule.fact) if isinstance(node, (Predicate, Ranks, Measure, Count))]
    speaker = _Speaker(deal, names_all=any(node.places != deal.everybody for node in spoken_of))
    return speaker.piece(rule.fact).alone + (" (aces high)" if _looks_at_order(rule.fact) else "")


class _Speaker(Struct, frozen=True):
    """Puts the facts of one rule into words."""

    deal: Deal
    names_all: bool
    """Whether all cards together must be named, since others are spoken of too."""

    def piece(self, fact: Fact, negated: bool = False) -> Piece:
        match fact:
            case Predicate(word, places):
                return self.said(word, places, negated)
            case Ranks(places, ranks):
                return self.ranks(places, [ranks], negated)
            case Compare() if negated and self.may_lack(fact):
                return Piece(f"not ({self.piece(fact).alone})")
            case Compare(sign, left, right):
                return self.compared(OPPOSITE[sign] if negated else sign, left, right)
            case tree.Not(inner):
                return self.piece(inner, not negated)
            case Or(facts) if found := _compared_to_values(facts):
                return self.measured(found[0], "!=" if negated else "==", found[1])
            case _ if negated:
                return Piece(f"not ({self.piece(fact).alone})")
            case And(facts):
                return all_of(list(self.conditions(list(_flat(facts)))))
            case Or(facts):
                lists = [one for one in facts if isinstance(one, Ranks)]
                if len(lists) == len(facts) and len({one.places for one in lists}) == 1:
                    return self.ranks(lists[0].places, [one.ranks for one in lists])
                return Piece(", or ".join(self.piece(one).within for one in facts), is_joined=len(facts) > 1)

    def conditions(self, facts: Sequence[Fact]) -> Iterator[Piece]:
        """Say each fact, but two comparisons that bound one number as one."""
        place = 0
        while place < len(facts):
            match facts[place : place + 2]:
                case [Compare("<=", Literal(low), one), Compare("<=", other, Literal(high))] if one == other:
                    yield self.measured(one, "from", (low, high))
                    place += 2
                case [Compare("<" | "<=" as over, least, one), Compare("<" | "<=" as under, two, most)] if one == two:
                    above, below = self.comparison(MIRRORED[over], one, least), self.comparison(under, one, most)
                    yield Piece(f"{self.number(one)} {above} and {below.removeprefix('is ')}")
                    place += 2
                case _:
                    yield self.piece(facts[place])
                    place += 1

    def may_lack(self, fact: Fact) -> bool:
        """Whether a fact speaks of cards that may not be there, so that its opposite is more than it seems."""
        nodes = [node for node in tree.parts(fact) if isinstance(node, (Measure, Count))]
        return any(self.deal.cards(node.places).may_lack for node in nodes)

    def said(self, word: Word, places: Places, negated: bool) -> Piece:
        if word.whole:
            return Piece(word.sentences[negated])
        cards, shared, name = self.cards(places), word.shared, word.name
        if word.best:
            return Piece(cards.best(word, negated), places)
        if word.any_size:
            return Piece(cards.some(word, negated), places)
        not_ = "not " if negated else ""
        if shared and name != "flush":
            every = f"{not_}{cards.every} cards" if cards.unnamed else f"{cards.name} are {not_}{cards.every}"
            text = f"{every} {shared}"
        elif name == "bust" and cards.holder and not cards.unnamed:
            text = f"{cards.holder} does not bust" if negated else f"{cards.holder} busts"
        else:
            text = cards.have(hand_named(name, negated))
        if negated:
            return Piece(text, places)
        if shared:
            after = (f"{cards.every} {shared}", f"{cards.every} cards {shared}")
            return Piece(text, places, "shared", after, is_whole=True)
        is_whole = name.startswith("straight") or cards.size == word.hand_size
        return Piece(text, places, "hand", is_whole=is_whole)

    def ranks(self, places: Places, lists: Sequence[tuple[int, ...]], negated: bool = False) -> Piece:
        cards = self.cards(places)
        texts = [ranks_in_words(ranks, cards.every if cards.size and not cards.unnamed else "") for ranks in lists]
        is_plain = not any(" and " in text for text in texts)
        text = listed(texts) if is_plain else ", or ".join(texts)
        subject = "" if cards.unnamed else f"{cards.name} are " if cards.size else f"{cards.called.hand} is "
        if negated:
            return Piece(f"{subject}not {text if is_plain or subject else f'({text})'}", places)
        return Piece(subject + text, places, "hand", is_whole=True, is_choice=len(lists) > 1)

    def compared(self, sign: str, left: Number, right: Number) -> Piece:
        if isinstance(right, Literal):
            return self.measured(left, sign, (right.value,))
        if isinstance(left, Literal):
            return self.compared(MIRRORED[sign], right, left)
        if isinstance(left, Count) and right == Measure(NUMBERS["cards"], left.places) and sign in ("==", "!="):
            return self.every(left, negated=sign == "!=")
        return Piece(f"{self.number(left)} {self.comparison(sign, left, right)}")

    def comparison(self, sign: str, left: Number, right: Number) -> str:
        text = FORMS[sign].number.format(self.number(right))
        if any(isinstance(side, Measure) and side.word.is_rank for side in (left, right)):
            return text.replace("is less", "is lower").replace("is more", "is higher")
        return text

    def measured(self, number: Number, sign: str, values: Sequence[int]) -> Piece:
        """Say that a number meets a condition that is written in numbers."""
        forms = FORMS[sign]
        match number:
            case Count():
                return self.counted(number, sign, values)
            case Measure(word, places) if word.amount:
                what = f"{word.amount} {forms.amount.format(numerals(sign, values))}"
                return following("amount", self.cards(places).have(what), places, what)
            case Measure(word, places) if word.name == "cards" and (
                self.cards(places).unnamed or self.cards(places).holder
            ):
                what = forms.held.format(numerals(sign, [SMALL_NUMBERS.get(one, one) for one in values])).replace(
                    "one cards", "one card"
                )
                return following("count", self.cards(places).have(what), places, what)
            case Measure(word, places) if word.is_rank and all(value in RANK_NAMES for value in values):
                names = [RANK_NAMES[value] for value in values]
                if len(places) > 1:
                    return Piece(f"{self.number(number)} {forms.number.format(numerals(sign, names))}")
                what = numerals(sign, names) if sign == "from" else with_article(names)
                text = f"{self.cards(places).name} {forms.rank.format(what)}"
                return self.single(places, text, what if sign == "==" else "")
            case _:
                return Piece(f"{self.number(number)} {forms.number.format(numerals(sign, values))}")

    def single(self, places: Places, text: str, what: str) -> Piece:
        """Say what one card is; a drawing dealer's up card can follow what is said of the hand."""
        hand = self.deal.shown_with(places)
        if what and hand is not None:
            return following("up", text, hand, f"{what} up")
        return Piece(text)

    def counted(self, count: Count, sign: str, values: Sequence[int]) -> Piece:
        """Say how many cards are of a kind, in the plainest way that means the same."""
        places, cards = count.places, self.cards(count.places)
        most = cards.size or MORE_THAN_ANY_HAND
        meeting = [many for many in range(most + 1) if meets(many, sign, values)]
        if cards.size and meeting in ([most], list(range(most))):
            return self.every(count, negated=meeting != [most])
        if cards.size == 1:  # it holds always or never
            return Piece(f"{self.number(count)} {FORMS[sign].number.format(numerals(sign, values))}")
        one = listed(self.kinds(count))
        if meeting == [0]:
            return Piece(cards.say(f"no {one}", "holds", "include"), places)
        if meeting == list(range(1, most + 1)):
            what = f"at least one {one}"
            held = cards.say(what if cards.unnamed else with_article(self.kinds(count)), "holds", "include")
            return following("count", held, places, what)
        kinds = one if list(values) == [1] else listed(self.kinds(count, plural=True))
        what = f"{FORMS[sign].count.format(numerals(sign, [SMALL_NUMBERS.get(one, one) for one in values]))} {kinds}"
        if sign == "!=":
            what = f"not {what}" if cards.unnamed else what
            return Piece(cards.say(what, "does not hold", "do not include"), places)
        return following("count", cards.say(what, "holds", "include"), places, what)

    def every(self, count: Count, *, negated: bool) -> Piece:
        """Say that every card is of a kind, or that not every card is."""
        places, cards = count.places, self.cards(count.places)
        what, several = self.predicate(count)
        if cards.size == 1:
            if negated and cards.called.may_lack:
                return Piece(f"not ({cards.name} is {what})")
            text = f"{cards.name} is {'not ' if negated else ''}{what}"
            return self.single(places, text, "" if negated or " as " in what else what)
        if negated:
            return Piece(f"not every {'card' if cards.unnamed else f'one of {cards.name}'} is {what}", places)
        text = f"every card is {what}" if cards.unnamed else f"each of {cards.name} is {what}"
        after = f"{cards.every} {several}" if several else f"each {what}"
        return Piece(text, places, "shared", (after, f"each card {what}"), is_whole=True)

    def number(self, number: Number) -> str:
        match number:
            case Literal(value):
                return str(value)
            case Measure(word) if word.whole:
                return f"the {word.quantity or word.name}"
            case Measure(word, places):
                return self.cards(places).number(word.quantity or word.name)
            case Count(places):
                among = "" if self.cards(places).unnamed else f" among {self.cards(places).name}"
                return f"the number of {listed(self.kinds(number, plural=True))}{among}"
            case Sum(left, right, sign):
                other = f"({self.number(right)})" if isinstance(right, Sum) else self.number(right)
                return f"{self.number(left)} {'plus' if sign > 0 else 'minus'} {other}"

    def cards(self, places: Places) -> SpokenCards:
        """Name some cards as the deal does, or not at all if nothing else is spoken of."""
        called = self.deal.cards(places)
        return SpokenCards(called, places == self.deal.everybody and not self.names_all and not called.is_somebodys)

    def kinds(self, count: Count, *, plural: bool = False) -> list[str]:
        """Name kinds of cards, those like another card last, since their names are long."""
        plain = [name for kind in count.kinds if isinstance(kind, Kind) for name in kind_in_words(kind, plural)]
        alike = [f"card{'s' if plural else ''} {self.like(kind)}" for kind in count.kinds if isinstance(kind, SameAs)]
        return list(dict.fromkeys([*plain, *alike]))

    def like(self, kind: SameAs) -> str:
        return f"of the same {kind.what or 'rank and suit'} as {self.cards((kind.place,)).name}"

    def predicate(self, count: Count) -> tuple[str, str]:
        """Say what one card of these kinds is, and what several are if that takes no list."""
        names, several = self.kinds(count), self.kinds(count, plural=True)
        if len(names) > 1:
            return with_article(names), ""
        short = {"red card": "red", "black card": "black"}.get(names[0], names[0].removeprefix("card "))
        return (with_article(names), several[0]) if short == names[0] else (short, short)


def _flat(facts: Sequence[Fact]) -> Iterator[Fact]:
    for fact in facts:
        yield from _flat(fact.facts) if isinstance(fact, And) else (fact,)


def _looks_at_order(fact: Fact) -> bool:
    """Whether the order of the ranks matters, so that it must be said where the ace stands."""
    nodes = list(tree.parts(fact))
    ordered = [node for node in nodes if isinstance(node, (Compare, Sum)) and node.sign not in ("==", "!=")]
    sides = [side for node in ordered for side in (node.left, node.right)]
    words = [node.word for node in nodes if isinstance(node, Measure) and node.word.is_rank]
    return any(word.quantity for word in words) or any(isinstance(one, Measure) and one.word.is_rank for one in sides)


def _compared_to_values(facts: Sequence[Fact]) -> tuple[Number, list[int]] | None:
    """Give the one number that the facts compare with written ones, and those, if that is all they do."""
    equal = [fact for fact in facts if isinstance(fact, Compare) and fact.sign == "=="]
    values = [fact.right.value for fact in equal if isinstance(fact.right, Literal)]
    is_list = len(values) == len(facts) and all(fact.left == equal[0].left for fact in equal)
    return (equal[0].left, values) if is_list else None
