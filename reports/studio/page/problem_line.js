// One line with the problems of the bet: the first one, where it is, and a button for the others.

import { el } from "./dom.js";

export class ProblemLine {
  constructor(container, goTo) {
    this.container = container;
    this.goTo = goTo;
    this.isOpen = false;
    /** @type {[any[], boolean]} */
    this.shown = [[], false];
    addEventListener("pointerdown", ({ target }) => {
      if (!this.isOpen || container.contains(/** @type {Node} */ (target))) return;
      this.isOpen = false;
      this.show(...this.shown);
    });
  }

  /** Show the errors first, then the warnings. */
  show(problems, isPartial) {
    this.shown = [problems, isPartial];
    const sorted = [...problems].sort((a, b) => Number(a.level !== "error") - Number(b.level !== "error"));
    if (!sorted.length) {
      this.isOpen = false;
      const text = isPartial ? "The bet is valid; checks follow …" : "✓ No problems found";
      this.container.replaceChildren(el("p.fine", {}, text));
      return;
    }
    const toggle = () => {
      this.isOpen = !this.isOpen;
      this.show(problems, isPartial);
    };
    const others = sorted.length > 1;
    const moreButton = others && el("button", { type: "button", "aria-expanded": this.isOpen, onclick: toggle }, `All ${sorted.length}`);
    const shown = this.isOpen && others ? sorted : sorted.slice(0, 1);
    this.container.replaceChildren(
      el("ul", { class: this.isOpen ? "open" : undefined }, shown.map((problem, index) => this.item(problem, index === 0 && moreButton))),
    );
  }

  item(problem, extra) {
    const place = problem.line ? `Line ${problem.line}` : "Bet";
    const button = el("button", { type: "button", onclick: () => this.goTo(problem) }, place);
    return el("li", { class: problem.level }, button, el("span.message", { title: problem.text }, problem.text), extra || null);
  }
}
