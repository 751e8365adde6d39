"""What rules say of a coup of baccarat: who wins, by how much, and nothing of a card that is not there."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from combinat.verifier.cards import Card
from combinat.verifier.words import CALLS, MOST_KNOWN, WORDS, Group, Table, asked, group, hard_total

ROLES: dict[str, tuple[slice, ...]] = {
    "player": (slice(0, 3),),
    "banker": (slice(3, 6),),
    "player_first": (slice(0, 2),),
    "banker_first": (slice(3, 5),),
    "player_third": (slice(2, 3),),
    "banker_third": (slice(5, 6),),
}
"""Where in a coup the cards of each role lie: three places for the player, three for the banker."""
OF_THE_COUP = ("player_wins", "banker_wins", "tie", "margin")
OTHER_NAMES = {"total": "points", "player_win": "player_wins", "banker_win": "banker_wins"}

Coup = tuple[Card | None, ...]
"""Six places, of which the third and the last may be empty."""


def coup_of(player: tuple[Card, ...], banker: tuple[Card, ...]) -> Coup:
    """Lay two hands out at their places."""
    return (*player, *(None,) * (3 - len(player)), *banker, *(None,) * (3 - len(banker)))


class CoupTable(Table):
    """A coup on the table."""

    def __missing__(self, word: str) -> Any:
        if word in OF_THE_COUP:
            ahead = points(self.hand[:3]) - points(self.hand[3:])
            answers = {"player_wins": ahead > 0, "banker_wins": ahead < 0, "tie": ahead == 0, "margin": abs(ahead)}
            self.update(answers)
        elif word in self.roles:
            self[word] = of_role(self.hand[self.roles[word][0]])
        elif word in CALLS:
            self[word] = getattr(Group(there(self.hand)), word)
        elif word in WORDS or word.startswith("ranks_"):
            self[word] = asked(word, there(self.hand))
        else:
            return super().__missing__(word)
        return self[word]


def there(part: Coup) -> tuple[Card, ...]:
    """The cards that lie at some places."""
    return tuple([card for card in part if card is not None])


@lru_cache(maxsize=MOST_KNOWN)
def of_role(part: Coup) -> Group:
    """The cards that a role has at its places."""
    return group(there(part))


@lru_cache(maxsize=MOST_KNOWN)
def points(hand: Coup) -> int:
    """The last digit of what a hand is worth."""
    return hard_total(tuple([rank for rank, _ in there(hand)])) % 10


def looks_at_first_cards_only(source: str) -> bool:
    """Whether a rule asks for nothing but the first two cards of both hands, which it then names.

    >>> looks_at_first_cards_only("player_first.pair"), looks_at_first_cards_only("pair")
    (True, False)
    """
    words = [*WORDS, *CALLS, *OF_THE_COUP, r"ranks_\w+", "player", "banker", "player_third", "banker_third"]
    return not re.search(rf"(?<![\w.])({'|'.join(words)})\b", source)
