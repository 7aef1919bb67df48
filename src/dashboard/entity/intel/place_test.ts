import assert from "node:assert/strict";
import { shortPlace, wholePlace } from "./place.ts";

Deno.test("a location is short or full, without unknown parts", () => {
  const known = { country: "RO", city: "Bucharest", asn: 64500, as_organisation: "Example Networks" };
  assert.equal(shortPlace(known), "RO, Example Networks");
  assert.equal(wholePlace(known), "Bucharest, Romania, AS64500 Example Networks");
  const network = { country: null, city: null, asn: 64500, as_organisation: null };
  assert.equal(shortPlace(network), "AS64500");
  assert.equal(wholePlace(network), "AS64500");
  assert.equal(wholePlace({ country: null, city: null, asn: null, as_organisation: null }), "");
});

Deno.test("an unknown country code is shown as it is", () => {
  assert.equal(
    wholePlace({ country: "not a code", city: null, asn: null, as_organisation: null }),
    "not a code",
  );
});
