// The ladder as an editable table: award, pay with stepper and slider, probability, return and share.

import { el } from "./dom.js";
import * as edits from "./edits.js";
import { Form, unusedName } from "./form.js";
import { GoalSeek } from "./goal_seek.js";

/** Pays that a slider can take. */
export const SLIDER_PAYS = [
  ...Array.from({ length: 20 }, (_, index) => index + 1),
  ...[25, 30, 35, 40, 45, 50, 60, 75, 80, 100, 125, 150, 200, 250, 300, 400, 500, 750, 1000, 1500, 2000, 2500, 5000, 10000],
];

const PAY_NUMBER = /^\s*([\d,]+)(?![\d.,]*[.%])/;

/** The whole number that a pay begins with; null if there is none, as in "push" or "10% of Mega". */
export function payNumber(text) {
  const match = text.match(PAY_NUMBER);
  return match ? Number(match[1].replaceAll(",", "")) : null;
}

/** The pay with another number, in the same unit. */
export function withPayNumber(text, number) {
  const match = text.match(PAY_NUMBER);
  if (!match || number < 1) return text;
  return text.replace(match[1], number >= 1000 ? number.toLocaleString("en-US") : String(number));
}

/** The word between the numbers of a pay: "to" or "for"; "to" if there is none. */
export const payWord = (text) => text.match(/^\s*[\d,.]+\s+(to|for)\s+1\s*$/)?.[1] ?? "to";

/** The pay with the unit if it is a number only: "200" becomes "200 to 1". */
export const withUnit = (text, word) => (/^\s*\d[\d,.]*\s*$/.test(text) ? `${text.trim()} ${word} 1` : text);

/** The position of the slider for a pay: that of the nearest pay it can take. */
export function sliderPosition(pay) {
  const distances = SLIDER_PAYS.map((value) => Math.abs(value - pay));
  return distances.indexOf(Math.min(...distances));
}

const COLUMNS = [
  ["Lock", "Goal seek leaves locked pays unchanged"],
  ["Award", ""],
  ["Pays", ""],
  ["1 in", "Hands per hit"],
  ["Probability", ""],
  ["Return", "What the award adds to the return"],
  ["Share", "Share of the return"],
  ["One more", "Change of the house edge if the award pays one unit more"],
  ["", "Row"],
];

export class Pays extends Form {
  constructor(container, app) {
    super(container, app);
    this.goalSeek = new GoalSeek(app);
  }

  parts() {
    const path = ["paytable", this.paytableIndex, "awards"];
    const awardCount = this.countItems(path);
    if (!awardCount) return [el("p.notice", {}, "The game defines the awards. Its settings are under Rules.")];
    const rows = Array.from({ length: awardCount }, (_, index) => this.row([...path, index], index, awardCount));
    const head = COLUMNS.map(([title, hint], index) =>
      el(`th.column-${index}`, { scope: "col", title: hint || undefined }, title || el("span.unseen", {}, hint)),
    );
    const add = () => this.change(() => [{ kind: "append", path, value: this.newAward(path) }]);
    return [
      el("table.ladder", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)),
      el("div.row.below", {}, this.button("Add an award", "", add), this.summary()),
      this.goalSeek.element,
    ];
  }

  summary() {
    this.summaryElement = el("span.notice", { id: "ladder-summary" });
    return this.summaryElement;
  }

  row(path, index, awardCount) {
    const pathOf = (key) => [...path, key];
    const name = this.awardName(path, index);
    const word = payWord(this.value(pathOf("pays")));
    const complete = (text) => withUnit(text, word);
    const pay = this.input(pathOf("pays"), `Pays of ${name}`, { class: "pays", complete });
    pay.addEventListener("change", () => (pay.value = complete(pay.value)));
    pay.addEventListener("keydown", (event) => stepByKey(event, pay));
    const number = payNumber(this.value(pathOf("pays")));
    const slider = this.slider(pay, name);
    pay.addEventListener("input", () => this.syncSlider(slider, pay.value));
    return el(
      "tr",
      { "data-award": name, "data-row": edits.pathKey(path) },
      el("td.column-0", {}, number === null ? null : this.lockBox(name)),
      el("th.column-1", { scope: "row" }, this.nameButton(path, name)),
      el("td.column-2", {}, number === null ? pay : this.stepper(pay, name), slider),
      ...["one_in", "probability", "return", "share", "step"].map((key, column) =>
        el(`td.number.column-${column + 3}`, { "data-figure": key }, ""),
      ),
      el("td.column-8", {}, this.rowMenu(path, index, awardCount, name)),
    );
  }

  awardName(path, index) {
    return this.value([...path, "name"]) || this.value([...path, "hand"]) || `award ${index + 1}`;
  }

  nameButton(path, name) {
    const show = () => this.app.showRule(path);
    return el("button.award-name", { type: "button", title: `Show the rule of ${name}`, onclick: show }, name);
  }

  lockBox(name) {
    const label = `Lock the pay of ${name}`;
    const box = el("input", { type: "checkbox", "aria-label": label, title: `${label}: goal seek leaves it unchanged` });
    box.checked = this.app.state.locks.includes(name);
    box.addEventListener("change", () => {
      const others = this.app.state.locks.filter((lock) => lock !== name);
      this.app.store.changeView({ locks: box.checked ? [...others, name] : others });
    });
    return box;
  }

  stepper(pay, name) {
    return el("div.stepper", {}, this.stepButton(pay, -1, name), pay, this.stepButton(pay, 1, name));
  }

  stepButton(field, step, name) {
    const change = () => changePay(field, (payNumber(field.value) ?? 0) + step);
    const label = `${step > 0 ? "Raise" : "Lower"} the pay of ${name} by 1`;
    return el("button", { type: "button", tabindex: -1, "aria-label": label, title: label, onclick: change }, step > 0 ? "+" : "−");
  }

  slider(field, name) {
    const slider = el("input", {
      type: "range",
      min: 0,
      max: SLIDER_PAYS.length - 1,
      "aria-label": `Slider for the pay of ${name}`,
      "data-slider": field.dataset.path,
    });
    slider.addEventListener("input", () => changePay(field, SLIDER_PAYS[Number(slider.value)]));
    this.syncSlider(slider, field.value);
    return slider;
  }

  syncSlider(slider, pay) {
    const number = payNumber(pay);
    slider.hidden = number === null;
    if (number === null) return;
    slider.value = String(sliderPosition(number));
    slider.setAttribute("aria-valuetext", pay);
  }

  rowMenu(path, index, awardCount, name) {
    const sibling = (siblingIndex) => [...path.slice(0, -1), siblingIndex];
    const swap = (firstIndex) => this.change(() => (this.itemAt(sibling(firstIndex + 1)) ? [{ kind: "swap", path: sibling(firstIndex) }] : []));
    return el(
      "span.moves",
      {},
      this.button("↑", `Move ${name} up`, () => swap(index - 1), index === 0),
      this.button("↓", `Move ${name} down`, () => swap(index), index === awardCount - 1),
      this.button("✕", `Remove ${name}`, () => this.remove(path), awardCount === 1),
    );
  }

  /** An award with a hand that has none yet; with a rule of its own if there is no such hand. */
  newAward(path) {
    const count = this.countItems(path);
    const valuesOf = (key) => Array.from({ length: count }, (_, index) => this.itemAt([...path, index, key])?.value);
    const hand = this.namesIn("hands").find((name) => !valuesOf("hand").includes(name));
    return hand ? { hand, pays: "1 to 1" } : { name: unusedName("New award", valuesOf("name")), when: "suited", pays: "1 to 1" };
  }

  refresh() {
    super.refresh();
    for (const slider of this.container.querySelectorAll("[data-slider]")) {
      const value = this.value(JSON.parse(slider.dataset.slider));
      if (slider !== document.activeElement || sliderPosition(payNumber(value) ?? 0) !== Number(slider.value)) this.syncSlider(slider, value);
    }
    for (const row of this.container.querySelectorAll("[data-award]")) {
      const box = row.querySelector("[type=checkbox]");
      if (box) box.checked = this.app.state.locks.includes(row.dataset.award);
    }
  }

  /** Show what each award contributes; rows are found by name. */
  showFigures({ awards, at, all_matches: addsUp }) {
    const figuresByName = new Map(awards.map((award) => [award.name, award]));
    for (const row of this.container.querySelectorAll("[data-award]")) {
      const figures = figuresByName.get(row.dataset.award);
      for (const cell of row.querySelectorAll("[data-figure]")) {
        const value = figures?.[cell.dataset.figure] ?? null;
        cell.textContent = value?.text ?? (figures ? "–" : "");
        if (value?.exact) cell.dataset.exact = value.exact;
        else delete cell.dataset.exact;
        if (cell.dataset.figure === "share") cell.style.setProperty("--share", value?.at ?? "0");
      }
    }
    if (this.summaryElement) {
      const all = addsUp ? "all matching awards are paid" : "the highest matching award is paid";
      this.summaryElement.textContent = `Columns are for ${at} ${at === 1 ? "deck" : "decks"}; ${all}.`;
    }
    this.goalSeek.update();
  }

  /** Mark the fields with problems; the line of problems has the messages. */
  showProblems() {
    for (const field of this.container.querySelectorAll("[data-path]")) {
      const path = JSON.parse(field.dataset.path);
      const isAbout = (problem) => problem.path?.length && path.every((step, index) => step === problem.path[index]);
      const isInRow = (problem) => problem.path?.length === path.length - 1 && problem.path.every((step, index) => step === path[index]);
      const problem = this.app.problems.find(isAbout) ?? this.app.problems.find(isInRow);
      field.classList.toggle("wrong-field", problem?.level === "error");
      field.classList.toggle("doubtful-field", problem?.level === "warning");
      if (problem?.level === "error") field.setAttribute("aria-invalid", "true");
      else field.removeAttribute("aria-invalid");
      field.title = problem?.text ?? field.value;
    }
  }
}

function changePay(field, number) {
  const value = withPayNumber(field.value, number);
  if (value === field.value) return;
  field.value = value;
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "step" }));
}

/** Change a pay by 1 with the arrow keys, by 10 with Shift. */
function stepByKey(event, field) {
  const step = { ArrowUp: 1, ArrowDown: -1 }[event.key];
  const number = payNumber(field.value);
  if (!step || number === null) return;
  event.preventDefault();
  changePay(field, number + step * (event.shiftKey ? 10 : 1));
}
