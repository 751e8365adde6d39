// The panel of card counting: effects of removal, and the value of a count.

import { el } from "./dom.js";
import { SlowPanel } from "./panel.js";
import { RequestError } from "./server.js";
import { renderDocument } from "./tables.js";

/** Labels of the fields that take an integer. */
const INTEGER_LABELS = {
  best: "Maximum tag level",
  cut: "Cut card, from the end",
  first: "Cards before first round",
  burned: "Burn cards",
  burned_seen: "Burn cards seen",
  after_cut: "Rounds after cut card",
  start: "Initial count",
  samples: "Sampled shoes",
};
const CHECKBOXES = ["unbalanced", "suits", "bound"];
const DEFAULT_CHOICE = ["", "default"];

export class Counting extends SlowPanel {
  constructor(app) {
    super(app, "counting", "Counting", "/page/counting", "Computing effects of removal and the count …");
    const onChange = () => this.update();
    const text = (name, label, placeholder, size = 8) => this.textField(name, label, { placeholder, size, onChange });
    const integer = (name, placeholder = "default") => text(name, INTEGER_LABELS[name], placeholder, 6);
    const select = (name, label, ...choices) => this.selectField(name, label, choices, onChange);
    const fields = (...children) => el("div.fields", {}, ...children);
    this.element.prepend(
      fields(text("tags", "Tags", "best", 20), integer("best", "1"), integer("cut"), text("trigger", "Trigger", "best", 6)),
      el(
        "div.row",
        {},
        this.checkbox("unbalanced", "Allow unbalanced tags", onChange),
        this.checkbox("suits", "Count suits instead of tags", onChange),
        this.checkbox("bound", "Upper bound for perfect play", onChange),
      ),
      el(
        "details.part",
        {},
        el("summary", {}, "Conventions and table"),
        fields(
          select("conventions", "Conventions", ["", "of the game"], ["blackjack", "blackjack"], ["baccarat", "baccarat"]),
          select("true_count", "True count", DEFAULT_CHOICE, ...same("exact", "floored", "rounded"), ["running", "running count"]),
          select("divide_by", "Remaining decks", DEFAULT_CHOICE, ["exact", "exact"], ["half", "nearest half"], ["whole", "nearest whole"]),
          select("divisor", "Divide by", DEFAULT_CHOICE, ["unseen", "unseen cards"], ["physical", "cards in the shoe"]),
        ),
        fields(text("every", "Cards per round", "default"), text("depths", "Depths of rounds", "default"), integer("first"), integer("after_cut"), integer("start", "0")),
        fields(
          integer("burned"),
          integer("burned_seen"),
          text("view", "Exposed roles", "none"),
          integer("samples", "2000"),
          text("wager", "Largest wager", "none"),
          text("rounds_per_hour", "Rounds per hour", "70"),
        ),
      ),
    );
  }

  /** The request with the values of the fields; throws if an integer is invalid. */
  requestBody() {
    const body = this.app.requestBody();
    for (const { name } of this.fields) {
      const value = (this.values()[name] ?? "").trim();
      if (CHECKBOXES.includes(name)) body[name] = value === "yes";
      else if (value && name in INTEGER_LABELS) {
        if (!/^-?\d{1,7}$/.test(value)) throw new RequestError(422, `${INTEGER_LABELS[name]} must be an integer, got ${value}`);
        body[name] = Number(value);
      } else if (value) body[name] = value;
    }
    return body;
  }

  update() {
    try {
      super.update();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.requestJson = null;
      this.showError(error);
    }
  }

  draw(answer) {
    const problem = answer.problem ? el("p.problem", {}, answer.problem) : null;
    return [problem, answer.documents.map((data) => renderDocument(data))];
  }
}

/** Choices whose texts are their values. */
function same(...values) {
  return values.map((value) => [value, value]);
}
