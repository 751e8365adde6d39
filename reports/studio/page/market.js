// The tool Market: the bet beside public bets of the same kind.

import { scatterChart } from "./charts.js";
import { el } from "./dom.js";
import { SlowPanel } from "./panel.js";
import { renderTable } from "./tables.js";

export class Market extends SlowPanel {
  constructor(app) {
    super(app, "market", "Market", "/page/market", "Analyzing public bets of the same kind …");
  }

  draw({ table, points, subtitle }) {
    const dots = points.map((point) => ({
      name: point.name,
      x: Number(point.edge.at),
      y: Number(point.deviation.at),
      size: Number(point.hits.at),
      label: `${point.name}: edge ${point.edge.text}, standard deviation ${point.deviation.text}, hit frequency ${point.hits.text}`,
      isMarked: point.is_bet,
      use: point.is_bet ? null : () => this.app.open(point.id).catch((error) => this.app.showError(error)),
    }));
    const rows = renderTable(table);
    rows.classList.add("compact");
    return [
      el("p.subtitle", {}, subtitle),
      dots.length > 1 ? scatterChart("This bet (filled) and public bets; click to open one", dots) : null,
      rows,
    ];
  }
}
