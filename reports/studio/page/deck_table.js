// Figures by deck count, one column each, with the target band of the house edge.

import { $, el } from "./dom.js";
import { parseBand, placeInBand } from "./target.js";
import { redraw } from "./tables.js";

const MARKS = {
  in: ["✓", "within the target band"],
  low: ["▼", "below the target band: better for the player"],
  high: ["▲", "above the target band: better for the house"],
};

const STRIP_LABELS = { house_edge: "Edge", hold: "Hold", hit_frequency: "Hits", standard_deviation: "Deviation" };

export class DeckTable {
  constructor(app) {
    this.app = app;
    $("deck-table").addEventListener("keydown", (event) => this.selectByArrow(event));
  }

  show({ counts, at, decks: rows, flags }) {
    const band = parseBand(this.app.state.target);
    const hadFocus = document.activeElement?.closest("#deck-table [data-decks]");
    const heads = counts.map(({ decks, designed }, index) => this.head(decks, designed, decks === at, index));
    const body = rows.map((row) => this.row(row, counts, at, row.key === "house_edge" || row.key === "hold" ? band : null));
    redraw(
      $("deck-table"),
      el(
        "table.decks",
        {},
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Decks"), heads)),
        el("tbody", {}, body),
      ),
      flags.length ? el("p.flags", {}, flags.join("; ")) : null,
    );
    this.showStrip(rows, counts, at, band);
    this.scrollToSelected();
    if (hadFocus) /** @type {HTMLElement} */ ($("deck-table").querySelector("[aria-pressed=true]"))?.focus();
  }

  /** Scroll to the selected deck count; edges below −100% make the table wider than the page. */
  scrollToSelected() {
    const table = $("deck-table");
    const selected = /** @type {HTMLElement} */ (table.querySelector("th.selected"));
    if (selected) table.scrollLeft = Math.max(0, selected.offsetLeft + selected.offsetWidth - table.clientWidth);
  }

  /** The figures of the selected deck count in one line, for narrow screens. */
  showStrip(rows, counts, at, band) {
    const index = counts.findIndex(({ decks }) => decks === at);
    const items = rows.map(({ key, label, cells }) => {
      const place = ["house_edge", "hold"].includes(key) ? placeInBand(cells[index]?.at, band) : null;
      const mark = place ? ` ${MARKS[place][0]}` : "";
      return el("span", {}, `${STRIP_LABELS[key] ?? label} `, el("b", {}, `${cells[index]?.text ?? "…"}${mark}`));
    });
    $("strip").replaceChildren(el("span", {}, `${at} decks`), ...items);
  }

  head(decks, isDesigned, isSelected, index) {
    const label = `${decks} ${decks === 1 ? "deck" : "decks"}${isDesigned ? "" : ", outside the design"}`;
    const button = el(
      "button",
      {
        type: "button",
        "aria-pressed": isSelected,
        class: isDesigned ? "designed" : undefined,
        title: isDesigned ? "in the design" : "outside the design",
        "aria-label": label,
        "data-decks": decks,
        onclick: () => this.app.selectDecks(decks),
      },
      decks,
    );
    return el("th", { scope: "col", class: isSelected ? "selected" : undefined, "data-column": index }, button);
  }

  row({ key, label, meaning, cells }, counts, at, band) {
    const items = cells.map((cell, index) => {
      const { decks, designed } = counts[index];
      const classes = [decks === at && "selected", !designed && "outside"].filter(Boolean).join(" ");
      const place = placeInBand(cell?.at, band);
      const [mark, markMeaning] = MARKS[place] ?? [];
      return el(
        "td.number",
        { class: `number ${classes} ${place ? `band-${place}` : ""}`, "data-exact": cell?.exact, "data-place": place ?? undefined },
        cell?.text ?? "…",
        mark ? el("span.mark", { title: markMeaning }, el("span", { "aria-hidden": "true" }, mark), el("span.unseen", {}, markMeaning)) : null,
      );
    });
    return el("tr", { "data-key": key }, el("th", { scope: "row", title: meaning }, label), items);
  }

  selectByArrow(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const button = event.target.closest("[data-decks]");
    if (!step || !button) return;
    const buttons = [...$("deck-table").querySelectorAll("[data-decks]")];
    const next = buttons[(buttons.indexOf(button) + step + buttons.length) % buttons.length];
    event.preventDefault();
    /** @type {HTMLElement} */ (next).focus();
  }
}
