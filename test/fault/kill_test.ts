// kill -9 of the running program at random instants during a replay, with a restart each time: every
// acknowledged record is stored once, and the results equal those of an undisturbed replay.

import assert from "node:assert/strict";
import { ENGINES } from "../support/database.ts";
import { IS_SOAK, scaled } from "../support/scale.ts";
import { assertSameSnapshot } from "../support/record/snapshot.ts";
import { type Kill, killedReplay, killReport, totals } from "./killed-replay.ts";
import { CAPTURES, malformedLines } from "./replays.ts";

const KILLS = scaled(6);

for (const engine of ENGINES) {
  Deno.test(`kill -9 during a replay loses nothing and repeats nothing (${engine})`, async () => {
    const extra = await malformedLines();
    const recordings = CAPTURES.map((one) =>
      one.sensor === "main-zeek" ? { ...one, files: [...one.files, extra] } : one
    );
    const undisturbed = await killedReplay(engine, { recordings, kills: 0, batchLines: 500 });
    const batchLines = Math.max(1, Math.floor(60 / KILLS));
    const killed = await killedReplay(engine, { recordings, kills: KILLS, batchLines });
    await Deno.remove(extra);
    const [calm, rough] = [totals(undisturbed.results), totals(killed.results)];
    const summary = killReport(killed.kills, rough);
    if (IS_SOAK) console.log(`${engine}: ${summary}`);

    assert.deepEqual([calm.outcomes, rough.outcomes], [["complete", "complete"], ["complete", "complete"]]);
    assert.equal(undisturbed.taken.raw_record!.length, calm.accepted);
    assert.equal(rough.accepted + rough.duplicates, calm.accepted + calm.duplicates, summary);
    assert.deepEqual([rough.rejected, killed.taken.rejected_line!.length], [40, 40]);
    assertSameSnapshot(killed.taken, undisturbed.taken, summary);

    const hit = (condition: (kill: Kill) => boolean) => killed.kills.some(condition);
    assert.ok(hit(({ instant }) => instant === "sending"), `no kill hit ingest: ${summary}`);
    assert.ok(hit(({ behind }) => behind === true), `no kill hit the pipeline: ${summary}`);
    for (const part of ["flow", "evidence", "device", "detector_state", "incident", "event_log"]) {
      assert.ok(killed.taken[part]!.length > 3, part);
    }
  });
}
