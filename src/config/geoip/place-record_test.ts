import assert from "node:assert/strict";
import fc from "fast-check";
import { networkOf, placeOf } from "./place-record.ts";

const NAMED = { names: { de: "Mountain View (de)", en: "Mountain View" } };
const US = { geoname_id: 6252001, iso_code: "US", names: { en: "United States" } };
const COORDINATES = { latitude: 37.386, longitude: -122.0838 };
const PLACE = { country: "US", city: "Mountain View", ...COORDINATES };
const GOOGLE = { asn: 15169, organisation: "Google LLC" };

Deno.test("the place of a record, as each publisher writes it", () => {
  const layouts: Record<string, unknown> = {
    "GeoLite2 City, DB-IP City, IP2Location": {
      city: NAMED,
      country: US,
      location: { ...COORDINATES, time_zone: "x" },
    },
    "IPinfo, standard": {
      city: "Mountain View",
      country: "US",
      lat: "37.386",
      lng: "-122.0838",
      region: "California",
    },
    "IPinfo, plus": { city: "Mountain View", country: "United States", country_code: "US", ...COORDINATES },
    "flat, as ip-location-db": { city: "Mountain View", country_code: "US", ...COORDINATES },
  };
  for (const [publisher, record] of Object.entries(layouts)) {
    assert.deepEqual(placeOf(record), PLACE, publisher);
  }
  const countryOnly = { country: "US", city: null, latitude: null, longitude: null };
  assert.deepEqual(placeOf({ country: US, registered_country: { iso_code: "DE" } }), countryOnly);
  assert.deepEqual(placeOf({ country: "United States", country_code: "us", asn: "AS15169" }), countryOnly);
  assert.deepEqual(placeOf({ country: "US", country_name: "United States", continent: "NA" }), countryOnly);
});

Deno.test("the network of a record, as each publisher writes it", () => {
  const layouts: Record<string, unknown> = {
    "GeoLite2 ASN, DB-IP ASN": {
      autonomous_system_number: 15169,
      autonomous_system_organization: "Google LLC",
    },
    "GeoIP2 Enterprise, DB-IP ISP": {
      country: US,
      traits: { autonomous_system_number: 15169, autonomous_system_organization: "Google LLC" },
    },
    "IPinfo Lite": {
      country: "United States",
      country_code: "US",
      asn: "AS15169",
      as_name: "Google LLC",
      as_domain: "google.com",
    },
    "IPinfo ASN": { asn: "AS15169", name: "Google LLC", domain: "google.com", route: "8.8.8.0/24" },
    "nested": { as: { asn: 15169, name: "Google LLC" } },
  };
  for (const [publisher, record] of Object.entries(layouts)) {
    assert.deepEqual(networkOf(record), GOOGLE, publisher);
  }
  assert.deepEqual(networkOf({ asn: "64500" }), { asn: 64500, organisation: null });
});

Deno.test("records without information give nothing", () => {
  for (
    const record of [null, undefined, 1, "x", [], {}, { country: "ZZ" }, { country: { iso_code: "XX" } }, {
      city: { names: {} },
    }]
  ) {
    assert.equal(placeOf(record), null);
    assert.equal(networkOf(record), null);
  }
  assert.equal(placeOf({ asn: "AS15169", name: "Google LLC", country: "US", route: "8.8.8.0/24" }), null);
  // A registration is no location; coordinates of 0, 0 are a placeholder.
  assert.equal(placeOf({ registered_country: { iso_code: "AU" } }), null);
  assert.equal(placeOf({ location: { latitude: 0, longitude: 0 } }), null);
  assert.equal(placeOf({ location: { latitude: 91, longitude: 5 } }), null);
  assert.equal(placeOf({ location: { latitude: 5 } }), null);
  assert.equal(networkOf({ asn: "AS0" }), null);
  assert.equal(networkOf({ asn: 4294967296 }), null);
  assert.equal(networkOf({ asn: "", name: "nobody" }), null);
});

Deno.test("no record makes the reader throw", () => {
  const names = [
    "city",
    "country",
    "iso_code",
    "names",
    "en",
    "location",
    "latitude",
    "longitude",
    "asn",
    "traits",
    "as",
    "name",
  ];
  const { record } = fc.letrec((tie) => ({
    record: fc.oneof(
      { maxDepth: 4 },
      fc.string({ unit: "binary" }),
      fc.double(),
      fc.constantFrom(null, true, 15169, "AS15169", "US", "37.5"),
      fc.dictionary(fc.constantFrom(...names), tie("record")),
    ),
  }));
  fc.assert(fc.property(record, (value) => {
    const place = placeOf(value);
    assert.equal(place === null || place.latitude === null, place === null || place.longitude === null);
    const network = networkOf(value);
    assert.ok(network === null || network.asn > 0);
  }));
});
