"""Rules of a game that a table chooses: named settings that an experiment declares and a file or a person states.

How cards come, as far as rules and readers are concerned: whose cards there are, and which words go with them.

Whether a deal and its rules go with the pack that is dealt from.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from combinat.language.rules import Count, Node, Rule, walk
from combinat.language.words import JOKERS, WORDS, Positions, Vocabulary, Word
from decks import Card, InputError, Pack, Suit, did_you_mean
from decks.errors import quoted


class Setting(Struct, frozen=True):
    """A rule that can be chosen: what it is called, what it is about, and what may be said."""

    key: str
    """What a file and data call it; the command line writes dashes."""
    title: str
    """What a page calls it."""
    meaning: str
    """What it decides, in a sentence."""
    usual: str
    """What holds if nothing is said."""
    choices: Mapping[str, str] = {}
    """What may be said and what each means; left out, the `read` function decides."""
    read: Callable[[str], Any] = str
    """Gives the value of what was said, or refuses it."""

    @property
    def option(self) -> str:
        """The option of the command line.

        >>> Setting("lucky_pays", "Lucky 9 pays", "What it pays.", "3 to 2").option
        '--lucky-pays'
        """
        return f"--{self.key.replace('_', '-')}"

    @property
    def help(self) -> str:
        """The setting in a sentence, with its choices and what holds if nothing is said."""
        choices_text = f" One of {', '.join(self.choices)}." if self.choices else ""
        return f"{self.meaning}{choices_text} Usually {self.usual}."

    def value(self, choice: str) -> Any:
        """Read what was said.

        >>> Setting("nines", "Nines", "Who wins.", "push", {"push": "", "maker": ""}).value("makers")
        Traceback (most recent call last):
            ...
        decks.errors.InputError: nines cannot be 'makers'; did you mean 'maker'?
        """
        text = " ".join(choice.split()).lower()
        if self.choices and text not in self.choices:
            choices_text = f"; it is {' or '.join(self.choices)}"
            raise InputError(f"{self.key} cannot be {quoted(choice)}{did_you_mean(text, self.choices) or choices_text}")
        try:
            return self.read(text)
        except InputError as error:
            raise InputError(f"{self.key} cannot be {quoted(choice)}; {error}") from None


class SettingValue(Struct, frozen=True):
    """A setting with what is said of it, as data carries it and in words."""

    setting: Setting
    said: str

    @property
    def in_words(self) -> str:
        """What it means."""
        return self.setting.choices.get(self.said, self.said)

    @property
    def is_usual(self) -> bool:
        """Whether it is what holds if nothing is said."""
        return self.said == self.setting.usual


def read_settings(values: Mapping[str, str], settings: Collection[Setting], owner: str) -> dict[str, Any]:
    """Give the values of settings by their keys, or refuse what is none."""
    by_key = {setting.key: setting for setting in settings}
    for key in values:
        if key not in by_key:
            hint = f"; its settings are {', '.join(by_key)}" if by_key else "; it has none"
            raise InputError(f"{owner} has no setting {quoted(key)}{did_you_mean(key, by_key) or hint}")
    return {key: by_key[key].value(value) for key, value in values.items()}


SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PERSONS = ("player", "dealer", "banker", "neighbor")


class Cards(Struct, frozen=True):
    """Some cards of a deal as a sentence names them."""

    name: str
    size: int | None
    """How many there are; as many as are drawn if there is no number."""
    holder: str = ""
    """Who holds them, if one says so."""
    hand: str = ""
    """What they are together, where their number is open."""
    is_somebodys: bool = True
    """Whether they must be named even if nothing else is spoken of."""
    may_lack: bool = False
    """Whether there may be none of them, such as a third card that is not drawn."""


def role_in_words(role: str, size: int) -> Cards:
    """Name the cards of a role.

    >>> role_in_words("player", 2).name, role_in_words("up", 1).name, role_in_words("next", 1).name
    ("the player's two cards", "the dealer's up card", 'the next card')
    """
    label = role.replace("_", " ")
    number = [SMALL_NUMBERS[size]] if size > 1 else []
    card = "cards" if size > 1 else "card"
    dealers = role in ("dealer", "up", "hole")
    if role.startswith(_PERSONS):
        return Cards(" ".join([f"the {label}'s", *number, card]), size, f"the {label}", is_somebodys=dealers)
    owner = "the dealer's" if role in ("up", "hole") else "the"
    return Cards(" ".join([owner, *number, *label.split(), card]), size, is_somebodys=dealers)


class MergedDeal(Struct, frozen=True):
    """One deal that has the cards of several, and where in it the cards of each of them lie."""

    deal: Deal
    places: tuple[Mapping[int, int], ...]
    """For each of the deals the place of every card in the one."""


class Deal(Struct, frozen=True, dict=True):
    """A way for cards to come; each experiment has its own kind, and says here what a rule about it may name."""

    @property
    def kind(self) -> str:
        """The experiment that deals so, by its name in the registry."""
        raise NotImplementedError

    @property
    def groups(self) -> dict[str, Positions]:
        """Every name that a rule may use for some of the cards, with the places of those cards."""
        raise NotImplementedError

    @property
    def in_view(self) -> dict[str, Positions]:
        """Every name for cards that may be in view, with their places: the names that rules have, and perhaps more."""
        return self.groups

    @property
    def everybody(self) -> Positions | None:
        """The places that a word looks at which names no role; `None` if it has to name one."""
        raise NotImplementedError

    @property
    def whose(self) -> tuple[str, ...]:
        """The names to choose from where a word has to name one."""
        return tuple(self.groups)

    @property
    def ranks_hands(self) -> bool:
        """Whether it can be asked what the best of some cards make, as poker ranks hands."""
        return False

    def disjoint_groups(self) -> tuple[tuple[str, Positions], ...]:
        """The groups that all cards fall into, each card in one: an up card is a part of the hand it belongs to."""
        disjoint: list[tuple[str, Positions]] = []
        for name, positions in sorted(self.groups.items(), key=lambda group: (group[1][0], -len(group[1]))):
            if not any(set(positions) & set(used) for _, used in disjoint):
                disjoint.append((name, positions))
        return tuple(disjoint)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words that a rule may use."""
        return WORDS

    def size(self, positions: Positions) -> int | None:
        """How many cards lie at some places; `None` if that depends on how they come."""
        return len(positions)

    def least_cards(self, positions: Positions) -> int:
        """No fewer cards than this lie at some places."""
        return len(positions)

    def most_cards(self, positions: Positions) -> int:
        """No more cards than this lie at some places."""
        return len(positions)

    def values(self, word: Word, positions: Positions) -> range | None:
        """The values that a number word can have there, and perhaps some more; `None` if nothing is known of them."""
        return word.bounds(len(positions)) if word.bounds else None

    def objection(self, node: Node) -> str:  # noqa: ARG002  # others do look at it
        """Say why something cannot be asked of these cards, with a hint after a semicolon; nothing if it can."""
        return ""

    def objection_to_pack(self, pack: Pack) -> str:
        """Say why these cards cannot be dealt from a pack; nothing if they can."""
        if pack.jokers or len(pack.suits) < len(Suit):
            return f"the deal {quoted(str(self))} is not counted with jokers or without suits"
        return ""

    def cards(self, positions: Positions) -> Cards:
        """Name some cards as the deal does."""
        role = next((role for role, group in self.groups.items() if group == positions), "")
        return role_in_words(role, len(positions))

    def shown_with(self, positions: Positions) -> Positions | None:  # noqa: ARG002  # likewise
        """The hand that a single card is spoken of together with, as an up card is with the hand it belongs to."""
        return None

    def of_the_whole(self, word: Word, cards: Mapping[int, tuple[Card, ...]]) -> int | None:  # noqa: ARG002
        """The value of a word said of the deal as a whole, for cards that lie so; `None` if they do not tell."""
        return None

    @property
    def unlaid(self) -> str:
        """Say why cards on the table do not tell what the bet comes to, as where it depends on how they are played."""
        return ""

    def misdealt(self, cards: Mapping[int, tuple[Card, ...]]) -> str:  # noqa: ARG002  # likewise
        """Say why cards cannot come to lie so, as where a dealer would have drawn on; nothing if they can."""
        return ""

    def in_words(self, roles_distinct: bool) -> str:
        """Say which cards count."""
        raise NotImplementedError

    def variant(self, name: str) -> Deal | None:  # noqa: ARG002  # likewise
        """The same deal under another rule of the table, such as `s17`; `None` if that does not matter to it."""
        return None

    def common(self, deals: Sequence[Deal]) -> MergedDeal | None:
        """One deal of this kind that has the cards of all the deals, this one among them; `None` if there is none."""
        if self.unlaid or any(deal != self for deal in deals):
            return None
        same = {position: position for positions in self.groups.values() for position in positions}
        return MergedDeal(self, (same,) * len(deals))

    @property
    def settings(self) -> tuple[SettingValue, ...]:
        """The rules of the game that a table chooses, as they are chosen here."""
        return ()

    def with_settings(self, values: Mapping[str, str]) -> Deal:
        """The same deal under other rules of the game, by the keys of its settings."""
        read_settings(values, (), f"the deal {quoted(str(self))}")
        return self

    @property
    def awards(self) -> tuple[tuple[str, str, str], ...]:
        """The awards that the game itself has, as name, rule and pay; none if they are for a paytable to say."""
        return ()

    @property
    def starters(self) -> tuple[tuple[str, str, str], ...]:
        """Awards to begin a paytable with, as name, rule and pay: those of the game, or some to go on from."""
        return self.awards

    @property
    def usual_decks(self) -> str:
        """The deck counts that such cards are usually dealt from, as a file writes them."""
        return "6, 8"

    def positions(self, group: str) -> Positions:
        """The places of a group's cards."""
        try:
            return self.groups[group]
        except KeyError:
            roles = ", ".join(self.groups)
            hint = did_you_mean(group, self.groups) or f"; the deal has {roles}"
            raise InputError(f"nobody called {quoted(group)} is dealt cards{hint}") from None


def check_pack(deal: Deal, pack: Pack) -> None:
    """Refuse a pack of which the deal cannot be counted."""
    if objection := deal.objection_to_pack(pack):
        raise InputError(objection)


def check_jokers(rules: Iterable[Rule], pack: Pack) -> None:
    """Refuse rules that ask for a joker which the pack has not.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD
    >>> check_jokers([parse_rule("has(joker)", parse_deal("player:2"))], STANDARD)
    Traceback (most recent call last):
        ...
    decks.errors.InputError: the rule 'has(joker)' asks for a joker; the pack has none, 'standard with 1 joker' has
    """
    for rule in () if pack.jokers else rules:
        if any(isinstance(node, Count) and JOKERS in node.kinds for node in walk(rule.fact)):
            raise InputError(
                f"the rule {quoted(rule)} asks for a joker; the pack has none, '{pack.name} with 1 joker' has"
            )
