// The bet as a form: every field stands for one value of the text, and changes just that.

import { el } from "./dom.js";
import { completes } from "./complete.js";
import * as edits from "./edits.js";

const DEALS = ["player:2", "player:2, up:1", "player:2, up:1, hole:1", "player:3", "player:5", "player:7", "dealer:h17", "dealer:s17", "baccarat"];
const PACKS = ["standard", "spanish", "standard with 1 joker", "standard with 2 jokers"];

export class Form {
  constructor(home, app) {
    Object.assign(this, { home, app, shape: "", waiting: new Map() });
  }

  /** Show what the text says; where only values changed, the fields stay. */
  show() {
    const { app } = this;
    this.places = edits.by_path(app.outline);
    if (!app.outline) return this.unreadable();
    const ids = app.outline.filter((one) => one.path[0] === "paytable" && one.path[2] === "id" && one.path.length === 3);
    const wanted = ids.findIndex((one) => one.value === app.paytable);
    this.number = wanted < 0 ? 0 : wanted;
    const shape = JSON.stringify([this.number, app.outline.map((one) => one.path)]);
    if (shape !== this.shape || !this.home.querySelector("[data-path]")) {
      this.shape = shape;
      this.build();
    } else this.refresh();
    this.complain();
    this.flush();
  }

  unreadable() {
    const problem = this.app.problems[0];
    this.shape = "";
    this.home.replaceChildren(
      el("p.notice", {}, "The text cannot be read as TOML at the moment, so there is nothing to fill in here."),
      ...(problem ? [el("button", { type: "button", onclick: () => this.app.go(problem) }, `Go to line ${problem.line}`)] : []),
    );
  }

  value(path) {
    const place = this.places.get(edits.key(path));
    if (!place) return "";
    if (place.value !== null) return String(place.value);
    return this.app.text.slice(place.from, place.to).replace(/^\[\s*|\s*\]$/g, "");
  }

  // ---- changing the text

  set(path, value, { optional = false, literal = edits.quoted(value) } = {}) {
    const { app } = this;
    if (!app.is_outlined()) {
      this.waiting.set(edits.key(path), [path, value, { optional, literal }]); // the text has just moved; once it is read again
      return;
    }
    this.places = edits.by_path(app.outline);
    const place = this.places.get(edits.key(path));
    if (place && optional && !value) return app.edit(edits.without_key(app.text, place), edits.key(path));
    if (place) {
      const { text, outline } = edits.replaced(app.text, app.outline, place.from, place.to, literal);
      app.outline = outline;
      app.outlined = text;
      outline.find((one) => edits.key(one.path) === edits.key(path)).value = value;
      return app.edit(text, edits.key(path));
    }
    if (value) app.edit(edits.with_key(app.text, app.outline, path.slice(0, -1), path.at(-1), literal), edits.key(path));
  }

  flush() {
    const all = [...this.waiting.entries()];
    this.waiting.clear();
    for (const [what, given] of all) typeof given === "function" ? this.structure(given, what) : this.set(...given);
  }

  /** Add, remove or move something, with the places that things have at that moment. */
  structure(change, what = Symbol("change")) {
    const { app } = this;
    if (!app.is_outlined()) this.waiting.set(what, change);
    else app.edit(change(app.text, app.outline, (path) => edits.by_path(app.outline).get(edits.key(path))));
  }

  /** Give a hand another name, wherever it is named. */
  rename(old, name) {
    if (!name || name === old) return;
    this.structure((text, outline, at) => {
      const uses = outline.filter((one) => one.path.at(-1) === "hand" && one.value === old && one.path[0] === "paytable");
      const changes = [...uses.map((one) => [one.from, one.to]), at(["hands", old]).key].sort((a, b) => b[0] - a[0]);
      for (const [from, to] of changes) text = text.slice(0, from) + edits.quoted(name) + text.slice(to);
      return text;
    });
  }

  // ---- what is on the form

  build() {
    const focus = document.activeElement?.dataset?.path;
    const paytable = ["paytable", this.number];
    const parts = [
      el("div.fields", {}, this.field("Bet", ["bet"]), this.field("Deal", ["deal"], { choices: DEALS })),
      el(
        "div.fields",
        {},
        this.field("Pack", ["pack"], { choices: PACKS, optional: true, placeholder: "standard" }),
        this.option(),
        this.field("Only if", ["given"], { rule: true, optional: true, placeholder: "always" }),
      ),
      this.hands(),
      el(
        "div.fields",
        {},
        this.field("Paytable", [...paytable, "id"]),
        this.field("Designed for decks", [...paytable, "decks"], { placeholder: "6, 8" }),
      ),
      this.awards(paytable),
      this.meters(paytable),
    ];
    this.home.replaceChildren(...parts.filter(Boolean));
    if (focus) this.home.querySelector(`[data-path='${CSS.escape(focus)}']`)?.focus();
  }

  input(path, label, given = {}) {
    const field = el("input", {
      "data-path": edits.key(path),
      "aria-label": label,
      value: this.value(path),
      autocomplete: "off",
      spellcheck: "false",
      placeholder: given.placeholder,
      class: given.class,
      list: given.list,
    });
    field.addEventListener("input", () => this.set(path, field.value, given));
    if (given.rule) {
      const box = () => field.getBoundingClientRect();
      completes(field, () => field.value.slice(0, field.selectionStart), () => ({ left: box().left, top: box().bottom + 2, above: box().top - 2 }));
    }
    if (given.pay) field.addEventListener("keydown", (event) => stepped(event, field));
    return field;
  }

  field(label, path, given = {}) {
    const id = given.choices && `list-${path.join("-")}`;
    return el(
      "label.field",
      {},
      el("span", {}, label),
      this.input(path, label, { ...given, list: id }),
      id && el("datalist", { id }, given.choices.map((value) => el("option", { value }))),
      el("span.wrong-here", { "data-wrong": edits.key(path) }),
    );
  }

  option() {
    const select = el(
      "select",
      { "data-path": edits.key(["option"]), onchange: () => this.set(["option"], select.value, { optional: true }) },
      [["", "none"], ["parlay", "parlay"], ["press", "press"]].map(([value, text]) => el("option", { value }, text)),
    );
    select.value = this.value(["option"]);
    return el("label.field", {}, el("span", {}, "Winnings may ride"), select, el("span.wrong-here", { "data-wrong": edits.key(["option"]) }));
  }

  hands() {
    const names = this.app.outline.filter((one) => one.path[0] === "hands" && one.path.length === 2).map((one) => one.path[1]);
    const rows = names.map((name) => {
      const path = ["hands", name];
      const called = el("input.name", { value: name, "aria-label": "Name of the hand", autocomplete: "off", "data-path": edits.key([...path, 0]) });
      called.addEventListener("change", () => this.rename(name, called.value.trim()));
      return el(
        "li",
        {},
        el(
          "div.hand",
          {},
          called,
          this.input(path, `Rule of ${name}`, { rule: true, class: "rule" }),
          this.button("✕", `Remove ${name}`, () => this.structure((text, _, at) => edits.without_key(text, at(path)))),
        ),
        el("span.wrong-here", { "data-wrong": edits.key(path) }),
      );
    });
    const fresh = () => this.structure((text, outline) => edits.with_hand(text, outline, unused("New hand", names), "suited"));
    return el("fieldset", {}, el("legend", {}, "Hands"), el("ol.rows", {}, rows), this.button("Add a hand", "", fresh));
  }

  awards(paytable) {
    const list = [...paytable, "awards"];
    const places = [];
    while (this.places.has(edits.key([...list, places.length]))) places.push(this.places.get(edits.key([...list, places.length])));
    const hands = this.app.outline.filter((one) => one.path[0] === "hands" && one.path.length === 2).map((one) => one.path[1]);
    const rows = places.map((place, number) => this.award([...list, number], places, number, hands));
    const add = () => {
      const used = places.map((_, number) => this.value([...list, number, "hand"]));
      const hand = hands.find((one) => !used.includes(one));
      const names = places.map((_, number) => this.value([...list, number, "name"]));
      const fields = hand
        ? { hand: edits.quoted(hand), pays: '"1 to 1"' }
        : { name: edits.quoted(unused("New award", names)), when: '"suited"', pays: '"1 to 1"' };
      const item = `{ ${Object.entries(fields).map(([name, value]) => `${name} = ${value}`).join(", ")} }`;
      this.structure((text, _, at) => edits.with_item(text, at([...list, places.length - 1]), item, fields));
    };
    return el(
      "fieldset",
      {},
      el("legend", {}, "Awards, highest first"),
      el("ol.rows", {}, rows),
      places.length ? this.button("Add an award", "", add) : el("p.notice", {}, "The awards are those of the game itself."),
      el("span.wrong-here", { "data-wrong": edits.key(list) }),
    );
  }

  award(path, places, number, hands) {
    const has = (name) => this.places.has(edits.key([...path, name]));
    const called = this.value([...path, "name"]) || this.value([...path, "hand"]) || `award ${number + 1}`;
    let what;
    if (has("hand")) {
      const select = el(
        "select.hand-of",
        { "data-path": edits.key([...path, "hand"]), "aria-label": `Hand of award ${number + 1}`, onchange: () => this.set([...path, "hand"], select.value) },
        [...new Set([...hands, this.value([...path, "hand"])])].map((value) => el("option", { value }, value)),
      );
      select.value = this.value([...path, "hand"]);
      what = [select];
    } else {
      what = [
        has("name") && this.input([...path, "name"], `Name of award ${number + 1}`, { class: "name" }),
        has("when") && this.input([...path, "when"], `Rule of ${called}`, { rule: true, class: "rule" }),
        has("per") && this.input([...path, "per"], `For each, ${called}`, { rule: true, class: "rule" }),
      ];
    }
    const inline = this.app.text[places[number].from] === "{";
    const beside = (other) => [...path.slice(0, -1), other];
    const move = (first) => this.structure((text, _, at) => edits.swapped(text, at(beside(first)), at(beside(first + 1))));
    return el(
      "li",
      { "data-row": edits.key(path) },
      el(
        "div.award",
        {},
        el("div.what", {}, what),
        this.input([...path, "pays"], `Pays of ${called}`, { class: "pays", pay: true }),
        el(
          "span.moves",
          {},
          this.button("↑", `Move ${called} up`, () => move(number - 1), !inline || number === 0),
          this.button("↓", `Move ${called} down`, () => move(number), !inline || number === places.length - 1),
          this.button("✕", `Remove ${called}`, () => this.structure((text, _, at) => edits.without_item(text, at(path))), places.length === 1),
        ),
      ),
      el("span.wrong-here", { "data-wrong": edits.key(path) }),
    );
  }

  meters(paytable) {
    const paid = this.app.outline.some((one) => one.path[1] === this.number && one.path.at(-1) === "pays" && /% of /.test(one.value));
    const sets = [];
    while (this.places.has(edits.key([...paytable, "meters", sets.length]))) sets.push([...paytable, "meters", sets.length]);
    if (!paid && !sets.length) return null;
    const rows = sets.map((path) => {
      const levels = [];
      while (this.places.has(edits.key([...path, "levels", levels.length]))) levels.push([...path, "levels", levels.length]);
      const cells = levels.map((level) =>
        el(
          "li",
          {},
          el(
            "div.level",
            {},
            ...[["name", "Meter"], ["seed", "Seed"], ["rate", "Rate"], ["reserve", "Reserve"], ["cap", "Cap"]].map(([name, label]) =>
              this.field(label, [...level, name], { optional: !["name", "seed"].includes(name), placeholder: "none" }),
            ),
          ),
          el("span.wrong-here", { "data-wrong": edits.key(level) }),
        ),
      );
      return el("div", {}, this.field("Wager", [...path, "wager"], { optional: true, placeholder: "1" }), el("ol.rows", {}, cells));
    });
    const add = () =>
      this.structure((text, outline) => {
        const next = outline.find((one) => edits.key(one.path) === edits.key(["paytable", this.number + 1]));
        const at = next ? next.from : text.length;
        const name = this.app.outline.map((one) => /% of (.+)$/.exec(one.value ?? "")?.[1]).find(Boolean) ?? "meter";
        const level = `levels = [\n  { name = ${edits.quoted(name)}, seed = 1000, rate = "10%" },\n]`;
        return `${text.slice(0, at).trimEnd()}\n\n[[paytable.meters]]\n${level}\n\n${text.slice(at)}`;
      });
    return el("fieldset", {}, el("legend", {}, "Meters"), rows, sets.length ? null : this.button("Say how the meter is run", "", add));
  }

  button(text, label, action, disabled = false) {
    return el("button", { type: "button", "aria-label": label || undefined, title: label || undefined, onclick: action, disabled }, text);
  }

  // ---- keeping it in step

  refresh() {
    for (const field of this.home.querySelectorAll("[data-path]")) {
      const path = JSON.parse(field.dataset.path);
      const value = path[0] === "hands" && path.length === 3 ? path[1] : this.value(path);
      if (field !== document.activeElement && field.value !== value) field.value = value;
    }
  }

  /** Show each mistake at the field that it is about. */
  complain() {
    const spots = [...this.home.querySelectorAll("[data-wrong]")].map((spot) => ({ spot, path: JSON.parse(spot.dataset.wrong), texts: [] }));
    for (const problem of this.app.problems) {
      if (!problem.path?.length) continue;
      const fitting = spots.filter(({ path }) => path.every((step, place) => step === problem.path[place]));
      fitting.sort((a, b) => b.path.length - a.path.length)[0]?.texts.push(problem);
    }
    for (const { spot, texts } of spots) {
      spot.textContent = texts.map((one) => told(one.text)).join(" ");
      spot.className = `wrong-here ${texts.some((one) => one.level === "error") ? "error" : "warning"}`;
    }
  }
}

/** A message without the words that say where it is, which the form shows by itself. */
function told(text) {
  return text.replace(/^(?:(?:hand|paytable|award|wheel) '[^']*': |(?:award|level) \d+: |[a-z_]+: )+/, "");
}

function unused(name, taken) {
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number++) if (!taken.includes(`${name} ${number}`)) return `${name} ${number}`;
}

/** One more or less with the arrow keys, ten with Shift. */
function stepped(event, field) {
  const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  const match = field.value.match(/^\s*([\d,]+)(?![\d.])/);
  if (!step || !match) return;
  event.preventDefault();
  const now = Number(match[1].replaceAll(",", "")) + step * (event.shiftKey ? 10 : 1);
  if (now < 1) return;
  field.value = field.value.replace(match[1], now >= 1000 ? now.toLocaleString("en-US") : String(now));
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "step" }));
}

