// Unit tests of the page's scripts; tests/reports/studio/test_page_scripts.py runs them with `node --test`.

import assert from "node:assert/strict";
import { test } from "node:test";

globalThis.addEventListener = () => {}; // scripts add listeners when they are loaded
globalThis.crypto ??= { getRandomValues: (numbers) => numbers };
globalThis.localStorage = { getItem: () => null, setItem: () => {} };

const page = new URL("../../../reports/studio/page/", import.meta.url);
const load = (name) => import(new URL(name, page));

test("a band has two ends, one end or one value", async () => {
  const { parseBand, withPercentSigns } = await load("target.js");
  assert.deepEqual(["6", "4..5", "4.5..", "-1..5 %", "abc"].map(withPercentSigns), ["6%", "4%..5%", "4.5%..", "-1%..5 %", "abc"]);
  assert.deepEqual(parseBand("4%..5%"), { low: 0.04, high: 0.05 });
  assert.deepEqual(parseBand("..5 %"), { low: -Infinity, high: 0.05 });
  assert.deepEqual(parseBand("-1%.."), { low: -0.01, high: Infinity });
  assert.deepEqual(parseBand("4.5%"), { low: 0.045, high: 0.045 });
  for (const text of ["", "..", "4..5", "5%..4%", "a%", "1%..2%..3%"]) assert.equal(parseBand(text), null);
});

test("the ends of a band are within it", async () => {
  const { parseBand, placeInBand } = await load("target.js");
  const band = parseBand("4%..5%");
  assert.deepEqual(["0.039", "0.04", "0.05", "0.0501", null].map((edge) => placeInBand(edge, band)), ["low", "in", "in", "high", null]);
  assert.equal(placeInBand("0.04", null), null);
});

test("a limit is relaxed at one end", async () => {
  const { relaxLimit } = await load("finder.js");
  assert.equal(relaxLimit("4%..5%", "5.2%", false), "4%..5.2%");
  assert.equal(relaxLimit("4%..5%", "3%", true), "3%..5%");
  assert.equal(relaxLimit("..5%", "6%", false), "..6%");
  assert.equal(relaxLimit("4%", "3%", true), "3%..4%");
});

test("a pay keeps its unit", async () => {
  const { payNumber, withPayNumber } = await load("pays.js");
  assert.deepEqual(["10 to 1", "1,000 for 1", "push", "10% of Mega", "2.5 to 1", "3:2"].map(payNumber), [10, 1000, null, null, null, 3]);
  assert.equal(withPayNumber("999 to 1", 1000), "1,000 to 1");
  assert.equal(withPayNumber("10 for 1", 0), "10 for 1");
  assert.equal(withPayNumber("push", 5), "push");
});

test("a number without a unit keeps the unit of the pay", async () => {
  const { payWord, withUnit } = await load("pays.js");
  assert.deepEqual(["10 to 1", "1,000 for 1", "push", "3 to 2"].map(payWord), ["to", "for", "to", "to"]);
  assert.deepEqual(["200", " 1,000 ", "200 for 1", "push", "3/2", ""].map((text) => withUnit(text, "to")), ["200 to 1", "1,000 to 1", "200 for 1", "push", "3/2", ""]);
});

test("labels of a chart have the decimals of its steps", async () => {
  const { stepDecimals } = await load("charts.js");
  assert.deepEqual([10, 5, 2.5, 0.5, 0.25, 0.002].map(stepDecimals), [0, 0, 1, 1, 2, 3]);
});

test("a slider stands at the nearest pay", async () => {
  const { SLIDER_PAYS, sliderPosition } = await load("pays.js");
  assert.deepEqual([1, 20, 33, 90, 99999].map((pay) => SLIDER_PAYS[sliderPosition(pay)]), [1, 20, 35, 80, 10000]);
});

test("goal seek opens the pays that are not locked", async () => {
  const { openPays } = await load("goal_seek.js");
  const pays = { Flush: "5 to 1", Royal: "100 to 1", Pair: "push", Mega: "100% of Mega" };
  assert.deepEqual(openPays(pays, ["Royal"], false), { Flush: "1..20" });
  assert.deepEqual(openPays(pays, [], true), { Flush: "1..20 nice|5", Royal: "25..400 nice|100" });
});

test("goal seek names the changed pays, and a band around a single value", async () => {
  const { describeChanges, noSolution } = await load("goal_seek.js");
  assert.equal(describeChanges({ Flush: "5 to 1", Pair: "1 to 1" }, { Flush: "4 to 1", Pair: "1 to 1" }), "Flush 5 to 1 → 4 to 1");
  assert.ok(noSolution("6%").includes("5.9%..6.1%"));
  assert.ok(!noSolution("5%..6%").includes(".."));
});

test("a solution becomes edits, removals last and from the end", async () => {
  const { candidateEdits } = await load("candidates.js");
  const award = (index, hand, pays) => [
    { path: ["paytable", 0, "awards", index], value: null },
    { path: ["paytable", 0, "awards", index, "hand"], value: hand },
    { path: ["paytable", 0, "awards", index, "pays"], value: pays },
  ];
  const outline = [...award(0, "A", "9 to 1"), ...award(1, "B", "5 to 1"), ...award(2, "C", "3 to 1"), ...award(3, "D", "1 to 1")];
  const edits = candidateEdits(outline, 0, { pays: { A: null, B: "6 to 1", C: "3 to 1", D: null }, meters: [] });
  assert.deepEqual(edits.map(({ path, value }) => [path[3], value]), [[1, "6 to 1"], [3, undefined], [0, undefined]]);
});

test("a replaced value shifts the outline", async () => {
  const { replaceRange } = await load("edits.js");
  const text = 'a = "1"\nb = "2"';
  const outline = [{ path: ["a"], from: 4, to: 7, key: [0, 1] }, { path: ["b"], from: 12, to: 15, key: [8, 9] }];
  const edited = replaceRange(text, outline, 4, 7, '"100"');
  assert.equal(edited.text, 'a = "100"\nb = "2"');
  assert.deepEqual(edited.outline.map(({ from, to, key }) => [from, to, key]), [[4, 9, [0, 1]], [14, 17, [10, 11]]]);
});

test("the history of an opened project survives a reload", async () => {
  const { Store, decodeState, encodeState, initialState, restoreHistory, saveHistory } = await load("state.js");
  const items = new Map();
  const storage = globalThis.localStorage;
  globalThis.localStorage = { getItem: (key) => items.get(key) ?? null, setItem: (key, value) => items.set(key, value) };
  const store = new Store(initialState());
  store.change({ variants: [{ meters: {}, toml: "x", paytable: null, note: "", name: "A", id: 1 }] }); // as a project file is read
  saveHistory(store);
  const reloaded = new Store(await decodeState(await encodeState(store.state)));
  restoreHistory(reloaded);
  globalThis.localStorage = storage;
  reloaded.undo();
  assert.deepEqual([reloaded.state.variants, reloaded.future.length], [[], 1]);
});

test("catalog entries match all words, ids first", async () => {
  const { findEntries } = await load("catalog_picker.js");
  const entries = [
    { paytable: "X-1", title: "Lucky tri" },
    { paytable: "TRI-03", title: "TriLux Bonus" },
    { paytable: "LL-A", title: "Lucky Ladies" },
  ];
  assert.deepEqual(findEntries(entries, "tri").map(({ paytable }) => paytable), ["TRI-03", "X-1"]);
  assert.deepEqual(findEntries(entries, "ladies lucky").map(({ paytable }) => paytable), ["LL-A"]);
  assert.deepEqual(findEntries(entries, "none"), []);
});

test("words are joined to a rule", async () => {
  const { cardText, joinWord, withSuits } = await load("rule_builder.js");
  assert.equal(withSuits("Three 7s: not three 7s (7s 10c Kh, red)"), "Three 7s: not three 7s (7♠ 10♣ K♥, red)");
  assert.equal(joinWord("", "pair", "and"), "pair");
  assert.equal(joinWord("pair ", "suited", "and not"), "pair and not suited");
  assert.deepEqual(["10h", "As"].map(cardText), ["10♥", "A♠"]);
});

test("undo restores the bet and keeps the view", async () => {
  const { Store, initialState } = await load("state.js");
  const store = new Store(initialState());
  const before = store.state.toml;
  store.change({ toml: "a\r\nb" }, "text");
  store.change({ toml: "a\nbc" }, "text");
  store.changeView({ panel: "find" });
  assert.equal(store.state.toml, "a\nbc");
  store.undo();
  assert.deepEqual([store.state.toml, store.state.panel], [before, "find"]);
  store.redo();
  assert.equal(store.state.toml, "a\nbc");
});

test("a link carries the whole state", async () => {
  const { decodeState, encodeState, initialState } = await load("state.js");
  const state = { ...initialState(), target: "1%..2%", locks: ["Flush"], notes: "é", variants: [{ id: 1, name: "A", note: "", toml: "x", paytable: null, meters: {} }] };
  assert.deepEqual(await decodeState(`#${await encodeState(state)}`), state);
  assert.equal(await decodeState("#1broken"), null);
});
