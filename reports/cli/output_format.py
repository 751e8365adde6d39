"""The format of an output file, from its extension and from `--format`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from decks import InputError
from decks.errors import quote, truncate_middle
from reports.cli.arguments import sheet_hint
from reports.render.formats import FORMATS

_TEXT_EXTENSION = "txt"
"""Extension of a file in any text format."""
# fmt: off
_OTHER_EXTENSIONS = (
    "bmp", "bz2", "doc", "docx", "eps", "gif", "gz", "ipynb", "jpeg", "jpg", "js", "jsonl", "log", "odp", "ods", "odt",
    "png", "ppt", "pptx", "ps", "py", "rtf", "svg", "tar", "toml", "tsv", "webp", "xls", "xlsm", "xml", "yaml", "yml",
    "zip",
)
# fmt: on
"""Extensions of formats that no command writes with `--output`, except TOML."""


def formats_by_extension() -> dict[str, str]:
    """Return the formats by extension; .txt has none, because all text formats can use it."""
    return {
        extension: format.name
        for format in FORMATS.values()
        for extension in (format.extension, *format.more_extensions)
        if extension != _TEXT_EXTENSION
    }


def file_extension(path: Path) -> str:
    """Return the extension of a path in lower case, without its dot.

    >>> file_extension(Path("sheets/x.PDF")), file_extension(Path("sheets"))
    ('pdf', '')
    """
    return path.suffix.lower().removeprefix(".")


def is_file_name(path: Path) -> bool:
    """Return whether a path has the extension of a file and is not an existing folder.

    >>> is_file_name(Path("x.pdf")), is_file_name(Path("x.docx")), is_file_name(Path("release-1.2"))
    (True, True, False)
    """
    extension = file_extension(path)
    if extension not in formats_by_extension() and extension != _TEXT_EXTENSION and extension not in _OTHER_EXTENSIONS:
        return False
    try:
        return not path.is_dir()
    except (OSError, ValueError):
        return True


def format_for(output: Path | None, format: str | None, formats: Sequence[str], default: str) -> str:
    """Return the format of the file `output`: `format` if it is given, else that of the extension, else `default`.

    Raise `InputError` if the extension belongs to none of `formats`, or contradicts `format`.

    >>> format_for(Path("x.md"), None, ["table", "markdown"], "table")
    'markdown'
    """
    extension = "" if output is None else file_extension(output)
    if output is None or not is_file_name(output):
        return default if format is None else format
    if extension == _TEXT_EXTENSION:
        if FORMATS[format or default].is_binary:
            raise InputError(
                f"{truncate_middle(output)} has the extension of text; write .{format or default} instead of .txt"
            )
        return default if format is None else format
    expected = formats_by_extension().get(extension, "")
    if expected not in formats:
        raise InputError(
            f"cannot write {truncate_middle(output)}: {quote(extension)} is not a format of this command"
            f"{sheet_hint(expected)}; {_choices(formats)}"
        )
    if format is not None and format != expected:
        raise InputError(
            f"--format {format} does not match {truncate_middle(output)}; omit --format, or change the extension"
        )
    return expected


def check_extension(output: Path | None, reason: str, extension: str) -> None:
    """Raise `InputError` if an output file has the extension of a format other than `extension`."""
    if output is not None and file_extension(output) in formats_by_extension() and file_extension(output) != extension:
        raise InputError(f"cannot write {truncate_middle(output)}: {reason}; use the extension .{extension}")


def _choices(formats: Sequence[str]) -> str:
    extensions = (FORMATS[format].extension for format in formats)
    return "extensions are " + ", ".join(f".{extension}" for extension in extensions if extension != _TEXT_EXTENSION)
