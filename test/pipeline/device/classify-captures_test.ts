// Device types of real captures. The expected types were checked by hand: from the machines documented in the
// capture's origin, otherwise from all traffic of each device.

import assert from "node:assert/strict";
import { defaultSite } from "../../../src/config/sites.ts";
import { classifyDue } from "../../../src/core/jobs/classify-devices.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { parseCidr } from "../../../src/kit/net/ip.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { linesOfFiles, push, sensor, settle } from "../../support/record/pipeline.ts";

const DATA = new URL("../../data/", import.meta.url).pathname;

interface Capture {
  name: string;
  files: string[];
  networks?: string[];
  types: Record<string, string>;
}

const CAPTURES: Capture[] = [
  {
    name: "apt29: NEWYORK, the domain controller, two of its members, and the attackers' two servers",
    files: [
      "sample/apt29-nashua/conn.ndjson.gz",
      "sample/apt29-nashua/dns.ndjson",
      "captures/apt29-scranton/conn.ndjson.gz",
      "captures/apt29-scranton/dns.ndjson",
    ],
    types: {
      "10.0.0.4": "domain_controller",
      "10.0.1.4": "workstation",
      "10.0.1.6": "workstation",
      "192.168.0.4": "web_server",
      "192.168.0.5": "web_server",
    },
  },
  {
    name: "m57: four people's computers, and the office server that does everything",
    files: ["captures/m57/conn.log.gz", "captures/m57/dns.log.gz"],
    types: {
      "192.168.1.1": "server",
      "192.168.1.102": "workstation",
      "192.168.1.103": "workstation",
      "192.168.1.104": "workstation",
      "192.168.1.105": "workstation",
    },
  },
  {
    name: "brobeat: an infected client, and the DHCP server of its virtual network",
    files: ["sample/brobeat/conn.log", "sample/brobeat/dns.log"],
    types: { "172.16.253.129": "workstation", "172.16.253.254": "dhcp_server" },
  },
  {
    name: "zat: a domain controller and a member",
    files: ["captures/zat/conn.ndjson.gz", "captures/zat/dns.ndjson.gz"],
    types: { "10.18.20.8": "domain_controller", "10.18.20.97": "workstation" },
  },
  {
    name: "lsass-01: half of the packets suffice to recognise the domain controller and its member",
    files: ["captures/lsass-01/conn.log", "captures/lsass-01/dns.log"],
    types: { "10.0.5.13": "web_server", "192.168.1.4": "domain_controller", "192.168.1.41": "workstation" },
  },
  {
    name: "suricatalog: a spam bot that browses, and the resolver, about which no more is visible",
    files: ["captures/suricatalog/eve-2.ndjson.gz"],
    types: { "10.2.8.8": "dns_server", "10.2.8.102": "workstation" },
  },
  {
    name: "two sensors: a host that refuses every connection serves nothing",
    files: ["captures/two-sensors/conn.log", "captures/two-sensors/eve.ndjson.gz"],
    types: { "192.168.168.10": "unknown", "192.168.168.100": "unknown" },
  },
  {
    name: "saitama: a resolver, and a client that only queries it",
    files: ["sample/saitama/conn.ndjson", "sample/saitama/dns.ndjson"],
    types: { "192.168.1.100": "dns_server", "192.168.1.112": "unknown" },
  },
  {
    name: "ctu13: a sweep makes neither the scanner nor its targets servers",
    files: ["captures/ctu13-rbot/conn.ndjson.gz", "captures/ctu13-rbot/dns.ndjson.gz"],
    networks: ["147.32.0.0/16"],
    types: { "147.32.80.9": "dns_server", "147.32.84.165": "unknown", "147.32.84.171": "unknown" },
  },
];

async function typesOf(db: Database, tenantId: string): Promise<Record<string, string>> {
  const rows = await db.tenant(tenantId, (tx) =>
    tx.rows<{ ip: string; type: string; sound: boolean }>(sql`
      select host(a.ip) as ip, d.device_type as type, d.classification_source = 'observed'
        and d.confidence = c.confidence and d.device_type = c.device_type
        and (d.device_type = 'unknown') = (cardinality(c.reasons) = 0) as sound
      from device_address a join device d on d.tenant_id = a.tenant_id and d.device_id = a.device_id
      join device_classification c on c.tenant_id = a.tenant_id and c.device_id = a.device_id order by a.ip`));
  for (const row of rows) assert.ok(row.sound, `${tenantId} ${row.ip}`);
  return Object.fromEntries(rows.map((row) => [row.ip, row.type]));
}

testDatabase("every device of a capture gets its real type, or none", async (db) => {
  const seen: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  for (const [index, { name, files, networks, types }] of CAPTURES.entries()) {
    const tenantId = `capture-${index}`;
    const site = defaultSite(tenantId);
    const own = networks
      ? { networks: networks.map((text) => parseCidr(text)!), networksAssumed: false }
      : {};
    await push(db, sensor("sensor-1", { tenantId }), await linesOfFiles(...files.map((file) => DATA + file)));
    await settle(db, { ...site, ...own, tenantId });
    assert.ok(await classifyDue(db, tenantId, systemClock.now(), 1000) > 0);
    seen[name] = await typesOf(db, tenantId);
    expected[name] = types;
  }
  assert.deepEqual(seen, expected);
});
