// The parts of the form that say what is paid for: hands with their rules, wheels, and the awards.

import { el } from "./dom.js";
import * as edits from "./edits.js";

/** A list of things that have a name of their own, which can be changed, and something beside it. */
function named(form, table, one, beside) {
  const rows = form.names(table).map((name) => {
    const path = [table, name];
    const is_table = form.app.text[form.places.get(edits.key(path)).from] === "["; // with a heading of its own, for the text to change
    const called = el("input.name", { value: name, "aria-label": `Name of the ${one}`, autocomplete: "off", "data-path": edits.key([...path, 0]), disabled: is_table });
    called.addEventListener("change", () => form.rename(table, name, called.value.trim()));
    const remove = () => form.change([path], edits.without_key);
    return el("li", {}, el("div.hand", {}, called, beside(path, name), form.button("✕", `Remove ${name}`, remove, is_table)), el("span.wrong-here", { "data-wrong": edits.key(path) }));
  });
  return el("ol.rows", {}, rows);
}

export function hands(form) {
  const list = named(form, "hands", "hand", (path, name) => form.input(path, `Rule of ${name}`, { rule: true, class: "rule" }));
  const fresh = () => form.structure((text, outline) => edits.with_entry(text, outline, "hands", unused("New hand", form.names("hands")), edits.quoted("suited")));
  const buttons = [form.button("Add a hand", "", fresh), form.names("wheels").length ? null : add_wheel(form)];
  return el("fieldset", {}, el("legend", {}, "Hands"), list, el("div.row", {}, buttons));
}

/** The stops of a wheel as a person writes them: multipliers with their weights, or dice. */
export function stops(form, path) {
  const place = form.places.get(edits.key(path));
  if (!place) return "";
  if (place.value !== null) return String(place.value);
  const found = form.app.outline.filter((one) => one.path.length === 3 && one.path[0] === path[0] && one.path[1] === path[1]);
  return found.map((one) => `${one.path[2]}: ${one.value}`).join(", ");
}

/** What a person wrote, as TOML has it: a table of stops, or dice, about which the program itself says what is wrong. */
export function stops_literal(text) {
  const pairs = text.split(",").map((one) => one.match(/^\s*([\d.]+)\s*:\s*(\d+)\s*$/));
  if (!text.trim() || !pairs.every(Boolean) || new Set(pairs.map((one) => one[1])).size < pairs.length) return edits.quoted(text.trim());
  return `{ ${pairs.map(([, times, weight]) => `"${times}" = ${BigInt(weight)}`).join(", ")} }`;
}

function add_wheel(form) {
  const fresh = () => form.structure((text, outline) => edits.with_entry(text, outline, "wheels", unused("Wheel", form.names("wheels")), '{ "1" = 3, "2" = 1 }'));
  return form.button("Add a wheel", "", fresh);
}

/** Wheels and dice by which pays are multiplied, if there are any. */
export function wheels(form) {
  if (!form.names("wheels").length) return null;
  const list = named(form, "wheels", "wheel", (path, name) => {
    const place = form.places.get(edits.key(path));
    if (form.app.text[place.from] === "[") return el("span.notice", {}, "its stops are in the text");
    const field = el("input.rule", { value: stops(form, path), "aria-label": `Stops of ${name}`, "data-path": edits.key(path), "data-shown": "stops", autocomplete: "off", spellcheck: "false", placeholder: "1: 30, 2: 15, or 2d6" });
    field.addEventListener("change", () => form.change([path], (text, { from, to }) => text.slice(0, from) + stops_literal(field.value) + text.slice(to)));
    return field;
  });
  const about = el("p.notice", {}, "Multipliers with their weights, as 1: 30, 2: 15, or dice, as 2d6; an award below has one.");
  return el("fieldset", {}, el("legend", {}, "Wheels and dice"), list, about, add_wheel(form));
}

export function awards(form, paytable) {
  const list = [...paytable, "awards"];
  const count = form.size(list);
  const rows = Array.from({ length: count }, (_, number) => award(form, [...list, number], number, count));
  const add = () =>
    form.structure((text, outline, at) => {
      const there = outline.filter((one) => one.path.length === list.length + 1 && edits.key(one.path.slice(0, -1)) === edits.key(list)).length;
      const given = (key) => Array.from({ length: there }, (_, number) => at([...list, number, key])?.value);
      const hand = form.names("hands").find((one) => !given("hand").includes(one));
      const fields = hand
        ? { hand: edits.quoted(hand), pays: '"1 to 1"' }
        : { name: edits.quoted(unused("New award", given("name"))), when: '"suited"', pays: '"1 to 1"' };
      const item = `{ ${Object.entries(fields).map(([name, value]) => `${name} = ${value}`).join(", ")} }`;
      return edits.with_item(text, at([...list, there - 1]), item, fields);
    });
  return el(
    "fieldset",
    {},
    el("legend", {}, form.value(["awards_add_up"]) === "true" ? "Awards, all that fit" : "Awards, highest first"),
    el("ol.rows", {}, rows),
    count ? form.button("Add an award", "", add) : el("p.notice", {}, "The awards are those of the game itself."),
    el("span.wrong-here", { "data-wrong": edits.key(list) }),
  );
}

function award(form, path, number, count) {
  const has = (name) => form.places.has(edits.key([...path, name]));
  const called = form.value([...path, "name"]) || form.value([...path, "hand"]) || `award ${number + 1}`;
  const of = (name) => [...path, name];
  const wheels = form.names("wheels");
  const is_hand = has("hand");
  const hands = [...new Set([...form.names("hands"), form.value(of("hand"))])].map((one) => [one, one]);
  const what = is_hand ? form.select(of("hand"), `Hand of award ${number + 1}`, hands, { class: "hand-of" }) : has("name") ? form.input(of("name"), `Name of award ${number + 1}`, { class: "name" }) : null;
  const rules = [
    has("when") && form.input(of("when"), `Rule of ${called}`, { rule: true, class: "rule" }),
    has("per") && el("label.each", {}, el("span", {}, "for each of"), form.input(of("per"), `For each, ${called}`, { rule: true, class: "rule" })),
    wheels.length && el("label.each", {}, el("span", {}, "times"), form.select(of("wheel"), `Wheel of ${called}`, [["", "no wheel"], ...wheels.map((one) => [one, one])], { optional: true })),
  ].filter(Boolean);
  const inline = form.app.text[form.places.get(edits.key(path)).from] === "{";
  const beside = (other) => [...path.slice(0, -1), other];
  const move = (first) => form.change([beside(first), beside(first + 1)], edits.swapped);
  const remove = () => form.change([path], edits.without_item);
  return el(
    "li",
    { "data-row": edits.key(path) },
    el(
      "div.award",
      {},
      el("div.what", {}, what),
      form.input(of("pays"), `Pays of ${called}`, { class: "pays", pay: true }),
      el(
        "span.moves",
        {},
        form.button("↑", `Move ${called} up`, () => move(number - 1), !inline || number === 0),
        form.button("↓", `Move ${called} down`, () => move(number), !inline || number === count - 1),
        form.button("✕", `Remove ${called}`, remove, count === 1),
      ),
      rules.length ? el("div.rules", {}, rules) : null,
    ),
    el("span.wrong-here", { "data-wrong": edits.key(path) }),
  );
}

/** A name that is not taken yet. */
function unused(name, taken) {
  if (!taken.includes(name)) return name;
  for (let number = 2; ; number++) if (!taken.includes(`${name} ${number}`)) return `${name} ${number}`;
}
