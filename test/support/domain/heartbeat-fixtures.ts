import type { HeartbeatFacts, TenantFacts } from "../../../src/domain/telemetry/heartbeat/facts.ts";

const DEBIAN = 'PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n';

export function tenantFacts(changes: Partial<TenantFacts> = {}): TenantFacts {
  return { devices: 0, connectors: new Map(), learning: "unknown", ingestErrors: 0, ...changes };
}

/** An ordinary installation on the free plan, with one tenant. */
export function heartbeatFacts(changes: Partial<HeartbeatFacts> = {}): HeartbeatFacts {
  return {
    installId: `ins_${"0123456789abcdef".repeat(2)}`,
    productVersion: "0.1.0",
    bundleVersion: "0.1.0-2~deb12u1",
    machine: {
      osRelease: DEBIAN,
      kernelRelease: "6.1.0-18-amd64",
      arch: "x86_64",
      uptimeSeconds: 3 * 86_400,
    },
    license: { plan: "free", keyIdHash: null },
    recordKinds: ["zeek.conn", "zeek.dns", "netflow.flow"],
    tenants: [tenantFacts({ devices: 12, connectors: new Map([["webhook", 1]]) })],
    now: Date.parse("2026-01-31T07:15:00.125Z") * 1000,
    ...changes,
  };
}
