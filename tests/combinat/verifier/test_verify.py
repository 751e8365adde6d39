"""The verifier agrees with the program everywhere, and names altered figures."""

import copy
import hashlib
import json
import shutil
import subprocess
import sys
from fractions import Fraction
from functools import lru_cache
from math import factorial, perm
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from combinat import odds
from combinat.analysis.analysis import analyze_wager
from combinat.bets.award import Award
from combinat.bets.catalog import get_paytable, iter_collection
from combinat.bets.pay import parse_pay
from combinat.bets.paytable import Bet, Paytable
from combinat.blackjack.rules import BlackjackRules
from combinat.enumeration.experiment import parse_deal
from combinat.exact.polynomial import Polynomial
from combinat.exact.surd import Surd
from combinat.language.parser import parse_rule
from combinat.study import build_study
from combinat.verifier import UnreadableError, verify
from combinat.verifier.bet import Bet as PlainBet
from combinat.verifier.cards import INFINITE
from combinat.verifier.counting import listed
from combinat.verifier.format_1 import STRAIGHT_LINE
from decks import SPANISH, STANDARD, InputError, Shoe, find_pack, parse_cards
from reports.answers.studies import study_payload
from reports.page.numerals import exact
from tests.catalog import paytables
from tests.parlay import TWO_HANDS, small_shoe
from tests.profiles import tries
from tests.sheets import find_paytable
from tests.slow_cases import slow_case, slow_cases
from tests.strategies import DEALS, DRAWN_LADDERS, rules

TAKEN = " with winnings taken"  # House Money without its option, the smallest sheet of all
FEW_RANKS = find_pack("standard without 3 4 6 7 9 J Q")  # includes hands that bust, soft hands and pairs
SEVENS = find_pack("standard without 2 3 4 5 6 8 9 Q")
STRAIGHTS, SPANISH_STRAIGHTS = [find_pack(f"standard without 4 5 6 9{ten}") for ten in ("", " 10")]
"""Few ranks with straights at both ends and between, and everything that a random rule names."""
Z = {"90%": "1.644854", "95%": "1.959964", "99%": "2.575829"}


def tops_of(analysis):
    """Return all awards with the highest pay."""
    top = max(analysis.lines, key=lambda line: (not line.gross.is_constant, line.gross.constant))
    return [line for line in analysis.lines if line.gross == top.gross]


def with_sha(payload):
    rest = {key: value for key, value in payload.items() if key != "data_sha256"}
    text = json.dumps(rest, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return {**rest, "data_sha256": hashlib.sha256(text.encode("utf-8")).hexdigest()}


def full_payload(studied, *, endless=True):
    """Return a sheet computed by the program, with every figure that can be checked."""
    payload, analysis = study_payload(studied), studied.analysis
    is_open = not analysis.return_.is_constant
    for award, line in zip(payload["awards"], analysis.lines, strict=True):
        share = None if is_open or not analysis.return_.constant else line.return_.constant / analysis.return_.constant
        award |= {
            "less_higher_ranked": line.matches - line.ways,
            "pays_to_1": exact(line.net),
            "pays_for_1": exact(line.gross),
            "share_of_return": exact(share),
            "fair_pay_for_1": exact(line.one_in),
        }
    edge, tops = analysis.house_edge, tops_of(analysis)
    basis = "at the given meters" if analysis.meters else "wager alone"
    payload |= {
        "expected_value": exact(-studied.house_edge),
        "plays_per_hit": exact(1 / analysis.hit_frequency if analysis.hit_frequency else None),
        "edge_per_resolved_bet": exact(edge * (1 / (1 - analysis.push_rate))),
        "return_without_top_award": exact(sum((-line.return_ for line in tops), analysis.return_)),
        "volatility_index": [
            {
                "confidence": confidence,
                "z": z,
                "index": None if is_open else exact(Surd(Fraction(z) ** 2 * analysis.variance.constant)),
                "basis": basis,
            }
            for confidence, z in Z.items()
        ],
        "pay_sensitivity": [
            {
                "award": line.award.name,
                "one_more": exact(studied.edge_change(index, 1)),
                "one_less": exact(studied.edge_change(index, -1)),
                "basis": str(studied.basis),
            }
            for index, line in enumerate(analysis.lines)
        ],
        "deck_sensitivity": [],
    }
    for decks in (1, 2, 6, 8):
        other = analyze_wager(analysis.paytable, Shoe(decks, analysis.paytable.bet.pack), analysis.meters)
        payload["deck_sensitivity"].append(
            {
                "decks": decks,
                "designed": other.is_designed,
                "basis": basis,
                "house_edge": exact(other.house_edge),
                "return": exact(other.return_),
                "hit_frequency": exact(other.hit_frequency),
                "standard_deviation": exact(other.standard_deviation),
                "top_award_one_in": exact(
                    1 / chance if (chance := sum(line.probability for line in tops_of(other))) else None
                ),
            }
        )
    if endless:
        tally = analysis.paytable.tally
        probabilities = [tally.limit(counts) for counts in tally.wins]
        back = sum(
            (line.gross * probability for line, probability in zip(analysis.lines, probabilities, strict=True)),
            Polynomial.of(0),
        )
        payload["deck_sensitivity"].append(
            {
                "decks": "infinite",
                "designed": False,
                "basis": basis,
                "return": exact(back),
                "house_edge": exact(1 - back),
            }
        )
    if studied.option is not None:
        payload["expected_value_without_option"] = exact(-edge)
    return with_sha(payload)


@lru_cache(maxsize=None)
def sheet_text(id, decks, meters=(), removed=""):
    paytable = find_paytable(id.removesuffix(TAKEN))
    if id.endswith(TAKEN):
        paytable = replace(paytable, bet=replace(paytable.bet, option=None))
    studied = build_study(paytable, Shoe(decks, paytable.bet.pack, parse_cards(removed)), dict(meters))
    return json.dumps(full_payload(studied, endless=not removed))


def sheet(id, decks, meters=(), removed=""):
    return json.loads(sheet_text(id, decks, meters, removed))


@lru_cache(maxsize=None)
def riding_text():
    return json.dumps(full_payload(build_study(get_paytable("HM-2"), small_shoe(), rules=TWO_HANDS), endless=False))


def riding_sheet():
    """A bet with a parlay and a shoe so small that hands are played quickly: hit, stand, double and split."""
    return json.loads(riding_text())


def is_played(paytable):
    """Return whether a round has decisions; whole sheets of such games are verified elsewhere."""
    return bool(paytable.bet.deal.settings)


@pytest.mark.slow
@pytest.mark.parametrize(
    "paytable",
    [paytable for paytable in iter_collection() if not paytable.bet.option and not is_played(paytable)],
    ids=lambda paytable: paytable.id,
)
def test_every_deck_count_of_the_catalog_agrees(paytable):
    for decks in paytable.decks[:-1]:
        payload = study_payload(build_study(paytable, Shoe(decks, paytable.bet.pack)))
        assert verify(payload).differences == []


@slow_cases("SOB-EXAMPLE", "BLZ-1-UP", "BLZ-1-PC", "BLZ-1-PC-PEEK", "BB-1")
@pytest.mark.parametrize("paytable", paytables(lambda one: not is_played(one), slow=["HM-1", "HM-2", "TRILXDLX-01"]))
def test_every_paytable_of_the_catalog_agrees(paytable):
    # A few decks of blackjack take seconds, many decks longer.
    last = paytable.decks[0 if paytable.bet.option else -1]
    verdict = verify(sheet(paytable.id, last))
    assert verdict.differences == []
    assert verdict.checked > 60
    texts = {"paytable", "title", "bet", "flags", "published", "requires", "example", "notes", "sources"}
    assert set(verdict.not_checked) <= {*texts, "hold", "volatility_index[].confidence"}


@pytest.mark.parametrize("id", [slow_case("HM-1"), "HM-2", slow_case("TRILXDLX-01")])
def test_catalog_parlays_agree_for_a_small_shoe(id):
    verdict = verify(study_payload(build_study(get_paytable(id), small_shoe(), rules=TWO_HANDS)))
    assert verdict.differences == []
    assert verdict.checked > 60


def test_meter_amounts_are_used():
    verdict = verify(sheet("METERS", 6, (("Mega", Fraction(50_000)), ("Major", Fraction(10_001, 2)))))
    assert verdict.differences == []
    assert verify(sheet("TBJ-06-2024", 6, (("meter", Fraction(50_000)),))).differences == []


@pytest.mark.parametrize(("id", "decks"), [("TRI-03", 6), ("HM-1" + TAKEN, 2), slow_case("BB-2", 6)], ids=str)
def test_removed_cards_agree(id, decks):
    verdict = verify(sheet(id, decks, removed="7h 7h Kd As 10c Jc 8s"))
    assert verdict.differences == []
    assert "deck_sensitivity" in verdict.not_checked


def made_up(deal, texts, condition=None, pack=STANDARD, roles_distinct=None, option=None):
    parsed = parse_deal(deal)
    awards = tuple(
        Award(f"award {index}", parse_rule(text, parsed), parse_pay(f"{9 - index} to 1"))
        for index, text in enumerate(texts)
    )
    given = parse_rule(condition, parsed) if condition else None
    bet = Bet("mine", parsed, pack, roles_distinct, given, option=option)
    return Paytable("MINE", bet, "mine", (1, 2), awards)


def assert_both_methods_agree(paytable, shoe):
    assert verify(study_payload(build_study(paytable, shoe))).differences == []


@pytest.mark.parametrize(
    ("deal", "texts", "condition"),
    [
        ("player:2", ["player.A-K and suited", "blackjack", "straight_flush", "identical", "hard total > 13"], None),
        ("player:2, up:1", ["same colour and trips", "rainbow and straight", "points == 9", "bust"], "not pair"),
        slow_case(
            "player:2, up:1",
            ["player.low < up.rank < player.high", "player.has(up)", "count(7♦, hearts) == 2"],
            None,
        ),
        slow_case(
            "player:2, up:1",
            ["player.count(up.suit, up.rank) == 2", "player.all(up.color)"],
            "up.rank >= J",
        ),
        ("up:1, hole:1", ["dealer.blackjack", "total in (19)", "total not in (20, 12) and has(face)"], None),
        slow_case(
            "player:1, dealer:2",
            ["dealer.suited or not dealer.total - player.rank != 2", "has(A,T)"],
            None,
        ),
        slow_case("up:1, player:1, hole:1", ["dealer.same rank", "dealer.high + 1 == player.rank", "all(red)"], None),
        ("first:1", ["rank in (7, count(7) + 1)", "has(black)"], None),
    ],
)
def test_words_agree(deal, texts, condition):
    pack = SPANISH if "hole" in deal else STANDARD
    assert_both_methods_agree(made_up(deal, texts, condition, pack), Shoe(2, pack))


def test_role_named_like_a_python_keyword_is_refused():
    with pytest.raises(InputError, match="a role cannot be called 'from', a word of Python"):
        made_up("from:1", ["from.rank == 7"])
    payload = study_payload(build_study(made_up("first:1", ["first.rank == 7"]), Shoe(1)))
    with pytest.raises(UnreadableError, match="something is wrong"):
        verify(altered(altered(payload, ("deal",), "from:1"), ("awards", 0, "rule"), "from.rank == 7"))


@given(st.data())
@tries(8, quick=1)
def test_random_rules_agree(data):
    deal = data.draw(st.sampled_from([deal for deal in DEALS if parse_deal(deal).card_count < 4]))
    texts = data.draw(st.lists(rules(parse_deal(deal)), min_size=1, max_size=2))
    packs = [STANDARD, SPANISH] if parse_deal(deal).card_count < 3 else [STRAIGHTS, SPANISH_STRAIGHTS]
    pack = data.draw(st.sampled_from(packs))
    removed = data.draw(st.sampled_from(["", "7h 7d Ks", "As Ac"]))
    assert_both_methods_agree(made_up(deal, texts, pack=pack), Shoe(2, pack, parse_cards(removed)))


@pytest.mark.parametrize("pack", [pytest.param(FEW_RANKS, id="few ranks"), slow_case(STANDARD, id="standard")])
@pytest.mark.parametrize("ladder", DRAWN_LADDERS[:2], ids=lambda ladder: f"{ladder[0]} {ladder[1][0]}")
def test_finished_hands_agree(ladder, pack):
    deal, texts, condition = ladder
    assert_both_methods_agree(made_up(deal, texts, condition, pack), Shoe(1, pack))


@pytest.mark.parametrize(
    ("deal", "texts", "condition", "decks", "removed"),
    [
        ("player:2, dealer:s17", ["dealer.bust and player.blackjack", "player.pair", "up.has(A)"], None, 1, ""),
        ("player:1, dealer:h17", ["player.has(A) and dealer.bust", "dealer.cards > 3"], "not dealer.blackjack", 1, ""),
        ("player:1, other:1, dealer:h17", ["player.rank < other.rank", "dealer.bust"], None, 2, ""),
        ("player:2, dealer:h17", ["player.8-8 and dealer.total > 19", "player.has(K)"], None, 2, "8h 8d Ah 10c"),
    ],
)
def test_hands_dealt_before_the_dealer_draws_are_the_same_to_both_methods(deal, texts, condition, decks, removed):
    paytable = made_up(deal, texts, condition, FEW_RANKS)
    assert_both_methods_agree(paytable, Shoe(decks, FEW_RANKS, parse_cards(removed)))


def test_colors_of_finished_hands_follow_the_remaining_cards():
    paytable = made_up("dealer:h17", ["suited", "bust and same color", "same color"], pack=FEW_RANKS)
    assert_both_methods_agree(paytable, Shoe(1, FEW_RANKS, parse_cards("8h 8d 10h 2c Ah")))


BLAZING = ["player.7-7 and next.has(7) and not dealer.blackjack", "player.7-7", "dealer.blackjack and next.has(A, red)"]


@pytest.mark.parametrize(
    ("deal", "condition", "pack", "removed"),
    [
        slow_case("up:1, player:2, hole:1, next:1", "not player.has(A)", STANDARD, "Ah Kd Kd Qs 7c"),
        *[
            pytest.param(
                "hole:1, next:1, up:1, player:2", "not dealer.blackjack or player.suited", pack, "Jc", marks=marks
            )
            for pack, marks in ((SEVENS, []), (SPANISH, [pytest.mark.slow]))
        ],
    ],
)
def test_peeking_dealer_agrees(deal, condition, pack, removed):
    paytable = made_up(deal, BLAZING, condition, pack)
    assert_both_methods_agree(paytable, Shoe(2, pack, parse_cards(removed)))


def test_peeking_dealer_matches_every_pair_of_cards():
    payload = sheet("BLZ-1-PC-PEEK", 6) | {"pack": SEVENS.name}
    ways = listed(PlainBet(payload)).ways
    assert ways(6).together.total() == perm(6 * SEVENS.size, 5)
    assert ways(INFINITE).together.total() == SEVENS.size**5 * factorial(5)


@slow_cases("player.has(up)-few ranks", "suited-few ranks", "up.has(7)-few ranks")
@pytest.mark.parametrize(
    ("rule", "pack"),
    [
        *((rule, SEVENS) for rule in ("up.has(7)", "dealer.total == 21", "suited", "player.has(up)")),
        *(slow_case(rule, STANDARD) for rule in ("up.has(7)", "dealer.total == 21")),
    ],
    ids=lambda value: value if isinstance(value, str) else "few ranks" if value is SEVENS else "standard",
)
def test_other_conditions_on_dealer_cards_agree(rule, pack):
    payload = altered(sheet("BLZ-1-PC-PEEK", 6), ("awards", 0, "rule"), rule) | {"pack": pack.name}
    ways = listed(PlainBet(payload)).ways(6).together
    winning = sum(times for matches, times in ways.items() if matches[0])
    assert Fraction(winning, ways.total()) == odds(rule, payload["deal"], 6, pack=pack.name).probability


@pytest.mark.parametrize(
    ("deal", "rule", "why"),
    [
        ("player:2, dealer:h17", "player.suited", "asks for suits"),
        ("dealer:s17", "up.has(7d)", "suits of single cards"),
        ("dealer:s17", "rainbow", "suits of single cards"),
        ("player:2", "suited", "no hand fulfils"),
    ],
)
def test_unsupported_bet_fails_with_a_reason(deal, rule, why):
    payload = altered(altered(sheet("HM-1" + TAKEN, 2), ("deal",), deal), ("awards", 0, "rule"), rule)
    verdict = verify(payload | {"given": "pair and not pair"} if why.startswith("no hand") else payload)
    assert not verdict.agrees
    assert why in verdict.not_reached.reason
    assert verdict.summary == f"cannot be re-derived: {verdict.not_reached.reason}"
    assert [difference.partition(":")[0] for difference in verdict.differences] == ["data_sha256"]


def in_the_first_format(payload):
    """An answer of version 0.1.0: it names no basis, and its blackjack rules are a sentence."""
    return {key: value for key, value in payload.items() if key not in ("basis", "bases", "meter_wager")}


def test_format_1_option_is_read_from_its_sentence():
    payload = in_the_first_format(riding_sheet())
    for row in payload["pay_sensitivity"]:
        row["one_less"] = row["one_more"].removeprefix("-")
    payload["option"]["table"] = {"hits_soft_17": "yes"}
    verdict = verify(with_sha(payload))
    assert verdict.differences == []
    assert STRAIGHT_LINE in verdict.notes


def altered(payload, path, value):
    changed = copy.deepcopy(payload)
    place = changed
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (("awards", 3, "ways"), 1, "awards[3] Straight: ways: the file says 1, but it is "),
        (("awards", 3, "inclusive_count"), 165889, "awards[3] Straight: inclusive_count"),
        (("awards", 1, "pays"), 36, "awards[1] Straight flush: pays: the file says 36, but it is 35"),
        (("awards", 1, "unit"), "for 1", "awards[1] Straight flush: unit"),
        (("awards", 1, "pays_text"), "36 to 1", "awards[1] Straight flush: pays: the file says 35, but it is 36"),
        (("awards", 4, "probability"), "1/20", "awards[4] Flush: probability"),
        (("awards", 4, "possible"), False, "awards[4] Flush: possible: the file says false, but it is true"),
        (("awards", 4, "rule"), "flush and straight", "awards[4] Flush: ways"),
        (("decks",), 5, "cycle: the file says 5013320, but it is "),
        (("cards",), 311, "cards: the file says 311, but it is 312"),
        (("pack",), "spanish", "cycle"),
        (("removed",), ["7h"], "cycle"),
        (("given",), "not pair", "cycle"),
        (("deal",), "player:3", None),
        (("deal",), "player:2", "cycle"),
        (("ordered_by_role",), True, "cycle"),
        (("designed_decks",), [1], "designed: the file says true, but it is false"),
        (("losing_hands", "ways"), 0, "losing_hands.ways"),
        (("house_edge",), "1/10", "house_edge"),
        (("house_edge",), 0.1, "house_edge"),
        (("hold",), "1/10", "hold"),
        (("favors_player",), 0, "favors_player"),
        (("standard_deviation",), "sqrt(2)", 'standard_deviation: the file says "sqrt(2)", but it is "sqrt('),
        (("deck_sensitivity", 1, "house_edge"), "1/7", "deck_sensitivity[1] 2: house_edge"),
        (("deck_sensitivity", 4, "return"), "1/7", "deck_sensitivity[4] infinite: return"),
        (("deck_sensitivity", 1, "decks"), 3, "deck_sensitivity[1] 3: house_edge"),
        (("pay_sensitivity", 0, "one_more"), "1/7", "pay_sensitivity[0] Mini royal: one_more"),
        (("pay_sensitivity", 0, "award"), "Nobody", "pay_sensitivity[0] Nobody"),
        (("volatility_index", 1, "z"), "1.961", "volatility_index[1] 95%: z"),
        (("volatility_index", 0, "z"), "x", "volatility_index[0] 90%: z"),
        (("up_cards",), [{"up": "7"}], "up_cards"),
        (("data_sha256",), "0" * 64, "data_sha256"),
        (("title",), "Another", "data_sha256"),
    ],
)
def test_altered_figure_is_caught_and_named(path, value, named):
    differences = verify(altered(sheet("TRI-03", 6), path, value)).differences
    assert any(difference.startswith(named or "data_sha256") for difference in differences), differences


def leaves(value, path=()):
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, (*path, key))
    elif isinstance(value, list):
        for index, one in enumerate(value):
            yield from leaves(one, (*path, index))
    else:
        yield path, value


UNCHECKED = {"paytable", "title", "bet", "flags", "published", "requires", "example", "notes", "sources", "removed"}
UNCHECKED |= {"designed_decks", "name", "confidence", "up", "award", "pays_text", "rule", "deal", "given", "pack", "z"}


@pytest.mark.parametrize("id", ["TRI-03", "TBJ-06-2024", slow_case("BUSTS"), slow_case("BLZ-2-UP"), slow_case("BB-1")])
@given(data=st.data())
@tries(15)
def test_any_altered_figure_is_caught(id, data):
    original = sheet(id, 6)
    del original["data_sha256"]
    figures = [
        (path, value)
        for path, value in leaves(original)
        if not UNCHECKED & set(path) and type(value) in (int, str, bool) and path[0] not in ("decks", "hold")
    ]
    path, value = data.draw(st.sampled_from(figures))
    if type(value) is bool:
        value = not value
    elif type(value) is int:
        value += data.draw(st.sampled_from([-1, 1, 1000]))
    else:
        digit = data.draw(st.sampled_from([index for index, sign in enumerate(value) if sign.isdecimal()] or [0]))
        value = (
            value[:digit] + str((int(value[digit]) + 1) % 10 if value[digit].isdecimal() else 1) + value[digit + 1 :]
        )
    try:
        differences = verify(altered(original, path, value)).differences
    except UnreadableError:
        return
    assert differences != []


@pytest.mark.parametrize("key", ["cycle", "losing_hands", "house_edge", "variance"])
def test_missing_figure_is_a_difference(key):
    payload = sheet("TRI-03", 6)
    del payload[key], payload["awards"][2]["ways"]
    differences = verify(payload).differences
    assert f"{key}: missing" in differences
    assert "awards[2] Three of a kind: ways: missing" in differences


def test_missing_up_card_is_noticed():
    payload = sheet("BUSTS", 6)
    del payload["up_cards"][3]
    assert any(difference.startswith("up_cards: ") for difference in verify(payload).differences)


@pytest.mark.parametrize(
    ("id", "award", "example", "is_right"),
    [
        ("BLZ-2-UP", 0, {"player": ["7d", "7d"], "up": ["7d"]}, True),
        ("BLZ-2-UP", 0, {"up": ["7d"], "player": ["7d", "7d"]}, True),
        ("BLZ-2-UP", 0, {"player": ["7d", "7d"], "up": ["7h"]}, False),
        ("BLZ-2-UP", 4, {"player": ["7d", "7d"], "up": ["7h"]}, False),
        ("BLZ-2-UP", 4, {"player": ["7d", "7d"], "up": ["8h"]}, True),
        ("BLZ-2-UP", 4, {"player": ["7d"], "up": ["8h"]}, False),
        ("BLZ-2-UP", 4, None, False),
        ("BUSTS", 0, {"dealer": ["8h", "8d", "8c"]}, True),
        ("BUSTS", 0, {"up": ["8h"], "dealer": ["8d", "8c"]}, True),
        ("BUSTS", 3, {"dealer": ["2h", "Kd", "10c"]}, True),
        ("BUSTS", 3, {"dealer": ["2h", "Kd", "10c", "5d"]}, False),
        ("BUSTS", 3, {"dealer": ["2h", "Kd"]}, False),
        ("BUSTS", 3, {"dealer": ["2h", "Kd", "10c"], "player": ["8d"]}, False),
    ],
)
def test_example_must_match_its_award(id, award, example, is_right):
    payload = altered(sheet(id, 6), ("awards", award, "example"), example)
    del payload["data_sha256"]
    differences = verify(payload).differences
    assert len(differences) == (0 if is_right else 1)
    assert all(": example: the file says " in difference for difference in differences)


def test_unreachable_award_has_no_example():
    payload = study_payload(build_study(get_paytable("SUP-01"), Shoe(1)))
    assert verify(altered(payload, ("awards", 0, "example"), None)).differences == []
    wrong = verify(altered(payload, ("awards", 0, "example"), {"player": ["7d", "7d"], "up": ["7d"]})).differences
    assert wrong[0].endswith("but it is null")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("deal",), "player:two", "cannot read the deal 'player:two'"),
        (("deal",), 7, "'deal' is missing or is no str"),
        (("decks",), 0, "no such shoe"),
        (("decks",), 10**9, "no such shoe"),
        (("decks",), True, "'decks' is missing or is no int"),
        (("decks",), "6", "'decks' is missing or is no int"),
        (("pack",), "tarot", "no such shoe"),
        (("removed",), ["7x"], "no card '7x'"),
        (("removed",), ["7h"] * 7, "no such shoe"),
        (("awards",), [], "0 awards"),
        (("awards",), None, "'awards' is missing"),
        (("awards", 0), 5, "'rule' is missing"),
        (("awards", 0, "rule"), "suited and strait", "no word 'strait' in the rule 'suited and strait'"),
        (("awards", 0, "rule"), "suited and", "something is wrong in the rule"),
        (("awards", 0, "rule"), "suited, straight", "does not answer yes or no"),
        (("awards", 0, "rule"), "total", "does not answer yes or no"),
        (("awards", 0, "rule"), "total == 1.5", "something is wrong"),
        (("awards", 0, "rule"), "suited # straight", "something is wrong"),
        (("awards", 0, "rule"), "has.__class__ == 1", "no word '__class__'"),
        (("awards", 0, "rule"), "__import__(1)", "no word '__import__'"),
        (("awards", 0, "rule"), "(" * 500 + "suited" + ")" * 494, "something is wrong"),
        (("awards", 0, "rule"), "not " * 2000 + "suited", "in the rule"),
        (("awards", 0, "rule"), "", "something is wrong"),
        (("awards", 0, "pays_text"), "nine", "cannot read the pay 'nine'"),
        (("awards", 0, "pays_text"), "1/0 to 1", "no number '1/0'"),
        (("meters",), {"meter": "many"}, "no number 'many'"),
        (("deck_sensitivity", 0, "decks"), 0, "no shoe has 0 decks"),
        (("deck_sensitivity", 0, "decks"), 10**6, "no shoe has 1000000 decks"),
        (("awards", 0, "example"), {"player": ["7d", "??"], "up": ["7d"]}, "no card"),
    ],
)
def test_malformed_sheet_is_refused(path, value, message):
    with pytest.raises(UnreadableError, match=message.replace("(", r"\(")) as error:
        verify(altered(sheet("TRI-03", 6), path, value))
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 500


@pytest.mark.parametrize("sign", [";", "^", "é", "="])
def test_long_malformed_rule_is_refused_quickly(sign):
    # Each further rank once took four times as long; so many ranks would never end.
    rule = "-".join(["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5"] * 40)
    with pytest.raises(UnreadableError, match="rule 'A-K-Q"):
        verify(altered(sheet("TRI-03", 6), ("awards", 0, "rule"), f"{rule} {sign}"))


def test_excessive_blackjack_rules_are_refused():
    rules = "dealer hits soft 17, blackjack pays 3 to 2, double any two cards" + ", split aces once" * 20_000
    with pytest.raises(UnreadableError, match="cannot read the rules of blackjack"):
        verify(altered(in_the_first_format(riding_sheet()), ("option", "rules"), rules))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


def assert_no_value_breaks_the_check(original, paths, data):
    path = data.draw(st.sampled_from(paths))
    path = path[: data.draw(st.integers(1, len(path)))]
    try:
        verify(altered(original, path, data.draw(anything)))
    except UnreadableError as error:
        assert "\n" not in str(error)


@given(st.data())
@tries(60, quick=3)
def test_random_values_do_not_crash_the_check(data):
    original = sheet("HM-1" + TAKEN, 2)
    assert_no_value_breaks_the_check(original, [path for path, _ in leaves(original)], data)


@given(st.data())
@tries(10)
def test_random_values_of_an_option_do_not_crash_the_check(data):
    original = riding_sheet()
    paths = [path for path, _ in leaves(original) if path[0] == "option" and path[2:3] in ((), (0,), (20,))]
    assert_no_value_breaks_the_check(original, paths, data)


@slow_cases("a few cards-parlay")
@pytest.mark.parametrize(
    ("option", "deal", "texts", "condition", "rules", "strategy", "removed", "left_out"),
    [
        (
            "parlay",
            "player:2",
            ["hard total in (11, 16)", "A-K"],
            None,
            BlackjackRules(False, "9-11", max_hands=1, blackjack_pays=Fraction(6, 5), surrender=True),
            "best",
            "",
            set(),
        ),
        slow_case(
            "press",
            "up:1, player:2",
            ["player.8-8 and suited", "player.total == 16 and not up.has(A)", "player.blackjack"],
            "not up.has(K)",
            BlackjackRules(double="10-11", max_hands=2, surrender=True),
            "best",
            "As 10h 10d 5c",
            set(),
        ),
        ("parlay", "player:2", ["total == 11", "total > 15"], None, BlackjackRules(max_hands=1), "basic", "", set()),
        slow_case(
            *("parlay", "player:2", ["total == 11", "total > 15"], None, BlackjackRules(), "basic", "", set()),
        ),
    ],
    ids=["parlay", "press", "chart", "chart with splits"],
)
@pytest.mark.parametrize("whole", [False, slow_case(True)], ids=["a few cards", "a deck"])
def test_parlay_agrees(option, deal, texts, condition, rules, strategy, removed, left_out, whole):
    shoe = Shoe(1, STANDARD, parse_cards(removed)) if whole else small_shoe()
    table = rules if whole else replace(rules, max_hands=min(rules.max_hands, 2))  # so few cards suffice for it
    studied = build_study(made_up(deal, texts, condition, option=option), shoe, rules=table, strategy=strategy)
    verdict = verify(study_payload(studied))
    assert verdict.differences == []
    assert {name for name in verdict.not_checked if name.startswith("option")} == left_out


def decision(payload, hand, up):
    found = [(one["hand"], one["up"]) for one in payload["option"]["decisions"]].index((hand, up))
    return f"option.decisions[{found}] {hand} against {up}: ", ("option", "decisions", found)


@pytest.mark.parametrize(
    ("hand", "up", "key", "value"),
    [
        ("A-2", "10", "value", "-9/10"),  # a hit
        ("10-10", "6", "value", "-{}"),  # a stand
        ("6-5", "10", "value", "1{}"),  # a double
        ("A-10", "6", "value", "1{}"),
        ("6-6", "10", "value", "-9/10"),  # worse than not splitting
        ("A-2", "2", "choice", "take"),
        ("6-6", "2", "choice", "take"),
        ("A-2", "2", "gain", "1/1000"),
        ("6-6", "2", "gain", "{}1"),
        ("A-2", "2", "amount", "1{}"),
        ("A-10", "A", "probability", "1{}"),
        ("A-2", "2", "first_action", "stand"),
        ("5-5", "2", "first_action", "hit"),
    ],
)
def test_altered_decision_is_caught_and_named(hand, up, key, value):
    payload = riding_sheet()
    named, path = decision(payload, hand, up)
    was = payload["option"]["decisions"][path[-1]][key]
    differences = verify(altered(payload, (*path, key), value.format(was))).differences
    assert any(difference.startswith(f"{named}{key}: the file says ") for difference in differences), differences


@pytest.mark.parametrize(("key", "value"), [("value", "1/2"), ("value", "1/0"), ("first_action", "hit")])
def test_altered_decision_of_a_split_is_named(key, value):
    payload = riding_sheet()
    named, path = decision(payload, "6-6", "2")
    differences = verify(altered(payload, (*path, key), value)).differences
    assert [difference.partition(": the file")[0] for difference in differences] == [f"{named}{key}", "data_sha256"]


@pytest.mark.parametrize(
    ("path", "value", "named"),
    [
        (("option", "gain"), "1/4", "option.gain"),
        (("option", "used"), "1/8", "option.used"),
        (("option", "parlayed"), "everything", "option.parlayed"),
        (("option", "kind"), "press", "option.decisions[0] A-A against 2: amount"),
        (("option",), None, "house_edge"),
        (("house_edge",), "1/25", "house_edge"),
        (("house_edge",), "11/39", "house_edge"),
        (("return",), "28/39", "return"),
        (("house_edge_without_option",), "1/4", "house_edge_without_option"),
        (("return_without_option",), "3/4", "return_without_option"),
        (("expected_value",), "-11/39", "expected_value"),
        (("favors_player",), False, "favors_player"),
        (("pay_sensitivity", 2, "one_more"), "-1/17", "pay_sensitivity[2] Pair: one_more"),
    ],
)
def test_altered_option_is_caught_and_named(path, value, named):
    differences = verify(altered(riding_sheet(), path, value)).differences
    assert any(difference.startswith(f"{named}: the file says ") for difference in differences), differences


def test_other_rules_of_blackjack_give_other_values():
    payload = riding_sheet()
    named, _ = decision(payload, "10-10", "A")
    differences = verify(altered(payload, ("option", "table", "hits_soft_17"), False)).differences
    assert any(difference.startswith(f"{named}value: ") for difference in differences)
    rules = payload["option"]["rules"].replace("dealer hits", "dealer stands on")
    differences = verify(altered(in_the_first_format(payload), ("option", "rules"), rules)).differences
    assert any(difference.startswith(f"{named}value: ") for difference in differences)


def test_missing_or_duplicate_decision_is_noticed():
    for change in (lambda rows: rows[1:], lambda rows: [rows[1], *rows[1:]]):
        payload = riding_sheet()
        payload["option"]["decisions"] = change(payload["option"]["decisions"])
        verdict = verify(payload)
        assert any("a decision for each winning hand" in difference for difference in verdict.differences)
        assert "house_edge with an option whose decisions are not complete" in verdict.not_checked


def test_missing_figure_of_a_decision_is_a_difference():
    payload = riding_sheet()
    del payload["option"]["decisions"][3]["amount"], payload["option"]["used"], payload["return_without_option"]
    missing = {difference for difference in verify(payload).differences if difference.endswith(": missing")}
    assert missing == {"return_without_option: missing", "option.used: missing", "option.decisions[3]: amount: missing"}


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("option",), 5, "'option' is missing or is no dict"),
        (("option", "table"), "the usual ones", "'table' is missing or is no dict"),
        (("option", "table", "double"), "8-11", "no rule for doubling '8-11'"),
        (("option", "table", "max_hands"), 0, "no table splits to 0 hands"),
        (("option", "table", "surrender"), "late", "'surrender' is missing or is no bool"),
        (("option", "table", "blackjack_pays"), "3:2", "no number '3:2'"),
        (("option", "kind"), "gamble", "no option 'gamble'"),
        (("option", "strategy"), "bold", "with the strategy 'bold'"),
        (("option", "decisions"), None, "'decisions' is missing"),
        (("option", "decisions", 0), [], "'hand' is missing"),
        (("deal",), "player:3", "winnings ride on two cards"),
    ],
)
def test_malformed_option_is_refused(path, value, message):
    with pytest.raises(UnreadableError, match=message):
        verify(altered(riding_sheet(), path, value))


def test_malformed_rules_sentence_is_refused():
    with pytest.raises(UnreadableError, match="cannot read the rules of blackjack 'the usual ones'"):
        verify(altered(in_the_first_format(riding_sheet()), ("option", "rules"), "the usual ones"))


def test_infinite_deck_draws_are_independent():
    ways = listed(PlainBet(sheet("HM-1" + TAKEN, 2))).ways(INFINITE)
    assert ways.together.total() == 52**2 * 2  # in both orders of the player's cards


@pytest.mark.slow  # fast: combinat/verifier/test_package.py::test_package_runs_alone_in_an_empty_folder
def test_verifier_runs_with_the_standard_library(tmp_path):
    source = Path(__file__).parents[3] / "combinat"
    shutil.copytree(source / "verifier", tmp_path / "combinat" / "verifier")
    for name in ("__init__.py", "version.py"):
        shutil.copy(source / name, tmp_path / "combinat")
    good, bad, broken = (tmp_path / f"{name}.json" for name in ("good", "bad", "broken"))
    good.write_text(sheet_text("HM-1" + TAKEN, 2))
    bad.write_text(json.dumps(altered(sheet("HM-1" + TAKEN, 2), ("cycle",), 1)))
    broken.write_text('{"cycle": 1, "cycle": 2}')

    def run(*files):
        command = [sys.executable, "-S", "-m", "combinat.verifier", *map(str, files)]  # -S: no installed packages
        return subprocess.run(command, capture_output=True, text=True, env={}, cwd=tmp_path)

    done = run(good)
    assert (done.returncode, done.stderr) == (0, "")
    assert "figures re-derived, all agree" in done.stdout
    done = run(good, bad)
    assert done.returncode == 1
    assert "cycle: the file says 1, but it is 5356" in done.stdout
    done = run(broken, good)
    assert (done.returncode, "a key stands twice" in done.stderr) == (2, True)
