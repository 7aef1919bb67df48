// `ndr telemetry` next to a running service that owns the embedded database: it works through files.

import assert from "node:assert/strict";
import type { HealthReport } from "../../../src/contract/health/health.ts";
import { Heartbeat } from "../../../src/contract/telemetry/heartbeat.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { handOver, readCounts, TelemetryDesk } from "../../../src/telemetry/desk.ts";
import type { Entitlement } from "../../../src/telemetry/entitlement.ts";
import { callNdr } from "../../support/command.ts";
import { runNdr } from "../../support/program.ts";
import { freshPglite } from "../../support/database.ts";
import { sampleHeartbeat } from "../../support/telemetry/registration/reading.ts";
import { INSTALL_ID, StubServer } from "../../support/telemetry/telemetry.ts";
import { waitFor } from "../../support/transport/transport-programs.ts";
import { signIn, startUp } from "../../support/up.ts";

const FREE_PLAN: Entitlement = {
  plan: () => ({ plan: "free", keyIdHash: null }),
  renew: () => Promise.resolve(),
};
const COUNTS = "heartbeat-counts.json";
const DRY_RUN = "heartbeat-dry-run.json";

async function withState(body: (stateDir: string) => Promise<void>): Promise<void> {
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-up-" });
  await Deno.mkdir(`${stateDir}/etc`);
  await body(stateDir).finally(() => Deno.remove(stateDir, { recursive: true }));
}

Deno.test("show and send --dry-run next to ndr up: the next payload, which everyone then sees as the last one", async () => {
  const server = new StubServer();
  await withState(async (stateDir) => {
    const telemetry = { NDR_TELEMETRY: "on", NDR_TELEMETRY_URL: server.origin };
    const up = await startUp({ stateDir, sample: false, env: telemetry });
    const env = { NDR_STATE_DIR: stateDir, NDR_CONFIG_DIR: `${stateDir}/etc`, ...telemetry };
    await waitFor(
      async () => await readCounts(stateDir) !== null && server.requests.length > 0,
      up.output,
      60,
    );
    assert.deepEqual(server.take(), ["POST /v1/registrations"]);

    const shown = await runNdr(["telemetry", "show"], env);
    assert.equal(shown.code, 0, shown.stderr);
    const { install_id, tenant_count } = Heartbeat.parse(JSON.parse(shown.stdout));
    const id = (await Deno.readTextFile(`${stateDir}/etc/install-id`)).trim();
    assert.deepEqual([install_id, tenant_count], [id, 2]);
    assert.match(shown.stderr, /has its embedded database open; its counts are those of 20\d\d-/);

    const dry = await callNdr(["telemetry", "send", "--dry-run"], env);
    assert.equal(dry.code, 0, dry.stderr);
    assert.match(dry.stderr, /both guards passed; recorded\n$/);
    const person = await signIn(up.baseUrl, "reader");
    const lastPayload = async () => (await person.get<HealthReport>("/api/v1/health")).telemetry.last_payload;
    await waitFor(async () => await lastPayload() !== null, up.output, 90);
    assert.deepEqual(await lastPayload(), JSON.parse(dry.stdout));
    assert.deepEqual(server.take(), [], "nothing was sent");
    await up.stop();
    const names = [...Deno.readDirSync(stateDir)].map(({ name }) => name);
    assert.ok(!names.includes(COUNTS) && !names.includes(DRY_RUN), "no file remains");
  });
  await server.close();
});

Deno.test("NDR_TELEMETRY=off: the service leaves no file, and the command reports that it has no data", async () => {
  await withState(async (stateDir) => {
    const up = await startUp({ stateDir, sample: false });
    const env = { NDR_STATE_DIR: stateDir, NDR_CONFIG_DIR: `${stateDir}/etc`, NDR_TELEMETRY: "off" };
    const { code, stdout, stderr } = await callNdr(["telemetry", "show"], env);
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /leaves no counts while it sends nothing/);
    assert.ok(![...Deno.readDirSync(stateDir)].some(({ name }) => name.startsWith("heartbeat")));
    await up.stop();
  });
});

Deno.test("request files pass the guards again, and anything but a dry run does nothing", async () => {
  await withState(async (stateDir) => {
    const db = await freshPglite();
    await registerTenants(db, ["main"]);
    await Deno.writeTextFile(`${stateDir}/etc/install-id`, `${INSTALL_ID}\n`, { mode: 0o600 });
    const place = { directory: `${stateDir}/etc`, owner: null };
    const parts = () => ({
      productVersion: "0.1.0",
      bundleVersion: "0.1.0",
      tenantIds: ["main"],
      recordKinds: [],
    });
    const deskAt = (stateDir: string) => {
      const desk = new TelemetryDesk(
        { enabled: true, origin: "https://registration.example", stateDir, place },
        { db, clock: systemClock, logger: silentLogger, parts, entitlement: FREE_PLAN },
      );
      desk.start();
      return desk;
    };
    const desk = deskAt(stateDir);
    await waitFor(async () => await readCounts(stateDir) !== null, () => "no counts");
    assert.equal((Deno.statSync(`${stateDir}/${COUNTS}`).mode ?? 0) & 0o777, 0o600);
    const good = JSON.stringify(sampleHeartbeat(INSTALL_ID));
    const bad = good.replace("{", '{"host":"zebrafish",');
    for (const text of [good, bad]) assert.ok(await handOver(stateDir, { text, failure: null }, 10_000));
    assert.ok(await handOver(stateDir, { text: null, failure: "not sent: product_version" }, 10_000));
    const log = () =>
      db.shared((tx) => tx.rows(sql`select outcome, payload, failure from telemetry_log order by id`));
    const rows = await log();
    assert.deepEqual(rows.map(({ outcome, payload }) => [outcome, payload]), [
      ["dry_run", good],
      ["dry_run", null],
      ["dry_run", null],
    ]);
    assert.match(String(rows[1]!.failure), /^not sent: the payload: keys that are not in the table: 1;/);
    assert.equal(rows[2]!.failure, "not sent: product_version");
    const junk = [
      "{",
      "[]",
      '{"text":1}',
      JSON.stringify({ text: good, failure: null, more: 1 }),
      "x".repeat(100_000),
    ];
    // A desk for each, so that one pause of more than a second, in which each looks at its file, is enough.
    await Promise.all(junk.map((text) =>
      withState(async (other) => {
        const desk = deskAt(other);
        await Deno.writeTextFile(`${other}/${DRY_RUN}`, text);
        await new Promise((resolve) => setTimeout(resolve, 1500));
        await desk.stop();
      })
    ));
    assert.equal((await log()).length, 3);
    assert.ok(await handOver(stateDir, { text: good, failure: null }, 10_000), "it still works");
    await desk.stop();
    assert.equal(
      await handOver(stateDir, { text: good, failure: null }, 500),
      false,
      "it is neither processed nor left behind",
    );
    assert.deepEqual([...Deno.readDirSync(stateDir)].map(({ name }) => name), ["etc"]);
    await db.close();
  });
});
