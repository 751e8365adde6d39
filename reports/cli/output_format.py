"""The format of an output file, from its ending and from `--format`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from decks import InputError
from decks.errors import quote, truncate_middle

FORMATS_BY_ENDING = {
    "pdf": "pdf",
    "xlsx": "xlsx",
    "html": "html",
    "htm": "html",
    "md": "markdown",
    "markdown": "markdown",
    "csv": "csv",
    "json": "json",
    "tex": "latex",
    "latex": "latex",
}
_TEXT_ENDING = "txt"
_BINARY_FORMATS = ("pdf", "xlsx")
# fmt: off
_OTHER_ENDINGS = (
    "bmp", "bz2", "doc", "docx", "eps", "gif", "gz", "ipynb", "jpeg", "jpg", "js", "jsonl", "log", "odp", "ods", "odt",
    "png", "ppt", "pptx", "ps", "py", "rtf", "svg", "tar", "toml", "tsv", "webp", "xls", "xlsm", "xml", "yaml", "yml",
    "zip",
)
# fmt: on
"""Endings of files in formats that no command writes with `--output`, TOML aside."""


def ending_of(path: Path) -> str:
    """Return the ending of a path in lower case, without its dot.

    >>> ending_of(Path("sheets/x.PDF")), ending_of(Path("sheets"))
    ('pdf', '')
    """
    return path.suffix.lower().removeprefix(".")


def is_file_name(path: Path) -> bool:
    """Return whether a path ends like a file rather than like a folder, and is no folder already.

    >>> is_file_name(Path("x.pdf")), is_file_name(Path("x.docx")), is_file_name(Path("release-1.2"))
    (True, True, False)
    """
    ending = ending_of(path)
    if ending not in FORMATS_BY_ENDING and ending != _TEXT_ENDING and ending not in _OTHER_ENDINGS:
        return False
    try:
        return not path.is_dir()
    except (OSError, ValueError):
        return True


def format_for(output: Path | None, format: str | None, formats: Sequence[str], default: str) -> str:
    """Return the format to write into `output`: `format` if it is given, else that of the ending, else `default`.

    Refuse an ending that `formats` does not have, and a `format` that contradicts the ending.

    >>> format_for(Path("x.md"), None, ["table", "markdown"], "table")
    'markdown'
    """
    ending = "" if output is None else ending_of(output)
    if output is None or not is_file_name(output):
        return default if format is None else format
    if ending == _TEXT_ENDING:
        if (format or default) in _BINARY_FORMATS:
            raise InputError(f"{truncate_middle(output)} ends like text; write .{format or default} instead of .txt")
        return default if format is None else format
    expected = FORMATS_BY_ENDING.get(ending, "")
    if expected not in formats:
        raise InputError(f"cannot write {truncate_middle(output)}: no format {quote(ending)}; {_choices(formats)}")
    if format is not None and format != expected:
        raise InputError(
            f"--format {format} does not match {truncate_middle(output)}; "
            "leave out --format, or give the file another ending"
        )
    return expected


def check_ending(output: Path | None, reason: str, ending: str) -> None:
    """Raise `InputError` if an output file has the ending of a format other than that of `ending`."""
    if output is not None and ending_of(output) in FORMATS_BY_ENDING and ending_of(output) != ending:
        raise InputError(f"cannot write {truncate_middle(output)}: {reason}; give the file the ending .{ending}")


def _choices(formats: Sequence[str]) -> str:
    endings = {format: ending for ending, format in reversed(FORMATS_BY_ENDING.items())}
    return "endings are " + ", ".join(f".{endings[format]}" for format in formats if format in endings)
