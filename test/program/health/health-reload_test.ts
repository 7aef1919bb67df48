import assert from "node:assert/strict";
import { HealthReport } from "../../../src/contract/health/health.ts";
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
  } finally {
    await ndr.stop();
  }
});
