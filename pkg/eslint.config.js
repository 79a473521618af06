import tseslint from "typescript-eslint";

export default tseslint.config(
  { ignores: ["dist/", "wasm/", "playground/dist/", "node_modules/"] },
  ...tseslint.configs.strict,
  ...tseslint.configs.stylistic,
  {
    rules: {
      // What is taken out of an object to leave it behind has a name that starts so.
      "@typescript-eslint/no-unused-vars": ["error", { varsIgnorePattern: "^_", argsIgnorePattern: "^_" }],
      // The base of classes in the page: constructing them is what starts it.
      "no-new": "off",
      "@typescript-eslint/no-empty-function": ["error", { allow: ["arrowFunctions"] }],
      eqeqeq: "error",
      "prefer-const": "error",
    },
  },
);
