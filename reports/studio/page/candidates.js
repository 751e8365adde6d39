// Write a solution of the finder into the text: pays, dropped awards, seeds and rates.

import * as edits from "./edits.js";

/** Write the pays, seeds and rates of a solution into the text of the bet. */
export function writeCandidate(app, { pays, meters }) {
  if (!app.hasCurrentOutline()) return;
  const itemByPath = edits.indexOutline(app.outline);
  const itemAt = (path) => itemByPath.get(edits.pathKey(path));
  const replace = (item, value) => (text) => text.slice(0, item.from) + edits.quoteToml(value) + text.slice(item.to);
  const changes = []; // offset and edit
  const awards = ["paytable", app.paytableIndex, "awards"];
  for (let index = 0; itemAt([...awards, index]); index++) {
    const award = [...awards, index];
    const name = itemAt([...award, "name"])?.value ?? itemAt([...award, "hand"])?.value;
    if (!(name in pays)) continue;
    const pay = itemAt([...award, "pays"]);
    if (pays[name] === null) changes.push([itemAt(award).from, (text) => edits.removeItem(text, itemAt(award))]);
    else if (pay.value !== pays[name]) changes.push([pay.from, replace(pay, pays[name])]);
  }
  for (const item of app.outline) {
    const [, paytableIndex, table, , , , field] = item.path;
    if (paytableIndex !== app.paytableIndex || table !== "meters" || item.path.length !== 7) continue;
    const meter = itemAt([...item.path.slice(0, -1), "name"])?.value;
    const term = meters.find((candidate) => candidate.meter === meter && candidate.key === field);
    if (term) changes.push([item.from, replace(item, term.value)]);
  }
  changes.sort(([offset], [otherOffset]) => otherOffset - offset); // from the end, so that earlier offsets stay valid
  app.edit(changes.reduce((text, [, change]) => change(text), app.text));
}
