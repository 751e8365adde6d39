// Pictures: the edge by number of decks, and what each award gives back. Coordinates are no figures; labels are exact.

import { el, svg } from "./dom.js";

const WIDE = 560;
const HIGH = 220;

/** Round steps between two values, for the lines of a scale. */
function scale(low, high) {
  const span = high - low || Math.abs(high) || 1;
  const rough = span / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((one) => one * power).find((one) => one >= rough);
  const lines = [];
  for (let at = Math.floor(low / step) * step; at <= high + step; at += step) lines.push(at);
  return { lines, step };
}

function percent(value, step) {
  const places = Math.max(0, Math.min(4, Math.ceil(-Math.log10(step * 100))));
  return `${(value * 100).toFixed(places).replace("-", "−")}%`;
}

/** One value over steps: a line with dots, filled where the bet is designed for. */
export function line(plot, chosen, choose) {
  const values = plot.points.map((one) => Number(one.at));
  if (values.length < 2) return null;
  const { lines, step } = scale(Math.min(...values), Math.max(...values));
  const [low, high] = [lines[0], lines.at(-1)];
  const [left, right, top, bottom] = [68, 8, 12, 34];
  const x = (place) => left + ((WIDE - left - right) * (place + 0.5)) / values.length;
  const y = (value) => top + (HIGH - top - bottom) * (1 - (value - low) / (high - low || 1));
  const dots = plot.points.map((one, place) => {
    const dot = svg(
      "g",
      { class: `dot${one.marked ? " designed" : ""}${one.step === String(chosen) ? " here" : ""}`, "data-exact": `${one.step} decks: ${one.text} = ${one.exact ?? one.text}` },
      svg("rect", { x: x(place) - 20, y: top, width: 40, height: HIGH - top, class: "reach" }),
      svg("circle", { cx: x(place), cy: y(values[place]), r: 5 }),
      svg("text", { x: x(place), y: HIGH - 10, "text-anchor": "middle" }, one.step === "infinite" ? "∞" : one.step),
    );
    if (one.step !== "infinite") dot.addEventListener("click", () => choose(Number(one.step)));
    return dot;
  });
  return el(
    "figure",
    {},
    el("figcaption", {}, plot.caption),
    svg(
      "svg",
      { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": told(plot), class: "line" },
      lines.map((at) => [
        svg("line", { x1: left, x2: WIDE - right, y1: y(at), y2: y(at), class: Math.abs(at) < step / 1e6 ? "zero" : "grid" }),
        svg("text", { x: left - 8, y: y(at) + 4, "text-anchor": "end" }, percent(at, step)),
      ]),
      svg("polyline", { points: values.map((value, place) => `${x(place)},${y(value)}`).join(" ") }),
      dots,
    ),
  );
}

/** What each award gives back: bars, the longest as wide as there is room. */
export function bars(plot) {
  const values = plot.points.map((one) => Math.max(0, Number(one.at)));
  const most = Math.max(...values) || 1;
  return el(
    "figure",
    {},
    el("figcaption", {}, plot.caption),
    el(
      "div.bars",
      { role: "img", "aria-label": told(plot) },
      plot.points.map((one, place) => {
        const bar = el("i");
        bar.style.width = `${(100 * values[place]) / most}%`;
        return el("div", { "data-exact": one.exact }, el("span", {}, one.step), el("b", {}, bar), el("em", {}, one.text));
      }),
    ),
  );
}

function told(plot) {
  return `${plot.caption}: ${plot.points.map((one) => `${one.step} ${one.text}`).join(", ")}`;
}
