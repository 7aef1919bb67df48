import { JsonScanner } from "./json-scanner.ts";

/**
 * The canonical text of a JSON text: the same for every spelling of one value, different for different values.
 * Object keys are sorted by Unicode code point, there is no insignificant white space, strings escape only
 * `"`, `\` and control characters (`\b \t \n \f \r`, else `\u00xx`), and numbers are written by their exact
 * decimal value as `canonicalNumber` (json-number.ts) describes: `1`, `1.0` and `1e0` are one value.
 * Throws JsonError as `parseJson` does.
 */
export function canonicalJson(text: string): string {
  return new JsonScanner(text).canonical();
}
