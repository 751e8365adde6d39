// All that a person has done on the page, with what was before it; the link carries the whole of it.

export const FIRST = `bet = "My side bet"
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

export const blank = () => ({
  toml: FIRST,
  paytable: null,
  decks: "1-8",
  at: null,
  removed: "",
  meters: {},
  pins: [],
  view: "form",
  panel: "compare",
  asked: {},
});

const TOGETHER = 900; // milliseconds within which keystrokes in one place are one step

/** A text with the ends of lines that a field of a page has. */
const lines = (state) => ("toml" in state ? { ...state, toml: state.toml.replace(/\r\n?/g, "\n") } : state);

export class Store {
  constructor(now) {
    this.now = lines(now);
    this.past = [];
    this.future = [];
    this.listeners = [];
    this.last = { place: null, at: 0 };
  }

  /** Change something; changes of one place that follow one another quickly are undone together. */
  change(patch, place = null) {
    const at = performance.now();
    const joins = place !== null && place === this.last.place && at - this.last.at < TOGETHER;
    if (!joins) this.past.push(this.now);
    if (this.past.length > 500) this.past.shift();
    this.future = [];
    this.last = { place, at };
    this.now = { ...this.now, ...lines(patch) };
    this.tell();
  }

  /** Change what is looked at, which nobody undoes. */
  look(patch) {
    this.now = { ...this.now, ...patch };
    this.tell();
  }

  undo() {
    this.step(this.past, this.future);
  }

  redo() {
    this.step(this.future, this.past);
  }

  step(from, to) {
    if (!from.length) return;
    to.push(this.now);
    const { view, panel, asked, at } = this.now; // what is looked at, and what was typed into panels, stays
    const before = from.pop();
    this.now = { ...before, view, panel, asked, at: at ?? before.at };
    this.last = { place: null, at: 0 };
    this.tell();
  }

  tell() {
    for (const listener of this.listeners) listener(this.now);
  }
}

async function through(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** Write a state as the part of a link after its #. */
export async function packed(state) {
  const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify(state)));
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return "1" + btoa(text).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

const LARGEST = 4_000_000;

/** Read a state from a link; nothing if it is none. */
export async function unpacked(hash) {
  const text = hash.replace(/^#/, "");
  if (!text.startsWith("1")) return null;
  try {
    const bytes = Uint8Array.from(atob(text.slice(1).replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const found = await through(new DecompressionStream("deflate-raw"), bytes);
    if (found.length > LARGEST) return null;
    return checked(JSON.parse(new TextDecoder().decode(found)));
  } catch {
    return null;
  }
}

/** Keep of a state that came with a link only what has the shape that it should have. */
function checked(found) {
  const state = blank();
  for (const key of ["toml", "decks", "removed"]) if (typeof found[key] === "string") state[key] = found[key];
  if (typeof found.paytable === "string") state.paytable = found.paytable;
  if (Number.isInteger(found.at)) state.at = found.at;
  if (["form", "text"].includes(found.view)) state.view = found.view;
  if (typeof found.panel === "string") state.panel = found.panel;
  state.meters = texts(found.meters);
  for (const [panel, given] of Object.entries(found.asked ?? {})) state.asked[panel] = texts(given);
  if (Array.isArray(found.pins))
    state.pins = found.pins
      .filter((pin) => typeof pin?.toml === "string" && typeof pin?.name === "string")
      .map(({ id, name, toml, paytable, meters }, place) => ({
        id: Number.isInteger(id) ? id : place + 1,
        name: name.slice(0, 80),
        toml,
        paytable: typeof paytable === "string" ? paytable : null,
        meters: texts(meters),
      }));
  return state;
}

function texts(given) {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => typeof value === "string"));
}
