// A bet's text in colors: comments, headings, keys and strings, and the words of rules within strings.

const TOKEN =
  /(#[^\n]*)|(^[ \t]*\[\[?[^\]\n]*\]\]?)|((?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+)(?=\s*=))|("""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?)|(\b(?:true|false)\b|[+-]?\d[\d_.]*)/gm;
const NAMES = [null, "comment", "heading", "key", "string", "number"];

/** Part a text into pieces, each with the kind of thing it is. */
export function pieces(text) {
  const found = [];
  for (const match of text.matchAll(TOKEN)) {
    const kind = NAMES[match.findIndex((group, place) => place > 0 && group !== undefined)];
    found.push({ from: match.index, to: match.index + match[0].length, kind });
  }
  return found;
}

/** Fill a layer with a text in colors, mistakes marked. */
export function paint(layer, text, marks) {
  const cuts = new Set([0, text.length]);
  const kinds = pieces(text);
  for (const one of [...kinds, ...marks]) cuts.add(one.from).add(one.to);
  const places = [...cuts].filter((one) => one <= text.length).sort((a, b) => a - b);
  const parts = document.createDocumentFragment();
  let at = 0;
  for (let place = 0; place + 1 < places.length; place++) {
    const [from, to] = [places[place], places[place + 1]];
    while (at < kinds.length && kinds[at].to <= from) at++;
    const kind = kinds[at]?.from <= from ? kinds[at].kind : null;
    const mark = marks.find((one) => one.from <= from && one.to >= to && one.from < one.to);
    const content = text.slice(from, to);
    if (!kind && !mark) {
      parts.append(content);
      continue;
    }
    const span = document.createElement("span");
    span.className = [kind && `is-${kind}`, mark && `wrong ${mark.level}`].filter(Boolean).join(" ");
    span.textContent = content;
    parts.append(span);
  }
  parts.append("\n"); // so that a last empty line has its height
  layer.replaceChildren(parts);
}
