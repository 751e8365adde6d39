"""The verifier as a package: its formats, bases, limits, and independence."""

import copy
import io
import json
import os
import shutil
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from combinat.bets.catalog import get_paytable
from combinat.study import build_study
from combinat.verifier import UnreadableError, read, verify
from combinat.verifier.bases import bases_of, basis_of
from combinat.verifier.check import compared
from combinat.verifier.command import main
from combinat.verifier.form import lacking
from decks import Shoe, parse_cards
from reports.answers.studies import study_payload
from reports.answers.verification import verify_file
from reports.sheet.par_sheet import build_par_sheet, data_fingerprint
from tests.profiles import tries
from tests.sheets import FEW_CARDS, build_sheet, derive_sheet
from tests.sheets import read_sheet as sheet
from tests.slow_cases import slow_case

PACKAGE = Path(__file__).parents[3] / "combinat" / "verifier"


def altered(payload, path, value):
    changed = place = copy.deepcopy(payload)
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    return changed | {"data_sha256": data_fingerprint(changed)}


def leaves(value, path=()):
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    yield from [one for key, part in inner for one in leaves(part, (*path, key))] if inner else [path]


# Formats


def test_interpolated_change_is_an_error():
    now = sheet("HM-2", FEW_CARDS)
    line = now["pay_sensitivity"][3]["one_more"].removeprefix("-")
    (difference,) = verify(altered(now, ("pay_sensitivity", 3, "one_less"), line)).differences
    assert difference.startswith(f'pay_sensitivity[3] Straight: one_less: the file says "{line}"')


@pytest.mark.parametrize(
    "name", ["combinat par sheet 4", "combinat par sheet 2", "", 2, None, ["combinat par sheet 3"]]
)
def test_unknown_format_is_refused(name, tmp_path, capsys):
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps(sheet("TRI-03", 6) | {"format": name}))
    assert main([str(path)]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert "which is not known here; known are 'combinat par sheet 3'" in err


# Bases of figures


@pytest.mark.parametrize(
    ("id", "decks"),
    [
        slow_case("TRI-03", 6),
        ("HM-2", FEW_CARDS),
        slow_case("HM-2", 1),
        ("METERS", 6),
        slow_case("BUSTS", 2),
    ],
)
def test_every_name_of_a_basis_is_checked(id, decks):
    payload = sheet(id, decks)
    rows = ["volatility_index", "outlook", "pay_sensitivity"]
    rows += ["deck_sensitivity"] * (decks != FEW_CARDS)  # other deck counts of a reduced shoe are not checked
    rows += ["up_cards"] if payload["up_cards"] else []
    paths = [("basis",), *[("bases", key) for key in payload["bases"]], *[(key, 0, "basis") for key in rows]]
    paths.append(("exposure", "basis"))
    for path in paths:
        wrong = "long run" if path != ("bases", "hold") else "wager alone"
        differences = compared(altered(payload, path, wrong), derive_sheet(id, decks)).differences
        assert any(path[-1] in difference and f'the file says "{wrong}"' in difference for difference in differences), (
            path
        )


def test_basis_follows_from_the_option_and_the_meters():
    assert basis_of({"option": None, "meters": {}}) == "wager alone"
    assert basis_of({"meters": {"meter": 5}}) == "at the given meters"
    assert basis_of({"option": {}, "meters": {"meter": 5}}) == "best play"
    with_option = bases_of({"option": {}})
    assert (with_option["return"], with_option["return_without_option"]) == ("best play", "wager alone")
    assert (with_option["hold"], with_option["variance"]) == ("best play", "wager alone")
    assert bases_of({})["hold"] == bases_of({"option": {}, "awards": [{"unit": "of Mega"}]})["hold"] == "long run"
    assert bases_of({"meters": {"meter": 5}})["variance"] == "at the given meters"


def test_sheet_with_given_meters_verifies():
    paytable = get_paytable("TBJ-06-2024")
    made_now = build_par_sheet(build_study(paytable, Shoe(6), dict.fromkeys(paytable.meters, 50)))
    payload = json.loads(json.dumps(made_now.payload))
    assert payload["basis"] == "at the given meters"
    assert verify(payload).differences == []


# Blackjack rules


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("hits_soft_17", False),
        slow_case("double", "10-11"),
        ("max_hands", 1),
        slow_case("blackjack_pays", "6/5"),
        slow_case("surrender", True),
    ],
)
def test_altered_rule_of_the_table_is_noticed(key, value):
    decks = 1 if key == "surrender" else FEW_CARDS  # no hand of so few cards is surrendered
    changed = altered(study_payload(build_sheet("HM-2", decks).study), ("option", "table", key), value)
    assert any(difference.startswith("option.decisions[") for difference in verify(changed).differences)


@pytest.mark.parametrize("change", [("hits", "stands on"), ("3 to 2", "6 to 5"), ("no surrender", "late surrender")])
def test_rules_sentence_must_match_the_table(change):
    payload = sheet("HM-2", FEW_CARDS)
    changed = altered(payload, ("option", "rules"), payload["option"]["rules"].replace(*change))
    assert [difference.split(":")[0] for difference in verify(changed).differences] == ["option.rules"]


# Unknown deals


def test_unknown_deal_is_reported_and_the_form_checked(tmp_path, capsys):
    payload = altered(sheet("TRI-03", 6), ("deal",), "until ace")
    verdict = verify(payload)
    assert (verdict.differences, verdict.agrees) == ([], False)
    assert str(verdict.not_reached) == "not checked: no verifier for the deal 'until ace'"
    del payload["losing_hands"], payload["awards"][1]["ways"], payload["pay_sensitivity"][2]
    payload["bases"]["hold"] = "wager alone"
    verdict = verify(payload)
    beginnings = ["losing_hands: missing", "awards[1] Straight flush: ways: missing", "pay_sensitivity: no row"]
    beginnings += ["bases.hold: the file says ", "data_sha256: "]
    assert [one.startswith(wanted) for one, wanted in zip(verdict.differences, beginnings, strict=True)] == [True] * 5
    path = tmp_path / "sheet.json"
    path.write_text(json.dumps(payload))
    assert main([str(path)]) == 1
    assert capsys.readouterr().out.startswith(f"{path}: not checked: no verifier for the deal 'until ace'\n")


def test_malformed_roles_are_an_error():
    for deal in ("player:two", "player:2, up", "Player:2", "", "player: 2", "player:0"):
        with pytest.raises(UnreadableError, match="cannot read the deal"):
            verify(altered(sheet("TRI-03", 6), ("deal",), deal))


# Dealer draws


@pytest.fixture(scope="module")
def drawn():
    return sheet("BUSTS", 2), derive_sheet("BUSTS", 2)


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        slow_case("cards", 4, "derivation[0] Three 8s: steps[0]: cards: "),
        ("ways", 337, "derivation[0] Three 8s: steps[0]: ways: "),
        ("probability", "1/3096", "derivation[0]: steps: do not add up to the probability"),
        ("probability", "1/3096", "derivation[0] Three 8s: steps[0]: probability: "),
    ],
)
def test_altered_step_of_a_draw_is_noticed(drawn, key, value, named):
    payload, derived = drawn
    changed = altered(payload, ("derivation", 0, "steps", 0, key), value)
    assert any(difference.startswith(named) for difference in compared(changed, derived).differences)


def test_missing_step_of_a_draw_is_noticed(drawn):
    payload, derived = drawn
    assert compared(payload, derived).differences == []
    for award in range(len(payload["derivation"])):
        changed = copy.deepcopy(payload)
        del changed["derivation"][award]["steps"][-1]
        assert any(f"derivation[{award}]" in one and "steps" in one for one in lacking(changed))
        assert len(compared(changed, derived).differences) == 2


@pytest.mark.slow
def test_steps_of_a_draw_respect_removed_cards():
    payload = build_par_sheet(build_study(get_paytable("BB-1"), Shoe(2, removed=parse_cards("8h 8d Kc 2s")))).payload
    assert verify(json.loads(json.dumps(payload))).differences == []


@pytest.mark.parametrize("deal", [[], {}, None, 3])
def test_deal_must_be_text(deal):
    with pytest.raises(UnreadableError, match="deal"):
        verify(altered(sheet("TRI-03", 6), ("deal",), deal))


def test_up_card_must_have_its_whole_name(drawn):
    payload, _ = drawn
    tens = [row["up"] for row in payload["up_cards"]].index("10, K")
    (difference,) = verify(altered(payload, ("up_cards", tens, "up"), "10")).differences
    assert difference.startswith("up_cards: ")
    assert difference.endswith("but it is a row for each up card that can be, and no other")


def test_description_is_not_a_value():
    changed = altered(sheet("TRI-03", 6), ("awards", 0, "example"), "a hand that takes the award")
    (difference,) = verify(changed).differences
    assert difference.startswith("awards[0] Mini royal: example: ")


# Arbitrary content


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=5), inner, max_size=2),
    max_leaves=4,
)


@pytest.mark.parametrize("deal", ["player:2, up:1", "until ace"])
@given(data=st.data())
@tries(40)
def test_random_values_do_not_crash_the_check(deal, data):
    payload = sheet("TRI-03", 6) | {"deal": deal}
    path = data.draw(st.sampled_from(list(leaves(payload))))
    path = path[: data.draw(st.integers(1, len(path)))]
    changed = place = copy.deepcopy(payload)
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = data.draw(anything)
    try:
        verify(changed)
    except UnreadableError as error:
        assert "\n" not in str(error)


OBEYED = "\x1b[2J\x07\u202e\n"
"""Characters that a terminal would obey: clear the screen, ring the bell, write backwards."""


@given(data=st.data())
@tries(40)
def test_control_characters_are_escaped(data, tmp_path_factory):
    payload = sheet("TRI-03", 6)
    path = data.draw(st.sampled_from(list(leaves(payload))))
    changed = place = copy.deepcopy(payload)
    for key in path[:-1]:
        place = place[key]
    if isinstance(place, dict) and data.draw(st.booleans()):
        place[f"{path[-1]}{OBEYED}"] = place.pop(path[-1])
    else:
        place[path[-1]] = f"{OBEYED}{place[path[-1]]}"
    file = tmp_path_factory.mktemp("sheets") / f"{OBEYED}.json"
    file.write_text(json.dumps(changed))
    told = io.StringIO()
    with redirect_stdout(told), redirect_stderr(told):
        assert main([str(file)]) in (1, 2)
    checked = verify_file(file)
    assert checked.lines or checked.problem
    for line in (*told.getvalue().splitlines(), *checked.lines, checked.problem):
        assert line.isprintable()


# The package alone


@cache
def smallest():
    """The smallest answer: House Money without its option."""
    paytable = get_paytable("HM-1")
    answer = study_payload(build_study(replace(paytable, bet=replace(paytable.bet, option=None)), Shoe(2)))
    return json.loads(json.dumps(answer | {"data_sha256": data_fingerprint(answer)}))


@pytest.mark.parametrize("flags", [slow_case(["-S"]), ["-S", "-O"]], ids=" ".join)
def test_package_runs_alone_in_an_empty_folder(tmp_path, flags):
    shutil.copytree(PACKAGE, tmp_path / "combinat" / "verifier", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "new.json").write_text(json.dumps(smallest()))
    (tmp_path / "wrong.json").write_text(json.dumps(altered(smallest(), ("cycle",), 1)))
    (tmp_path / "other.json").write_text(json.dumps(smallest() | {"format": "mine"}))

    def run(*files):
        command = [sys.executable, *flags, "-m", "combinat.verifier", *files]
        return subprocess.run(command, capture_output=True, text=True, env={}, cwd=tmp_path, check=False)

    done = run("new.json")
    assert (done.returncode, done.stderr, done.stdout.count("all agree")) == (0, "", 1)
    done = run("wrong.json")
    assert (done.returncode, "cycle: the file says 1, but it is 5356" in done.stdout) == (1, True)
    done = run("other.json", "wrong.json")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert run().returncode == 2


def test_verdict_survives_a_closed_or_full_output(tmp_path):
    (tmp_path / "new.json").write_text(json.dumps(smallest()))
    (tmp_path / "wrong.json").write_text(json.dumps(altered(smallest(), ("cycle",), 1)))

    def run(*files, output):
        command = [sys.executable, "-S", "-m", "combinat.verifier", *files]
        here = {"PYTHONPATH": str(PACKAGE.parents[1])}
        return subprocess.run(command, stdout=output, stderr=subprocess.PIPE, text=True, env=here, cwd=tmp_path)

    reader, writer = os.pipe()
    os.close(reader)  # a reader that closes the pipe before the first line
    with os.fdopen(writer, "w") as gone:
        for files, code in ((["new.json"], 0), (["new.json", "wrong.json"], 1), (["wrong.json", "new.json"], 1)):
            done = run(*files, output=gone)
            assert (done.returncode, done.stderr) == (code, "")
    script = [sys.executable, "-S", "-m", "combinat.verifier", "new.json"]
    closed = subprocess.run(
        ["sh", "-c", 'exec "$@" >&-', "sh", *script],
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(PACKAGE.parents[1])},
        cwd=tmp_path,
    )
    assert (closed.returncode, closed.stderr) == (1, "cannot write to standard output: it is closed\n")
    full = Path("/dev/full")
    if full.exists():
        with full.open("w") as disk:
            done = run("new.json", "new.json", output=disk)
        assert (done.returncode, done.stderr.splitlines()[0]) == (
            1,
            "cannot write to standard output: No space left on device",
        )


def test_interrupt_is_one_line(monkeypatch, capsys):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr("combinat.verifier.command.read", interrupted)
    assert main(["sheet.json"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_modules_are_short():
    lengths = {path.name: len(path.read_text(encoding="utf-8").splitlines()) for path in PACKAGE.glob("*.py")}
    assert {name: length for name, length in lengths.items() if length > 250} == {}


@pytest.mark.parametrize(
    ("text", "message"), [('{"cycle": ' + "9" * 6000 + "}", "too long"), ("[" * 100_000, "nested")]
)
def test_unreadable_data_is_refused_plainly(tmp_path, text, message):
    (tmp_path / "sheet.json").write_text(text)
    with pytest.raises(UnreadableError, match=message):
        read(tmp_path / "sheet.json")
