// The outline of a bet's TOML text, and the replacement of single values in it.
//
// A key changes a value at once, in the page; the server makes all other edits (`App.changeText`). It sends an outline
// of the text: for every value its path, its range `from` to `to`, the range of its `key`, and its `value` if it is a
// scalar.

/** The items of an outline by path. */
export function indexOutline(outline) {
  return new Map((outline ?? []).map((item) => [pathKey(item.path), item]));
}

export const pathKey = (path) => JSON.stringify(path);

/** The text in one line, without lone surrogates, which a file cannot hold. */
export const cleanText = (text) => text.replaceAll("\n", " ").replace(/\p{Cs}|\x7f/gu, "");

/** Quote a text as TOML. */
export const quoteToml = (text) => JSON.stringify(cleanText(text));

/** A text or a Boolean as TOML. */
export const formatToml = (value) => (typeof value === "boolean" ? String(value) : quoteToml(value));

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
