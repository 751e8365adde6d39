"""The cache on disk can be shared, damaged, deleted, forbidden or disabled, and no result depends on it."""

import errno
import hashlib
import json
import multiprocessing
import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from combinat import cache
from combinat.blackjack.cache import key
from combinat.blackjack.game import BlackjackGame, house_edge
from combinat.blackjack.hands import ACE, TEN, hand_of
from combinat.blackjack.rules import Action, BlackjackRules
from combinat.parallel.journal import Journal
from decks import Shoe
from tests.parlay import small_shoe

ROOT = Path(__file__).parents[2]
KEY = {"what": "a test", "number": 3}
NO_SPLITS = BlackjackRules(max_hands=1)


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Use a separate, enabled cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "made"))
    monkeypatch.delenv(cache.DISABLE_VARIABLE)
    return tmp_path / "made" / "combinat"


def test_entry_is_found_only_by_its_key(kept):
    assert cache.read_entry(KEY) is None
    cache.write_entry(KEY, {"a": ["1", None]})
    assert cache.read_entry(KEY) == {"a": ["1", None]}
    assert cache.read_entry(KEY | {"number": 4}) is None
    assert [path.parent for path in cache.list_entries()] == [kept]
    assert cache.total_size() == sum(path.stat().st_size for path in kept.glob("*.json"))


@pytest.mark.usefixtures("kept")
def test_other_source_version_finds_nothing(monkeypatch):
    cache.write_entry(KEY, "ours")
    monkeypatch.setattr(cache, "_source_hash", lambda: "0" * 64)
    assert cache.read_entry(KEY) is None
    monkeypatch.setattr(cache, "_source_hash", lambda: "")  # no source files to read, as in an archive
    cache.write_entry(KEY, "nobody's")
    assert cache.read_entry(KEY) is None
    assert len(cache.list_entries()) == 1


def test_source_hash_covers_every_byte():
    assert cache._source_hash() == cache._source_hash.__wrapped__()
    assert len(cache._source_hash()) == 64


@pytest.mark.parametrize(
    "damage",
    [
        lambda _: "",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("ours", "hers"),
        lambda text: text.replace('"number":3', '"number":4'),
        lambda text: json.dumps([text]),
        lambda _: "[" * 100_000,
        lambda text: text.encode("utf-16"),
        lambda text: text + " " * cache._MAX_ENTRY_BYTES,
    ],
)
@pytest.mark.usefixtures("kept")
def test_damaged_entry_is_replaced(damage):
    cache.write_entry(KEY, "ours")
    [path] = cache.list_entries()
    text = damage(path.read_text())
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    assert cache.read_entry(KEY) is None
    cache.write_entry(KEY, "ours")
    assert cache.read_entry(KEY) == "ours"


@pytest.mark.usefixtures("kept")
def test_only_regular_files_are_used(tmp_path):
    cache.write_entry(KEY, "ours")
    [path] = cache.list_entries()
    path.unlink()
    os.mkfifo(path)
    assert cache.read_entry(KEY) is None  # and it does not wait for a writer
    cache.write_entry(KEY, "ours")
    assert stat.S_ISFIFO(path.lstat().st_mode)
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    cache.write_entry(KEY, "ours")
    assert path.is_symlink()
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.usefixtures("kept")
def test_uncreatable_folder_is_no_error(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    cache.write_entry(KEY, "ours")
    assert (cache.read_entry(KEY), cache.list_entries(), cache.total_size(), cache.clear_cache()) == (None, [], 0, 0)


@pytest.mark.usefixtures("kept")
def test_missing_home_disables_the_cache(monkeypatch):
    def nowhere():
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setenv("XDG_CACHE_HOME", "relative/and/so/ignored")
    monkeypatch.setattr(Path, "home", nowhere)
    cache.write_entry(KEY, "ours")
    assert (cache.read_entry(KEY), cache.list_entries()) == (None, [])


def test_full_disk_leaves_no_partial_entry(kept, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    cache.write_entry(KEY, "ours")
    monkeypatch.setattr(Path, "replace", full)
    cache.write_entry(KEY | {"number": 4}, "more")
    assert len(list(kept.iterdir())) == 2  # including the secret
    assert cache.read_entry(KEY) == "ours"


def test_least_recently_used_entries_are_evicted(kept, monkeypatch):
    for number in range(4):
        cache.write_entry(KEY | {"number": number}, "x" * 1000)
        [path] = [path for path in kept.glob("*.json") if path.stat().st_mtime_ns >= 10**12]
        os.utime(path, ns=(number, number))
    assert cache.read_entry(KEY | {"number": 0})  # so it is the most recent now
    monkeypatch.setattr(cache, "MAX_BYTES", 4_000)
    cache.write_entry(KEY | {"number": 9}, "x" * 1000)
    assert [number for number in (0, 1, 2, 3, 9) if cache.read_entry(KEY | {"number": number})] == [0, 3, 9]
    assert cache.total_size() <= 4_000


def test_clear_keeps_other_files(kept):
    cache.write_entry(KEY, "ours")
    (kept / "notes.txt").write_text("mine")
    assert cache.clear_cache() == 1
    assert [path.name for path in kept.iterdir()] == ["notes.txt"]


def _write_often(number):
    for _ in range(30):
        cache.write_entry(KEY, [number] * 2000)
        found = cache.read_entry(KEY)
        if found is None or len(set(found)) != 1:
            return found
    return "whole"


def test_concurrent_writers_see_whole_entries(kept):
    with multiprocessing.get_context("fork").Pool(4) as pool:
        assert pool.map(_write_often, range(4)) == ["whole"] * 4
    assert len(list(kept.iterdir())) == 2  # including the secret


def test_entry_with_a_forged_checksum_is_rejected(kept):
    cache.write_entry(KEY, "ours")
    [path] = cache.list_entries()
    entry = json.loads(path.read_text())
    entry["result"] = "theirs"
    text = cache._canonical_json(entry["result"])
    for check in (
        cache._hash(text),
        cache.seal(b"", cache._canonical_json([entry["key"], "theirs"])),
        "",
        None,
        3,
        "é",
    ):
        path.write_text(json.dumps(entry | {"check": check}))
        assert cache.read_entry(KEY) is None
    other = cache.seal((kept / ".secret").read_bytes(), cache._canonical_json([KEY | {"number": 4}, "theirs"]))
    path.write_text(json.dumps(entry | {"check": other}))  # moved from another key
    assert cache.read_entry(KEY) is None


def test_secret_is_private_and_created_once(kept):
    first = cache.load_secret()
    assert (len(first), stat.S_IMODE((kept / ".secret").stat().st_mode)) == (32, 0o600)
    assert cache.load_secret() == first
    assert [path.name for path in kept.iterdir()] == [".secret"]
    assert stat.S_IMODE(kept.stat().st_mode) == 0o700


def damage_secret(path, how):
    content = path.read_bytes()
    if how == "readable":
        path.chmod(0o644)
    elif how == "short":
        path.write_bytes(content[:5])
    elif how == "long":
        path.write_bytes(content * 2)
    else:
        path.rename(path.with_name("elsewhere"))
        path.symlink_to("elsewhere")


@pytest.mark.parametrize("how", ["readable", "short", "long", "link"])
def test_readable_secret_is_replaced_with_all_entries(kept, how):
    cache.write_entry(KEY, "ours")
    before = cache.load_secret()
    damage_secret(kept / ".secret", how)
    assert cache.read_entry(KEY) is None
    cache.write_entry(KEY, "ours")
    assert cache.read_entry(KEY) == "ours"
    assert cache.load_secret() != before


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777, 0o1777])
def test_world_writable_folder_is_not_used(kept, mode):
    cache.write_entry(KEY, "ours")
    kept.chmod(mode)
    told = []
    cache.set_warning(told.append)
    assert (cache.read_entry(KEY), cache.list_entries(), cache.clear_cache(), cache.journal_path(KEY)) == (
        None,
        [],
        0,
        None,
    )
    cache.write_entry(KEY | {"number": 4}, "more")
    assert len(told) == 1
    assert str(kept) in told[0]
    kept.chmod(0o700)
    assert (cache.read_entry(KEY), len(cache.list_entries())) == ("ours", 1)


@pytest.mark.parametrize("is_link", [False, True])
def test_folder_of_another_user_is_not_used(kept, monkeypatch, is_link):
    cache.write_entry(KEY, "ours")
    if is_link:
        kept.rename(kept.with_name("elsewhere"))
        kept.symlink_to("elsewhere")
        assert cache.read_entry(KEY) == "ours"  # a link owned by the user
    own = os.geteuid()
    monkeypatch.setattr(os, "geteuid", lambda: own + 1)
    assert (cache.read_entry(KEY), cache.list_entries(), cache.clear_cache(), cache.load_secret()) == (
        None,
        [],
        0,
        None,
    )
    assert "another user" in cache.refusal_reason()
    monkeypatch.undo()


def _secret_of(_):
    return cache.load_secret()


def test_concurrent_processes_share_one_secret(kept):
    with multiprocessing.get_context("fork").Pool(6) as pool:
        found = pool.map(_secret_of, range(60), chunksize=1)
    assert None not in found
    assert len(set(found)) == 1
    assert [path.name for path in kept.iterdir()] == [".secret"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
@pytest.mark.parametrize("name", ["open", "link"])
def test_unwritable_secret_is_no_error(kept, monkeypatch, number, name):
    def fail(*_, **__):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, name, fail)
    cache.write_entry(KEY, "ours")
    assert (cache.read_entry(KEY), cache.load_secret()) == (None, None)
    monkeypatch.undo()
    assert not list(kept.glob("*")) or not kept.exists()


def test_command_explains_an_unused_cache(run, kept):
    cache.write_entry(KEY, "ours")
    kept.chmod(0o777)
    assert json.loads(run("cache", "--format", "json")[1])[0]["is_used"] is False
    assert "chmod go-w" in run("cache")[1]


def test_journal_line_with_a_forged_checksum_is_rejected(kept):
    journal = Journal(KEY)
    journal.add("first", 1)
    journal.close()
    [path] = kept.glob("*.jsonl")
    forged = '["second",2]'
    path.write_text(path.read_text() + f"{hashlib.sha256(forged.encode()).hexdigest()} {forged}\n")
    assert Journal(KEY).kept == {"first": 1}


def whole(game):
    return {(hand.hand, hand.up): hand for hand in game.hands()}


@pytest.mark.usefixtures("kept")
def test_cached_game_equals_the_computed_game(monkeypatch):
    shoe = small_shoe()
    rules = BlackjackRules(surrender=True, max_hands=1)
    first = BlackjackGame(shoe, rules)
    found, edge = whole(first), house_edge(first)
    assert len(cache.list_entries()) == 1
    monkeypatch.setattr(BlackjackGame, "figures", None)  # nothing may be computed now
    again = BlackjackGame(shoe, rules)
    assert (whole(again), house_edge(again)) == (found, edge)
    paid = BlackjackGame(shoe, replace(rules, blackjack_pays=1))
    assert house_edge(paid) > edge
    narrow = BlackjackGame(shoe, rules, ups=(5,))
    pair = hand_of((9, 9))
    assert narrow.hand(pair, 5) == found[pair, 5]


@pytest.mark.usefixtures("kept")
def test_partial_game_is_not_cached():
    game = BlackjackGame(Shoe(1), NO_SPLITS, ups=(ACE, TEN))
    assert len(list(game.hands())) > 100
    assert cache.list_entries() == []


@pytest.mark.parametrize(
    "change",
    [
        {"rules": BlackjackRules(hits_soft_17=False)},
        {"rules": BlackjackRules(double_after_split=False)},
        {"rules": BlackjackRules(double="9-11")},
        {"rules": BlackjackRules(max_hands=3)},
        {"rules": BlackjackRules(resplit_aces=True)},
        {"rules": BlackjackRules(hit_split_aces=True)},
        {"rules": BlackjackRules(surrender=True)},
        {"strategy": "basic"},
        {"counts": (23,) + (24,) * 8 + (96,)},
    ],
    ids=str,
)
def test_key_covers_every_input(change):
    usual = {"counts": (24,) * 9 + (96,), "rules": BlackjackRules(), "strategy": "best", "decks": 6}
    assert key(**usual) != key(**usual | change)
    by_chart = usual | {"strategy": "basic"}
    assert key(**by_chart) != key(**by_chart | {"decks": 2})


@pytest.mark.parametrize("strange", [["a list"], {"0-0": "no action"}, {"99-0": "hit hit=1/2"}, {"0-0": "hit hit=1/0"}])
@pytest.mark.usefixtures("kept")
def test_entry_of_another_kind_is_recomputed(strange):
    shoe = Shoe(1)
    game = BlackjackGame(shoe, NO_SPLITS)
    cache.write_entry(key(game.counts, NO_SPLITS, "best", 1), strange)
    assert game.hand(hand_of((7, 8)), 5).values.keys() == {Action.STAND, Action.HIT, Action.DOUBLE}


def started(*arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "reports", *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != cache.DISABLE_VARIABLE} | environment,
    )


SHOW = ("show", "HM-1", "--decks", "1", "--any-decks", "--hands", "1")
SHOW += ("--removed", " ".join(map(str, small_shoe().removed)))


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """Return the output of a command that computes something, and its cache folder."""
    home = tmp_path_factory.mktemp("home")
    return started(*SHOW, XDG_CACHE_HOME=str(home)), home


@pytest.mark.parametrize(
    "asked", [("--no-cache", "list", "TRI-03"), ("show", "TRI-03", "-d", "6", "--no-cache")], ids=str
)
def test_no_cache_option_works_in_any_position(run, monkeypatch, asked):
    monkeypatch.setenv(cache.DISABLE_VARIABLE, "")
    assert cache.is_enabled()
    assert run(*asked)[0] == 0
    assert not cache.is_enabled()


@pytest.mark.slow  # fast: test_no_cache_option_works_in_any_position
def test_disabled_cache_gives_the_same_answers(shown, tmp_path):
    first, home = shown
    off = started(*SHOW, "--no-cache", XDG_CACHE_HOME=str(tmp_path))
    assert list(tmp_path.iterdir()) == []
    again = started(*SHOW, XDG_CACHE_HOME=str(home))
    assert {(one.stdout, one.stderr, one.returncode) for one in (off, again)} == {(first.stdout, "", 0)}


def test_cache_command_shows_and_clears(run, shown, monkeypatch, tmp_path):
    shutil.copytree(shown[1] / "combinat", tmp_path / "combinat")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv(cache.DISABLE_VARIABLE, "")
    (payload,) = json.loads(run("cache", "--format", "json")[1])
    assert payload == {
        "format": "combinat answer 3",
        "folder": str(tmp_path / "combinat"),
        "is_used": True,
        "entries": 2,  # values of hands, and their second moments
        "bytes": sum(path.stat().st_size for path in (tmp_path / "combinat").glob("*.json")),
        "max_bytes": cache.MAX_BYTES,
    }
    monkeypatch.setenv(cache.DISABLE_VARIABLE, "1")
    assert "no, COMBINAT_NO_CACHE is set" in run("cache")[1]
    monkeypatch.setenv(cache.DISABLE_VARIABLE, "")
    assert json.loads(run("cache", "--clear", "-f", "json")[1])[0]["cleared"] == 2
    assert list((tmp_path / "combinat").iterdir()) == []


@pytest.mark.slow  # fast: test_damaged_entry_is_replaced
def test_damaged_cache_changes_no_answer(shown, tmp_path):
    first, home = shown
    (tmp_path / "file").write_text("")
    nowhere = started(*SHOW, XDG_CACHE_HOME=str(tmp_path / "file"))
    shutil.copytree(home / "combinat", tmp_path / "combinat")
    whole_entries = {path: path.read_bytes() for path in (tmp_path / "combinat").glob("*.json")}
    assert len(whole_entries) == 2
    for path, content in whole_entries.items():
        path.write_bytes(content[:-100])
    again = started(*SHOW, XDG_CACHE_HOME=str(tmp_path))
    assert {(one.stdout, one.stderr, one.returncode) for one in (nowhere, again)} == {(first.stdout, "", 0)}
    assert {path: path.read_bytes() for path in whole_entries} == whole_entries


def test_verifier_does_not_use_the_cache():
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "combinat" / "verifier").rglob("*.py")]
    assert sources
    in_memory = re.compile(r"lru_cache|cached_property")
    assert not any("cache" in in_memory.sub("", text) for text in sources)
