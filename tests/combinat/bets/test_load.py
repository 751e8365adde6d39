import os
import tomllib
from fractions import Fraction
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat.bets.catalog import collection_files, get_paytable, iter_collection, resolve_paytables
from combinat.bets.load import load_bet, parse_bet
from combinat.bets.pay import parse_pay
from combinat.bets.schema import MAX_BYTES, OLD_KEYS, BetFields, PaytableFields, explain_validation_error
from decks import InputError
from decks.cards import ALL_CARDS
from tests.bet_text import VALID_BET
from tests.profiles import tries


def problems(text):
    return parse_bet(text, "mine.toml")[1]


def test_valid_file_is_loaded():
    (paytable,), result = parse_bet(VALID_BET, "mine.toml")
    assert result == ()
    assert (paytable.id, paytable.title, paytable.decks, paytable.roles_distinct) == (
        "MINE",
        "My bet MINE",
        (6, 8),
        True,
    )
    assert [(award.name, str(award.pay)) for award in paytable.awards] == [
        ("Flush", "5 to 1"),
        ("Two sevens", "2.5 for 1"),
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"My bet"', '"My bet', "not closed"),
        ("deal =", "dael =", "unknown key 'dael'; did you mean 'deal'?"),
        ("decks =", "dekcs =", "paytable 'MINE': unknown key 'dekcs'; did you mean 'decks'?"),
        ('pays = "5 to 1"', 'payz = "5 to 1"', "paytable 'MINE': award 1: unknown key 'payz'; did you mean 'pays'?"),
        (
            "suited",
            "siuted",
            "hand 'Flush': unknown word 'siuted' in the rule 'siuted' at column 1",
        ),
        ("player.7-7", "player.__class__", "award 2: cannot read '__class__'"),
        ("player.7-7", "exec(up)", "award 2: unknown word 'exec'"),
        (', pays = "5 to 1"', "", "award 1: the key 'pays' is missing"),
        ('"5 to 1"', "5", "award 1: the pay '5' lacks its unit; write '5 to 1' or '5 for 1'"),
        ('"5 to 1"', "5.5", "award 1: the pay '5.5' lacks its unit"),
        ('"5 to 1"', "true", "award 1: the pay must be text"),
        ('"5 to 1"', "[5]", "award 1: the pay must be text"),
        ('"5 to 1"', '"-5 to 1"', "award 1: the pay '-5 to 1' is negative"),
        ('"5 to 1"', '"5000000 to 1"', "award 1: the pay '5000000 to 1'"),
        ('"5 to 1"', '"five to one"', "award 1: cannot read the pay 'five to one'"),
        ('"5 to 1"', '"5 to 0"', "award 1: cannot read the pay '5 to 0'"),
        ('"5 to 1"', '"120% of meter"', "100% of a meter"),
        ('"5 to 1"', '"0% of meter"', "100% of a meter"),
        ('hand = "Flush"', 'hand = "Flsh"', "award 1: unknown hand 'Flsh'; did you mean 'Flush'?"),
        ('hand = "Flush", ', "", "award 1: write one of these: 'hand'"),
        ('name = "Two sevens", ', "", "award 2: the award has a rule but no name"),
        ('"Two sevens"', '"Flush"', "the award name 'Flush' is used 2 times"),
        ('"6, 8"', '"0"', "got 0"),
        ('"6, 8"', "0", "got 0"),
        ('"6, 8"', "2.5", "deck count '2.5'"),
        ('"6, 8"', '"six"', "deck count 'six'"),
        ('"6, 8"', "1000000", "got 1000000"),
        ('"6, 8"', "[]", "the list is empty"),
        ('"6, 8"', "[6, true]", "decks"),
        ('"MINE"', '"../../etc"', "an id must be 1 to 40 letters"),
        ('"MINE"', '""', "an id must be 1 to 40 letters"),
        ('"MINE"', "7", "paytable 1: id: must be text in quotes, got a whole number"),
        ('"player:2, up:1"', '"player:9"', "deal: the deal 'player:9' has 9 cards"),
        ('bet = "My bet"', 'bet = "My bet"\npack = "pinochle"', "pack: unknown pack 'pinochle'"),
        ('bet = "My bet"', 'bet = "My bet"\nordered_by_role = false', "the role 'player'"),
        (
            'bet = "My bet"',
            'bet = "My bet"\ngiven = "up.has(7)"\nordered_by_role = false',
            "given: it names the role 'up'",
        ),
        ('bet = "My bet"', 'bet = ""', "bet '' must be 1 to 80 printable characters"),
        ("[[paytable]]", "[paytable]", "paytable: must be a list, got a table"),
    ],
)
def test_mistake_is_one_line_with_its_line_number(old, new, message):
    assert old in VALID_BET
    result = problems(VALID_BET.replace(old, new, 1))
    assert any(message in line for line in result), result
    assert all(line.startswith("mine.toml: ") and "\n" not in line for line in result)


def test_all_mistakes_of_a_file_are_reported():
    text = VALID_BET.replace("suited", "siuted").replace("2.5 for 1", "nothing").replace("6, 8", "0")
    assert len(problems(text)) == 3


def test_duplicate_ids_are_refused():
    text = VALID_BET + VALID_BET.partition("[hands]")[2].partition("\n")[2].partition("\n")[2]
    assert "the id 'MINE' is used 2 times" in problems(text)[0]


@pytest.mark.parametrize(
    "text",
    ["a=" + "[" * 5000, "a." * 3000 + "b=1", "x = 1" + "0" * 5000, "bet = 1979-05-27", "", "paytable = []", "\ufeff"],
)
def test_unusual_toml_is_refused(text):
    result = problems(text)
    assert result
    assert all("\n" not in line and len(line) <= 600 for line in result)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda path: path.mkdir(), "this is a folder"),
        (lambda path: path.write_bytes(b"\x00\x01\x02"), "not text: byte 1"),
        (lambda path: path.write_bytes(b"bet = '\xff\xfe'"), "not text: byte 8"),
        (lambda path: path.write_bytes(b"#" * 50_000_000), f"at most {MAX_BYTES:,}"),
        (lambda path: os.mkfifo(path), "not an ordinary file"),
        (lambda _path: None, "there is no such file"),
    ],
    ids=["directory", "binary", "latin", "50 MB", "pipe", "missing"],
)
def test_file_without_a_bet_is_refused(tmp_path, make, message):
    path = tmp_path / "mine.toml"
    make(path)
    with pytest.raises(InputError, match=message):
        load_bet(path)


def test_missing_file_suggests_a_similar_name(tmp_path):
    (tmp_path / "mine.toml").write_text(VALID_BET)
    with pytest.raises(InputError, match=r"did you mean 'mine\.toml'"):
        load_bet(tmp_path / "mime.toml")


def test_colon_selects_a_paytable_of_a_file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(VALID_BET)
    assert resolve_paytables(f"{path}:mine")[0].id == "MINE"
    with pytest.raises(InputError, match="unknown paytable 'OTHER'; the file has MINE"):
        resolve_paytables(f"{path}:OTHER")


def test_unknown_id_suggests_a_similar_one():
    for wrong, hint in [("TRI-O3", "TRI-03"), ("PT1", "21+3-PT1"), ("BLZ", "BLZ-1-"), ("zzzzz", "combinat list")]:
        with pytest.raises(InputError, match=hint.replace("+", r"\+")):
            get_paytable(wrong)


def test_catalog_has_every_paytable_once():
    expected = {"TRILXDLX-01", "TRI-01", "TRI-02", "TRI-03", "TRI-04", "SUP-01", "TBJ-06-2020", "TBJ-06-2024"}
    expected |= {f"BLZ-{name}-{end}" for name in ("1", "2", "ML03", "ML04") for end in ("UP", "PC", "PC-PEEK")}
    expected |= {"HM-1", "HM-2", "BN9-EXAMPLE", "SOB-EXAMPLE", "L9", "L9-MAKER", "L9-TIE"}
    expected |= {f"21+3-PT{number}" for number in range(1, 12)} | {"BB-1", "BB-2"}
    ids = [paytable.id for paytable in iter_collection()]
    assert len(ids) == len(set(ids))
    assert set(ids) == expected
    assert all(paytable.bet.sources and paytable.decks for paytable in iter_collection())
    assert [paytable.id for paytable in iter_collection() if paytable.is_example] == ["BN9-EXAMPLE", "SOB-EXAMPLE"]
    assert get_paytable("SUP-01").requires == "TriLux Bonus"


def test_catalog_has_no_floats():
    def floats(value):
        if isinstance(value, dict):
            return any(map(floats, value.values()))
        return any(map(floats, value)) if isinstance(value, list) else isinstance(value, float)

    assert not any(floats(tomllib.loads(path.read_text(encoding="utf-8"))) for path in collection_files())


@pytest.mark.parametrize(
    ("text", "gross", "printed"),
    [
        ("2.5 to 1", Fraction(7, 2), "2.5 to 1"),
        ("9-to-1", 10, "9 to 1"),
        ("3 to 2", Fraction(5, 2), "1.5 to 1"),
        ("200 for 1", 200, "200 for 1"),
        ("2,000 for 1", 2000, "2,000 for 1"),
        ("0.5 for 1", Fraction(1, 2), "0.5 for 1"),
        ("push", 1, "push"),
        ("0 to 1", 1, "push"),
        ("loses", 0, "loses"),
        ("0 for 1", 0, "loses"),
        ("2 to 3", Fraction(5, 3), "2/3 to 1"),
    ],
)
def test_fixed_pay_is_exact(text, gross, printed):
    assert parse_pay(text).gross == gross
    assert str(parse_pay(text)) == printed
    assert parse_pay(text).net == gross - 1


@pytest.mark.parametrize(
    ("text", "meter"),
    [
        ("100%", "meter"),
        ("10% of Mega", "Mega"),
        ("100 % of the meter", "meter"),
        ("100% of Mega-meter", "Mega"),
        ("100%-of-the-MEGA", "MEGA"),
    ],
)
def test_share_of_a_meter_is_parsed(text, meter):
    pay = parse_pay(text)
    assert pay.meter == meter
    assert pay.gross.coefficient(meter) == pay.amount


@given(st.text(max_size=70))
def test_any_text_is_a_pay_or_refused(text):
    try:
        assert parse_pay(text).amount >= 0
    except InputError as error:
        assert "\n" not in str(error)


PAY_WORDS = [
    "100",
    "%",
    "of",
    "the",
    "meter",
    "Mega",
    "-",
    "-x",
    "x-y",
    "to",
    "for",
    "1",
    "0",
    ".5",
    "5.",
    "1,000",
    "1,5",
]


@given(st.lists(st.sampled_from([*PAY_WORDS, "push", "loses", "/", "2", "½", "٣"]), max_size=6), st.booleans())
@tries(400)
def test_any_words_are_a_pay_or_refused(words, spaced):
    text = (" " if spaced else "").join(words)
    try:
        pay = parse_pay(text)
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert pay.meter in (None, "meter") or pay.meter in text


@pytest.mark.parametrize(
    "text", ["1,5 to 1", "1,50 to 1", "1,0000 to 1", ",5 to 1", "1 to 1,5", "5, to 1", "12,34.5 to 1"]
)
def test_misplaced_comma_is_refused(text):
    # With a decimal comma, 1,5 is one and a half, not fifteen.
    with pytest.raises(InputError, match="cannot read the pay"):
        parse_pay(text)


def test_thousands_separators_are_accepted():
    assert parse_pay("1,000,000 to 1,000").amount == 1000


LINES = VALID_BET.strip().splitlines()


@given(
    st.lists(
        st.tuples(st.integers(0, len(VALID_BET)), st.text(max_size=4) | st.sampled_from(list("[]{}=\"'\n,.0"))),
        max_size=6,
    ),
    st.permutations(LINES) | st.just(LINES),
)
@tries(400)
def test_corrupted_file_loads_or_is_refused(edits, lines):
    text = "\n".join(lines)
    for at, piece in edits:
        text = text[:at] + piece + text[at + len(piece) :]
    paytables, result = parse_bet(text, "mine.toml")
    assert paytables or result
    assert all("\n" not in line and len(line) <= 600 for line in result)


def test_expensive_ladder_is_refused():
    # Shared parts of rules are counted once, so each award names different cards.
    cards = [", ".join(map(str, Random(number).sample(ALL_CARDS, 4))) for number in range(350)]
    rules = [
        " or ".join(f"{role}.has({card})" for card in cards[7 * n : 7 * n + 7] for role in "abcde") for n in range(50)
    ]
    awards = "\n".join(f'{{ name = "A{n}", when = "{rule}", pays = "1 to 1" }},' for n, rule in enumerate(rules))
    text = f'bet = "B"\ndeal = "a:1, b:1, c:1, d:1, e:1"\n[[paytable]]\nid = "B"\ndecks = 6\nawards = [{awards}]'
    (paytable,), result = parse_bet(text, "mine.toml")
    assert result == ()
    with pytest.raises(InputError, match="too long to be counted over 5 cards"):
        _ = paytable.tally


def test_catalog_files_are_small_and_named_in_lower_case():
    assert all(
        path.name == path.name.lower() and path.stat().st_size < MAX_BYTES for path in map(Path, collection_files())
    )


@pytest.mark.parametrize(("text", "paid"), [("9:1", "9 to 1"), ("3:2", "1.5 to 1"), ("1,000 : 1", "1,000 to 1")])
def test_colon_means_to(text, paid):
    assert parse_pay(text) == parse_pay(paid)


@pytest.mark.parametrize("text", ["9:0", "9:", ":1", "9:1:1", "9 to :1", "x:1"])
def test_colon_needs_two_numbers(text):
    with pytest.raises(InputError, match="pay"):
        parse_pay(text)


@pytest.mark.parametrize("text", ["even money", "Even  Money", "evens"])
def test_even_money_is_one_to_one(text):
    assert parse_pay(text) == parse_pay("1 to 1")


@pytest.mark.parametrize(("text", "paid"), [("9/1", "9 to 1"), ("3/2", "3 to 2"), ("9-1", "9 to 1")])
def test_ambiguous_odds_suggest_to_1_and_for_1(text, paid):
    with pytest.raises(InputError, match=f"'{paid}'.*'{paid.replace('to', 'for')}'"):
        parse_pay(text)


@pytest.mark.parametrize(("old_key", "advice"), OLD_KEYS.items())
def test_old_key_names_its_successor(old_key, advice):
    message = explain_validation_error(f"Object contains unknown field `{old_key}`", {})
    assert f"'{old_key}'" in message
    assert advice in message
    key = advice.partition(" ")[0]
    assert any(key in {field.name for field in msgspec.structs.fields(table)} for table in (BetFields, PaytableFields))
