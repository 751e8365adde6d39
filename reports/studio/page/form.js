// The bet as a form: every field stands for one value of the text, and changes just that.

import { el } from "./dom.js";
import { completes } from "./complete.js";
import * as edits from "./edits.js";
import { awards, hands, stops, wheels } from "./form_awards.js";
import { in_text_only, meters, settings } from "./form_rest.js";

const DEALS = ["player:2", "player:2, up:1", "player:2, up:1, hole:1", "player:3", "player:5", "player:7", "dealer:h17", "dealer:s17", "baccarat", "lucky 9", "lucky 9 tie"];
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
    this.number = app.number;
    const shape = JSON.stringify([this.number, app.settings, app.outline.map((one) => one.path)]);
    const names = JSON.stringify(app.outline.filter((one) => ["hand", "name"].includes(one.path.at(-1))).map((one) => one.value));
    const is_typed = this.home.contains(document.activeElement) && document.activeElement.matches("input:not([type=checkbox])");
    const is_renamed = names !== this.named && !is_typed; // what is called after an award says so once nobody types
    if (shape !== this.shape || is_renamed || !this.home.querySelector("[data-path]")) {
      Object.assign(this, { shape, named: names });
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
      const is_id = path.length === 3 && path[0] === "paytable" && path[1] === this.number && path[2] === "id";
      return app.edit(text, edits.key(path), is_id ? { paytable: value } : {});
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
    else app.edit(change(app.text, app.outline, (path) => edits.by_path(app.outline).get(edits.key(path))), typeof what === "string" ? what : null);
  }

  /** Change what stands at some paths, if it still does. */
  change(paths, change) {
    this.structure((text, _, at) => (paths.every(at) ? change(text, ...paths.map(at)) : text));
  }

  /** Give a hand or a wheel another name, wherever it is named. */
  rename(table, old, name) {
    if (!name || name === old || this.names(table).includes(name)) return;
    this.change([[table, old]], (text, place) => {
      const uses = this.app.outline.filter((one) => `${one.path.at(-1)}s` === table && one.value === old && one.path[0] === "paytable");
      const changes = [...uses.map((one) => [one.from, one.to]), place.key].sort((a, b) => b[0] - a[0]);
      for (const [from, to] of changes) text = text.slice(0, from) + edits.quoted(name) + text.slice(to);
      return text;
    });
  }

  // ---- what is on the form

  build() {
    const again = this.focused();
    const paytable = ["paytable", this.number];
    const parts = [
      el("div.fields", {}, this.field("Bet", ["bet"]), this.field("Deal", ["deal"], { choices: DEALS })),
      el(
        "div.fields",
        {},
        this.is_plain(["pack"]) && this.field("Pack", ["pack"], { choices: PACKS, optional: true, placeholder: "standard" }),
        this.option(),
        this.field("Only if", ["given"], { rule: true, optional: true, placeholder: "always" }),
      ),
      el("div.fields", {}, this.field("Game", ["game"], { optional: true, placeholder: "Blackjack" }), this.has_awards() && this.tick("Awards add up", ["awards_add_up"])),
      this.has_awards() && hands(this),
      this.has_awards() && wheels(this),
      el(
        "div.fields",
        {},
        this.field("Paytable", [...paytable, "id"]),
        this.field("Title", [...paytable, "title"], { optional: true, placeholder: "bet and id" }),
        this.field("Designed for decks", [...paytable, "decks"], { placeholder: "6, 8" }),
      ),
      awards(this, paytable),
      settings(this, paytable),
      meters(this, paytable),
      in_text_only(this),
    ];
    this.home.replaceChildren(...parts.filter(Boolean));
    again?.();
  }

  /** What has the focus, to have it again once the form is built anew: the same thing with what is typed into it and the caret, or what stands in its place. */
  focused() {
    const active = document.activeElement;
    if (!this.home.contains(active)) return null;
    const all = () => [...this.home.querySelectorAll("input, select, button")].filter((one) => !one.disabled);
    const called = (one) => one.dataset.path ?? one.getAttribute("aria-label") ?? one.textContent;
    const { value, selectionStart, selectionEnd } = active;
    const [name, place] = [called(active), all().indexOf(active)];
    return () => {
      const same = all().find((one) => called(one) === name);
      (same ?? all()[Math.min(place, all().length - 1)])?.focus();
      if (!same || selectionStart === null || selectionStart === undefined) return;
      same.value = value; // newer than the answer that it is built from, if somebody types
      same.setSelectionRange(selectionStart, selectionEnd);
    };
  }

  /** Whether a value is written as one, or not at all; a table of its own is for the text. */
  is_plain(path) {
    const place = this.places.get(edits.key(path));
    return !place || place.value !== null;
  }

  /** Whether awards are written down; a game can have its own. */
  has_awards() {
    return this.places.has(edits.key(["paytable", this.number, "awards"])) || this.places.has(edits.key(["paytable", this.number, "awards", 0]));
  }

  /** Names of the hands, or of the wheels, in the order of the text. */
  names(table) {
    return this.app.outline.filter((one) => one.path[0] === table && one.path.length === 2).map((one) => one.path[1]);
  }

  /** How many items of a list there are. */
  size(path) {
    let number = 0;
    while (this.places.has(edits.key([...path, number]))) number++;
    return number;
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

  /** A mark for what holds or does not. */
  tick(label, path) {
    const box = el("input", { type: "checkbox", "data-path": edits.key(path), onchange: () => this.set(path, box.checked, { optional: true, literal: "true" }) });
    box.checked = this.value(path) === "true";
    return el("label.tick", {}, box, ` ${label}`, el("span.wrong-here", { "data-wrong": edits.key(path) }));
  }

  /** One of some values, or none where that is allowed. */
  select(path, label, choices, given = {}) {
    const select = el("select", { "data-path": edits.key(path), "aria-label": label, class: given.class, onchange: () => this.set(path, select.value, given) }, choices.map(([value, text]) => el("option", { value }, text)));
    select.value = this.value(path);
    return select;
  }

  option() {
    const select = this.select(["option"], "Winnings may ride", [["", "none"], ["parlay", "parlay"], ["press", "press"]], { optional: true });
    return el("label.field", {}, el("span", {}, "Winnings may ride"), select, el("span.wrong-here", { "data-wrong": edits.key(["option"]) }));
  }

  button(text, label, action, disabled = false) {
    return el("button", { type: "button", "aria-label": label || undefined, title: label || undefined, onclick: action, disabled }, text);
  }

  // ---- keeping it in step

  refresh() {
    for (const field of this.home.querySelectorAll("[data-path]")) {
      const path = JSON.parse(field.dataset.path);
      const is_name = ["hands", "wheels"].includes(path[0]) && path.length === 3;
      const value = is_name ? path[1] : field.dataset.shown === "stops" ? stops(this, path) : this.value(path);
      if (field.type === "checkbox") field.checked = value === "true";
      else if (field !== document.activeElement && field.value !== value) field.value = value;
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

