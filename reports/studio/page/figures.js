// The right side: the figures of the bet at the decks chosen, drawn anew after every answer.

import { $, el, quiet } from "./dom.js";
import { bars, line } from "./charts.js";
import { figures, flags, notes, redrawn, table } from "./tables.js";

const TILES = ["house_edge", "hold", "return", "hit_frequency", "fixed_return", "standard_deviation"];
const SHORT = { house_edge: "Edge", hold: "Hold", hit_frequency: "Hits" };

export class Figures {
  constructor(app) {
    this.app = app;
    this.say = quiet(900, (text) => ($("live").textContent = text));
    $("counts").addEventListener("keydown", (event) => this.step(event));
  }

  show(found) {
    this.counts(found);
    const { document: page, sections, plots, overview } = found;
    const tiles = TILES.map((key) => page.figures.find((one) => one.key === key && one.text.length < 18)).filter(Boolean).slice(0, 4);
    const others = page.figures.filter((one) => !tiles.includes(one));
    const [statistics, ...rest] = sections;
    const decks = rest.find((one) => one.plots.length);
    const pays = rest.at(-1);
    redrawn(
      $("shown"),
      el("p.subtitle", {}, page.subtitle),
      flags(page.flags),
      found.option
        ? el("p.notice", {}, `These figures are of the wager alone. With the best ${found.option}: `, el("button", { type: "button", onclick: () => this.app.panel("option") }, `work out the ${found.option}`))
        : null,
      el("div.tiles", {}, tiles.map((one) => el("div.tile", { "data-exact": one.exact, tabindex: 0, "data-key": one.key, role: "group", "aria-label": `${one.label} ${one.text}` }, el("span", {}, one.label), el("strong", {}, one.text), this.app.now.pins.length ? el("small", { "data-label": one.label }, " ") : null))),
      page.tables.map((one, place) => table(one, place ? "" : "Awards")),
      el("div.pictures", {}, plots.map(bars), decks ? line(decks.plots[0], found.at, (at) => this.app.at(at)) : null),
      folded("More figures", true, figures(others)),
      folded("Chosen deck counts", true, table(overview, "Chosen deck counts")),
      folded("Sensitivity to pays", true, pays.tables.map((one) => table(one)), notes(pays.notes)),
      decks ? folded("Every deck count", false, decks.text.map((one) => el("p", {}, one)), decks.tables.map((one) => table(one)), notes(decks.notes)) : null,
      folded("Volatility", false, statistics.text.map((one) => el("p", {}, one)), statistics.tables.map((one) => table(one)), notes(statistics.notes)),
      page.notes.length ? folded("Notes", false, notes(page.notes)) : null,
    );
    const short = tiles.filter((one) => SHORT[one.key]).map((one) => el("span", {}, SHORT[one.key], " ", el("b", {}, one.text)));
    $("strip").replaceChildren(...short);
    this.say(`${found.at} decks. ${tiles.map((one) => `${one.label} ${one.text}`).join(", ")}`);
  }

  /** Say in each tile how far the variant that was pinned last is from it. */
  beside(found) {
    const name = found.columns.at(-2).title;
    for (const spot of document.querySelectorAll("#shown .tile small")) {
      const row = found.rows.find((one) => one[0].text === spot.dataset.label);
      const cell = row?.at(-1);
      spot.textContent = cell ? `${name}: ${/^[−0]/.test(cell.text) ? "" : "+"}${cell.text}` : "";
    }
  }

  counts({ counts, at }) {
    const focused = $("counts").contains(document.activeElement);
    $("counts").replaceChildren(
      ...counts.map((one) =>
        el(
          "button",
          {
            type: "button",
            role: "radio",
            "aria-checked": one.decks === at,
            tabindex: one.decks === at ? 0 : -1,
            class: one.designed ? "designed" : undefined,
            title: one.designed ? "designed for" : "not designed for",
            "aria-label": `${one.decks} decks${one.designed ? "" : ", not designed for"}`,
            onclick: () => this.app.at(one.decks),
          },
          one.decks,
        ),
      ),
    );
    if (focused) $("counts").querySelector("[aria-checked=true]")?.focus();
  }

  step(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    const all = [...$("counts").children];
    const next = all[(all.indexOf(document.activeElement) + step + all.length) % all.length];
    event.preventDefault();
    next?.focus();
    next?.click();
  }
}

const open = new Map();

/** A part that can be folded away, and stays as it was left. */
export function folded(title, is_open, ...inside) {
  const part = el("details.part", {}, el("summary", {}, title), ...inside);
  part.open = open.get(title) ?? is_open;
  part.addEventListener("toggle", () => open.set(title, part.open));
  return part;
}
