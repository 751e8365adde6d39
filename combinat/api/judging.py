"""One hand, judged for a Python program."""

from __future__ import annotations

from combinat.analysis.judging import Judgement
from combinat.analysis.judging import judge as judge_hand
from combinat.api.arguments import AnyBet, AnyCards, Meters, load, meter_amounts, shoe_for
from combinat.api.questions import at_table
from combinat.language.laying import lay_by_role, lay_in_order, parse_roles_of_hand
from decks import InputError, Shoe
from decks.cards import as_cards


def judge(
    bet: AnyBet,
    hand: AnyCards | None = None,
    *,
    decks: int | Shoe | None = None,
    shoe: Shoe | None = None,
    removed: AnyCards = (),
    meters: Meters | None = None,
    hits_soft_17: bool | None = None,
    **roles: AnyCards,
) -> Judgement:
    """Judge one hand, its cards in the order of the deal or by the names of the roles.

    If nothing is said about the shoe, it is the largest that the paytable is designed for.

    >>> flush = judge("TRI-03", "As Ks 9s")
    >>> flush
    <As Ks 9s: Flush, pays 5 to 1>
    >>> str(flush.rulings[0].reasons[0])  # why it is no mini royal
    'not (ace, king and queen) (As Ks 9s)'
    >>> judge("TRI-03", player="As Ks", up="9h").award is None
    True
    """
    paytable = at_table(load(bet), hits_soft_17, None)
    at = shoe_for(paytable, max(paytable.decks) if decks is None and shoe is None else decks, shoe, removed)
    deal = paytable.bet.deal
    if isinstance(hand, str) and not roles:
        roles = dict(parse_roles_of_hand([hand], deal))
        hand = None if roles else hand
    if (hand is None) == (not roles):
        raise InputError(f"give a hand in the order of {deal}, or the cards of each role by its name")
    if roles:
        laid = lay_by_role(deal, {role: as_cards(cards) for role, cards in roles.items()}, paytable.ladder.all_rules)
    else:
        laid = lay_in_order(deal, as_cards(hand or ()))
    return judge_hand(paytable, laid, at, meter_amounts(meters, paytable))
