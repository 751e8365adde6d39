// The bet as text: a plain field with a layer of colors beneath it, line numbers, and mistakes where they are.

import { el } from "./dom.js";
import { paint } from "./highlight.js";
import { close, completes } from "./complete.js";

const RULE = /(?:(?:when|given|per)|^[ \t]*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+))\s*=\s*(["'])((?:(?!\1)[^\n])*)$/;
const IN_HANDS = /^[ \t]*\[([^[\]\n]*)\][ \t]*$/gm;

export class Editor {
  constructor(home, changed) {
    this.marks = [];
    this.layer = el("pre.layer", { "aria-hidden": "true" });
    this.lines = el("pre.lines", { "aria-hidden": "true" });
    this.field = el("textarea.source", {
      id: "source",
      "aria-label": "The bet as text, in TOML",
      "aria-describedby": "problems",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      wrap: "off",
    });
    this.field.addEventListener("input", () => {
      changed(this.field.value);
      this.draw();
    });
    this.field.addEventListener("scroll", () => this.follow());
    this.field.addEventListener("keydown", (event) => this.indents(event));
    home.append(el("div.editor", {}, this.lines, el("div.paper", {}, this.layer, this.field)));
    completes(this.field, () => this.rule(), () => this.caret());
  }

  /** Show a text, unless it is the one that is there; the caret stays as near as it can. */
  show(text) {
    if (this.field.value !== text) {
      const { selectionStart, scrollTop } = this.field;
      let same = 0;
      const before = this.field.value;
      while (same < text.length && text[same] === before[same]) same++;
      this.field.value = text;
      const at = Math.min(selectionStart <= same ? selectionStart : text.length - (before.length - selectionStart), text.length);
      this.field.setSelectionRange(Math.max(at, 0), Math.max(at, 0));
      this.field.scrollTop = scrollTop;
      close();
    }
    this.draw();
  }

  mark(marks) {
    this.marks = marks;
    this.field.setAttribute("aria-invalid", marks.some((one) => one.level === "error"));
    this.draw();
  }

  draw() {
    const text = this.field.value;
    const shown = this.marks.map((one) => ({ ...one, to: Math.min(Math.max(one.to, one.from + 1), text.length) }));
    paint(this.layer, text, shown);
    const wrong = new Map(this.marks.map((one) => [one.line, one.level]));
    const count = text.split("\n").length;
    const rows = [];
    for (let line = 1; line <= count; line++) {
      rows.push(wrong.has(line) ? el(`span.${wrong.get(line)}`, {}, `● ${line}`) : `${line}`, "\n");
    }
    this.lines.replaceChildren(...rows);
    this.follow();
  }

  follow() {
    const { scrollTop, scrollLeft } = this.field;
    this.layer.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
    this.lines.style.transform = `translateY(${-scrollTop}px)`;
  }

  /** Put the caret at a mistake. */
  go(mark) {
    this.field.focus();
    this.field.setSelectionRange(mark.from, mark.to);
    const height = parseFloat(getComputedStyle(this.field).lineHeight);
    this.field.scrollTop = Math.max(0, (mark.line - 4) * height);
  }

  indents(event) {
    if (event.key !== "Enter" || event.isComposing || event.defaultPrevented || event.ctrlKey || event.metaKey) return;
    const { value, selectionStart } = this.field;
    const line = value.slice(value.lastIndexOf("\n", selectionStart - 1) + 1, selectionStart);
    const space = line.match(/^[ \t]*/)[0];
    if (!space) return;
    event.preventDefault();
    this.field.setRangeText(`\n${space}`, selectionStart, this.field.selectionEnd, "end");
    this.field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "insertLineBreak" }));
  }

  /** The part of a rule before the caret; nothing if the caret is in no rule. */
  rule() {
    const text = this.field.value.slice(0, this.field.selectionStart);
    const line = text.slice(text.lastIndexOf("\n") + 1);
    const match = line.match(RULE);
    if (!match) return null;
    if (/(?:when|given|per)\s*=\s*["'][^"']*$/.test(line)) return match[2];
    const headings = [...text.matchAll(IN_HANDS)];
    return headings.length && headings.at(-1)[1].trim() === "hands" ? match[2] : null;
  }

  /** Where the caret is on the screen. */
  caret() {
    const style = getComputedStyle(this.field);
    const box = this.field.getBoundingClientRect();
    const text = this.field.value.slice(0, this.field.selectionStart);
    const line = text.split("\n").length - 1;
    const column = text.length - text.lastIndexOf("\n") - 1;
    const height = parseFloat(style.lineHeight);
    const top = box.top + parseFloat(style.paddingTop) + line * height - this.field.scrollTop;
    const left = box.left + parseFloat(style.paddingLeft) + column * measured(style.font) - this.field.scrollLeft;
    return { left, top: top + height + 2, above: top - 2 };
  }
}

const widths = new Map();

/** How wide a character of a font is, each as wide as another. */
function measured(font) {
  if (widths.has(font)) return widths.get(font);
  const context = document.createElement("canvas").getContext("2d");
  context.font = font;
  widths.set(font, context.measureText("0".repeat(100)).width / 100);
  return widths.get(font);
}
