import assert from "node:assert/strict";
import { comparisonOf } from "./comparison.ts";
import {
  addCondition,
  facetValue,
  negatePart,
  partsOf,
  printTop,
  readTop,
  removePart,
  setsTime,
  shownParts,
  windowOfFilter,
  withFacet,
  withoutTime,
} from "./filter-text.ts";

const TEXT = "src.ip:10.0.0.0/8 (dst.port:443 or dst.port:8443) -service:dns";

Deno.test("a filter is shown as the conditions that hold together", () => {
  assert.deepEqual(shownParts(TEXT).map(({ text, negated }) => ({ text, negated })), [
    { text: "src.ip:10.0.0.0/8", negated: false },
    { text: "dst.port:443 or dst.port:8443", negated: false },
    { text: "-service:dns", negated: true },
  ]);
  assert.deepEqual(shownParts("src.ip:10.0.0.0/8").map(({ label }) => label), [
    "source address in 10.0.0.0/8",
  ]);
  assert.deepEqual(shownParts(""), []);
  assert.equal(partsOf("src.ip:"), null);
});

Deno.test("a condition is removed, excluded and included again", () => {
  assert.equal(removePart(TEXT, 1), "src.ip:10.0.0.0/8 -service:dns");
  assert.equal(removePart("proto:udp", 0), "");
  assert.equal(negatePart("proto:udp service:dns", 1), "proto:udp -service:dns");
  assert.equal(negatePart("proto:udp -service:dns", 1), "proto:udp service:dns");
  assert.equal(
    negatePart(TEXT, 1),
    "src.ip:10.0.0.0/8 not (dst.port:443 or dst.port:8443) -service:dns",
  );
});

Deno.test("a value of a list becomes a condition for exactly this value", () => {
  const text = (...[field, value]: Parameters<typeof comparisonOf>) =>
    addCondition("", comparisonOf(field, value)!);
  assert.equal(text("src.ip", "10.0.0.1"), "src.ip:10.0.0.1");
  assert.equal(text("dst.port", 443), "dst.port:443");
  assert.equal(text("server_name", "www.example.com"), "server_name=www.example.com");
  assert.equal(text("user_agent", 'a "b" (c)'), 'user_agent="a \\"b\\" (c)"');
  assert.equal(comparisonOf("dst.port", "none"), null);
});

Deno.test("a condition is added once, in place of its opposite", () => {
  const dns = comparisonOf("service", "dns")!;
  assert.equal(addCondition("proto:udp", dns), "proto:udp service=dns");
  assert.equal(addCondition("service=dns proto:udp", dns), "proto:udp service=dns");
  assert.equal(addCondition("proto:udp service=dns", { not: dns }), "proto:udp -service=dns");
});

Deno.test("a select shows and changes the condition of its field", () => {
  const severity = { field: "severity", op: "matches" } as const;
  assert.equal(facetValue("status:open severity:high", severity), "high");
  assert.equal(facetValue("severity>=high", severity), undefined);
  assert.equal(facetValue("severity:(high, low)", severity), undefined);
  assert.equal(withFacet("status:open severity:high", severity, "low"), "status:open severity:low");
  assert.equal(withFacet("status:open severity:high", severity, undefined), "status:open");
});

Deno.test("the time of a filter is the window of the list", () => {
  const now = Date.parse("2026-11-25T12:00:00Z");
  const context = { now, zone: "Europe/Berlin" };
  assert.equal(windowOfFilter("proto:udp", context), null);
  assert.deepEqual(windowOfFilter("time:yesterday proto:udp", context), {
    from: "2026-11-23T23:00:00.000Z",
    to: "2026-11-24T23:00:00.000Z",
  });
  assert.deepEqual(windowOfFilter("time:-2h", context), {
    from: "2026-11-25T10:00:00.000Z",
    to: "2026-11-25T12:00:00.000Z",
  });
  // Without a beginning, as far back as a list of flows goes.
  assert.deepEqual(windowOfFilter("time<2026-11-02", context), {
    from: "2026-10-02T23:00:00.000Z",
    to: "2026-11-01T23:00:00.000Z",
  });
  assert.deepEqual(windowOfFilter("time:2026-12-24", context), {
    from: "2026-11-25T11:59:59.999Z",
    to: "2026-11-25T12:00:00.000Z",
  });
  assert.equal(setsTime("time:today proto:udp"), true);
  assert.equal(setsTime("time:today or proto:udp"), false);
  assert.equal(withoutTime("time:today proto:udp"), "proto:udp");
});

Deno.test("the ranking of a question is kept in the address", () => {
  for (const bucket of [null, "1h", "1d"] as const) {
    const top = { field: "dst.ip", measure: "src.bytes", limit: 10, bucket } as const;
    assert.deepEqual(readTop(printTop(top)), top);
  }
  assert.deepEqual(readTop(":count:1"), { field: null, measure: "count", limit: 1, bucket: null });
  for (const wrong of [undefined, "", "dst.ip", "none:bytes:10", "dst.ip:bytes:0", "toString:bytes:1"]) {
    assert.equal(readTop(wrong), null);
  }
});
