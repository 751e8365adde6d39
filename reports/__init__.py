"""What a person reads.

`page` has what all formats share: documents of facts and figures in the terms of its `model`, and `numerals`, the only
place that rounds. `tables` and `answers` decide which figures stand where, `sheet` puts a par sheet together, `render`
writes each format, `publish` writes files, `cli` is the command line, and `studio` the bench in a browser.

A program needs one name, loaded when it is asked for: `reports.par_sheet`.
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
