import assert from "node:assert/strict";
import fc from "fast-check";
import { MAIL, MASS_MAIL_DETECTOR } from "./detector.ts";
import { playSeen as play, type Seen, sumOf, times } from "../../../../test/support/detect/play-fixtures.ts";

const PORTS = [25, 465, 587];

function mails(count: number, step: number, more: Partial<Seen> = {}): Seen[] {
  return times(count, (index) => ({
    at: index * step,
    dst: `198.51.${index >> 8}.${index & 255} ${PORTS[index % 3]}`,
    out: [900, 12],
    in: index % 3 ? [0, 0] : [700, 10],
    ...more,
  }));
}

Deno.test("mass mail: a spam bot is reported whether servers answer or not", () => {
  const { best, results } = play(MASS_MAIL_DETECTOR, mails(247, 5), { names: { "10.0.0.5": "ws-5" } });
  assert.equal(best!.title, "ws-5 contacts many mail servers outside, like a spam bot");
  assert.ok(best!.score >= 60, String(best!.score));
  assert.equal(sumOf(best!), best!.score);
  assert.ok(results.length <= 8);
  for (const [at, result] of results.entries()) if (at > 0) assert.ok(result.score > results[at - 1]!.score);
});

Deno.test("mass mail: a slow spam bot is found by the daily threshold", () => {
  assert.ok(play(MASS_MAIL_DETECTOR, mails(60, 1200)).best!.score >= 40);
});

Deno.test("mass mail: mail programs and mail servers are not reported", () => {
  assert.equal(play(MASS_MAIL_DETECTOR, mails(12, 60)).best, null, "a provider with a dozen addresses");
  const same = times(
    500,
    (index) => ({ at: index, dst: "198.51.100.1 587", out: [900, 12], in: [900, 9] }) as Seen,
  );
  assert.equal(play(MASS_MAIL_DETECTOR, same).best, null);
  const taken: Seen = { at: -10, src: "10.0.0.77 50000", dst: "10.0.0.5 25", out: [900, 12], in: [700, 10] };
  assert.equal(play(MASS_MAIL_DETECTOR, [taken, ...mails(247, 5)]).best, null, "accepts mail itself");
  const probed: Seen = { ...taken, in: [0, 1] };
  assert.ok(
    play(MASS_MAIL_DETECTOR, [probed, ...mails(247, 5)]).best !== null,
    "only a failed attempt to deliver to it",
  );
  assert.equal(play(MASS_MAIL_DETECTOR, mails(247, 5), { types: { "10.0.0.5": "mail_server" } }).best, null);
  assert.equal(
    play(MASS_MAIL_DETECTOR, mails(247, 5, { src: "203.0.113.9 50000" })).best,
    null,
    "not a device",
  );
});

Deno.test("mass mail: results do not depend on batches, and hostile input uses bounded space", () => {
  const seen = mails(300, 3);
  const whole = play(MASS_MAIL_DETECTOR, seen);
  for (const round of [1, 13]) {
    assert.deepEqual(play(MASS_MAIL_DETECTOR, seen, {}, round).results, whole.results);
  }
  for (const bytes of whole.states.values()) assert.deepEqual(MAIL.encode(MAIL.decode(bytes)), bytes);
  assert.throws(() => MAIL.decode(new Uint8Array([7, 0, 1, 0])), RangeError);
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          at: fc.oneof(fc.integer({ min: 0, max: 100_000 }), fc.constantFrom(-2e9, 6e9)),
          dst: fc.tuple(fc.ipV4(), fc.constantFrom(...PORTS)).map(([ip, port]) => `${ip} ${port}`),
          out: fc.constantFrom<[number | null, number | null]>([null, null], [0, 1], [9e15, 3]),
        }),
        { maxLength: 100 },
      ),
      (any) => {
        for (const bytes of play(MASS_MAIL_DETECTOR, any).states.values()) assert.ok(bytes.length < 900);
      },
    ),
    { numRuns: 50 },
  );
});
