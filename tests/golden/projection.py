"""Numbers-only projections of files: what must not change while their wording does."""

import csv
import io
import json
import re

NUMERIC = re.compile(r"[-+−≤≥]?[\d,]*\.?\d+(e[-+]?\d+)?(/[\d,]+)?\s?%?")
"""An integer, a decimal, a fraction or a percentage, and nothing else."""


def numbers_of_json(content):
    """Keep the shape of JSON and its numbers; replace prose, hashes and names by `None`."""

    def project(value):
        match value:
            case dict():
                return {key: project(item) for key, item in value.items()}
            case list():
                return [project(item) for item in value]
            case str():
                return value if NUMERIC.fullmatch(value) else None
            case _:
                return value

    documents = json.loads(content)
    return json.dumps(project(documents))


def numbers_of_csv(content):
    """Keep the numeric fields of each row; drop rows without any."""
    rows = csv.reader(io.StringIO(content.decode("utf-8")))
    numeric = [[field for field in row if NUMERIC.fullmatch(field)] for row in rows]
    return json.dumps([row for row in numeric if row])


def numbers_of_workbook(content):
    """Keep the numbers and formulas of each worksheet, in reading order."""
    import openpyxl

    workbook = openpyxl.load_workbook(io.BytesIO(content), read_only=True)
    kept = []
    for worksheet in workbook.worksheets:
        values = [value for row in worksheet.iter_rows(values_only=True) for value in row]
        kept.append([str(value) for value in values if is_number_or_formula(value)])
    return json.dumps(kept)


def is_number_or_formula(value):
    if isinstance(value, str):
        return value.startswith("=") or NUMERIC.fullmatch(value) is not None
    return value is not None


PROJECTIONS = {".json": numbers_of_json, ".csv": numbers_of_csv, ".xlsx": numbers_of_workbook}
"""By file ending. Other formats are typeset from the same pages and have no projection."""
