"""The ledger: a CSV of all outcomes whose ways sum to the cycle."""

import csv
import io
from collections import Counter
from fractions import Fraction

import pytest

from combinat.analysis.analysis import analyze_wager
from combinat.bets.catalog import get_paytable
from combinat.bets.load import load_bet
from combinat.bets.paytable import Paytable
from decks import Shoe, parse_cards
from reports.answers.ledger import ledger_lines
from reports.cli.ledger import _batches


def parse_rows(text):
    return list(csv.DictReader(io.StringIO(text, newline="")))


def assert_adds_up(rows, analysis):
    assert sum(int(row["ways"]) for row in rows) == analysis.ways.cycle
    assert sum(Fraction(row["probability"]) for row in rows) == 1
    by_award = Counter()
    for row in rows:
        assert Fraction(row["probability"]) == Fraction(int(row["ways"]), analysis.ways.cycle)
        by_award[row["award"], row["pays"]] += int(row["ways"])
    expected = {(line.award.name, str(line.award.pay)): line.ways for line in analysis.lines if line.ways}
    assert by_award == expected | {("no award", "loses"): analysis.ways.losing}


def test_ledger_ways_sum_to_the_cycle(run):
    code, out, err = run("ledger", "TRI-03", "--decks", "6")
    assert (code, err) == (0, "")
    rows = parse_rows(out)
    assert list(rows[0]) == ["all cards", "ways", "probability", "award", "pays"]
    assert len(rows) == 2_093
    assert_adds_up(rows, analyze_wager(get_paytable("TRI-03"), Shoe(6)))
    assert all(len(parse_cards(row["all cards"])) == 3 for row in rows)
    ways = {row["all cards"]: int(row["ways"]) for row in rows}
    # Three rows counted by hand: in each of four suits, 6·5·4/6, 6·5/2 times 6, and 6·6·6.
    assert (ways["2c 2c 2c"], ways["2c 2c 3c"], ways["2c 3c 4c"]) == (4 * 20, 4 * 15 * 6, 4 * 216)


def test_distinguished_roles_have_their_own_columns(run, mine):
    rows = parse_rows(run("ledger", f"{mine}:MINE", "-d", "6")[1])
    assert list(rows[0]) == ["player", "up", "ways", "probability", "award", "pays"]
    assert sum(int(row["ways"]) for row in rows) == 312 * 311 // 2 * 310
    (paytable,) = load_bet(mine)
    assert_adds_up(rows, analyze_wager(paytable, Shoe(6)))


def test_removed_cards_are_not_in_the_ledger(run):
    shoe = Shoe(1, removed=parse_cards("Ah Ad Ac As 2c"))
    out = run("ledger", "BN9-EXAMPLE", "-d", "1", "--removed", "Ah Ad Ac As 2c")[1]
    assert_adds_up(parse_rows(out), analyze_wager(get_paytable("BN9-EXAMPLE"), shoe))
    assert "A" not in {card.strip()[0] for row in parse_rows(out) for card in row["all cards"].split()}
    assert "2c" not in {card for row in parse_rows(out) for card in row["all cards"].split()}


def test_dealer_hands_state_their_suit_patterns():
    low_cards = tuple(card for card, _ in Shoe(1).composition if card.rank < 9)
    analysis = analyze_wager(get_paytable("BB-1"), Shoe(1, removed=low_cards))
    rows = parse_rows("".join(ledger_lines(analysis)))
    assert list(rows[0]) == ["dealer", "suits", "ways", "probability", "award", "pays", "given"]
    assert_adds_up(rows, analysis)
    assert {row["suits"] for row in rows} == {"one suit", "one color, not one suit", "both colors"}


def test_ledger_file_equals_printed_ledger(run, tmp_path):
    target = tmp_path / "new" / "ledger.csv"
    target.parent.mkdir()
    printed = run("ledger", "TRI-02")[1]
    assert run("ledger", "TRI-02", "--output", target) == (0, f"{target}\n", "")
    assert target.read_text(encoding="utf-8") == printed
    assert b"\r" not in target.read_bytes()
    assert [path.name for path in target.parent.iterdir()] == ["ledger.csv"]


def test_ledger_lines_are_streamed():
    lines = ledger_lines(analyze_wager(get_paytable("TRI-02"), Shoe(2)))
    assert next(lines).startswith("all cards,ways,probability,award,pays\n")
    assert next(lines).count("\n") == 1


def test_limit_writes_the_first_lines_and_states_the_total(run, tmp_path):
    full_ledger = run("ledger", "TRI-02")[1]
    code, out, err = run("ledger", "TRI-02", "--limit", "3")
    assert (code, out) == (0, "".join(full_ledger.splitlines(keepends=True)[:4]))
    assert "3 of 2,080 lines" in err
    target = tmp_path / "few.csv"
    assert run("ledger", "TRI-02", "--limit", "3", "-o", target)[0] == 0
    assert target.read_text(encoding="utf-8") == out


@pytest.mark.parametrize("limit", ["2080", "1000000"])
def test_limit_beyond_the_last_line_changes_nothing(run, limit):
    assert run("ledger", "TRI-02", "--limit", limit) == run("ledger", "TRI-02")


@pytest.mark.parametrize("limit", ["0", "-1", "many", "1.5"])
def test_limit_must_be_a_positive_integer(run, limit):
    code, out, err = run("ledger", "TRI-02", "--limit", limit)
    assert (code, out) == (2, "")
    assert "limit" in err
    assert len(err.splitlines()) == 1


def test_long_ledger_states_its_length_on_stderr(run, monkeypatch, tmp_path):
    code, out, err = run("ledger", "TRI-02")
    assert (code, err) == (0, "")
    monkeypatch.setattr("reports.cli.ledger.LONG_LEDGER", 2_080)
    code, repeated, err = run("ledger", "TRI-02")
    assert (code, repeated) == (0, out)
    assert len(err.splitlines()) == 1
    assert "2,080 lines" in err
    assert "--output" in err
    assert "--limit" in err
    code, path, err = run("ledger", "TRI-02", "-o", tmp_path / "all.csv")
    assert (code, path) == (0, f"{tmp_path / 'all.csv'}\n")
    assert "2,080 lines" in err
    assert "--output" not in err


@pytest.mark.parametrize(
    ("id", "decks", "removed"), [("TRI-02", 2, "7h 7h 7d"), ("BUST", 1, "As"), ("BAC-EITHER-PAIR", 8, "")]
)
def test_lines_are_counted_before_they_are_listed(id, decks, removed):
    analysis = analyze_wager(get_paytable(id), Shoe(decks, removed=parse_cards(removed)))
    assert analysis.paytable.experiment.count_outcomes(analysis.shoe.composition) == len(list(ledger_lines(analysis)))


def test_ledger_length_may_be_unknown():
    assert get_paytable("L9-TIE").experiment.count_outcomes(Shoe(1).composition) is None


@pytest.mark.parametrize("arguments", [["HM-1"], ["L9"], ["PKR-FORTUNE-1"], ["PKR-TRIPS-1"]])
def test_impossible_ledger_is_refused_before_counting(run, monkeypatch, arguments):
    def refuse_to_count(*_):
        raise AssertionError("nothing should be counted")

    monkeypatch.setattr(Paytable, "ways", refuse_to_count)
    code, out, err = run("ledger", *arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_ledger_of_a_bet_with_best_play_does_not_solve_blackjack(run, monkeypatch):
    def refuse_to_solve(*_, **__):
        raise AssertionError("a ledger has no best play")

    monkeypatch.setattr("combinat.study.build_study", refuse_to_solve)
    monkeypatch.setattr("combinat.requests.bets.build_study", refuse_to_solve)
    code, out, err = run("ledger", "HM-1", "-d", "6")
    assert (code, err) == (0, "")
    assert_adds_up(parse_rows(out), analyze_wager(get_paytable("HM-1"), Shoe(6)))


@pytest.mark.parametrize("id", ["TRI-02", "BUST", "BAC-PLAYER"])
def test_too_small_shoe_is_refused_in_one_line(run, id):
    removed = " ".join(str(card) for card, _ in Shoe(1).composition.remove(parse_cards("2c 3d")))
    code, out, err = run("ledger", id, "-d", "1", "--any-decks", "--removed", removed)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1


def test_progress_reaches_the_number_of_lines():
    reported = []
    batches = list(_batches(map(str, range(1_500)), 1_500, lambda done, total: reported.append((done, total))))
    assert "".join(batches) == "".join(map(str, range(1_500)))
    assert len(batches) == len(reported) > 1
    assert reported == sorted(reported)
    assert reported[-1] == (1_500, 1_500)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["TRI-03"], "one number of decks, got TRI-03 with 2 decks"),
        (["TRI-03"], "for example --decks 6"),
        (["TRI-03", "-d", "6,8"], "TRI-03 with 6 decks, TRI-03 with 8 decks"),
        (["TRI-02", "-d", "6"], "TRI-02 is designed for 2 decks, not 6; --any-decks"),
        (["TRI-02", "--removed", "7h 7h 7h"], "cannot remove 3 of 7h"),
        (["TRI-O2"], "did you mean 'TRI-02'"),
        (["TRI-02", "--output", "/dev/null/x.csv"], "cannot write into /dev/null: it is not a folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_impossible_ledger_is_refused_with_advice(run, arguments, message):
    code, out, err = run("ledger", *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.splitlines()) == 1
    assert "Traceback" not in err


def test_deck_count_off_the_design_needs_the_option(run):
    rows = parse_rows(run("ledger", "TRI-02", "-d", "6", "--any-decks")[1])
    assert sum(int(row["ways"]) for row in rows) == 5_013_320
