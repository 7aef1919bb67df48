import assert from "node:assert/strict";
import { HealthReport } from "../../../src/contract/health/health.ts";
import { callNdr } from "../../support/command.ts";
import { startProcesses } from "../../support/processes.ts";
import { signIn } from "../../support/up.ts";

Deno.test("health: after a reload the report has the currently enabled sensors", async () => {
  const ndr = await startProcesses();
  try {
    const admin = await signIn(ndr.baseUrl, "admin");
    const sensors = async () =>
      HealthReport.parse(await admin.get("/api/v1/health")).components
        .filter(({ kind }) => kind === "sensor").map(({ id }) => id);
    assert.deepEqual(await sensors(), ["sensor:main-zeek", "sensor:main-suricata", "sensor:main-netflow"]);
    const path = `${ndr.configDir}/sources.yaml`;
    const text = await Deno.readTextFile(path);
    await Deno.writeTextFile(path, text.replace("sensor_id: main-suricata", "$&\n    enabled: false"));
    await ndr.reloadCore();
    assert.deepEqual(await sensors(), ["sensor:main-zeek", "sensor:main-netflow"]);
    await Deno.writeTextFile(path, text);
    await ndr.reloadCore();
    assert.equal((await sensors()).length, 3);

    // The core started without the variable of the new sensor's token; since then it is in ndr.env.
    const tokens = ndr.sources.map(({ token }, index) => [`SOURCE_TOKEN_${index}`, token]);
    const env = { NDR_CONFIG_DIR: ndr.configDir, ...Object.fromEntries(tokens) };
    const added = await callNdr(["sources", "add", "zeek-2", "--tenant", "main"], env);
    assert.equal(added.code, 0, added.stderr);
    await ndr.reloadCore();
    assert.equal((await sensors()).at(-1), "sensor:zeek-2");

    // With an embedded database the core is asked, which has it open; else the database.
    const sent = await fetch(`${ndr.coreUrl}/internal/v1/ingest/events`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await Deno.readTextFile(`${ndr.configDir}/secrets/zeek-2.token`)}`,
        "content-type": "application/x-ndjson",
      },
      body: JSON.stringify({ kind: "zeek.conn", observed_at: new Date().toISOString(), payload: {} }),
    });
    assert.equal(sent.status, 200, await sent.text());
    const listed = await callNdr(["sources", "list", "--json"], {
      ...env,
      NDR_SERVICE_KEY_FILE: `${ndr.configDir}/service.key`,
      NDR_CORE_LISTEN: new URL(ndr.coreUrl).host,
      NDR_DATABASE_URL: ndr.databaseUrl,
    });
    assert.deepEqual([listed.code, listed.stderr], [0, ""]);
    const last = listed.stdout.trim().split("\n").map((line) => JSON.parse(line)).map((
      one,
    ) => [one.sensor_id, one.last_record_at !== null]);
    assert.deepEqual(last, [["main-zeek", false], ["main-suricata", false], ["main-netflow", false], [
      "zeek-2",
      true,
    ]]);
  } finally {
    await ndr.stop();
  }
});
