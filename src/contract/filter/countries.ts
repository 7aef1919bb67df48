// Countries by ISO 3166-1 code and English name.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
/** Names that people use and the runtime's list does not have, and regions that are no countries. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  usa: "US",
  america: "US",
  "united states of america": "US",
  uk: "GB",
  britain: "GB",
  "great britain": "GB",
  england: "GB",
  holland: "NL",
  turkey: "TR",
  "russian federation": "RU",
  "czech republic": "CZ",
  korea: "KR",
  burma: "MM",
  myanmar: "MM",
  "ivory coast": "CI",
  uae: "AE",
  "hong kong": "HK",
  macau: "MO",
  palestine: "PS",
  vatican: "VA",
  congo: "CD",
};
const NO_COUNTRIES = new Set(["EU", "EZ", "UN", "ZZ", "QO", "XA", "XB"]);

let names: Map<string, string> | null = null;
let display: Intl.DisplayNames | null = null;

/** The two-letter code of a code or an English name; null for anything else. */
export function countryCode(text: string): string | null {
  const wanted = folded(text);
  if (/^[a-z]{2}$/.test(wanted)) {
    const code = currentCode(wanted.toUpperCase());
    return countryNames().has(code.toLowerCase()) ? code : null;
  }
  return countryNames().get(wanted) ?? null;
}

export function countryName(code: string): string {
  return displayNames().of(code) ?? code;
}

/** Every country in English and its code, by name; for completion. */
export function countries(): { code: string; name: string }[] {
  return [...countryNames()].filter(([key]) => /^[a-z]{2}$/.test(key) && key !== "uk")
    .map(([, code]) => ({ code, name: countryName(code) }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

/** Codes and names in lower case, without accents, each with its code. */
function countryNames(): Map<string, string> {
  if (names !== null) return names;
  names = new Map(Object.entries(OTHER_NAMES));
  for (const first of LETTERS) {
    for (const second of LETTERS) {
      const code = first + second;
      const name = displayNames().of(code);
      if (name === undefined || name === code || NO_COUNTRIES.has(code) || currentCode(code) !== code) {
        continue;
      }
      names.set(code.toLowerCase(), code);
      names.set(folded(name), code);
    }
  }
  return names;
}

function displayNames(): Intl.DisplayNames {
  return display ??= new Intl.DisplayNames("en", { type: "region", fallback: "code" });
}

/** `GB` for `UK`, `DE` for `DD`: the code of today for one that was replaced. */
function currentCode(code: string): string {
  return new Intl.Locale(`und-${code}`).region ?? code;
}

function folded(text: string): string {
  return text.trim().toLowerCase().normalize("NFD").replace(/\p{Mn}/gu, "").replaceAll("&", "and")
    .replace(/\s+/g, " ");
}
