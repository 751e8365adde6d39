// Making and finding parts of the page.

export const $ = (id) => document.getElementById(id);

/** Make an element: its name with classes, attributes or handlers, and what is in it. */
export function el(name, given = {}, ...inside) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag || "div");
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(given)) {
    if (key.startsWith("aria-") && typeof value === "boolean") made.setAttribute(key, String(value)); // which says no, too
    else if (value === undefined || value === null || value === false) continue;
    else if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (key === "value") made.value = value;
    else if (key === "checked" || key === "disabled" || key === "hidden") made[key] = value;
    else made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...inside.flat(9).filter((one) => one !== null && one !== undefined && one !== false));
  return made;
}

const SVG = "http://www.w3.org/2000/svg";

/** Make an element of a picture. */
export function svg(tag, given = {}, ...inside) {
  const made = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(given)) if (value !== undefined) made.setAttribute(key, value);
  made.append(...inside.flat(9));
  return made;
}

const CLICK = 50; // milliseconds after the pointer is up within which a click is told of, by touch too
const TYPED_INTO = "textarea, select, input:not([type=checkbox], [type=radio])";
let is_down = false;
let let_go = () => {};
let up = Promise.resolve();

/** Wait until nothing is being pressed: a button that is built anew while the pointer is down on it hears no click. */
export const unpressed = () => up;

addEventListener("pointerdown", (event) => {
  if (event.button || is_down || event.target.closest?.(TYPED_INTO)) return;
  is_down = true;
  up = new Promise((go_on) => (let_go = go_on));
}, true);

function lift() {
  if (!is_down) return;
  is_down = false;
  setTimeout(let_go, CLICK);
}

for (const end of ["pointerup", "pointercancel", "keydown"]) addEventListener(end, lift, true);
addEventListener("blur", lift); // of the window
addEventListener("pointermove", ({ buttons }) => buttons || lift(), true); // it was let go where nobody tells us

/** A handler that runs once things have been quiet for a while. */
export function quiet(milliseconds, action) {
  let timer;
  return (...given) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...given), milliseconds);
  };
}

/** Tabs: one is chosen, arrow keys walk between them. */
export function tabs(list, choose) {
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) choose(tab);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || !event.target.matches("[role=tab]")) return;
    const all = [...list.querySelectorAll("[role=tab]:not([hidden])")];
    const next = all[(all.indexOf(event.target) + step + all.length) % all.length];
    choose(next);
    next.focus();
    event.preventDefault();
  });
}

export function mark_tab(list, chosen) {
  for (const tab of list.querySelectorAll("[role=tab]")) {
    tab.setAttribute("aria-selected", tab === chosen);
    tab.tabIndex = tab === chosen ? 0 : -1;
  }
}

/** Give a file to the person. */
export function download(name, content, type) {
  const address = URL.createObjectURL(new Blob([content], { type }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
