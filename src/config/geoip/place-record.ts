// A record of a GeoIP or ASN database, of any publisher: MaxMind (GeoLite2, GeoIP2), DB-IP and
// IP2Location nest it, IPinfo, IPLocate and others have it flat.

/** Location of an address. */
export interface Place {
  /** ISO 3166-1 alpha-2. */
  country: string | null;
  /** In English. */
  city: string | null;
  /** Degrees; both or none. */
  latitude: number | null;
  longitude: number | null;
}

/** The network that announces an address. */
export interface Network {
  asn: number;
  organisation: string | null;
}

const MAX_NAME = 128;
/** Publishers' values for an unknown country. */
const NO_COUNTRY = /^(ZZ|XX|--)$/;

/** The place of a record, or null if it has none. */
export function placeOf(record: unknown): Place | null {
  const city = nameOf(member(record, "city"));
  const country = countryOf(record);
  const coordinates = coordinatesOf(member(record, "location")) ?? coordinatesOf(record);
  if (country === null && city === null && coordinates === null) return null;
  return { country, city, ...(coordinates ?? { latitude: null, longitude: null }) };
}

/** The autonomous system of a record, or null if it has none. */
export function networkOf(record: unknown): Network | null {
  const traits = member(record, "traits");
  for (const part of [record, traits, member(record, "as"), member(record, "asn")]) {
    const asn = asnOf(member(part, "autonomous_system_number")) ?? asnOf(member(part, "asn")) ??
      asnOf(member(part, "as_number"));
    if (asn !== null) return { asn, organisation: organisationOf(part) };
  }
  return null;
}

/** The country of an address, as opposed to that of its owner's registration. */
function countryOf(record: unknown): string | null {
  const country = member(record, "country");
  // A table of networks (IPinfo ASN, IPLocate ASN): `name` and country are the network's.
  if (asnOf(member(record, "asn")) !== null && member(record, "name") !== undefined) return null;
  return codeOf(member(country, "iso_code")) ?? codeOf(member(record, "country_code")) ?? codeOf(country);
}

function codeOf(value: unknown): string | null {
  if (typeof value !== "string" || !/^[A-Za-z]{2}$/.test(value)) return null;
  const code = value.toUpperCase();
  return NO_COUNTRY.test(code) ? null : code;
}

function coordinatesOf(part: unknown): { latitude: number; longitude: number } | null {
  const latitude = degrees(member(part, "latitude") ?? member(part, "lat"), 90);
  const longitude = degrees(member(part, "longitude") ?? member(part, "lng") ?? member(part, "lon"), 180);
  if (latitude === null || longitude === null) return null;
  // A placeholder at 0, 0.
  return latitude === 0 && longitude === 0 ? null : { latitude, longitude };
}

/** A number, or one written as text, as by IPinfo. */
function degrees(value: unknown, most: number): number | null {
  const number = typeof value === "string" && /^-?\d{1,3}(\.\d{1,12})?$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Math.abs(number) <= most ? number : null;
}

/** `15169` or `AS15169`. */
function asnOf(value: unknown): number | null {
  const number = typeof value === "string" && /^(AS)?\d{1,10}$/i.test(value)
    ? Number(value.replace(/^AS/i, ""))
    : value;
  return typeof number === "number" && Number.isInteger(number) && number > 0 && number <= 0xffffffff
    ? number
    : null;
}

function organisationOf(part: unknown): string | null {
  for (const name of ["autonomous_system_organization", "as_name", "name", "org", "organization"]) {
    const text = textOf(member(part, name));
    if (text !== null) return text;
  }
  return null;
}

/** A name as it is, or the English one of several. */
function nameOf(value: unknown): string | null {
  return textOf(value) ?? textOf(member(member(value, "names"), "en"));
}

function textOf(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const text = value.replaceAll("\0", "").slice(0, MAX_NAME).toWellFormed().trim();
  return text === "" || text === "-" ? null : text;
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return Reflect.get(value, name);
}
