"""The state of the signatures of a PDF file."""

from __future__ import annotations

from types import ModuleType

from reports.publish.pdf_reader import SignatureState

INSTALL = "in a checkout of combinat: pip install '.[sign]'"


def load_pades() -> ModuleType | None:
    """Return the module that signs and validates; `None` if pyHanko is not installed."""
    try:
        from reports.publish import pades  # pyHanko is optional, and large
    except ImportError:
        return None
    return pades


def signature_states(content: bytes) -> list[SignatureState]:
    """Return the state of each signature of a PDF file; empty if it has none.

    The signed bytes and the certificate's key are checked, not who issued the certificate.
    """
    pades = load_pades()
    if pades is None:
        return [SignatureState(f"signature not checked: it needs pyHanko; {INSTALL}")]
    states: list[SignatureState] = pades.validate(content)
    return states
