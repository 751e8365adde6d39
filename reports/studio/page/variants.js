// The tool Variants: kept variants beside the bet, with differences in a designer's sense.

import { multiLineChart, stackedBarChart } from "./charts.js";
import { el } from "./dom.js";
import { Panel } from "./panel.js";
import { LatestRequest } from "./server.js";
import { redraw, renderNotes, renderTable } from "./tables.js";

/** Meter amounts as the command line takes them. */
export function meterTexts(meters) {
  const given = Object.entries(meters ?? {}).filter(([, value]) => value.trim());
  return given.map(([name, value]) => `${name}=${value.trim()}`);
}

export class Variants extends Panel {
  constructor(app) {
    super(app, "variants", "Variants");
    this.list = el("ul.variants");
    this.element.append(this.list, this.output);
    this.latest = new LatestRequest("/page/variants", (answer) => this.draw(answer), (error) => this.showError(error));
  }

  update() {
    const { variants, target } = this.app.state;
    if (!this.list.querySelector("input:focus")) this.showVariants(variants);
    if (!variants.length) {
      const hint = "keeps a copy of the bet. Then change the bet: every figure appears here beside the variant, with the difference.";
      redraw(this.output, el("p.notice", {}, "No variant is kept. ", el("b", {}, "Keep variant"), ` ${hint}`));
      return;
    }
    if (!this.app.figuresData) return;
    const bodies = variants.map(({ id, note, ...variant }) => ({ ...variant, meters: meterTexts(variant.meters) }));
    this.latest.send({ ...this.app.requestBody(), target, variants: bodies });
  }

  showVariants(variants) {
    this.list.replaceChildren(...variants.map((variant, index) => this.item(variants, variant, index)));
  }

  item(variants, variant, index) {
    const field = (key, label, size) => {
      const input = el("input", { value: variant[key], maxlength: 200, size, "aria-label": `${label} of variant ${index + 1}`, placeholder: label, autocomplete: "off" });
      const changed = () => this.app.state.variants.map((other, otherIndex) => (otherIndex === index ? { ...other, [key]: input.value } : other));
      input.addEventListener("input", () => this.app.setVariants(changed(), `variant-${index}-${key}`));
      input.addEventListener("blur", () => setTimeout(() => this.update()));
      return input;
    };
    const remove = () => this.app.setVariants(variants.filter((_, otherIndex) => otherIndex !== index));
    const removeLabel = `Remove ${variant.name}`;
    return el(
      "li",
      {},
      field("name", "Name", 10),
      field("note", "Note", 14),
      el("button", { type: "button", title: `Edit ${variant.name}`, onclick: () => this.app.restoreVariant(index) }, "Edit"),
      el("button", { type: "button", "aria-label": removeLabel, title: removeLabel, onclick: remove }, "✕"),
    );
  }

  draw(answer) {
    const hasVariants = answer.columns.length > 1;
    const charts = answer.charts.map((chart) => (chart.is_piled ? stackedBarChart(chart) : multiLineChart(chart)));
    redraw(
      this.output,
      answer.problems.map((problem) => el("p.problem", {}, problem)),
      this.table(answer),
      hasVariants ? [renderTable(answer.better), el("div.pictures", {}, charts), renderNotes(answer.notes)] : null,
    );
  }

  table({ at, columns, rows }) {
    const cell = ({ text, exact, difference, sense }) =>
      el(
        "td.number",
        { "data-exact": exact },
        text,
        difference ? el("small", { class: `difference ${sense.map((word) => `is-${word}`).join(" ")}` }, difference) : null,
      );
    return el(
      "div.scroll",
      {},
      el(
        "table.compare",
        {},
        el("caption", {}, `With ${at} ${at === 1 ? "deck" : "decks"}. Small figures: this bet minus the variant.`),
        el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Figure"), columns.map((name) => el("th.number", { scope: "col" }, name)))),
        el("tbody", {}, rows.map(({ label, cells }) => el("tr", {}, el("th", { scope: "row" }, label), cells.map(cell)))),
      ),
    );
  }
}
