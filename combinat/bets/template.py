"""A bet to begin with: a file that reads, with awards that go with its cards."""

from __future__ import annotations

from combinat.bets.fields import AwardFields, BetFields, PaytableFields
from combinat.bets.write import bet_text
from combinat.enumeration.experiment import parse_deal

USUAL_DEAL = "player:2, up:1"
_OPENING = (
    "A bet of one's own: change names, rules and pays, and look it over with combinat check FILE.toml.",
    "combinat show FILE.toml shows its figures, combinat words lists the words that a rule can use.",
)


def template_text(deal: str = USUAL_DEAL, id: str = "") -> str:
    """Write a file for cards that are dealt so, with a few awards to go on from.

    >>> [line for line in template_text("baccarat").splitlines() if "by 9" in line][1]
    '  { hand = "Player wins by 9", pays = "25 to 1" },'
    """
    dealt = parse_deal(deal)
    starters = dealt.starters
    is_own = starters == dealt.awards  # the awards of the game itself need not be written down
    table = PaytableFields(
        id=id or "MINE-1",
        title="My bet, paytable 1",
        decks=dealt.usual_decks,
        awards=None if is_own else [AwardFields(hand=name, pays=pays) for name, _, pays in starters],
    )
    fields = BetFields(
        bet="My bet",
        deal=str(dealt),
        hands={} if is_own else {name: rule for name, rule, _ in starters},
        paytable=[table],
    )
    return bet_text(fields, _OPENING)
