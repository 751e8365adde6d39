// The panels below the figures: variants beside one another, meters, options, many plays, sheets.

import { $, download, el, mark_tab, quiet, tabs } from "./dom.js";
import { Latest, Refusal, file, followed } from "./server.js";
import { notes, redrawn, table, whole } from "./tables.js";

const FORMATS = { pdf: "PDF", xlsx: "Excel", html: "HTML", markdown: "Markdown", csv: "CSV", json: "JSON", latex: "LaTeX" };

class Panel {
  constructor(app, key, title) {
    Object.assign(this, { app, key, title });
    this.home = el("div.panel-inside");
  }

  /** What was typed into the panel's own fields, which the link carries too. */
  given() {
    return this.app.now.asked[this.key] ?? {};
  }

  field(name, label, given = {}) {
    const input = el("input", { value: this.given()[name] ?? given.value ?? "", placeholder: given.placeholder, autocomplete: "off", spellcheck: "false", "data-name": name, size: given.size ?? 10 });
    input.addEventListener("input", () => {
      this.app.ask_with(this.key, { ...this.given(), [name]: input.value });
      given.changed?.();
    });
    return el("label.field", {}, el("span", {}, label), input);
  }

  shows() {}

  fails(error) {
    if (error.status !== 409) redrawn(this.out, el("p.problem", { role: "alert" }, error.message));
  }
}

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
    if (this.app.figures_found) this.latest.ask({ ...this.app.question(), pins: pins.map((one) => ({ ...one, meters: amounts(one.meters) })) });
  }

  names(pins) {
    this.list.replaceChildren(
      ...pins.map((pin, number) => {
        const input = el("input", { value: pin.name, "aria-label": `Name of variant ${number + 1}`, autocomplete: "off" });
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
    redrawn(this.out, found.problems.map((one) => el("p.problem", {}, one)), table(found.table));
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

class Option extends Panel {
  constructor(app) {
    super(app, "option", "Option");
    this.out = el("div");
    this.home.append(this.out);
    this.asked = null;
    this.later = quiet(500, () => this.work());
  }

  update() {
    const kind = this.app.figures_found?.option;
    if (!kind) {
      this.asked = null;
      redrawn(this.out, el("p.notice", {}, "Winnings of this bet cannot ride. With ", el("code", {}, 'option = "parlay"'), " or ", el("code", {}, '"press"'), " in the bet, the best choices are worked out here."));
      return;
    }
    const asked = JSON.stringify(this.app.question());
    if (asked === this.asked) return;
    this.asked = asked;
    redrawn(this.out, el("p.notice", {}, "Working it out once the bet has been left as it is for a moment …"));
    this.later();
  }

  async work() {
    const asked = this.asked;
    if (!asked) return;
    const bar = el("progress", { max: 1, value: 0, "aria-label": "How far the best choices are worked out" });
    redrawn(this.out, el("p.notice", {}, "Playing every hand that wins … ", bar));
    try {
      const found = await followed("/page/option", JSON.parse(asked), (done, total) => (bar.value = done / (total || 1)));
      if (asked === this.asked) redrawn(this.out, whole(found.document));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (asked === this.asked && error.status !== 409) this.fails(error);
    }
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
        this.field("document", "Document number"),
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
    this.all = [Compare, Meters, Option, LongRun, Sheets].map((one) => new one(app));
    const list = $("panel-tabs");
    list.replaceChildren(...this.all.map((one) => el("button", { type: "button", role: "tab", id: `tab-${one.key}`, "aria-controls": "panel" }, one.title)));
    tabs(list, (tab) => app.panel(tab.id.replace("tab-", "")));
  }

  show(key) {
    const panel = this.all.find((one) => one.key === key) ?? this.all[0];
    mark_tab($("panel-tabs"), $(`tab-${panel.key}`));
    $("panel").setAttribute("aria-labelledby", `tab-${panel.key}`);
    if ($("panel").firstChild !== panel.home) $("panel").replaceChildren(panel.home);
    panel.update();
  }
}
