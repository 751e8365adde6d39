// The tool Charts: the edge by deck count with the target band, and the return by award.

import { bandChart, barChart } from "./charts.js";
import { el } from "./dom.js";
import { Panel } from "./panel.js";
import { redraw } from "./tables.js";
import { parseBand } from "./target.js";

export class Charts extends Panel {
  constructor(app) {
    super(app, "charts", "Charts");
    this.element.append(this.output);
  }

  update() {
    const data = this.app.figuresData;
    if (!data) return redraw(this.output, el("p.notice", {}, "There are no figures yet."));
    const row = data.decks.find(({ key }) => key === "hold") ?? data.decks.find(({ key }) => key === "house_edge");
    const points = data.counts.map(({ decks, designed }, index) => ({ decks, designed, ...row.cells[index] }));
    const awards = data.awards.filter((award) => award.return?.at !== undefined);
    redraw(
      this.output,
      data.option ? this.optionNotice(data.option) : null,
      el(
        "div.pictures",
        {},
        bandChart(`${row.label} by number of decks`, points, parseBand(this.app.state.target), data.at, (decks) => this.app.selectDecks(decks)),
        barChart({ caption: `Return by award, ${data.at} decks`, points: awards.map((award) => ({ step: award.name, ...award.return })) }),
      ),
    );
  }

  optionNotice(option) {
    const button = el("button", { type: "button", onclick: () => this.app.openPanel("option") }, `Compute the ${option}`);
    return el("p.notice", {}, `These are the figures of the wager alone, without the ${option}. `, button);
  }
}
