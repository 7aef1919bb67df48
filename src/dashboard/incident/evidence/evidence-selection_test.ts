import assert from "node:assert/strict";
import type { EvidenceItem } from "../../../contract/flow/flow.ts";
import { ALL_EVIDENCE, isSelective, selectEvidence } from "./evidence-selection.ts";

const ITEMS = ["00", "10", "20"].map((second) =>
  ({ evidence_id: second, observed_at: `2026-01-31T07:00:${second}.000Z` }) as EvidenceItem
);
const idsOf = (items: EvidenceItem[]) => items.map(({ evidence_id }) => evidence_id);

Deno.test("evidence: nothing selected shows everything", () => {
  assert.equal(isSelective(ALL_EVIDENCE), false);
  assert.deepEqual(selectEvidence(ITEMS, ALL_EVIDENCE), ITEMS);
});

Deno.test("evidence: a brushed window includes its start and excludes its end", () => {
  const window = { from: "2026-01-31T07:00:00.000Z", to: "2026-01-31T07:00:20.000Z" };
  assert.deepEqual(idsOf(selectEvidence(ITEMS, { window, group: null })), ["00", "10"]);
});

Deno.test("evidence: a window and a link narrow each other", () => {
  const window = { from: "2026-01-31T07:00:05.000Z", to: "2026-01-31T08:00:00.000Z" };
  const group = { key: "a > b", label: "a to b", ids: new Set(["00", "20"]) };
  assert.deepEqual(idsOf(selectEvidence(ITEMS, { window, group })), ["20"]);
});
