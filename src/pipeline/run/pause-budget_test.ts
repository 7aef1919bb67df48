import assert from "node:assert/strict";
import { Courtesy } from "./courtesy.ts";

const SECOND = 1_000_000;

/** Milliseconds for which it gives way to senders that never stop, asked every 25 ms of `seconds`. */
function waited(courtesy: Courtesy, from: number, seconds: number): number {
  let sum = 0;
  for (let at = 0; at < seconds * 40; at++) if (courtesy.take(25, from + at * 25_000)) sum += 25;
  return sum;
}

Deno.test("a burst of ten seconds goes first", () => {
  assert.equal(waited(new Courtesy(), 0, 10), 10_000);
});

Deno.test("senders that never stop hold the pipeline up for ten seconds, and then hardly ever", () => {
  const courtesy = new Courtesy();
  waited(courtesy, 0, 12);
  const later = waited(courtesy, 12 * SECOND, 60);
  assert.ok(later > 500 && later < 2_000, `${later} ms of 60 s`);
});

Deno.test("when they have been still for long, the next burst goes first again", () => {
  const courtesy = new Courtesy();
  waited(courtesy, 0, 12);
  assert.equal(waited(courtesy, 600 * SECOND, 10), 10_000);
});

Deno.test("a clock that is set back gives nothing and takes nothing", () => {
  const courtesy = new Courtesy();
  waited(courtesy, 100 * SECOND, 12);
  assert.equal(courtesy.take(1_000, 0), false);
});
