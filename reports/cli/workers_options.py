"""The options that say who does the work."""

from __future__ import annotations

from typing import Annotated

import typer

Jobs = Annotated[int, typer.Option("--jobs", "-j", help="Processes to work with; 0 for one on each core.")]
Cluster = Annotated[
    str,
    typer.Option(
        metavar="ADDRESS",
        help="The scheduler of a Dask cluster to work with instead, such as tcp://10.0.0.1:8786.",
    ),
]
