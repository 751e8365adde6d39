// The page: one state, three views of a bet, its figures and tools, and a link that carries the state.

import { CatalogPicker } from "./catalog_picker.js";
import { loadWords } from "./complete.js";
import { DeckTable } from "./deck_table.js";
import { $, addTabListeners, debounce, download, el, selectTab } from "./dom.js";
import * as edits from "./edits.js";
import { Editor } from "./editor.js";
import { addTableNavigation, addTooltips } from "./exact.js";
import { Panels, meterTexts } from "./panels.js";
import { Pays } from "./pays.js";
import { ProblemLine } from "./problem_line.js";
import { Project } from "./project.js";
import { Rules } from "./rules.js";
import { LatestRequest, RequestError, get, request } from "./server.js";
import { Store, decodeState, encodeState, initialState, restoreHistory, saveHistory } from "./state.js";
import { parseBand, withPercentSigns } from "./target.js";

const MAX_VARIANTS = 20;
const VIEWS = ["pays", "rules", "text"];
const STATE_FIELDS = ["decks", "target", "removed"]; // fields of the page that are values of the state

class App {
  constructor(state) {
    this.store = new Store(state);
    this.outline = null; // values of the text with their ranges, from the server
    this.outlinedText = null; // the text of the outline
    this.paytableIds = null; // of the last valid text, by index
    this.paytableIndex = 0;
    this.shownPaytable = null; // the paytable of the last answer
    this.isChangingText = false; // while the server makes edits
    this.problems = [];
    this.figuresData = null; // of the last answer with figures
    restoreHistory(this.store);
    this.editor = new Editor($("text"), (text) => this.edit(text, "text"));
    this.pays = new Pays($("pays"), this);
    this.rules = new Rules($("rules"), this);
    this.deckTable = new DeckTable(this);
    this.problemLine = new ProblemLine($("problems"), (problem) => this.goToProblem(problem));
    this.project = new Project(this);
    this.catalog = new CatalogPicker((id) => (id === "new" ? this.openNew() : this.open(id).catch((error) => this.showError(error))));
    this.panels = new Panels(this);
    this.views = new LatestRequest(
      "/page/view",
      (answer, body, startTime) => this.showAnswer(answer, body, startTime),
      (error) => this.showError(error),
      (done, total) => this.showProgress(done, total),
    );
    this.updateLinkLater = debounce(250, () => this.updateLink());
    this.addListeners();
    this.store.listeners.push(() => this.update());
    this.update();
  }

  get state() {
    return this.store.state;
  }

  get text() {
    return this.state.toml;
  }

  get paytable() {
    return this.shownPaytable ?? this.state.paytable;
  }

  hasCurrentOutline() {
    return this.outline !== null && this.outlinedText === this.text && !this.isChangingText;
  }

  // ---- actions of the user

  edit(toml, field = null, patch = {}) {
    if (toml !== this.text) this.store.change({ toml, ...patch }, field);
  }

  /** Make edits of the text on the server, which keeps its comments; edits that follow wait for the new text. */
  async changeText(changes, field = null) {
    if (!changes.length) return;
    const { text } = this;
    const wasBehind = document.body.classList.contains("behind");
    this.isChangingText = true;
    document.body.classList.add("behind");
    try {
      const { toml } = await request("/page/edit", { toml: text, edits: changes });
      if (this.text === text) this.edit(toml, field); // otherwise it was undone or replaced meanwhile
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.showError(error);
    } finally {
      this.isChangingText = false;
    }
    if (this.text === text && !wasBehind) document.body.classList.remove("behind"); // nothing has changed
    if (!this.hasCurrentOutline()) return; // the answer about the new text applies the edits that wait
    this.pays.applyPendingEdits();
    this.rules.applyPendingEdits();
  }

  selectDecks(decks) {
    this.store.changeView({ at: decks });
  }

  setVariants(variants, field = null) {
    this.store.change({ variants }, field);
  }

  /** Keep a copy of the bet as a variant. */
  keepVariant() {
    if (!this.figuresData) return;
    const { toml, meters, variants } = this.state;
    if (variants.length >= MAX_VARIANTS) {
      $("live").textContent = $("status").textContent = `${MAX_VARIANTS} variants are kept; remove one first`;
      return;
    }
    const name = unusedVariantName(variants.map((variant) => variant.name));
    const id = Math.max(0, ...variants.map((variant) => variant.id)) + 1; // joint wagers refer to it; names may change
    this.store.change({ variants: [...variants, { id, name, note: "", toml, paytable: this.paytable, meters }] });
    this.openPanel("variants");
    $("live").textContent = `Kept as ${name}`;
  }

  restoreVariant(index) {
    const { toml, paytable, meters } = this.state.variants[index];
    this.store.change({ toml, paytable, meters });
  }

  /** The pays of the selected paytable as the text has them, by award. */
  awardPays() {
    const awards = ["paytable", this.paytableIndex, "awards"];
    const itemByPath = edits.indexOutline(this.outline);
    const valueAt = (path) => itemByPath.get(edits.pathKey(path))?.value;
    const pays = {};
    for (let index = 0; itemByPath.has(edits.pathKey([...awards, index])); index++) {
      const award = [...awards, index];
      pays[valueAt([...award, "name"]) ?? valueAt([...award, "hand"])] = String(valueAt([...award, "pays"]) ?? "");
    }
    return pays;
  }

  /** Add a hand with a rule, and an award that pays it 1 to 1. */
  addHand(name, rule) {
    this.rules.change(() => [
      { kind: "set", path: ["hands", name], value: edits.cleanText(rule) },
      ...(this.rules.hasAwards() ? [{ kind: "append", path: ["paytable", this.paytableIndex, "awards"], value: { hand: name, pays: "1 to 1" } }] : []),
    ]);
  }

  /** Show the rule of an award. */
  showRule(awardPath) {
    this.openView("rules");
    const itemByPath = edits.indexOutline(this.outline);
    const hand = itemByPath.get(edits.pathKey([...awardPath, "hand"]))?.value;
    const rulePath = hand === undefined ? [...awardPath, "when"] : ["hands", hand];
    const field = [...$("rules").querySelectorAll("[data-path]")].find((item) => /** @type {HTMLElement} */ (item).dataset.path === edits.pathKey(rulePath));
    /** @type {HTMLElement} */ (field)?.focus();
  }

  openPanel(panel) {
    this.showSide("figures");
    this.store.changeView({ panel });
  }

  setPanelValues(panel, values) {
    this.store.changeView({ asked: { ...this.state.asked, [panel]: values } });
  }

  meterField(name) {
    const value = this.state.meters[name] ?? "";
    const input = el("input", { value, placeholder: "unknown", size: 8, autocomplete: "off" });
    input.addEventListener("input", () => {
      this.store.change({ meters: { ...this.state.meters, [name]: input.value } }, `meter ${name}`);
    });
    return el("label.field", {}, el("span", {}, "Current amount"), input);
  }

  /** Download the text; the server gives a changed catalog paytable a new id and source. */
  async saveText() {
    try {
      const { name, text } = await request("/page/export", { toml: this.text, paytable: this.state.paytable });
      download(name, text, "text/plain");
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.showError(error);
    }
  }

  async open(id) {
    const toml = await get(`/api/catalog/${encodeURIComponent(id)}`);
    this.forgetAwardLimits();
    this.store.change({ toml, paytable: id, at: null, removed: "", meters: {}, locks: [] });
  }

  /** Drop the limits of the finder that name awards: another bet has other awards. */
  forgetAwardLimits() {
    const { pays: _pays, share: _share, ...find } = this.state.asked.find ?? {};
    this.store.changeView({ asked: { ...this.state.asked, find } });
  }

  openNew() {
    const { view, panel } = this.state;
    this.forgetAwardLimits();
    this.store.change({ ...initialState(), view, panel });
    this.project.close();
  }

  /** Go to the field of a problem, in the open view or in the rules; else to its place in the text. */
  goToProblem(problem) {
    this.showSide("bet");
    if (this.hasCurrentOutline() && this.state.view !== "text" && problem.path?.length) {
      for (const view of [this.state.view, "rules", "pays"]) {
        const field = fieldAt($(view), problem.path);
        if (!field) continue;
        this.store.changeView({ view });
        return field.focus();
      }
    }
    this.store.changeView({ view: "text" });
    if (problem.line) this.editor.select(problem);
  }

  goToRange({ from, to }) {
    this.store.changeView({ view: "text" });
    this.editor.select({ from, to });
  }

  goToNextProblem() {
    const located = this.problems.filter((problem) => problem.line);
    const previous = located.indexOf(this.lastProblem);
    this.lastProblem = located[(previous + 1) % (located.length || 1)];
    if (this.lastProblem) this.goToProblem(this.lastProblem);
  }

  /** Show one of the two parts of the page on a narrow screen. */
  showSide(side) {
    document.querySelector("main").dataset.side = side;
    for (const button of sideButtons()) {
      button.setAttribute("aria-pressed", String(button.dataset.side === side));
    }
    this.deckTable.scrollToSelected(); // impossible while it is hidden
  }

  // ---- requests and answers

  /** The body of a request about the bet as it is shown. */
  requestBody() {
    const { toml, paytable, decks, at, removed, meters } = this.state;
    const ownMeters = this.figuresData?.meters;
    const isOwn = (name) => !ownMeters || ownMeters.includes(name);
    const amounts = Object.fromEntries(Object.entries(meters).filter(([name]) => isOwn(name)));
    return { toml, paytable, decks, at: at ?? this.figuresData?.at ?? null, removed, meters: meterTexts(amounts) };
  }

  update() {
    const { view, panel, toml, at } = this.state;
    selectTab(document.querySelector(".bet .tabs"), $(`tab-${view}`));
    for (const name of VIEWS) $(name).hidden = name !== view;
    if (view === "text") this.editor.show(toml);
    for (const id of STATE_FIELDS) {
      const field = /** @type {HTMLInputElement} */ ($(id));
      if (field !== document.activeElement || !this.isTyping) field.value = this.state[id];
    }
    const isTargetWrong = Boolean(this.state.target.trim()) && !parseBand(withPercentSigns(this.state.target.trim()));
    $("target").classList.toggle("wrong-field", isTargetWrong);
    $("target").setAttribute("aria-invalid", String(isTargetWrong));
    /** @type {HTMLButtonElement} */ ($("undo")).disabled = !this.store.past.length;
    /** @type {HTMLButtonElement} */ ($("redo")).disabled = !this.store.future.length;
    const body = { ...this.requestBody(), at };
    const bodyJson = JSON.stringify(body);
    if (bodyJson !== this.bodyJson) {
      this.bodyJson = bodyJson;
      document.body.classList.add("behind");
      clearTimeout(this.statusTimer);
      this.statusTimer = setTimeout(() => ($("status").textContent = "Counting hands …"), 400);
      this.views.send(body);
    } else if (this.figuresData) {
      this.showFigures();
      this.panels.show(panel);
    }
    this.updateLinkLater();
  }

  showFigures() {
    this.deckTable.show(this.figuresData);
    this.pays.showFigures(this.figuresData);
  }

  /** Keep the same paytable when its id changes, and choose another when the text is replaced.

  Returns whether the answer is about another paytable, so that a new one was requested. */
  followPaytable(answer, body) {
    if (body.toml !== this.text || !answer.outline) return false;
    const ids = paytableIdsOf(answer.outline);
    const previousIds = this.paytableIds;
    const wantedId = this.state.paytable;
    const onlyOwnIdChanged = (id, index) => (id === previousIds[index]) === (index !== this.paytableIndex);
    const isSameList = previousIds?.length === ids.length && previousIds[this.paytableIndex] === wantedId;
    const isRenamed = isSameList && ids.every(onlyOwnIdChanged);
    const fallbackId = ids.includes(wantedId) ? wantedId : (answer.paytable ?? wantedId);
    const nextId = isRenamed ? ids[this.paytableIndex] : fallbackId;
    if (ids.includes(nextId)) {
      this.paytableIds = ids;
      if (ids[this.paytableIndex] !== nextId) this.paytableIndex = ids.indexOf(nextId);
    } else this.paytableIndex = Math.min(this.paytableIndex, Math.max(0, ids.length - 1));
    if (nextId === wantedId || (wantedId === null && !isRenamed)) return false;
    this.store.changeView({ paytable: nextId });
    return answer.paytable !== nextId;
  }

  showAnswer(answer, body, startTime) {
    if (this.followPaytable(answer, body)) return;
    if (answer.outline || !this.outline) this.outlinedText = body.toml;
    this.outline = answer.outline;
    this.shownPaytable = answer.paytable ?? null;
    this.settings = answer.settings ?? [];
    this.problems = [...answer.problems.map((problem) => ({ ...problem, level: "error" })), ...answer.findings];
    const isPartial = answer.figures?.is_whole === false;
    if (body.toml === this.text) {
      this.editor.show(this.text);
      this.editor.mark(this.problems.filter((problem) => problem.line));
      this.pays.show();
      this.rules.show();
      this.problemLine.show(this.problems, isPartial);
    }
    this.showPaytables(answer);
    loadWords(answer.outline?.find(({ path }) => path.length === 1 && path[0] === "deal")?.value);
    $("question").hidden = !answer.question;
    $("question").textContent = answer.question ?? "";
    if (answer.figures) {
      this.figuresData = answer.figures;
      this.showFigures();
      this.announce(answer.figures);
    }
    const isNewest = JSON.stringify(body) === this.bodyJson;
    document.body.classList.toggle("behind", !isNewest || !answer.figures || this.isChangingText);
    clearTimeout(this.statusTimer);
    if (isPartial) {
      $("status").textContent = `Exact for ${answer.figures.at} decks; other deck counts follow …`;
      return;
    }
    const milliseconds = Math.round(performance.now() - startTime);
    $("status").textContent = answer.figures ? `Exact, ${milliseconds} ms` : "Last valid figures";
    document.body.dataset.took = String(milliseconds);
    document.body.dataset.shown = String(Number(document.body.dataset.shown ?? 0) + 1);
    this.panels.show(this.state.panel);
  }

  showProgress(done, total) {
    clearTimeout(this.statusTimer);
    $("status").textContent = `Counted ${done} of ${total} deck counts …`;
  }

  showError(error) {
    clearTimeout(this.statusTimer);
    $("question").hidden = false;
    $("question").textContent = error.message;
    $("status").textContent = "";
  }

  showPaytables(answer) {
    const select = $("paytable");
    const json = JSON.stringify(answer.paytables);
    const isValid = !answer.problems.length; // otherwise paytables with errors are missing
    if ((isValid || !select.options.length) && select.dataset.shown !== json) {
      const options = answer.paytables.map(({ id, title, decks }) =>
        el("option", { value: id }, title === id ? id : `${id} (${decks} decks)`),
      );
      select.replaceChildren(...options);
      select.dataset.shown = json;
    }
    if (answer.paytable) select.value = answer.paytable;
    select.parentNode.hidden = select.options.length < 2;
    if (!answer.title) return; // a text with errors
    $("bet-title").textContent = $("bet-title").title = answer.title;
    document.title = `${answer.title} – combinat studio`;
  }

  /** Say the figures of the selected deck count to a screen reader. */
  announce({ at, counts, decks: rows }) {
    const index = counts.findIndex(({ decks }) => decks === at);
    const texts = rows.map(({ label, cells }) => `${label} ${cells[index]?.text ?? ""}`);
    clearTimeout(this.announceTimer);
    this.announceTimer = setTimeout(() => ($("live").textContent = `${at} decks. ${texts.join(", ")}`), 900);
  }

  async updateLink() {
    const hash = `#${await encodeState(this.state)}`;
    if (hash !== location.hash) history.replaceState(null, "", hash);
    this.link = location.href;
    saveHistory(this.store);
  }

  // ---- listeners

  addListeners() {
    addTabListeners(document.querySelector(".bet .tabs"), (tab) => this.store.changeView({ view: tab.id.replace("tab-", "") }));
    for (const button of sideButtons()) {
      button.addEventListener("click", () => this.showSide(button.dataset.side));
    }
    for (const id of STATE_FIELDS) {
      $(id).addEventListener("input", () => {
        this.isTyping = true;
        this.store.change({ [id]: $(id).value }, id);
      });
      $(id).addEventListener("blur", () => (this.isTyping = false));
    }
    $("target").addEventListener("change", () => {
      const target = withPercentSigns($("target").value.trim());
      if (target !== this.state.target) this.store.change({ target }, "target");
    });
    $("paytable").addEventListener("change", () => this.store.change({ paytable: $("paytable").value, at: null }));
    $("undo").addEventListener("click", () => this.store.undo());
    $("redo").addEventListener("click", () => this.store.redo());
    $("keep").addEventListener("click", () => this.keepVariant());
    $("share").addEventListener("click", () => this.copyLink());
    $("theme").addEventListener("click", () => setTheme(isDark() ? "light" : "dark"));
    $("help").addEventListener("click", () => $("keys").showModal());
    document.addEventListener("keydown", (event) => this.handleKey(event));
    addEventListener("hashchange", async () => {
      const state = location.href !== this.link && (await decodeState(location.hash));
      if (state) this.store.change(state);
    });
  }

  handleKey(event) {
    const isCommand = event.ctrlKey || event.metaKey;
    const isAlt = event.altKey && !isCommand;
    // With Alt, the typed character depends on the keyboard; the code of the key does not.
    const key = event.altKey ? event.code.replace(/^(Key|Digit)/, "").toLowerCase() : event.key.toLowerCase();
    const isPanelField = event.target.closest?.("#panel [data-name]"); // has its own undo history
    if (isPanelField && isCommand && ["z", "y"].includes(key)) return;
    if (isCommand && key === "z" && !event.altKey) event.shiftKey ? this.store.redo() : this.store.undo();
    else if (isCommand && key === "y") this.store.redo();
    else if (isCommand && key === "s") this.project.save();
    else if (isCommand && key === "o") $("catalog").focus();
    else if (isAlt && ["1", "2", "3"].includes(key)) this.openView(VIEWS[Number(key) - 1]);
    else if (isAlt && key === "p") this.keepVariant();
    else if (isAlt && key === "f") this.focusFigures();
    else if (event.key === "F8") this.goToNextProblem();
    else if (event.key === "F1") $("keys").showModal();
    else return;
    event.preventDefault();
  }

  openView(view) {
    this.showSide("bet");
    this.store.changeView({ view });
    if (view === "text") this.editor.focus();
    else /** @type {HTMLElement} */ ($(view).querySelector("input:not([type=checkbox])"))?.focus();
  }

  focusFigures() {
    this.showSide("figures");
    /** @type {HTMLElement} */ ($("deck-table").querySelector("[aria-pressed=true]"))?.focus();
  }

  async copyLink() {
    await this.updateLink();
    const word = $("share").querySelector(".word");
    try {
      await navigator.clipboard.writeText(location.href);
      $("live").textContent = "Link copied";
      word.textContent = "Copied";
    } catch {
      $("live").textContent = "Copy the link from the address bar";
      word.textContent = "In address bar";
    }
    setTimeout(() => (word.textContent = "Copy link"), 1500);
  }
}

/** The ids of all paytables of a text by index; null for one without an id. */
function paytableIdsOf(outline) {
  const ids = [];
  for (const { path, value } of outline) {
    if (path[0] !== "paytable" || path.length < 2) continue;
    ids[path[1]] ??= null;
    if (path.length === 3 && path[2] === "id") ids[path[1]] = value;
  }
  return ids;
}

/** The buttons that switch between the parts of the page on a narrow screen. */
function sideButtons() {
  return /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-side][aria-pressed]"));
}

/** A name for a variant: the first letter that is not in use. */
function unusedVariantName(usedNames) {
  const names = Array.from({ length: 26 }, (_, index) => `Variant ${String.fromCharCode(65 + index)}`);
  return names.find((name) => !usedNames.includes(name)) ?? names.at(-1);
}

/** The field that stands for a path, or for a part of it; null if there is none. */
function fieldAt(container, path) {
  const fields = [...container.querySelectorAll("[data-path]")];
  const isBelow = (longer, shorter) => shorter.every((step, index) => step === longer[index]);
  const matches = fields.filter((field) => {
    const fieldPath = JSON.parse(field.dataset.path);
    return isBelow(fieldPath, path) || (fieldPath.length > 1 && isBelow(path, fieldPath));
  });
  return matches[0] ?? null;
}

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("theme", theme);
}

if (localStorage.getItem("theme")) document.documentElement.dataset.theme = localStorage.getItem("theme");
const state = (await decodeState(location.hash)) ?? initialState();
/** @type {any} */ (window).studio = new App(state);
addTooltips(document.body);
addTableNavigation(document.body);
