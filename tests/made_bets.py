"""Paytables made of a few rules, for tests of several rooms."""

from combinat.bets.load import parse
from decks import InputError


def bet(deal, ladder, given="", id="B", pays=range(1, 9), unit="to 1", adds_up=False):
    """Make a paytable of rules, each with its pay."""
    awards = ",\n".join(
        f"{{ name = 'Award {number}', when = '{rule}', pays = '{pay} {unit}' }}"
        for number, (rule, pay) in enumerate(zip(ladder, pays, strict=False))
    )
    condition = f"given = '{given}'\n" if given else ""
    adding = "awards_add_up = true\n" if adds_up else ""
    text = (
        f"bet = '{id}'\ndeal = '{deal}'\n{condition}{adding}[[paytable]]\nid = '{id}'\ndecks = 1\nawards = [{awards}]\n"
    )
    found, problems = parse(text, f"{id}.toml")
    if problems:
        raise InputError(problems[0])
    return found[0]
