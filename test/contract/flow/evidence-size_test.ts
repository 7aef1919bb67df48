import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { MAX_LISTED_PAYLOAD_BYTES } from "../../../src/contract/flow/flow.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, MINUTE, NOW, SECOND, ZEEK } from "../api.ts";
import { conn } from "../records.ts";

const START = NOW - MINUTE;
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
/** Allowance for the envelope around a page's observations. */
const ENVELOPE_BYTES = 8 * 1024;
/** As many once could not be serialised, and the answer was a 500. */
const OBSERVATIONS = 113;
const PADDING = "ä".repeat(120_000);

/** Observations of one connection, each with a record of 240 kB. */
function largeObservations(count: number): string[] {
  return Array.from(
    { length: count },
    (_, at) => conn({ at: START, seconds: 10, more: { uid: "CLarge1", padding: `${at} ${PADDING}` } }),
  );
}

testDatabase(
  "evidence: a page ends by bytes, a large record is cut with its size, none is skipped",
  async (db) => {
    const api = new Api(db);
    const lines = largeObservations(OBSERVATIONS);
    for (let next = 0; next < lines.length; next += 20) {
      api.clock.advance(1);
      await api.take(ZEEK, lines.slice(next, next + 20));
    }
    const [flow, ...others] =
      (await api.read("listFlows", { from: new Date((START - SECOND) / 1000).toISOString() }))
        .data;
    assert.deepEqual(others, []);
    const path = { flow_id: flow!.flow_id };

    const response = await api.send("getFlowEvidence", {}, {}, path);
    assert.equal(response.status, 200);
    const size = Buffer.byteLength(await response.text());
    assert.ok(size <= MAX_PAGE_BYTES + ENVELOPE_BYTES, `${size} bytes`);

    const pages = await api.walk("getFlowEvidence", {}, { path });
    assert.ok(pages.length > 1, `${pages.length} pages`);
    const found = pages.flat();
    assert.equal(new Set(found.map((one) => one.evidence_id)).size, lines.length);
    const whole = new Set(lines.map((line) => JSON.stringify(JSON.parse(line).payload)));
    const sizes = new Set([...whole].map((text) => Buffer.byteLength(text)));
    for (const { raw } of found) {
      assert.equal(raw!.truncated, true);
      assert.ok(sizes.has(raw!.payload_bytes), `${raw!.payload_bytes} bytes`);
      const shown = Buffer.byteLength(raw!.payload);
      assert.ok(shown <= MAX_LISTED_PAYLOAD_BYTES && shown > MAX_LISTED_PAYLOAD_BYTES - 4, `${shown} bytes`);
      assert.ok([...whole].some((text) => text.startsWith(raw!.payload)), "the beginning of a record");
    }
  },
);
