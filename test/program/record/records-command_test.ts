// `ndr records` as an administrator runs it, on its own database.

import assert from "node:assert/strict";
import type { Source } from "../../../src/config/sources.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { PgliteDatabase } from "../../../src/store/engine/pglite/pglite.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { formatMicros } from "../../../src/kit/time.ts";
import { conn, dns, rawLine } from "../../contract/records.ts";
import { callNdr, type Ran } from "../../support/command.ts";
import { runNdr } from "../../support/program.ts";
import { freshPostgres, makeEmbedded, POSTGRES_URL } from "../../support/database.ts";
import { pushBatch, sensor } from "../../support/record/pipeline.ts";
import { startUp } from "../../support/up.ts";

const HOUR = 3_600_000_000;
const ZEEK = sensor("zeek-1");
const BRANCH = sensor("branch-zeek", { tenantId: "branch" });

function environment(url: string): Record<string, string> {
  return { NDR_CONFIG_DIR: "/nonexistent", NDR_DATABASE_URL: url };
}

function records(url: string, ...args: string[]): Promise<Ran> {
  return callNdr(["records", ...args], environment(url));
}

/** Valid, unparsed and rejected lines of two tenants, received up to 30 hours ago. */
async function fill(db: Database): Promise<void> {
  const now = Date.now() * 1000;
  await registerTenants(db, ["main", "branch"]);
  const take = (source: Source, age: number, lines: string[]) => pushBatch(db, source, lines, now - age);
  await take(ZEEK, 30 * HOUR, ["an old line"]);
  await take(ZEEK, 3 * HOUR, [
    conn(),
    rawLine("zeek.conn", formatMicros(now), '{"uid":"C1","n":12345678901234567890}'),
  ]);
  await take(BRANCH, 2 * HOUR, [dns(), "\u001b[2J not a record"]);
  await take(ZEEK, HOUR, [rawLine("zeek.dns", "yesterday", `{"text":"${"x".repeat(70_000)}"}`)]);
}

/** The command as a process: a table. */
async function prints(url: string): Promise<void> {
  const table = (await runNdr(["records"], environment(url))).stdout.trimEnd().split("\n");
  assert.equal(table.length, 4, table.join("\n"));
  assert.match(table[0]!, /^RECEIVED \(UTC\) +TENANT +SENSOR +KIND +STATUS +REASON AND RAW TEXT$/);
  assert.match(
    table[1]!,
    /main +zeek-1 +zeek\.conn +unparsed +id\.orig_h: expected an address \| \{"uid":"C1","n":12345678901234567890\}$/,
  );
  assert.match(table[2]!, /branch +branch-zeek +- +rejected +not JSON: .* \| {2}\[2J not a record$/);
  assert.match(
    table[3]!,
    /main +zeek-1 +zeek\.dns +rejected +observed_at: expected an RFC 3339 timestamp \| \{.*x… \(70\d\d\d bytes\)$/,
  );
}

/** Every option; each call opens the database again, which takes the embedded one 1.5 s of a processor. */
async function filters(url: string): Promise<void> {
  const json = async (...args: string[]) =>
    (await records(url, "--json", ...args)).stdout.trimEnd().split("\n").filter((line) => line !== "").map((
      line,
    ) => JSON.parse(line));
  const all = await json("--since", "7d");
  assert.deepEqual(all.map(({ tenant_id, status }) => `${tenant_id} ${status}`), [
    "main rejected",
    "main unparsed",
    "branch rejected",
    "main rejected",
  ]);
  assert.equal(all[0].raw, "an old line");
  assert.deepEqual([all[3].raw.length, all[3].truncated], [64 * 1024, true]);
  const statuses = async (...args: string[]) => (await json(...args)).map(({ status }) => status);
  assert.deepEqual(await statuses("--limit", "2"), ["rejected", "rejected"]);
  assert.deepEqual(await statuses("--status", "unparsed"), ["unparsed"]);
  assert.deepEqual(await statuses("--sensor", "branch-zeek", "--tenant", "branch"), ["rejected"]);
  assert.deepEqual(await statuses("--source", "zeek"), ["unparsed", "rejected"]);
  assert.deepEqual(await statuses("--kind", "zeek.dns"), ["rejected"]);
  assert.deepEqual(await statuses("--until", "90m"), ["unparsed", "rejected"]);

  const nothing = await records(url, "--source", "unbound");
  assert.deepEqual([nothing.code, nothing.stdout, nothing.stderr], [0, "", "no records found\n"]);
  const stranger = await records(url, "--tenant", "other");
  assert.deepEqual([stranger.code, stranger.stderr], [
    1,
    "ndr records: there is no tenant other; there are: branch, main\n",
  ]);
}

Deno.test("ndr records: on an embedded database, while the service is stopped", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-records-" });
  const url = `embedded:${folder}/database`;
  try {
    const missing = await records(url);
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /no embedded database/);
    await makeEmbedded(`${folder}/database`);
    const db = await PgliteDatabase.open({ directory: `${folder}/database` });
    await fill(db);
    const busy = await records(url);
    assert.equal(busy.code, 1);
    assert.match(busy.stderr, /in use by another process/);
    await db.close();
    await prints(url);
    if (POSTGRES_URL === "") await filters(url);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test({
  name: "ndr records: on PostgreSQL, beside the service",
  ignore: POSTGRES_URL === "",
  fn: async () => {
    const { url, drop } = await freshPostgres();
    const db = new PostgresDatabase({ url });
    try {
      await fill(db);
      await prints(url);
      await filters(url);
    } finally {
      await db.close();
      await drop();
    }
  },
});

Deno.test("ndr records: beside ndr up, the running program is asked", async () => {
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-records-" });
  const env = { NDR_STATE_DIR: stateDir, NDR_CONFIG_DIR: `${stateDir}/etc` };
  const ask = (...args: string[]) => callNdr(["records", ...args], env);
  try {
    const up = await startUp({ sample: false, stateDir });
    try {
      const zeek = up.sources.find(({ tenant_id }) => tenant_id === "main")!;
      const response = await fetch(`${up.coreUrl}/internal/v1/ingest/events`, {
        method: "POST",
        headers: { authorization: `Bearer ${zeek.token}`, "content-type": "application/x-ndjson" },
        body: ["one", "two", "three"].map((word) => `${word} is no record`).join("\n"),
      });
      assert.equal(response.status, 200, await response.text());
      const table = await ask("--tenant", "main");
      assert.equal(table.code, 0, table.stderr);
      assert.equal(table.stdout.match(new RegExp(`main +${zeek.sensor_id} .*is no record`, "g"))?.length, 3);
      const two = (await ask("--json", "--limit", "2")).stdout.trimEnd().split("\n").map((line) =>
        JSON.parse(line)
      );
      assert.deepEqual(two.map(({ tenant_id, status }) => `${tenant_id} ${status}`), [
        "main rejected",
        "main rejected",
      ]);
      const stranger = await ask("--tenant", "other");
      assert.equal(stranger.code, 1);
      assert.match(stranger.stderr, /^ndr records: there is no tenant other; there are: /);
    } finally {
      await up.stop();
    }
    const stopped = await ask();
    assert.equal(stopped.code, 1);
    assert.match(stopped.stderr, /^ndr records: /);
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
});

Deno.test("ndr records: wrong options are refused before the database is opened", async () => {
  for (
    const [args, message] of [
      [["--status", "parsed"], /Allowed choices are unparsed, rejected/],
      [["--kind", "zeek"], /Allowed choices are zeek\.conn/],
      [["--since", "yesterday"], /expected a time such as/],
      [["--limit", "0"], /expected a whole number from 1 to 10000/],
      [["--since", "1h", "--until", "2h"], /--since must be earlier than --until/],
    ] as const
  ) {
    const { code, stderr } = await records("embedded:/nonexistent", ...args);
    assert.equal(code, 1);
    assert.match(stderr, message);
  }
});
