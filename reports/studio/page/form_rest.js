// Parts of the form below the awards: settings of the game, meters, and links to fields that only the text has.

import { el } from "./dom.js";
import * as edits from "./edits.js";

/** The settings of the game; an empty field uses the value of the bet or the default of the game. */
export function settingsFieldset(form, paytable) {
  const settings = form.app.settings ?? [];
  if (!settings.length) return null;
  const tablePath = [...paytable, "settings"];
  const fields = settings.map((setting) => {
    const path = [...tablePath, setting.key];
    const defaultValue = form.value(["settings", setting.key]) || setting.default;
    const attributes = { "data-path": edits.pathKey(path), title: setting.meaning };
    const set = () => setSetting(form, paytable, setting.key, field.value);
    const options = [["", `${defaultValue} (default)`], ...setting.choices.map((value) => [value, value])];
    const field = setting.choices.length
      ? el("select", { ...attributes, onchange: set }, options.map(([value, text]) => el("option", { value }, text)))
      : el("input", { ...attributes, autocomplete: "off", placeholder: defaultValue, oninput: set });
    field.value = form.value(path);
    return el("label.field", {}, el("span", {}, setting.title), field, form.problemSpot(path));
  });
  return el("fieldset", {}, el("legend", {}, "Settings of the game"), el("div.fields", {}, fields), form.problemSpot(tablePath));
}

function setSetting(form, paytable, key, value) {
  form.setValue([...paytable, "settings", key], value, { optional: true });
}

const METER_FIELDS = [
  ["name", "Meter"],
  ["seed", "Seed"],
  ["rate", "Contribution rate"],
  ["reserve", "Reserve"],
  ["cap", "Cap"],
  ["rate_after_cap", "Rate after cap"],
];
const METER_PAY = /% of (.+)$/;

export function metersFieldset(form, paytable) {
  const isMeterPay = ({ path, value }) => path[1] === form.paytableIndex && path.at(-1) === "pays" && METER_PAY.test(value);
  const systemCount = form.countItems([...paytable, "meters"]);
  if (!systemCount && !form.app.outline.some(isMeterPay)) return null;
  const systems = Array.from({ length: systemCount }, (_, index) => meterSystem(form, [...paytable, "meters", index]));
  const add = () => form.change(() => [meterSystemEdit(form, paytable)]);
  const button = systemCount ? null : form.button("Add seed and rate of the meter", "", add);
  return el("fieldset", {}, el("legend", {}, "Meters"), systems, button);
}

function meterSystem(form, path) {
  const rows = Array.from({ length: form.countItems([...path, "levels"]) }, (_, index) => {
    const level = [...path, "levels", index];
    const fields = METER_FIELDS.map(([key, label]) => {
      const optional = !["name", "seed"].includes(key);
      return form.field(label, [...level, key], { optional, placeholder: "none" });
    });
    return el("li", {}, el("div.level", {}, fields), form.problemSpot(level));
  });
  const wager = form.field("Wager", [...path, "wager"], { optional: true, placeholder: "1" });
  const decks = form.field("Deck counts", [...path, "decks"], { optional: true, placeholder: "all" });
  return el("div", {}, el("div.fields", {}, wager, decks), el("ol.rows", {}, rows));
}

function meterSystemEdit(form, paytable) {
  const name = form.app.outline.map((item) => METER_PAY.exec(item.value ?? "")?.[1]).find(Boolean) ?? "meter";
  const level = { name, seed: 1000, rate: "10%" };
  return { kind: "append", path: [...paytable, "meters"], value: { levels: [level] } };
}

const BET_FIELDS = ["bet", "deal", "pack", "option", "given", "game", "settlement", "hands", "wheels", "paytable"];
const PAYTABLE_FIELDS = ["id", "title", "decks", "awards", "settings", "meters"];
const TEXT_ONLY_METER_FIELDS = ["deducted", "seed_paid_by", "kind", "all_pays_deducted", "basis"];

/** The name of a key without a form field; null if it has one or belongs to another paytable. */
function textOnlyName(form, path) {
  const [first, index, key] = path;
  if (first === "pack" && !form.isScalar(["pack"])) return first;
  if (first !== "paytable") return BET_FIELDS.includes(first) ? null : first;
  if (index !== form.paytableIndex || key === undefined) return null;
  if (key === "meters" && TEXT_ONLY_METER_FIELDS.includes(path.at(-1))) return path.at(-1);
  return PAYTABLE_FIELDS.includes(key) ? null : key;
}

/** Links to the keys that only the text has. */
export function textOnlyNotice(form) {
  const itemByName = new Map();
  for (const item of form.app.outline) {
    const name = textOnlyName(form, item.path);
    if (name && !itemByName.has(name)) itemByName.set(name, item);
  }
  if (!itemByName.size) return null;
  const buttons = [...itemByName].map(([name, item]) =>
    el("button", { type: "button", onclick: () => form.app.goToRange(item) }, name.replaceAll("_", " ")),
  );
  return el("p.notice.elsewhere", {}, "Edit in the text: ", buttons);
}
