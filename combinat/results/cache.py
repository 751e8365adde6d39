"""The answer to `cache`."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, UnsetType

from combinat.results.answer import ANSWER_FORMAT, Answer


class CacheAnswer(Answer, frozen=True, kw_only=True):
    """The state of the stored results."""

    format: str = ANSWER_FORMAT
    folder: Annotated[str, Meta(description="The folder of the entries.")]
    is_used: Annotated[bool, Meta(description="Whether results are read and stored.")]
    entries: Annotated[int, Meta(description="Number of entries.")]
    bytes: Annotated[int, Meta(description="Size of all entries.")]
    max_bytes: Annotated[int, Meta(description="Size above which the oldest entries are deleted.")]
    cleared: Annotated[int | UnsetType, Meta(description="Number of entries that were deleted.")] = UNSET
