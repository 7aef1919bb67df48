// `ndr doctor` beside the running services.

import assert from "node:assert/strict";
import { callNdr } from "../../support/command.ts";
import { startProcesses } from "../../support/processes.ts";

interface Finding {
  check: string;
  status: string;
  message: string;
}

Deno.test("ndr doctor: finds nothing broken beside running services, and the core gone once it is stopped", async () => {
  const ndr = await startProcesses();
  try {
    await Deno.chmod(`${ndr.configDir}/service.key`, 0o600);
    const examine = async () => {
      const { code, stdout, stderr } = await callNdr(["doctor", "--json"], ndr.env);
      assert.equal(stderr, "");
      const { findings } = JSON.parse(stdout) as { findings: Finding[] };
      return { code, findings, of: (check: string) => findings.filter((one) => one.check === check) };
    };
    const running = await examine();
    assert.deepEqual(running.findings.filter(({ status }) => status === "fail"), []);
    assert.equal(running.code, 0);
    assert.deepEqual(running.of("configuration").map(({ status }) => status), ["pass"]);
    assert.deepEqual(running.of("sign-in").map(({ status }) => status), ["pass"]);
    assert.deepEqual(running.of("services").map(({ status }) => status), ["pass", "pass"]);
    assert.deepEqual(running.of("sensors").map(({ message }) => message), [
      "main-zeek: no record has arrived yet",
      "main-suricata: no record has arrived yet",
      "main-netflow: no record has arrived yet",
    ]);
    const embedded = ndr.databaseUrl.startsWith("embedded:");
    assert.equal(running.of("database").at(-1)!.status, embedded ? "skip" : "pass");

    await ndr.stopCore();
    const stopped = await examine();
    assert.equal(stopped.code, 1);
    assert.deepEqual(stopped.of("services").map(({ status }) => status), ["fail", "pass"]);
    const database = stopped.of("database");
    assert.equal(database.at(-1)!.status, "pass");
    // The server of the tests runs with fsync off.
    for (const { message } of database.slice(0, -1)) assert.match(message, /^fsync is off: /);
    assert.deepEqual(stopped.of("clock").at(-1)!.status, "pass");
    assert.equal(stopped.of("sensors").length, 3);
  } finally {
    await ndr.stop();
  }
});
