import assert from "node:assert/strict";
import { firstSeen, type Observed, ruleFaults } from "./delivery-rules.ts";

const RULES = { retryDelay: 4, jitter: 0.5, slack: 5 };

/** Requests as `id verdict gap`, all from one process lifetime unless a line reads `killed`. */
function observed(...lines: string[]): Observed[] {
  let at = 1000;
  let life = 0;
  return lines.flatMap((line, index) => {
    const [id = "", verdict = "", gap = "0"] = line.split(" ");
    if (id === "killed") {
      life++;
      return [];
    }
    at += Number(gap);
    assert.ok(verdict === "taken" || verdict === "failed" || verdict === "limited");
    return [{
      id,
      delivery: `delivery-${index}`,
      at,
      verdict,
      retryAfter: verdict === "limited" ? 45 : 0,
      life,
    }];
  });
}

Deno.test("a delivery that keeps the rules has no violations", () => {
  const kept = observed(
    ...[
      "a taken",
      "b failed",
      "b failed 4",
      "b taken 9",
      "c failed",
      "c failed 5",
      "c failed 8",
      "c taken 30",
    ],
    ...[
      "d limited",
      "d failed 45",
      "d failed 6",
      "killed",
      "d failed",
      "d taken 4",
      "killed",
      "d taken",
      "e taken",
    ],
  );
  assert.deepEqual(ruleFaults(kept, RULES), []);
  assert.deepEqual(firstSeen(kept), ["a", "b", "c", "d", "e"]);
});

Deno.test("each violation of the rules is found", () => {
  const breaches: Record<string, string[]> = {
    "acknowledged, and sent again": ["a taken", "a taken"],
    "while a was not acknowledged": ["a failed", "b taken 4"],
    "held for 10 s": ["a limited", "a taken 10"],
    "held for 44 s": ["a limited", "a taken 44"],
    "held for 9 s": ["a failed", "a failed 4", "a failed 8", "a taken 9"],
    "held for 5000 s": ["a limited", "a taken 5000"],
    "attempt 2 after 3 s": ["a failed", "a taken 3"],
    "attempt 3 after 7 s": ["a failed", "a failed 4", "a taken 7"],
    "attempt 2 only after 30 s": ["a failed", "a taken 30"],
  };
  for (const [what, lines] of Object.entries(breaches)) {
    const faults = ruleFaults(observed(...lines), RULES);
    assert.ok(faults.some((fault) => fault.includes(what)), `${what}: ${faults}`);
  }
  const [first, second] = observed("a failed", "a taken 4");
  assert.match(String(ruleFaults([first!, { ...second!, delivery: first!.delivery }], RULES)), /second time/);
});
