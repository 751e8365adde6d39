// Completion: the words of a rule while one is typed, with what they mean.

import { $, el } from "./dom.js";
import { read } from "./server.js";

let words = [];
let known_deal = null;
/** Opens the list for what somebody typed before the words came. */
let late = null;

/** Have the words of a deal at hand. */
export async function use_deal(deal) {
  if (!deal || deal === known_deal) return;
  known_deal = deal;
  try {
    const found = await read(`/api/words?deal=${encodeURIComponent(deal)}`);
    if (deal !== known_deal) return;
    words = listed(found);
    late?.();
  } catch {
    known_deal = null; // a deal that cannot be read has no words; the error is at its line
  }
}

function listed(found) {
  const roles = new Set(found.flatMap((one) => one.said_of).filter((one) => one !== "by itself"));
  const list = [];
  for (const one of found) {
    const word = one.word.replace("(...)", "(");
    if (one.said_of.includes("by itself") || one.kind === "kind of card") list.push({ word, about: one.meaning });
    for (const role of roles) {
      if (one.kind !== "kind of card" && one.said_of.includes(role))
        list.push({ word: `${role}.${word}`, about: one.meaning });
    }
  }
  for (const role of roles) list.push({ word: `${role}.`, about: `of the ${role}'s cards` });
  for (const [word, about] of [["and", "both"], ["or", "either"], ["not", "not so"]]) list.push({ word, about });
  return list;
}

/** Find what could be meant before a place in a rule: the longest beginning of a word that ends there. */
export function candidates(rule) {
  const starts = [...rule.matchAll(/(?<![\w.])[A-Za-z]/g)].map((match) => match.index).slice(-5);
  for (const start of starts) {
    const begun = rule.slice(start).toLowerCase();
    const found = words.filter((one) => one.word.toLowerCase().startsWith(begun) && one.word.toLowerCase() !== begun);
    if (found.length) return { begun: rule.length - start, found: found.slice(0, 12) };
  }
  return { begun: 0, found: /(^|[\s(])$/.test(rule) ? words.slice(0, 12) : [] };
}

const list = () => $("choices");
let current = null; // the field being completed

export function close() {
  if (!current) return;
  list().hidden = true;
  current.field.setAttribute("aria-expanded", "false");
  current.field.removeAttribute("aria-activedescendant");
  current = null;
}

/** Complete rules in a field; `rule` gives the part of a rule before the caret, or nothing where there is none. */
export function completes(field, rule, position) {
  field.setAttribute("role", field.tagName === "INPUT" ? "combobox" : field.getAttribute("role") ?? "textbox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", "choices");
  if (field.tagName === "INPUT") field.setAttribute("aria-expanded", "false");

  const open = (asked) => {
    late = words.length ? null : () => document.activeElement === field && open(asked);
    const before = field.selectionStart === field.selectionEnd ? rule() : null;
    const { begun, found } = before === null ? { found: [] } : candidates(before);
    if (!found.length || (!asked && begun < 1)) return close();
    current = { field, begun, found, at: 0 };
    show(position());
  };
  field.addEventListener("input", (event) => {
    if (event.inputType?.startsWith("insert") || event.inputType?.startsWith("delete")) open(false);
  });
  field.addEventListener("blur", () => setTimeout(() => current?.field === field && close(), 150));
  field.addEventListener("click", close);
  field.addEventListener("keydown", (event) => {
    if (event.key === " " && event.ctrlKey) {
      open(true);
      event.preventDefault();
      return;
    }
    if (current?.field !== field) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) choose((current.at + step + current.found.length) % current.found.length);
    else if (event.key === "Enter" || event.key === "Tab") accept();
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

function show({ left, top, above }) {
  const items = current.found.map((one, place) =>
    el(
      "li",
      {
        role: "option",
        id: `choice-${place}`,
        onmousedown: (event) => {
          event.preventDefault();
          current.at = place;
          accept();
        },
      },
      el("b", {}, one.word),
      el("span", {}, one.about),
    ),
  );
  const box = list();
  box.replaceChildren(...items);
  box.hidden = false;
  const width = Math.min(440, innerWidth - 16);
  box.style.width = `${width}px`;
  box.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  const room = innerHeight - top - 8;
  const height = Math.min(box.scrollHeight + 2, 260);
  const below = room >= Math.min(height, 120);
  box.style.maxHeight = `${Math.min(260, below ? room : above - 8)}px`;
  box.style.top = below ? `${top}px` : "auto";
  box.style.bottom = below ? "auto" : `${innerHeight - above}px`;
  current.field.setAttribute("aria-expanded", "true");
  choose(0);
}

function choose(place) {
  current.at = place;
  const all = [...list().children];
  all.forEach((one, number) => one.setAttribute("aria-selected", number === place));
  all[place].scrollIntoView({ block: "nearest" });
  current.field.setAttribute("aria-activedescendant", `choice-${place}`);
}

function accept() {
  const { field, begun, found, at } = current;
  const caret = field.selectionStart;
  close();
  field.setRangeText(found[at].word, caret - begun, caret, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "completion" }));
}
