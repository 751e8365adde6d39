"""A figure is one entry of the table of figures, and one of the verifier, which differs until it has it."""

import subprocess
import sys

ADD_A_FIGURE = """
import combinat.figures as figures
from combinat.study import Basis

toy = figures.Figure(
    "toy", "Toy figure", {Basis.WAGER: lambda study: 7}, "A toy.", "decimal", (figures.Group.ANSWER,), cell="Toy",
    formula="3+4",
)
figures._FIGURES = (*figures._FIGURES, toy)
figures.FIGURES = {figure.key: figure for figure in figures._FIGURES}

import io, openpyxl
from combinat import analyze, par_sheet
from combinat.results.par_sheet import sheet_schema
from reports.answers.show import award_document
from reports.render.formats import render_text

result = analyze("TRI-03", 6)
sheet = par_sheet("TRI-03", 6)
book = openpyxl.load_workbook(io.BytesIO(sheet.xlsx()))
print(
    result.toy,
    result.to_dict()["toy"],
    "Toy figure" in result._repr_html_(),
    "Toy figure" in render_text(award_document(result.study), "table", 8),
    sheet.payload["toy"],
    sheet.payload["bases"]["toy"],
    "Toy figure" in sheet.text("markdown"),
    sheet_schema()["properties"]["toy"]["description"],
    "Toy" in book.defined_names,
    sep="|",
)

import combinat.verifier.expected as verifier
from combinat import verify

count = verifier.wager_figures
print(verify(sheet).agrees)
verifier.wager_figures = lambda pays, counts: count(pays, counts) | {"toy": 7}
print(verify(par_sheet("TRI-03", 6)).agrees)
"""


def test_new_figure_is_one_entry_of_the_table():
    shown = subprocess.run([sys.executable, "-c", ADD_A_FIGURE], capture_output=True, text=True, check=True).stdout
    assert shown == "7|7|True|True|7|wager alone|True|A toy.|True\nFalse\nTrue\n"
