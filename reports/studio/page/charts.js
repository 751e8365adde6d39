// Charts: the edge by number of decks, and the return by award. Coordinates are rounded, labels are exact.

import { el, svg } from "./dom.js";

const WIDTH = 440;
const HEIGHT = 220;
const MARGIN = { left: 58, right: 8, top: 12, bottom: 34 };

/** Round grid values that cover a range. */
function gridValues(low, high) {
  const span = high - low || Math.abs(high) || 1;
  const roughStep = span / 4;
  const power = 10 ** Math.floor(Math.log10(roughStep));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= roughStep);
  const values = [];
  for (let value = Math.floor(low / step) * step; value <= high + step; value += step) values.push(value);
  return { values, step };
}

/** The number of decimals that multiples of a step need: 1 for a step of 2.5. */
export function stepDecimals(step) {
  let decimals = 0;
  while (decimals < 6 && Math.abs(step * 10 ** decimals - Math.round(step * 10 ** decimals)) > 1e-6) decimals++;
  return decimals;
}

function formatPercent(value, step) {
  return `${(value * 100).toFixed(stepDecimals(step * 100)).replace("-", "−")}%`;
}

const exactLabel = (name, point) => `${name}: ${point.text} = ${point.exact ?? point.text}`;

/** One line over the deck counts with the target band; dots are filled where the bet is designed for the deck count. */
export function bandChart(caption, points, band, selectedDecks, select) {
  const known = points.filter((point) => point.at !== undefined);
  const values = known.map((point) => Number(point.at));
  if (!values.length) return null;
  const bandEnds = band ? [band.low, band.high].filter(Number.isFinite) : [];
  const { x, y, grid, top, bottom } = chartFrame(known.length, [...values, ...bandEnds]);
  const bandRect = band && svg("rect", {
    x: MARGIN.left,
    width: WIDTH - MARGIN.left - MARGIN.right,
    y: Number.isFinite(band.high) ? y(band.high) : top,
    height: Math.max(1, (Number.isFinite(band.low) ? y(band.low) : bottom) - (Number.isFinite(band.high) ? y(band.high) : top)),
    class: "band",
  });
  const dots = known.map((point, index) => {
    const classes = ["dot", point.designed && "designed", point.decks === selectedDecks && "here"].filter(Boolean).join(" ");
    const dot = svg(
      "g",
      { class: classes, "data-exact": exactLabel(`${point.decks} decks`, point) },
      svg("rect", { x: x(index) - 20, y: MARGIN.top, width: 40, height: HEIGHT - MARGIN.top, class: "reach" }),
      svg("circle", { cx: x(index), cy: y(values[index]), r: 5 }),
      xLabel(x(index), point.decks),
    );
    dot.addEventListener("click", () => select(point.decks));
    return dot;
  });
  const line = svg("polyline", { points: values.map((value, index) => `${x(index)},${y(value)}`).join(" ") });
  const text = `${caption}: ${known.map((point) => `${point.decks}: ${point.text}`).join(", ")}`;
  return figure(caption, chartSvg(text, bandRect ?? [], grid, line, dots));
}

/** Points by edge and volatility; the size is the hit frequency. A click uses a point. */
export function scatterChart(caption, points) {
  const [xs, ys] = [points.map((point) => point.x), points.map((point) => point.y)];
  const xGrid = gridValues(Math.min(...xs), Math.max(...xs));
  const yGrid = gridValues(Math.min(...ys), Math.max(...ys));
  const scale = (value, { values }, from, to) => from + ((to - from) * (value - values[0])) / (values.at(-1) - values[0] || 1);
  const x = (value) => scale(value, xGrid, MARGIN.left, WIDTH - MARGIN.right - 10);
  const y = (value) => scale(value, yGrid, HEIGHT - MARGIN.bottom, MARGIN.top);
  const largest = Math.max(...points.map((point) => point.size || 0)) || 1;
  const lines = [
    ...xGrid.values.map((value) => xLabel(x(value), formatPercent(value, xGrid.step))),
    ...yGrid.values.map((value) => [
      svg("line", { x1: MARGIN.left, x2: WIDTH - MARGIN.right, y1: y(value), y2: y(value), class: "grid" }),
      svg("text", { x: MARGIN.left - 8, y: y(value) + 4, "text-anchor": "end" }, formatNumber(value, yGrid.step)),
    ]),
  ];
  const dots = points.toSorted((a, b) => Number(a.isMarked) - Number(b.isMarked)).map((point) => {
    const radius = 4 + 5 * Math.sqrt((point.size || 0) / largest);
    const attributes = { class: `point${point.isMarked ? " marked" : ""}`, "data-exact": point.label };
    if (point.use) Object.assign(attributes, { role: "button", tabindex: 0, "aria-label": point.label });
    const dot = svg("g", attributes, svg("circle", { cx: x(point.x), cy: y(point.y), r: radius }));
    if (point.use) {
      dot.addEventListener("click", point.use);
      dot.addEventListener("keydown", (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), point.use()));
    }
    return dot;
  });
  const chart = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": caption, class: "line scatter" }, lines, dots);
  return figure(`${caption}. Right: a higher edge. Up: a higher standard deviation. Larger: more hits.`, chart);
}

function formatNumber(value, step) {
  return value.toFixed(stepDecimals(step));
}

function figure(caption, ...children) {
  return el("figure", {}, el("figcaption", {}, caption), ...children);
}

function chartSvg(label, ...children) {
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, class: "line" }, ...children);
}

function xLabel(x, text) {
  return svg("text", { x, y: HEIGHT - 10, "text-anchor": "middle" }, text);
}

/** The grid of a chart, and functions from steps and values to coordinates. */
function chartFrame(stepCount, values) {
  const { values: gridLines, step } = gridValues(Math.min(...values), Math.max(...values));
  const [low, high] = [gridLines[0], gridLines.at(-1)];
  const { left, right, top, bottom } = MARGIN;
  const x = (index) => left + ((WIDTH - left - right) * (index + 0.5)) / stepCount;
  const y = (value) => top + (HEIGHT - top - bottom) * (1 - (value - low) / (high - low || 1));
  const grid = gridLines.map((value) => [
    svg("line", {
      x1: left,
      x2: WIDTH - right,
      y1: y(value),
      y2: y(value),
      class: Math.abs(value) < step / 1e6 ? "zero" : "grid",
    }),
    svg("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, formatPercent(value, step)),
  ]);
  return { x, y, grid, top: MARGIN.top, bottom: HEIGHT - MARGIN.bottom };
}

const COLOR_COUNT = 6;

function legend(allSeries) {
  const items = allSeries.map((series, index) => el("span", {}, el(`i.series-${index % COLOR_COUNT}`), series.name));
  return el("div.legend", { "aria-hidden": "true" }, items);
}

/** Several lines over the same steps. */
export function multiLineChart(chart) {
  const values = chart.series.flatMap((series) => series.points.filter(Boolean).map((point) => Number(point.at)));
  if (values.length < 2) return null;
  const { x, y, grid } = chartFrame(chart.steps.length, values);
  const lines = chart.series.map((series, seriesIndex) => {
    const dots = series.points.flatMap((point, index) => (point ? [{ point, index }] : []));
    const coordinates = dots.map(({ point, index }) => `${x(index)},${y(Number(point.at))}`);
    const circles = dots.map(({ point, index }) =>
      svg("circle", {
        cx: x(index),
        cy: y(Number(point.at)),
        r: 5,
        class: point.marked ? "filled" : undefined,
        "data-exact": exactLabel(`${series.name}, ${chart.steps[index]} decks`, point),
      }),
    );
    const line = svg("polyline", { points: coordinates.join(" ") });
    return svg("g", { class: `series series-${seriesIndex % COLOR_COUNT}` }, line, circles);
  });
  const labels = chart.steps.map((step, index) => xLabel(x(index), step));
  return figure(chart.caption, chartSvg(describeChart(chart), grid, labels, lines), legend(chart.series));
}

/** A stacked bar for each step. */
export function stackedBarChart(chart) {
  const size = (step, series) => Math.max(0, Number(series.points[step]?.at ?? 0));
  const totals = chart.steps.map((_, step) => chart.series.reduce((total, series) => total + size(step, series), 0));
  const largestTotal = Math.max(...totals) || 1;
  const rows = chart.steps.map((name, step) => {
    const segments = chart.series.map((series, index) => {
      const point = series.points[step];
      if (!point) return null;
      const label = exactLabel(`${name}, ${series.name}`, point);
      const segment = el(`i.series-${index % COLOR_COUNT}`, { "data-exact": label });
      segment.style.width = `${(100 * size(step, series)) / largestTotal}%`;
      return segment;
    });
    return el("div", {}, el("span", {}, name), el("b", {}, segments));
  });
  const bars = el("div.piles", { role: "img", "aria-label": describeChart(chart) }, rows);
  return figure(chart.caption, bars, legend(chart.series));
}

function describeChart(chart) {
  const describe = (series) => {
    const values = series.points.map((point, step) => (point ? `${chart.steps[step]} ${point.text}` : null));
    return `${series.name}: ${values.filter(Boolean).join(", ")}`;
  };
  return `${chart.caption}: ${chart.series.map(describe).join("; ")}`;
}

/** A bar for each award. */
export function barChart(plot) {
  const values = plot.points.map((point) => Math.max(0, Number(point.at)));
  const largestValue = Math.max(...values) || 1;
  const rows = plot.points.map((point, index) => {
    const bar = el("i");
    bar.style.width = `${(100 * values[index]) / largestValue}%`;
    return el("div", { "data-exact": point.exact }, el("span", {}, point.step), el("b", {}, bar), el("em", {}, point.text));
  });
  return figure(plot.caption, el("div.bars", { role: "img", "aria-label": describePlot(plot) }, rows));
}

function describePlot(plot) {
  return `${plot.caption}: ${plot.points.map((point) => `${point.step} ${point.text}`).join(", ")}`;
}
