import assert from "node:assert/strict";
import fc from "fast-check";
import { type Importance, importanceOf, MAX_IMPORTANCE, ORDINARY } from "./importance.ts";
import { DAY, T0 } from "../../../test/support/domain/incident-fixtures.ts";
import { KINDS } from "../detect/registry.ts";
import { incidentScore, MAX_CORROBORATION } from "./score.ts";

function score(modelScores: Record<string, number>, importance: Importance = ORDINARY, days = 0): number {
  return incidentScore({ modelScores, importance, firstSeen: T0, lastSeen: T0 + days * DAY }).score;
}

Deno.test("score: a single model keeps its score; another kind adds half of its probability", () => {
  assert.equal(score({ beacon: 64.8 }), 64.8);
  assert.equal(score({ beacon: 60, exfiltration: 60 }), 72);
  assert.equal(score({ beacon: 70, exfiltration: 70 }), 80.5);
  assert.equal(score({}), 0);
});

Deno.test("score: one observation found by two models counts once", () => {
  assert.equal(score({ beacon: 60, "beacon-name": 58, "long-connection": 40 }), 60);
  assert.equal(score({ "tls-rarity": 30, certificate: 30 }), 30);
});

Deno.test("score: many weak results do not make a catastrophe", () => {
  const low = {
    beacon: 39,
    scan: 39,
    certificate: 39,
    "new-device": 39,
    dga: 39,
    exfiltration: 39,
    other: 39,
  };
  assert.equal(score(low), 39 + MAX_CORROBORATION);
  assert.ok(score({ beacon: 45, scan: 45, certificate: 45, dga: 45, exfiltration: 45, other: 45 }) < 80);
});

Deno.test("score: importance is a bounded share of the evidence", () => {
  const of = (owner: string | null, ...tags: string[]) => importanceOf("ws-7", { owner, tags });
  assert.deepEqual(of(null), ORDINARY);
  assert.deepEqual(of("  ", "printer"), ORDINARY);
  assert.deepEqual(of("ana"), { share: 0.05, why: "ws-7 has an owner" });
  assert.deepEqual(of("ana", "Domain_Controller", "server"), {
    share: 0.25,
    why: "ws-7 is tagged domain-controller",
  });
  assert.equal(score({ beacon: 20 }, of(null, "critical")), 25);
  assert.equal(score({ beacon: 60 }, of(null, "critical")), 75);
  assert.equal(score({ beacon: 80 }, of(null, "critical")), 80 + MAX_IMPORTANCE);
  assert.equal(score({ beacon: 99 }, of(null, "critical")), 100);
});

Deno.test("score: duration raises it a little, in two steps", () => {
  assert.deepEqual([0, 0.9, 1, 2.9, 3, 30, 20_000].map((days) => score({ beacon: 50 }, ORDINARY, days)), [
    50,
    50,
    52,
    52,
    55,
    55,
    55,
  ]);
});

Deno.test("score: neither duration nor results below an incident's threshold raise the severity", () => {
  // A badge reader that polls its maker for months, beside an hour that looked unusual while learning.
  assert.equal(score({ beacon: 39 }, ORDINARY, 30), 39.9);
  assert.equal(score({ beacon: 39, exfiltration: 19 }, ORDINARY, 30), 39.9);
  assert.equal(score({ beacon: 50, "sensor-anomaly": 13 }), 53.3);
  assert.equal(score({ beacon: 59.5, "sensor-anomaly": 13 }, ORDINARY, 5), 59.9);
  // A result that would open an incident does.
  assert.ok(score({ beacon: 39, exfiltration: 20 }) > 44);
});

Deno.test("score: more results, higher scores, importance and time never lower it, and its parts add up", () => {
  const tenths = fc.integer({ min: 0, max: 1000 }).map((value) => value / 10);
  const models = fc.constantFrom(...KINDS.keys(), "exfiltration", "threat-intel", "lateral-movement");
  const importance = fc.constantFrom(0, 0.05, 0.1, 0.25).map((share) => ({ share, why: "tag" }));
  fc.assert(
    fc.property(
      fc.dictionary(models, tenths),
      models,
      tenths,
      importance,
      fc.nat(9),
      (all, model, more, who, days) => {
        const base = score(all, who, days);
        assert.ok(base <= 100 && base >= Math.max(0, ...Object.values(all)));
        assert.ok(score({ ...all, [model]: Math.max(all[model] ?? 0, more) }, who, days) >= base);
        assert.ok(score(all, { share: who.share + 0.1, why: "" }, days) >= base);
        assert.ok(score(all, who, days + 1) >= base);
        const { parts } = incidentScore({
          modelScores: all,
          importance: who,
          firstSeen: T0,
          lastSeen: T0 + days * DAY,
        });
        assert.ok(Math.abs(parts.reduce((sum, { value, weight }) => sum + value * weight, 0) - base) < 0.05);
      },
    ),
  );
});
