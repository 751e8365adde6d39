// The tool Figures: awards, statistics, sensitivity and deck counts in full precision.

import { el } from "./dom.js";
import { Panel } from "./panel.js";
import { LatestRequest } from "./server.js";
import { redraw, renderFigures, renderNotes, renderTable } from "./tables.js";

export class AllFigures extends Panel {
  constructor(app) {
    super(app, "figures", "Figures");
    this.element.append(this.output);
    this.latest = new LatestRequest("/page/figures", (answer) => this.draw(answer), (error) => this.showError(error));
  }

  update() {
    if (this.app.figuresData) this.latest.send(this.app.requestBody());
  }

  draw({ document: page, overview, sections }) {
    redraw(
      this.output,
      el("p.subtitle", {}, page.subtitle),
      page.tables.map((table, index) => renderTable(table, index ? "" : "Awards")),
      renderFigures(page.figures),
      renderTable(overview, "Selected deck counts"),
      sections.map((section) => [
        el("h2", {}, section.title),
        section.text.map((text) => el("p", {}, text)),
        section.tables.map((table) => renderTable(table)),
        renderNotes(section.notes),
      ]),
      renderNotes(page.notes),
    );
  }
}
