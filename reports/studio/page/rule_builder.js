// The rule builder: words with examples and probabilities, the rule in English, and a hand to try.

import { debounce, el } from "./dom.js";
import { RequestError, request } from "./server.js";
import { redraw } from "./tables.js";

const RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"];
const SUITS = [["s", "♠"], ["h", "♥"], ["d", "♦"], ["c", "♣"]];
const SUIT_SIGNS = Object.fromEntries(SUITS);

/** A card such as "10h" as a reader writes it: 10♥. */
export const cardText = (card) => card.replace(/[shdc]$/, (suit) => SUIT_SIGNS[suit]);

/** Join a word to a rule: "suited" and "pair" give "suited and pair". */
export function joinWord(rule, word, connective) {
  const trimmed = rule.trim();
  return trimmed ? `${trimmed} ${connective} ${word}` : word;
}

const CARDS_AT_START = /\((?:(?:10|[2-9TJQKA])[shdc](?: |(?=[,)])))+/g;

/** The text with the signs of the suits in cards that begin a parenthesis: "(As Kh)" becomes "(A♠ K♥)"; "7s" are sevens. */
export const withSuits = (text) => text.replace(CARDS_AT_START, (cards) => cards.replace(/[^ (]+/g, cardText));

export class RuleBuilder {
  constructor(app, form) {
    this.app = app;
    this.form = form;
    /** @type {string[]} */
    this.handCards = [];
    this.loadedDeal = null;
    this.rule = el("input.rule.builder-rule", { "aria-label": "Rule", autocomplete: "off", spellcheck: "false", placeholder: "pick words below, or type" });
    this.connective = el("select", { "aria-label": "Join words with" }, ["and", "or", "and not", "or not"].map((text) => el("option", { value: text }, text)));
    this.name = el("input", { "aria-label": "Name of the new hand", placeholder: "name of the hand", size: 14, autocomplete: "off" });
    this.addButton = el("button.strong", { type: "button", onclick: () => this.addHand() }, "Add as a hand");
    this.answer = el("div.builder-answer", { role: "status" });
    this.words = el("div.words", { role: "group", "aria-label": "Words" });
    this.deck = el("div.deck", { role: "group", "aria-label": "Cards of the hand to try" });
    this.verdict = el("div.verdict", { role: "status" });
    this.rule.addEventListener("input", () => this.updateLater());
    this.updateLater = debounce(250, () => this.update());
    this.details = el(
      "details.part",
      { ontoggle: () => this.details.open && this.load() },
      el("summary", {}, "Rule builder: pick words, try a hand"),
      el("div.row", {}, this.rule, this.connective),
      this.answer,
      this.words,
      el("div.row", {}, this.name, this.addButton),
      el("p.notice", {}, "Try a hand: click its cards in the order of the deal."),
      this.deck,
      this.verdict,
    );
    this.element = this.details;
    this.showDeck();
  }

  get deal() {
    return this.app.figuresData?.deal ?? "";
  }

  /** Load the words of the deal with an example and the probability of each. */
  async load() {
    if (this.loadedDeal === this.deal || !this.deal) return this.update();
    this.loadedDeal = this.deal;
    redraw(this.words, el("p.notice", {}, "Counting the words of the deal …"));
    try {
      const { words } = await request("/page/words", { ...this.app.requestBody(), rule: "" });
      redraw(this.words, words.map((word) => this.wordButton(word)));
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.loadedDeal = null;
      redraw(this.words, el("p.notice", {}, error.message));
    }
    this.update();
  }

  wordButton({ word, meaning, example, probability }) {
    const use = () => {
      this.rule.value = joinWord(this.rule.value, word, this.connective.value);
      this.update();
    };
    const cards = example ? example.split(" ").map(cardText).join(" ") : "";
    return el(
      "button.word-choice",
      { type: "button", title: meaning, onclick: use },
      el("b", {}, word),
      el("span.example", {}, cards),
      el("span.odds", {}, probability ?? ""),
    );
  }

  async update() {
    const rule = this.rule.value.trim();
    const sent = (this.sent = {});
    if (!rule && !this.handCards.length) return redraw(this.answer);
    try {
      const answer = await request("/page/rule", { ...this.app.requestBody(), rule, hand: this.handCards.join(" ") });
      if (sent !== this.sent) return;
      this.draw(answer);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (sent === this.sent && error.status !== 409) redraw(this.answer, el("p.problem", {}, error.message));
    }
  }

  draw({ english, probability, one_in: oneIn, example, problem, verdict }) {
    const cards = example ? example.split(" ").map(cardText).join(" ") : null;
    redraw(
      this.answer,
      problem ? el("p.problem", {}, problem) : null,
      english ? el("p", {}, el("b", {}, "In words: "), english) : null,
      probability ? el("p", {}, el("b", {}, "Probability: "), `${probability} (1 in ${oneIn})`, cards ? `, for example ${cards}` : "") : null,
    );
    redraw(
      this.verdict,
      verdict ? el("p", {}, el("b", {}, "This hand: "), withSuits(verdict.text)) : null,
      verdict?.reasons.length ? el("ul", {}, verdict.reasons.map((reason) => el("li", {}, withSuits(reason)))) : null,
    );
  }

  addHand() {
    const rule = this.rule.value.trim();
    const name = this.name.value.trim() || rule;
    if (!rule) return this.rule.focus();
    this.app.addHand(name, rule);
    this.rule.value = this.name.value = "";
    redraw(this.answer, el("p.fine", {}, `Added ${name} with a pay of 1 to 1.`));
  }

  showDeck() {
    const rows = SUITS.map(([suit, sign]) =>
      el(
        `div.suit.suit-${suit}`,
        {},
        RANKS.map((rank) => {
          const card = `${rank}${suit}`;
          const count = this.handCards.filter((other) => other === card).length;
          return el("button", { type: "button", "aria-label": `${rank} of ${sign}`, "aria-pressed": count > 0, onclick: () => this.toggle(card) }, `${rank}${sign}${count > 1 ? `×${count}` : ""}`);
        }),
      ),
    );
    const clear = el("button", { type: "button", onclick: () => this.setHand([]) }, "Clear");
    const chosen = this.handCards.map((card, index) => {
      const label = `Take ${cardText(card)} out of the hand`;
      const remove = () => this.setHand(this.handCards.filter((_, otherIndex) => otherIndex !== index));
      return el("button", { type: "button", "aria-label": label, title: label, onclick: remove }, cardText(card));
    });
    redraw(this.deck, rows, el("div.row", {}, el("span", {}, chosen.length ? "Hand:" : "Hand: no cards"), chosen, chosen.length ? clear : null));
  }

  toggle(card) {
    this.setHand([...this.handCards, card]);
  }

  setHand(cards) {
    this.handCards = cards;
    this.showDeck();
    this.update();
  }
}
