// The loop that runs the rounds: when it continues and when it waits.

import assert from "node:assert/strict";
import { defaultSite } from "../../../src/config/sites.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { parseBatch } from "../../../src/pipeline/run/parse-batch.ts";
import { MAX_CONCURRENT_WRITES, Pipeline } from "../../../src/pipeline/run/pipeline.ts";
import { applyRound, prepareRound } from "../../../src/pipeline/run/round.ts";
import { type Database, StoreUnavailable, type Tx } from "../../../src/store/engine/database.ts";
import { CursorMoved, readCursor } from "../../../src/store/record/pending.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { testTwoCores } from "../../store/engine/one-database.ts";
import { freshDatabase, testDatabase, testDatabases } from "../../support/database.ts";
import { line, linesOfFiles, pushBatch, runRound, sensor, settle } from "../../support/record/pipeline.ts";
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

/** Milliseconds until the pipeline has processed this batch. */
async function timeUntil(db: Database, batchNo: number): Promise<number> {
  const started = performance.now();
  for (;;) {
    const cursor = await db.tenant("main", (tx) => readCursor(tx, "main"));
    const passed = performance.now() - started;
    if (cursor.batchNo >= batchNo) return passed;
    assert.ok(passed < 20_000, `batch ${batchNo} is not processed`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A database with replaced transactions. */
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

testDatabase("a batch committed during a round is processed right after it", async (db) => {
  await pushBatch(db, ZEEK, [conn(1)]);
  let applied = 0;
  let next = 0;
  const pipeline: Pipeline = pipelineOn(intercepted(db, {
    async tenant(tenantId, work) {
      if (applied > 0 && next === 0) next = performance.now();
      const result = await db.tenant(tenantId, work);
      // The second batch is committed after the first was applied, before the loop continues.
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
    // The idle poll takes a second.
    assert.ok(next - applied < 900, `the next round began after ${Math.round(next - applied)} ms`);
  } finally {
    await pipeline.stop();
  }
});

testDatabases(
  "a core that dies without releasing its lease delays its successor by seconds only",
  async (db) => {
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
      // An embedded database has one user, whose lease is taken over at once; a server's lease has to expire.
      assert.ok(
        waited < (db.engine === "pglite" ? 4000 : 9000),
        `the successor took ${Math.round(waited)} ms`,
      );
    } finally {
      await successor.stop();
    }
  },
);

testDatabase("while nothing may be written, ingest is not asked for parsed batches", async (db) => {
  const tenants = new Map([["main", defaultSite("main")]]);
  let mayWrite = true;
  const pipeline = new Pipeline({ tenants }, {
    db,
    clock: systemClock,
    logger: silentLogger,
    mayWrite: () => mayWrite,
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
});

testDatabase("a bounded number of tenants writes at once", async (db) => {
  const names = Array.from({ length: MAX_CONCURRENT_WRITES + 2 }, (_, at) => `tenant-${at}`);
  await registerTenants(db, names);
  for (const name of names) await pushBatch(db, { ...ZEEK, tenantId: name }, [conn(1)]);
  const applied = new Set<string>();
  let underWay = 0;
  let most = 0;
  const pipeline = new Pipeline({ tenants: new Map(names.map((name) => [name, defaultSite(name)])) }, {
    db: intercepted(db, {
      tenant: (tenantId, work) => {
        let writing = false;
        const watched = (tx: Tx): Tx => ({
          rows: (statement) => tx.rows(statement),
          run: async (statement) => {
            // The first statement of a round.
            if (statement.compile().text.includes("insert into pipeline_cursor")) {
              writing = true;
              most = Math.max(most, ++underWay);
              await new Promise((resolve) => setTimeout(resolve, 200));
            }
            return await tx.run(statement);
          },
        });
        return db.tenant(tenantId, (tx) => work(watched(tx))).finally(() => writing && underWay--);
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
  assert.ok(most >= 1 && most <= MAX_CONCURRENT_WRITES, `${most} at once`);
});

testTwoCores(
  "a round longer than its lease is not repeated by another core",
  async (db, other) => {
    const tenants = new Map([["main", defaultSite("main")]]);
    const applied: string[] = [];
    const core = (name: string, db: Database, wait: number) =>
      new Pipeline({ tenants }, {
        db,
        clock: systemClock,
        logger: silentLogger,
        parse: async (batch) => {
          await new Promise((resolve) => setTimeout(resolve, wait));
          return parseBatch(batch);
        },
        onApplied: () => applied.push(name),
      });
    // A lease lasts five seconds.
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
  "rounds that fail before COMMIT leave nothing behind, in the database or in memory",
  async (db) => {
    const folder = new URL("../../data/sample/brobeat/", import.meta.url).pathname;
    const lines = await linesOfFiles(`${folder}conn.log`, `${folder}dns.log`);
    const batches = Array.from({ length: 8 }, (_, at) => lines.slice(at * 30, (at + 1) * 30));
    let advanced = 0;
    const pipeline = pipelineOn(intercepted(db, {
      tenant: (tenantId, work) =>
        db.tenant(tenantId, async (tx) => {
          const before = await readCursor(tx, tenantId);
          const result = await work(tx);
          const after = await readCursor(tx, tenantId);
          // Two of the rounds fail on their first attempt.
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
    const parts = [
      "flow",
      "term",
      "flow_term",
      "address_geo",
      "detector_state",
      "incident",
      "incident_evidence",
    ];
    for (const part of [...parts, "model_result", "event_log"]) {
      assert.deepEqual(disturbed[part], expected[part], part);
    }
    assert.ok(expected.flow_term!.length > 0 && expected.address_geo!.length > 0);
    assert.ok(expected.incident!.length > 0);
  },
);

testDatabases("a core that was slower gets CursorMoved, whatever else fails in its round", async (db) => {
  await registerTenants(db, ["main"]);
  const main = { tenantId: "main", settings: defaultSite("main") };
  const size = { batches: 1, records: 100 };
  for (let n = 0; n < 50; n++) {
    await pushBatch(db, ZEEK, [conn(n)]);
    // Statements are pipelined, so its flows are inserted twice before the failed cursor update is known.
    const slower = await prepareRound(db, { ...main, size });
    await runRound(db, { ...main, now: systemClock.now(), size });
    await assert.rejects(applyRound(db, slower!, { now: systemClock.now() }), CursorMoved);
  }
});
