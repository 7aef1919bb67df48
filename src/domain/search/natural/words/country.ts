import { countryCode } from "../../../../contract/filter/countries.ts";

/** How people say it in a question, besides the country's name. */
const ALIASES: Readonly<Record<string, string>> = {
  america: "US",
  "the united states": "US",
  "the us": "US",
  england: "GB",
  britain: "GB",
  holland: "NL",
  "the netherlands": "NL",
  american: "US",
  brazilian: "BR",
  british: "GB",
  canadian: "CA",
  chinese: "CN",
  dutch: "NL",
  french: "FR",
  german: "DE",
  indian: "IN",
  iranian: "IR",
  israeli: "IL",
  italian: "IT",
  japanese: "JP",
  "north korean": "KP",
  polish: "PL",
  romanian: "RO",
  russian: "RU",
  spanish: "ES",
  swedish: "SE",
  swiss: "CH",
  turkish: "TR",
  ukrainian: "UA",
  vietnamese: "VN",
};

/** The code of a country by its English name, a usual short form or adjective; null for any other text. */
export function countryByName(name: string): string | null {
  const alias = ALIASES[name];
  if (alias !== undefined) return alias;
  // Codes are words, too: `in`, `is`, `me`.
  return name.length > 2 || name === "uk" || name === "us" ? countryCode(name) : null;
}

/** Longest name, in words. */
export const MAX_COUNTRY_WORDS = 6;
