"""The only import upward: questions whose answer needs documents are answered by the package `reports`."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Any

from combinat.requests.request import Notify, Request

_ANSWERS = {
    "Parsheet": "reports.publish.par_sheet:compute_sheets",
    "Verify": "reports.publish.verification:verify_sheets",
    "Submit": "reports.submission.answer:submit",
    "Rebuild": "reports.submission.answer:rebuild",
    "Sign": "reports.submission.signature:sign",
    "Diff": "reports.diff.answer:answer_diff",
}
"""The function that answers a request, by the name of its class."""


def ask_reports(request: Request[Any, Any], notify: Notify) -> Any:
    """Answer a request by the function that is registered for it, which is imported on the first call."""
    return resolve_name(_ANSWERS[type(request).__name__])(request, notify)
