// The page: one state, two views of a bet, its figures and its panels, and the link that carries it all.

import { $, download, el, mark_tab, quiet, tabs } from "./dom.js";
import { use_deal } from "./complete.js";
import { Editor } from "./editor.js";
import { shows_exact, walks } from "./exact.js";
import { Figures } from "./figures.js";
import { Form } from "./form.js";
import { Panels, amounts } from "./panels.js";
import { Latest, Refusal, ask, read } from "./server.js";
import { Store, blank, packed, unpacked } from "./state.js";

const MOST_PINS = 20;

class App {
  constructor(state) {
    this.store = new Store(state);
    this.outline = null;
    this.outlined = null; // the text that the outline is of
    this.ids = null; // of the paytables in the text that was last read, by position
    this.number = 0; // the position of the paytable that is shown
    this.problems = [];
    this.figures_found = null;
    this.editor = new Editor($("text"), (text) => this.edit(text, "text"));
    this.form = new Form($("form"), this);
    this.figures = new Figures(this);
    this.panels = new Panels(this);
    this.views = new Latest("/page/view", (...given) => this.show(...given), (error) => this.fail(error), (done, total) => this.count(done, total));
    this.keep = quiet(250, () => this.keep_link());
    this.wire();
    this.store.listeners.push(() => this.update());
    this.update();
  }

  get now() {
    return this.store.now;
  }

  get text() {
    return this.now.toml;
  }

  get paytable() {
    return this.found_paytable ?? this.now.paytable;
  }

  is_outlined() {
    return this.outline !== null && this.outlined === this.text;
  }

  // ---- what a person does

  edit(toml, place = null, patch = {}) {
    if (toml !== this.text) this.store.change({ toml, ...patch }, place);
  }

  at(at) {
    this.store.look({ at });
  }

  pins(pins, place = null) {
    this.store.change({ pins }, place);
  }

  pin() {
    if (!this.figures_found) return;
    const { toml, meters, pins } = this.now;
    if (pins.length >= MOST_PINS) {
      $("live").textContent = $("status").textContent = `${MOST_PINS} variants are pinned; remove one first`;
      return;
    }
    const name = unused(this.paytable, pins.map((one) => one.name));
    const id = Math.max(0, ...pins.map((one) => one.id)) + 1; // by which joint wagers know it, whatever it is called
    this.store.change({ pins: [...pins, { id, name, toml, paytable: this.paytable, meters }] });
    this.panel("compare");
    $("live").textContent = `Pinned as ${name}`;
  }

  restore(number) {
    const { toml, paytable, meters } = this.now.pins[number];
    this.store.change({ toml, paytable, meters });
  }

  panel(panel) {
    this.store.look({ panel });
    if (panel === "option") $("panel").scrollIntoView({ block: "nearest" });
  }

  ask_with(panel, given) {
    this.store.look({ asked: { ...this.now.asked, [panel]: given } });
  }

  meter_field(name) {
    const input = el("input", { value: this.now.meters[name] ?? "", placeholder: "open", size: 8, autocomplete: "off" });
    input.addEventListener("input", () => this.store.change({ meters: { ...this.now.meters, [name]: input.value } }, `meter ${name}`));
    return el("label.field", {}, el("span", {}, "Stands at"), input);
  }

  /** Download the text; the server gives a changed paytable of the catalog an id and a source of its own. */
  async save() {
    try {
      const { name, text } = await ask("/page/export", { toml: this.text, paytable: this.now.paytable });
      download(name, text, "text/plain");
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      this.fail(error);
    }
  }

  async open(id) {
    const toml = await read(`/api/catalog/${encodeURIComponent(id)}`);
    this.store.change({ toml, paytable: id, at: null, removed: "", meters: {} });
  }

  /** Go to a mistake, in whichever view is open. */
  go(problem) {
    if (this.now.view === "form" && this.is_outlined()) {
      const spot = [...$("form").querySelectorAll(".wrong-here")].find((one) => one.textContent && one.offsetParent);
      const field = spot?.parentNode.querySelector("input, select");
      if (field) return field.focus();
    }
    this.store.look({ view: "text" });
    this.side("bet");
    if (problem.line) this.editor.go(problem);
  }

  /** Go to a place of the text. */
  go_to({ from, to }) {
    this.store.look({ view: "text" });
    this.editor.go({ from, to, line: this.text.slice(0, from).split("\n").length });
  }

  next_problem() {
    const there = this.problems.filter((one) => one.line);
    const caret = this.editor.field.selectionStart;
    const next = there.find((one) => one.from > caret) ?? there[0];
    if (next) this.go(next);
  }

  side(side) {
    document.querySelector("main").dataset.side = side;
    for (const one of document.querySelectorAll("[data-side][aria-pressed]")) one.setAttribute("aria-pressed", one.dataset.side === side);
  }

  // ---- asking and showing

  question() {
    const { toml, decks, at, removed, meters } = this.now;
    const own = this.figures_found?.meters;
    const given = own ? Object.fromEntries(Object.entries(meters).filter(([name]) => own.includes(name))) : meters;
    return { toml, paytable: this.now.paytable, decks, at: at ?? this.figures_found?.at ?? null, removed, meters: amounts(given) };
  }

  update() {
    const { view, panel, toml, decks, removed } = this.now;
    const is_form = view === "form";
    mark_tab(document.querySelector(".bet .tabs"), $(is_form ? "tab-form" : "tab-text"));
    $("form").hidden = !is_form;
    $("text").hidden = is_form;
    if (!is_form) this.editor.show(toml);
    for (const [id, value] of [["decks", decks], ["removed", removed]]) if ($(id) !== document.activeElement || !this.typing) $(id).value = value;
    $("undo").disabled = !this.store.past.length;
    $("redo").disabled = !this.store.future.length;
    const question = { ...this.question(), at: this.now.at };
    const asked = JSON.stringify(question);
    if (asked !== this.asked) {
      this.asked = asked;
      document.body.classList.add("behind");
      clearTimeout(this.counting);
      this.counting = setTimeout(() => ($("status").textContent = "counting every hand …"), 400);
      this.views.ask(question);
    } else this.panels.show(panel);
    this.keep();
  }

  /** Stay at the same paytable when its id changes, and go to one that there is when the text is replaced.

  Returns whether another one has to be asked for than the answer is about. */
  follow(found, body) {
    if (body.toml !== this.text || !found.outline) return false;
    const ids = ids_of(found.outline);
    const before = this.ids;
    const wanted = this.now.paytable;
    const is_renamed = before?.length === ids.length && before[this.number] === wanted && ids.every((id, place) => (id === before[place]) === (place !== this.number));
    const next = is_renamed ? ids[this.number] : ids.includes(wanted) ? wanted : (found.paytable ?? wanted);
    if (ids.includes(next)) {
      this.ids = ids;
      if (ids[this.number] !== next) this.number = ids.indexOf(next);
    } else this.number = Math.min(this.number, Math.max(0, ids.length - 1));
    if (next === wanted || (wanted === null && !is_renamed)) return false;
    this.store.look({ paytable: next });
    return found.paytable !== next;
  }

  show(found, body, started) {
    if (this.follow(found, body)) return;
    if (found.outline || !this.outline) this.outlined = body.toml;
    this.outline = found.outline;
    this.found_paytable = found.paytable ?? null;
    this.settings = found.settings ?? [];
    const levels = [...found.problems.map((one) => ({ ...one, level: "error" })), ...found.findings];
    const is_part = found.figures?.is_whole === false;
    this.problems = levels;
    if (body.toml === this.text) {
      this.editor.mark(levels.filter((one) => one.line));
      this.form.show();
      this.tell(levels, is_part);
    }
    this.paytables(found);
    const deal = found.outline?.find((one) => one.path.length === 1 && one.path[0] === "deal")?.value;
    use_deal(deal);
    $("question").hidden = !found.question;
    $("question").textContent = found.question ?? "";
    if (found.figures) {
      this.figures_found = found.figures;
      this.figures.show(found.figures);
    }
    const is_newest = JSON.stringify(body) === this.asked;
    document.body.classList.toggle("behind", !is_newest || !found.figures);
    clearTimeout(this.counting);
    const took = Math.round(performance.now() - started);
    if (is_part) {
      $("status").textContent = `exact with ${found.figures.at} decks, the others follow …`;
      return;
    }
    $("status").textContent = found.figures ? `exact, in ${took} ms` : "not as the text stands";
    document.body.dataset.took = took;
    document.body.dataset.shown = String(Number(document.body.dataset.shown ?? 0) + 1);
    this.panels.show(this.now.panel);
  }

  /** Say how far the deck counts are, where they take long. */
  count(done, total) {
    clearTimeout(this.counting);
    $("status").textContent = `exact with ${done} of ${total} deck counts …`;
  }

  fail(error) {
    clearTimeout(this.counting);
    $("question").hidden = false;
    $("question").textContent = error.message;
    $("status").textContent = "";
  }

  tell(levels, is_part) {
    const rows = levels.map((one) =>
      el("li", { class: one.level }, el("button", { type: "button", onclick: () => this.go(one) }, one.line ? `Line ${one.line}` : "Bet"), " ", one.text),
    );
    const fine = is_part ? el("p.notice", {}, "It can be read; the rest follows …") : el("p.fine", {}, "✓ nothing wrong with the bet");
    $("problems").replaceChildren(rows.length ? el("ul", {}, rows) : fine);
  }

  paytables(found) {
    const list = found.paytables.map((one) => el("option", { value: one.id }, one.title === one.id ? one.id : `${one.id} (${one.decks} decks)`));
    const select = $("paytable");
    const shape = JSON.stringify(found.paytables);
    if (select.dataset.shape !== shape) {
      select.replaceChildren(...list);
      select.dataset.shape = shape;
    }
    select.value = found.paytable ?? "";
    select.parentNode.hidden = found.paytables.length < 2;
  }

  async keep_link() {
    const link = `#${await packed(this.now)}`;
    if (link !== location.hash) history.replaceState(null, "", link);
    this.link = location.href;
  }

  // ---- keys, buttons and fields

  wire() {
    tabs(document.querySelector(".bet .tabs"), (tab) => this.store.look({ view: tab.id.replace("tab-", "") }));
    for (const button of document.querySelectorAll("[data-side][aria-pressed]")) button.addEventListener("click", () => this.side(button.dataset.side));
    for (const id of ["decks", "removed"]) {
      $(id).addEventListener("input", () => {
        this.typing = true;
        this.store.change({ [id]: $(id).value }, id);
      });
      $(id).addEventListener("blur", () => (this.typing = false));
    }
    $("paytable").addEventListener("change", () => this.store.change({ paytable: $("paytable").value, at: null }));
    $("undo").addEventListener("click", () => this.store.undo());
    $("redo").addEventListener("click", () => this.store.redo());
    $("pin").addEventListener("click", () => this.pin());
    $("share").addEventListener("click", () => this.share());
    $("theme").addEventListener("click", () => set_theme(dark() ? "light" : "dark"));
    $("help").addEventListener("click", () => $("keys").showModal());
    $("catalog").addEventListener("change", () => {
      const id = $("catalog").value;
      $("catalog").value = "";
      if (id === "new") this.store.change({ ...blank(), pins: this.now.pins, view: this.now.view, panel: this.now.panel });
      else if (id) this.open(id).catch((error) => this.fail(error));
    });
    document.addEventListener("keydown", (event) => this.key(event));
    addEventListener("hashchange", async () => {
      const found = location.href !== this.link && (await unpacked(location.hash));
      if (found) this.store.change(found);
    });
  }

  key(event) {
    const command = event.ctrlKey || event.metaKey;
    const key = event.altKey ? event.code.replace(/^(Key|Digit)/, "").toLowerCase() : event.key.toLowerCase(); // Alt types other letters
    const is_own = event.target.closest?.("#panel [data-name]"); // what is typed there is no part of the bet, and undone by the field
    if (is_own && command && ["z", "y"].includes(key)) return;
    if (command && key === "z" && !event.altKey) event.shiftKey ? this.store.redo() : this.store.undo();
    else if (command && key === "y") this.store.redo();
    else if (command && key === "s") this.save();
    else if (event.altKey && !command && key === "1") this.look("form");
    else if (event.altKey && !command && key === "2") this.look("text");
    else if (event.altKey && !command && key === "p") this.pin();
    else if (event.altKey && !command && key === "f") this.to_figures();
    else if (event.key === "F8") this.next_problem();
    else if (event.key === "F1") $("keys").showModal();
    else return;
    event.preventDefault();
  }

  look(view) {
    this.side("bet");
    this.store.look({ view });
    (view === "text" ? this.editor.field : $("form").querySelector("input"))?.focus();
  }

  to_figures() {
    this.side("figures");
    $("shown").querySelector("[tabindex='0']")?.focus();
  }

  async share() {
    await this.keep_link();
    try {
      await navigator.clipboard.writeText(location.href);
      $("live").textContent = "The link is copied";
    } catch {
      $("live").textContent = "The link is in the address bar";
    }
    const word = $("share").querySelector(".word");
    word.textContent = "Copied";
    setTimeout(() => (word.textContent = "Copy link"), 1500);
  }
}

/** The ids of all paytables of a text, by position; of one without an id, null. */
function ids_of(outline) {
  const ids = [];
  for (const { path, value } of outline) {
    if (path[0] !== "paytable" || path.length < 2) continue;
    ids[path[1]] ??= null;
    if (path.length === 3 && path[2] === "id") ids[path[1]] = value;
  }
  return ids;
}

function unused(name, taken) {
  for (let number = 1; ; number++) {
    const found = `${name} ${String.fromCharCode(64 + number)}`;
    if (!taken.includes(found) || number > 25) return found;
  }
}

const dark = () => document.documentElement.dataset.theme === "dark" || (!document.documentElement.dataset.theme && matchMedia("(prefers-color-scheme: dark)").matches);

function set_theme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("theme", theme);
}

async function fill_catalog() {
  const shelves = new Map();
  for (const one of await read("/api/catalog")) shelves.set(one.shelf, [...(shelves.get(one.shelf) ?? []), one]);
  $("catalog").replaceChildren(
    el("option", { value: "" }, "Open …"),
    el("option", { value: "new" }, "A new bet"),
    ...[...shelves].map(([shelf, many]) => el("optgroup", { label: shelf }, many.map((one) => el("option", { value: one.paytable }, `${one.paytable}  ${one.title.replace(one.paytable, "").trim()}`)))),
  );
}

if (localStorage.getItem("theme")) document.documentElement.dataset.theme = localStorage.getItem("theme");
const state = (await unpacked(location.hash)) ?? blank();
window.studio = new App(state);
shows_exact(document.body);
walks(document.body);
fill_catalog().catch(() => {});
