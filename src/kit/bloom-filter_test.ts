import assert from "node:assert/strict";
import { BloomFilter } from "./bloom-filter.ts";
import { hash64Halves } from "./hash64.ts";

const halves = new Int32Array(2);

function add(filter: BloomFilter, text: string): void {
  hash64Halves(text, halves);
  filter.add(halves[0]!, halves[1]!);
}

function has(filter: BloomFilter, text: string): boolean {
  hash64Halves(text, halves);
  return filter.has(halves[0]!, halves[1]!);
}

/** Fills it and returns the number of keys. */
function fill(filter: BloomFilter): number {
  let count = 0;
  while (!filter.full) add(filter, `key ${count++}`);
  return count;
}

Deno.test("a full filter has every added key and few others", () => {
  for (const bytes of [4096, 65_536, 100_001]) {
    const filter = new BloomFilter(bytes);
    const count = fill(filter);
    for (let i = 0; i < count; i++) assert.ok(has(filter, `key ${i}`));
    let wrong = 0;
    for (let i = 0; i < 20_000; i++) if (has(filter, `other ${i}`)) wrong++;
    assert.ok(wrong < 200, `${wrong} of 20,000 keys that were never added`);
    assert.ok(filter.bytes <= bytes && filter.bytes > bytes - 32, `${filter.bytes} of ${bytes} bytes`);
    assert.ok(count > bytes / 2 && count < bytes, `${count} keys in ${bytes} bytes`);
  }
});

Deno.test("an empty filter has nothing, and adding a key twice does not fill it", () => {
  const filter = new BloomFilter(1);
  assert.equal(filter.bytes, 32);
  assert.equal(has(filter, "a"), false);
  for (let i = 0; i < 1000; i++) add(filter, "a");
  assert.equal(has(filter, "a"), true);
  assert.equal(filter.full, false);
});

Deno.test("halves may be signed or unsigned", () => {
  const filter = new BloomFilter(1024);
  filter.add(-5, -7);
  assert.equal(filter.has(-5 >>> 0, -7 >>> 0), true);
  assert.equal(filter.has(5, 7), false);
});
