"""Reports for people: documents, par sheets, the command line and the studio.

`page` holds what all formats share: the document `model`, and `numerals`, the only module that rounds. `tables` and
`answers` build the tables of each answer, `sheet` assembles a par sheet, `render` has a renderer per format, `publish`
writes files, `cli` is the command line, and `studio` is the browser application.

The public API is one lazily loaded function: `reports.par_sheet`.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reports.publish.par_sheet import par_sheet

__all__ = ["par_sheet"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'reports' has no attribute {name!r}")
    return getattr(import_module("reports.publish.par_sheet"), name)


def __dir__() -> list[str]:
    return __all__
