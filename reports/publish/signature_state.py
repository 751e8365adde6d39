"""The state of the signatures of a PDF file, as pyHanko validates them."""

from __future__ import annotations

import io
import logging

from msgspec import Struct


class SignatureState(Struct, frozen=True):
    """The state of one signature."""

    text: str
    is_broken: bool = False
    """Whether the signed bytes were changed, or the signature does not fit the certificate."""


def signature_states(content: bytes) -> list[SignatureState]:
    """Return the state of each signature of a PDF file; empty if it has none.

    Nothing is downloaded: an issuer that is not installed on this machine is unknown.
    """
    try:
        from pyhanko.pdf_utils.reader import PdfFileReader
        from pyhanko.sign.validation import validate_pdf_signature
        from pyhanko_certvalidator import ValidationContext
    except ImportError:
        return [SignatureState('signature not checked; install pyHanko: pip install "combinat[sign]"')]
    for name in ("pyhanko", "pyhanko_certvalidator"):
        logging.getLogger(name).setLevel(logging.CRITICAL)  # an unknown issuer is part of the answer
    try:
        signatures = PdfFileReader(io.BytesIO(content)).embedded_signatures
    except Exception:  # pyHanko raises many kinds for damaged files
        return [SignatureState("the signature is damaged", is_broken=True)]
    states = []
    for signature in signatures:
        try:
            status = validate_pdf_signature(signature, ValidationContext(allow_fetching=False))
        except Exception:  # as above
            states.append(SignatureState("the signature is damaged", is_broken=True))
            continue
        name = signature.signer_cert.subject.human_friendly
        if not status.intact:
            states.append(SignatureState(f"signature of {name}: the signed bytes were changed", is_broken=True))
        elif not status.valid:
            states.append(SignatureState(f"signature of {name}: it does not fit its certificate", is_broken=True))
        else:
            issuer = "known issuer" if status.trusted else "unknown issuer"
            sha256 = signature.signer_cert.sha256.hex()
            states.append(SignatureState(f"signature valid: {name}, {issuer}, SHA-256 of the certificate {sha256}"))
            if status.coverage.name not in ("ENTIRE_FILE", "ENTIRE_REVISION"):
                states.append(SignatureState(f"signature of {name}: it does not cover the file", is_broken=True))
    return states
