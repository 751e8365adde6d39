// Create and find elements of the page.

/** The element with an id. @type {(id: string) => any} */
export const $ = (id) => document.getElementById(id);

/**
 * Create an element: "tag.class", attributes or "on…" handlers, and children.
 * @param {string} name
 * @param {Record<string, any>} attributes
 * @param {any[]} children
 * @returns {any}
 */
export function el(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const element = /** @type {any} */ (document.createElement(tag || "div"));
  if (classes.length) element.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("aria-") && typeof value === "boolean") element.setAttribute(key, String(value)); // "false" is a value
    else if (value === undefined || value === null || value === false) continue;
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "value") element.value = value;
    else if (key === "checked" || key === "disabled" || key === "hidden") element[key] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(9).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * Create an SVG element.
 * @param {string} tag
 * @param {Record<string, any>} attributes
 * @param {any[]} children
 * @returns {any}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = document.createElementNS(SVG, tag);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children.flat(9));
  return element;
}

const CLICK_DELAY = 50; // milliseconds between pointerup and click, on touch screens too
const TEXT_INPUTS = "textarea, select, input:not([type=checkbox], [type=radio])";
let isPointerDown = false;
let resolveRelease = () => {};
let release = Promise.resolve();

/** Return a promise that resolves when no button is pressed: a button replaced while it is pressed gets no click. */
export const pointerReleased = () => release;

addEventListener("pointerdown", (event) => {
  if (event.button || isPointerDown || /** @type {Element} */ (event.target).closest?.(TEXT_INPUTS)) return;
  isPointerDown = true;
  release = new Promise((resolve) => (resolveRelease = resolve));
}, true);

function endPress() {
  if (!isPointerDown) return;
  isPointerDown = false;
  setTimeout(resolveRelease, CLICK_DELAY);
}

for (const type of ["pointerup", "pointercancel", "keydown"]) addEventListener(type, endPress, true);
addEventListener("blur", endPress); // of the window
addEventListener("pointermove", ({ buttons }) => buttons || endPress(), true); // it was released outside the window

/** Return a function that runs `action` once it has not been called for some milliseconds. */
export function debounce(milliseconds, action) {
  let timer;
  return (...parameters) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...parameters), milliseconds);
  };
}

/** Make a tab list work with clicks and arrow keys. */
export function addTabListeners(list, choose) {
  list.addEventListener("click", (event) => {
    const tab = event.target.closest("[role=tab]");
    if (tab) choose(tab);
  });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step || !event.target.matches("[role=tab]")) return;
    const allTabs = [...list.querySelectorAll("[role=tab]:not([hidden])")];
    const next = allTabs[(allTabs.indexOf(event.target) + step + allTabs.length) % allTabs.length];
    choose(next);
    next.focus();
    event.preventDefault();
  });
}

export function selectTab(list, selected) {
  for (const tab of list.querySelectorAll("[role=tab]")) {
    tab.setAttribute("aria-selected", tab === selected);
    tab.tabIndex = tab === selected ? 0 : -1;
  }
}

/** Download content as a file. */
export function download(name, content, type) {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = el("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
