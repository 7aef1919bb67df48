// Networks that look local and are not configured, through ingest, pipeline and health report: the site of the report,
// whose IPv6 prefix is missing (192 of 555 connections), and real captures with and without their networks configured.

import assert from "node:assert/strict";
import { HealthReporter } from "../../../src/core/health-reporter.ts";
import { redactReport } from "../../../src/domain/health/redact.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { parseCidr } from "../../../src/kit/net/ip.ts";
import { formatMicros } from "../../../src/kit/time.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { freshDatabase, testDatabase } from "../../support/database.ts";
import { line, linesOfFiles, push, sensor, settle } from "../../support/record/pipeline.ts";
import { assertSameSnapshot, type Snapshot, snapshot } from "../../support/record/snapshot.ts";

const DATA = new URL("../../data/", import.meta.url).pathname;
const T0 = 1_790_000_000_000_000;

/** Networks of a site; null if none is configured and private ranges are assumed. */
type Networks = readonly string[] | null;

function settings(networks: Networks) {
  if (networks === null) return {};
  return { networks: networks.map((text) => parseCidr(text)!), networksAssumed: false };
}

/** The message of the health component, for administrators; null without one. */
async function suggestion(db: Database, networks: Networks): Promise<string | null> {
  const sites = networks === null ? undefined : new Map([["main", {
    networks: networks.map((text) => parseCidr(text)!),
    networksAssumed: false,
  }]]);
  const report = await new HealthReporter({ db, tenants: new Map(), sites }).report(
    "main",
    systemClock.now(),
  );
  const component = report.components.find(({ id }) => id === "networks");
  if (component === undefined) return null;
  assert.deepEqual([component.kind, component.status], ["networks", "degraded"]);
  assert.notEqual(report.status, "degraded", "a suggestion does not change the overall status");
  const redacted = redactReport(report).components.find(({ id }) => id === "networks")!;
  assert.equal(redacted.message, null, "addresses are for administrators");
  return component.message;
}

/** Ingests the lines in requests of this size, and processes them with these networks. */
async function run(
  db: Database,
  lines: readonly string[],
  networks: Networks,
  batchSize = 500,
): Promise<void> {
  await registerTenants(db, ["main"]);
  await push(db, sensor("zeek-1"), lines, batchSize);
  await settle(db, settings(networks));
}

const CONNECTIONS = 555;
const ON_IPV6 = 192;

/** A site with two address families: 20 clients that use servers of 60 providers, and each other over IPv4. */
function dualStackSite(): string[] {
  const isV6 = (n: number) =>
    Math.floor((n + 1) * ON_IPV6 / CONNECTIONS) > Math.floor(n * ON_IPV6 / CONNECTIONS);
  return Array.from({ length: CONNECTIONS }, (_, n) => {
    const client = n % 20 + 1;
    const at = T0 + n * 1_000_000;
    const [from, to] = isV6(n)
      ? [`2001:db8:26:9::${client.toString(16)}`, `2a00:${(n % 60 + 1).toString(16)}::443`]
      : [`10.26.9.${client}`, n % 3 === 0 ? `10.26.9.${n % 20 + 100}` : `${n % 60 + 100}.7.7.7`];
    return line("zeek.conn", formatMicros(at), {
      ts: at / 1e6,
      uid: `C${n}`,
      "id.orig_h": from,
      "id.orig_p": 40_000 + n,
      "id.resp_h": to,
      "id.resp_p": 443,
      proto: "tcp",
      conn_state: "SF",
      duration: 0.5,
      orig_bytes: 900,
      orig_pkts: 9,
      resp_bytes: 5000,
      resp_pkts: 8,
    });
  });
}

testDatabase("a site whose IPv6 prefix is not configured is told to add it", async (db) => {
  const lines = dualStackSite();
  assert.equal(lines.filter((text) => text.includes("2001:db8:26:9:")).length, ON_IPV6);
  await run(db, lines, ["10.26.0.0/16"]);
  assert.equal(
    await suggestion(db, ["10.26.0.0/16"]),
    "1 network looks local and is not in sites.yaml: hosts there are no devices. Add to networks what belongs to " +
      'the site: "- 2001:db8:26:9::/64" (about 18 addresses)',
  );
  assert.equal(await suggestion(db, ["10.26.0.0/16", "2001:db8:26::/48"]), null, "once it is configured");
});

testDatabase(
  "without sites.yaml the suggestion names the private ranges, which are then no longer assumed",
  async (db) => {
    await run(db, dualStackSite(), null);
    assert.match(
      (await suggestion(db, null))!,
      /"- 2001:db8:26:9::\/64" \(about 18 addresses\); add the private ranges/,
    );
  },
);

for (
  const { capture, files, networks, expected } of [
    // Offices and laboratories whose own networks are missing, or not.
    {
      capture: "captures/m57",
      files: ["conn.log.gz"],
      networks: ["10.0.0.0/8"],
      expected: ["192.168.1.0/24"],
    },
    { capture: "captures/m57", files: ["conn.log.gz"], networks: ["192.168.1.0/24"], expected: [] },
    {
      capture: "sample/brobeat",
      files: ["conn.log"],
      networks: ["10.0.0.0/8"],
      expected: ["172.16.253.0/24"],
    },
    {
      capture: "sample/cdmcs",
      files: ["eve.ndjson.gz"],
      networks: ["172.16.0.0/12"],
      expected: ["10.0.2.0/24"],
    },
    { capture: "sample/cdmcs", files: ["eve.ndjson.gz"], networks: null, expected: [] },
    // A single host that scans hundreds of servers, and one that sends mail to hundreds.
    { capture: "captures/ctu13-rbot", files: ["conn.ndjson.gz"], networks: null, expected: [] },
    { capture: "captures/suricatalog", files: ["eve-2.ndjson.gz"], networks: ["10.2.8.0/24"], expected: [] },
  ]
) {
  const given = networks?.join(", ") ?? "the assumed networks";
  testDatabase(`${capture} with ${given} suggests ${expected.join(", ") || "nothing"}`, async (db) => {
    await run(db, await linesOfFiles(...files.map((file) => `${DATA}${capture}/${file}`)), networks);
    const message = await suggestion(db, networks);
    assert.deepEqual([...(message ?? "").matchAll(/"- ([^"]+)"/g)].map(([, network]) => network), expected);
  });
}

Deno.test("networks that look local are the same for batches of any size", async () => {
  let reference: Snapshot | null = null;
  for (const batchSize of [1, 50, CONNECTIONS]) {
    const db = await freshDatabase();
    try {
      await run(db, dualStackSite(), ["10.26.0.0/16"], batchSize);
      const taken = await snapshot(db);
      reference ??= taken;
      assertSameSnapshot(taken, reference, `${batchSize} lines`);
    } finally {
      await db.close();
    }
  }
});
