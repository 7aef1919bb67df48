import assert from "node:assert/strict";
import fc from "fast-check";
import { TokenBucket } from "./token-bucket.ts";

function bucketAt(ratePerSecond: number, burst: number) {
  const time = { micros: 0 };
  return { time, bucket: new TokenBucket({ ratePerSecond, burst, now: () => time.micros }) };
}

Deno.test("a bucket grants its burst, then its rate", () => {
  const { time, bucket } = bucketAt(10, 100);
  assert.equal(bucket.take(100), 0);
  assert.equal(bucket.take(1), 0.1);
  time.micros = 50_000;
  assert.equal(bucket.take(1), 0.05);
  time.micros = 100_000;
  assert.equal(bucket.take(1), 0);
  assert.equal(bucket.take(5), 0.5);
  time.micros = 3600e6;
  assert.equal(bucket.take(100), 0);
  assert.ok(bucket.take(1) > 0);
});

Deno.test("a refused request takes nothing", () => {
  const { bucket } = bucketAt(1, 10);
  assert.equal(bucket.take(8), 0);
  assert.equal(bucket.take(5), 3);
  assert.equal(bucket.take(2), 0);
});

Deno.test("a request above the burst is granted by a full bucket, which then owes", () => {
  const { time, bucket } = bucketAt(10, 10);
  assert.equal(bucket.take(30), 0);
  assert.equal(bucket.take(1), 2.1);
  assert.equal(bucket.take(30), 3);
  time.micros = 3e6;
  assert.equal(bucket.take(30), 0);
});

Deno.test("a clock that steps back neither grants nor drains", () => {
  const { time, bucket } = bucketAt(1, 2);
  time.micros = 10e6;
  assert.equal(bucket.take(2), 0);
  time.micros = 5e6;
  assert.equal(bucket.take(1), 1);
  time.micros = 6e6;
  assert.equal(bucket.take(1), 0);
});

Deno.test("waiting as long as requested is enough, and the rate is never exceeded", () => {
  const requests = fc.array(
    fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 3_000_000 })),
  );
  fc.assert(fc.property(requests, (requests) => {
    const { time, bucket } = bucketAt(7, 20);
    let granted = 0;
    for (const [n, pause] of requests) {
      time.micros += pause;
      const wait = bucket.take(n);
      if (wait > 0) {
        time.micros += Math.ceil(wait * 1e6);
        assert.equal(bucket.take(n), 0);
      }
      granted += n;
      assert.ok(granted <= 20 + 7 * time.micros / 1e6 + 1e-6);
    }
  }));
});

Deno.test("a bucket without rate or burst is an error", () => {
  for (const [ratePerSecond, burst] of [[0, 1], [1, 0], [-1, 1], [NaN, 1]] as const) {
    assert.throws(() => new TokenBucket({ ratePerSecond, burst, now: () => 0 }), RangeError);
  }
});

Deno.test("token bucket: work that is charged afterwards delays even a request for nothing", () => {
  let now = 0;
  const bucket = new TokenBucket({ ratePerSecond: 10, burst: 20, now: () => now });
  bucket.charge(50);
  assert.equal(bucket.take(0), 3);
  now = 3_000_000;
  assert.equal(bucket.take(0), 0);
});
