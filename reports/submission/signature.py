"""Signatures of PDF files (PAdES) by pyHanko, with a stamp in the signature block."""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import UTC, datetime
from os import fspath
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any

from msgspec import Struct

from combinat.bets.schema import read_small_file
from combinat.requests.request import Notify
from combinat.requests.submit import PASSPHRASE_VARIABLE, Sign
from combinat.results.submit import SignAnswer
from decks import InputError
from decks.errors import quote, truncate_middle
from reports.page.files import check_output_path, write_file
from reports.publish.pdf_reader import PdfFile
from reports.publish.signature_state import INSTALL, load_pades
from reports.render.pdf import render_stamp
from reports.sheet.identity import fingerprint
from reports.sheet.sections.identification import SIGNATURE_LINES

ROLES = ("prepared", "reviewed")
_SIGNATURE = SIGNATURE_LINES[-1]
_MAX_BYTES = 100_000_000
_MAX_PASSPHRASE = 10_000
_LINE_OFFSET, _STAMP_HEIGHT = 9, 20
"""Points from the baseline of the label to the stamp, and the height of the stamp."""
_RIGHT_MARGIN = 57
"""Points from the end of the signature line to the edge of the page."""


class StampPlace(Struct, frozen=True):
    """Where the stamp of a signature goes."""

    page: int
    """Index of the page, from 0."""
    box: tuple[int, int, int, int]
    """Left, bottom, right and top, in points from the lower left corner."""


def sign(request: Sign, _notify: Notify) -> list[SignAnswer]:
    """Sign the file of a request and write the signed file."""
    if request.role not in ROLES:
        raise InputError(f"--role must be {' or '.join(ROLES)}, got {quote(request.role)}")
    content = _read(request.path, "the PDF file")
    if not content.startswith(b"%PDF-"):
        raise InputError(f"{truncate_middle(request.path)} is not a PDF file")
    output = request.output_path
    check_output_path(output)
    if output.exists():
        raise InputError(f"{truncate_middle(output)} exists; choose another file with --output")
    pades = load_pades()
    if pades is None:
        raise InputError(f"signing needs pyHanko; {INSTALL}")
    signer = _load_signer(request, pades)
    certificate = signer.signing_cert
    name = certificate.subject.human_friendly
    try:
        place = find_signature_line(content, ROLES.index(request.role))
        signed = _sign(content, signer, place, request.role, pades)
    except InputError as error:
        raise InputError(f"cannot sign {truncate_middle(request.path)}: {error}") from None
    write_file(output, signed, named=True)
    return [
        SignAnswer(
            output=str(output),
            signer=name,
            certificate_sha256=certificate.sha256.hex(),
            page=None if place is None else place.page + 1,
            original_sha256=fingerprint(content),
            sha256=fingerprint(signed),
        )
    ]


def _read(path: Path, what: str, limit: int = _MAX_BYTES) -> bytes:
    try:
        return read_small_file(path, limit)
    except OSError as error:
        raise InputError(f"cannot read {what} {truncate_middle(path)}: {error.strerror}") from None
    except InputError as error:
        raise InputError(f"cannot read {what} {truncate_middle(path)}: {error}") from None


def _load_signer(request: Sign, pades: ModuleType) -> Any:
    """Load the key and the certificate of a PKCS #12 file."""
    if not fspath(request.certificate):
        raise InputError("name the certificate, for example --certificate signer.p12")
    path = Path(request.certificate)
    signer = pades.load_signer(_read(path, "the certificate"), _passphrase(request))
    if signer is None:
        raise InputError(f"cannot open {truncate_middle(path)}: it is not a PKCS #12 file, or the passphrase is wrong")
    return signer


def _passphrase(request: Sign) -> bytes | None:
    """Return the passphrase: as given, from a file, or from the environment; `None` for none."""
    if request.passphrase is not None:
        return request.passphrase.encode("utf-8") or None
    if request.passphrase_file is not None:
        content = _read(Path(request.passphrase_file), "the passphrase file", _MAX_PASSPHRASE)
        return content.rstrip(b"\r\n") or None
    return os.environ.get(PASSPHRASE_VARIABLE, "").encode("utf-8") or None


def find_signature_line(content: bytes, index: int) -> StampPlace | None:
    """Return the place of the signature line of a signer: 0 for the preparer, 1 for the reviewer.

    The last line is used if there are fewer, and `None` is returned if there is none.
    """
    places = []
    for page_index, page in enumerate(PdfFile(content).reader.pages):
        labels: list[tuple[int, int]] = []

        def collect(text: str, transform: Any, matrix: Any, *_: Any, labels: Any = labels) -> None:
            if text.strip() == _SIGNATURE:
                labels.append(_position(transform, matrix))

        page.extract_text(visitor_text=collect)
        places += [(page_index, x, y, int(page.mediabox.width)) for x, y in labels]
    if not places:
        return None
    page_index, x, y, width = places[min(index, len(places) - 1)]
    box = (x, y + _LINE_OFFSET, width - _RIGHT_MARGIN, y + _LINE_OFFSET + _STAMP_HEIGHT)
    return StampPlace(page_index, box)


def _position(transform: Sequence[Any], matrix: Sequence[Any]) -> tuple[int, int]:
    """Return the position of a text on the page, from its own matrix and that of the page."""
    x, y = matrix[4], matrix[5]
    a, b, c, d, e, f = transform
    return int(a * x + c * y + e), int(b * x + d * y + f)


def _sign(content: bytes, signer: Any, place: StampPlace | None, role: str, pades: ModuleType) -> bytes:
    """Return a PDF file with a signature after its bytes."""
    name = _field_name(content, role)
    page, box = (place.page, place.box) if place else (0, None)
    with TemporaryDirectory() as folder:
        stamp = Path(folder) / "stamp.pdf"
        if box:
            time = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
            lines = [f"Signed by {signer.subject_name}", time]
            stamp.write_bytes(render_stamp(lines, box[2] - box[0], box[3] - box[1]))
        signed: bytes = pades.add_signature(content, signer, name, page, box, stamp if box else None)
    return signed


def _field_name(content: bytes, role: str) -> str:
    """Return a name for a new signature field: one that the file does not have."""
    names = set(PdfFile(content).reader.get_fields() or {})
    name, number = role.capitalize(), 1
    while name in names:
        number += 1
        name = f"{role.capitalize()} {number}"
    return name
