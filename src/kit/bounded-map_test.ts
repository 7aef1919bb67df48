import assert from "node:assert/strict";
import { BoundedMap } from "./bounded-map.ts";

/** The keys from 0 to 99 that are kept. */
const kept = (map: BoundedMap<number, string>) =>
  Array.from({ length: 100 }, (_, key) => key).filter((key) => map.get(key) !== undefined);

Deno.test("bounded map: the entry that was set longest ago is dropped", () => {
  const map = new BoundedMap<number, string>(3);
  for (const key of [1, 2, 3]) map.set(key, "a");
  map.get(1);
  map.set(2, "b");
  map.set(4, "a");
  assert.deepEqual(kept(map), [2, 3, 4]);
  map.set(5, "a");
  assert.deepEqual(kept(map), [2, 4, 5]);
  assert.equal(map.size, 3);
});

Deno.test("bounded map: an entry that is renewed goes last", () => {
  const map = new BoundedMap<number, string>(2);
  map.set(1, "a");
  map.set(2, "a");
  assert.equal(map.renew(1), "a");
  assert.equal(map.renew(9), undefined);
  map.set(3, "a");
  assert.deepEqual(kept(map), [1, 3]);
});

Deno.test("bounded map: it stays bounded after deletions, after it was emptied, and if it keeps one", () => {
  for (const most of [1, 2, 7]) {
    const map = new BoundedMap<number, string>(most);
    const expected: number[] = [];
    for (let step = 0; step < 500; step++) {
      const key = (step * 37) % 100;
      if (step % 50 === 49) {
        map.clear();
        expected.length = 0;
      }
      if (step % 11 === 3) {
        const last = expected.pop();
        if (last !== undefined) assert.ok(map.delete(last));
      }
      map.set(key, "a");
      if (expected.includes(key)) expected.splice(expected.indexOf(key), 1);
      expected.push(key);
      if (expected.length > most) expected.shift();
      assert.deepEqual(kept(map), [...expected].sort((a, b) => a - b));
    }
  }
});

Deno.test("bounded map: a full one keeps exactly its bound, in whatever order entries are renewed", () => {
  const map = new BoundedMap<number, string>(64);
  for (let key = 0; key < 10_000; key++) {
    map.set(key, "a");
    if (key % 3 === 0) map.renew(key - 40);
    assert.equal(map.size, Math.min(key + 1, 64));
    assert.equal(map.get(key), "a");
  }
});
