import assert from "node:assert/strict";
import { Faults } from "./faults.ts";
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
