import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { type BlockRecord, decodeBlock, decodeRecords, encodeBlock } from "./block.ts";

function record(payload: string): BlockRecord {
  return {
    eventId: new Uint8Array(createHash("sha256").update(payload).digest()),
    kind: "zeek.conn",
    observedAtText: "2026-01-31T12:00:00.123456789Z",
    payload,
  };
}

const PAYLOADS = [
  '{"n":12345678901234567890, "e": 1.50, "t":"a\\tb\\u0000"}',
  '{ "tab":\t"inside of the line" , "é😀\u2028": null }\r',
  "{}",
  `{"long":"${"x".repeat(100_000)}"}`,
];

Deno.test("a block returns every record byte for byte", () => {
  const records = PAYLOADS.map(record);
  assert.deepEqual(decodeBlock(encodeBlock(records)), records);
});

Deno.test("any one-line texts round-trip", () => {
  const line = fc.string({ unit: "binary" }).filter((text) => !text.includes("\n") && text.isWellFormed());
  fc.assert(fc.property(fc.array(line, { minLength: 1, maxLength: 8 }), (payloads) => {
    const records = payloads.map(record);
    assert.deepEqual(decodeBlock(encodeBlock(records)), records);
  }));
});

Deno.test("single records can be read without the others", () => {
  const records = PAYLOADS.map(record);
  const found = decodeRecords(encodeBlock(records), [3, 0, 3]);
  assert.deepEqual([...found].sort(([a], [b]) => a - b), [[0, records[0]], [3, records[3]]]);
  assert.equal(found.get(0)!.eventId.buffer.byteLength, 32, "it does not retain the block");
  assert.throws(() => decodeRecords(encodeBlock(records), [4]), /lacks/);
});

Deno.test("a block is a standard zstd frame", () => {
  assert.deepEqual([...encodeBlock([record("{}")]).subarray(0, 4)], [0x28, 0xb5, 0x2f, 0xfd]);
});

Deno.test("damage never changes a record", () => {
  const records = Array.from({ length: 200 }, (_, i) => record(`{"number":${i * 7919}}`));
  const body = encodeBlock(records);
  let unnoticed = 0;
  for (let at = 0; at < body.length; at += 13) {
    const damaged = new Uint8Array(body);
    damaged[at]! ^= 0x10;
    try {
      assert.deepEqual(decodeBlock(damaged), records, `byte ${at}`);
      unnoticed++;
    } catch (error) {
      assert.ok(!(error instanceof assert.AssertionError), String(error));
      assert.throws(() => decodeRecords(damaged, [0]), `byte ${at}`);
    }
  }
  // A frame has a few unused bits.
  assert.ok(unnoticed < 5, `${unnoticed} flips undetected`);
});

Deno.test("a truncated block, or other bytes, are an error", () => {
  const body = new Uint8Array(encodeBlock(PAYLOADS.map(record)));
  // Without its last four bytes, the checksum, the block is still complete.
  for (const length of [0, 3, 10, Math.floor(body.length / 2), body.length - 5]) {
    assert.throws(() => decodeBlock(body.subarray(0, length)), Error, `${length} bytes`);
    assert.throws(() => decodeRecords(body.subarray(0, length), [0]), Error, `${length} bytes`);
  }
  assert.throws(() => decodeBlock(new TextEncoder().encode("not a block")));
});
