// A field that finds bets of the catalog by name or id.

import { $, el } from "./dom.js";
import { get } from "./server.js";

const MAX_MATCHES = 60;

/** The entries that contain every word of the query, those whose id begins with it first. */
export function findEntries(entries, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const textOf = ({ paytable, title, bet = "" }) => `${paytable} ${title} ${bet}`.toLowerCase();
  const matches = entries.filter((entry) => words.every((word) => textOf(entry).includes(word)));
  const isStart = ({ paytable }) => paytable.toLowerCase().startsWith(query.trim().toLowerCase());
  return [...matches.filter(isStart), ...matches.filter((entry) => !isStart(entry))].slice(0, MAX_MATCHES);
}

export class CatalogPicker {
  constructor(open) {
    this.open = open;
    this.entries = [];
    this.index = -1;
    this.field = /** @type {HTMLInputElement} */ ($("catalog"));
    this.list = $("catalog-list");
    this.field.addEventListener("input", () => this.show());
    this.field.addEventListener("focus", () => this.show());
    this.field.addEventListener("blur", () => setTimeout(() => this.close(), 150));
    this.field.addEventListener("keydown", (event) => this.handleKey(event));
    this.load().catch(() => {}); // without the catalog a bet can still be written or opened as a file
  }

  async load() {
    this.entries = await get("/api/catalog");
    if (document.activeElement === this.field) this.show();
  }

  show() {
    const query = this.field.value;
    const isNewMatch = "new bet".includes(query.trim().toLowerCase());
    this.matches = [...(isNewMatch ? [{ paytable: "new", title: "New bet" }] : []), ...findEntries(this.entries, query)];
    this.index = this.matches.length ? 0 : -1;
    const items = this.matches.map(({ paytable, title }, index) => {
      const onmousedown = (event) => {
        event.preventDefault();
        this.choose(index);
      };
      const name = paytable === "new" ? "New bet" : paytable;
      const rest = paytable === "new" ? "start from an example" : title.replace(paytable, "").trim();
      return el("li", { role: "option", id: `entry-${index}`, "data-id": paytable, onmousedown }, el("b", {}, name), el("span", {}, rest));
    });
    if (!items.length) items.push(el("li.none", { role: "option", "aria-disabled": "true" }, "No bet has these words"));
    this.list.replaceChildren(...items);
    this.list.hidden = false;
    this.field.setAttribute("aria-expanded", "true");
    this.mark();
  }

  mark() {
    [...this.list.children].forEach((item, index) => item.setAttribute("aria-selected", String(index === this.index)));
    if (this.index >= 0) {
      this.field.setAttribute("aria-activedescendant", `entry-${this.index}`);
      this.list.children[this.index]?.scrollIntoView({ block: "nearest" });
    } else this.field.removeAttribute("aria-activedescendant");
  }

  handleKey(event) {
    if (event.key === "Escape") this.close();
    else if (event.key === "Enter" && this.index >= 0 && !this.list.hidden) this.choose(this.index);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      if (this.list.hidden) this.show();
      const step = event.key === "ArrowDown" ? 1 : -1;
      this.index = (this.index + step + this.matches.length) % (this.matches.length || 1);
      this.mark();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  choose(index) {
    const { paytable } = this.matches[index];
    this.field.value = "";
    this.close();
    this.open(paytable);
  }

  close() {
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.field.removeAttribute("aria-activedescendant");
  }
}
