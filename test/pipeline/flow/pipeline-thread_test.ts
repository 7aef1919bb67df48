// The pipeline in a worker: it processes what ingest commits, through its own connections or the embedded database.

import assert from "node:assert/strict";
import { defaultSite } from "../../../src/config/sites.ts";
import { emptyIntel } from "../../../src/domain/intel/compile.ts";
import { IntelSet } from "../../../src/domain/intel/intel-set.ts";
import { type LogFields, silentLogger } from "../../../src/observe/log.ts";
import { parseBatch } from "../../../src/pipeline/run/parse-batch.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { readCursor } from "../../../src/store/record/pending.ts";
import { PipelineThread } from "../../../src/wiring/pipeline-thread.ts";
import { freshPglite, freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { line, pushBatch, sensor } from "../../support/record/pipeline.ts";

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

interface Run {
  thread: PipelineThread;
  db: Database;
  applied: string[];
  errors: [string, LogFields | undefined][];
  setMayWrite(may: boolean): void;
}

function testThread(name: string, body: (run: Run) => Promise<void>, program?: URL): void {
  const run = async (db: Database) => {
    const applied: string[] = [];
    const errors: Run["errors"] = [];
    let mayWrite = true;
    const tenants = new Map([["main", defaultSite("main")]]);
    const thread = new PipelineThread({ tenants, program }, {
      db,
      logger: { ...silentLogger, error: (message, fields) => errors.push([message, fields]) },
      parse: (batch) => Promise.resolve(parseBatch(batch)),
      mayWrite: () => mayWrite,
      intel: () => INTEL,
      onApplied: (tenantId) => applied.push(tenantId),
    });
    thread.start();
    try {
      await body({ thread, db, applied, errors, setMayWrite: (may) => mayWrite = may });
    } finally {
      await thread.stop();
    }
  };
  Deno.test(`pipeline thread: ${name} (pglite)`, async () => {
    const db = await freshPglite();
    await run(db).finally(() => db.close());
  });
  Deno.test(`pipeline thread: ${name} (postgres)`, { ignore: POSTGRES_URL === "" }, async () => {
    const { url, drop } = await freshPostgres();
    const db = new PostgresDatabase({ url });
    await run(db).finally(() => db.close()).finally(drop);
  });
}

const INTEL: IntelSet = emptyIntel();

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + 30_000;
  while (!await condition()) {
    assert.ok(performance.now() < end, what);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function processed(db: Database, batchNo: number): Promise<boolean> {
  return (await db.tenant("main", (tx) => readCursor(tx, "main"))).batchNo >= batchNo;
}

testThread("committed batches are processed, and no longer wanted on a full disk", async (run) => {
  const { thread, db, applied, errors } = run;
  await pushBatch(db, ZEEK, [conn(1)]);
  thread.wake("main");
  await until(() => processed(db, 1), "the first batch is processed");
  await until(() => applied.length > 0, "the round is reported");
  await until(() => thread.wants("main"), "parsed batches are wanted");
  run.setMayWrite(false);
  thread.wake("main");
  await until(() => !thread.wants("main"), "parsed batches are no longer wanted");
  await pushBatch(db, ZEEK, [conn(2)]);
  run.setMayWrite(true);
  thread.wake("main");
  await until(() => processed(db, 2), "the second batch is processed");
  assert.deepEqual(errors, []);
});

const WORKER = new URL("../../../src/wiring/pipeline-worker.ts", import.meta.url).href;
/** The worker, which crashes when the tenant `crash` is woken. */
const CRASHING = new URL(
  `data:application/typescript,${
    encodeURIComponent(`
      import ${JSON.stringify(WORKER)};
      self.addEventListener("message", ({ data }) => {
        if (data.op === "wake" && data.tenantId === "crash") setTimeout(() => { throw new Error("crashed"); });
      });`)
  }`,
);

testThread("a crashed worker is logged and restarted", async ({ thread, db, applied, errors }) => {
  await pushBatch(db, ZEEK, [conn(1)]);
  thread.wake("main");
  await until(() => thread.wants("main"), "the worker runs");
  thread.wake("crash");
  await until(() => errors.length > 0, "the crash is logged");
  const [message, fields] = errors[0]!;
  assert.equal(message, "pipeline thread crashed, restarting");
  assert.match(String(fields?.message), /crashed/);
  assert.equal(thread.wants("main"), false);
  await pushBatch(db, ZEEK, [conn(2)]);
  await until(() => processed(db, 2), "the restarted worker processes the next batch");
  await until(() => applied.length > 0, "the worker reports the round");
}, CRASHING);
