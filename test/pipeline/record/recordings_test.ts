// Every recording of real sensors through the replay's reader, the ingest and the pipeline, compared with
// golden files whose numbers were checked by hand. NDR_GOLDEN_UPDATE=1 rewrites them; review the diff.

import assert from "node:assert/strict";
import { defaultSite, type SiteConfig } from "../../../src/config/sites.ts";
import { parseCidr } from "../../../src/kit/net/ip.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { freshDatabase } from "../../support/database.ts";
import { pushBatch, replayOf, sensor, settle } from "../../support/record/pipeline.ts";
import {
  type Found,
  goldenNames,
  readGolden,
  reasonsOf,
  sectionsOf,
  writeGolden,
} from "../../support/record/recording-golden.ts";
import { outcomeOf } from "../../support/record/recording-outcome.ts";
import { pathOf, RECORDINGS, type TestRecording } from "../../support/record/recordings.ts";

const UPDATE = Deno.env.get("NDR_GOLDEN_UPDATE") === "1";
const BATCH = 500;

async function replay(db: Database, recording: TestRecording): Promise<Found> {
  const tenantId = recording.name;
  const sent = { lines: 0, duplicates: 0 };
  const skipped: Record<string, number> = {};
  for (const [sensorId, files] of Object.entries(recording.sensors)) {
    const source = sensor(sensorId, { tenantId });
    const { lines, skips } = await replayOf(...files.map(pathOf));
    for (let at = 0; at < lines.length; at += BATCH) {
      const { duplicates } = await pushBatch(db, source, lines.slice(at, at + BATCH));
      sent.duplicates += duplicates;
    }
    sent.lines += lines.length;
    for (const { reason, count } of skips.list()) skipped[reason] = (skipped[reason] ?? 0) + count;
  }
  await settle(db, { ...siteOf(recording), tenantId });
  return { sent, skipped, ...await outcomeOf(db, tenantId) };
}

function siteOf({ name, networks }: TestRecording): SiteConfig {
  const site = defaultSite(name);
  if (!networks) return site;
  return { ...site, networks: networks.map((text) => parseCidr(text)!), networksAssumed: false };
}

// Each recording has its own tenant in one database, to keep them independent.
let db: Database;
Deno.test.beforeAll(async () => {
  db = await freshDatabase();
});
Deno.test.afterAll(() => db.close());

for (const recording of RECORDINGS) {
  const { name } = recording;
  Deno.test(`recording ${name} yields the results counted in its files by hand`, async () => {
    const found = await replay(db, recording);
    if (UPDATE) writeGolden(name, found);
    const golden = readGolden(name);
    assert.ok(golden, "no golden file; NDR_GOLDEN_UPDATE=1 writes it");
    const { checked, explained, ...expected } = golden;
    assert.deepEqual(found, expected);
    assertExplained(checked, sectionsOf(found), "how each section was checked");
    assertExplained(explained, reasonsOf(found), "why each of these is there");
  });
}

/** Exactly one non-empty text for each of these names. */
function assertExplained(texts: Record<string, string>, about: readonly string[], what: string): void {
  const explained = Object.keys(texts).filter((key) => texts[key]!.length >= 5);
  assert.deepEqual(explained.sort(), [...new Set(about)].sort(), `a golden file states ${what}`);
}

Deno.test("every golden file belongs to a recording", () => {
  assert.deepEqual(goldenNames(), RECORDINGS.map(({ name }) => name).sort());
});
