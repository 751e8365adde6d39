"""The layout of tables on the terminal is that of the library which is not loaded for it."""

from hypothesis import given
from hypothesis import strategies as st

from reports.page.model import Column, Style, Table
from reports.render.terminal import grid, simple_grid
from tests.profiles import tries

words = st.text("ab 1,.−♥%\n", max_size=9)


@given(
    st.integers(1, 4).flatmap(lambda n: st.tuples(*[st.lists(words, min_size=n, max_size=n)] * 3)), st.integers(0, 2)
)
@tries(100)
def test_a_table_is_laid_out_as_the_library_does(lines, rows):
    styles = [Style.TEXT, Style.COUNT, Style.TEXT, Style.COUNT]
    columns = tuple(Column(title, style) for title, style in zip(lines[0], styles, strict=False))
    table = Table(columns, tuple(tuple(line) for line in lines[1 : rows + 1]))

    def write(cell, _style, _digits):
        return str(cell)

    assert simple_grid(table, 6, write) == grid(table, "simple", 6, write)
