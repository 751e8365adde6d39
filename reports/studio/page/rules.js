// The rules of the bet: deal, hands, wheels, paytable, settings of the game and meters.

import { el } from "./dom.js";
import { Form } from "./form.js";
import { awardsFieldset, handsFieldset, wheelsFieldset } from "./form_awards.js";
import { metersFieldset, settingsFieldset, textOnlyNotice } from "./form_rest.js";
import { RuleBuilder } from "./rule_builder.js";

const DEALS = [
  ...["player:2", "player:2, up:1", "player:2, up:1, hole:1", "player:3", "player:5", "player:7"],
  ...["dealer:h17", "dealer:s17", "baccarat", "lucky 9", "lucky 9 tie"],
];
const PACKS = ["standard", "spanish", "standard with 1 joker", "standard with 2 jokers"];

export class Rules extends Form {
  constructor(container, app) {
    super(container, app);
    this.builder = new RuleBuilder(app, this);
  }

  parts() {
    const paytable = ["paytable", this.paytableIndex];
    const hasAwards = this.hasAwards();
    return [
      hasAwards && handsFieldset(this),
      hasAwards && this.builder.element,
      hasAwards && awardsFieldset(this, paytable),
      hasAwards && wheelsFieldset(this),
      el(
        "div.fields",
        {},
        this.field("Bet", ["bet"]),
        this.field("Deal", ["deal"], { choices: DEALS }),
        this.isScalar(["pack"]) && this.field("Pack", ["pack"], { choices: PACKS, optional: true, placeholder: "standard" }),
      ),
      el(
        "div.fields",
        {},
        this.field("Paytable", [...paytable, "id"]),
        this.field("Title", [...paytable, "title"], { optional: true, placeholder: "bet and id" }),
        this.field("Designed for decks", [...paytable, "decks"], { placeholder: "6, 8" }),
      ),
      el(
        "div.fields",
        {},
        this.field("Only if", ["given"], { rule: true, optional: true, placeholder: "always" }),
        this.optionField(),
        this.field("Game", ["game"], { optional: true, placeholder: "Blackjack" }),
        hasAwards && this.settlementField(),
      ),
      settingsFieldset(this, paytable),
      metersFieldset(this, paytable),
      textOnlyNotice(this),
    ];
  }

  settlementField() {
    const choices = [["", "first match"], ["all matches", "all matches"]];
    const select = this.select(["settlement"], "Awards paid", choices, { optional: true });
    return el("label.field", {}, el("span", {}, "Awards paid"), select, this.problemSpot(["settlement"]));
  }

  optionField() {
    const choices = [["", "none"], ["parlay", "parlay"], ["press", "press"]];
    const select = this.select(["option"], "Option for winnings", choices, { optional: true });
    return el("label.field", {}, el("span", {}, "Option for winnings"), select, this.problemSpot(["option"]));
  }

}
