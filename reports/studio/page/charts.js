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
  const { x, y, grid, top } = frame(values.length, values);
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
      grid,
      svg("polyline", { points: values.map((value, place) => `${x(place)},${y(value)}`).join(" ") }),
      dots,
    ),
  );
}

/** Where the lines of a picture lie: a scale, and how far right and down things are. */
function frame(steps, values) {
  const { lines, step } = scale(Math.min(...values), Math.max(...values));
  const [low, high] = [lines[0], lines.at(-1)];
  const [left, right, top, bottom] = [68, 8, 12, 34];
  const x = (place) => left + ((WIDE - left - right) * (place + 0.5)) / steps;
  const y = (value) => top + (HIGH - top - bottom) * (1 - (value - low) / (high - low || 1));
  const grid = lines.map((at) => [
    svg("line", { x1: left, x2: WIDE - right, y1: y(at), y2: y(at), class: Math.abs(at) < step / 1e6 ? "zero" : "grid" }),
    svg("text", { x: left - 8, y: y(at) + 4, "text-anchor": "end" }, percent(at, step)),
  ]);
  return { x, y, grid, top };
}

const SERIES = 6; // colors that can be told apart

const legend = (series) => el("div.legend", { "aria-hidden": "true" }, series.map((one, place) => el("span", {}, el(`i.series-${place % SERIES}`), one.name)));

/** Several values over the same steps, a line for each. */
export function lines(chart) {
  const found = chart.series.flatMap((one) => one.points.filter(Boolean).map((point) => Number(point.at)));
  if (found.length < 2) return null;
  const { x, y, grid } = frame(chart.steps.length, found);
  const drawn = chart.series.map((one, place) => {
    const dots = one.points.flatMap((point, step) => (point ? [{ point, step, at: `${x(step)},${y(Number(point.at))}` }] : []));
    return svg(
      "g",
      { class: `series series-${place % SERIES}` },
      svg("polyline", { points: dots.map((dot) => dot.at).join(" ") }),
      dots.map(({ point, step }) =>
        svg("circle", { cx: x(step), cy: y(Number(point.at)), r: 5, class: point.marked ? "filled" : undefined, "data-exact": `${one.name}, ${chart.steps[step]} decks: ${point.text} = ${point.exact ?? point.text}` }),
      ),
    );
  });
  const below = chart.steps.map((step, place) => svg("text", { x: x(place), y: HIGH - 10, "text-anchor": "middle" }, step));
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": told_of_all(chart), class: "line" }, grid, below, drawn);
  return el("figure", {}, el("figcaption", {}, chart.caption), picture, legend(chart.series));
}

/** What several things are made up of: a bar for each, in parts. */
export function piles(chart) {
  const part = (step, place) => Math.max(0, Number(chart.series[place].points[step]?.at ?? 0));
  const sums = chart.steps.map((_, step) => chart.series.reduce((sum, __, place) => sum + part(step, place), 0));
  const most = Math.max(...sums) || 1;
  const rows = chart.steps.map((name, step) => {
    const parts = chart.series.map((one, place) => {
      const point = one.points[step];
      if (!point) return null;
      const box = el(`i.series-${place % SERIES}`, { "data-exact": `${name}, ${one.name}: ${point.text} = ${point.exact ?? point.text}` });
      box.style.width = `${(100 * part(step, place)) / most}%`;
      return box;
    });
    return el("div", {}, el("span", {}, name), el("b", {}, parts));
  });
  return el("figure", {}, el("figcaption", {}, chart.caption), el("div.piles", { role: "img", "aria-label": told_of_all(chart) }, rows), legend(chart.series));
}

function told_of_all(chart) {
  const values = (one) => one.points.map((point, step) => (point ? `${chart.steps[step]} ${point.text}` : null)).filter(Boolean);
  return `${chart.caption}: ${chart.series.map((one) => `${one.name}: ${values(one).join(", ")}`).join("; ")}`;
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
