// The real program: what it sends to a registration server, and what it shows of it.

import assert from "node:assert/strict";
import { INSTALL_ID } from "../../../src/contract/telemetry/heartbeat.ts";
import type { HealthReport } from "../../../src/contract/health/health.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { StubServer } from "../../support/telemetry/telemetry.ts";
import { waitFor } from "../../support/transport/transport-programs.ts";
import { signIn, startUp } from "../../support/up.ts";

async function health(baseUrl: string): Promise<HealthReport> {
  return await (await signIn(baseUrl, "reader")).get<HealthReport>("/api/v1/health");
}

Deno.test("ndr up registers with NDR_TELEMETRY_URL once, and sends nothing when restarted", async () => {
  const server = new StubServer();
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-up-" });
  await Deno.mkdir(`${stateDir}/etc`);
  const database = POSTGRES_URL === "" ? null : await freshPostgres();
  const options = {
    stateDir,
    sample: false,
    databaseUrl: database?.url,
    env: { NDR_TELEMETRY: "on", NDR_TELEMETRY_URL: server.origin },
  };
  try {
    const up = await startUp(options);
    await waitFor(() => server.requests.length > 0, () => `no registration:\n${up.output()}`);
    const id = (await Deno.readTextFile(`${stateDir}/etc/install-id`)).trim();
    assert.match(id, INSTALL_ID);
    assert.equal(JSON.parse(server.requests[0]!.body).install_id, id);
    assert.deepEqual(server.take(), ["POST /v1/registrations"]);
    await waitFor(
      async () => (await health(up.baseUrl)).telemetry.last_event_at !== null,
      () => "the registration is not in the health report",
    );
    const { telemetry, update, status } = await health(up.baseUrl);
    assert.deepEqual([telemetry.status, telemetry.message, update.status, update.release], [
      "ok",
      null,
      "ok",
      null,
    ]);
    assert.notEqual(status, "unavailable");
    await up.stop();

    const again = await startUp(options);
    await waitFor(
      async () => (await health(again.baseUrl)).telemetry.last_event_at !== null,
      () => "what was recorded before is not in the health report",
    );
    assert.deepEqual(server.take(), []);
    await again.stop();
  } finally {
    await server.close();
    await database?.drop();
    await Deno.remove(stateDir, { recursive: true });
  }
});

Deno.test("an evaluation reports to no server unless NDR_TELEMETRY_URL is set: disabled, and no install-id", async () => {
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-up-" });
  await Deno.mkdir(`${stateDir}/etc`);
  try {
    const up = await startUp({ stateDir, sample: false, ownDatabase: true, env: { NDR_TELEMETRY: "on" } });
    const { telemetry, update } = await health(up.baseUrl);
    for (const { status, message } of [telemetry, update]) {
      assert.deepEqual([status, message], ["unavailable", "disabled"]);
    }
    assert.deepEqual([...Deno.readDirSync(`${stateDir}/etc`)], []);
    await up.stop();
  } finally {
    await Deno.remove(stateDir, { recursive: true });
  }
});
