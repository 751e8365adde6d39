// Changes to a bet's text that leave all else in it as it is: comments, spaces and order.

/** The places of an outline by their paths. */
export function by_path(outline) {
  return new Map((outline ?? []).map((one) => [key(one.path), one]));
}

export const key = (path) => JSON.stringify(path);

/** A text as TOML writes it; half a character, which no file can hold, is left out. */
export const quoted = (text) => JSON.stringify(text.replaceAll("\n", " ").replace(/\p{Cs}|\x7f/gu, ""));

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
export function without_key(text, { to, key: [last] }) {
  const dotted = text.slice(0, last).match(/(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*)+$/)?.[0].length ?? 0;
  const from = last - dotted;
  const start = line_start(text, from);
  const end = line_end(text, to);
  const alone = !text.slice(start, from).trim() && /^\s*(#.*)?$/.test(text.slice(to, end));
  if (alone) return text.slice(0, start) + text.slice(end);
  const comma = text.slice(to).match(/^\s*,\s*/)?.[0].length ?? 0;
  if (comma) return text.slice(0, from) + text.slice(to + comma);
  const before = text.slice(0, from).match(/,\s*$/)?.[0].length ?? 0;
  return text.slice(0, from - before) + text.slice(to);
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

/** What stands after an item of a list: its comma, and what is said about it on the same line. */
function after(text, place) {
  const [whole, comma, comment = ""] = text.slice(place.to).match(/^(\s*,|(?:\s|#[^\n]*\n)*,)?([ \t]*#[^\n]*)?/);
  return { comma: comma ?? "", comment, to: place.to + whole.length };
}

const is_first_on_line = (text, place) => !text.slice(line_start(text, place.from), place.from).trim();

/** Remove an item of a list, with its comma, its line and what is said about it there. */
export function without_item(text, place) {
  if (text[place.from] === "[") return text.slice(0, place.from) + text.slice(table_end(text, place));
  const { comma, to } = after(text, place);
  if (is_first_on_line(text, place) && /^[ \t]*(\r?\n|$)/.test(text.slice(to))) return text.slice(0, line_start(text, place.from)) + text.slice(line_end(text, to));
  return text.slice(0, place.from) + text.slice(place.to + comma.length);
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
  const { comma, comment, to } = after(text, place);
  const end = comma ? "," : "";
  if (!is_first_on_line(text, place)) return `${text.slice(0, place.to)}${comma || ","} ${item}${end}${text.slice(place.to + comma.length)}`;
  const indent = text.slice(line_start(text, place.from), place.from);
  return `${text.slice(0, place.to)}${comma || ","}${comment}\n${indent}${item}${end}${text.slice(to)}`;
}

/** Where what is said about an item begins: at the lines above it that say nothing else. */
function before(text, place) {
  let start = line_start(text, place.from);
  while (start && /^[ \t]*#/.test(text.slice(line_start(text, start - 1), start))) start = line_start(text, start - 1);
  return start;
}

/** Let two items that follow one another change places, each with what is said about it. */
export function swapped(text, first, second) {
  const [item, other] = [text.slice(first.from, first.to), text.slice(second.from, second.to)];
  if (!is_first_on_line(text, first) || !is_first_on_line(text, second))
    return text.slice(0, first.from) + other + text.slice(first.to, second.from) + item + text.slice(second.to);
  const [one, two] = [after(text, first), after(text, second)];
  const [above, below] = [before(text, first), before(text, second)];
  const heads = [text.slice(above, first.from), text.slice(below, second.from)];
  return [
    text.slice(0, above),
    heads[1] + other + one.comma + two.comment,
    text.slice(one.to, below),
    heads[0] + item + two.comma + one.comment,
    text.slice(two.to),
  ].join("");
}

/** Add a hand with its rule, or a wheel with its stops, to the table of these, which is made if there is none. */
export function with_entry(text, outline, table, name, value) {
  const whole = outline.find((one) => key(one.path) === key([table]));
  if (whole && text[whole.from] === "{") return with_key(text, outline, [table], quoted(name), value);
  const there = outline.filter((one) => one.path[0] === table);
  const line = `${there.length && !whole ? `${table}.` : ""}${quoted(name)} = ${value}\n`;
  if (there.length) {
    const at = line_end(text, Math.max(...there.map((one) => one.to)));
    return `${text.slice(0, at)}${text[at - 1] === "\n" ? "" : "\n"}${line}${text.slice(at)}`;
  }
  const first = outline.find((one) => one.path[0] === "paytable");
  const at = first ? first.from : text.length;
  return `${text.slice(0, at)}[${table}]\n${line}\n${text.slice(at)}`;
}
