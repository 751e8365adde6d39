// Documents of the server as elements: figures, tables and notes, every value with its exact value.

import { el } from "./dom.js";

const MAX_LINE = 20; // characters of a figure on one line with its label
const MAX_CELL = 18; // characters of a number in a table that does not wrap

function valueElement(tag, cell, attributes = {}) {
  return el(tag, { ...attributes, "data-exact": cell.exact }, cell.text);
}

export function renderTable(data, label = "") {
  const isNarrow = data.rows.length && data.columns.length <= 3;
  const headings = data.columns.map((column, index) =>
    el("th", { scope: "col", class: columnClasses(column, true), tabindex: index ? -1 : 0 }, column.title),
  );
  const firstTotal = data.rows.length - data.totals;
  const rows = data.rows.map((row, index) =>
    el("tr", { class: index >= firstTotal ? "total" : undefined }, row.map((cell, column) => tableCell(data, column, cell))),
  );
  return el(
    "div.scroll",
    {},
    el(
      `table${isNarrow ? ".narrow" : ""}`,
      { role: "grid", "aria-label": data.caption || label || undefined },
      data.caption ? el("caption", {}, data.caption) : null,
      el("thead", {}, el("tr", {}, headings)),
      el("tbody", {}, rows),
    ),
  );
}

function tableCell(data, index, cell) {
  const column = data.columns[index];
  const isKey = index < data.keys;
  const isLong = column.number && cell.text.length > MAX_CELL;
  const classes = [columnClasses(column), signClass(column, cell), choiceClass(data, column, cell), isLong && "long"];
  return valueElement(isKey ? "th" : "td", cell, {
    scope: isKey ? "row" : undefined,
    class: classes.filter(Boolean).join(" ") || undefined,
    tabindex: -1,
  });
}

function columnClasses(column, isHeading = false) {
  const classes = [column.number && "number", column.spare && "spare", isHeading && column.choice && "choice"];
  return classes.filter(Boolean).join(" ") || undefined;
}

/** Give equal actions in a table of choices the same color, as strategy cards do. */
function choiceClass(data, column, cell) {
  if (!column.choice) return "";
  data.choices ??= [...new Set(data.rows.flat().map((item) => item.text).filter((text) => /^[A-Za-z ]+$/.test(text)))].sort();
  return `choice choice-${data.choices.indexOf(cell.text) % 4}`;
}

const SIGNED_COLUMN = /change|difference|by$/i;

function signClass(column, cell) {
  if (!SIGNED_COLUMN.test(column.title) || !cell.exact || cell.exact === "0") return "";
  return cell.text.startsWith("−") ? "less" : "more";
}

export function renderFigures(figures) {
  if (!figures.length) return null;
  const items = figures.map((figure) => {
    const isLong = figure.text.length > MAX_LINE;
    const value = valueElement("dd", figure, { tabindex: figure.exact ? 0 : undefined });
    return el("div", { class: isLong ? "long" : undefined }, el("dt", {}, figure.label), value);
  });
  return el("dl.facts", {}, items);
}

export function renderNotes(notes) {
  return notes.length ? el("ul.notes", {}, notes.map((text) => el("li", {}, text))) : null;
}

export function renderFlags(flags) {
  return flags.length ? el("ul.flags", {}, flags.map((text) => el("li", {}, text))) : null;
}

export function renderDocument(data) {
  return [
    el("h2", {}, data.title),
    data.subtitle ? el("p.subtitle", {}, data.subtitle) : null,
    renderFlags(data.flags),
    renderFigures(data.figures),
    data.tables.map((table) => renderTable(table, data.title)),
    renderNotes(data.notes),
  ];
}

/** Replace the children of an element; a focused table cell keeps the focus. */
export function redraw(element, ...children) {
  const cell = /** @type {HTMLTableCellElement} */ (document.activeElement?.closest?.("td, th"));
  const focused = element.contains(cell) && {
    table: [...element.querySelectorAll("table")].indexOf(cell.closest("table")),
    row: /** @type {HTMLTableRowElement} */ (cell.parentNode).rowIndex,
    column: cell.cellIndex,
  };
  element.replaceChildren(...children.flat(9).filter(Boolean));
  const newCell = focused && element.querySelectorAll("table")[focused.table]?.rows[focused.row]?.cells[focused.column];
  if (newCell) {
    newCell.tabIndex = 0;
    newCell.focus({ preventScroll: true });
  }
}
