import assert from "node:assert/strict";
import { facts, part } from "../../../test/support/domain/health-report-fixtures.ts";
import type { ConfigurationFacts } from "./configuration.ts";
import { healthReport } from "./report.ts";

const AT = Date.UTC(2026, 0, 31, 11, 58) * 1000;
const REJECTED =
  "the reload at 2026-01-31T11:58:00.000Z was rejected, and the former configuration is in use: ";
const NEXT = "; run ndr config check, correct the files and reload ndr-core";

function seen(configuration: ConfigurationFacts) {
  const report = healthReport(facts({ configuration }));
  const { status, message } = part(report, "configuration");
  return [report.status, status, message];
}

Deno.test("a rejected reload degrades the configuration and names where its faults are", () => {
  assert.deepEqual(seen({ rejected: null, newTenants: 0 }), ["ok", "ok", null]);
  const rejected = (places: string[]) => seen({ rejected: { at: AT, places }, newTenants: 1 })[2];
  assert.deepEqual(seen({ rejected: { at: AT, places: ["/etc/ndr/sites.yaml:4:5"] }, newTenants: 0 }), [
    "degraded",
    "degraded",
    `${REJECTED}fault at /etc/ndr/sites.yaml:4:5${NEXT}`,
  ]);
  assert.equal(rejected([]), `${REJECTED}the log of the service has the reason${NEXT}`);
  assert.equal(
    rejected(["a:1", "a:2", "a:3", "a:4", "b:1", "b:2", "c"]),
    `${REJECTED}faults at a:1, a:2, a:3, a:4, b:1, and 2 more${NEXT}`,
  );
});

Deno.test("tenants that a reload added are not served before the next start", () => {
  const message = (newTenants: number) => seen({ rejected: null, newTenants });
  assert.deepEqual(message(1), [
    "degraded",
    "degraded",
    "1 tenant added by a reload is not served yet: restart ndr-core",
  ]);
  assert.equal(message(2)[2], "2 tenants added by a reload are not served yet: restart ndr-core");
});

Deno.test("without a configuration to reload there is no component", () => {
  assert.equal(healthReport(facts()).components.some(({ kind }) => kind === "configuration"), false);
});
