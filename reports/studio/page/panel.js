// Base classes of panels: an element, fields whose values the link carries, and one line for errors.

import { debounce, el } from "./dom.js";
import { RequestError, request } from "./server.js";
import { redraw } from "./tables.js";

export class Panel {
  constructor(app, key, title) {
    this.app = app;
    this.key = key;
    this.title = title;
    this.element = el("div.panel-inside");
    this.output = el("div");
    this.fields = []; // each with its name and default value
  }

  /** Update the fields after the state changed by other means: a link, undo or redo. */
  refresh() {
    for (const { input, name, defaultValue } of this.fields) {
      const value = this.values()[name] ?? defaultValue;
      if (input.type === "checkbox") input.checked = value === "yes";
      else if (input !== document.activeElement) input.value = value;
    }
  }

  /** The values of the panel's fields that are not defaults. */
  values() {
    return this.app.state.asked[this.key] ?? {};
  }

  setValue(name, value) {
    this.app.setPanelValues(this.key, { ...this.values(), [name]: value });
  }

  /**
   * A text field.
   * @param {string} name
   * @param {string} label
   * @param {{ value?: string, placeholder?: string, size?: number, onChange?: () => void }} options
   */
  textField(name, label, { value = "", placeholder, size = 10, onChange } = {}) {
    const input = el("input", {
      value: this.values()[name] ?? value,
      placeholder,
      autocomplete: "off",
      spellcheck: "false",
      "data-name": name,
      size,
    });
    input.addEventListener("input", () => {
      this.setValue(name, input.value);
      onChange?.();
    });
    this.fields.push({ input, name, defaultValue: value });
    return el("label.field", {}, el("span", {}, label), input);
  }

  /** A select field; `choices` is a list of [value, text], the default first. */
  selectField(name, label, choices, onChange) {
    const input = el("select", { "data-name": name }, choices.map(([value, text]) => el("option", { value }, text)));
    const [[defaultValue]] = choices;
    input.value = this.values()[name] ?? defaultValue;
    input.addEventListener("change", () => {
      this.setValue(name, input.value);
      onChange?.();
    });
    this.fields.push({ input, name, defaultValue });
    return el("label.field", {}, el("span", {}, label), input);
  }

  /** A checkbox that is off by default. */
  checkbox(name, label, onChange) {
    const input = el("input", { type: "checkbox", "data-name": name, checked: this.values()[name] === "yes" });
    input.addEventListener("change", () => {
      this.setValue(name, input.checked ? "yes" : "no");
      onChange?.();
    });
    this.fields.push({ input, name, defaultValue: "no" });
    return el("label.tick", {}, input, ` ${label}`);
  }

  showError(error) {
    if (error.status !== 409) redraw(this.output, el("p.problem", { role: "alert" }, error.message));
  }
}

/** A panel whose answer is slow: it is requested once the bet has not changed for a moment, with a progress bar. */
export class SlowPanel extends Panel {
  constructor(app, key, title, path, progressText) {
    super(app, key, title);
    this.path = path;
    this.progressText = progressText;
    /** @type {string | null} */
    this.requestJson = null;
    this.element.append(this.output);
    this.computeLater = debounce(500, () => this.compute());
  }

  /** Why there is nothing to compute; null if there is. @returns {any} */
  emptyMessage() {
    return this.app.figuresData ? null : "There are no figures yet.";
  }

  requestBody() {
    return this.app.requestBody();
  }

  /** The elements that show an answer. @returns {any} */
  draw(_answer) {
    return [];
  }

  update() {
    const emptyMessage = this.emptyMessage();
    if (emptyMessage) {
      this.requestJson = null;
      redraw(this.output, el("p.notice", {}, emptyMessage));
      return;
    }
    const requestJson = JSON.stringify(this.requestBody());
    if (requestJson === this.requestJson) return;
    this.requestJson = requestJson;
    redraw(this.output, el("p.notice", {}, "One moment …"));
    this.computeLater();
  }

  async compute() {
    const { requestJson } = this;
    if (!requestJson) return;
    const bar = el("progress", { max: 1, "aria-label": "Progress" });
    redraw(this.output, el("p.notice", {}, `${this.progressText} `, bar));
    try {
      const onProgress = (done, total) => (bar.value = done / (total || 1));
      const answer = await request(this.path, JSON.parse(requestJson), { onProgress });
      if (requestJson === this.requestJson) redraw(this.output, this.draw(answer));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (requestJson !== this.requestJson) return;
      if (error.status === 409) this.computeLater(); // an older request arrived later, over another connection
      else this.showError(error);
    }
  }
}
