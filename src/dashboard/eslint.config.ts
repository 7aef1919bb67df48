import parser from "@typescript-eslint/parser";
import hooks from "eslint-plugin-react-hooks";

/** React's rules of hooks, which `deno lint` does not know. All other rules are those of `deno lint`. */
export default [{
  files: ["**/*.ts", "**/*.tsx"],
  languageOptions: { parser },
  // Dependencies are named, not silenced.
  linterOptions: { noInlineConfig: true },
  plugins: { "react-hooks": hooks },
  rules: { "react-hooks/rules-of-hooks": "error", "react-hooks/exhaustive-deps": "error" },
}];
