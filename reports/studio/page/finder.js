// Finding pays: what they may be and what must hold, the ladders that do it, and one of them taken into the bet.

import { el } from "./dom.js";
import * as edits from "./edits.js";
import { Panel } from "./panel.js";
import { Refusal, ask } from "./server.js";
import { notes, redrawn, table } from "./tables.js";

const ORDERS = ["closest", "roundest", "lowest volatility", "highest volatility"];
const FALLING = { yes: "each pays less than the one above", equal: "none pays more than one above", no: "in any order" };

export class Finder extends Panel {
  constructor(app) {
    super(app, "find", "Find");
    this.out = el("div");
    this.meters = el("div.fields");
    const order = this.choice("order", "First", Object.fromEntries(ORDERS.map((one) => [one, one])));
    const falling = this.choice("falling", "Awards", FALLING);
    for (const one of [order, falling]) one.classList.add("inline");
    this.button = el("button.strong", { type: "button", onclick: () => this.find() }, "Find pays");
    this.home.append(
      el(
        "div.fields",
        {},
        this.field("pays", "What awards may pay", { value: "*=1..50", size: 24 }),
        this.field("edge", "House edge", { placeholder: "4%..5%", value: "4%..5%" }),
        this.field("for_decks", "At decks", { placeholder: "those shown", size: 8 }),
      ),
      el(
        "div.fields",
        {},
        this.field("hit_frequency", "Hit frequency", { placeholder: "any" }),
        this.field("standard_deviation", "Standard deviation", { placeholder: "any" }),
        this.field("top_share", "Top award's share", { placeholder: "any" }),
        this.field("target", "Wanted edge", { placeholder: "the middle" }),
      ),
      this.meters,
      el("div.row", {}, falling, order, this.button),
      el("p.notice", {}, "Pays are written as ", el("code", {}, "Flush=3..8, Straight=5|10, Pair=1|out"), "; ", el("code", {}, "*"), " is every award that has a fixed pay, except a push. Limits may be open: ", el("code", {}, "..4"), "."),
      this.out,
    );
  }

  update() {
    this.button.disabled = !this.app.figures_found || this.is_busy;
    const meters = this.app.figures_found?.meters ?? [];
    if (this.names === meters.join()) return;
    this.names = meters.join();
    const fields = [this.field("seed", "Seeds of meters", { placeholder: "as written" }), this.field("rate", "Rates of meters", { placeholder: "as written" })];
    this.meters.replaceChildren(...(meters.length ? fields : []));
  }

  asked() {
    const { pays = "*=1..50", edge = "4%..5%", falling = "yes", order = ORDERS[0], ...others } = this.given();
    const given = Object.fromEntries(Object.entries(others).map(([name, value]) => [name, value.trim()]).filter(([, value]) => value));
    const question = this.app.question();
    return { ...question, for_decks: String(question.at), ...given, pays, edge, order, falling: { yes: true, no: false }[falling] ?? null, best: 20 };
  }

  async find() {
    const bar = el("progress", { max: 1, "aria-label": "How far the search is" });
    this.is_busy = true;
    this.update();
    redrawn(this.out, el("p.notice", {}, "Searching all combinations, exactly … ", bar));
    try {
      const found = await ask("/page/found", this.asked(), { told: (done, total) => (bar.value = done / (total || 1)) });
      this.draw(found);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.fails(error);
    } finally {
      this.is_busy = false;
      this.update();
    }
  }

  draw({ document: page, candidates }) {
    const list = table(page.tables[0], "Pays that were found");
    list.querySelectorAll("tbody tr").forEach((row, number) => {
      row.append(el("td", {}, el("button", { type: "button", "aria-label": `Take number ${number + 1} into the bet`, onclick: () => this.take(candidates[number]) }, "Take")));
    });
    list.querySelector("thead tr").append(el("th", { scope: "col" }, el("span.unseen", {}, "Take")));
    redrawn(this.out, el("p.subtitle", {}, page.subtitle), list, notes(page.notes));
  }

  /** Write the pays, seeds and rates that were found into the text, and leave the rest of it as it is. */
  take({ pays, meters }) {
    const { app } = this;
    if (!app.is_outlined()) return;
    const at = (path) => edits.by_path(app.outline).get(edits.key(path));
    const paytable = ["paytable", app.form.number];
    const changes = [];
    for (let number = 0; at([...paytable, "awards", number]); number++) {
      const award = [...paytable, "awards", number];
      const name = at([...award, "name"])?.value ?? at([...award, "hand"])?.value;
      if (!(name in pays)) continue;
      const place = at([...award, "pays"]);
      if (pays[name] === null) changes.push([at(award).from, (text) => edits.without_item(text, at(award))]);
      else if (place.value !== pays[name]) changes.push([place.from, (text) => text.slice(0, place.from) + edits.quoted(pays[name]) + text.slice(place.to)]);
    }
    for (const one of app.outline) {
      const [, number, key, , , , field] = one.path;
      if (number !== app.form.number || key !== "meters" || one.path.length !== 7) continue;
      const level = at([...one.path.slice(0, -1), "name"])?.value;
      const found = meters.find((each) => each.meter === level && each.key === field);
      if (found) changes.push([one.from, (text) => text.slice(0, one.from) + edits.quoted(found.value) + text.slice(one.to)]);
    }
    changes.sort((one, other) => other[0] - one[0]); // from the end, so that what is before stays where it is
    app.edit(changes.reduce((text, [, change]) => change(text), app.text));
  }
}
