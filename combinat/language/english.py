"""English descriptions of rules, for readers who do not know the rule language.

A hand comes first and further conditions on the same cards follow it: "three 7s, all diamonds". Where and, or and not
are mixed, brackets make the sentence unambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from combinat.language import rules as tree
from combinat.language.deal import Cards, Deal
from combinat.language.rules import (
    And,
    CardCount,
    Compare,
    Fact,
    Literal,
    Number,
    NumberWord,
    Or,
    Predicate,
    Ranks,
    SameAs,
    Sum,
)
from combinat.language.words import KINDS, NUMBERS, Kind, Positions, Word
from decks import JOKER, JOKER_NAME, Rank, Suit

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


class Forms(Struct, frozen=True):
    """Templates of a comparison: for an amount, a number, a card's rank, a count of cards, and the size of a hand."""

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
MAX_HAND_SIZE = 99


class CardsPhrase(Struct, frozen=True):
    """A group of cards within a sentence."""

    called: Cards
    unnamed: bool = False
    """Whether the rule mentions no other cards, so that these need no name."""

    @property
    def name(self) -> str:
        """The name of the cards."""
        return self.called.name

    @property
    def size(self) -> int | None:
        """The number of cards, if it is fixed."""
        return self.called.size

    @property
    def holder(self) -> str:
        """The person who holds the cards, if there is one."""
        return self.called.holder

    @property
    def every(self) -> str:
        """The quantifier for all of them: "both" or "all"."""
        return "both" if self.size == 2 else "all"

    def say(self, text: str, has: str, do: str) -> str:
        """Return a sentence with the holder and the verb `has`, or with the cards and the verb `do`."""
        subject = f"{self.holder} {has}" if self.holder else f"{self.name} {do}"
        return text if self.unnamed else f"{subject} {text}"

    def have(self, text: str) -> str:
        """Return the sentence that the cards make a hand or an amount."""
        return self.say(text, "has", "makes" if self.size == 1 else "together make")

    def best(self, word: Word, negated: bool) -> str:
        """Return the sentence about the best hand among the cards."""
        best = f"best {SMALL_NUMBERS[word.best]}"
        subject = f"{self.holder}'s {best} cards" if self.holder else f"the {best} of {self.name}"
        return f"{f'the {best} cards' if self.unnamed else subject} make {name_hand(word.name, negated)}"

    def some(self, word: Word, negated: bool) -> str:
        """Return the sentence that some of the cards make a hand, or that none do."""
        among = "the cards" if self.unnamed else self.name
        which = f"{'no' if negated else 'some'} {SMALL_NUMBERS[word.any_size]}"
        return f"{which} of {among} make {name_hand(word.name)}"

    def number(self, quantity: str) -> str:
        """Return the name of a quantity of the cards."""
        if self.holder and not self.unnamed:
            return f"{self.holder}'s {quantity}"
        return f"the {quantity}{'' if self.unnamed else f' of {self.name}'}"


class FactPhrase(Struct, frozen=True):
    """A fact in words, as a sentence and as a phrase that follows a hand of the same cards."""

    alone: str
    cards: Positions | None = None
    sort: str = "sentence"
    """One of `SORTS` (a hand, an amount, a shared property, a count, an up card), or a sentence."""
    after: tuple[str, str] = ("", "")
    """The phrase after a hand made of all the cards, and after any other hand."""
    is_whole: bool = False
    """Whether it describes all the cards."""
    is_choice: bool = False
    """Whether it is a list of alternative hands."""
    is_joined: bool = False
    """Whether it needs brackets within a larger sentence."""

    @property
    def within(self) -> str:
        """The text within a larger sentence."""
        return f"({self.alone})" if self.is_joined else self.alone


def build_follow_up(sort: str, alone: str, positions: Positions, text: str) -> FactPhrase:
    """Build a piece that can follow a hand with "with"."""
    return FactPhrase(alone, positions, sort, (f"with {text}", f"with {text}"))


def all_of(pieces: Sequence[FactPhrase]) -> FactPhrase:
    """Join facts by "and", those about the same cards next to each other."""
    if len(pieces) == 1:
        return pieces[0]
    groups: dict[object, list[FactPhrase]] = {}
    for index, piece in enumerate(pieces):
        groups.setdefault(index if piece.cards is None else piece.cards, []).append(piece)
    text, *remaining = [sentence for group in groups.values() for sentence in sentences(group)]
    for sentence in remaining:
        text += f", {'but' if sentence.startswith(('no ', 'not ')) else 'and'} {sentence}"
    return FactPhrase(text, is_joined=True)


def sentences(group: Sequence[FactPhrase]) -> Iterator[str]:
    """Iterate over sentences about one group of cards: a hand with the phrases that follow it, then the rest."""
    by_sort = {sort: [piece for piece in group if piece.sort == sort] for sort in SORTS}
    main = next((candidate for pieces in by_sort.values() for candidate in pieces), None)
    if main is None or main.sort == "up":
        yield from (piece.within for piece in group)
        return
    other_pieces = [
        candidate
        for pieces in by_sort.values()
        for candidate in pieces
        if candidate is not main and candidate.sort != "hand"
    ]
    follows = [candidate for candidate in other_pieces if candidate.sort != main.sort or candidate.sort == "shared"]
    phrases = [candidate.after[0 if main.is_whole else 1] for candidate in follows]
    if phrases and main.is_choice:
        phrases[0] = f"in each case {phrases[0]}"
    # After several names in a row, a mere "with" would leave open which of them it belongs to.
    is_plain = main.sort in ("hand", "amount") and " and " not in main.alone
    is_short = is_plain and len(phrases) == 1 and phrases[0].startswith("with ")
    yield main.alone + "".join(f" {text}" if is_short else f", {text}" for text in phrases)
    yield from (candidate.within for candidate in group if not any(candidate is used for used in (main, *follows)))


def numerals(sign: str, values: Sequence[object]) -> str:
    """Format the numbers of a comparison: a range, or alternatives."""
    return f"{values[0]} to {values[1]}" if sign == "from" else join_words(list(dict.fromkeys(map(str, values))))


def ranks_in_words(ranks: tuple[int, ...], quantifier: str = "") -> str:
    """Name the ranks of a hand, aces and faces first; `quantifier` is used if all ranks are equal.

    >>> ranks_in_words((12, 13, 14)), ranks_in_words((7, 7, 14)), ranks_in_words((7, 7), "both")
    ('ace, king and queen', 'an ace and two 7s', 'both 7s')
    """
    ordered = sorted(set(ranks), key=lambda rank: (rank <= Rank.TEN, rank if rank <= Rank.TEN else -rank))
    if 1 < len(ordered) == len(ranks):
        return join_words([RANK_NAMES[rank] for rank in ordered], "and")
    if quantifier and len(ordered) == 1:
        return f"{quantifier} {RANK_NAMES[ordered[0]]}s"
    counts = [(RANK_NAMES[rank], ranks.count(rank)) for rank in ordered]
    return join_words(
        [f"{SMALL_NUMBERS.get(count, count)} {name}s" if count > 1 else with_article([name]) for name, count in counts],
        "and",
    )


def name_hand(name: str, negated: bool = False) -> str:
    """Return the name of a hand with its article, or with "no".

    >>> name_hand("straight"), name_hand("two pair"), name_hand("two pair", negated=True)
    ('a straight', 'two pair', 'no two pair')
    """
    return f"{'no ' if negated else '' if ' of a ' in name or name == 'two pair' else 'a '}{name}"


def kind_in_words(kind: Kind, plural: bool) -> list[str]:
    """Return the names of the cards of a kind, one for each of its ranks or suits."""
    s = "s" if plural else ""
    for color in ("red", "black"):
        if kind == KINDS[color][0]:
            return [f"{color} card{s}"]
    ranks = [f"{KIND_NAMES[rank]}{s}" for rank in sorted(kind.ranks or ())]
    suits = [str(Suit(suit)) for suit in sorted(kind.suits or ())]
    return [f"{rank} of {suit}" for rank in ranks for suit in suits] or ranks or [suit[:-1] + s for suit in suits]


def with_article(names: Sequence[str]) -> str:
    """Join alternatives by "or" and prefix "a" or "an"."""
    return f"{'an' if names[0][0] in '8a' else 'a'} {join_words(list(dict.fromkeys(names)))}"


def join_words(texts: Sequence[str], joint: str = "or") -> str:
    """Join words as a list in a sentence."""
    return f"{', '.join(texts[:-1])} {joint} {texts[-1]}" if len(texts) > 1 else texts[0]


def satisfies(number: int, sign: str, values: Sequence[int]) -> bool:
    """Return whether `number` satisfies a comparison with literal values."""
    low, high = values[0], values[-1]
    tests = {"==": number in values, "<": number < low, "<=": number <= low, "from": low <= number <= high}
    return tests[sign] if sign in tests else not tests[OPPOSITE[sign]]


def describe_rule(rule: tree.Rule, deal: Deal) -> str:
    """Return a rule in English, as part of a sentence.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> deal = parse_deal("player:2, up:1")
    >>> describe_rule(parse_rule("7-7-7 and all(diamonds)", deal), deal)
    'three 7s, all diamonds'
    >>> describe_rule(parse_rule("pair or suited and straight", deal), deal)
    'a pair, or (a straight, all of one suit)'
    >>> describe_rule(parse_rule("player.has(7) and not up.has(A)", deal), deal)
    "the player holds a 7, and the dealer's up card is not an ace"
    """
    spoken_of = [node for node in tree.walk(rule.fact) if isinstance(node, (Predicate, Ranks, NumberWord, CardCount))]
    speaker = _RuleDescriber(deal, names_all=any(node.places != deal.all_positions for node in spoken_of))
    return speaker.piece(rule.fact).alone + (" (aces high)" if _looks_at_order(rule.fact) else "")


class _RuleDescriber(Struct, frozen=True):
    """Describes the facts of one rule."""

    deal: Deal
    names_all: bool
    """Whether all cards together must be named, since the rule also mentions others."""

    def piece(self, fact: Fact, negated: bool = False) -> FactPhrase:
        match fact:
            case Predicate(word, positions):
                return self.said(word, positions, negated)
            case Ranks(positions, ranks):
                return self.ranks(positions, [ranks], negated)
            case Compare() if negated and self.may_be_absent(fact):
                return FactPhrase(f"not ({self.piece(fact).alone})")
            case Compare(sign, left, right):
                return self.compared(OPPOSITE[sign] if negated else sign, left, right)
            case tree.Not(inner):
                return self.piece(inner, not negated)
            case Or(facts) if equality := _compared_to_values(facts):
                return self.measured(equality[0], "!=" if negated else "==", equality[1])
            case _ if negated:
                return FactPhrase(f"not ({self.piece(fact).alone})")
            case And(facts):
                return all_of(list(self.conditions(list(_flat(facts)))))
            case Or(facts):
                lists = [operand for operand in facts if isinstance(operand, Ranks)]
                if len(lists) == len(facts) and len({operand.places for operand in lists}) == 1:
                    return self.ranks(lists[0].places, [operand.ranks for operand in lists])
                return FactPhrase(
                    ", or ".join(self.piece(operand).within for operand in facts), is_joined=len(facts) > 1
                )

    def conditions(self, facts: Sequence[Fact]) -> Iterator[FactPhrase]:
        """Describe each fact; two comparisons that bound the same number become one."""
        index = 0
        while index < len(facts):
            match facts[index : index + 2]:
                case [Compare("<=", Literal(low), number), Compare("<=", same_number, Literal(high))] if (
                    number == same_number
                ):
                    yield self.measured(number, "from", (low, high))
                    index += 2
                case [
                    Compare("<" | "<=" as low_sign, low_bound, number),
                    Compare("<" | "<=" as high_sign, repeated, high_bound),
                ] if number == repeated:
                    lower_text, upper_text = (
                        self.comparison(MIRRORED[low_sign], number, low_bound),
                        self.comparison(high_sign, number, high_bound),
                    )
                    yield FactPhrase(f"{self.number(number)} {lower_text} and {upper_text.removeprefix('is ')}")
                    index += 2
                case _:
                    yield self.piece(facts[index])
                    index += 1

    def may_be_absent(self, fact: Fact) -> bool:
        """Return whether a fact refers to cards that may be absent, so that it has no opposite comparison."""
        nodes = [node for node in tree.walk(fact) if isinstance(node, (NumberWord, CardCount))]
        return any(self.deal.cards(node.places).may_be_absent for node in nodes)

    def said(self, word: Word, positions: Positions, negated: bool) -> FactPhrase:
        if word.whole:
            return FactPhrase(word.sentences[negated])
        cards, shared, name = self.cards(positions), word.shared, word.name
        if word.best:
            return FactPhrase(cards.best(word, negated), positions)
        if word.any_size:
            return FactPhrase(cards.some(word, negated), positions)
        not_ = "not " if negated else ""
        if shared and name != "flush":
            subject = f"{not_}{cards.every} cards" if cards.unnamed else f"{cards.name} are {not_}{cards.every}"
            text = f"{subject} {shared}"
        elif name == "bust" and cards.holder and not cards.unnamed:
            text = f"{cards.holder} does not bust" if negated else f"{cards.holder} busts"
        else:
            text = cards.have(name_hand(name, negated))
        if negated:
            return FactPhrase(text, positions)
        if shared:
            suffixes = (f"{cards.every} {shared}", f"{cards.every} cards {shared}")
            return FactPhrase(text, positions, "shared", suffixes, is_whole=True)
        is_whole = name.startswith("straight") or cards.size == word.hand_size
        return FactPhrase(text, positions, "hand", is_whole=is_whole)

    def ranks(self, positions: Positions, lists: Sequence[tuple[int, ...]], negated: bool = False) -> FactPhrase:
        cards = self.cards(positions)
        texts = [ranks_in_words(ranks, cards.every if cards.size and not cards.unnamed else "") for ranks in lists]
        is_plain = not any(" and " in text for text in texts)
        text = join_words(texts) if is_plain else ", or ".join(texts)
        subject = "" if cards.unnamed else f"{cards.name} are " if cards.size else f"{cards.called.hand} is "
        if negated:
            return FactPhrase(f"{subject}not {text if is_plain or subject else f'({text})'}", positions)
        return FactPhrase(subject + text, positions, "hand", is_whole=True, is_choice=len(lists) > 1)

    def compared(self, sign: str, left: Number, right: Number) -> FactPhrase:
        if isinstance(right, Literal):
            return self.measured(left, sign, (right.value,))
        if isinstance(left, Literal):
            return self.compared(MIRRORED[sign], right, left)
        if isinstance(left, CardCount) and right == NumberWord(NUMBERS["cards"], left.places) and sign in ("==", "!="):
            return self.every(left, negated=sign == "!=")
        return FactPhrase(f"{self.number(left)} {self.comparison(sign, left, right)}")

    def comparison(self, sign: str, left: Number, right: Number) -> str:
        text = FORMS[sign].number.format(self.number(right))
        if any(isinstance(side, NumberWord) and side.word.is_rank for side in (left, right)):
            return text.replace("is less", "is lower").replace("is more", "is higher")
        return text

    def measured(self, number: Number, sign: str, values: Sequence[int]) -> FactPhrase:
        """Describe a comparison of a number with literal values."""
        forms = FORMS[sign]
        match number:
            case CardCount():
                return self.counted(number, sign, values)
            case NumberWord(word, positions) if word.amount:
                phrase = f"{word.amount} {forms.amount.format(numerals(sign, values))}"
                return build_follow_up("amount", self.cards(positions).have(phrase), positions, phrase)
            case NumberWord(word, positions) if word.name == "cards" and (
                self.cards(positions).unnamed or self.cards(positions).holder
            ):
                phrase = forms.held.format(
                    numerals(sign, [SMALL_NUMBERS.get(value, value) for value in values])
                ).replace("one cards", "one card")
                return build_follow_up("count", self.cards(positions).have(phrase), positions, phrase)
            case NumberWord(word, positions) if word.is_rank and all(value in RANK_NAMES for value in values):
                names = [RANK_NAMES[value] for value in values]
                if len(positions) > 1:
                    return FactPhrase(f"{self.number(number)} {forms.number.format(numerals(sign, names))}")
                phrase = numerals(sign, names) if sign == "from" else with_article(names)
                text = f"{self.cards(positions).name} {forms.rank.format(phrase)}"
                return self.single(positions, text, phrase if sign == "==" else "")
            case _:
                return FactPhrase(f"{self.number(number)} {forms.number.format(numerals(sign, values))}")

    def single(self, positions: Positions, text: str, description: str) -> FactPhrase:
        """Describe one card; an up card can follow the description of its hand."""
        hand = self.deal.hand_of_card(positions)
        if description and hand is not None:
            return build_follow_up("up", text, hand, f"{description} up")
        return FactPhrase(text)

    def counted(self, count: CardCount, sign: str, values: Sequence[int]) -> FactPhrase:
        """Describe a count of cards of some kinds in the simplest equivalent way."""
        positions, cards = count.places, self.cards(count.places)
        max_count = cards.size or MAX_HAND_SIZE
        accepted = [number for number in range(max_count + 1) if satisfies(number, sign, values)]
        if cards.size and accepted in ([max_count], list(range(max_count))):
            return self.every(count, negated=accepted != [max_count])
        if cards.size == 1:  # it holds always or never
            return FactPhrase(f"{self.number(count)} {FORMS[sign].number.format(numerals(sign, values))}")
        singular = join_words(self.kinds(count))
        if accepted == [0]:
            return FactPhrase(cards.say(f"no {singular}", "holds", "include"), positions)
        if accepted == list(range(1, max_count + 1)):
            phrase = f"at least one {singular}"
            text = cards.say(phrase if cards.unnamed else with_article(self.kinds(count)), "holds", "include")
            return build_follow_up("count", text, positions, phrase)
        kinds = singular if list(values) == [1] else join_words(self.kinds(count, plural=True))
        phrase = (
            f"{FORMS[sign].count.format(numerals(sign, [SMALL_NUMBERS.get(value, value) for value in values]))} {kinds}"
        )
        if sign == "!=":
            phrase = f"not {phrase}" if cards.unnamed else phrase
            return FactPhrase(cards.say(phrase, "does not hold", "do not include"), positions)
        return build_follow_up("count", cards.say(phrase, "holds", "include"), positions, phrase)

    def every(self, count: CardCount, *, negated: bool) -> FactPhrase:
        """Describe that every card is of a kind, or that not every card is."""
        positions, cards = count.places, self.cards(count.places)
        singular, plural = self.predicate(count)
        if cards.size == 1:
            if negated and cards.called.may_be_absent:
                return FactPhrase(f"not ({cards.name} is {singular})")
            text = f"{cards.name} is {'not ' if negated else ''}{singular}"
            return self.single(positions, text, "" if negated or " as " in singular else singular)
        if negated:
            return FactPhrase(
                f"not every {'card' if cards.unnamed else f'one of {cards.name}'} is {singular}", positions
            )
        text = f"every card is {singular}" if cards.unnamed else f"each of {cards.name} is {singular}"
        suffix = f"{cards.every} {plural}" if plural else f"each {singular}"
        return FactPhrase(text, positions, "shared", (suffix, f"each card {singular}"), is_whole=True)

    def number(self, number: Number) -> str:
        match number:
            case Literal(value):
                return str(value)
            case NumberWord(word) if word.whole:
                return f"the {word.quantity or word.name}"
            case NumberWord(word, positions):
                return self.cards(positions).number(word.quantity or word.name)
            case CardCount(positions):
                among = "" if self.cards(positions).unnamed else f" among {self.cards(positions).name}"
                return f"the number of {join_words(self.kinds(number, plural=True))}{among}"
            case Sum(left, right, sign):
                right_text = f"({self.number(right)})" if isinstance(right, Sum) else self.number(right)
                return f"{self.number(left)} {'plus' if sign > 0 else 'minus'} {right_text}"

    def cards(self, positions: Positions) -> CardsPhrase:
        """Return the phrase for the cards at `positions`."""
        called = self.deal.cards(positions)
        return CardsPhrase(
            called, positions == self.deal.all_positions and not self.names_all and not called.needs_name
        )

    def kinds(self, count: CardCount, *, plural: bool = False) -> list[str]:
        """Return the names of kinds of cards; references to other cards come last, since they are long."""
        plain = [name for kind in count.kinds if isinstance(kind, Kind) for name in kind_in_words(kind, plural)]
        matching = [
            f"card{'s' if plural else ''} {self.like(kind)}" for kind in count.kinds if isinstance(kind, SameAs)
        ]
        return list(dict.fromkeys([*plain, *matching]))

    def like(self, kind: SameAs) -> str:
        return f"of the same {kind.what or 'rank and suit'} as {self.cards((kind.place,)).name}"

    def predicate(self, count: CardCount) -> tuple[str, str]:
        """Return what one card of the kinds is called, and what several are if that takes no list."""
        names, plurals = self.kinds(count), self.kinds(count, plural=True)
        if len(names) > 1:
            return with_article(names), ""
        short = {"red card": "red", "black card": "black"}.get(names[0], names[0].removeprefix("card "))
        return (with_article(names), plurals[0]) if short == names[0] else (short, short)


def _flat(facts: Sequence[Fact]) -> Iterator[Fact]:
    for fact in facts:
        yield from _flat(fact.facts) if isinstance(fact, And) else (fact,)


def _looks_at_order(fact: Fact) -> bool:
    """Return whether a fact depends on the order of ranks, so that the text must say that aces are high."""
    nodes = list(tree.walk(fact))
    ordered = [node for node in nodes if isinstance(node, (Compare, Sum)) and node.sign not in ("==", "!=")]
    sides = [side for node in ordered for side in (node.left, node.right)]
    words = [node.word for node in nodes if isinstance(node, NumberWord) and node.word.is_rank]
    return any(word.quantity for word in words) or any(
        isinstance(operand, NumberWord) and operand.word.is_rank for operand in sides
    )


def _compared_to_values(facts: Sequence[Fact]) -> tuple[Number, list[int]] | None:
    """Return the number that all facts compare with literals by ==, and these literals; `None` otherwise."""
    equal = [fact for fact in facts if isinstance(fact, Compare) and fact.sign == "=="]
    values = [fact.right.value for fact in equal if isinstance(fact.right, Literal)]
    is_list = len(values) == len(facts) and all(fact.left == equal[0].left for fact in equal)
    return (equal[0].left, values) if is_list else None
