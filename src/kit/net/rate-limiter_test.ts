import assert from "node:assert/strict";
import { RateLimiter } from "./rate-limiter.ts";

Deno.test("rate limiter: each key has its own burst, and its own wait", () => {
  let now = 0;
  const limiter = new RateLimiter({ perSecond: 2, burst: 3 }, () => now);
  for (let i = 0; i < 3; i++) assert.equal(limiter.take("a"), 0);
  assert.equal(limiter.take("a"), 0.5);
  assert.equal(limiter.take("b"), 0);
  now += 500_000;
  assert.equal(limiter.take("a"), 0);
  assert.ok(limiter.take("a") > 0);
});

Deno.test("rate limiter: many keys stay within the bound, and the busy one is kept", () => {
  const limiter = new RateLimiter({ perSecond: 1, burst: 2 }, () => 0, 100);
  assert.equal(limiter.take("busy"), 0);
  assert.equal(limiter.take("busy"), 0);
  for (let i = 0; i < 10_000; i++) {
    limiter.take(`other ${i}`);
    if (i % 50 === 0) assert.ok(limiter.take("busy") > 0, "a key in use is not evicted");
  }
  assert.equal(limiter.size, 100);
});
