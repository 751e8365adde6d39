"""A bet on the dealer's hand seen from each up card, since it is made with the up card in view."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import compress

from msgspec import Struct
from msgspec.structs import replace

from combinat.analysis import Analysis
from combinat.deal import DRAWS, Deal
from combinat.dealer import TENS
from combinat.dealer_draw import DealerDraw
from combinat.grammar import parse_rule
from combinat.ladder import Ladder
from combinat.paytable import Paytable
from combinat.rules import Or, Rule
from combinat.tally import Tally
from decks import InputError, Pack, Rank, Shoe
from decks.cards import parse_rank


class UpCard(Struct, frozen=True):
    """The figures of a bet given one up card."""

    ranks: tuple[int, ...]
    probability: Fraction
    """How often the bet can be made with this up card."""
    bust: Fraction
    suited_bust: Fraction
    analysis: Analysis

    @property
    def name(self) -> str:
        """The up card as one says it.

        >>> name_of((10, 11, 12, 13)), name_of((14,))
        ('10, J, Q, K', 'A')
        """
        return name_of(self.ranks)


def name_of(ranks: tuple[int, ...]) -> str:
    """Name some ranks."""
    return ", ".join(str(Rank(rank)) for rank in ranks)


@lru_cache(maxsize=16)
def _busts(deal: Deal, pack: Pack, given: Rule | None, tens_apart: bool) -> DealerDraw:
    if given is None or given.roles.isdisjoint(role for role, _ in deal.roles):
        # Cards that nobody asks about are like cards that stay in the shoe, so they need not be dealt.
        deal = replace(deal, roles=())
        given = given and parse_rule(given.text, deal)
    rules = tuple(parse_rule(text, deal) for text in ("dealer.bust and dealer.suited", "dealer.bust"))
    return DealerDraw(deal, pack, Ladder(rules, given), tens_apart)


def bust_tallies(paytable: Paytable) -> dict[tuple[int, ...], Tally]:
    """Enumerate suited busts and other busts for each up card, under the bet's own condition."""
    return _busts(paytable.bet.deal, paytable.bet.pack, paytable.bet.given, tens_apart=False).tally_by_up_card()


def up_cards(paytable: Paytable, shoe: Shoe, meters: Mapping[str, Fraction] | None = None) -> tuple[UpCard, ...]:
    """Analyze a bet on the dealer's finished hand for each up card.

    >>> from combinat.finding import find
    >>> [one.name for one in up_cards(find("BB-1"), Shoe(6)) if one.bust > Fraction(2, 5)]
    ['5', '6']
    """
    draw = paytable.experiment
    if not isinstance(draw, DealerDraw):
        return ()
    if any(card.rank in TENS for card in shoe.removed):
        # One card worth ten is then not like another: the suits that go with it are other ones.
        draw = replace(draw, tens_apart=True)
    apart = not any(len(letter) > 1 for letter in draw.table.letters)
    busts = _busts(paytable.bet.deal, paytable.bet.pack, paytable.bet.given, apart)
    if shoe.is_full:
        ways = {ranks: tally.at(shoe.decks) for ranks, tally in draw.tally_by_up_card().items()}
        busting = {ranks: tally.at(shoe.decks) for ranks, tally in busts.tally_by_up_card().items()}
    else:
        ways = draw.weigh_by_up_card(shoe.composition)
        busting = busts.weigh_by_up_card(shoe.composition)
    every = sum(one.cycle for one in ways.values())
    found = []
    for ranks, own in ways.items():
        if not own.cycle:
            continue  # no such card is left, or the condition rules it out
        of_bust = busting[ranks]
        suited, other = of_bust.takes
        found.append(
            UpCard(
                ranks=ranks,
                probability=Fraction(own.cycle, every),
                bust=Fraction(suited + other, of_bust.cycle),
                suited_bust=Fraction(suited, of_bust.cycle),
                analysis=Analysis(paytable, shoe, own, dict(meters or {})),
            )
        )
    return tuple(found)


class Selection(Struct, frozen=True):
    """Betting only when one of the best up cards shows."""

    up_cards: tuple[UpCard, ...]

    @property
    def share(self) -> Fraction:
        """In what part of the rounds the bet is then made."""
        return sum((one.probability for one in self.up_cards), Fraction(0))

    @property
    def house_edge(self) -> Fraction:
        """The edge over the bets that are made."""
        lost = sum((one.probability * one.analysis.house_edge.constant for one in self.up_cards), Fraction(0))
        return lost / self.share


def best_selections(found: tuple[UpCard, ...]) -> tuple[Selection, ...]:
    """List what comes of betting on the best up card only, on the best two, and so on to all of them."""
    ranked = sorted(found, key=lambda one: one.analysis.house_edge.constant)
    return tuple(Selection(tuple(ranked[:many])) for many in range(1, len(ranked) + 1))


def with_soft_17(paytable: Paytable, draw: str) -> Paytable:
    """Give the paytable with the dealer hitting soft 17 (`h17`) or standing on it (`s17`)."""
    deal = paytable.bet.deal
    if not deal.draw:
        raise InputError(f"{paytable.id} does not look at the dealer's finished hand; soft 17 does not matter to it")
    if deal.draw == draw:
        return paytable
    return replace(
        paytable,
        bet=replace(paytable.bet, deal=replace(deal, draw=draw)),
        title=f"{paytable.title}, if the dealer {DRAWS[draw]}",
    )


def given_up(paytable: Paytable, text: str) -> Paytable:
    """Give the paytable as it stands once the up card is seen, with the awards that are then possible.

    What is published, another reading and how the meters run are about the whole bet, so they are left behind.
    """
    rank = parse_rank(text)
    bet = paytable.bet
    if len(bet.deal.groups.get("up", ())) != 1:
        raise InputError(f"{paytable.id} has no up card: its cards are {bet.deal}")
    if rank not in bet.pack.ranks:
        raise InputError(f"{paytable.id} is dealt from {bet.pack.name.capitalize()} decks, which have no {rank}")
    condition = f"up.has({rank})"
    if bet.given is not None:
        before = f"({bet.given})" if isinstance(bet.given.fact, Or) else str(bet.given)
        condition = f"{before} and {condition}"
    narrowed = replace(
        paytable,
        bet=replace(
            bet, given=parse_rule(condition, bet.deal), apart=None
        ),  # the condition tells the up card from the others
        title=f"{paytable.title}, given {rank} up",
        up=rank,
        published=(),
        other_reading=None,
        systems=(),
    )
    possible = tuple(compress(narrowed.awards, narrowed.experiment.winnable()))
    return replace(narrowed, awards=possible or narrowed.awards)
