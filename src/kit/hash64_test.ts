import assert from "node:assert/strict";
import { hash64, hash64After } from "./hash64.ts";

Deno.test("hash64 is stable, signed and distinguishes similar texts", () => {
  assert.equal(hash64("CHhAvVGS1DHFjwGM9"), hash64("CHhAvVGS1DHFjwGM9"));
  const seen = new Set<bigint>();
  for (let i = 0; i < 50_000; i++) seen.add(hash64(`zeek-1\n${i}`));
  assert.equal(seen.size, 50_000);
  const values = [...seen];
  assert.ok(values.some((value) => value < 0n) && values.some((value) => value > 0n));
  assert.ok(values.every((value) => value >= -(2n ** 63n) && value < 2n ** 63n));
});

Deno.test("a text after a prefix hashes like both joined", () => {
  const behind = hash64After("tenant ");
  for (const text of ["", "6 10.0.0.1 10.0.0.2 1024 53", "\u{1f600}"]) {
    assert.equal(behind(text), hash64(`tenant ${text}`));
  }
});
