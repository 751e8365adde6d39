// Documents as the server gives them: figures, tables and notes, every value with what it is exactly.

import { el } from "./dom.js";

function valued(tag, cell, given = {}) {
  return el(tag, { ...given, "data-exact": cell.exact }, cell.text);
}

export function table(given, label = "") {
  const narrow = given.rows.length && given.columns.length <= 3;
  const head = el("tr", {}, given.columns.map((column, place) => el("th", { scope: "col", class: classes(column), tabindex: place ? -1 : 0 }, column.title)));
  const last = given.rows.length - given.totals;
  const rows = given.rows.map((row, number) =>
    el(
      "tr",
      { class: number >= last ? "total" : undefined },
      row.map((cell, place) =>
        valued(place < given.keys ? "th" : "td", cell, {
          scope: place < given.keys ? "row" : undefined,
          class: [classes(given.columns[place]), sign(given.columns[place], cell), chosen(given, place, cell)].filter(Boolean).join(" ") || undefined,
          tabindex: -1,
        }),
      ),
    ),
  );
  return el(
    "div.scroll",
    {},
    el(
      `table${narrow ? ".narrow" : ""}`,
      { role: "grid", "aria-label": given.caption || label || undefined },
      given.caption ? el("caption", {}, given.caption) : null,
      el("thead", {}, head),
      el("tbody", {}, rows),
    ),
  );
}

function classes(column) {
  return [column.number && "number", column.spare && "spare"].filter(Boolean).join(" ") || undefined;
}

/** Shade alike what is alike in a table of choices, as strategy cards do. */
function chosen(given, place, cell) {
  if (!given.columns[place].choice) return "";
  given.choices ??= [...new Set(given.rows.flat().map((one) => one.text))].filter((text) => /^[A-Za-z ]+$/.test(text)).sort();
  return `choice choice-${given.choices.indexOf(cell.text) % 4}`;
}

const SIGNED = /change|difference|by$/i;

function sign(column, cell) {
  if (!SIGNED.test(column.title) || !cell.exact || cell.exact === "0") return "";
  return cell.text.startsWith("−") ? "less" : "more";
}

export function figures(list) {
  return list.length
    ? el("dl.facts", {}, list.map((one) => el("div", {}, el("dt", {}, one.label), valued("dd", one, { tabindex: one.exact ? 0 : undefined, class: one.text.length > 26 ? "long" : undefined }))))
    : null;
}

export function notes(list) {
  return list.length ? el("ul.notes", {}, list.map((text) => el("li", {}, text))) : null;
}

export function flags(list) {
  return list.length ? el("ul.flags", {}, list.map((text) => el("li", {}, text))) : null;
}

export function whole(given) {
  return [
    el("h2", {}, given.title),
    given.subtitle ? el("p.subtitle", {}, given.subtitle) : null,
    flags(given.flags),
    figures(given.figures),
    given.tables.map((one) => table(one, given.title)),
    notes(given.notes),
  ];
}

/** Keep the cell that has the focus in focus when a part of the page is drawn anew. */
export function redrawn(home, ...inside) {
  const cell = document.activeElement?.closest?.("td, th");
  const kept = home.contains(cell) && {
    table: [...home.querySelectorAll("table")].indexOf(cell.closest("table")),
    row: cell.parentNode.rowIndex,
    column: cell.cellIndex,
  };
  home.replaceChildren(...inside.flat(9).filter(Boolean));
  const again = kept && home.querySelectorAll("table")[kept.table]?.rows[kept.row]?.cells[kept.column];
  if (again) {
    again.tabIndex = 0;
    again.focus({ preventScroll: true });
  }
}
