import assert from "node:assert/strict";
import { every, Random } from "./random.ts";

Deno.test("random: equal seeds give equal streams, and a fork does not depend on what was drawn before", () => {
  const draw = (random: Random) => Array.from({ length: 50 }, () => random.next());
  assert.deepEqual(draw(new Random("a")), draw(new Random("a")));
  assert.notDeepEqual(draw(new Random("a")), draw(new Random("b")));
  const used = new Random("a");
  draw(used);
  assert.deepEqual(draw(used.fork("x")), draw(new Random("a").fork("x")));
});

Deno.test("random: the distributions have the stated centre and spread", () => {
  const random = new Random("distributions");
  const sample = (one: () => number) => Array.from({ length: 20_000 }, one).sort((a, b) => a - b);
  const mean = (list: number[]) => list.reduce((sum, value) => sum + value, 0) / list.length;
  const uniform = sample(() => random.next());
  assert.ok(Math.abs(mean(uniform) - 0.5) < 0.01 && uniform[0]! >= 0 && uniform.at(-1)! < 1);
  const normal = sample(() => random.normal(10, 2));
  assert.ok(Math.abs(mean(normal) - 10) < 0.1);
  assert.ok(Math.abs(Math.sqrt(mean(normal.map((value) => (value - 10) ** 2))) - 2) < 0.1);
  assert.ok(Math.abs(sample(() => random.logNormal(100, 1))[10_000]! - 100) < 5);
  assert.ok(Math.abs(mean(sample(() => random.exponential(7))) - 7) < 0.3);
  const integers = new Set(sample(() => random.int(1, 6)));
  assert.deepEqual([...integers], [1, 2, 3, 4, 5, 6]);
  const ranks = sample(() => random.rank(100));
  assert.ok(ranks[0] === 0 && ranks.at(-1)! <= 99 && ranks[10_000]! < 20, "early ranks are more common");
});

Deno.test("random: times of a schedule stay within its span and its jitter", () => {
  const span = { from: 100, to: 1100, period: 10, jitter: 0.2 };
  const times = [...every(new Random("schedule"), span)];
  assert.ok(times.length >= 98 && times.length <= 100, `${times.length}`);
  for (const time of times) {
    const off = Math.abs(time - 100 - Math.round((time - 100) / 10) * 10);
    assert.ok(time >= 100 && time < 1100 && off <= 2 + 1e-9, `${time}`);
  }
});
