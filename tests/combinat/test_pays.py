"""Other pays without a file: how they are read, and what a variant is called."""

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


@pytest.mark.parametrize(("said", "meant"), FORMS.items())
def test_a_pay_may_be_written_in_every_form(said, meant):
    assert parse_pay_overrides(get_paytable("TRI-03"), f"Flush={said}") == {"Flush": parse_pay(meant)}


def test_a_bare_number_is_in_the_unit_of_the_award():
    assert str(parse_pay_overrides(get_paytable("BLZ-1-UP"), "Three 7s=300")["Three 7s"]) == "300 for 1"


@given(st.data())
@tries(100)
def test_names_and_pays_are_parted_whatever_commas_they_have(data):
    paytable = get_paytable(
        data.draw(st.sampled_from(["TRI-03", "BLZ-ML03-UP", "21+3-PT5", "KINGS-BOUNTY-6D", "BUST-BONUS"]))
    )
    names = data.draw(st.lists(st.sampled_from([one.name for one in paytable.awards]), min_size=1, unique=True))
    forms = ["1,000 to 1", "7:2", "2,500 for 1", "even money", "push", "2.5 to 1"]
    wanted = {name: data.draw(st.sampled_from(forms)) for name in names}
    between = data.draw(st.sampled_from([", ", ",", "; ", " , "]))
    text = between.join(f"{name.upper()} = {said}" for name, said in wanted.items())
    assert parse_pay_overrides(paytable, text) == {name: parse_pay(said) for name, said in wanted.items()}
    assert parse_pay_overrides(paytable, wanted) == {name: parse_pay(said) for name, said in wanted.items()}
    variant = override_pays(paytable, text)
    assert {one.name: one.pay for one in variant.awards if one.name in wanted} == parse_pay_overrides(paytable, wanted)
    unchanged = [(one.name, one.pay) for one in paytable.awards if one.name not in wanted]
    assert [(one.name, one.pay) for one in variant.awards if one.name not in wanted] == unchanged


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Flush=6, Strait=9", "TRI-03 has no award 'Strait'; did you mean 'Straight'?"),
        ("Zebra=9", "no award 'Zebra'; its awards are Mini royal, Straight flush"),
        ("Flush=six", "Flush: cannot read the pay 'six'"),
        ("Flush=-3", "the pay '-3' is negative"),
        ("Flush=6, flush=7", "'Flush' is given twice"),
        ("Flush=2,000,000", "more than 1,000,000 to 1"),
        ("Flush", 'write pays as "Flush=6, Straight=9 to 1"'),
        ("", "cannot read the pays ''"),
        ("Flush=", "no pay for 'Flush'"),
        ("=6", "cannot read the pays '=6'"),
        ("Flush=6 Straight=9", "cannot read the pays"),
        ("Flush=6=7", "cannot read the pays"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(text, said):
    with pytest.raises(InputError, match=re.escape(said)):
        override_pays(get_paytable("TRI-03"), text)


def test_a_number_for_an_award_of_a_meter_is_refused_with_what_to_write():
    with pytest.raises(InputError, match="pays 100% of meter; write '500 to 1', '500 for 1' or a part of the meter"):
        override_pays(get_paytable("BLZ-2-UP"), "Three 7s, diamonds=500")


def test_a_variant_is_marked_by_its_id_its_title_its_notes_and_its_file():
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
    assert variant.experiment == paytable.experiment


def test_long_changes_have_a_fingerprint_for_a_name_and_differ():
    paytable = get_paytable("KINGS-BOUNTY-6D")
    one, two = (override_pays(paytable, f"King of spades pair with dealer blackjack={pay}") for pay in (900, 901))
    assert one.id != two.id
    assert re.fullmatch(r"KINGS-BOUNTY-6D\+1-pay-[0-9a-f]{8}", one.id)
    assert len(one.title) <= 80


def test_a_pay_that_is_no_finite_decimal_reads_back():
    assert override_pays(get_paytable("TRI-03"), "Flush=1 to 3").awards[-1].pay == parse_pay("1 to 3")


def test_an_award_that_leaves_its_meter_takes_it_out_of_the_file():
    variant = override_pays(get_paytable("SOB-EXAMPLE"), "Suited Wheel=500 to 1")
    assert (variant.meters, variant.systems) == ((), ())


def test_pays_of_awards_that_add_up_and_of_wheels_are_altered_where_they_are_stated():
    match = override_pays(get_paytable("MATCH-THE-DEALER-4-19"), "suited match=11")
    assert [str(one.pay) for one in match.parts] == ["11 to 1", "4 to 1"]
    assert max(one.pay.gross.constant for one in match.awards) == 23
    dice = override_pays(get_paytable("NEXT-STEP"), "Blackjack=2 to 1")
    assert dice.parts[2].pay.prizes[0][0] == 100


def test_pays_are_tried_on_those_that_have_the_award():
    both = [get_paytable("TRI-03"), get_paytable("SUP-01")]
    (variants, untouched), words = pay_variants(both, ["Flush=6", "Flush=4"])
    assert [one.id for one in variants] == ["TRI-03+Flush-6", "TRI-03+Flush-4"]
    assert untouched == [both[1]]
    assert words == ["SUP-01 has no such award, so its pays stand as they are"]
    (beside, _), _ = pay_variants(both, ["Flush=6"], beside=True)
    assert [one.id for one in beside] == ["TRI-03", "TRI-03+Flush-6"]
    with pytest.raises(InputError, match="no award 'Zebra'"):
        pay_variants(both, ["Zebra=4"])
    assert find_variant("TRI-03+Flush-6", both, ["Flush=4", "Flush=6"]) == variants[0]


def test_a_copy_of_a_variant_pays_as_the_variant_does():
    variant = override_pays(get_paytable("TRI-03"), "Flush=6")
    assert parse_single_paytable(export_toml(variant), "mine.toml").awards == variant.awards


@pytest.mark.parametrize(("id", "award", "unit"), [("TRI-03", "Flush", "to"), ("BLZ-1-UP", "Three 7s", "for")])
@pytest.mark.parametrize("pay", [Fraction(9, 2), Fraction(13, 3), Fraction(4), 4])
def test_python_takes_a_fraction_in_the_unit_of_the_award(id, award, unit, pay):
    wanted = parse_pay(f"{Fraction(pay).numerator} {unit} {Fraction(pay).denominator}")
    assert parse_pay_overrides(get_paytable(id), {award: pay}) == {award: wanted}


def test_python_is_told_how_to_write_a_fraction_in_the_place_of_a_meter():
    with pytest.raises(InputError, match="write '3 to 2', '3 for 2' or a part of the meter"):
        parse_pay_overrides(get_paytable("BLZ-1-UP"), {"Three 7s, suited": Fraction(3, 2)})


def test_python_takes_pays_by_name_or_as_text():
    one, two = analyze("TRI-03", decks=6, pays={"Flush": "6 to 1"}), analyze("TRI-03", decks=6, pays="flush=6")
    assert one.house_edge == two.house_edge < analyze("TRI-03", decks=6).house_edge
