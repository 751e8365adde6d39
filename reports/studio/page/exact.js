// Exact values in a tooltip: on hover, on tap, and at the focused cell.

import { $ } from "./dom.js";

let pinnedTarget = null; // the element that was tapped

function showTooltip(target) {
  const box = target.getBoundingClientRect();
  const tooltip = $("exact");
  tooltip.textContent = target.dataset.exact;
  tooltip.hidden = false;
  const width = tooltip.offsetWidth;
  tooltip.style.left = `${Math.max(8, Math.min(box.left + box.width / 2 - width / 2, innerWidth - width - 8))}px`;
  const above = box.top - tooltip.offsetHeight - 6;
  tooltip.style.top = `${above > 4 ? above : box.bottom + 6}px`;
  target.setAttribute("aria-describedby", "exact");
}

function hideTooltip() {
  $("exact").hidden = true;
  pinnedTarget = null;
}

export function addTooltips(root) {
  const targetOf = (event) => event.target.closest?.("[data-exact]");
  root.addEventListener("mouseover", (event) => !pinnedTarget && targetOf(event) && showTooltip(targetOf(event)));
  root.addEventListener("mouseout", (event) => !pinnedTarget && targetOf(event) && hideTooltip());
  root.addEventListener("focusin", (event) => (targetOf(event) ? showTooltip(targetOf(event)) : hideTooltip()));
  root.addEventListener("focusout", () => !pinnedTarget && hideTooltip());
  root.addEventListener("click", (event) => {
    const target = targetOf(event);
    if (!target || pinnedTarget === target) return hideTooltip();
    pinnedTarget = target;
    showTooltip(target);
  });
  document.addEventListener("keydown", (event) => event.key === "Escape" && hideTooltip());
  const currentTarget = () => pinnedTarget ?? document.activeElement?.closest?.("[data-exact]");
  const onScroll = () => (currentTarget() && !$("exact").hidden ? showTooltip(currentTarget()) : hideTooltip());
  addEventListener("scroll", onScroll, true);
}

const STEPS = {
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  Home: [0, -99],
  End: [0, 99],
};

/** Let the arrow keys move through the cells of a table; the Tab key stops at one cell of each table. */
export function addTableNavigation(root) {
  root.addEventListener("keydown", (event) => {
    const cell = event.target.closest("td, th");
    const step = STEPS[event.key];
    if (!cell || !step || event.target.matches("input, select, button")) return; // these use the keys themselves
    const rows = [...cell.closest("table").rows];
    const rowIndex = rows.indexOf(cell.parentNode);
    const columnIndex = [...cell.parentNode.cells].indexOf(cell);
    const row = rows[Math.max(0, Math.min(rowIndex + step[0], rows.length - 1))];
    const target = row.cells[Math.max(0, Math.min(columnIndex + step[1], row.cells.length - 1))];
    event.preventDefault();
    if (target === cell) return;
    cell.tabIndex = -1;
    target.tabIndex = 0;
    target.focus();
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
}
