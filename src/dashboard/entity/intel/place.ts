import type { Geo } from "../../../contract/intel/geo.ts";

const regions = new Intl.DisplayNames(["en-GB"], { type: "region", fallback: "code" });

/** The name of a country; an unknown code stays as it is. */
function countryName(code: string): string {
  try {
    return regions.of(code) ?? code;
  } catch {
    return code;
  }
}

/** A short location: `RO, Example Networks`. Empty if unknown. */
export function shortPlace({ country, as_organisation, asn }: Geo): string {
  const network = as_organisation ?? (asn === null ? null : `AS${asn}`);
  return [country, network].filter((part) => part !== null).join(", ");
}

/** The full location: `Bucharest, Romania, AS64500 Example Networks`. */
export function wholePlace({ country, city, asn, as_organisation }: Geo): string {
  const network = [asn === null ? null : `AS${asn}`, as_organisation].filter((part) => part !== null).join(
    " ",
  );
  return [city, country === null ? null : countryName(country), network || null]
    .filter((part) => part !== null).join(", ");
}
