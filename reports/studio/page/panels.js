// The panels below the figures: variants beside one another, joint wagers, meters, options, plays, sheets.

import { lines, piles } from "./charts.js";
import { $, download, el, mark_tab, tabs } from "./dom.js";
import { Counting } from "./counting.js";
import { Finder } from "./finder.js";
import { LongPanel, Panel } from "./panel.js";
import { Latest, Refusal, file } from "./server.js";
import { notes, redrawn, table, whole } from "./tables.js";

const FORMATS = { pdf: "PDF", xlsx: "Excel", html: "HTML", markdown: "Markdown", csv: "CSV", json: "JSON", latex: "LaTeX" };

class Compare extends Panel {
  constructor(app) {
    super(app, "compare", "Compare");
    this.list = el("ul.pins");
    this.out = el("div");
    this.home.append(this.list, this.out);
    this.latest = new Latest("/page/pins", (found) => this.draw(found), (error) => this.fails(error));
  }

  update() {
    const { pins } = this.app.now;
    if (!this.list.contains(document.activeElement)) this.names(pins);
    if (!pins.length) {
      redrawn(this.out, el("p.notice", {}, "Nothing is pinned. ", el("b", {}, "Pin"), " keeps the bet as it is now; change it then, and every figure stands here beside the pinned one, with the difference."));
      return;
    }
    // The tiles above show it too, whichever panel is open.
    if (this.app.figures_found) this.latest.ask({ ...this.app.question(), pins: pins.map(({ id, ...one }) => ({ ...one, meters: amounts(one.meters) })) });
  }

  names(pins) {
    this.list.replaceChildren(
      ...pins.map((pin, number) => {
        const input = el("input", { value: pin.name, maxlength: 80, "aria-label": `Name of variant ${number + 1}`, autocomplete: "off" });
        input.addEventListener("input", () => this.app.pins(pins.map((one, place) => (place === number ? { ...one, name: input.value } : one)), `pin-${number}`));
        input.addEventListener("blur", () => setTimeout(() => this.update()));
        return el(
          "li",
          {},
          input,
          el("button", { type: "button", onclick: () => this.app.restore(number) }, "Back to this"),
          el("button", { type: "button", "aria-label": `Remove ${pin.name}`, title: `Remove ${pin.name}`, onclick: () => this.app.pins(pins.filter((_, place) => place !== number)) }, "✕"),
        );
      }),
    );
  }

  draw(found) {
    const pictures = found.charts.map((one) => (one.is_piled ? piles(one) : lines(one)));
    redrawn(
      this.out,
      found.problems.map((one) => el("p.problem", {}, one)),
      table(found.table),
      found.table.columns.length > 2 ? [table(found.better), el("div.pictures", {}, pictures), notes(found.notes)] : null,
    );
    if (found.table.columns.length > 2) this.app.figures.beside(found.table);
  }
}

/** What meters show, as the command line takes it. */
export function amounts(meters) {
  return Object.entries(meters ?? {}).filter(([, value]) => value.trim()).map(([name, value]) => `${name}=${value.trim()}`);
}

class Meters extends Panel {
  constructor(app) {
    super(app, "meters", "Meters");
    this.fields = el("div.fields");
    this.out = el("div");
    this.home.append(this.fields, this.out);
    this.names = "";
    this.latest = new Latest("/page/meters", (found) => this.draw(found), (error) => this.fails(error));
  }

  update() {
    const meters = this.app.figures_found?.meters ?? [];
    if (!meters.length) {
      this.names = "";
      this.fields.replaceChildren();
      redrawn(this.out, el("p.notice", {}, "No award of this paytable is paid from a meter. One is with a pay such as ", el("code", {}, "100% of meter"), "."));
      return;
    }
    if (this.names !== meters.join("\n")) this.ask_for(meters);
    const given = this.given();
    const said = (what) => meters.filter((name) => given[`${what} ${name}`]?.trim()).map((name) => `${name}=${given[`${what} ${name}`].trim()}`);
    this.latest.ask({ ...this.app.question(), seed: said("seed"), rate: said("rate"), reserve: said("reserve"), cap: said("cap"), wager: given.wager?.trim() ?? "" });
  }

  ask_for(meters) {
    this.names = meters.join("\n");
    const again = () => this.update();
    this.fields.replaceChildren(
      el("p.notice", {}, "Try other terms here; left empty, they are as the bet's text says."),
      ...meters.map((name) =>
        el(
          "div.level",
          { role: "group", "aria-label": name },
          el("b", {}, name),
          ...[["seed", "Seed"], ["rate", "Rate"], ["reserve", "Reserve"], ["cap", "Cap"]].map(([key, label]) => this.field(`${key} ${name}`, label, { changed: again, placeholder: "as written", size: 8 })),
          this.app.meter_field(name),
        ),
      ),
      this.field("wager", "Wager", { changed: again, placeholder: "as written", size: 8 }),
    );
  }

  draw(found) {
    redrawn(this.out, found.documents.map((one) => whole(one)));
  }
}

class Option extends LongPanel {
  constructor(app) {
    super(app, "option", "Option", "/page/option");
    this.doing = "Playing every hand that wins …";
    const again = () => this.update();
    this.rules = el(
      "div.fields",
      {},
      this.choice("soft_17", "Dealer on soft 17", { hits: "hits", stands: "stands" }, again),
      this.choice("blackjack", "Blackjack pays", { "3:2": "3 to 2", "6:5": "6 to 5", "1:1": "1 to 1" }, again),
      this.choice("hands", "Splits make", { 4: "up to 4 hands", 3: "up to 3 hands", 2: "up to 2 hands" }, again),
      this.choice("after_split", "After a split", { double: "double", "no double": "no double" }, again),
    );
    this.home.prepend(this.rules);
  }

  /** The table on which winnings ride; nothing is said where it is the usual one. */
  body() {
    const { soft_17 = "hits", blackjack = "3:2", hands = "4", after_split = "double" } = this.given();
    const usual = soft_17 === "hits" && blackjack === "3:2" && hands === "4" && after_split === "double";
    const rules = { hits_soft_17: soft_17 === "hits", blackjack, hands: Number(hands), double_after_split: after_split === "double" };
    return { ...this.app.question(), blackjack: usual ? null : rules };
  }

  update() {
    this.rules.hidden = !this.app.figures_found?.option;
    super.update();
  }

  nothing() {
    if (this.app.figures_found?.option) return null;
    return ["Winnings of this bet cannot ride. With ", el("code", {}, 'option = "parlay"'), " or ", el("code", {}, '"press"'), " in the bet, the best choices are worked out here."];
  }

  draw(found) {
    return whole(found.document);
  }
}

class Joint extends Panel {
  constructor(app) {
    super(app, "joint", "Joint");
    this.rows = el("ul.wagers");
    this.out = el("div");
    const again = () => this.update();
    this.home.append(
      el("div.fields", {}, this.field("stake", "Stake on this bet", { value: "1", changed: again, size: 6 }), this.field("spots", "Spots", { value: "1", changed: again, size: 4 })),
      this.rows,
      el("button", { type: "button", onclick: () => this.change([...this.others(), { bet: this.choices()[0]?.value ?? "", stake: "1" }]) }, "Add another wager"),
      this.out,
    );
    this.latest = new Latest("/page/wagers", ({ document }) => redrawn(this.out, whole(document)), (error) => this.fails(error));
  }

  /** The other wagers: what each is on, a paytable of the catalog or a pinned variant, and its stake. */
  others() {
    try {
      return JSON.parse(this.given().others ?? "[]").filter((one) => typeof one.bet === "string" && typeof one.stake === "string");
    } catch {
      return [];
    }
  }

  change(others) {
    this.app.ask_with(this.key, { ...this.given(), others: JSON.stringify(others) });
    this.update();
  }

  choices() {
    const pins = this.app.now.pins.map((pin) => ({ value: `pin ${pin.id}`, text: pin.name }));
    const listed = [...$("catalog").querySelectorAll("optgroup option")].map((one) => ({ value: one.value, text: one.textContent }));
    return [...pins, ...listed];
  }

  update() {
    const others = this.others();
    if (!this.rows.contains(document.activeElement)) this.list(others);
    if (!this.app.figures_found) return;
    const wagers = others.filter((one) => one.bet).map(({ bet, stake }) => ({ bet: this.bet(bet), stake })).filter((one) => one.bet);
    this.latest.ask({ ...this.app.question(), stake: this.given().stake ?? "1", spots: Number(this.given().spots ?? 1) || 0, others: wagers });
  }

  bet(value) {
    if (!value.startsWith("pin ")) return { id: value };
    const pin = this.app.now.pins.find((one) => one.id === Number(value.slice(4)));
    return pin && { toml: pin.toml, paytable: pin.paytable, name: pin.name };
  }

  list(others) {
    const with_one = (number, patch) => others.map((one, place) => (place === number ? { ...one, ...patch } : one));
    this.rows.replaceChildren(
      ...others.map((one, number) => {
        const select = el("select", { "aria-label": `Wager ${number + 2}`, onchange: () => this.change(with_one(number, { bet: select.value })) }, this.choices().map(({ value, text }) => el("option", { value }, text)));
        select.value = one.bet;
        const stake = el("input", { value: one.stake, size: 6, "aria-label": `Stake on wager ${number + 2}`, autocomplete: "off" });
        stake.addEventListener("input", () => {
          others[number].stake = stake.value;
          this.change(others);
        });
        const remove = () => {
          document.activeElement.blur();
          this.change(others.filter((_, place) => place !== number));
        };
        return el("li", {}, select, stake, el("button", { type: "button", "aria-label": `Remove wager ${number + 2}`, onclick: remove }, "✕"));
      }),
    );
  }
}

class LongRun extends Panel {
  constructor(app) {
    super(app, "long-run", "Many plays");
    this.out = el("div");
    this.home.append(this.out);
    const draw = ({ section }) => redrawn(this.out, section.text.map((one) => el("p", {}, one)), section.tables.map((one) => table(one)), notes(section.notes));
    this.latest = new Latest("/page/long-run", draw, (error) => this.fails(error));
  }

  update() {
    if (this.app.figures_found) this.latest.ask(this.app.question());
  }
}

class Sheets extends Panel {
  constructor(app) {
    super(app, "sheets", "Sheets");
    this.out = el("div", { role: "status" });
    this.buttons = Object.entries(FORMATS).map(([format, name]) => el("button", { type: "button", "data-format": format, onclick: () => this.fetch(format) }, name));
    this.home.append(
      el(
        "div.fields",
        {},
        this.field("prepared_by", "Prepared by"),
        this.field("reviewed_by", "Reviewed by"),
        this.field("document", "Document number"),
        this.field("revision", "Revision", { placeholder: "1", size: 4 }),
        this.field("jurisdiction", "Jurisdiction"),
        this.field("max_wager", "Largest wager", { placeholder: "100", size: 6 }),
      ),
      el("div.row.downloads", {}, el("button", { type: "button", id: "save", onclick: () => this.app.save() }, "The bet's text (TOML)"), ...this.buttons),
      this.out,
    );
  }

  update() {
    for (const button of this.buttons) button.disabled = !this.app.figures_found;
  }

  async fetch(format) {
    const { toml, paytable, at, meters } = this.app.question();
    const given = Object.fromEntries(Object.entries(this.given()).filter(([, value]) => value.trim()));
    redrawn(this.out, el("p.notice", {}, `Writing the par sheet for ${at} decks as ${FORMATS[format]}, counted twice …`));
    try {
      const found = await file("/api/sheet", { bet: { toml, paytable }, decks: at, meters, format, ...given });
      download(found.name, found.content, found.type);
      redrawn(this.out, el("p.notice", {}, `${found.name}, ${found.content.size.toLocaleString("en-US")} bytes.`));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.fails(error);
    }
  }
}

export class Panels {
  constructor(app) {
    this.app = app;
    this.all = [Compare, Finder, Joint, Meters, Option, Counting, LongRun, Sheets].map((one) => new one(app));
    const list = $("panel-tabs");
    list.replaceChildren(...this.all.map((one) => el("button", { type: "button", role: "tab", id: `tab-${one.key}`, "aria-controls": "panel" }, one.title)));
    tabs(list, (tab) => app.panel(tab.id.replace("tab-", "")));
  }

  show(key) {
    const panel = this.all.find((one) => one.key === key) ?? this.all[0];
    mark_tab($("panel-tabs"), $(`tab-${panel.key}`));
    $("panel").setAttribute("aria-labelledby", `tab-${panel.key}`);
    if ($("panel").firstChild !== panel.home) $("panel").replaceChildren(panel.home);
    panel.refresh();
    panel.update();
    const [compare] = this.all;
    if (panel !== compare && this.app.now.pins.length) compare.update();
  }
}
