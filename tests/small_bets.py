"""Paytables of a few rules and shoes of a few cards."""

from combinat.bets.load import parse_bet
from decks import Card, InputError, Shoe
from decks.shoe import find_pack


def build_paytable(deal, ladder, given="", id="B", pays=range(1, 9), unit="to 1", adds_up=False, pack="standard"):
    """Return a paytable of rules, each with its pay."""
    awards = ",\n".join(
        f"{{ name = 'Award {number}', when = '{rule}', pays = '{pay} {unit}' }}"
        for number, (rule, pay) in enumerate(zip(ladder, pays, strict=False))
    )
    condition = f"given = '{given}'\n" if given else ""
    adding = ('settlement = "all matches"\n' if adds_up else "") + (f"pack = '{pack}'\n" if pack != "standard" else "")
    text = (
        f"bet = '{id}'\ndeal = '{deal}'\n{condition}{adding}[[paytable]]\nid = '{id}'\ndecks = 1\nawards = [{awards}]\n"
    )
    found, problems = parse_bet(text, f"{id}.toml")
    if problems:
        raise InputError(problems[0])
    return found[0]


def parse_paytable(text):
    """Return the one paytable of a file's text."""
    ((paytable,), problems) = parse_bet(text, "small.toml")
    assert problems == ()
    return paytable


def build_shoe(text, pack="standard"):
    """Return a shoe of exactly these cards, and the cards."""
    cards = [Card(one) for one in text.split()]
    decks = max(cards.count(card) for card in cards)
    named = find_pack(pack) if isinstance(pack, str) else pack
    removed = [card for card, _ in named.composition for _ in range(decks - cards.count(card))]
    return Shoe(decks, named, removed), cards
