// Entry of the editor bundle reports/studio/page/codemirror.js. To build it again:
//   npm install esbuild@0.28 @codemirror/state@6 @codemirror/view@6 @codemirror/language@6 @codemirror/commands@6 \
//     @codemirror/autocomplete@6 @codemirror/lint@6 @codemirror/legacy-modes@6 @lezer/highlight@1
//   npx esbuild codemirror_entry.js --bundle --format=esm --minify --legal-comments=none --outfile=codemirror.js
export { EditorState, StateEffect } from "@codemirror/state";
export { EditorView, keymap, lineNumbers, highlightActiveLine, drawSelection } from "@codemirror/view";
export { StreamLanguage, HighlightStyle, syntaxHighlighting, bracketMatching, indentUnit } from "@codemirror/language";
export { defaultKeymap, insertNewlineAndIndent } from "@codemirror/commands";
export { autocompletion, completionKeymap, startCompletion } from "@codemirror/autocomplete";
export { setDiagnostics, lintGutter } from "@codemirror/lint";
export { toml } from "@codemirror/legacy-modes/mode/toml";
export { tags } from "@lezer/highlight";
