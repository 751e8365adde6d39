// Rules for the scripts of the page; run `npx eslint reports/studio/page` with ESLint 9 or newer.
export default [
  {
    files: ["**/*.js"],
    ignores: ["**/codemirror.js", "**/codemirror_entry.js"],
    languageOptions: { ecmaVersion: 2023, sourceType: "module" },
    rules: {
      "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
      "no-var": "error",
      "prefer-const": "error",
      "no-shadow": "error",
      "no-fallthrough": "error",
      "no-unreachable": "error",
      "no-dupe-keys": "error",
      "no-self-assign": "error",
      "no-empty": "error",
      eqeqeq: "error",
    },
  },
];
