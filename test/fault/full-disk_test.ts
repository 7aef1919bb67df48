// The running program on a small disk that another process fills while records arrive: it warns in time, stops ingest
// before the database is harmed, resumes by itself when there is room, and stores every acknowledged record once.

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { INGEST_PATH } from "../../src/contract/record/ingest.ts";
import type { HealthReport } from "../../src/contract/health/health.ts";
import { type DiskSpace, fullBelow, lowBelow } from "../../src/domain/health/disk.ts";
import { openDatabase } from "../../src/store/engine/open.ts";
import { sql } from "../../src/store/engine/sql.ts";
import { installedPrograms, startPostgres } from "../support/postgres.ts";
import { CAN_MOUNT, SmallDisk } from "../support/small-disk.ts";
import { type ApiClient, signIn, startUp, type Up } from "../support/up.ts";

const MIB = 1024 ** 2;
/** A database may take several segments of its log, 16 MiB each, between two looks of a busy machine. */
const DISK_MEBIBYTES = 800;

/** Sends batches until it is stopped, and records which were acknowledged. */
class Sender {
  readonly acknowledged = new Set<string>();
  /** Answers other than 200 by their text. */
  readonly refusals = new Map<string, number>();
  #last: { status: number; reason: string | null; retryAfter: string | null } = {
    status: 0,
    reason: null,
    retryAfter: null,
  };
  #ended = false;
  readonly #running: Promise<void>;

  constructor(private readonly up: Up) {
    this.#running = this.#send();
  }

  /** Waits until the newest answer has this status. */
  async until(status: number, reason: string | null = null): Promise<void> {
    await eventually(
      `a response ${status} ${reason ?? ""}`,
      () => this.#last.status === status && this.#last.reason === reason,
    );
    if (status === 503) assert.ok(Number(this.#last.retryAfter) > 0, "with Retry-After");
  }

  async end(): Promise<void> {
    this.#ended = true;
    await this.#running;
  }

  async #send(): Promise<void> {
    const source = this.up.sources.find(({ sensor_id: id }) => id === "main-zeek")!;
    for (let batch = 0; !this.#ended; batch++) {
      const uids = Array.from({ length: 50 }, (_, index) => `C${batch}x${index}`);
      // As a transport does: the same batch again until it is accepted.
      while (!(await this.#deliver(uids.map(line).join("\n"), source.token)) && !this.#ended) {
        await delay(100);
      }
      if (this.#last.status === 200) { for (const uid of uids) this.acknowledged.add(uid); }
      await delay(30);
    }
  }

  async #deliver(body: string, token: string): Promise<boolean> {
    const response = await fetch(`${this.up.coreUrl}${INGEST_PATH}`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
      body,
    });
    const answer = await response.json();
    const reason: string | null = answer.error?.details.reason ?? null;
    this.#last = { status: response.status, reason, retryAfter: response.headers.get("retry-after") };
    if (response.ok) return true;
    const text = `${response.status} ${reason}`;
    this.refusals.set(text, (this.refusals.get(text) ?? 0) + 1);
    return false;
  }
}

/** A connection per uid, padded to take up room. */
function line(uid: string): string {
  const [batch, index] = uid.slice(1).split("x").map(Number);
  return JSON.stringify({
    kind: "zeek.conn",
    observed_at: new Date().toISOString(),
    payload: {
      ts: Date.now() / 1000,
      uid,
      "id.orig_h": `10.${batch! % 200}.0.${index}`,
      "id.orig_p": 1024 + batch! % 60_000,
      "id.resp_h": "192.0.2.7",
      "id.resp_p": 443,
      proto: "tcp",
      noise: randomBytes(600).toString("base64"),
    },
  });
}

async function health(
  person: ApiClient,
): Promise<HealthReport & { disk: HealthReport["components"][number] }> {
  const { status, body } = await person.browser.json("/api/v1/health");
  const report: HealthReport = body.data;
  assert.equal(status, report.status === "unavailable" ? 503 : 200);
  const disk = report.components.find(({ id }) => id === "disk");
  assert.ok(disk, "the disk is watched");
  return { ...report, disk };
}

async function untilDisk(person: ApiClient, status: string): Promise<string | null> {
  let message: string | null = null;
  await eventually(`a disk that is ${status}`, async () => {
    const { disk } = await health(person);
    message = disk.message;
    return disk.status === status;
  });
  return message;
}

/** Makes room for what arrives during `work`: a slow machine may fill the rest before it looks. */
async function keepingFree(disk: SmallDisk, bytes: number, work: () => Promise<void>): Promise<void> {
  const ended = new AbortController();
  const keeper = (async () => {
    while (!ended.signal.aborted) {
      await disk.leave(bytes);
      await delay(50);
    }
  })();
  await work().finally(() => ended.abort());
  await keeper;
}

async function scenario(disk: SmallDisk, up: Up): Promise<Sender> {
  const space: DiskSpace = { size: disk.size, free: 0 };
  const admin = await signIn(up.baseUrl, "admin");
  const sender = new Sender(up);
  try {
    await sender.until(200);
    assert.equal((await health(admin)).disk.status, "ok");

    await keepingFree(disk, lowBelow(space) - MIB, async () => {
      assert.match((await untilDisk(admin, "degraded"))!, /free at .*: ingest stops below/);
      const { status, components } = await health(admin);
      assert.equal(status, "degraded", JSON.stringify(components.filter((one) => one.status !== "ok")));
      const acknowledged = sender.acknowledged.size;
      await eventually("more records", () => sender.acknowledged.size > acknowledged);
      assert.deepEqual([...sender.refusals], [], "the warning comes before the first refusal");
    });

    await disk.leave(fullBelow(space) - MIB);
    await sender.until(503, "disk");
    assert.match((await untilDisk(admin, "unavailable"))!, /ingest is stopped until/);
    for (const path of ["/api/v1/flows", "/api/v1/devices", "/api/v1/incidents"]) await admin.get(path);

    await disk.leave(lowBelow(space) * 2);
    await sender.until(200);
    await untilDisk(admin, "ok");

    // Filled to the last byte at once, under load: the database itself hits the limit. Nothing acknowledged may be lost.
    await disk.leave(0);
    await sender.until(503, "disk");
    await delay(3000);
    await disk.leave(lowBelow(space) * 2);
    await sender.until(200);
    await untilDisk(admin, "ok");
    const after = sender.acknowledged.size;
    await eventually("more records", () => sender.acknowledged.size > after);
  } finally {
    await sender.end();
  }
  await eventually(
    "the pipeline to finish",
    async () => (await health(admin)).ingest.oldest_buffered_at === null,
  );
  return sender;
}

async function assertAllThereOnce(databaseUrl: string, sender: Sender): Promise<void> {
  const db = await openDatabase(databaseUrl);
  try {
    await db.tenant("main", async (tx) => {
      const [stored] = await tx.rows<
        { records: number; ids: number; blocks: number; flows: number; evidence: number }
      >(
        sql`
        select (select count(*)::int from raw_record) as records,
          (select count(distinct event_id)::int from raw_record) as ids,
          (select sum(record_count)::int from raw_block) as blocks,
          (select count(*)::int from observation) as evidence,
          (select count(*)::int from flow) as flows`,
      );
      const { size } = sender.acknowledged;
      // A batch answered with an error may be stored; its sender repeats it.
      assert.ok(
        stored!.records === size || stored!.records === size + 50,
        `${size} ${JSON.stringify(stored)}`,
      );
      const { records } = stored!;
      assert.deepEqual(stored, { records, ids: records, blocks: records, evidence: records, flows: records });
    });
  } finally {
    await db.close();
  }
}

async function eventually(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
  const limit = performance.now() + 60_000;
  while (!(await condition())) {
    assert.ok(performance.now() < limit, `waited a minute for ${what}`);
    await delay(50);
  }
}

function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

Deno.test("a full disk under the embedded database", { ignore: !CAN_MOUNT }, async () => {
  await using disk = await SmallDisk.make(DISK_MEBIBYTES);
  const stateDir = `${disk.folder}/state`;
  const up = await startUp({ stateDir, sample: false });
  const sender = await scenario(disk, up).finally(() => up.stop());
  await assertAllThereOnce(`embedded:${stateDir}/database`, sender);
});

Deno.test("a full disk under PostgreSQL", {
  ignore: !CAN_MOUNT || (await installedPrograms()).length === 0,
}, async () => {
  await using disk = await SmallDisk.make(DISK_MEBIBYTES);
  const server = (await startPostgres({
    parent: disk.folder,
    // Keeps the write-ahead log from filling the small disk.
    settings: { min_wal_size: "32MB", max_wal_size: "64MB" },
  }))!;
  try {
    const up = await startUp({ databaseUrl: server.url, sample: false });
    const sender = await scenario(disk, up).finally(() => up.stop());
    await assertAllThereOnce(server.url, sender);
  } finally {
    await server.stop();
  }
});
