"""English descriptions of rules, for readers who do not know the rule language.

A hand comes first and further conditions on the same cards follow it: "three 7s, all diamonds". Where and, or and not
are mixed, brackets make the sentence unambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from combinat.exact.numbers import number_word
from combinat.language import rules as tree
from combinat.language.deal import CardsDescription, Deal
from combinat.language.rules import (
    COMPARISONS,
    And,
    CardCount,
    Fact,
    Literal,
    Number,
    NumberComparison,
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
    hand_size: str


FORMS = {
    "==": Forms("of {}", "is {}", "is {}", "exactly {}", "{} cards"),
    "!=": Forms("other than {}", "is not {}", "is not {}", "exactly {}", "a number of cards other than {}"),
    "<": Forms("of less than {}", "is less than {}", "is lower than {}", "fewer than {}", "fewer than {} cards"),
    "<=": Forms("of {} or less", "is at most {}", "is {} or lower", "at most {}", "{} or fewer cards"),
    ">": Forms("of more than {}", "is more than {}", "is higher than {}", "more than {}", "more than {} cards"),
    ">=": Forms("of {} or more", "is at least {}", "is {} or higher", "at least {}", "{} or more cards"),
    "from": Forms("from {}", "is from {}", "is from {}", "from {}", "from {} cards"),
}

RANK_NAMES = {int(rank): str(rank) if rank <= Rank.TEN else rank.name.lower() for rank in Rank}
KIND_NAMES = {**RANK_NAMES, int(JOKER.rank): JOKER_NAME}
SORTS = ("hand", "amount", "shared", "count", "up")
MAX_HAND_SIZE = 99


class CardsPhrase(Struct, frozen=True):
    """A group of cards within a sentence."""

    description: CardsDescription
    is_unnamed: bool = False
    """Whether the rule mentions no other cards, so that these need no name."""

    @property
    def name(self) -> str:
        """The name of the cards."""
        return self.description.name

    @property
    def size(self) -> int | None:
        """The number of cards, if it is fixed."""
        return self.description.size

    @property
    def holder(self) -> str:
        """The person who holds the cards, if there is one."""
        return self.description.holder

    @property
    def quantifier(self) -> str:
        """The quantifier for all of them: "both" or "all"."""
        return "both" if self.size == 2 else "all"

    def with_subject(self, text: str, holder_verb: str, cards_verb: str) -> str:
        """Return a sentence with the holder and the verb `holder_verb`, or with the cards and the verb `cards_verb`."""
        subject = f"{self.holder} {holder_verb}" if self.holder else f"{self.name} {cards_verb}"
        return text if self.is_unnamed else f"{subject} {text}"

    def sentence_with(self, text: str) -> str:
        """Return the sentence that the cards make a hand or an amount."""
        return self.with_subject(text, "has", "makes" if self.size == 1 else "together make")

    def best_sentence(self, word: Word, negated: bool) -> str:
        """Return the sentence about the best hand among the cards."""
        best = f"best {number_word(word.best_size)}"
        subject = f"{self.holder}'s {best} cards" if self.holder else f"the {best} of {self.name}"
        return f"{f'the {best} cards' if self.is_unnamed else subject} make {name_hand(word.name, negated)}"

    def some_sentence(self, word: Word, negated: bool) -> str:
        """Return the sentence that some of the cards make a hand, or that none do."""
        among = "the cards" if self.is_unnamed else self.name
        which = f"{'no' if negated else 'some'} {number_word(word.any_size)}"
        return f"{which} of {among} make {name_hand(word.name)}"

    def name_quantity(self, quantity: str) -> str:
        """Return the name of a quantity of the cards."""
        if self.holder and not self.is_unnamed:
            return f"{self.holder}'s {quantity}"
        return f"the {quantity}{'' if self.is_unnamed else f' of {self.name}'}"


class FactPhrase(Struct, frozen=True):
    """A fact in words, as a sentence and as a phrase that follows a hand of the same cards."""

    sentence: str
    cards: Positions | None = None
    sort: str = "sentence"
    """One of `SORTS` (a hand, an amount, a shared property, a count, an up card), or a sentence."""
    suffixes: tuple[str, str] = ("", "")
    """The phrase after a hand made of all the cards, and after any other hand."""
    covers_all_cards: bool = False
    """Whether it describes all the cards."""
    is_choice: bool = False
    """Whether it is a list of alternative hands."""
    is_joined: bool = False
    """Whether it needs brackets within a larger sentence."""

    @property
    def bracketed(self) -> str:
        """The text within a larger sentence."""
        return f"({self.sentence})" if self.is_joined else self.sentence


def build_follow_up(sort: str, sentence: str, positions: Positions, text: str) -> FactPhrase:
    """Build a piece that can follow a hand with "with"."""
    return FactPhrase(sentence, positions, sort, (f"with {text}", f"with {text}"))


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
    pieces_by_sort = {sort: [piece for piece in group if piece.sort == sort] for sort in SORTS}
    main = next((candidate for pieces in pieces_by_sort.values() for candidate in pieces), None)
    if main is None or main.sort == "up":
        yield from (piece.bracketed for piece in group)
        return
    other_pieces = [
        candidate
        for pieces in pieces_by_sort.values()
        for candidate in pieces
        if candidate is not main and candidate.sort != "hand"
    ]
    followers = [candidate for candidate in other_pieces if candidate.sort != main.sort or candidate.sort == "shared"]
    phrases = [candidate.suffixes[0 if main.covers_all_cards else 1] for candidate in followers]
    if phrases and main.is_choice:
        phrases[0] = f"in each case {phrases[0]}"
    # After several names, "with" would be ambiguous.
    is_plain = main.sort in ("hand", "amount") and " and " not in main.sentence
    is_short = is_plain and len(phrases) == 1 and phrases[0].startswith("with ")
    yield main.sentence + "".join(f" {text}" if is_short else f", {text}" for text in phrases)
    yield from (
        candidate.bracketed
        for candidate in group
        if not any(candidate is used_candidate for used_candidate in (main, *followers))
    )


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
        [f"{number_word(count)} {name}s" if count > 1 else with_article([name]) for name, count in counts],
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
    plural_suffix = "s" if plural else ""
    for color in ("red", "black"):
        if kind == KINDS[color][0]:
            return [f"{color} card{plural_suffix}"]
    ranks = [f"{KIND_NAMES[rank]}{plural_suffix}" for rank in sorted(kind.ranks or ())]
    suits = [str(Suit(suit)) for suit in sorted(kind.suits or ())]
    return (
        [f"{rank} of {suit}" for rank in ranks for suit in suits]
        or ranks
        or [suit[:-1] + plural_suffix for suit in suits]
    )


def with_article(names: Sequence[str]) -> str:
    """Join alternatives by "or" and prefix "a" or "an"."""
    return f"{'an' if names[0][0] in '8a' else 'a'} {join_words(list(dict.fromkeys(names)))}"


def join_words(texts: Sequence[str], joint: str = "or") -> str:
    """Join words as a list in a sentence."""
    return f"{', '.join(texts[:-1])} {joint} {texts[-1]}" if len(texts) > 1 else texts[0]


def satisfies(number: int, sign: str, values: Sequence[int]) -> bool:
    """Return whether `number` satisfies a comparison with literal values."""
    if sign in ("==", "!="):
        return (number in values) == (sign == "==")
    return values[0] <= number <= values[1] if sign == "from" else COMPARISONS[sign](number, values[0])


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
    leaves = [node for node in tree.walk(rule.fact) if isinstance(node, (Predicate, Ranks, NumberWord, CardCount))]
    describer = _RuleDescriber(deal, names_all=any(node.positions != deal.all_positions for node in leaves))
    return describer.describe(rule.fact).sentence + (" (aces high)" if _looks_at_order(rule.fact) else "")


class _RuleDescriber(Struct, frozen=True):
    """Describes the facts of one rule."""

    deal: Deal
    names_all: bool
    """Whether all cards together must be named, since the rule also mentions others."""

    def describe(self, fact: Fact, negated: bool = False) -> FactPhrase:
        match fact:
            case Predicate(word, positions):
                return self.describe_word(word, positions, negated)
            case Ranks(positions, ranks):
                return self.describe_ranks(positions, [ranks], negated)
            case NumberComparison() if negated and self.may_be_absent(fact):
                return FactPhrase(f"not ({self.describe(fact).sentence})")
            case NumberComparison(sign, left, right):
                return self.describe_comparison(OPPOSITE[sign] if negated else sign, left, right)
            case tree.Not(inner):
                return self.describe(inner, not negated)
            case Or(facts) if compared_values := _compared_to_values(facts):
                return self.describe_value(compared_values[0], "!=" if negated else "==", compared_values[1])
            case _ if negated:
                return FactPhrase(f"not ({self.describe(fact).sentence})")
            case And(facts):
                return all_of(list(self.describe_all(list(_flat(facts)))))
            case Or(facts):
                lists = [operand for operand in facts if isinstance(operand, Ranks)]
                if len(lists) == len(facts) and len({operand.positions for operand in lists}) == 1:
                    return self.describe_ranks(lists[0].positions, [operand.ranks for operand in lists])
                return FactPhrase(
                    ", or ".join(self.describe(operand).bracketed for operand in facts), is_joined=len(facts) > 1
                )

    def describe_all(self, facts: Sequence[Fact]) -> Iterator[FactPhrase]:
        """Describe each fact; two comparisons that bound the same number become one."""
        index = 0
        while index < len(facts):
            match facts[index : index + 2]:
                case [
                    NumberComparison("<=", Literal(low), number),
                    NumberComparison("<=", same_number, Literal(high)),
                ] if number == same_number:
                    yield self.describe_value(number, "from", (low, high))
                    index += 2
                case [
                    NumberComparison("<" | "<=" as low_sign, low_bound, number),
                    NumberComparison("<" | "<=" as high_sign, repeated, high_bound),
                ] if number == repeated:
                    lower_text, upper_text = (
                        self.comparison_text(MIRRORED[low_sign], number, low_bound),
                        self.comparison_text(high_sign, number, high_bound),
                    )
                    yield FactPhrase(f"{self.number_text(number)} {lower_text} and {upper_text.removeprefix('is ')}")
                    index += 2
                case _:
                    yield self.describe(facts[index])
                    index += 1

    def may_be_absent(self, fact: Fact) -> bool:
        """Return whether a fact refers to cards that may be absent, so that it has no opposite comparison."""
        nodes = [node for node in tree.walk(fact) if isinstance(node, (NumberWord, CardCount))]
        return any(self.deal.describe_cards(node.positions).may_be_absent for node in nodes)

    def describe_word(self, word: Word, positions: Positions, negated: bool) -> FactPhrase:
        if word.is_about_deal:
            return FactPhrase(word.sentences[negated])
        cards, shared, name = self.cards_phrase(positions), word.shared, word.name
        if word.best_size:
            return FactPhrase(cards.best_sentence(word, negated), positions)
        if word.any_size:
            return FactPhrase(cards.some_sentence(word, negated), positions)
        not_ = "not " if negated else ""
        if shared and name != "flush":
            subject = (
                f"{not_}{cards.quantifier} cards" if cards.is_unnamed else f"{cards.name} are {not_}{cards.quantifier}"
            )
            text = f"{subject} {shared}"
        elif name == "bust" and cards.holder and not cards.is_unnamed:
            text = f"{cards.holder} does not bust" if negated else f"{cards.holder} busts"
        else:
            text = cards.sentence_with(name_hand(name, negated))
        if negated:
            return FactPhrase(text, positions)
        if shared:
            suffixes = (f"{cards.quantifier} {shared}", f"{cards.quantifier} cards {shared}")
            return FactPhrase(text, positions, "shared", suffixes, covers_all_cards=True)
        is_whole = name.startswith("straight") or cards.size == word.hand_size
        return FactPhrase(text, positions, "hand", covers_all_cards=is_whole)

    def describe_ranks(
        self, positions: Positions, lists: Sequence[tuple[int, ...]], negated: bool = False
    ) -> FactPhrase:
        cards = self.cards_phrase(positions)
        texts = [
            ranks_in_words(ranks, cards.quantifier if cards.size and not cards.is_unnamed else "") for ranks in lists
        ]
        is_plain = not any(" and " in text for text in texts)
        text = join_words(texts) if is_plain else ", or ".join(texts)
        subject = "" if cards.is_unnamed else f"{cards.name} are " if cards.size else f"{cards.description.hand} is "
        if negated:
            return FactPhrase(f"{subject}not {text if is_plain or subject else f'({text})'}", positions)
        return FactPhrase(subject + text, positions, "hand", covers_all_cards=True, is_choice=len(lists) > 1)

    def describe_comparison(self, sign: str, left: Number, right: Number) -> FactPhrase:
        if isinstance(right, Literal):
            return self.describe_value(left, sign, (right.value,))
        if isinstance(left, Literal):
            return self.describe_comparison(MIRRORED[sign], right, left)
        if (
            isinstance(left, CardCount)
            and right == NumberWord(NUMBERS["cards"], left.positions)
            and sign in ("==", "!=")
        ):
            return self.describe_every(left, negated=sign == "!=")
        return FactPhrase(f"{self.number_text(left)} {self.comparison_text(sign, left, right)}")

    def comparison_text(self, sign: str, left: Number, right: Number) -> str:
        text = FORMS[sign].number.format(self.number_text(right))
        if any(isinstance(side, NumberWord) and side.word.is_rank for side in (left, right)):
            return text.replace("is less", "is lower").replace("is more", "is higher")
        return text

    def describe_value(self, number: Number, sign: str, values: Sequence[int]) -> FactPhrase:
        """Describe a comparison of a number with literal values."""
        forms = FORMS[sign]
        match number:
            case CardCount():
                return self.describe_count(number, sign, values)
            case NumberWord(word, positions) if word.amount:
                phrase = f"{word.amount} {forms.amount.format(numerals(sign, values))}"
                return build_follow_up("amount", self.cards_phrase(positions).sentence_with(phrase), positions, phrase)
            case NumberWord(word, positions) if word.name == "cards" and (
                self.cards_phrase(positions).is_unnamed or self.cards_phrase(positions).holder
            ):
                phrase = forms.hand_size.format(numerals(sign, list(map(number_word, values)))).replace(
                    "one cards", "one card"
                )
                return build_follow_up("count", self.cards_phrase(positions).sentence_with(phrase), positions, phrase)
            case NumberWord(word, positions) if word.is_rank and all(value in RANK_NAMES for value in values):
                names = [RANK_NAMES[value] for value in values]
                if len(positions) > 1:
                    return FactPhrase(f"{self.number_text(number)} {forms.number.format(numerals(sign, names))}")
                phrase = numerals(sign, names) if sign == "from" else with_article(names)
                text = f"{self.cards_phrase(positions).name} {forms.rank.format(phrase)}"
                return self.describe_card(positions, text, phrase if sign == "==" else "")
            case _:
                return FactPhrase(f"{self.number_text(number)} {forms.number.format(numerals(sign, values))}")

    def describe_card(self, positions: Positions, text: str, description: str) -> FactPhrase:
        """Describe one card; an up card can follow the description of its hand."""
        hand = self.deal.hand_of_card(positions)
        if description and hand is not None:
            return build_follow_up("up", text, hand, f"{description} up")
        return FactPhrase(text)

    def describe_count(self, count: CardCount, sign: str, values: Sequence[int]) -> FactPhrase:
        """Describe a count of cards of some kinds in the simplest equivalent way."""
        positions, cards = count.positions, self.cards_phrase(count.positions)
        max_count = cards.size or MAX_HAND_SIZE
        accepted = [number for number in range(max_count + 1) if satisfies(number, sign, values)]
        if cards.size and accepted in ([max_count], list(range(max_count))):
            return self.describe_every(count, negated=accepted != [max_count])
        if cards.size == 1:  # it holds always or never
            return FactPhrase(f"{self.number_text(count)} {FORMS[sign].number.format(numerals(sign, values))}")
        singular = join_words(self.kind_names(count))
        if accepted == [0]:
            return FactPhrase(cards.with_subject(f"no {singular}", "holds", "include"), positions)
        if accepted == list(range(1, max_count + 1)):
            phrase = f"at least one {singular}"
            text = cards.with_subject(
                phrase if cards.is_unnamed else with_article(self.kind_names(count)), "holds", "include"
            )
            return build_follow_up("count", text, positions, phrase)
        kinds = singular if list(values) == [1] else join_words(self.kind_names(count, plural=True))
        phrase = f"{FORMS[sign].count.format(numerals(sign, list(map(number_word, values))))} {kinds}"
        if sign == "!=":
            phrase = f"not {phrase}" if cards.is_unnamed else phrase
            return FactPhrase(cards.with_subject(phrase, "does not hold", "do not include"), positions)
        return build_follow_up("count", cards.with_subject(phrase, "holds", "include"), positions, phrase)

    def describe_every(self, count: CardCount, *, negated: bool) -> FactPhrase:
        """Describe that every card is of a kind, or that not every card is."""
        positions, cards = count.positions, self.cards_phrase(count.positions)
        singular, plural = self.noun_forms(count)
        if cards.size == 1:
            if negated and cards.description.may_be_absent:
                return FactPhrase(f"not ({cards.name} is {singular})")
            text = f"{cards.name} is {'not ' if negated else ''}{singular}"
            return self.describe_card(positions, text, "" if negated or " as " in singular else singular)
        if negated:
            return FactPhrase(
                f"not every {'card' if cards.is_unnamed else f'one of {cards.name}'} is {singular}", positions
            )
        text = f"every card is {singular}" if cards.is_unnamed else f"each of {cards.name} is {singular}"
        suffix = f"{cards.quantifier} {plural}" if plural else f"each {singular}"
        return FactPhrase(text, positions, "shared", (suffix, f"each card {singular}"), covers_all_cards=True)

    def number_text(self, number: Number) -> str:
        match number:
            case Literal(value):
                return str(value)
            case NumberWord(word) if word.is_about_deal:
                return f"the {word.quantity or word.name}"
            case NumberWord(word, positions):
                return self.cards_phrase(positions).name_quantity(word.quantity or word.name)
            case CardCount(positions):
                among = "" if self.cards_phrase(positions).is_unnamed else f" among {self.cards_phrase(positions).name}"
                return f"the number of {join_words(self.kind_names(number, plural=True))}{among}"
            case Sum(left, right, sign):
                right_text = f"({self.number_text(right)})" if isinstance(right, Sum) else self.number_text(right)
                return f"{self.number_text(left)} {'plus' if sign > 0 else 'minus'} {right_text}"

    def cards_phrase(self, positions: Positions) -> CardsPhrase:
        """Return the phrase for the cards at `positions`."""
        description = self.deal.describe_cards(positions)
        are_all = positions == self.deal.all_positions
        return CardsPhrase(description, are_all and not self.names_all and not description.needs_name)

    def kind_names(self, count: CardCount, *, plural: bool = False) -> list[str]:
        """Return the names of kinds of cards; references to other cards come last, since they are long."""
        plain_names = [name for kind in count.kinds if isinstance(kind, Kind) for name in kind_in_words(kind, plural)]
        matching_names = [
            f"card{'s' if plural else ''} {self.reference_text(kind)}"
            for kind in count.kinds
            if isinstance(kind, SameAs)
        ]
        return list(dict.fromkeys([*plain_names, *matching_names]))

    def reference_text(self, kind: SameAs) -> str:
        return f"of the same {kind.aspect or 'rank and suit'} as {self.cards_phrase((kind.position,)).name}"

    def noun_forms(self, count: CardCount) -> tuple[str, str]:
        """Return what one card of the kinds is called, and what several are if that takes no list."""
        names, plurals = self.kind_names(count), self.kind_names(count, plural=True)
        if len(names) > 1:
            return with_article(names), ""
        adjective = {"red card": "red", "black card": "black"}.get(names[0], names[0].removeprefix("card "))
        return (with_article(names), plurals[0]) if adjective == names[0] else (adjective, adjective)


def _flat(facts: Sequence[Fact]) -> Iterator[Fact]:
    for fact in facts:
        yield from _flat(fact.facts) if isinstance(fact, And) else (fact,)


def _looks_at_order(fact: Fact) -> bool:
    """Return whether a fact depends on the order of ranks, so that the text must say that aces are high."""
    nodes = list(tree.walk(fact))
    ordered = [node for node in nodes if isinstance(node, (NumberComparison, Sum)) and node.sign not in ("==", "!=")]
    sides = [side for node in ordered for side in (node.left, node.right)]
    words = [node.word for node in nodes if isinstance(node, NumberWord) and node.word.is_rank]
    return any(word.quantity for word in words) or any(
        isinstance(operand, NumberWord) and operand.word.is_rank for operand in sides
    )


def _compared_to_values(facts: Sequence[Fact]) -> tuple[Number, list[int]] | None:
    """Return the number that all facts compare with literals by ==, and these literals; `None` otherwise."""
    equalities = [fact for fact in facts if isinstance(fact, NumberComparison) and fact.sign == "=="]
    values = [fact.right.value for fact in equalities if isinstance(fact.right, Literal)]
    is_list = len(values) == len(facts) and all(fact.left == equalities[0].left for fact in equalities)
    return (equalities[0].left, values) if is_list else None
