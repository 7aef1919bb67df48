import assert from "node:assert/strict";
import fc from "fast-check";
import { orient, srcIsLow } from "./ends.ts";

const LOW = { ip: "10.0.0.5", port: 50_000 };
const HIGH = { ip: "203.0.113.7", port: 443 };

Deno.test("ends are ordered by numeric address, then by port", () => {
  assert.equal(srcIsLow(LOW, HIGH), true);
  assert.equal(srcIsLow(HIGH, LOW), false);
  assert.equal(srcIsLow({ ip: "9.0.0.1", port: 1 }, { ip: "10.0.0.1", port: 1 }), true, "not as text");
  assert.equal(srcIsLow({ ip: "2001:db8::a", port: 1 }, { ip: "2001:db8::9", port: 1 }), false);
  assert.equal(srcIsLow({ ip: "10.0.0.1", port: 2 }, { ip: "10.0.0.1", port: 1 }), false);
  assert.equal(srcIsLow({ ip: "10.0.0.1", port: null }, { ip: "10.0.0.1", port: null }), true);
});

Deno.test("an observation's own direction survives a change of the flow's direction", () => {
  const octet = fc.integer({ min: 1, max: 254 });
  const end = fc.record({
    ip: fc.tuple(octet, octet).map(([a, b]) => `10.${a}.0.${b}`),
    port: fc.option(fc.integer({ min: 0, max: 65_535 })),
  });
  fc.assert(fc.property(end, end, (src, dst) => {
    fc.pre(src.ip !== dst.ip || src.port !== dst.port);
    const kept = srcIsLow(src, dst);
    fc.pre(kept !== srcIsLow(dst, src));
    assert.deepEqual(orient(src, dst, kept), { src, dst });
    assert.deepEqual(orient(dst, src, kept), { src, dst });
  }));
});
