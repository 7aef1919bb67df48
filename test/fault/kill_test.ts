// kill -9 of the running program at random instants during a replay, with a restart each time: every
// acknowledged record is stored once, and the results equal those of an undisturbed replay.

import assert from "node:assert/strict";
import { type Engine, ENGINES } from "../support/database.ts";
import { IS_SOAK, scaled } from "../support/scale.ts";
import { assertSameSnapshot } from "../support/record/snapshot.ts";
import { type Kill, killedReplay, killReport, totals } from "./killed-replay.ts";
import { CAPTURES, malformedLines } from "./replays.ts";

/** The engines differ below the store only; a soak kills both as often. */
const KILLS: Record<Engine, number> = { postgres: scaled(6), pglite: IS_SOAK ? scaled(6) : 2 };

async function replay(engine: Engine, kills: number, batchLines: number) {
  const extra = await malformedLines();
  const recordings = CAPTURES.map((one) =>
    one.sensor === "main-zeek" ? { ...one, files: [...one.files, extra] } : one
  );
  return await killedReplay(engine, { recordings, kills, batchLines }).finally(() => Deno.remove(extra));
}

/** Of the engine that is tested last; its results are those of each engine. */
let undisturbed: ReturnType<typeof replay> | null = null;

for (const engine of ENGINES) {
  Deno.test(`kill -9 during a replay loses nothing and repeats nothing (${engine})`, async () => {
    const calmly = await (undisturbed ??= replay(ENGINES.at(-1)!, 0, 500));
    const killed = await replay(engine, KILLS[engine], Math.max(1, Math.floor(60 / KILLS[engine])));
    const [calm, rough] = [totals(calmly.results), totals(killed.results)];
    const summary = killReport(killed.kills, rough);
    if (IS_SOAK) console.log(`${engine}: ${summary}`);

    assert.deepEqual([calm.outcomes, rough.outcomes], [["complete", "complete"], ["complete", "complete"]]);
    assert.equal(calmly.taken.raw_record!.length, calm.accepted);
    assert.equal(rough.accepted + rough.duplicates, calm.accepted + calm.duplicates, summary);
    assert.deepEqual([rough.rejected, killed.taken.rejected_line!.length], [40, 40]);
    assertSameSnapshot(killed.taken, calmly.taken, summary);

    const hit = (condition: (kill: Kill) => boolean) => killed.kills.some(condition);
    assert.ok(hit(({ instant }) => instant === "sending"), `no kill hit ingest: ${summary}`);
    assert.ok(hit(({ behind }) => behind === true), `no kill hit the pipeline: ${summary}`);
    for (const part of ["flow", "evidence", "device", "detector_state", "incident", "event_log"]) {
      assert.ok(killed.taken[part]!.length > 3, part);
    }
  });
}
