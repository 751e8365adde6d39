// What all panels have: a home, fields of their own that the link carries, and one line when something is wrong.

import { el, quiet } from "./dom.js";
import { Refusal, ask } from "./server.js";
import { redrawn } from "./tables.js";

export class Panel {
  constructor(app, key, title) {
    Object.assign(this, { app, key, title });
    this.home = el("div.panel-inside");
    this.fields_of_panel = []; // each with its name and what it shows if nothing was typed
  }

  /** Show what is kept of the panel's fields, where it came otherwise than through them: with a link, or on the way back. */
  refresh() {
    for (const { field, name, usual } of this.fields_of_panel) {
      const value = this.given()[name] ?? usual;
      if (field.type === "checkbox") field.checked = value === "yes";
      else if (field !== document.activeElement) field.value = value;
    }
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
    this.fields_of_panel.push({ field: input, name, usual: given.value ?? "" });
    return el("label.field", {}, el("span", {}, label), input);
  }

  /** A field in which one of a few things is chosen. */
  choice(name, label, choices, changed) {
    const select = el("select", { "data-name": name }, Object.entries(choices).map(([value, text]) => el("option", { value }, text)));
    select.value = this.given()[name] ?? Object.keys(choices)[0];
    select.addEventListener("change", () => {
      this.app.ask_with(this.key, { ...this.given(), [name]: select.value });
      changed?.();
    });
    this.fields_of_panel.push({ field: select, name, usual: Object.keys(choices)[0] });
    return el("label.field", {}, el("span", {}, label), select);
  }

  /** A mark that is set or not. */
  tick(name, label, is_usual, changed) {
    const usual = is_usual ? "yes" : "no";
    const box = el("input", { type: "checkbox", "data-name": name, checked: (this.given()[name] ?? usual) === "yes" });
    box.addEventListener("change", () => {
      this.app.ask_with(this.key, { ...this.given(), [name]: box.checked ? "yes" : "no" });
      changed?.();
    });
    this.fields_of_panel.push({ field: box, name, usual });
    return el("label.tick", {}, box, ` ${label}`);
  }

  fails(error) {
    if (error.status !== 409) redrawn(this.out, el("p.problem", { role: "alert" }, error.message));
  }
}

/** A panel whose answer takes long: it is asked for once the bet has been left alone for a moment, and has a bar. */
export class LongPanel extends Panel {
  constructor(app, key, title, path) {
    super(app, key, title);
    Object.assign(this, { path, asked: null, out: el("div") });
    this.home.append(this.out);
    this.later = quiet(500, () => this.work());
  }

  /** Why there is nothing to work out; nothing if there is. */
  nothing() {
    return this.app.figures_found ? null : "There are no figures yet.";
  }

  body() {
    return this.app.question();
  }

  update() {
    const nothing = this.nothing();
    if (nothing) {
      this.asked = null;
      redrawn(this.out, el("p.notice", {}, nothing));
      return;
    }
    const asked = JSON.stringify(this.body());
    if (asked === this.asked) return;
    this.asked = asked;
    redrawn(this.out, el("p.notice", {}, "Worked out once the bet has been left as it is for a moment …"));
    this.later();
  }

  async work() {
    const asked = this.asked;
    if (!asked) return;
    const bar = el("progress", { max: 1, "aria-label": "How far it is" });
    redrawn(this.out, el("p.notice", {}, `${this.doing} `, bar));
    try {
      const found = await ask(this.path, JSON.parse(asked), { told: (done, total) => (bar.value = done / (total || 1)) });
      if (asked === this.asked) redrawn(this.out, this.draw(found));
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (asked !== this.asked) return;
      if (error.status === 409) this.later(); // an older question overtook it, over another connection
      else this.fails(error);
    }
  }
}
