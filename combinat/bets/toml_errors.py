"""Explanations of syntax errors in TOML: what is wrong on the line, and what to write instead."""

from __future__ import annotations

import re
from collections.abc import Iterator

from decks.errors import quote

_LOCATION = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)$")
_CURLY_QUOTES = "“”„‘’«»"
_STRING = r'"(?:[^"\\]|\\.)*"|\'[^\']*\''
_KEY = rf"(?:[A-Za-z_][\w-]*|{_STRING})"
_STRING_OR_COMMENT = re.compile(rf"{_STRING}|#.*")
_BARE_VALUE = re.compile(rf"({_KEY})\s*=\s*([^\s\"'\[\]{{}},#][^\"'\[\]{{}},#]*)")
_SIGNS = re.compile(rf"(?:^|[{{,])\s*({_KEY})\s*(=>|:=|==+)")
_THOUSANDS = re.compile(rf"({_KEY})\s*=\s*([0-9]{{1,3}}(?:,[0-9]{{3}})+)(?![0-9])")
_BARE_LINE = re.compile(rf"^\s*({_KEY})\s*=\s*([A-Za-z][^\"'\[\]{{}}=#]*)$")
_BARE_KEY = re.compile(r"^\s*([A-Za-z][\w-]*(?: [\w-]+)+)\s*=")
_CONSTANT = re.compile(rf"({_KEY})\s*=\s*(True|TRUE|False|FALSE|yes|Yes|no|No)\b")
_ROUND_BRACKET = re.compile(r"[\[,]\s*\(|^\s*\(")
_BARE_LIST = re.compile(rf"^\s*({_KEY})\s*=\s*([0-9][0-9, -]*,[0-9, -]*)$")
_TOML_VALUE = re.compile(r"true|false|[+-]?[0-9][0-9_]*(\.[0-9]+)?")
_COLON = re.compile(rf"(?:^|[{{,])\s*({_KEY})\s*:\s*(\S.*?)\s*(?:[,}}]|$)")
_MISSING_COMMA = re.compile(rf"(?:{_STRING}|\b\d+|\]|\}})\s+({_KEY})\s*=")
_MISSING_COMMA_IN_LIST = re.compile(r"[\"'\}\]]\s+[\"'\{\[]")
_SLASHES = re.compile(r"//.*")


def explain_toml_error(text: str, message: str) -> str:
    r"""Return what is wrong with a TOML text, from the parser's message; its end states the position.

    >>> explain_toml_error('pays = 9 to 1', "Expected newline or end of document (at line 1, column 10)")
    'text needs quotes; write pays = "9 to 1" (at line 1, column 10)'
    """
    location = _LOCATION.search(message)
    if location is None:
        return f"this is not valid TOML: {message}"
    lines = text.split("\n")
    number = int(location[1] or len(text.rstrip().split("\n")))
    found = next(_explanations(lines, number, message), None)
    if found is None:
        return f"this is not valid TOML: {message}"
    line, explanation = found
    column = int(location[2]) if location[2] and line == number else 1
    return f"{explanation} (at line {line}, column {column})"


def _explanations(lines: list[str], number: int, message: str) -> Iterator[tuple[int, str]]:
    """Yield the likely causes of an error on a line, each with the line to change, the likeliest first."""
    line = lines[number - 1]
    for explain in (
        _curly_quotes,
        _open_quote,
        _slashes,
        _semicolon,
        _signs,
        _thousands,
        _constant,
        _bare_line,
        _colon,
        _bare_list,
        _bare_key,
        _round_bracket,
        _bare_value,
    ):
        if explanation := explain(line):
            yield number, explanation
    if "Cannot overwrite" in message or "Cannot mutate" in message or "Cannot declare" in message:
        key = re.match(rf"\s*\[*\s*({_KEY})", line)
        name = key[1].strip("\"'") if key else line.strip()
        yield number, f"{quote(name)} is written twice; remove one, or rename it"
    if match := _MISSING_COMMA.search(_hide_comments(line)):
        yield number, f"a comma is missing before {match[1]}"
    if _MISSING_COMMA_IN_LIST.search(_STRING_OR_COMMENT.sub('""', line)):
        yield number, "a comma is missing between two values"
    yield from _unclosed(lines, number)


def _curly_quotes(line: str) -> str:
    curly = next((character for character in _STRING_OR_COMMENT.sub("", line) if character in _CURLY_QUOTES), None)
    return f'the quote {curly} is not a straight quote; write "' if curly else ""


def _open_quote(line: str) -> str:
    rest = _STRING_OR_COMMENT.sub("", line)
    opened = next((character for character in rest if character in "\"'"), None)
    return f"the text after {opened} is not closed; write another {opened} at its end" if opened else ""


def _slashes(line: str) -> str:
    match = _SLASHES.search(_STRING_OR_COMMENT.sub(_blank, line))
    return f"a comment starts with #; write # {line[match.start() + 2 :].strip()}" if match else ""


def _colon(line: str) -> str:
    match = _COLON.search(line)
    if match is None:
        return ""
    is_text = not _TOML_VALUE.fullmatch(match[2]) and match[2][0] not in "\"'[{"
    value = f'"{match[2]}"' if is_text else match[2]
    return f"a key is followed by =, not by a colon; write {match[1]} = {value}"


def _signs(line: str) -> str:
    match = _SIGNS.search(_hide_comments(line))
    return f"a key is followed by a single =, not by {match[2]}; write {match[1]} = " if match else ""


def _thousands(line: str) -> str:
    match = next((match for match in _THOUSANDS.finditer(_hide_comments(line)) if match[1] != "decks"), None)
    return f"a number has no comma; write {match[1]} = {match[2].replace(',', '')}" if match else ""


def _constant(line: str) -> str:
    match = _CONSTANT.search(_hide_comments(line))
    if match is None:
        return ""
    value = "true" if match[2].lower() in ("true", "yes") else "false"
    return f"yes and no are written true and false; write {match[1]} = {value}"


def _semicolon(line: str) -> str:
    is_ended = _hide_comments(line).rstrip().endswith(";")
    return "a line does not end with a semicolon; remove the semicolon" if is_ended else ""


def _bare_line(line: str) -> str:
    match = _BARE_LINE.match(_hide_comments(line).rstrip())
    return f'text needs quotes; write {match[1]} = "{match[2].strip()}"' if match else ""


def _bare_key(line: str) -> str:
    match = _BARE_KEY.match(line)
    return f'a name with spaces needs quotes; write "{match[1]}" = ' if match else ""


def _round_bracket(line: str) -> str:
    has_bracket = _ROUND_BRACKET.search(_STRING_OR_COMMENT.sub(_blank_string, line))
    return 'awards stand in braces; write { hand = "...", pays = "9 to 1" }' if has_bracket else ""


def _bare_list(line: str) -> str:
    match = _BARE_LIST.match(_hide_comments(line).rstrip())
    return f'a list of numbers needs quotes; write {match[1]} = "{match[2].strip()}"' if match else ""


def _bare_value(line: str) -> str:
    for match in _BARE_VALUE.finditer(_hide_comments(line)):
        value = match[2].strip()
        if not _TOML_VALUE.fullmatch(value):
            return f'text needs quotes; write {match[1]} = "{value}"'
    return ""


def _unclosed(lines: list[str], number: int) -> Iterator[tuple[int, str]]:
    """Yield a missing comma at the end of an earlier line, or the bracket that is never closed."""
    openings: list[tuple[int, str]] = []
    previous, previous_line = "", 0
    for index, line in enumerate(lines[:number], 1):
        code = _STRING_OR_COMMENT.sub(_blank_string, line).strip()
        if not code:
            continue
        is_item = re.match(r'["{\[\d]', code) and not code.startswith(("[[",))
        if openings and previous[-1:] in ('"', "}", "]") and is_item:
            yield previous_line, "a comma is missing at the end of the line"
            return
        for character in code if not re.match(r"\[{1,2}[^\[\]]*\]{1,2}$", code) or openings else "":
            if character in "[{":
                openings.append((index, character))
            elif character in "]}" and openings:
                openings.pop()
        previous, previous_line = code, index
    if openings:
        line_number, bracket = openings[-1]
        closing = {"[": "]", "{": "}"}[bracket]
        yield line_number, f"the bracket {bracket} is never closed; write {closing} at its end"


def _hide_comments(line: str) -> str:
    return _STRING_OR_COMMENT.sub(lambda match: "" if match[0].startswith("#") else match[0], line)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _blank_string(match: re.Match[str]) -> str:
    """Replace a string by an empty one, so that brackets in it do not count, and remove a comment."""
    return "" if match[0].startswith("#") else '""'
