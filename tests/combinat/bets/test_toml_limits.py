"""Limits on TOML and JSON texts: a small file cannot use much memory or time, nor cause a traceback."""

import resource
import subprocess
import sys
import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinat import catalog
from combinat.bets.schema import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_KEY_LENGTH,
    MAX_KEY_PARTS,
    MAX_WORD_LENGTH,
    check_limits,
    parse_toml,
)
from combinat.verifier import attempt, read_sheet
from decks import InputError
from tests.profiles import tries
from tests.slow_cases import slow_case

HOSTILE = {
    "one key of 40,000 parts": "a" + ".a" * 40_000 + " = 1",
    "a header of 40,000 parts": "[a" + ".a" * 40_000 + "]",
    "a key of 40,000 quoted parts": '""' + '.""' * 40_000 + " = 1",
    "spaces between parts": "a" + " . a" * 40_000 + " = 1",
    "a long key in an inline table": "x = { a" + ".a" * 40_000 + " = 1 }",
    "deep lists": "x = " + "[" * 100_000 + "]" * 100_000,
    "deep inline tables": "x = " + "{a = " * 40_000 + "1" + "}" * 40_000,
    "a long bare key": "a" * 200_000 + " = 1",
    "a long quoted key": '"' + "a" * 200_000 + '" = 1',
    "a long number": "a = " + "9" * 200_000,
    "a long hexadecimal number": "a = 0x" + "f" * 200_000,
    "a long text": "#" * (MAX_CHARACTERS + 1),
}
FAST = ("one key of 40,000 parts", "deep lists")
"""Texts that `make test` reads in a process with little memory."""


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_refused(name):
    with pytest.raises(InputError) as caught:
        parse_toml(HOSTILE[name])
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("name", [name if name in FAST else slow_case(name) for name in HOSTILE])
def test_hostile_file_uses_little_memory(tmp_path, name):
    path = tmp_path / "bet.toml"
    path.write_text(HOSTILE[name])

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))
        resource.setrlimit(resource.RLIMIT_CPU, (10, 10))

    command = [sys.executable, "-m", "combinat", "check", path]
    done = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


@pytest.mark.parametrize(
    "text",
    [
        'a = "x.x.x.x.x.x.x.x.x.x.x.x"',
        "a = 'x.x.x.x.x.x.x.x.x.x.x.x'",
        'a = """\n[[[[[[[[[[[[[[[[[[[[[[\n"quoted" x.x.x.x.x.x.x.x.x.x """',
        "a = '''\n{{{{{{{{{{{{{{{{{{{{{{ x.x.x.x.x.x.x.x.x.x'''",
        'a = "\\"[[[[[[[[[[[[[[[[[[[[[[["',
        'a = """""two quotes at the ends"""""',
        "# [[[[[[[[[[[[[[[[[[[[[ x.x.x.x.x.x.x.x.x.x.x",
        "a = ['x', # ]]]]]]]] [[[[[[[[[[[[[[[[[[[[\n'y']",
        'a = ["' + "z" * 2_000 + '"]',
        "a = [\n['" + "z" * 2_000 + "']\n]",
        '"a key in quotes.with.many.dots.and.more.and.more.and.more.dots" = 1',
        "a.b.c.d.e.f.g.h = 1",
        "a = " + "[" * MAX_DEPTH + "]" * MAX_DEPTH,
        "a = 1979-05-27T07:32:00.999999-07:00",
        "a = 1_000.000_1e+10",
    ],
)
def test_ordinary_text_matches_tomllib(text):
    assert parse_toml(text) == tomllib.loads(text, parse_float=str)


def test_catalog_files_are_within_the_limits():
    for text in {paytable.bet.file for paytable in catalog()}:
        check_limits(text)


@given(st.text(alphabet="\"'[]{}.=#\\\n ,a1", max_size=60))
@tries(300)
def test_text_within_the_limits_matches_tomllib(text):
    """Short texts can only be too deep, so whatever `tomllib` parses is parsed."""
    try:
        expected = tomllib.loads(text, parse_float=str)
    except ValueError:
        with pytest.raises(InputError):
            parse_toml(text)
        return
    try:
        assert parse_toml(text) == expected
    except InputError:
        assert text.count(".") >= MAX_KEY_PARTS or text.count("[") + text.count("{") > MAX_DEPTH


@pytest.mark.parametrize(
    ("text", "limit"),
    [
        (lambda size: ".".join("a" * size) + " = 1", MAX_KEY_PARTS),
        (lambda size: "[" + ".".join("a" * size) + "]", MAX_KEY_PARTS),
        (lambda size: "x = { " + ".".join("a" * size) + " = 1 }", MAX_KEY_PARTS),
        (lambda size: "x = " + "[" * size + "]" * size, MAX_DEPTH),
        (lambda size: "x = " + "{ a = " * size + "1" + " }" * size, MAX_DEPTH),
        (lambda size: '"' + "a" * (size - 3) + '" = 1', MAX_KEY_LENGTH),
        (lambda size: "a" * size + " = 1", MAX_WORD_LENGTH),
    ],
    ids=["parts", "parts of a header", "parts in an inline table", "lists", "inline tables", "quoted key", "bare key"],
)
def test_each_limit_holds_by_itself(text, limit):
    assert parse_toml(text(limit))
    with pytest.raises(InputError, match=f"more than {limit} "):
        parse_toml(text(limit + 1))


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b"[" * 51 + b"]" * 51,
        b"[" + b"[]," * 1_000_000 + b"[]]",
        b"%PDF-1.7\n\x80\x81",
        b"PK\x03\x04\x00\x00",
        b"\x89PNG\r\n",
        b"\x00" * 100,
        b'{"a": ' + b"9" * 5_000 + b"}",
        b'{"a": NaN}',
        b'"' + b'\\"' * 100_000,
        b"",
    ],
)
@pytest.mark.parametrize("command", ["verify", "diff"])
def test_json_that_is_no_sheet_is_refused(run, tmp_path, command, content):
    path = tmp_path / "sheet.json"
    path.write_bytes(content)
    code, out, err = run(command, path) if command == "verify" else run(command, path, path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert any(kind in err for kind in ("JSON", "PDF", "workbook"))
    assert "codec" not in err
    verdict, problem = attempt(lambda: read_sheet(path), is_full=False)
    assert verdict is None
    assert "\n" not in problem
