// Edits of a bet's TOML text that leave comments, spaces and order as they are.
//
// The server sends an outline of the text: for every value its path, its range `from` to `to`, the range of its `key`,
// and its `value` if it is a scalar.

/** The items of an outline by path. */
export function indexOutline(outline) {
  return new Map((outline ?? []).map((item) => [pathKey(item.path), item]));
}

export const pathKey = (path) => JSON.stringify(path);

/** Quote a text as TOML; lone surrogates, which a file cannot hold, are dropped. */
export const quoteToml = (text) => JSON.stringify(text.replaceAll("\n", " ").replace(/\p{Cs}|\x7f/gu, ""));

/** Replace a range of the text and shift the outline. */
export function replaceRange(text, outline, from, to, replacement) {
  const shift = replacement.length - (to - from);
  return {
    text: text.slice(0, from) + replacement + text.slice(to),
    outline: outline.map((item) => ({
      ...item,
      from: item.from >= to ? item.from + shift : item.from,
      to: item.to >= to ? item.to + shift : item.to,
      key: item.key[0] >= to ? [item.key[0] + shift, item.key[1] + shift] : item.key,
    })),
  };
}

const lineStart = (text, offset) => text.lastIndexOf("\n", offset - 1) + 1;

function lineEnd(text, offset) {
  const end = text.indexOf("\n", offset);
  return end < 0 ? text.length : end + 1;
}

/** Remove a key with its value, and the line if nothing else is on it. */
export function removeKey(text, { to, key: [lastPartStart] }) {
  const dottedPrefix = text.slice(0, lastPartStart).match(/(?:(?:[\w-]+|"[^"\n]*"|'[^'\n]*')[ \t]*\.[ \t]*)+$/);
  const from = lastPartStart - (dottedPrefix?.[0].length ?? 0);
  const start = lineStart(text, from);
  const end = lineEnd(text, to);
  const isAloneOnLine = !text.slice(start, from).trim() && /^\s*(#.*)?$/.test(text.slice(to, end));
  if (isAloneOnLine) return text.slice(0, start) + text.slice(end);
  const commaAfter = text.slice(to).match(/^\s*,\s*/)?.[0].length ?? 0;
  if (commaAfter) return text.slice(0, from) + text.slice(to + commaAfter);
  const commaBefore = text.slice(0, from).match(/,\s*$/)?.[0].length ?? 0;
  return text.slice(0, from - commaBefore) + text.slice(to);
}

/** Add a key to the table at a path: an inline table, a table with a heading, or the top of the text. */
export function addKey(text, outline, path, name, value) {
  const table = outline.find((item) => pathKey(item.path) === pathKey(path));
  if (path.length && table && text[table.from] === "{") {
    const isEmpty = !text.slice(table.from + 1, table.to - 1).trim();
    const end = text.slice(0, table.to - 1).trimEnd().length;
    return `${text.slice(0, end)}${isEmpty ? " " : ", "}${name} = ${value} ${text.slice(table.to - 1)}`;
  }
  const isChild = (item) => item.path.length === path.length + 1 && pathKey(item.path.slice(0, -1)) === pathKey(path);
  const keys = outline.filter((item) => item.key[1] && isChild(item));
  const firstKeys = keys.filter((item) => ["deal", "bet", "id", "decks"].includes(item.path.at(-1)));
  const previous = firstKeys.at(-1) ?? keys.at(-1) ?? table;
  const offset = previous ? lineEnd(text, previous.to) : 0;
  const newline = offset && text[offset - 1] !== "\n" ? "\n" : "";
  return `${text.slice(0, offset)}${newline}${name} = ${value}\n${text.slice(offset)}`;
}

/** The comma and the comment of the same line that follow an item of a list. */
function trailingText(text, item) {
  const [whole, comma, comment = ""] = text.slice(item.to).match(/^(\s*,|(?:\s|#[^\n]*\n)*,)?([ \t]*#[^\n]*)?/);
  return { comma: comma ?? "", comment, to: item.to + whole.length };
}

const isFirstOnLine = (text, item) => !text.slice(lineStart(text, item.from), item.from).trim();

/** Remove an item of a list, with its comma, its line and its comment. */
export function removeItem(text, item) {
  if (text[item.from] === "[") return text.slice(0, item.from) + text.slice(tableEnd(text, item));
  const { comma, to } = trailingText(text, item);
  if (isFirstOnLine(text, item) && /^[ \t]*(\r?\n|$)/.test(text.slice(to)))
    return text.slice(0, lineStart(text, item.from)) + text.slice(lineEnd(text, to));
  return text.slice(0, item.from) + text.slice(item.to + comma.length);
}

/** The end of a table with a heading. */
function tableEnd(text, item) {
  const nextHeading = text.slice(item.to).search(/\n[ \t]*\[/);
  return nextHeading < 0 ? text.length : item.to + nextHeading + 1;
}

/** Add an item after another: in a list, or as a table with a heading. */
export function addItemAfter(text, item, newItem, fields) {
  if (text[item.from] === "[") {
    const heading = text.slice(item.from, item.to);
    const end = tableEnd(text, item);
    const lines = Object.entries(fields).map(([name, value]) => `${name} = ${value}\n`);
    return `${text.slice(0, end)}\n${heading}\n${lines.join("")}${text.slice(end)}`;
  }
  const { comma, comment, to } = trailingText(text, item);
  const lastComma = comma ? "," : "";
  if (!isFirstOnLine(text, item)) {
    const tail = text.slice(item.to + comma.length);
    return `${text.slice(0, item.to)}${comma || ","} ${newItem}${lastComma}${tail}`;
  }
  const indent = text.slice(lineStart(text, item.from), item.from);
  return `${text.slice(0, item.to)}${comma || ","}${comment}\n${indent}${newItem}${lastComma}${text.slice(to)}`;
}

/** The start of the comment lines directly above an item. */
function commentStart(text, item) {
  let start = lineStart(text, item.from);
  while (start && /^[ \t]*#/.test(text.slice(lineStart(text, start - 1), start))) start = lineStart(text, start - 1);
  return start;
}

/** Swap two adjacent items of a list, each with its comments. */
export function swapItems(text, first, second) {
  const [firstItem, secondItem] = [text.slice(first.from, first.to), text.slice(second.from, second.to)];
  if (!isFirstOnLine(text, first) || !isFirstOnLine(text, second))
    return text.slice(0, first.from) + secondItem + text.slice(first.to, second.from) + firstItem + text.slice(second.to);
  const [firstTail, secondTail] = [trailingText(text, first), trailingText(text, second)];
  const [firstStart, secondStart] = [commentStart(text, first), commentStart(text, second)];
  const [firstHead, secondHead] = [text.slice(firstStart, first.from), text.slice(secondStart, second.from)];
  return [
    text.slice(0, firstStart),
    secondHead + secondItem + firstTail.comma + secondTail.comment,
    text.slice(firstTail.to, secondStart),
    firstHead + firstItem + secondTail.comma + firstTail.comment,
    text.slice(secondTail.to),
  ].join("");
}

/** Add an entry to the table of hands or wheels, which is created if necessary. */
export function addEntry(text, outline, table, name, value) {
  const heading = outline.find((item) => pathKey(item.path) === pathKey([table]));
  if (heading && text[heading.from] === "{") return addKey(text, outline, [table], quoteToml(name), value);
  const entries = outline.filter((item) => item.path[0] === table);
  const line = `${entries.length && !heading ? `${table}.` : ""}${quoteToml(name)} = ${value}\n`;
  if (entries.length) {
    const offset = lineEnd(text, Math.max(...entries.map((item) => item.to)));
    return `${text.slice(0, offset)}${text[offset - 1] === "\n" ? "" : "\n"}${line}${text.slice(offset)}`;
  }
  const firstPaytable = outline.find((item) => item.path[0] === "paytable");
  const offset = firstPaytable ? firstPaytable.from : text.length;
  return `${text.slice(0, offset)}[${table}]\n${line}\n${text.slice(offset)}`;
}
