import assert from "node:assert/strict";
import { Faults } from "./yaml/faults.ts";
import { loadCoreConfig } from "./load.ts";
import { requireSecureTelemetry } from "./telemetry.ts";

function faultsOf(telemetryUrl: string | null): string[] {
  const faults = new Faults();
  const input = {
    env: () => undefined,
    readFile: () => new TextEncoder().encode("# telemetry\nNDR_TELEMETRY_URL=http://127.0.0.1:9000\n"),
  };
  requireSecureTelemetry(input, { configDir: "/etc/ndr", telemetryUrl }, faults);
  return faults.list.map(({ file, line, message }) => `${file}:${line} ${message}`);
}

Deno.test("NDR_TELEMETRY_URL must be https in production, even to this machine", () => {
  assert.deepEqual(faultsOf(null), []);
  assert.deepEqual(faultsOf("https://registration.example"), []);
  const [fault, ...more] = faultsOf("http://127.0.0.1:9000");
  assert.match(fault!, /^\/etc\/ndr\/ndr\.env:2 NDR_TELEMETRY_URL: expected an https origin/);
  assert.deepEqual(more, []);
});

Deno.test("ndr core does not start with a registration server on plain http", () => {
  const variables: Record<string, string> = {
    NDR_CONFIG_DIR: "/nowhere",
    NDR_TELEMETRY_URL: "http://127.0.0.1:9000",
  };
  const input = {
    env: (name: string) => variables[name],
    readFile: () => {
      throw new Deno.errors.NotFound("not there");
    },
  };
  assert.throws(() => loadCoreConfig(input), /NDR_TELEMETRY_URL: expected an https origin/);
  variables.NDR_TELEMETRY_URL = "https://registration.example";
  assert.throws(() => loadCoreConfig(input), (error: Error) => !error.message.includes("NDR_TELEMETRY_URL"));
});
