// What a value is exactly: on hover, on tap, and where the keyboard is.

import { $ } from "./dom.js";

let held = null; // what was tapped

function place(target) {
  const box = target.getBoundingClientRect();
  const tip = $("exact");
  tip.textContent = target.dataset.exact;
  tip.hidden = false;
  const width = tip.offsetWidth;
  tip.style.left = `${Math.max(8, Math.min(box.left + box.width / 2 - width / 2, innerWidth - width - 8))}px`;
  const above = box.top - tip.offsetHeight - 6;
  tip.style.top = `${above > 4 ? above : box.bottom + 6}px`;
  target.setAttribute("aria-describedby", "exact");
}

export function hide() {
  $("exact").hidden = true;
  held = null;
}

export function shows_exact(home) {
  const of = (event) => event.target.closest?.("[data-exact]");
  home.addEventListener("mouseover", (event) => !held && of(event) && place(of(event)));
  home.addEventListener("mouseout", (event) => !held && of(event) && hide());
  home.addEventListener("focusin", (event) => (of(event) ? place(of(event)) : hide()));
  home.addEventListener("focusout", () => !held && hide());
  home.addEventListener("click", (event) => {
    const target = of(event);
    if (!target || held === target) return hide();
    held = target;
    place(target);
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hide());
  const kept = () => held ?? document.activeElement?.closest?.("[data-exact]");
  addEventListener("scroll", () => (kept() && !$("exact").hidden ? place(kept()) : hide()), true);
}

/** Tables that are walked through with the arrow keys; one cell of each is on the way of the Tab key. */
export function walks(home) {
  home.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td, th");
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0], Home: [0, -99], End: [0, 99] }[event.key];
    if (!cell || !step) return;
    const rows = [...cell.closest("table").rows];
    const row = rows.indexOf(cell.parentNode);
    const column = [...cell.parentNode.cells].indexOf(cell);
    const next = rows[Math.max(0, Math.min(row + step[0], rows.length - 1))];
    const target = next.cells[Math.max(0, Math.min(column + step[1], next.cells.length - 1))];
    event.preventDefault();
    if (target === cell) return;
    cell.tabIndex = -1;
    target.tabIndex = 0;
    target.focus();
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}
