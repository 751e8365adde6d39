"""Signatures of PDF files (PAdES) by pyHanko, with a stamp in the signature block."""

from __future__ import annotations

import io
import os
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from combinat.bets.schema import read_small_file
from combinat.requests.request import Notify
from combinat.requests.submit import PASSPHRASE_VARIABLE, Sign
from combinat.results.submit import SignAnswer
from decks import InputError
from decks.errors import quote, truncate_middle
from reports.page.files import check_output_path, write_file
from reports.publish.pdf_reader import PdfFile
from reports.render.pdf import render_stamp
from reports.sheet.identity import fingerprint
from reports.sheet.sections.identification import SIGNATURE_LINES

if TYPE_CHECKING:
    from pyhanko.sign.signers import SimpleSigner

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
    signer = _load_signer(request)
    certificate = signer.signing_cert
    assert certificate is not None  # _load_signer refuses a file without one
    name = certificate.subject.human_friendly
    place = find_signature_line(content, ROLES.index(request.role))
    signed = sign_content(content, signer, place, request.role)
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


def _load_signer(request: Sign) -> SimpleSigner:
    """Load the key and the certificate of a PKCS #12 file."""
    try:
        from pyhanko.sign.signers import SimpleSigner
    except ImportError:
        raise InputError('signing needs pyHanko: pip install "combinat[sign]"') from None
    if not os.fspath(request.certificate):
        raise InputError("name the certificate, for example --certificate signer.p12")
    path = Path(request.certificate)
    data = _read(path, "the certificate")
    try:
        signer = SimpleSigner.load_pkcs12_data(data, other_certs=[], passphrase=_passphrase(request))
    except (ValueError, TypeError):
        signer = None
    if signer is None or signer.signing_cert is None:
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
        labels: list[tuple[float, float]] = []

        def collect(text: str, transform: Any, matrix: Any, *_: Any, labels: Any = labels) -> None:
            if text.strip() == _SIGNATURE:
                labels.append(_position(transform, matrix))

        page.extract_text(visitor_text=collect)
        places += [(page_index, x, y, float(page.mediabox.width)) for x, y in labels]
    if not places:
        return None
    page_index, x, y, width = places[min(index, len(places) - 1)]
    box = (round(x), round(y) + _LINE_OFFSET, round(width) - _RIGHT_MARGIN, round(y) + _LINE_OFFSET + _STAMP_HEIGHT)
    return StampPlace(page_index, box)


def _position(transform: Sequence[float], matrix: Sequence[float]) -> tuple[float, float]:
    """Return the position of a text on the page, from its own matrix and that of the page."""
    x, y = matrix[4], matrix[5]
    a, b, c, d, e, f = transform
    return a * x + c * y + e, b * x + d * y + f


def sign_content(content: bytes, signer: SimpleSigner, place: StampPlace | None, role: str) -> bytes:
    """Return a PDF file with a signature after its bytes."""
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.pdf_utils.layout import AxisAlignment, SimpleBoxLayoutRule
    from pyhanko.sign import fields
    from pyhanko.sign.signers import PdfSignatureMetadata, PdfSigner
    from pyhanko.stamp import StaticStampStyle

    class Writer(IncrementalPdfFileWriter):
        """A writer that leaves the metadata as they are: title, dates and PDF/A conformance are those of the sheet."""

        def _update_meta(self) -> None:
            pass

    name = _field_name(content, role)
    box = place.box if place else None
    field = fields.SigFieldSpec(name, on_page=place.page if place else 0, box=box)
    metadata = PdfSignatureMetadata(field_name=name, subfilter=fields.SigSeedSubFilter.PADES, md_algorithm="sha256")
    style = None
    with tempfile.TemporaryDirectory() as folder:
        if box:
            stamp = Path(folder) / "stamp.pdf"
            time = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
            signer_name = str(signer.subject_name)
            stamp.write_bytes(render_stamp([f"Signed by {signer_name}", time], box[2] - box[0], box[3] - box[1]))
            layout = SimpleBoxLayoutRule(AxisAlignment.ALIGN_MIN, AxisAlignment.ALIGN_MIN)
            style = StaticStampStyle.from_pdf_file(
                str(stamp), border_width=0, background_opacity=1, background_layout=layout
            )
        writer = Writer(io.BytesIO(content))
        output = PdfSigner(metadata, signer, stamp_style=style, new_field_spec=field).sign_pdf(writer)
    signed: bytes = output.getvalue()
    return signed


def _field_name(content: bytes, role: str) -> str:
    """Return a name for a new signature field: one that the file does not have."""
    names = set(PdfFile(content).reader.get_fields() or {})
    name, number = role.capitalize(), 1
    while name in names:
        number += 1
        name = f"{role.capitalize()} {number}"
    return name
