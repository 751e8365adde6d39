"""How cards come, as far as rules and readers are concerned: whose cards there are, and which words go with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from combinat.language.setting import Chosen, read_settings
from combinat.language.tree import Node
from combinat.language.word import Places, Vocabulary, Word
from combinat.language.words import WORDS
from decks import Card, InputError, Pack, Suit, suggestion
from decks.errors import quoted

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
    called = role.replace("_", " ")
    many = [SMALL_NUMBERS[size]] if size > 1 else []
    card = "cards" if size > 1 else "card"
    dealers = role in ("dealer", "up", "hole")
    if role.startswith(_PERSONS):
        return Cards(" ".join([f"the {called}'s", *many, card]), size, f"the {called}", is_somebodys=dealers)
    whose = "the dealer's" if role in ("up", "hole") else "the"
    return Cards(" ".join([whose, *many, *called.split(), card]), size, is_somebodys=dealers)


class Common(Struct, frozen=True):
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
    def groups(self) -> dict[str, Places]:
        """Every name that a rule may use for some of the cards, with the places of those cards."""
        raise NotImplementedError

    @property
    def in_view(self) -> dict[str, Places]:
        """Every name for cards that may be in view, with their places: the names that rules have, and perhaps more."""
        return self.groups

    @property
    def everybody(self) -> Places | None:
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

    def disjoint_groups(self) -> tuple[tuple[str, Places], ...]:
        """The groups that all cards fall into, each card in one: an up card is a part of the hand it belongs to."""
        found: list[tuple[str, Places]] = []
        for name, places in sorted(self.groups.items(), key=lambda group: (group[1][0], -len(group[1]))):
            if not any(set(places) & set(others) for _, others in found):
                found.append((name, places))
        return tuple(found)

    @property
    def vocabulary(self) -> Vocabulary:
        """The words that a rule may use."""
        return WORDS

    def size(self, places: Places) -> int | None:
        """How many cards lie at some places; `None` if that depends on how they come."""
        return len(places)

    def least_cards(self, places: Places) -> int:
        """No fewer cards than this lie at some places."""
        return len(places)

    def most_cards(self, places: Places) -> int:
        """No more cards than this lie at some places."""
        return len(places)

    def values(self, word: Word, places: Places) -> range | None:
        """The values that a number word can have there, and perhaps some more; `None` if nothing is known of them."""
        return word.bounds(len(places)) if word.bounds else None

    def objection(self, node: Node) -> str:  # noqa: ARG002  # others do look at it
        """Say why something cannot be asked of these cards, with a hint after a semicolon; nothing if it can."""
        return ""

    def objection_to_pack(self, pack: Pack) -> str:
        """Say why these cards cannot be dealt from a pack; nothing if they can."""
        if pack.jokers or len(pack.suits) < len(Suit):
            return f"the deal {quoted(str(self))} is not counted with jokers or without suits"
        return ""

    def cards(self, places: Places) -> Cards:
        """Name some cards as the deal does."""
        role = next((role for role, own in self.groups.items() if own == places), "")
        return role_in_words(role, len(places))

    def shown_with(self, places: Places) -> Places | None:  # noqa: ARG002  # likewise
        """The hand that a single card is spoken of together with, as an up card is with the hand it belongs to."""
        return None

    def of_the_whole(self, word: Word, places: Mapping[int, tuple[Card, ...]]) -> int | None:  # noqa: ARG002
        """The value of a word said of the deal as a whole, for cards that lie so; `None` if they do not tell."""
        return None

    @property
    def unlaid(self) -> str:
        """Say why cards on the table do not tell what the bet comes to, as where it depends on how they are played."""
        return ""

    def misdealt(self, places: Mapping[int, tuple[Card, ...]]) -> str:  # noqa: ARG002  # likewise
        """Say why cards cannot come to lie so, as where a dealer would have drawn on; nothing if they can."""
        return ""

    def in_words(self, roles_distinct: bool) -> str:
        """Say which cards count."""
        raise NotImplementedError

    def variant(self, name: str) -> Deal | None:  # noqa: ARG002  # likewise
        """The same deal under another rule of the table, such as `s17`; `None` if that does not matter to it."""
        return None

    def common(self, deals: Sequence[Deal]) -> Common | None:
        """One deal of this kind that has the cards of all the deals, this one among them; `None` if there is none."""
        if self.unlaid or any(deal != self for deal in deals):
            return None
        same = {place: place for places in self.groups.values() for place in places}
        return Common(self, (same,) * len(deals))

    @property
    def settings(self) -> tuple[Chosen, ...]:
        """The rules of the game that a table chooses, as they are chosen here."""
        return ()

    def with_settings(self, given: Mapping[str, str]) -> Deal:
        """The same deal under other rules of the game, by the keys of its settings."""
        read_settings(given, (), f"the deal {quoted(str(self))}")
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

    def positions(self, group: str) -> Places:
        """The places of a group's cards."""
        try:
            return self.groups[group]
        except KeyError:
            known = ", ".join(self.groups)
            hint = suggestion(group, self.groups) or f"; the deal has {known}"
            raise InputError(f"nobody called {quoted(group)} is dealt cards{hint}") from None
