// The state of the page with its undo history, and its encoding in the link.

export const DEFAULT_BET = `bet = "My side bet"
deal = "player:2, up:1"

[hands]
"Suited triple" = "three of a kind and suited"
"Straight flush" = "straight flush"
"Three of a kind" = "three of a kind"
"Straight" = "straight"
"Flush" = "flush"

[[paytable]]
id = "MINE-1"
decks = "6, 8"
awards = [
  { hand = "Suited triple", pays = "100 to 1" },
  { hand = "Straight flush", pays = "35 to 1" },
  { hand = "Three of a kind", pays = "30 to 1" },
  { hand = "Straight", pays = "10 to 1" },
  { hand = "Flush", pays = "5 to 1" },
]
`;

/**
 * @typedef {{ id: number, name: string, note: string, toml: string, paytable: string | null, meters: Record<string, string> }} Variant
 * @typedef {object} State
 * @property {string} toml the text of the bet
 * @property {string | null} paytable the selected paytable of the text
 * @property {string} decks the deck counts that are shown
 * @property {number | null} at the selected deck count
 * @property {string} target the target band of the edge
 * @property {string} removed removed cards
 * @property {Record<string, string>} meters amounts of meters
 * @property {string} name the name of the project
 * @property {string} notes
 * @property {Variant[]} variants
 * @property {string[]} locks the awards whose pays goal seek leaves unchanged
 * @property {string} view the view of the bet: pays, rules or text
 * @property {string} panel the open tool
 * @property {Record<string, Record<string, string>>} asked the fields of each tool
 */

/** The state of a new page. @returns {State} */
export const initialState = () => ({
  toml: DEFAULT_BET,
  paytable: null,
  decks: "1-8",
  at: null,
  target: "4%..5%",
  removed: "",
  meters: {},
  name: "",
  notes: "",
  variants: [],
  locks: [],
  view: "pays",
  panel: "charts",
  asked: {},
});

const MERGE_TIME = 900; // milliseconds within which changes of one field are one undo step
const MAX_UNDO_STEPS = 500;

/** Use the line endings of a text field. */
const normalizeLines = (patch) => ("toml" in patch ? { ...patch, toml: patch.toml.replace(/\r\n?/g, "\n") } : patch);

export class Store {
  constructor(state) {
    this.state = normalizeLines(state);
    this.past = [];
    this.future = [];
    this.listeners = [];
    this.lastChange = { field: null, time: 0 };
  }

  /** Change the state; quick changes of the same field are one undo step. */
  change(patch, field = null) {
    const time = performance.now();
    const isSameStep = field !== null && field === this.lastChange.field && time - this.lastChange.time < MERGE_TIME;
    if (!isSameStep) this.past.push(this.state);
    if (this.past.length > MAX_UNDO_STEPS) this.past.shift();
    this.future = [];
    this.lastChange = { field, time };
    this.state = { ...this.state, ...normalizeLines(patch) };
    this.notify();
  }

  /** Change what is shown, without an undo step. */
  changeView(patch) {
    this.state = { ...this.state, ...patch };
    this.notify();
  }

  undo() {
    this.move(this.past, this.future);
  }

  redo() {
    this.move(this.future, this.past);
  }

  move(from, to) {
    if (!from.length) return;
    to.push(this.state);
    const { view, panel, asked, at, locks } = this.state; // the view and the fields of tools stay
    const previous = from.pop();
    this.state = { ...previous, view, panel, asked, locks, at: at ?? previous.at };
    this.lastChange = { field: null, time: 0 };
    this.notify();
  }

  notify() {
    for (const listener of this.listeners) listener(this.state);
  }
}

const HISTORY_KEY = "history";
const MAX_STORED_STEPS = 100;

/** What an undo step restores, as text that does not depend on the order in which the values were set. */
function contentOf(state) {
  const { toml, paytable, decks, target, removed, meters, name, notes, variants } = sanitizeState(state);
  return JSON.stringify({ toml, paytable, decks, target, removed, meters, name, notes, variants });
}

/** Store the undo history, so that it survives a reload. */
export function saveHistory(store) {
  const history = {
    content: contentOf(store.state),
    past: store.past.slice(-MAX_STORED_STEPS),
    future: store.future.slice(-MAX_STORED_STEPS),
  };
  try {
    localStorage.setItem(HISTORY_KEY, JSON.stringify(history));
  } catch {
    localStorage.removeItem(HISTORY_KEY); // too large
  }
}

/** Restore the undo history if it belongs to the state. */
export function restoreHistory(store) {
  try {
    const history = JSON.parse(localStorage.getItem(HISTORY_KEY) ?? "null");
    if (history?.content !== contentOf(store.state)) return;
    store.past = history.past.map(sanitizeState);
    store.future = history.future.map(sanitizeState);
  } catch {
    // stored by another version
  }
}

async function pipeThrough(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** Encode a state for the part of a link after the #. */
export async function encodeState(state) {
  const json = new TextEncoder().encode(JSON.stringify(state));
  const bytes = await pipeThrough(new CompressionStream("deflate-raw"), json);
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return "1" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const MAX_STATE_BYTES = 4_000_000;

/** Decode a state from a link; null if there is none. */
export async function decodeState(hash) {
  const text = hash.replace(/^#/, "");
  if (!text.startsWith("1")) return null;
  try {
    const base64 = text.slice(1).replaceAll("-", "+").replaceAll("_", "/");
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const json = await pipeThrough(new DecompressionStream("deflate-raw"), bytes);
    if (json.length > MAX_STATE_BYTES) return null;
    return sanitizeState(JSON.parse(new TextDecoder().decode(json)));
  } catch {
    return null;
  }
}

/** Keep only values of the expected types; a link can come from anywhere. */
function sanitizeState(decoded) {
  const state = initialState();
  for (const key of ["toml", "decks", "removed", "target", "name", "notes"]) if (typeof decoded[key] === "string") state[key] = decoded[key];
  if (typeof decoded.paytable === "string") state.paytable = decoded.paytable;
  if (Number.isInteger(decoded.at)) state.at = decoded.at;
  if (["pays", "rules", "text"].includes(decoded.view)) state.view = decoded.view;
  if (Array.isArray(decoded.locks)) state.locks = decoded.locks.filter((lock) => typeof lock === "string");
  if (typeof decoded.panel === "string") state.panel = decoded.panel;
  state.meters = textValues(decoded.meters);
  for (const [panel, values] of Object.entries(decoded.asked ?? {})) state.asked[panel] = textValues(values);
  const variants = decoded.variants ?? decoded.pins; // links of earlier versions have pins
  if (Array.isArray(variants))
    state.variants = variants
      .filter((variant) => typeof variant?.toml === "string" && typeof variant?.name === "string")
      .map(({ id, name, note, toml, paytable, meters }, index) => ({
        id: Number.isInteger(id) ? id : index + 1,
        name: name.slice(0, 80),
        note: typeof note === "string" ? note : "",
        toml,
        paytable: typeof paytable === "string" ? paytable : null,
        meters: textValues(meters),
      }));
  return state;
}

function textValues(object) {
  return Object.fromEntries(Object.entries(object ?? {}).filter(([, value]) => typeof value === "string"));
}
