// The parts of the form below the awards: settings of a game, meters, and what only the text has.

import { el } from "./dom.js";
import * as edits from "./edits.js";

const FIELDS = ["bet", "deal", "pack", "option", "given", "game", "awards_add_up", "hands", "wheels", "paytable"];
const FIELDS_OF_PAYTABLE = ["id", "title", "decks", "awards", "settings", "meters"];

/** What a table chooses of a game's own rules: written into the paytable, or as the bet or the game has it. */
export function settings(form, paytable) {
  const given = form.app.settings ?? [];
  if (!given.length) return null;
  const own = [...paytable, "settings"];
  // What the text has already is looked at when it is changed: another setting may just have been written.
  const set = ({ key }, value) =>
    form.structure((text, outline, at) => {
      const place = at([...own, key]);
      if (place) return value ? text.slice(0, place.from) + edits.quoted(value) + text.slice(place.to) : edits.without_key(text, place);
      if (!value) return text;
      if (at(own)) return edits.with_key(text, outline, own, key, edits.quoted(value));
      return edits.with_key(text, outline, paytable, "settings", `{ ${key} = ${edits.quoted(value)} }`);
    }, edits.key([...own, key]));
  const fields = given.map((one) => {
    const path = [...paytable, "settings", one.key];
    const usual = form.value(["settings", one.key]) || one.usual;
    const common = { "data-path": edits.key(path), title: one.meaning };
    const field = one.choices.length
      ? el("select", { ...common, onchange: () => set(one, field.value) }, [["", `${usual} (usual)`], ...one.choices.map((value) => [value, value])].map(([value, text]) => el("option", { value }, text)))
      : el("input", { ...common, autocomplete: "off", placeholder: usual, oninput: () => set(one, field.value) });
    field.value = form.value(path);
    return el("label.field", {}, el("span", {}, one.title), field, el("span.wrong-here", { "data-wrong": edits.key(path) }));
  });
  return el("fieldset", {}, el("legend", {}, "Settings of the game"), el("div.fields", {}, fields), el("span.wrong-here", { "data-wrong": edits.key([...paytable, "settings"]) }));
}

const LEVEL = [["name", "Meter"], ["seed", "Seed"], ["rate", "Rate"], ["reserve", "Reserve"], ["cap", "Cap"], ["rate_after_cap", "Rate after the cap"]];

export function meters(form, paytable) {
  const paid = form.app.outline.some((one) => one.path[1] === form.number && one.path.at(-1) === "pays" && /% of /.test(one.value));
  const sets = Array.from({ length: form.size([...paytable, "meters"]) }, (_, number) => [...paytable, "meters", number]);
  if (!paid && !sets.length) return null;
  const rows = sets.map((path) => {
    const levels = Array.from({ length: form.size([...path, "levels"]) }, (_, number) => [...path, "levels", number]);
    const cells = levels.map((level) =>
      el(
        "li",
        {},
        el("div.level", {}, LEVEL.map(([name, label]) => form.field(label, [...level, name], { optional: !["name", "seed"].includes(name), placeholder: "none" }))),
        el("span.wrong-here", { "data-wrong": edits.key(level) }),
      ),
    );
    const whole = [form.field("Wager", [...path, "wager"], { optional: true, placeholder: "1" }), form.field("With decks", [...path, "decks"], { optional: true, placeholder: "all" })];
    return el("div", {}, el("div.fields", {}, whole), el("ol.rows", {}, cells));
  });
  const add = () =>
    form.structure((text, outline) => {
      const next = outline.find((one) => edits.key(one.path) === edits.key(["paytable", form.number + 1]));
      const at = next ? next.from : text.length;
      const name = outline.map((one) => /% of (.+)$/.exec(one.value ?? "")?.[1]).find(Boolean) ?? "meter";
      const level = `levels = [\n  { name = ${edits.quoted(name)}, seed = 1000, rate = "10%" },\n]`;
      return `${text.slice(0, at).trimEnd()}\n\n[[paytable.meters]]\n${level}\n\n${text.slice(at)}`;
    });
  return el("fieldset", {}, el("legend", {}, "Meters"), rows, sets.length ? null : form.button("Say how the meter is run", "", add));
}

const OF_METERS = ["deducted", "seed_paid_by", "kind", "all_pays_deducted", "basis"];

/** The name of what the form has no field for; nothing if it has one, or if it is of another paytable. */
function unknown(form, path) {
  const [first, number, key] = path;
  if (first === "pack" && !form.is_plain(["pack"])) return first;
  if (first !== "paytable") return FIELDS.includes(first) ? null : first;
  if (number !== form.number || key === undefined) return null;
  if (key === "meters" && OF_METERS.includes(path.at(-1))) return path.at(-1);
  return FIELDS_OF_PAYTABLE.includes(key) ? null : key;
}

/** Say plainly what else the text has, and lead there. */
export function in_text_only(form) {
  const found = new Map();
  for (const one of form.app.outline) {
    const name = unknown(form, one.path);
    if (name && !found.has(name)) found.set(name, one);
  }
  if (!found.size) return null;
  return el("p.notice.elsewhere", {}, "In the text only: ", [...found].map(([name, one]) => el("button", { type: "button", onclick: () => form.app.go_to(one) }, name.replaceAll("_", " "))));
}
