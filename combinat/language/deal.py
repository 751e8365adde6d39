"""Deals and settings: what rules and descriptions need to know about how an experiment deals its cards.

`Deal` is the base class of the deals of all experiments: its roles, the vocabulary of its rules, and its limits. A
`Setting` is a game rule that a table chooses. `parse_roles` reads roles with card counts, such as `player:2, up:1`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from keyword import iskeyword
from typing import Any

from msgspec import Struct

from combinat.exact.numbers import number_word
from combinat.language.rules import CardCount, Node, Rule, walk
from combinat.language.words import JOKERS, RESERVED, WORDS, Positions, Vocabulary, Word
from decks import Card, InputError, Pack, Suit, did_you_mean
from decks.errors import one_line, quote


class Setting(Struct, frozen=True):
    """A game rule that a table chooses: its names, its meaning, its default and its choices."""

    key: str
    """The name in files and data; the command line writes dashes."""
    title: str
    """The title on a page."""
    meaning: str
    """A sentence that describes the effect."""
    default: str
    """The default."""
    choices: Mapping[str, str] = {}
    """The allowed values with their meanings; if empty, `parse` decides."""
    parse: Callable[[str], Any] = str
    """The function that parses the text of a value; it raises `InputError` for an invalid one."""

    @property
    def option(self) -> str:
        """The name of the command-line option.

        >>> Setting("lucky_pays", "Lucky 9 pays", "What it pays.", "3 to 2").option
        '--lucky-pays'
        """
        return f"--{self.key.replace('_', '-')}"

    @property
    def help(self) -> str:
        """A sentence for help texts, with the choices."""
        return f"{self.meaning} One of {', '.join(self.choices)}." if self.choices else self.meaning

    def parse_value(self, choice: str) -> Any:
        """Parse the value of the setting.

        >>> Setting("nines", "Nines", "Who wins.", "push", {"push": "", "maker": ""}).parse_value("makers")
        Traceback (most recent call last):
            ...
        decks.errors.InputError: nines cannot be 'makers'; did you mean 'maker'?
        """
        text = one_line(choice).lower()
        if self.choices and text not in self.choices:
            choices_text = f"; write {' or '.join(self.choices)}"
            raise InputError(f"{self.key} cannot be {quote(choice)}{did_you_mean(text, self.choices) or choices_text}")
        try:
            return self.parse(text)
        except InputError as error:
            raise InputError(f"{self.key} cannot be {quote(choice)}; {error}") from None


class SettingValue(Struct, frozen=True):
    """A setting with its value as text."""

    setting: Setting
    text: str

    @property
    def description(self) -> str:
        """The meaning of the value."""
        return self.setting.choices.get(self.text, self.text)

    @property
    def is_default(self) -> bool:
        """Whether the value is the default."""
        return self.text == self.setting.default


def read_settings(values: Mapping[str, str], settings: Collection[Setting], owner: str) -> dict[str, Any]:
    """Parse the values of settings by their keys; raise `InputError` for an unknown key."""
    by_key = {setting.key: setting for setting in settings}
    for key in values:
        if key not in by_key:
            hint = f"; its settings are {', '.join(by_key)}" if by_key else "; it has none"
            raise InputError(f"{owner} has no setting {quote(key)}{did_you_mean(key, by_key) or hint}")
    return {key: by_key[key].parse_value(value) for key, value in values.items()}


_PERSONS = ("player", "dealer", "banker", "neighbor")


class CardsDescription(Struct, frozen=True):
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


def role_in_words(role: str, size: int) -> CardsDescription:
    """Return the English name of the cards of a role.

    >>> role_in_words("player", 2).name, role_in_words("up", 1).name, role_in_words("next", 1).name
    ("the player's two cards", "the dealer's up card", 'the next card')
    """
    label = role.replace("_", " ")
    number_words = [number_word(size)] if size > 1 else []
    noun = "cards" if size > 1 else "card"
    is_dealers = role in ("dealer", "up", "hole")
    if role.startswith(_PERSONS):
        return CardsDescription(
            " ".join([f"the {label}'s", *number_words, noun]), size, f"the {label}", needs_name=is_dealers
        )
    owner = "the dealer's" if role in ("up", "hole") else "the"
    return CardsDescription(" ".join([owner, *number_words, *label.split(), noun]), size, needs_name=is_dealers)


class MergedDeal(Struct, frozen=True):
    """A deal that contains the cards of several deals."""

    deal: Deal
    position_maps: tuple[Mapping[int, int], ...]
    """For each of the deals, a map from its positions to positions of the merged deal."""


class Deal(Struct, frozen=True, dict=True):
    """Base class of deals: what a rule may refer to, and how cards are described."""

    @property
    def kind(self) -> str:
        """The name of the experiment in the registry."""
        raise NotImplementedError

    @property
    def positions_by_role(self) -> dict[str, Positions]:
        """The positions of the cards of each role."""
        raise NotImplementedError

    @property
    def exposable_positions(self) -> dict[str, Positions]:
        """The positions of cards that may be exposed, by name: the roles of rules, and perhaps more."""
        return self.positions_by_role

    @property
    def all_positions(self) -> Positions | None:
        """The positions that a word without a role refers to; `None` if a role is required."""
        raise NotImplementedError

    @property
    def named_roles(self) -> tuple[str, ...]:
        """The roles to choose from where a role is required."""
        return tuple(self.positions_by_role)

    @property
    def ranks_hands(self) -> bool:
        """Whether rules can ask for the best poker hand among cards."""
        return False

    def disjoint_groups(self) -> tuple[tuple[str, Positions], ...]:
        """Return disjoint roles that cover all cards; an up card is part of the hand it belongs to."""
        disjoint: list[tuple[str, Positions]] = []
        for name, positions in sorted(self.positions_by_role.items(), key=lambda group: (group[1][0], -len(group[1]))):
            if not any(set(positions) & set(used_positions) for _, used_positions in disjoint):
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

    def possible_values(self, word: Word, positions: Positions) -> range | None:
        """Return a superset of the values of a number word at `positions`; `None` if they are unknown."""
        return word.bounds(len(positions)) if word.bounds else None

    def check_node(self, node: Node) -> str:  # noqa: ARG002  # for subclasses
        """Return why a rule cannot contain `node`, with a hint after a semicolon; empty if it can."""
        return ""

    def objection_to_pack(self, pack: Pack) -> str:
        """Return why the cards cannot be dealt from a pack; empty if they can."""
        if pack.jokers or len(pack.suits) < len(Suit):
            return f"the deal {quote(self)} needs a pack with all four suits and without jokers"
        return ""

    def describe_cards(self, positions: Positions) -> CardsDescription:
        """Return the description of the cards at `positions`."""
        role = next((role for role, group in self.positions_by_role.items() if group == positions), "")
        return role_in_words(role, len(positions))

    def hand_of_card(self, positions: Positions) -> Positions | None:  # noqa: ARG002  # for subclasses
        """Return the positions of the hand that a card such as an up card belongs to; `None` if there is none."""
        return None

    def value_of_deal(self, word: Word, cards: Mapping[int, tuple[Card, ...]]) -> int | None:  # noqa: ARG002
        """Return the value of a word about the deal as a unit; `None` if the cards do not determine it."""
        return None

    @property
    def objection_to_cards(self) -> str:
        """Why the cards on the table do not determine the result, such as a dependence on the player's strategy."""
        return ""

    def objection_to_hand(self, cards: Mapping[int, tuple[Card, ...]]) -> str:  # noqa: ARG002  # for subclasses
        """Return why these cards cannot occur, such as a dealer's hand that should draw; empty if they can."""
        return ""

    def describe(self, roles_distinct: bool) -> str:
        """Return an English description of the cards that count."""
        raise NotImplementedError

    def variant(self, name: str) -> Deal | None:  # noqa: ARG002  # for subclasses
        """Return the deal under another table rule such as `s17`; `None` if the rule does not affect it."""
        return None

    def merge_deals(self, deals: Sequence[Deal]) -> MergedDeal | None:
        """Return a deal of this kind that contains the cards of all `deals`; `None` if there is none."""
        if self.objection_to_cards or any(deal != self for deal in deals):
            return None
        identity = {position: position for positions in self.positions_by_role.values() for position in positions}
        return MergedDeal(self, (identity,) * len(deals))

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
            return self.positions_by_role[group]
        except KeyError:
            raise InputError(self.unknown_role(group)) from None

    def meant_role(self, word: str) -> str:
        """Return the role that a word such as "upcard" stands for; the word itself if it stands for none."""
        if word in self.positions_by_role:
            return word
        return next((name for name in _ROLE_WORDS.get(word.lower(), ()) if name in self.positions_by_role), word)

    def unknown_role(self, role: str) -> str:
        """Return the error message for a role that the deal does not have."""
        meant = self.meant_role(role)
        hint = f"; write {meant}" if meant != role else did_you_mean(role, self.positions_by_role)
        hint = hint or f"; its roles are {', '.join(self.positions_by_role)}"
        return f"the deal has no role {quote(role)}{hint}"


_ROLE_WORDS = {
    **dict.fromkeys(
        ("upcard", "up_card", "dealer_up", "dealers_card", "d", "house", "bank", "banker"), ("up", "dealer")
    ),
    **dict.fromkeys(("hand", "me", "my", "p", "gambler", "you"), ("player",)),
    **dict.fromkeys(("board", "community", "table", "flop"), ("board", "community")),
    **dict.fromkeys(("holecard", "hole_card", "down"), ("hole", "dealer")),
}
"""Words that people write for a role, with the roles that they may mean."""


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
    decks.errors.InputError: the rule 'has(joker)' needs a pack with a joker, such as 'standard with 1 joker'
    """
    for rule in () if pack.jokers else rules:
        if any(isinstance(node, CardCount) and JOKERS in node.kinds for node in walk(rule.fact)):
            raise InputError(f"the rule {quote(rule)} needs a pack with a joker, such as '{pack.name} with 1 joker'")


DEAL_FORM = "write roles and card counts, as in 'player:2, up:1', or 'dealer:h17' for the dealer's finished hand"
DRAWING_RULES = {"h17": "hits soft 17", "s17": "stands on soft 17"}
"""The dealer's drawing rules."""
_USUAL_ROLES = ("player", "dealer", "up", "hole", "next")


def split_role(text: str) -> tuple[str, str]:
    """Split an item such as `player:2` into its role and its value."""
    role, colon, value = (word.strip() for word in text.partition(":"))
    if not colon or not (role.isascii() and role.islower() and role.isidentifier() and len(role) <= 20):
        raise InputError(f"cannot read the deal {quote(text.strip())}; {DEAL_FORM}")
    if role.replace("_", " ") in RESERVED or iskeyword(role):
        usual = ", ".join(_USUAL_ROLES)
        language = "Python, in which sheets are checked" if iskeyword(role) else "the rule language"
        raise InputError(f"a role cannot be called {quote(role)}, a word of {language}; usual ones are {usual}")
    return role, value


def parse_roles(items: Iterable[str]) -> dict[str, int]:
    """Parse items such as `player:2`; each role may occur once."""
    roles: dict[str, int] = {}
    for item in items:
        role, count = split_role(item)
        if role in roles:
            raise InputError(f"the deal names {quote(role)} twice; {DEAL_FORM}")
        if not (count.isascii() and count.isdecimal() and len(count) <= 3):
            hint = did_you_mean(count, DRAWING_RULES) if role == "dealer" else ""
            raise InputError(f"cannot read the deal {quote(f'{role}:{count}')}{hint or '; ' + DEAL_FORM}")
        if int(count) < 1:
            raise InputError(f"the deal gives {quote(role)} no card; {DEAL_FORM}")
        roles[role] = int(count)
    return roles
