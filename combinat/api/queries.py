"""The public functions: analysis, odds of a rule, outcomes, closed forms, verification, one hand, and blackjack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cached_property, partial
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from combinat.analysis.analysis import analyze_wager
from combinat.analysis.batch import iter_house_edges as at_shoes
from combinat.analysis.hand import Judgement
from combinat.analysis.hand import evaluate_hand as judge_hand
from combinat.analysis.odds import iter_rule_odds as count
from combinat.api.arguments import (
    BetLike,
    CardsLike,
    Meters,
    Pays,
    check_rule,
    check_shoe_pack,
    load,
    meter_amounts,
    remove_cards,
    shoe_argument,
    shoe_for,
    table_rules,
    text_argument,
)
from combinat.api.result import LikelihoodResult, Result
from combinat.bets.paytable import Paytable
from combinat.bets.variants import apply_soft_17, condition_on_up_card
from combinat.blackjack.game import BlackjackGame as Game
from combinat.blackjack.game import HandValue, house_edge
from combinat.blackjack.hands import parse_first_hand, parse_up
from combinat.blackjack.rules import check_strategy
from combinat.enumeration.experiment import parse_deal
from combinat.exact.surd import Exact
from combinat.language.hand import hand_from_cards, hand_from_roles, parse_roles_of_hand
from combinat.study import build_study
from combinat.verifier import UnreadableError, read, verify
from decks import Card, Composition, InputError, Rank, Shoe
from decks.cards import as_cards
from decks.errors import quote

if TYPE_CHECKING:
    from combinat.api.closed_form import ClosedForm
    from combinat.blackjack.rules import BlackjackRules
    from combinat.verifier import Verdict


def analyze(
    bet: BetLike,
    decks: int | Shoe | None = None,
    *,
    shoe: Shoe | None = None,
    removed: CardsLike = (),
    up: str | int | Rank | Card | None = None,
    meters: Meters | None = None,
    pays: Pays | None = None,
    hits_soft_17: bool | None = None,
    rules: BlackjackRules | Mapping[str, object] | None = None,
    strategy: str = "best",
) -> Result:
    """Compute the exact figures of a bet (an id, a file or a paytable) at a number of decks or a shoe.

    `removed` are cards out of the shoe, `up` is an exposed up card, `meters` are meter values, and `pays` override the
    pays of awards. `rules` are the blackjack rules of a parlay, `hits_soft_17` is the dealer's rule on soft 17.

    >>> result = analyze("TRI-03", decks=6)
    >>> result.house_edge, result["Flush"].ways
    (Fraction(2127, 48205), 292896)
    >>> result
    <TRI-03, 6 decks: house edge 4.4124%, hit frequency 9.6761%>
    >>> analyze("TRI-03", decks=6, pays={"Flush": 4})
    <TRI-03+Flush-4, 6 decks: house edge 10.2548%, hit frequency 9.6761%>
    """
    is_fixed_strategy = strategy != "best"
    paytable = apply_table_rules(load(bet, pays), hits_soft_17, up, has_rules=rules is not None or is_fixed_strategy)
    if is_fixed_strategy:
        check_strategy(strategy)
    resolved, amounts = shoe_for(paytable, decks, shoe, removed), meter_amounts(meters, paytable)
    table = table_rules(rules, hits_soft_17) if paytable.bet.option else None
    return Result(
        analyze_wager(paytable, resolved, amounts), partial(build_study, paytable, resolved, amounts, table, strategy)
    )


def apply_table_rules(
    paytable: Paytable, hits_soft_17: bool | None, up: str | int | Rank | Card | None, *, has_rules: bool = False
) -> Paytable:
    """Return the paytable under the soft-17 rule, conditioned on the up card if there is one."""
    if has_rules and not paytable.bet.option:
        raise InputError(f"the rules of blackjack do not matter to {paytable.id}: its winnings cannot ride on the hand")
    if hits_soft_17 is not None:
        check_rule("hits_soft_17", hits_soft_17, bool)
        paytable = apply_soft_17(paytable, "h17" if hits_soft_17 else "s17")
    if up is None:
        return paytable
    return condition_on_up_card(paytable, str(up.rank if isinstance(up, Card) else up))


class Odds(LikelihoodResult):
    """The odds of a rule: its ways among all hands, or among those that match the condition `given`."""

    def __init__(self, name: str, ways: int, cycle: int, given: str | None, shoe: Shoe) -> None:
        super().__init__(name, ways, cycle)
        self.rule = name
        self.given = given
        self.shoe = shoe


def odds(
    rule: str,
    deal: str = "player:2, up:1",
    decks: int | Shoe | None = None,
    *,
    given: str | None = None,
    shoe: Shoe | None = None,
    removed: CardsLike = (),
    pack: str = "standard",
) -> Odds:
    """Return the probability and odds of a rule for the cards of `deal`.

    >>> pair = odds("pair", "player:2", decks=1)
    >>> pair.probability, pair.ways
    (Fraction(1, 17), 78)
    """
    for text, label in ((rule, "rule"), (deal, "deal"), ("" if given is None else given, "condition")):
        if not isinstance(text, str):
            raise InputError(f"no {label} {quote(text)}; write it as a text, as in 'suited' and 'player:2, up:1'")
    resolved = shoe_argument(decks, shoe)
    if resolved is None:
        if not isinstance(decks, int):
            raise InputError(f"no deck count {decks!r}; say how many decks, as in decks=6")
        resolved = Shoe(decks, pack)
    resolved = remove_cards(resolved, removed)
    (rule_odds,) = count(rule, parse_deal(deal), [resolved], given)
    return Odds(rule_odds.rule, rule_odds.ways, rule_odds.cycle, rule_odds.given, resolved)


class Outcome(Struct, frozen=True):
    """A class of equivalent outcomes: a representative hand, the ways of the class, and its award."""

    hand: dict[str, tuple[Card, ...]]
    """The cards of each role; if roles do not matter, there is one role, `all cards`."""
    ways: int
    probability: Fraction
    award: str | None
    """The name of the award; `None` if the hand loses."""
    pays: str
    detail: str = ""
    """What else defines the class, such as the suit pattern of a finished hand."""

    def __repr__(self) -> str:
        hand = "; ".join(f"{role}: {' '.join(map(str, cards))}" for role, cards in self.hand.items())
        return f"<{hand}: {self.ways:,} ways, {self.award or 'no award'}>"


def outcomes(
    bet: BetLike, decks: int | Shoe | None = None, *, shoe: Shoe | None = None, removed: CardsLike = ()
) -> Iterator[Outcome]:
    """Iterate over all classes of outcomes of a bet; their ways add up to the cycle.

    >>> first = next(outcomes("TRI-03", decks=6))
    >>> first, first.probability
    (<all cards: Qc Kc Ac: 864 ways, Mini royal>, Fraction(108, 626665))
    """
    paytable = load(bet)
    return _outcomes(paytable, shoe_for(paytable, decks, shoe, removed))


def _outcomes(paytable: Paytable, resolved: Shoe) -> Iterator[Outcome]:
    cycle = analyze_wager(paytable, resolved).ways.cycle
    for outcome in paytable.experiment.outcomes(resolved.composition):
        award = None if outcome.award is None else paytable.awards[outcome.award]
        name, pays = (award.name, str(award.pay)) if award else (None, "loses")
        yield Outcome(dict(outcome.roles), outcome.ways, Exact(outcome.ways, cycle), name, pays, outcome.detail)


def closed_form(bet: BetLike) -> ClosedForm:
    """Return the ways, probabilities and house edge of a bet as sympy formulas in the number of decks, n.

    >>> form = closed_form("TRI-03")
    >>> form["Mini royal"].ways, form.at(6)
    (4*n**3, Fraction(2127, 48205))
    """
    from combinat.api.closed_form import ClosedForm  # it loads sympy

    return ClosedForm(load(bet))


def verify_sheet(sheet: str | PathLike[str] | Mapping[str, Any] | Any) -> Verdict:
    """Recount the bet of a par sheet with the independent verifier: a JSON file, its content, or a sheet object.

    The verdict has `agrees` and `differences`.
    """
    try:
        if isinstance(sheet, (str, PathLike)):
            return verify(read(Path(sheet)))
        if not isinstance(sheet, Mapping) and not hasattr(sheet, "payload"):
            raise InputError(f"no par sheet {quote(sheet)}; give a JSON file, what it holds, or a sheet as it was made")
        return verify(dict(sheet if isinstance(sheet, Mapping) else sheet.payload))
    except UnreadableError as error:
        raise InputError(f"{sheet if isinstance(sheet, (str, PathLike)) else 'the sheet'}: {error}") from None


def judge(
    bet: BetLike,
    hand: CardsLike | None = None,
    *,
    decks: int | Shoe | None = None,
    shoe: Shoe | None = None,
    removed: CardsLike = (),
    meters: Meters | None = None,
    hits_soft_17: bool | None = None,
    **roles: CardsLike,
) -> Judgement:
    """Evaluate one hand, with its cards in the order of the deal or by role.

    The default shoe is the largest that the paytable is designed for.

    >>> flush = judge("TRI-03", "As Ks 9s")
    >>> flush
    <As Ks 9s: Flush, pays 5 to 1>
    >>> str(flush.rulings[0].reasons[0])  # why it is no mini royal
    'not (ace, king and queen) (As Ks 9s)'
    >>> judge("TRI-03", player="As Ks", up="9h").award is None
    True
    """
    paytable = apply_table_rules(load(bet), hits_soft_17, None)
    resolved = shoe_for(paytable, max(paytable.decks) if decks is None and shoe is None else decks, shoe, removed)
    deal = paytable.bet.deal
    if isinstance(hand, str) and not roles:
        roles = dict(parse_roles_of_hand([hand], deal))
        hand = None if roles else hand
    if (hand is None) == (not roles):
        raise InputError(f"give a hand in the order of {deal}, or the cards of each role by its name")
    if roles:
        dealt = hand_from_roles(
            deal, {role: as_cards(cards) for role, cards in roles.items()}, paytable.ladder.all_rules
        )
    else:
        dealt = hand_from_cards(deal, as_cards(hand or ()))
    return judge_hand(paytable, dealt, resolved, meter_amounts(meters, paytable))


def house_edges(
    bet: BetLike, shoes: Iterable[Shoe | Composition], *, meters: Meters | None = None
) -> Iterator[Fraction]:
    """Iterate over the exact house edges of the wager alone at many shoes, thousands per second.

    A shoe is a `Shoe`, or a `Composition`: the number of each card, as seen by a card counter.

    >>> shoes = [Shoe(6, removed=cards) for cards in ("", "Kh Kd", "2c 2d 2h 2s")]
    >>> [f"{edge:.4%}" for edge in house_edges("TRI-03", shoes)]
    ['4.4124%', '4.2568%', '3.8662%']
    """
    paytable = load(bet)
    if not isinstance(shoes, Iterable):
        raise InputError(f"no shoes {quote(shoes)}; give a list of them, as in [Shoe(6, removed='Kh')]")
    return at_shoes(paytable, _compositions(paytable, shoes), meter_amounts(meters, paytable))


def _compositions(paytable: Paytable, shoes: Iterable[Shoe | Composition]) -> Iterator[Composition]:
    for item in shoes:
        if isinstance(item, Composition):
            yield item
        elif not isinstance(item, Shoe):
            raise InputError(f"no shoe {quote(item)}; give Shoes, as in [Shoe(6, removed='Kh')], or Compositions")
        else:
            check_shoe_pack(paytable.id, paytable.bet.pack, item)
            yield item.composition


class Blackjack:
    """A game of blackjack at a number of decks or a shoe, with default rules or some overridden by name.

    >>> game = Blackjack(decks=6, hits_soft_17=False)
    >>> game
    <Blackjack, 6 decks: dealer stands on soft 17, blackjack pays 3 to 2, double any two cards and after a split, \
split to 4 hands, split aces once with one card each, no surrender>
    >>> eleven = game.hand("6 5", up="6")
    >>> str(eleven.best), f"{eleven.value:.6f}"
    ('double', '0.682665')
    """

    def __init__(
        self,
        decks: int | Shoe | None = None,
        *,
        shoe: Shoe | None = None,
        removed: CardsLike = (),
        strategy: str = "best",
        **rules: object,
    ) -> None:
        resolved = shoe_argument(decks, shoe)
        if resolved is None:
            if decks is None or isinstance(decks, Shoe):
                raise InputError("say how many decks, as in Blackjack(decks=6)")
            resolved = Shoe(decks)
        self.shoe = remove_cards(resolved, removed)
        self.strategy = strategy
        self._game = Game(self.shoe, table_rules(rules, None), strategy)
        self.rules = self._game.rules

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Blackjack):
            return NotImplemented
        return (self.shoe, self.rules, self.strategy) == (other.shoe, other.rules, other.strategy)

    def __hash__(self) -> int:
        return hash((self.shoe, self.strategy))

    def __repr__(self) -> str:
        return f"<Blackjack, {self.shoe}: {self.rules}>"

    @cached_property
    def house_edge(self) -> Fraction:
        """The house edge per initial bet, without insurance; computing it takes some seconds."""
        return Exact(house_edge(self._game))

    def hand(self, hand: str, up: str | int | Card) -> HandValue:
        """Return the value of each action on a starting hand against an up card, given no dealer blackjack."""
        up_card = parse_up(str(up))
        first = parse_first_hand(text_argument(hand, "the hand"))
        result = Game(self.shoe, self.rules, self.strategy, ups=(up_card,)).hand(first, up_card)
        return HandValue(
            result.hand,
            result.up,
            Exact(result.chance),
            Exact(result.dealer_blackjack),
            {action: Exact(value) for action, value in result.values.items()},
            result.action,
            Exact(result.value),
        )
