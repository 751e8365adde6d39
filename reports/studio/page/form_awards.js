// Parts of the rules: hands, wheels, and the hands or rules of the awards.

import { el } from "./dom.js";
import * as edits from "./edits.js";
import { unusedName } from "./form.js";

/** Rows of entries with an editable name and another field. */
function namedRows(form, table, noun, fieldFor) {
  const rows = form.namesIn(table).map((name) => {
    const path = [table, name];
    const hasHeading = form.app.text[form.itemAt(path).from] === "["; // then it is edited in the text
    const nameField = el("input.name", {
      value: name,
      "aria-label": `Name of the ${noun}`,
      autocomplete: "off",
      "data-path": edits.pathKey([...path, 0]),
      disabled: hasHeading,
    });
    nameField.addEventListener("change", () => form.rename(table, name, nameField.value.trim()));
    const remove = () => form.remove(path);
    const removeButton = form.button("✕", `Remove ${name}`, remove, hasHeading);
    return el("li", {}, el("div.hand", {}, nameField, fieldFor(path, name), removeButton), form.problemSpot(path));
  });
  return el("ol.rows", {}, rows);
}

export function handsFieldset(form) {
  const ruleField = (path, name) => form.input(path, `Rule of ${name}`, { rule: true, class: "rule" });
  const rows = namedRows(form, "hands", "hand", ruleField);
  const add = () =>
    form.change(() => [{ kind: "set", path: ["hands", unusedName("New hand", form.namesIn("hands"))], value: "suited" }]);
  const buttons = [form.button("Add a hand", "", add), form.namesIn("wheels").length ? null : addWheelButton(form)];
  return el("fieldset", {}, el("legend", {}, "Hands"), rows, el("div.row", {}, buttons));
}

/** Stops as a table, or as text for dice and for stops that the server will reject. */
function parseStops(text) {
  const pairs = text.split(",").map((pair) => pair.match(/^\s*([\d.]+)\s*:\s*(\d+)\s*$/));
  const isRight = (pair) => pair && Number.isSafeInteger(Number(pair[2]));
  const isTable = text.trim() && pairs.every(isRight) && new Set(pairs.map((pair) => pair[1])).size === pairs.length;
  return isTable ? Object.fromEntries(pairs.map(([, multiplier, weight]) => [multiplier, Number(weight)])) : text.trim();
}

function addWheelButton(form) {
  const add = () =>
    form.change(() => [{ kind: "set", path: ["wheels", unusedName("Wheel", form.namesIn("wheels"))], value: { 1: 3, 2: 1 } }]);
  return form.button("Add a wheel", "", add);
}

/** Wheels and dice that multiply pays; null if there are none. */
export function wheelsFieldset(form) {
  if (!form.namesIn("wheels").length) return null;
  const stopsField = (path, name) => {
    if (form.app.text[form.itemAt(path).from] === "[") return el("span.notice", {}, "Edit the stops in the text.");
    const field = el("input.rule", {
      value: form.stopsText(path),
      "aria-label": `Stops of ${name}`,
      "data-path": edits.pathKey(path),
      "data-shown": "stops",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "1: 30, 2: 15, or 2d6",
    });
    field.addEventListener("change", () => form.change(() => [{ kind: "set", path, value: parseStops(field.value) }]));
    return field;
  };
  const rows = namedRows(form, "wheels", "wheel", stopsField);
  const hint = el("p.notice", {}, "Multipliers with weights, such as 1: 30, 2: 15, or dice, such as 2d6. Choose the wheel of an award below.");
  return el("fieldset", {}, el("legend", {}, "Wheels and dice"), rows, hint, addWheelButton(form));
}

/** The awards with their hands or rules; the pays have their own view. */
export function awardsFieldset(form, paytable) {
  const path = [...paytable, "awards"];
  const awardCount = form.countItems(path);
  const rows = Array.from({ length: awardCount }, (_, index) => awardRow(form, [...path, index], index));
  const addsUp = form.value(["settlement"]) === "all matches";
  return el(
    "fieldset",
    {},
    el("legend", {}, addsUp ? "Awards, all matches paid" : "Awards, highest first"),
    el("ol.rows", {}, rows),
    awardCount ? null : el("p.notice", {}, "The game defines the awards."),
    form.problemSpot(path),
  );
}

function awardRow(form, path, index) {
  const has = (key) => Boolean(form.itemAt([...path, key]));
  const pathOf = (key) => [...path, key];
  const name = form.value(pathOf("name")) || form.value(pathOf("hand")) || `award ${index + 1}`;
  const rules = awardRules(form, pathOf, has, name);
  return el(
    "li",
    { "data-row": edits.pathKey(path) },
    el("div.award", {}, el("div.what", {}, awardSubject(form, pathOf, has, index)), rules.length ? el("div.rules", {}, rules) : null),
    form.problemSpot(path),
  );
}

/** The hand or the name of an award. */
function awardSubject(form, pathOf, has, index) {
  if (has("hand")) {
    const hands = [...new Set([...form.namesIn("hands"), form.value(pathOf("hand"))])].map((name) => [name, name]);
    return form.select(pathOf("hand"), `Hand of award ${index + 1}`, hands, { class: "hand-of" });
  }
  return has("name") ? form.input(pathOf("name"), `Name of award ${index + 1}`, { class: "name" }) : null;
}

/** The rule, the "for each" rule and the wheel of an award. */
function awardRules(form, pathOf, has, name) {
  const wheels = form.namesIn("wheels").map((wheel) => [wheel, wheel]);
  const ruleField = (key, label) => form.input(pathOf(key), label, { rule: true, class: "rule" });
  const wheelField = () => form.select(pathOf("wheel"), `Wheel of ${name}`, [["", "no wheel"], ...wheels], { optional: true });
  return [
    has("when") && ruleField("when", `Rule of ${name}`),
    has("per") && el("label.each", {}, el("span", {}, "for each"), ruleField("per", `For each, ${name}`)),
    wheels.length && el("label.each", {}, el("span", {}, "times"), wheelField()),
  ].filter(Boolean);
}
