"""Read PDF files of par sheets: attached files, the text of pages, and what a signature added. Uses pypdf."""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from decks import InputError

if TYPE_CHECKING:
    from pypdf import PdfReader

_SIGNED_PAGE_KEYS = {"/Annots"}
"""Keys of a page that a signature may change."""
_SIGNED_CATALOG_KEYS = {"/AcroForm", "/DSS", "/Extensions", "/Perms", "/Version"}
"""Keys of a document's catalog that a signature may change."""


class PdfFile:
    """A PDF file that is not encrypted."""

    def __init__(self, content: bytes) -> None:
        from pypdf import PdfReader

        logging.getLogger("pypdf").setLevel(logging.CRITICAL)  # one line about a damaged file is enough
        try:
            self.reader: PdfReader = PdfReader(io.BytesIO(content))
            if self.reader.is_encrypted:
                raise InputError("this PDF is encrypted; save it without a password")
            self.page_count = len(self.reader.pages)
        except InputError:
            raise
        except Exception:  # pypdf raises many kinds for damaged files
            raise InputError("this PDF is damaged") from None

    def read_attachments(self) -> dict[str, bytes]:
        """Return the attached files by name."""
        try:
            return {name: contents[0] for name, contents in self.reader.attachments.items() if contents}
        except Exception:  # as above
            raise InputError("the attachments of this PDF are damaged") from None

    def read_pages(self) -> list[str]:
        """Return the text of each page."""
        try:
            return [page.extract_text() for page in self.reader.pages]
        except Exception:  # as above
            raise InputError("the pages of this PDF are damaged") from None

    def read_outline(self) -> list[tuple[str, int]]:
        """Return the bookmarks with their page numbers, in order."""
        try:
            return list(self._iter_bookmarks(self.reader.outline))
        except Exception:  # as above
            raise InputError("the bookmarks of this PDF are damaged") from None

    def _iter_bookmarks(self, items: Any) -> Iterator[tuple[str, int]]:
        for item in items:
            if isinstance(item, list):
                yield from self._iter_bookmarks(item)
            else:
                page = self.reader.get_destination_page_number(item)
                yield str(item.title), 0 if page is None else page + 1


def describe_update(original: bytes, content: bytes) -> list[str]:
    """Return what the bytes after `original` change besides adding a signature."""
    before, after = PdfFile(original).reader, PdfFile(content).reader
    problems = []
    if not any(_is_signature(field) for field in _form_fields(after)):
        problems.append("bytes were added to the PDF, but no signature")
    for number in sorted(_object_numbers(before)):
        if not _is_redefined(after, number, len(original)):
            continue
        allowed = _changeable_keys(before, number)
        if allowed is None or _plain(before, number, allowed) != _plain(after, number, allowed):
            problems.append(f"the update changes object {number} of the sheet")
    for index, page in enumerate(after.pages, 1):
        for annotation in page.get("/Annots") or ():
            is_old = annotation in (before.pages[index - 1].get("/Annots") or ())
            if (
                not is_old
                and not _is_signature(annotation.get_object())
                and annotation.get_object().get("/Subtype") != "/Link"
            ):
                problems.append(f"page {index}: the update adds an annotation that is no signature")
    return problems


def _form_fields(reader: PdfReader) -> list[Any]:
    form = reader.trailer["/Root"].get_object().get("/AcroForm")  # type: ignore[union-attr]  # a catalog is a dictionary
    return [field.get_object() for field in form.get_object().get("/Fields", ())] if form else []


def _is_signature(field: Any) -> bool:
    return bool(field.get("/FT") == "/Sig" and field.get("/V") is not None)


def _object_numbers(reader: PdfReader) -> set[int]:
    return {number for objects in reader.xref.values() for number in objects} | set(reader.xref_objStm)


def _is_redefined(reader: PdfReader, number: int, length: int) -> bool:
    """Return whether an object stands after the first `length` bytes of the file."""
    if number in reader.xref_objStm:
        number = reader.xref_objStm[number][0]
    return any(objects.get(number, 0) >= length for objects in reader.xref.values())


def _changeable_keys(reader: PdfReader, number: int) -> set[str] | None:
    """Return the keys that a signature may change in an object; `None` if it may not be changed."""
    from pypdf.generic import IndirectObject

    item = IndirectObject(number, 0, reader).get_object()
    kind = item.get("/Type") if isinstance(item, dict) else None
    return {"/Page": _SIGNED_PAGE_KEYS, "/Catalog": _SIGNED_CATALOG_KEYS}.get(str(kind))


def _plain(reader: PdfReader, number: int, without: set[str]) -> dict[str, str]:
    """Return an object's entries as text, with references by number."""
    from pypdf.generic import IndirectObject

    item: Any = IndirectObject(number, 0, reader).get_object()
    if not isinstance(item, dict):
        return {}
    return {key: _text(item.raw_get(key)) for key in item if key not in without}  # type: ignore[attr-defined]


def _text(value: Any) -> str:
    from pypdf.generic import IndirectObject

    if isinstance(value, IndirectObject):
        return f"{value.idnum} {value.generation} R"
    if isinstance(value, dict):
        return str({key: _text(value.raw_get(key)) for key in value})  # type: ignore[attr-defined]
    return str([_text(item) for item in value]) if isinstance(value, list) else repr(value)


class SignatureState(Struct, frozen=True):
    """The state of one signature."""

    text: str
    is_broken: bool = False
    """Whether the signed bytes were changed, or the signature does not fit the certificate."""


DAMAGED = SignatureState("the signature is damaged", is_broken=True)
