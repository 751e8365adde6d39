"""Signatures of PDF files (PAdES) with pyHanko, which is optional: only `load_pades` imports this module."""

from __future__ import annotations

import io
import logging
from pathlib import Path

from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
from pyhanko.pdf_utils.layout import AxisAlignment, SimpleBoxLayoutRule
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.fields import SigFieldSpec, SigSeedSubFilter
from pyhanko.sign.signers import PdfSignatureMetadata, PdfSigner, SimpleSigner
from pyhanko.sign.validation import validate_pdf_signature
from pyhanko.sign.validation.pdf_embedded import EmbeddedPdfSignature
from pyhanko.sign.validation.status import SignatureCoverageLevel
from pyhanko.stamp import StaticStampStyle
from pyhanko_certvalidator import ValidationContext

from reports.publish.pdf_reader import DAMAGED, SignatureState

Box = tuple[int, int, int, int]
"""Left, bottom, right and top, in points from the lower left corner of a page."""

for _name in ("pyhanko", "pyhanko_certvalidator"):
    logging.getLogger(_name).setLevel(logging.CRITICAL)  # an unknown issuer is part of the answer


class _Writer(IncrementalPdfFileWriter):
    """A writer that leaves the metadata as they are: title, dates and PDF/A conformance are those of the sheet."""

    def _update_meta(self) -> None:
        pass


def load_signer(data: bytes, passphrase: bytes | None) -> SimpleSigner | None:
    """Return the signer of a PKCS #12 file; `None` if it cannot be opened."""
    try:
        signer = SimpleSigner.load_pkcs12_data(data, other_certs=[], passphrase=passphrase)
    except (ValueError, TypeError):
        return None
    return signer if signer is not None and signer.signing_cert is not None else None


def add_signature(
    content: bytes, signer: SimpleSigner, name: str, page: int, box: Box | None, stamp: Path | None
) -> bytes:
    """Return a PDF file with a signature after its bytes; `stamp` is the PDF page that is shown in `box`."""
    metadata = PdfSignatureMetadata(field_name=name, subfilter=SigSeedSubFilter.PADES, md_algorithm="sha256")
    layout = SimpleBoxLayoutRule(AxisAlignment.ALIGN_MIN, AxisAlignment.ALIGN_MIN)
    style = (
        StaticStampStyle.from_pdf_file(str(stamp), border_width=0, background_opacity=1, background_layout=layout)
        if stamp is not None
        else None
    )
    field = SigFieldSpec(name, on_page=page, box=box)
    output = PdfSigner(metadata, signer, stamp_style=style, new_field_spec=field).sign_pdf(_Writer(io.BytesIO(content)))
    signed: bytes = output.getvalue()
    return signed


def validate(content: bytes) -> list[SignatureState]:
    """Return the state of each signature of a PDF file."""
    try:
        signatures = PdfFileReader(io.BytesIO(content)).embedded_signatures
    except Exception:  # pyHanko raises many kinds for damaged files
        return [DAMAGED]
    return [state for signature in signatures for state in _validate(signature)]


def _validate(signature: EmbeddedPdfSignature) -> list[SignatureState]:
    try:
        status = validate_pdf_signature(signature, ValidationContext(trust_roots=[], allow_fetching=False))
        certificate = signature.signer_cert
        assert certificate is not None  # a signature that was validated has one
        name = certificate.subject.human_friendly
    except Exception:  # as above
        return [DAMAGED]
    if not status.intact:
        return [SignatureState(f"signature of {name}: the signed bytes were changed", is_broken=True)]
    if not status.valid:
        return [SignatureState(f"signature of {name}: it does not fit its certificate", is_broken=True)]
    if status.coverage not in (SignatureCoverageLevel.ENTIRE_FILE, SignatureCoverageLevel.ENTIRE_REVISION):
        return [SignatureState(f"signature of {name}: it does not cover the file", is_broken=True)]
    return [
        SignatureState(
            f"signature valid: {name}, issuer not checked, SHA-256 of the certificate {certificate.sha256.hex()}"
        )
    ]
