// The bet as text: CodeMirror with TOML highlighting, marked problems and completion of rules.

import { EditorState, EditorView, HighlightStyle, StreamLanguage, autocompletion, bracketMatching, completionKeymap, defaultKeymap, drawSelection, highlightActiveLine, indentUnit, keymap, lineNumbers, lintGutter, setDiagnostics, syntaxHighlighting, tags, toml } from "./codemirror.js";
import { findChoices } from "./complete.js";

const RULE = /(?:(?:when|given|per)|^[ \t]*(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[\w-]+))\s*=\s*(["'])((?:(?!\1)[^\n])*)$/;
const RULE_KEY = /(?:when|given|per)\s*=\s*["'][^"']*$/;
const TABLE_HEADING = /^[ \t]*\[([^[\]\n]*)\][ \t]*$/gm;

/** The part of a rule at the end of a text; null if the text does not end in a rule. */
export function ruleAtEnd(text) {
  const line = text.slice(text.lastIndexOf("\n") + 1);
  const match = line.match(RULE);
  if (!match) return null;
  if (RULE_KEY.test(line)) return match[2];
  const lastHeading = [...text.matchAll(TABLE_HEADING)].at(-1);
  return lastHeading?.[1].trim() === "hands" ? match[2] : null;
}

const HIGHLIGHT = HighlightStyle.define([
  { tag: tags.comment, color: "var(--comment)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--string)" },
  { tag: [tags.number, tags.bool, tags.atom], color: "var(--number)" },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--key)" },
  { tag: tags.standard(tags.variableName), color: "var(--number)", fontWeight: "600" },
]);

const THEME = EditorView.theme({
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { overflow: "auto" },
  "&": { height: "100%", fontSize: "13px", backgroundColor: "var(--card)", color: "var(--ink)" },
  ".cm-content": { fontFamily: "var(--mono)", caretColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "var(--wash)", color: "var(--comment)", border: "0" },
  ".cm-activeLine": { backgroundColor: "color-mix(in srgb, var(--accent) 7%, transparent)" },
  ".cm-activeLineGutter": { backgroundColor: "transparent" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  "&.cm-focused .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent) !important" },
  ".cm-tooltip": { backgroundColor: "var(--card)", color: "var(--ink)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { backgroundColor: "var(--accent-wash)", color: "var(--ink)" },
  ".cm-completionDetail": { fontStyle: "normal", color: "var(--soft)" },
});

/** Offer the words of the deal within a rule. */
function completeRule(context) {
  const rule = ruleAtEnd(context.state.doc.sliceString(0, context.pos));
  if (rule === null) return null;
  const { prefixLength, choices } = findChoices(rule);
  if (!choices.length || (!context.explicit && prefixLength < 1)) return null;
  return {
    from: context.pos - prefixLength,
    options: choices.map(({ word, meaning }) => ({ label: word, detail: meaning })),
    filter: false,
  };
}

export class Editor {
  constructor(container, onChange) {
    this.isShowing = false; // whether a text is shown that the user did not type
    const host = document.createElement("div");
    host.className = "editor";
    container.append(host);
    const root = host.attachShadow({ mode: "open" }); // CodeMirror adopts its style sheets there, as the page's policy demands
    this.view = new EditorView({
      parent: root,
      root,
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          lintGutter(),
          highlightActiveLine(),
          drawSelection(),
          bracketMatching(),
          indentUnit.of("  "),
          StreamLanguage.define(toml),
          syntaxHighlighting(HIGHLIGHT),
          autocompletion({ override: [completeRule], icons: false }),
          keymap.of([...completionKeymap, ...defaultKeymap]),
          EditorView.contentAttributes.of({ "aria-label": "The bet as text, in TOML", id: "source", spellcheck: "false" }),
          EditorView.updateListener.of((update) => update.docChanged && !this.isShowing && onChange(this.text)),
          THEME,
        ],
      }),
    });
  }

  get text() {
    return this.view.state.doc.toString();
  }

  focus() {
    this.view.focus();
  }

  /** Show a text if it is not shown already; only the part that differs is replaced, so that the caret stays. */
  show(text) {
    const previous = this.text;
    if (previous === text) return;
    let start = 0;
    while (start < Math.min(text.length, previous.length) && text[start] === previous[start]) start++;
    let end = 0;
    const maxEnd = Math.min(text.length, previous.length) - start;
    while (end < maxEnd && text[text.length - 1 - end] === previous[previous.length - 1 - end]) end++;
    this.isShowing = true;
    this.view.dispatch({ changes: { from: start, to: previous.length - end, insert: text.slice(start, text.length - end) } });
    this.isShowing = false;
  }

  /** Underline the problems and mark their lines. */
  mark(problems) {
    const { length } = this.view.state.doc;
    const diagnostics = problems.map(({ from, to, text, level }) => ({
      from: Math.min(from, length),
      to: Math.min(Math.max(to, from + 1), length),
      severity: level,
      message: text,
    }));
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Select a range and scroll to it. */
  select({ from, to }) {
    const { length } = this.view.state.doc;
    const selection = { anchor: Math.min(from, length), head: Math.min(to, length) };
    this.view.dispatch({ selection, effects: EditorView.scrollIntoView(selection.anchor, { y: "center" }) });
    this.view.focus();
  }
}
