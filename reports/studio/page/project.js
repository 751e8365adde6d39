// The project: a file with the bet, its variants, notes and target; recent projects are kept in the browser.

import { $, download, el } from "./dom.js";
import { RequestError, request } from "./server.js";

const RECENT_KEY = "recent projects";
const MAX_RECENT = 8;

/** The recent projects, newest first; each has a name, a time and the text of its file. */
function recentProjects() {
  try {
    const projects = JSON.parse(localStorage.getItem(RECENT_KEY) ?? "[]");
    return projects.filter(({ name, text }) => typeof name === "string" && typeof text === "string");
  } catch {
    return [];
  }
}

function remember(name, text) {
  const others = recentProjects().filter((project) => project.name !== name);
  const projects = [{ name, text, time: new Date().toISOString().slice(0, 16).replace("T", " ") }, ...others];
  localStorage.setItem(RECENT_KEY, JSON.stringify(projects.slice(0, MAX_RECENT)));
}

export class Project {
  constructor(app) {
    this.app = app;
    this.menu = $("project-menu");
    this.file = el("input", { type: "file", accept: ".toml", hidden: true });
    this.file.addEventListener("change", () => this.openFile(this.file.files[0]));
    $("project").addEventListener("click", () => this.toggle());
    this.menu.addEventListener("keydown", (event) => event.key === "Escape" && this.close());
    addEventListener("pointerdown", (event) => {
      const target = /** @type {Element} */ (event.target);
      if (!this.menu.hidden && !target.closest("#project-menu, #project")) this.close();
    });
    addEventListener("dragover", (event) => event.preventDefault());
    addEventListener("drop", (event) => {
      event.preventDefault();
      if (event.dataTransfer.files.length) this.openFile(event.dataTransfer.files[0]);
    });
  }

  toggle() {
    if (!this.menu.hidden) return this.close();
    this.build();
    this.menu.hidden = false;
    $("project").setAttribute("aria-expanded", "true");
    this.menu.querySelector("input").focus();
  }

  close() {
    if (this.menu.contains(document.activeElement)) $("project").focus();
    this.menu.hidden = true;
    $("project").setAttribute("aria-expanded", "false");
  }

  build() {
    const { name, notes } = this.app.state;
    const nameField = el("input", { value: name, "aria-label": "Name of the project", maxlength: 80, autocomplete: "off" });
    nameField.addEventListener("input", () => this.app.store.change({ name: nameField.value }, "name"));
    const notesField = el("textarea", { rows: 4, "aria-label": "Notes", placeholder: "Notes" });
    notesField.value = notes;
    notesField.addEventListener("input", () => this.app.store.change({ notes: notesField.value }, "notes"));
    const recent = recentProjects().map(({ name: recentName, text, time }) =>
      el("button", { type: "button", onclick: () => this.openText(text) }, `${recentName} `, el("small", {}, time)),
    );
    this.menu.replaceChildren(
      el("label.field", {}, el("span", {}, "Project"), nameField),
      notesField,
      el(
        "div.row",
        {},
        el("button.strong", { type: "button", id: "save-project", onclick: () => this.save() }, "Save project"),
        el("button", { type: "button", onclick: () => this.file.click() }, "Open file …"),
        el("button", { type: "button", onclick: () => this.app.openNew() }, "New"),
      ),
      el("p.notice", {}, "Or drop a project or a bet on the page."),
      el("div.recent", {}, recent.length ? el("b", {}, "Recent") : null, recent),
      this.file,
    );
  }

  async save() {
    const { toml, paytable, decks, target, removed, meters, name, notes, variants, locks } = this.app.state;
    try {
      const body = { name, notes, toml, paytable, decks, target, removed, meters, locks, variants: variants.map(({ id, ...variant }) => variant) };
      const { file, text } = await request("/page/save-project", body);
      remember(name || file.replace(/\.toml$/, ""), text);
      download(file, text, "text/plain");
      $("live").textContent = `Saved ${file}`;
      this.close();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.app.showError(error);
    }
  }

  async openFile(file) {
    if (file) await this.openText(await file.text(), file.name);
  }

  /** Open the text of a project, or of a bet. */
  async openText(text, fileName = "project.toml") {
    try {
      const project = await request("/page/open-project", { text });
      const variants = project.variants.map((variant, index) => ({ id: index + 1, ...variant }));
      this.app.forgetAwardLimits();
      this.app.store.change({ ...project, variants, at: null });
      if (project.name) remember(project.name, text);
      $("live").textContent = `Opened ${project.name || fileName}`;
      this.close();
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.app.showError(error);
    }
  }
}
