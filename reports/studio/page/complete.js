// Completion of rules: the words of the deal with their meanings.

import { $, el } from "./dom.js";
import { get } from "./server.js";

const MAX_CHOICES = 12;
let words = [];
let wordsDeal = null; // the deal of `words`
let openWhenLoaded = null; // opens the list for a field in which a rule was typed before the words arrived

/** Load the words of a deal. */
export async function loadWords(deal) {
  if (!deal || deal === wordsDeal) return;
  wordsDeal = deal;
  try {
    const entries = await get(`/api/words?deal=${encodeURIComponent(deal)}`);
    if (deal !== wordsDeal) return;
    words = completions(entries);
    openWhenLoaded?.();
  } catch {
    wordsDeal = null; // an invalid deal has no words; the error is shown at its line
  }
}

const isRole = (name) => /^\w+$/.test(name); // the other entry of `roles` is a phrase for words without a role

function completions(entries) {
  const roles = new Set(entries.flatMap((entry) => entry.roles).filter(isRole));
  const choices = [];
  for (const entry of entries) {
    const word = entry.word.replace("(...)", "(");
    const isCardKind = entry.kind === "kind of card";
    if (isCardKind || !entry.roles.every(isRole)) choices.push({ word, meaning: entry.meaning });
    for (const role of roles) {
      if (!isCardKind && entry.roles.includes(role)) choices.push({ word: `${role}.${word}`, meaning: entry.meaning });
    }
  }
  for (const role of roles) choices.push({ word: `${role}.`, meaning: `the ${role}'s cards` });
  choices.push({ word: "and", meaning: "both" }, { word: "or", meaning: "either" }, { word: "not", meaning: "negation" });
  return choices;
}

/** Find the words that can complete a rule: those that begin with the longest possible end of the rule. */
export function findChoices(rule) {
  const starts = [...rule.matchAll(/(?<![\w.])[A-Za-z]/g)].map((match) => match.index).slice(-5);
  for (const start of starts) {
    const prefix = rule.slice(start).toLowerCase();
    const choices = words.filter(({ word }) => word.toLowerCase().startsWith(prefix) && word.toLowerCase() !== prefix);
    if (choices.length) return { prefixLength: rule.length - start, choices: choices.slice(0, MAX_CHOICES) };
  }
  return { prefixLength: 0, choices: /(^|[\s(])$/.test(rule) ? words.slice(0, MAX_CHOICES) : [] };
}

const listElement = () => $("choices");
let current = null; // the field that is completed, its choices and the selected index

export function closeList() {
  if (!current) return;
  listElement().hidden = true;
  current.field.setAttribute("aria-expanded", "false");
  current.field.removeAttribute("aria-activedescendant");
  current = null;
}

/** Complete rules in a field; `ruleBeforeCaret` returns null where there is no rule. */
export function enableCompletion(field, ruleBeforeCaret, caretPosition) {
  field.setAttribute("role", "combobox");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", "choices");
  field.setAttribute("aria-expanded", "false");

  const open = (isRequested) => {
    openWhenLoaded = words.length ? null : () => document.activeElement === field && open(isRequested);
    const rule = field.selectionStart === field.selectionEnd ? ruleBeforeCaret() : null;
    const { prefixLength, choices } = rule === null ? { choices: [] } : findChoices(rule);
    if (!choices.length || (!isRequested && prefixLength < 1)) return closeList();
    current = { field, prefixLength, choices, index: 0 };
    showList(caretPosition());
  };
  field.addEventListener("input", (event) => {
    if (event.inputType?.startsWith("insert") || event.inputType?.startsWith("delete")) open(false);
  });
  field.addEventListener("blur", () => setTimeout(() => current?.field === field && closeList(), 150));
  field.addEventListener("click", closeList);
  field.addEventListener("keydown", (event) => {
    if (event.key === " " && event.ctrlKey) {
      open(true);
      event.preventDefault();
      return;
    }
    if (current?.field !== field) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) select((current.index + step + current.choices.length) % current.choices.length);
    else if (event.key === "Enter" || event.key === "Tab") accept();
    else if (event.key === "Escape") closeList();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
}

const MAX_LIST_WIDTH = 440;
const MAX_LIST_HEIGHT = 260;

function showList({ left, top, above }) {
  const items = current.choices.map(({ word, meaning }, index) => {
    const onmousedown = (event) => {
      event.preventDefault();
      current.index = index;
      accept();
    };
    return el("li", { role: "option", id: `choice-${index}`, onmousedown }, el("b", {}, word), el("span", {}, meaning));
  });
  const list = listElement();
  list.replaceChildren(...items);
  list.hidden = false;
  const width = Math.min(MAX_LIST_WIDTH, innerWidth - 16);
  list.style.width = `${width}px`;
  list.style.left = `${Math.max(8, Math.min(left, innerWidth - width - 8))}px`;
  const spaceBelow = innerHeight - top - 8;
  const isBelow = spaceBelow >= Math.min(list.scrollHeight + 2, 120);
  list.style.maxHeight = `${Math.min(MAX_LIST_HEIGHT, isBelow ? spaceBelow : above - 8)}px`;
  list.style.top = isBelow ? `${top}px` : "auto";
  list.style.bottom = isBelow ? "auto" : `${innerHeight - above}px`;
  current.field.setAttribute("aria-expanded", "true");
  select(0);
}

function select(index) {
  current.index = index;
  const items = [...listElement().children];
  items.forEach((item, itemIndex) => item.setAttribute("aria-selected", itemIndex === index));
  items[index].scrollIntoView({ block: "nearest" });
  current.field.setAttribute("aria-activedescendant", `choice-${index}`);
}

function accept() {
  const { field, prefixLength, choices, index } = current;
  const caret = field.selectionStart;
  closeList();
  field.setRangeText(choices[index].word, caret - prefixLength, caret, "end");
  field.dispatchEvent(new InputEvent("input", { bubbles: true, inputType: "completion" }));
}
