// The tool Money: what a table wins per hour, the funding of jackpots and the days to a hit.

import { el } from "./dom.js";
import { Panel } from "./panel.js";
import { LatestRequest } from "./server.js";
import { redraw, renderNotes, renderTable } from "./tables.js";

const FIELDS = [
  ["rounds", "Rounds per hour", "60"],
  ["spots", "Wagers per round", "4"],
  ["wager", "Average wager", "5"],
  ["hours", "Hours per day", "16"],
  ["lease", "Lease fee per month", "0"],
];

export class Money extends Panel {
  constructor(app) {
    super(app, "money", "Money");
    const fields = FIELDS.map(([name, label, value]) => this.textField(name, label, { value, size: 7, onChange: () => this.update() }));
    this.element.append(el("div.fields", {}, fields), this.output);
    this.latest = new LatestRequest("/page/money", (answer) => this.draw(answer), (error) => this.showError(error));
  }

  update() {
    if (!this.app.figuresData) return;
    const values = Object.fromEntries(FIELDS.map(([name, , value]) => [name, (this.values()[name] ?? value).trim() || value]));
    this.latest.send({ ...this.app.requestBody(), ...values });
  }

  draw({ tables, notes }) {
    redraw(this.output, tables.map((table) => renderTable(table)), renderNotes(notes));
  }
}
