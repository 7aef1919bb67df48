import { JsonScanner } from "../../../src/kit/json/json-scanner.ts";

/**
 * The canonical text of a JSON text: equal for all spellings of one value, different for different values.
 * Object keys are sorted by Unicode code point, without insignificant white space; strings escape only `"`,
 * `\` and control characters (`\b \t \n \f \r`, else `\u00xx`); numbers are written by their exact decimal
 * value as `canonicalNumber` (json-number.ts) describes: `1`, `1.0` and `1e0` are one value. Throws JsonError
 * like `parseJson`.
 */
export function canonicalJson(text: string): string {
  return new JsonScanner(text).canonical();
}
