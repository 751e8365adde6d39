// Write a solution of the finder into the text: pays, dropped awards, seeds and rates.

import * as edits from "./edits.js";

/** Write the pays, seeds and rates of a solution into the text of the bet. */
export function writeCandidate(app, candidate) {
  app.pays.change(() => candidateEdits(app.outline, app.paytableIndex, candidate));
}

/** The edits that write a solution into a text; removals come last, from the end, so that indexes stay valid. */
export function candidateEdits(outline, paytableIndex, { pays, meters }) {
  const itemByPath = edits.indexOutline(outline);
  const valueAt = (path) => itemByPath.get(edits.pathKey(path))?.value;
  const awards = ["paytable", paytableIndex, "awards"];
  const [changes, removals] = [[], []];
  for (let index = 0; itemByPath.has(edits.pathKey([...awards, index])); index++) {
    const award = [...awards, index];
    const name = valueAt([...award, "name"]) ?? valueAt([...award, "hand"]);
    if (!(name in pays)) continue;
    if (pays[name] === null) removals.unshift({ kind: "set", path: award });
    else if (valueAt([...award, "pays"]) !== pays[name]) changes.push({ kind: "set", path: [...award, "pays"], value: pays[name] });
  }
  for (const { path } of outline) {
    const [, index, table, , , , field] = path;
    if (index !== paytableIndex || table !== "meters" || path.length !== 7) continue;
    const meter = valueAt([...path.slice(0, -1), "name"]);
    const term = meters.find((other) => other.meter === meter && other.key === field);
    if (term) changes.push({ kind: "set", path, value: term.value });
  }
  return [...changes, ...removals];
}
