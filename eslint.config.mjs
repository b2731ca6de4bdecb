import js from "@eslint/js";
import regexp from "eslint-plugin-regexp";
import tseslint from "typescript-eslint";

const NAMES = [
  { selector: "typeLike", format: ["PascalCase"] },
  { selector: ["variableLike", "classProperty", "classMethod", "typeMethod"], format: ["camelCase"] },
  // A schema is named like the type that it describes.
  { selector: "variable", modifiers: ["global", "const"], format: ["camelCase", "UPPER_CASE", "PascalCase"] },
  // Taken out of an object under the name that it has there, such as a field of the wire.
  { selector: ["variable", "parameter"], modifiers: ["destructured"], format: null },
  { selector: "variable", modifiers: ["destructured", "unused"], format: null },
  // Left out on purpose.
  {
    selector: ["variable", "parameter"],
    modifiers: ["unused"],
    format: ["camelCase"],
    leadingUnderscore: "allowSingleOrDouble",
  },
];

export default tseslint.config(
  {
    ignores: [
      "**/dist/",
      ".state/",
      // Pages' examples import the package as readers do; a test of their own compiles them.
      "docs/",
      "coverage/",
      "plugin/server.d.ts",
      "**/node_modules/",
      "examples/python/venv/",
    ],
  },
  js.configs.recommended,
  {
    // Text comes from elsewhere: an expression that backtracks over a long one stops the process.
    files: ["{provider,sdk,cli,emulator,fleet,tools}/**/*.{ts,tsx}"],
    ignores: ["**/*.test.ts"],
    plugins: { regexp },
    rules: {
      "regexp/no-super-linear-backtracking": ["error", { report: "potential" }],
      "regexp/no-super-linear-move": ["error", { report: "potential" }],
    },
  },
  {
    files: ["**/*.ts", "**/*.tsx"],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: {
        project: ["./tsconfig.json", "./examples/*/tsconfig.json"],
        tsconfigRootDir: import.meta.dirname,
      },
    },
    rules: {
      // Parse at the edges instead of asserting: only `as const` is left.
      "@typescript-eslint/consistent-type-assertions": ["error", { assertionStyle: "never" }],
      "@typescript-eslint/no-non-null-assertion": "error",
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true, allowBoolean: true }],
      "@typescript-eslint/no-confusing-void-expression": ["error", { ignoreArrowShorthand: true }],
      "@typescript-eslint/consistent-type-imports": "error",
      // Leaving a key out by destructuring is what the rest is for.
      "@typescript-eslint/no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-restricted-syntax": [
        "error",
        { selector: "ExportDefaultDeclaration", message: "No default exports." },
        { selector: "PrivateIdentifier", message: "Write `private` instead of a # name." },
      ],
      "@typescript-eslint/explicit-member-accessibility": ["error", { accessibility: "no-public" }],
      "@typescript-eslint/no-shadow": "error",
      "@typescript-eslint/naming-convention": ["error", ...NAMES],
    },
  },
  {
    // The properties of these classes are generated, as interfaces: the engine fills them in. A base class would hide the program's line from it.
    files: ["sdk/resources/*.ts"],
    rules: {
      "@typescript-eslint/no-unsafe-declaration-merging": "off",
      "@typescript-eslint/no-empty-object-type": ["error", { allowInterfaces: "with-single-extends" }],
    },
  },
  {
    files: ["**/*.tsx"],
    rules: {
      // A component is a function with the name of an element.
      "@typescript-eslint/naming-convention": [
        "error",
        ...NAMES,
        { selector: "function", format: ["camelCase", "PascalCase"] },
      ],
    },
  },
  {
    files: ["**/*.js", "**/*.cjs"],
    languageOptions: {
      sourceType: "commonjs",
      globals: {
        module: "writable",
        __dirname: "readonly",
        require: "readonly",
        process: "readonly",
        console: "readonly",
        fetch: "readonly",
      },
    },
  },
  {
    files: ["**/*.mjs"],
    languageOptions: { globals: { process: "readonly", console: "readonly", URL: "readonly", setTimeout: "readonly" } },
  },
);
