// The running service with a licence in each state: what it reports, and that nothing else depends on it.

import assert from "node:assert/strict";
import { HealthReport } from "../../../src/contract/health/health.ts";
import { LICENSE_FILE } from "../../../src/contract/telemetry/license.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { LicenseSigner } from "../../support/telemetry/licenses.ts";
import { DAY } from "../../support/telemetry/licensing.ts";
import { keyFlags } from "../../support/telemetry/other-keys.ts";
import { line } from "../../support/record/pipeline.ts";
import { type Processes, startProcesses } from "../../support/processes.ts";
import { waitFor } from "../../support/transport/transport-programs.ts";
import { type ApiClient, signIn } from "../../support/up.ts";

const METRICS_TOKEN = "metrics-token-of-a-test";
const NOW = Math.floor(Date.now() / 1000) * 1e6;

interface World {
  ndr: Processes;
  admin: ApiClient;
  /** Installs a licence as an administrator does, with SIGHUP; null removes it. Times in days from now. */
  install(token: { issued: number; expires: number } | string | null): Promise<void>;
}

async function withWorld(body: (world: World) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-licensed-" });
  const database = POSTGRES_URL === "" ? null : await freshPostgres();
  const signer = await LicenseSigner.generate();
  let ndr: Processes | null = null;
  try {
    ndr = await startProcesses({
      databaseUrl: database?.url,
      coreFlags: await keyFlags(folder, signer.keys),
      webEnv: { NDR_METRICS_TOKEN: METRICS_TOKEN },
    });
    const { configDir, reloadCore, baseUrl } = ndr;
    const path = `${configDir}/${LICENSE_FILE}`;
    const write = (text: string) => Deno.writeTextFile(path, text);
    await body({
      ndr,
      admin: await signIn(baseUrl, "admin"),
      async install(token) {
        if (token === null) await Deno.remove(path);
        else if (typeof token === "string") await write(token);
        else {
          const { issued, expires } = token;
          await write(await signer.license({ issuedAt: NOW + issued * DAY, expiresAt: NOW + expires * DAY }));
        }
        await reloadCore();
      },
    });
  } finally {
    await ndr?.stop();
    await database?.drop();
    await Deno.remove(folder, { recursive: true });
  }
}

async function component(client: ApiClient, wanted: string) {
  let seen: { status: string; message: string | null } = { status: "", message: null };
  await waitFor(async () => {
    const report = HealthReport.parse(await client.get("/api/v1/health"));
    assert.notEqual(report.status, "unavailable", "the licence never changes the overall status");
    const { status, message } = report.components.find(({ kind }) => kind === "license")!;
    seen = { status, message };
    return status === wanted;
  }, () => `the licence is ${JSON.stringify(seen)}, expected ${wanted}`);
  return seen;
}

async function metrics(baseUrl: string): Promise<string[]> {
  const response = await fetch(`${baseUrl}/metrics`, {
    headers: { authorization: `Bearer ${METRICS_TOKEN}` },
  });
  return (await response.text()).split("\n").filter((row) => row.startsWith("service_license_"));
}

/** Sends a record and waits for the resulting flow. */
async function recordsComeThrough({ ndr, admin }: World, src: string): Promise<void> {
  const source = ndr.sources.find(({ sensor_id }) => sensor_id === "main-zeek")!;
  const ts = Date.now() / 1000 - 5;
  const response = await fetch(`${ndr.coreUrl}/internal/v1/ingest/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${source.token}`, "content-type": "application/x-ndjson" },
    body: line("zeek.conn", new Date(ts * 1000).toISOString(), {
      ts,
      uid: `C${src}`,
      "id.orig_h": src,
      "id.orig_p": 50_000,
      "id.resp_h": "198.51.100.7",
      "id.resp_p": 443,
      proto: "tcp",
      orig_bytes: 100,
      resp_bytes: 200,
    }),
  });
  const { data } = await response.json();
  assert.deepEqual([response.status, data.accepted, data.rejected], [200, 1, 0]);
  await waitFor(
    async () =>
      (await admin.get<{ src: { ip: string } }[]>("/api/v1/flows")).some((flow) => flow.src.ip === src),
    () => `no flow of ${src}`,
  );
}

Deno.test("after the grace period: no data loss, no ingest stop, every route as on the free plan; SIGHUP reads a new file", () =>
  withWorld(async (world) => {
    const { ndr, admin, install } = world;
    assert.deepEqual(await component(admin, "ok"), { status: "ok", message: "off" });
    assert.deepEqual((await metrics(ndr.baseUrl)).slice(0, 2), [
      "service_license_enabled 0",
      'service_license_state{state="off"} 1',
    ]);
    await recordsComeThrough(world, "10.0.0.1");

    await install({ issued: -100, expires: -4 });
    const { message } = await component(admin, "unavailable");
    assert.match(message!, /Pro modules are read-only; ingest continues and no data is lost/);
    const reader = await signIn(ndr.baseUrl, "reader");
    assert.deepEqual(await component(reader, "unavailable"), { status: "unavailable", message: null });
    await recordsComeThrough(world, "10.0.0.2");
    const flows = await admin.get<{ src: { ip: string } }[]>("/api/v1/flows");
    assert.ok(flows.some(({ src }) => src.ip === "10.0.0.1"), "earlier data is still there");
    const analyst = await signIn(ndr.baseUrl, "analyst");
    const [device] = await analyst.get<{ device_id: string; revision: number }[]>("/api/v1/devices");
    const patched = await analyst.patch<{ owner: string }>(
      `/api/v1/devices/${device!.device_id}`,
      { owner: "IT operations" },
      { ifMatch: device!.revision },
    );
    assert.deepEqual([patched.status, patched.data?.owner], [200, "IT operations"]);

    await install({ issued: -100, expires: -1 });
    assert.match((await component(admin, "degraded")).message!, /Pro modules become read-only on/);
    await install("nonsense");
    assert.match((await component(admin, "unavailable")).message!, /license\.jwt is not a signed token/);
    await recordsComeThrough(world, "10.0.0.3");
    await install({ issued: -100, expires: 100 });
    assert.deepEqual(await component(admin, "ok"), { status: "ok", message: null });
    await waitFor(
      async () => (await metrics(ndr.baseUrl)).includes('service_license_state{state="valid"} 1'),
      () => "the metrics are unchanged",
    );
    const expires = NOW / 1e6 + 100 * 86_400;
    assert.deepEqual(await metrics(ndr.baseUrl), [
      "service_license_enabled 1",
      'service_license_state{state="off"} 0',
      'service_license_state{state="valid"} 1',
      'service_license_state{state="grace"} 0',
      'service_license_state{state="expired"} 0',
      'service_license_state{state="invalid"} 0',
      `service_license_expires_timestamp_seconds ${expires}`,
      `service_license_grace_until_timestamp_seconds ${expires + 72 * 3600}`,
      "service_license_seats 5",
    ]);
    await install(null);
    assert.deepEqual(await component(admin, "ok"), { status: "ok", message: "off" });
  }));
