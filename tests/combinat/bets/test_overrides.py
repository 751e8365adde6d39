"""Pay overrides: how they are parsed and how the variant is named."""

import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat import analyze
from combinat.bets.catalog import get_paytable
from combinat.bets.export import export_toml, parse_single_paytable
from combinat.bets.overrides import find_variant, override_pays, parse_pay_overrides, pay_variants
from combinat.bets.pay import parse_pay
from decks import InputError
from tests.profiles import tries

FORMS = {
    "6": "6 to 1",
    "6:1": "6 to 1",
    "6 to 1": "6 to 1",
    "6 for 1": "6 for 1",
    "even money": "1 to 1",
    "3:2": "3 to 2",
}


@pytest.mark.parametrize(("message", "meant"), FORMS.items())
def test_pay_has_several_spellings(message, meant):
    assert parse_pay_overrides(get_paytable("TRI-03"), f"Flush={message}") == {"Flush": parse_pay(meant)}


def test_bare_number_uses_the_unit_of_the_award():
    assert str(parse_pay_overrides(get_paytable("BLZ-1-UP"), "Three 7s=300")["Three 7s"]) == "300 for 1"


@given(st.data())
@tries(100)
def test_commas_in_names_and_pays_are_handled(data):
    paytable = get_paytable(
        data.draw(st.sampled_from(["TRI-03", "BLZ-ML03-UP", "21+3-PT5", "KINGS-BOUNTY-6D", "BUST-BONUS"]))
    )
    names = data.draw(st.lists(st.sampled_from([award.name for award in paytable.awards]), min_size=1, unique=True))
    forms = ["1,000 to 1", "7:2", "2,500 for 1", "even money", "push", "2.5 to 1"]
    required = {name: data.draw(st.sampled_from(forms)) for name in names}
    between = data.draw(st.sampled_from([", ", ",", "; ", " , "]))
    text = between.join(f"{name.upper()} = {message}" for name, message in required.items())
    assert parse_pay_overrides(paytable, text) == {name: parse_pay(message) for name, message in required.items()}
    assert parse_pay_overrides(paytable, required) == {name: parse_pay(message) for name, message in required.items()}
    variant = override_pays(paytable, text)
    assert {award.name: award.pay for award in variant.awards if award.name in required} == parse_pay_overrides(
        paytable, required
    )
    unchanged = [(award.name, award.pay) for award in paytable.awards if award.name not in required]
    assert [(award.name, award.pay) for award in variant.awards if award.name not in required] == unchanged


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Flush=6, Strait=9", "TRI-03 has no award 'Strait'; did you mean 'Straight'?"),
        ("Zebra=9", "no award 'Zebra'; its awards are Mini royal, Straight flush"),
        ("Flush=six", "Flush: cannot read the pay 'six'"),
        ("Flush=-3", "the pay '-3' is negative"),
        ("Flush=6, flush=7", "'Flush' is given twice"),
        ("Flush=2,000,000", "at most 1,000,000 to 1"),
        ("Flush", 'write pays as "Flush=6, Straight=9 to 1"'),
        ("", "cannot read the pays ''"),
        ("Flush=", "no pay for 'Flush'"),
        ("=6", "cannot read the pays '=6'"),
        ("Flush=6 Straight=9", "cannot read the pays"),
        ("Flush=6=7", "cannot read the pays"),
    ],
)
def test_malformed_pays_are_refused(text, message):
    with pytest.raises(InputError, match=re.escape(message)):
        override_pays(get_paytable("TRI-03"), text)


def test_bare_number_for_a_meter_award_is_refused():
    with pytest.raises(InputError, match="pays 100% of meter; write '500 to 1', '500 for 1' or a share of the meter"):
        override_pays(get_paytable("BLZ-2-UP"), "Three 7s, diamonds=500")


def test_variant_is_marked_in_id_title_notes_and_file():
    paytable = get_paytable("TRI-03")
    variant = override_pays(paytable, "flush=6, Straight=9:1")
    assert variant.id == "TRI-03+Flush-6+Straight-9"
    assert variant.title == "TriLux Bonus TRI-03, Flush 6 to 1, Straight 9 to 1"
    assert (
        variant.notes[0] == "A variant of TRI-03: Flush 6 to 1 instead of 5 to 1, Straight 9 to 1 instead of 10 to 1."
    )
    assert variant.published == ()
    assert variant.bet.file != paytable.bet.file
    assert parse_single_paytable(variant.bet.file, "mine.toml").awards == variant.awards
    assert all(source.startswith("Based on TRI-03: ") for source in variant.bet.sources)
    assert variant.ladder == paytable.ladder


def test_long_overrides_are_named_by_a_fingerprint():
    paytable = get_paytable("KINGS-BOUNTY-6D")
    first, two = (override_pays(paytable, f"King of spades pair with dealer blackjack={pay}") for pay in (900, 901))
    assert first.id != two.id
    assert re.fullmatch(r"KINGS-BOUNTY-6D\+1-pay-[0-9a-f]{8}", first.id)
    assert len(first.title) <= 80


def test_repeating_decimal_pay_is_exact():
    assert override_pays(get_paytable("TRI-03"), "Flush=1 to 3").awards[-1].pay == parse_pay("1 to 3")


def test_overridden_meter_award_removes_the_meter():
    variant = override_pays(get_paytable("SOB-EXAMPLE"), "Suited Wheel=500 to 1")
    assert (variant.meters, variant.systems) == ((), ())


def test_overrides_apply_to_sums_and_wheels():
    match = override_pays(get_paytable("MATCH-THE-DEALER-4-19"), "suited match=11")
    assert [str(stated_award.pay) for stated_award in match.stated_awards] == ["11 to 1", "4 to 1"]
    assert max(award.pay.gross.constant for award in match.awards) == 23
    dice = override_pays(get_paytable("NEXT-STEP"), "Blackjack=2 to 1")
    assert dice.stated_awards[2].pay.prizes[0][0] == 100


def test_override_skips_paytables_without_the_award():
    both = [get_paytable("TRI-03"), get_paytable("SUP-01")]
    (variants, untouched), words = pay_variants(both, ["Flush=6", "Flush=4"])
    assert [variant.id for variant in variants] == ["TRI-03+Flush-6", "TRI-03+Flush-4"]
    assert untouched == [both[1]]
    assert words == ["SUP-01 has no such award, so its pays are unchanged"]
    (beside, _), _ = pay_variants(both, ["Flush=6"], with_original=True)
    assert [one.id for one in beside] == ["TRI-03", "TRI-03+Flush-6"]
    with pytest.raises(InputError, match="no award 'Zebra'"):
        pay_variants(both, ["Zebra=4"])
    assert find_variant("TRI-03+Flush-6", both, ["Flush=4", "Flush=6"]) == variants[0]


def test_copy_of_a_variant_has_its_pays():
    variant = override_pays(get_paytable("TRI-03"), "Flush=6")
    assert parse_single_paytable(export_toml(variant), "mine.toml").awards == variant.awards


@pytest.mark.parametrize(("id", "award", "unit"), [("TRI-03", "Flush", "to"), ("BLZ-1-UP", "Three 7s", "for")])
@pytest.mark.parametrize("pay", [Fraction(9, 2), Fraction(13, 3), Fraction(4), 4])
def test_python_fraction_uses_the_unit_of_the_award(id, award, unit, pay):
    required = parse_pay(f"{Fraction(pay).numerator} {unit} {Fraction(pay).denominator}")
    assert parse_pay_overrides(get_paytable(id), {award: pay}) == {award: required}


def test_python_fraction_for_a_meter_award_is_refused():
    with pytest.raises(InputError, match="write '3 to 2', '3 for 2' or a share of the meter"):
        parse_pay_overrides(get_paytable("BLZ-1-UP"), {"Three 7s, suited": Fraction(3, 2)})


def test_python_accepts_a_dict_or_text():
    from_dict, from_text = (
        analyze("TRI-03", decks=6, pays={"Flush": "6 to 1"}),
        analyze("TRI-03", decks=6, pays="flush=6"),
    )
    assert from_dict.house_edge == from_text.house_edge < analyze("TRI-03", decks=6).house_edge
