import assert from "node:assert/strict";
import { type SuggestedFor, suggestPatterns } from "./suppression-suggestions.ts";

const DEVICE = "0190b2c3-0000-7000-8000-000000000001";
const OTHER = "0190b2c3-0000-7000-8000-000000000002";

function result(modelId: string, more: Partial<SuggestedFor> = {}): SuggestedFor {
  return {
    modelId,
    deviceId: DEVICE,
    destinations: [{ ip: "198.51.100.7", name: "cdn.example.com", port: 443 }],
    ...more,
  };
}

Deno.test("suggestions: what a single result names, then its detector on the device", () => {
  assert.deepEqual(suggestPatterns([result("beacon")]), [
    { source: DEVICE, destination: "cdn.example.com", port: 443, detector: "beacon" },
    { source: DEVICE, destination: null, port: null, detector: "beacon" },
  ]);
});

Deno.test("suggestions: several detectors share the device and the destination", () => {
  assert.deepEqual(suggestPatterns([result("beacon"), result("tls-anomaly")])[0], {
    source: DEVICE,
    destination: "cdn.example.com",
    port: 443,
    detector: null,
  });
});

Deno.test("suggestions: with only the device in common, one for each detector", () => {
  const elsewhere = [{ ip: "203.0.113.9", name: null, port: 22 }];
  const found = suggestPatterns([result("beacon"), result("scan", { destinations: elsewhere })]);
  assert.ok(found.every(({ detector }) => detector !== null));
  assert.deepEqual(found.map(({ detector, destination }) => [detector, destination]), [
    ["beacon", "cdn.example.com"],
    ["scan", "203.0.113.9"],
    ["beacon", null],
    ["scan", null],
  ]);
});

Deno.test("suggestions: a name that no pattern may have falls back to the address", () => {
  const destinations = [{ ip: "198.51.100.7", name: "co.uk", port: 443 }];
  assert.equal(suggestPatterns([result("beacon", { destinations })])[0]!.destination, "198.51.100.7");
  const upper = [{ ip: "198.51.100.7", name: "CDN.Example.COM.", port: 443 }];
  assert.equal(
    suggestPatterns([result("beacon", { destinations: upper })])[0]!.destination,
    "cdn.example.com",
  );
});

Deno.test("suggestions: nothing in common, nothing to suggest", () => {
  const apart = [
    result("beacon", { destinations: [] }),
    result("beacon", { deviceId: OTHER, destinations: [] }),
    result("scan", { deviceId: null, destinations: [] }),
  ];
  assert.deepEqual(suggestPatterns(apart), []);
  assert.deepEqual(suggestPatterns([]), []);
});
