// Counting: what it is worth to keep a count of the cards, at which table and with which tags.

import { el } from "./dom.js";
import { LongPanel } from "./panel.js";
import { Refusal } from "./server.js";
import { whole } from "./tables.js";

const NUMBERS = ["best", "cut", "first", "burned", "burned_seen", "after_cut", "start", "samples"];
const NAMES = { best: "Best tags up to", cut: "Cards behind the cut card", first: "Cards before the first round", burned: "Cards burned", burned_seen: "Burned cards seen", after_cut: "Rounds after the cut card", start: "Count starts at", samples: "Shoes sampled" };

export class Counting extends LongPanel {
  constructor(app) {
    super(app, "counting", "Counting", "/page/watched");
    this.doing = "Taking every card out once, and counting through the shoe …";
    const again = () => this.update();
    const field = (name, label, placeholder, size = 8) => this.field(name, label, { placeholder, size, changed: again });
    const number = (name, placeholder) => field(name, NAMES[name], placeholder, 6);
    const choice = (name, label, choices) => this.choice(name, label, choices, again);
    const usual = { "": "as usual" };
    this.home.prepend(
      el("div.fields", {}, field("tags", "Tags", "the best ones", 20), number("best", "1"), number("cut", "as usual"), field("trigger", "Trigger", "the best one", 6)),
      el("div.row", {}, this.tick("unbalanced", "best tags need not come to 0", false, again), this.tick("suits", "count suits instead", false, again), this.tick("bound", "what no count can beat", false, again)),
      el(
        "details.part",
        {},
        el("summary", {}, "The table and its customs"),
        el(
          "div.fields",
          {},
          choice("conventions", "Customs of", { "": "the bet's game", blackjack: "blackjack", baccarat: "baccarat" }),
          choice("true_count", "True count", { ...usual, exact: "exact", floored: "floored", rounded: "rounded", running: "running, not divided" }),
          choice("divide_by", "Decks left", { ...usual, exact: "exact", half: "to the nearest half", whole: "to the nearest whole" }),
          choice("divisor", "Cards divided by", { ...usual, unseen: "those not seen", physical: "those in the shoe" }),
        ),
        el("div.fields", {}, field("every", "A round every so many cards", "as usual"), field("depths", "Rounds begin just at", "as usual"), number("first", "as usual"), number("after_cut", "as usual"), number("start", "0")),
        el("div.fields", {}, number("burned", "as usual"), number("burned_seen", "as usual"), field("view", "Cards seen of", "nobody"), number("samples", "2000"), field("wager", "Largest wager", "none"), field("rounds_per_hour", "Rounds in an hour", "70")),
      ),
    );
  }

  /** What was typed, as the server takes it; what is no number where one is needed is said at once. */
  body() {
    const asked = this.app.question();
    for (const { name } of this.fields_of_panel) {
      const value = (this.given()[name] ?? "").trim();
      if (["unbalanced", "suits", "bound"].includes(name)) asked[name] = value === "yes";
      else if (value && NUMBERS.includes(name)) {
        if (!/^-?\d{1,7}$/.test(value)) throw new Refusal(422, `${NAMES[name]}: ${value} is no whole number`);
        asked[name] = Number(value);
      } else if (value) asked[name] = value;
    }
    return asked;
  }

  update() {
    try {
      super.update();
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.asked = null;
      this.fails(error);
    }
  }

  draw(found) {
    return [found.problem ? el("p.problem", {}, found.problem) : null, found.documents.map((one) => whole(one))];
  }
}
