// Goal seek: solve the pays that are not locked for the target edge, with the smallest change.

import { el } from "./dom.js";
import { writeCandidate } from "./candidates.js";
import { payNumber } from "./pays.js";
import { RequestError, request } from "./server.js";
import { parseBand, withPercentSigns } from "./target.js";

const REACH = 4; // a pay may fall to a quarter and rise to four times its amount

/** The open pays of goal seek: nice pays around the present ones. */
export function openPays(pays, locks, isNice) {
  const open = {};
  for (const [name, pay] of Object.entries(pays)) {
    const number = payNumber(pay);
    if (number === null || number < 1 || locks.includes(name)) continue;
    const [low, high] = [Math.max(1, Math.floor(number / REACH)), number * REACH];
    open[name] = isNice ? `${low}..${high} nice|${number}` : `${low}..${high}`;
  }
  return open;
}

/** The changes between two sets of pays: "Straight 10 to 1 → 8 to 1, Flush 5 to 1 → 4 to 1". */
export function describeChanges(before, after) {
  const changed = Object.entries(after).filter(([name, pay]) => pay !== null && name in before && before[name] !== pay);
  return changed.map(([name, pay]) => `${name} ${before[name]} → ${pay}`).join(", ");
}

export class GoalSeek {
  constructor(app) {
    this.app = app;
    /** @type {string[]} */
    this.subjects = []; // of the message
    this.decks = el("input", { size: 11, autocomplete: "off", placeholder: "of the design", title: "Deck counts at which the edge must be in the target band" });
    this.isNice = el("input", { type: "checkbox", checked: true });
    this.button = el("button.strong", { type: "button", onclick: () => this.solve() }, "Goal seek");
    this.output = el("div.goal-output", { role: "status" });
    this.element = el(
      "div.goal",
      {},
      el(
        "div.row",
        {},
        this.button,
        el("span.goal-text", {}, ""),
        el("label", {}, el("span", {}, "at decks "), this.decks),
        el("label.tick", {}, this.isNice, "nice pays"),
      ),
      this.output,
    );
  }

  get target() {
    return withPercentSigns(this.app.state.target.trim());
  }

  update() {
    const { locks } = this.app.state;
    if (!this.isSolving && !this.subjects.includes(this.subject(this.app.awardPays()))) this.say();
    const { target } = this;
    const isBand = parseBand(target) !== null;
    const text = isBand ? `for an edge of ${target}` : "needs a target edge, such as 4%..5%";
    this.element.querySelector(".goal-text").textContent = locks.length ? `${text}, ${locks.length} locked` : text;
    this.button.disabled = !isBand || !this.app.figuresData || this.isSolving;
  }

  async solve() {
    const pays = openPays(this.app.awardPays(), this.app.state.locks, this.isNice.checked);
    if (!Object.keys(pays).length) return this.say("All pays are locked.");
    this.isSolving = true;
    this.update();
    this.say("Solving …");
    const body = {
      ...this.app.requestBody(),
      for_decks: this.decks.value.trim() || null,
      pays,
      edge: this.target,
      order: "smallest change",
      best: 1,
    };
    try {
      this.show(await request("/page/finder", body));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.say(error.message);
    } finally {
      this.isSolving = false;
      this.update();
    }
  }

  show({ candidates, nearest, count }) {
    const before = this.app.awardPays();
    if (candidates.length) {
      const changes = describeChanges(before, candidates[0].pays);
      writeCandidate(this.app, candidates[0]);
      const rest = count > 1 ? `, the smallest change of ${count.toLocaleString("en-US")} solutions` : ", the only solution";
      this.say(changes ? `Solved: ${changes}${rest}.` : "Solved: the pays meet the target as they are.");
      return this.subjects.push(this.subject({ ...before, ...candidates[0].pays }));
    }
    const [miss] = nearest;
    if (!miss) return this.say("No pays reach the target.");
    const changes = describeChanges(before, miss.candidate.pays) || "the pays as they are";
    const use = () => {
      writeCandidate(this.app, miss.candidate);
      this.say("These pays are the nearest to the target.");
      this.subjects.push(this.subject({ ...before, ...miss.candidate.pays }));
    };
    this.say(
      `${noSolution(this.target)} Nearest: ${changes} (${miss.change.map(({ text }) => text).join("; ")}). `,
      el("button", { type: "button", onclick: use }, "Use these pays"),
    );
  }

  /** What a message is about: it disappears with other pays or another target. */
  subject(pays) {
    return `${JSON.stringify(pays)}\n${this.target}`;
  }

  say(...children) {
    this.subjects = [this.subject(this.app.awardPays())];
    this.output.replaceChildren(...children);
  }
}

/** Say that no pays fit; a single value is rarely met exactly, so a band around it is proposed. */
export function noSolution(target) {
  const band = parseBand(target);
  if (!band || band.low !== band.high) return "No pays reach the target.";
  const percent = (offset) => `${Number((band.low * 100 + offset).toFixed(3))}%`;
  return `No pays give an edge of exactly ${target}; try the band ${percent(-0.1)}..${percent(0.1)}.`;
}
