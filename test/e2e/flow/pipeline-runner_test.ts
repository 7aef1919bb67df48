// The loop around the rounds: when it goes on, when it rests.

import assert from "node:assert/strict";
import { defaultSite } from "../../../src/config/sites.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { applyRound, prepareRound, runRound } from "../../../src/pipeline/run/round.ts";
import { Pipeline, WRITTEN_AT_ONCE } from "../../../src/pipeline/run/runner.ts";
import { understandBatch } from "../../../src/pipeline/run/understand.ts";
import { type Database, StoreUnavailable, type Tx } from "../../../src/store/engine/database.ts";
import { CursorMoved, readCursor } from "../../../src/store/record/pending.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { testTwoCores } from "../../store/engine/one-database.ts";
import { freshDatabase, testDatabase } from "../../support/database.ts";
import { line, linesOfFiles, pushBatch, sensor, settle } from "../../support/record/pipeline.ts";
import { snapshot } from "../../support/record/snapshot.ts";

const ZEEK = sensor("zeek-1");

function conn(second: number): string {
  return line("zeek.conn", `2026-01-31T12:00:${String(second).padStart(2, "0")}Z`, {
    uid: `C${second}`,
    "id.orig_h": "10.0.0.5",
    "id.orig_p": 50_000 + second,
    "id.resp_h": "192.0.2.7",
    "id.resp_p": 443,
    proto: "tcp",
  });
}

function pipelineOn(db: Database): Pipeline {
  const tenants = new Map([["main", defaultSite("main")]]);
  return new Pipeline({ tenants }, { db, clock: systemClock, logger: silentLogger });
}

/** Milliseconds until the pipeline has taken up this batch. */
async function timeUntil(db: Database, batchNo: number): Promise<number> {
  const started = performance.now();
  for (;;) {
    const cursor = await db.tenant("main", (tx) => readCursor(tx, "main"));
    const passed = performance.now() - started;
    if (cursor.batchNo >= batchNo) return passed;
    assert.ok(passed < 20_000, `batch ${batchNo} is not taken up`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A database whose transactions pass through here. */
function intercepted(db: Database, pass: Partial<Pick<Database, "tenant" | "shared">>): Database {
  return {
    engine: db.engine,
    tenant: <T>(tenantId: string, work: (tx: Tx) => Promise<T>) =>
      (pass.tenant ?? db.tenant.bind(db))(tenantId, work),
    shared: <T>(work: (tx: Tx) => Promise<T>) => (pass.shared ?? db.shared.bind(db))(work),
    owner: (work) => db.owner(work),
    close: () => db.close(),
  };
}

testDatabase("what is committed during a round is taken up right after it", async (db) => {
  await pushBatch(db, ZEEK, [conn(1)]);
  let applied = 0;
  let next = 0;
  const pipeline: Pipeline = pipelineOn(intercepted(db, {
    async tenant(tenantId, work) {
      if (applied > 0 && next === 0) next = performance.now();
      const result = await db.tenant(tenantId, work);
      // After the transaction that applied the first batch, and before anybody knows of that, comes the second.
      if (applied === 0 && (await db.tenant("main", (tx) => readCursor(tx, "main"))).batchNo === 1) {
        await pushBatch(db, ZEEK, [conn(2)]);
        pipeline.wake("main");
        applied = performance.now();
      }
      return result;
    },
  }));
  pipeline.start();
  try {
    await timeUntil(db, 2);
    // A rest takes a second.
    assert.ok(next - applied < 900, `it rested ${Math.round(next - applied)} ms`);
  } finally {
    await pipeline.stop();
  }
});

testDatabase("a core that ends without a word does not hold up its successor for long", async (db) => {
  let gone = false;
  const killed = pipelineOn(intercepted(db, {
    shared: (work) => gone ? Promise.reject(new StoreUnavailable(new Error("killed"))) : db.shared(work),
  }));
  killed.start();
  await pushBatch(db, ZEEK, [conn(1)]);
  killed.wake("main");
  await timeUntil(db, 1);
  gone = true;
  await killed.stop();

  const successor = pipelineOn(db);
  successor.start();
  try {
    await pushBatch(db, ZEEK, [conn(2)]);
    const waited = await timeUntil(db, 2);
    // Of an embedded database there is only one user; a server's lease has to run out.
    assert.ok(waited < (db.engine === "pglite" ? 1500 : 9000), `it waited ${Math.round(waited)} ms`);
  } finally {
    await successor.stop();
  }
});

testDatabase("a full disk is not kept full by what waits there to be taken up sooner", async (db) => {
  const directory = await Deno.makeTempDir();
  const tenants = new Map([["main", defaultSite("main")]]);
  let mayWrite = true;
  const pipeline = new Pipeline({ tenants }, {
    db,
    clock: systemClock,
    logger: silentLogger,
    mayWrite: () => mayWrite,
    spillDirectory: directory,
  });
  await pushBatch(db, ZEEK, [conn(1)]);
  pipeline.start();
  await timeUntil(db, 1);
  assert.equal(pipeline.wants("main"), true);
  mayWrite = false;
  pipeline.wake("main");
  for (let waited = 0; pipeline.wants("main"); waited++) {
    assert.ok(waited < 1000, "batches are still wanted");
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await pushBatch(db, ZEEK, [conn(2)]);
  mayWrite = true;
  pipeline.wake("main");
  await timeUntil(db, 2);
  await pipeline.stop();
  await Deno.remove(directory, { recursive: true });
});

testDatabase("rounds of many tenants wait for their turn to be written", async (db) => {
  const names = Array.from({ length: WRITTEN_AT_ONCE + 2 }, (_, at) => `tenant-${at}`);
  await registerTenants(db, names);
  for (const name of names) await pushBatch(db, { ...ZEEK, tenantId: name }, [conn(1)]);
  const applied = new Set<string>();
  let underWay = 0;
  let most = 0;
  const pipeline = new Pipeline({ tenants: new Map(names.map((name) => [name, defaultSite(name)])) }, {
    db,
    writer: intercepted(db, {
      tenant: async (tenantId, work) => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 200));
        return await db.tenant(tenantId, work).finally(() => underWay--);
      },
    }),
    clock: systemClock,
    logger: silentLogger,
    onApplied: (tenantId) => applied.add(tenantId),
  });
  pipeline.start();
  try {
    const end = performance.now() + 20_000;
    while (applied.size < names.length && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  } finally {
    await pipeline.stop();
  }
  assert.deepEqual([...applied].sort(), names);
  assert.ok(most <= WRITTEN_AT_ONCE, `${most} at once`);
});

testTwoCores(
  "a round that takes longer than a lease runs is not done by another core too",
  async (db, other) => {
    const tenants = new Map([["main", defaultSite("main")]]);
    const applied: string[] = [];
    const core = (name: string, db: Database, wait: number) =>
      new Pipeline({ tenants }, {
        db,
        clock: systemClock,
        logger: silentLogger,
        understand: async (batch) => {
          await new Promise((resolve) => setTimeout(resolve, wait));
          return understandBatch(batch);
        },
        onApplied: () => applied.push(name),
      });
    // A lease runs five seconds.
    const slow = core("slow", db, 8000);
    const idle = core("idle", other, 0);
    await pushBatch(db, ZEEK, [conn(1)]);
    slow.start();
    await new Promise((resolve) => setTimeout(resolve, 1000));
    idle.start();
    try {
      await timeUntil(db, 1);
    } finally {
      await Promise.all([slow.stop(), idle.stop()]);
    }
    assert.deepEqual(applied, ["slow"]);
  },
);

testDatabase(
  "rounds that fail at their end leave nothing behind, in the database or in memory",
  async (db) => {
    const lines = await linesOfFiles(new URL("../../data/sample/brobeat/conn.log", import.meta.url).pathname);
    const batches = Array.from({ length: 8 }, (_, at) => lines.slice(at * 30, (at + 1) * 30));
    let advanced = 0;
    const pipeline = pipelineOn(intercepted(db, {
      tenant: (tenantId, work) =>
        db.tenant(tenantId, async (tx) => {
          const before = await readCursor(tx, tenantId);
          const result = await work(tx);
          const after = await readCursor(tx, tenantId);
          // The second and the fourth round come to nothing the first time.
          if (after.batchNo > before.batchNo && [2, 5].includes(++advanced)) {
            throw new Error("lost at the last moment");
          }
          return result;
        }),
    }));
    pipeline.start();
    for (const [at, batch] of batches.entries()) {
      await pushBatch(db, ZEEK, batch);
      pipeline.wake("main");
      if (at % 2 === 1) await timeUntil(db, at + 1);
    }
    await timeUntil(db, batches.length);
    await pipeline.stop();
    assert.ok(advanced >= 6, `only ${advanced} rounds`);

    const undisturbed = await freshDatabase();
    for (const batch of batches) await pushBatch(undisturbed, ZEEK, batch);
    await settle(undisturbed);
    const [disturbed, expected] = [await snapshot(db), await snapshot(undisturbed)];
    await undisturbed.close();
    for (
      const part of ["flow", "detector_memory", "incident", "incident_evidence", "model_result", "event_log"]
    ) {
      assert.deepEqual(disturbed[part], expected[part], part);
    }
    assert.ok(expected.incident!.length > 0);
  },
);

testDatabase("a core that was slower learns just that, whatever else fails of its round", async (db) => {
  await registerTenants(db, ["main"]);
  const site = defaultSite("main");
  const size = { batches: 1, records: 100 };
  for (let n = 0; n < 50; n++) {
    await pushBatch(db, ZEEK, [conn(n)]);
    // Without waiting: its flows are written a second time before it is known that the cursor has moved.
    const slower = await prepareRound(db, "main", site, null, { size });
    await runRound(db, "main", site, systemClock.now(), size);
    await assert.rejects(applyRound(db, "main", site, slower!, systemClock.now()), CursorMoved);
  }
});
