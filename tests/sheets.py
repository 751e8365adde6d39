"""Par sheets that several tests read, made once in each process: some take seconds."""

from concurrent.futures import ProcessPoolExecutor
from functools import lru_cache
from multiprocessing import get_context

from combinat import analyze, find
from decks import Shoe
from reports.identity import Identity
from reports.par_sheet import par_sheet
from reports.sheets import EXTENSIONS, content

WHO = Identity(prepared_by="A. Analyst", date="2026-11-16")


@lru_cache(maxsize=None)
def made(id, decks):
    paytable = find(id)
    return par_sheet(analyze(paytable, Shoe(decks, paytable.bet.pack)), WHO)


@lru_cache(maxsize=1)
def _elsewhere():
    return ProcessPoolExecutor(1, get_context("spawn"))


def in_every_format(sheet, digits=6):
    """Write a sheet in every format; the PDF elsewhere, as a process that has typeset hangs in what it forks later."""
    pdf = _elsewhere().submit(content, sheet, "pdf", digits)
    files = {format: content(sheet, format, digits) for format in EXTENSIONS if format != "pdf"}
    return files | {"pdf": pdf.result()}
