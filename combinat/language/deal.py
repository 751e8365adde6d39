"""Deals and settings: what rules and descriptions need to know about how an experiment deals its cards.

`Deal` is the base class of the deals of all experiments: its roles, the vocabulary of its rules, and its limits. A
`Setting` is a game rule that a table chooses.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from combinat.language.rules import CardCount, Node, Rule, walk
from combinat.language.words import JOKERS, WORDS, Positions, Vocabulary, Word
from decks import Card, InputError, Pack, Suit, did_you_mean
from decks.errors import quote


class Setting(Struct, frozen=True):
    """A game rule that a table chooses: its names, its meaning, its default and its choices."""

    key: str
    """The name in files and data; the command line writes dashes."""
    title: str
    """The title on a page."""
    meaning: str
    """A sentence that describes the effect."""
    usual: str
    """The default."""
    choices: Mapping[str, str] = {}
    """The allowed values with their meanings; if empty, `read` decides."""
    read: Callable[[str], Any] = str
    """Parses the text of a value, or raises `InputError`."""

    @property
    def option(self) -> str:
        """The name of the command-line option.

        >>> Setting("lucky_pays", "Lucky 9 pays", "What it pays.", "3 to 2").option
        '--lucky-pays'
        """
        return f"--{self.key.replace('_', '-')}"

    @property
    def help(self) -> str:
        """A sentence for help texts, with the choices and the default."""
        choices_text = f" One of {', '.join(self.choices)}." if self.choices else ""
        return f"{self.meaning}{choices_text} Usually {self.usual}."

    def value(self, choice: str) -> Any:
        """Parse the value of the setting.

        >>> Setting("nines", "Nines", "Who wins.", "push", {"push": "", "maker": ""}).value("makers")
        Traceback (most recent call last):
            ...
        decks.errors.InputError: nines cannot be 'makers'; did you mean 'maker'?
        """
        text = " ".join(choice.split()).lower()
        if self.choices and text not in self.choices:
            choices_text = f"; it is {' or '.join(self.choices)}"
            raise InputError(f"{self.key} cannot be {quote(choice)}{did_you_mean(text, self.choices) or choices_text}")
        try:
            return self.read(text)
        except InputError as error:
            raise InputError(f"{self.key} cannot be {quote(choice)}; {error}") from None


class SettingValue(Struct, frozen=True):
    """A setting with its value as text."""

    setting: Setting
    said: str

    @property
    def description(self) -> str:
        """The meaning of the value."""
        return self.setting.choices.get(self.said, self.said)

    @property
    def is_default(self) -> bool:
        """Whether the value is the default."""
        return self.said == self.setting.usual


def read_settings(values: Mapping[str, str], settings: Collection[Setting], owner: str) -> dict[str, Any]:
    """Parse the values of settings by their keys; raise `InputError` for an unknown key."""
    by_key = {setting.key: setting for setting in settings}
    for key in values:
        if key not in by_key:
            hint = f"; its settings are {', '.join(by_key)}" if by_key else "; it has none"
            raise InputError(f"{owner} has no setting {quote(key)}{did_you_mean(key, by_key) or hint}")
    return {key: by_key[key].value(value) for key, value in values.items()}


SMALL_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PERSONS = ("player", "dealer", "banker", "neighbor")


class Cards(Struct, frozen=True):
    """The description of a group of cards in a sentence."""

    name: str
    size: int | None
    """The number of cards; `None` if it depends on the draw."""
    holder: str = ""
    """The person who holds the cards, if there is one."""
    hand: str = ""
    """The noun for the cards as a unit, where their number depends on the draw."""
    needs_name: bool = True
    """Whether the cards must be named even if the rule mentions no other cards."""
    may_be_absent: bool = False
    """Whether the cards may be absent, such as a third card that is not drawn."""


def role_in_words(role: str, size: int) -> Cards:
    """Return the English name of the cards of a role.

    >>> role_in_words("player", 2).name, role_in_words("up", 1).name, role_in_words("next", 1).name
    ("the player's two cards", "the dealer's up card", 'the next card')
    """
    label = role.replace("_", " ")
    number = [SMALL_NUMBERS[size]] if size > 1 else []
    card = "cards" if size > 1 else "card"
    dealers = role in ("dealer", "up", "hole")
    if role.startswith(_PERSONS):
        return Cards(" ".join([f"the {label}'s", *number, card]), size, f"the {label}", needs_name=dealers)
    owner = "the dealer's" if role in ("up", "hole") else "the"
    return Cards(" ".join([owner, *number, *label.split(), card]), size, needs_name=dealers)


class MergedDeal(Struct, frozen=True):
    """A deal that contains the cards of several deals."""

    deal: Deal
    places: tuple[Mapping[int, int], ...]
    """For each of the deals, a map from its positions to positions of the merged deal."""


class Deal(Struct, frozen=True, dict=True):
    """Base class of deals: what a rule may refer to, and how cards are described."""

    @property
    def kind(self) -> str:
        """The name of the experiment in the registry."""
        raise NotImplementedError

    @property
    def groups(self) -> dict[str, Positions]:
        """The positions of the cards of each role."""
        raise NotImplementedError

    @property
    def in_view(self) -> dict[str, Positions]:
        """The positions of cards that may be exposed, by name: the roles of rules, and perhaps more."""
        return self.groups

    @property
    def all_positions(self) -> Positions | None:
        """The positions that a word without a role refers to; `None` if a role is required."""
        raise NotImplementedError

    @property
    def named_roles(self) -> tuple[str, ...]:
        """The roles to choose from where a role is required."""
        return tuple(self.groups)

    @property
    def ranks_hands(self) -> bool:
        """Whether rules can ask for the best poker hand among cards."""
        return False

    def disjoint_groups(self) -> tuple[tuple[str, Positions], ...]:
        """Return disjoint roles that cover all cards; an up card is part of the hand it belongs to."""
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
        """Return the number of cards at `positions`; `None` if it depends on the draw."""
        return len(positions)

    def min_cards(self, positions: Positions) -> int:
        """Return the minimum number of cards at `positions`."""
        return len(positions)

    def max_cards(self, positions: Positions) -> int:
        """Return the maximum number of cards at `positions`."""
        return len(positions)

    def values(self, word: Word, positions: Positions) -> range | None:
        """Return a superset of the values of a number word at `positions`; `None` if they are unknown."""
        return word.bounds(len(positions)) if word.bounds else None

    def check_node(self, node: Node) -> str:  # noqa: ARG002  # others do look at it
        """Return why a rule cannot contain `node`, with a hint after a semicolon; empty if it can."""
        return ""

    def objection_to_pack(self, pack: Pack) -> str:
        """Return why the cards cannot be dealt from a pack; empty if they can."""
        if pack.jokers or len(pack.suits) < len(Suit):
            return f"the deal {quote(str(self))} is not counted with jokers or without suits"
        return ""

    def cards(self, positions: Positions) -> Cards:
        """Return the description of the cards at `positions`."""
        role = next((role for role, group in self.groups.items() if group == positions), "")
        return role_in_words(role, len(positions))

    def hand_of_card(self, positions: Positions) -> Positions | None:  # noqa: ARG002  # likewise
        """Return the positions of the hand that a card such as an up card belongs to; `None` if there is none."""
        return None

    def value_of_deal(self, word: Word, cards: Mapping[int, tuple[Card, ...]]) -> int | None:  # noqa: ARG002
        """Return the value of a word about the deal as a unit; `None` if the cards do not determine it."""
        return None

    @property
    def objection_to_cards(self) -> str:
        """Why the cards on the table do not determine the result, such as a dependence on the player's strategy."""
        return ""

    def objection_to_hand(self, cards: Mapping[int, tuple[Card, ...]]) -> str:  # noqa: ARG002  # likewise
        """Return why these cards cannot occur, such as a dealer's hand that should draw; empty if they can."""
        return ""

    def description(self, roles_distinct: bool) -> str:
        """Return an English description of the cards that count."""
        raise NotImplementedError

    def variant(self, name: str) -> Deal | None:  # noqa: ARG002  # likewise
        """Return the deal under another table rule such as `s17`; `None` if the rule does not affect it."""
        return None

    def common(self, deals: Sequence[Deal]) -> MergedDeal | None:
        """Return a deal of this kind that contains the cards of all `deals`; `None` if there is none."""
        if self.objection_to_cards or any(deal != self for deal in deals):
            return None
        same = {position: position for positions in self.groups.values() for position in positions}
        return MergedDeal(self, (same,) * len(deals))

    @property
    def settings(self) -> tuple[SettingValue, ...]:
        """The settings of the game with their values."""
        return ()

    def with_settings(self, values: Mapping[str, str]) -> Deal:
        """Return the deal with other values of its settings, by key."""
        read_settings(values, (), f"the deal {quote(str(self))}")
        return self

    @property
    def awards(self) -> tuple[tuple[str, str, str], ...]:
        """The awards that the game itself defines, as name, rule and pay; empty if the paytable defines them."""
        return ()

    @property
    def template_awards(self) -> tuple[tuple[str, str, str], ...]:
        """Awards for a new paytable, as name, rule and pay."""
        return self.awards

    @property
    def default_decks(self) -> str:
        """The default deck counts, as written in a file."""
        return "6, 8"

    def positions(self, group: str) -> Positions:
        """Return the positions of a role's cards."""
        try:
            return self.groups[group]
        except KeyError:
            roles = ", ".join(self.groups)
            hint = did_you_mean(group, self.groups) or f"; the deal has {roles}"
            raise InputError(f"nobody called {quote(group)} is dealt cards{hint}") from None


def check_pack_for_deal(deal: Deal, pack: Pack) -> None:
    """Raise `InputError` if the deal cannot be counted with a pack."""
    if objection := deal.objection_to_pack(pack):
        raise InputError(objection)


def check_jokers(rules: Iterable[Rule], pack: Pack) -> None:
    """Raise `InputError` if a rule asks for jokers and the pack has none.

    >>> from combinat.enumeration.experiment import parse_deal
    >>> from combinat.language.parser import parse_rule
    >>> from decks import STANDARD
    >>> check_jokers([parse_rule("has(joker)", parse_deal("player:2"))], STANDARD)
    Traceback (most recent call last):
        ...
    decks.errors.InputError: the rule 'has(joker)' asks for a joker; the pack has none, 'standard with 1 joker' has
    """
    for rule in () if pack.jokers else rules:
        if any(isinstance(node, CardCount) and JOKERS in node.kinds for node in walk(rule.fact)):
            raise InputError(
                f"the rule {quote(rule)} asks for a joker; the pack has none, '{pack.name} with 1 joker' has"
            )
