import assert from "node:assert/strict";
import { randomUuid, timeUuid } from "./id.ts";

const entropy = Uint8Array.from([0xff, 0x01, 0xff, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09, 0xaa]);

Deno.test("a time identifier is a version 7 UUID of its time and entropy", () => {
  // 1795222923123 ms is 0x1a1fb9fe773.
  assert.equal(timeUuid(1795222923123999, entropy), "01a1fb9f-e773-7f01-bf03-040506070809");
  assert.equal(timeUuid(0, new Uint8Array(10)), "00000000-0000-7000-8000-000000000000");
  assert.notEqual(timeUuid(0, entropy), timeUuid(0, entropy.with(9, 0)));
});

Deno.test("time identifiers sort by time, and any time is accepted", () => {
  const times = [-1e18, 0, 999_999, 1_000_000, 1795222923123000, 1e18];
  const ids = times.map((time) => timeUuid(time, entropy));
  assert.deepEqual([...ids].sort(), ids);
  for (const id of ids) {
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

Deno.test("too little entropy is an error", () => {
  assert.throws(() => timeUuid(0, new Uint8Array(9)), RangeError);
});

Deno.test("random identifiers are version 4 UUIDs", () => {
  assert.match(randomUuid(), /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.notEqual(randomUuid(), randomUuid());
});
