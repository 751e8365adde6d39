// Fields of the bet: every field stands for one value of the text and changes only that value.

import { el } from "./dom.js";
import { enableCompletion } from "./complete.js";
import * as edits from "./edits.js";

export class Form {
  constructor(container, app) {
    this.container = container;
    this.app = app;
    this.structureJson = "";
    this.namesJson = "";
    this.pendingEdits = new Map();
    this.itemByPath = new Map();
    this.paytableIndex = 0;
  }

  /** Show the text; if only values changed, the fields stay. */
  show() {
    const { app, container } = this;
    this.itemByPath = edits.indexOutline(app.outline);
    if (!app.outline) return this.showUnreadable();
    this.paytableIndex = app.paytableIndex;
    const structureJson = JSON.stringify([this.paytableIndex, app.settings, app.outline.map((item) => item.path)]);
    const named = app.outline.filter((item) => ["hand", "name"].includes(item.path.at(-1)));
    const namesJson = JSON.stringify(named.map((item) => item.value));
    const active = document.activeElement;
    const isTyping = container.contains(active) && active.matches("input:not([type=checkbox])");
    const isRenamed = namesJson !== this.namesJson && !isTyping; // labels contain names of awards
    if (structureJson !== this.structureJson || isRenamed || !container.querySelector("[data-path]")) {
      Object.assign(this, { structureJson, namesJson });
      this.build();
    } else this.refresh();
    this.showProblems();
    this.applyPendingEdits();
  }

  showUnreadable() {
    const problem = this.app.problems[0];
    this.structureJson = "";
    const goToProblem = () => this.app.goToProblem(problem);
    const button = problem && el("button", { type: "button", onclick: goToProblem }, `Go to line ${problem.line}`);
    const notice = el("p.notice", {}, "The text is not valid TOML. Correct it in the Text view to use the form.");
    this.container.replaceChildren(notice, ...(button ? [button] : []));
  }

  itemAt(path) {
    return this.itemByPath.get(edits.pathKey(path));
  }

  value(path) {
    const item = this.itemAt(path);
    if (!item) return "";
    if (item.value !== null) return String(item.value);
    return this.app.text.slice(item.from, item.to).replace(/^\[\s*|\s*\]$/g, "");
  }

  // ---- edits of the text

  /** Set a value of the text. A new value of a key that is there is written at once, all other edits by the server. */
  setValue(path, value, { optional = false } = {}) {
    const { app } = this;
    const key = edits.pathKey(path);
    if (!app.hasCurrentOutline()) {
      this.pendingEdits.set(key, () => this.setValue(path, value, { optional })); // until the outline of the new text arrives
      return;
    }
    this.itemByPath = edits.indexOutline(app.outline);
    const item = this.itemAt(path);
    if (item && optional && !value) return app.changeText([{ kind: "set", path }], key);
    if (item) {
      const { text, outline } = edits.replaceRange(app.text, app.outline, item.from, item.to, edits.formatToml(value));
      app.outline = outline;
      app.outlinedText = text;
      outline.find((other) => edits.pathKey(other.path) === key).value = value;
      const isId = key === edits.pathKey(["paytable", this.paytableIndex, "id"]);
      return app.edit(text, key, isId ? { paytable: value } : {});
    }
    if (value) app.changeText([{ kind: "set", path, value: typeof value === "string" ? edits.cleanText(value) : value }], key);
  }

  applyPendingEdits() {
    const pending = [...this.pendingEdits.entries()];
    this.pendingEdits.clear();
    for (const [, edit] of pending) edit();
  }

  /** Send the edits that `makeEdits` returns to the server as soon as the outline of the text is known. */
  change(makeEdits, key = Symbol("edit")) {
    const { app } = this;
    if (!app.hasCurrentOutline()) {
      this.pendingEdits.set(key, () => this.change(makeEdits, key));
      return;
    }
    this.itemByPath = edits.indexOutline(app.outline);
    app.changeText(makeEdits(), typeof key === "string" ? key : null);
  }

  /** Remove a value if it is there. */
  remove(path) {
    this.change(() => (this.itemAt(path) ? [{ kind: "set", path }] : []));
  }

  /** Rename a hand or a wheel wherever it is used. */
  rename(table, oldName, newName) {
    if (!newName || newName === oldName || this.namesIn(table).includes(newName)) return;
    const { app } = this;
    if (!app.hasCurrentOutline()) {
      this.pendingEdits.set(`rename ${oldName}`, () => this.rename(table, oldName, newName));
      return;
    }
    const entry = edits.indexOutline(app.outline).get(edits.pathKey([table, oldName]));
    if (!entry) return;
    const isUse = ({ path, value }) => path[0] === "paytable" && `${path.at(-1)}s` === table && value === oldName;
    const uses = app.outline.filter(isUse).map((item) => [item.from, item.to]);
    const ranges = [...uses, entry.key].sort((a, b) => b[0] - a[0]); // from the end, so that earlier ranges stay valid
    app.edit(ranges.reduce((text, [from, to]) => text.slice(0, from) + edits.quoteToml(newName) + text.slice(to), app.text));
  }

  // ---- fields

  /** The elements of the form. */
  parts() {
    return [];
  }

  build() {
    const restoreFocus = this.rememberFocus();
    this.container.replaceChildren(...this.parts().filter(Boolean));
    restoreFocus?.();
  }

  /** Return a function that restores focus, typed text and caret after the form is rebuilt. */
  rememberFocus() {
    const active = /** @type {HTMLInputElement} */ (document.activeElement);
    if (!this.container.contains(active)) return null;
    const controls = () => [...this.container.querySelectorAll("input, select, button")].filter((control) => !control.disabled);
    const nameOf = (control) => control.dataset.path ?? control.getAttribute("aria-label") ?? control.textContent;
    const { value, selectionStart, selectionEnd } = active;
    const [name, index] = [nameOf(active), controls().indexOf(active)];
    return () => {
      const same = controls().find((control) => nameOf(control) === name);
      (same ?? controls()[Math.min(index, controls().length - 1)])?.focus();
      if (!same || selectionStart === null || selectionStart === undefined) return;
      same.value = value; // may be newer than the answer that the form is built from
      same.setSelectionRange(selectionStart, selectionEnd);
    };
  }

  /** Whether a value is absent or a scalar; tables are edited in the text. */
  isScalar(path) {
    const item = this.itemAt(path);
    return !item || item.value !== null;
  }

  /** Whether the text lists awards; some games have their own. */
  hasAwards() {
    const awards = ["paytable", this.paytableIndex, "awards"];
    return Boolean(this.itemAt(awards) ?? this.itemAt([...awards, 0]));
  }

  /** The names of the hands or wheels, in the order of the text. */
  namesIn(table) {
    return this.app.outline.filter(({ path }) => path[0] === table && path.length === 2).map(({ path }) => path[1]);
  }

  /** The stops of a wheel as text: multipliers with weights, or dice. */
  stopsText(path) {
    const item = this.itemAt(path);
    if (!item) return "";
    if (item.value !== null) return String(item.value);
    const isStop = ({ path: stop }) => stop.length === 3 && stop[0] === path[0] && stop[1] === path[1];
    return this.app.outline.filter(isStop).map((stop) => `${stop.path[2]}: ${stop.value}`).join(", ");
  }

  countItems(path) {
    let count = 0;
    while (this.itemAt([...path, count])) count++;
    return count;
  }

  input(path, label, options = {}) {
    const field = el("input", {
      "data-path": edits.pathKey(path),
      "aria-label": label,
      value: this.value(path),
      autocomplete: "off",
      spellcheck: "false",
      placeholder: options.placeholder,
      class: options.class,
      list: options.list,
    });
    field.addEventListener("input", () => this.setValue(path, options.complete?.(field.value) ?? field.value, options));
    if (options.rule) {
      const position = () => {
        const { left, top, bottom } = field.getBoundingClientRect();
        return { left, top: bottom + 2, above: top - 2 };
      };
      enableCompletion(field, () => field.value.slice(0, field.selectionStart), position);
    }
    return field;
  }

  field(label, path, options = {}) {
    const listId = options.choices && `list-${path.join("-")}`;
    return el(
      "label.field",
      {},
      el("span", {}, label),
      this.input(path, label, { ...options, list: listId }),
      listId && el("datalist", { id: listId }, options.choices.map((value) => el("option", { value }))),
      this.problemSpot(path),
    );
  }

  /** The place below a field for its problems. */
  problemSpot(path) {
    return el("span.wrong-here", { "data-wrong": edits.pathKey(path) });
  }

  checkbox(label, path) {
    const onchange = () => this.setValue(path, box.checked, { optional: true });
    const box = el("input", { type: "checkbox", "data-path": edits.pathKey(path), onchange });
    box.checked = this.value(path) === "true";
    return el("label.tick", {}, box, ` ${label}`, this.problemSpot(path));
  }

  /** A select element; `choices` is a list of [value, text]. */
  select(path, label, choices, options = {}) {
    const onchange = () => this.setValue(path, select.value, options);
    const attributes = { "data-path": edits.pathKey(path), "aria-label": label, class: options.class, onchange };
    const select = el("select", attributes, choices.map(([value, text]) => el("option", { value }, text)));
    select.value = this.value(path);
    return select;
  }

  button(text, label, onclick, disabled = false) {
    return el("button", { type: "button", "aria-label": label || undefined, title: label || undefined, onclick, disabled }, text);
  }

  // ---- updates

  refresh() {
    for (const field of this.container.querySelectorAll("[data-path]")) {
      const path = JSON.parse(field.dataset.path);
      const isName = ["hands", "wheels"].includes(path[0]) && path.length === 3;
      const value = isName ? path[1] : field.dataset.shown === "stops" ? this.stopsText(path) : this.value(path);
      if (field.type === "checkbox") field.checked = value === "true";
      else if (field !== document.activeElement && field.value !== value) field.value = value;
    }
  }

  /** Show each problem at the field it is about. */
  showProblems() {
    const spots = [...this.container.querySelectorAll("[data-wrong]")].map((element) => ({
      element,
      path: JSON.parse(element.dataset.wrong),
      problems: [],
    }));
    for (const problem of this.app.problems) {
      if (!problem.path?.length) continue;
      const matching = spots.filter(({ path }) => path.every((step, index) => step === problem.path[index]));
      matching.sort((a, b) => b.path.length - a.path.length)[0]?.problems.push(problem);
    }
    for (const { element, problems } of spots) {
      element.textContent = problems.map((problem) => withoutLocation(problem.text)).join(" ");
      element.className = `wrong-here ${problems.some((problem) => problem.level === "error") ? "error" : "warning"}`;
    }
  }
}

/** Remove the location from a message; the form shows the message at its field. */
function withoutLocation(text) {
  return text.replace(/^(?:(?:hand|paytable|award|wheel) '[^']*': |(?:award|level) \d+: |[a-z_]+: )+/, "");
}

/** Return the name, with a number if it is in use. */
export function unusedName(name, usedNames) {
  if (!usedNames.includes(name)) return name;
  for (let number = 2; ; number++) if (!usedNames.includes(`${name} ${number}`)) return `${name} ${number}`;
}
