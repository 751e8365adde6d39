// The tool Find: limits, the solutions with today's paytable as row 0, a trade-off chart, and the nearest misses.

import { writeCandidate } from "./candidates.js";
import { scatterChart } from "./charts.js";
import { el } from "./dom.js";
import { Panel } from "./panel.js";
import { RequestError, request } from "./server.js";
import { redraw, renderNotes, renderTable } from "./tables.js";

const ORDERS = ["closest", "roundest", "closest 0.1%, roundest", "roundest, lowest volatility", "smallest change", "lowest volatility", "highest volatility"];
const FALLING = [
  ["equal", "decreasing or equal"],
  ["yes", "strictly decreasing"],
  ["no", "in any order"],
];
const DEFAULT_PAYS = "*=1..200 nice";
const DEFAULT_DIFFERENCE = "20%";
const NICE = "1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 125, 150, 200, 250, 500, 1000";

const SPARE_FIGURES = ["Standard deviation", "Top award's share"]; // the chart shows the first

/** The field of the tool for each kind of limit, and whether it is a minimum by nature. */
const FIELDS_BY_KIND = {
  edge: "edge",
  hits: "hit_frequency",
  deviation: "standard_deviation",
  share: "top_share",
  top: "top_pay",
  ratio: "min_ratio",
  gain: "max_count_gain",
};

/** The limits with one end replaced: relaxLimit("4%..5%", "5.2%", false) is "4%..5.2%". */
export function relaxLimit(limits, bound, isMinimum) {
  const [low, high = low] = limits.split("..").map((end) => end.trim());
  return isMinimum ? `${bound}..${high}` : `${low}..${bound}`;
}

export class Finder extends Panel {
  constructor(app) {
    super(app, "find", "Find");
    this.meterFields = el("div.finder-fields.wide");
    this.button = el("button.strong", { type: "button", onclick: () => this.find() }, "Find paytables");
    const text = (name, label, placeholder, size = 9, title = undefined) => {
      const field = this.textField(name, label, { placeholder, size });
      if (title) field.title = title;
      return field;
    };
    const pays = this.textField("pays", "Allowed pays", { value: DEFAULT_PAYS, size: 24 });
    pays.classList.add("wide");
    pays.title = "For example Flush=3..8, Straight=5..20 nice, Pair=1|out; * stands for every award with a fixed pay that wins";
    const moreFields = el(
      "div.finder-fields",
      {},
      text("hit_frequency", "Hit frequency", "any", 9, "For example 9%..12%"),
      text("standard_deviation", "Standard deviation", "any", 9, "For example ..4"),
      text("min_ratio", "Ratio of neighbors", "any", 5, "Each award pays at least this many times the next one, for example 1.5"),
      text("share", "Shares of the return", "any", 14, "For example Flush=..40%, or *=..50% for all awards"),
      text("max_count_gain", "Gain of a counter", "any", 6, "Units per 100 rounds, for example 0.1; for up to three cards"),
      this.selectField("falling", "Order of pays", FALLING),
      text("min_difference", "Differ by", DEFAULT_DIFFERENCE, 5, "Solutions of which every pay is closer than this to one shown before are left out; 0 shows all"),
      text("nice", "Nice pays", NICE, 20),
      this.meterFields,
    );
    this.element.append(
      el(
        "div.finder-fields",
        {},
        pays,
        text("edge", "House edge", "target band", 9, "For example 4%..5%"),
        text("for_decks", "Deck counts", "of the design", 8),
        text("top_pay", "Top pay", "any", 8, "For example 100..500"),
        this.selectField("order", "Show first", ORDERS.map((name) => [name, name])),
        this.button,
      ),
      el("details.part", {}, el("summary", {}, "More limits"), moreFields),
      this.output,
    );
  }

  update() {
    this.button.disabled = !this.app.figuresData || this.isSearching;
    const awards = this.awardNames();
    if (this.shownAwards !== undefined && this.shownAwards !== awards && !this.isSearching) {
      this.shownAwards = undefined; // another bet was opened
      redraw(this.output);
    }
    const meters = this.app.figuresData?.meters ?? [];
    if (this.shownMeters === meters.join()) return;
    this.shownMeters = meters.join();
    const seeds = this.textField("seed", "Seeds of meters", { placeholder: "as in text" });
    const rates = this.textField("rate", "Rates of meters", { placeholder: "as in text" });
    this.meterFields.replaceChildren(...(meters.length ? [seeds, rates] : []));
  }

  requestBody() {
    const { pays = DEFAULT_PAYS, falling = FALLING[0][0], order = ORDERS[0], min_difference: difference = "", ...others } = this.values();
    const trimmed = Object.entries(others).map(([name, value]) => [name, value.trim()]);
    const limits = Object.fromEntries(trimmed.filter(([, value]) => value));
    const isFalling = { yes: true, no: false }[falling] ?? null;
    const minDifference = difference.trim() || DEFAULT_DIFFERENCE;
    return {
      ...this.app.requestBody(),
      edge: this.app.state.target,
      ...limits,
      pays,
      order,
      falling: isFalling,
      best: 20,
      min_difference: /^0\s*%?$/.test(minDifference) ? "" : minDifference,
    };
  }

  async find() {
    const bar = el("progress", { max: 1, "aria-label": "Progress of the search" });
    this.isSearching = true;
    this.update();
    redraw(this.output, el("p.notice", {}, "Searching all combinations … ", bar));
    try {
      const onProgress = (done, total) => (bar.value = done / (total || 1));
      this.draw(await request("/page/finder", this.requestBody(), { onProgress }));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.showError(error);
    } finally {
      this.isSearching = false;
      this.update();
    }
  }

  awardNames() {
    return (this.app.figuresData?.awards ?? []).map(({ name }) => name).join("\n");
  }

  draw({ document: data, candidates, nearest, current, decks }) {
    this.shownAwards = this.awardNames();
    const choices = candidates.length ? [...(current ? [null] : []), ...candidates] : [...(current ? [null] : []), ...nearest.map((miss) => miss.candidate)];
    const table = data.tables.length ? this.table(data.tables[0], choices, nearest, decks) : null;
    const points = candidates.length ? this.points(candidates, current) : [];
    redraw(
      this.output,
      el("p.subtitle", {}, data.subtitle),
      data.flags.map((flag) => el("p.problem", {}, flag)),
      candidates.length ? null : el("p.problem", { role: "alert" }, data.notes[0]),
      table,
      points.length > 1 ? scatterChart(`Edge and volatility of the solutions with ${decks} ${decks === 1 ? "deck" : "decks"}; click to use one`, points) : null,
      renderNotes(candidates.length ? data.notes : data.notes.slice(1)),
    );
  }

  points(candidates, current) {
    const point = (candidate, name, isCurrent) => ({
      name,
      x: Number(candidate.figures.edge.at),
      y: Number(candidate.figures.deviation?.at ?? NaN),
      size: Number(candidate.figures.hits.at),
      label: `${name}: edge ${candidate.figures.edge.text}, standard deviation ${candidate.figures.deviation?.text ?? "–"}, hit frequency ${candidate.figures.hits.text}`,
      isMarked: isCurrent,
      use: isCurrent ? null : () => writeCandidate(this.app, candidate),
    });
    const all = candidates.map((candidate, index) => point(candidate, `No. ${index + 1}`, false));
    if (current) all.push(point(current, "today", true));
    return all.filter(({ y }) => !Number.isNaN(y));
  }

  table(data, choices, nearest, decks) {
    const table = renderTable(data, nearest.length ? "Nearest misses" : "Solutions");
    table.classList.add("with-actions", "compact");
    this.hideOtherDecks(table, data, decks);
    const head = table.querySelector("thead tr");
    head.prepend(el("th.action", { scope: "col" }, el("span.unseen", {}, "Use")));
    table.querySelectorAll("tbody tr").forEach((row, index) => {
      const candidate = choices[index];
      const buttons = [];
      if (candidate) {
        const number = index + (choices[0] ? 1 : 0);
        const label = `Use number ${number} in the bet`;
        buttons.push(el("button", { type: "button", "aria-label": label, title: label, onclick: () => writeCandidate(this.app, candidate) }, "Use"));
        const miss = nearest[number - 1];
        if (miss) buttons.push(this.relaxButton(miss, number));
      } else buttons.push(el("span.today", {}, "today"));
      row.prepend(el("td.action", {}, buttons));
    });
    return table;
  }

  /** Hide figures that make the table wider than the page behind a switch: those of other deck counts, on small screens others too. */
  hideOtherDecks(table, data, decks) {
    const titles = data.columns.map(({ title }) => title.match(/^(.*), (\d+) decks?$/) ?? [title, title, "0"]);
    const isShown = (figure) => titles.some((other) => other[1] === figure && Number(other[2]) === decks);
    const classes = titles.map(([, figure, count]) => {
      if (isShown(figure) && Number(count) !== decks) return "other-decks";
      return SPARE_FIGURES.includes(figure) ? "spare-figure" : null;
    });
    if (!classes.some(Boolean)) return;
    for (const row of table.querySelectorAll("tr"))
      [...row.children].forEach((cell, index) => classes[index] && cell.classList.add(classes[index]));
    const box = el("input", { type: "checkbox", onchange: () => table.classList.toggle("all-decks", box.checked) });
    table.prepend(el("label.tick", {}, box, "All figures"));
  }

  /** A button that changes the limits as a nearest miss needs it, and searches again. */
  relaxButton(miss, number) {
    const relax = () => {
      const { edge = "", top_pay = "", hit_frequency = "", standard_deviation = "", top_share = "" } = this.values();
      const present = { edge: edge || this.app.state.target, top_pay, hit_frequency, standard_deviation, top_share };
      for (const { kind, award, is_minimum: isMinimum, suggestion } of miss.change) {
        const name = FIELDS_BY_KIND[kind];
        if (kind === "descending" || kind === "falling") this.setValue("falling", "no");
        else if (name === "min_ratio" || name === "max_count_gain") this.setValue(name, suggestion);
        else if (name) this.setValue(name, relaxLimit(present[name], suggestion, isMinimum));
        else if (kind === "award share") this.setValue("share", `${this.values().share}, ${award}=${isMinimum ? `${suggestion}..` : `..${suggestion}`}`);
      }
      this.refresh();
      this.find();
    };
    return el("button", { type: "button", title: "Change the limits and search again", "aria-label": `Relax for number ${number}`, onclick: relax }, "Relax");
  }
}
