// Changes to a bet's text that leave all else in it as it is: comments, spaces and order.

/** The places of an outline by their paths. */
export function by_path(outline) {
  return new Map((outline ?? []).map((one) => [key(one.path), one]));
}

export const key = (path) => JSON.stringify(path);

export const quoted = (text) => JSON.stringify(text.replaceAll("\n", " "));

/** Replace a stretch of the text and move the places after it along. */
export function replaced(text, outline, from, to, by) {
  const more = by.length - (to - from);
  return {
    text: text.slice(0, from) + by + text.slice(to),
    outline: outline.map((one) => ({
      ...one,
      from: one.from >= to ? one.from + more : one.from,
      to: one.to >= to ? one.to + more : one.to,
      key: one.key[0] >= to ? [one.key[0] + more, one.key[1] + more] : one.key,
    })),
  };
}

const line_start = (text, at) => text.lastIndexOf("\n", at - 1) + 1;

function line_end(text, at) {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

/** Remove a key with its value, and the line if nothing else is on it. */
export function without_key(text, place) {
  const start = line_start(text, place.key[0]);
  const end = line_end(text, place.to);
  const alone = !text.slice(start, place.key[0]).trim() && /^\s*(#.*)?$/.test(text.slice(place.to, end));
  if (alone) return text.slice(0, start) + text.slice(end);
  const comma = text.slice(place.to).match(/^\s*,\s*/)?.[0].length ?? 0;
  if (comma) return text.slice(0, place.key[0]) + text.slice(place.to + comma);
  const before = text.slice(0, place.key[0]).match(/,\s*$/)?.[0].length ?? 0;
  return text.slice(0, place.key[0] - before) + text.slice(place.to);
}

/** Add a key to a table in line, or before the first heading. */
export function with_key(text, outline, path, name, value) {
  const table = outline.find((one) => key(one.path) === key(path));
  if (path.length && table && text[table.from] === "{") {
    const empty = !text.slice(table.from + 1, table.to - 1).trim();
    const end = text.slice(0, table.to - 1).trimEnd().length;
    return `${text.slice(0, end)}${empty ? " " : ", "}${name} = ${value} ${text.slice(table.to - 1)}`;
  }
  const inside = outline.filter((one) => one.key[1] && one.path.length === path.length + 1 && key(one.path.slice(0, -1)) === key(path));
  const after = inside.filter((one) => ["deal", "bet", "id", "decks"].includes(one.path.at(-1))).at(-1) ?? inside.at(-1) ?? table;
  const at = after ? line_end(text, after.to) : 0;
  const fresh = at && text[at - 1] !== "\n" ? "\n" : "";
  return `${text.slice(0, at)}${fresh}${name} = ${value}\n${text.slice(at)}`;
}

/** Remove an item of a list, with its comma and its line. */
export function without_item(text, place) {
  if (text[place.from] === "[") return text.slice(0, place.from) + text.slice(table_end(text, place));
  let to = place.to + (text.slice(place.to).match(/^\s*,/)?.[0].length ?? 0);
  let from = place.from;
  const start = line_start(text, from);
  if (!text.slice(start, from).trim() && /^[ \t]*\r?\n/.test(text.slice(to))) {
    from = start;
    to = line_end(text, to);
  }
  return text.slice(0, from) + text.slice(to);
}

/** Where a table that has a heading ends. */
function table_end(text, place) {
  const next = text.slice(place.to).search(/\n[ \t]*\[/);
  return next < 0 ? text.length : place.to + next + 1;
}

/** Put an item after another in a list in line, or a table after one with a heading. */
export function with_item(text, place, item, fields) {
  if (text[place.from] === "[") {
    const heading = text.slice(place.from, place.to);
    const end = table_end(text, place);
    const rows = Object.entries(fields).map(([name, value]) => `${name} = ${value}\n`);
    return `${text.slice(0, end)}\n${heading}\n${rows.join("")}${text.slice(end)}`;
  }
  const comma = text.slice(place.to).match(/^\s*,/)?.[0].length ?? 0;
  const at = place.to + comma;
  const start = line_start(text, place.from);
  const indent = text.slice(start, place.from);
  const gap = indent.trim() ? " " : `\n${indent}`;
  return `${text.slice(0, at)}${comma ? "" : ","}${gap}${item}${comma ? "," : ""}${text.slice(at)}`;
}

/** Let two items that follow one another change places. */
export function swapped(text, first, second) {
  const parts = [text.slice(0, first.from), text.slice(second.from, second.to), text.slice(first.to, second.from)];
  return [...parts, text.slice(first.from, first.to), text.slice(second.to)].join("");
}

/** Add a hand with its rule to the table of hands, which is made if there is none. */
export function with_hand(text, outline, name, rule) {
  const line = `${quoted(name)} = ${quoted(rule)}\n`;
  const hands = outline.filter((one) => one.path[0] === "hands");
  if (hands.length) {
    const last = hands.reduce((a, b) => (b.to > a.to ? b : a));
    const at = line_end(text, last.to);
    return `${text.slice(0, at)}${text[at - 1] === "\n" ? "" : "\n"}${line}${text.slice(at)}`;
  }
  const first = outline.find((one) => one.path[0] === "paytable");
  const at = first ? first.from : text.length;
  return `${text.slice(0, at)}[hands]\n${line}\n${text.slice(at)}`;
}
