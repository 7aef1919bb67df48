// Real captures, and exactly the incidents that these detectors can see in them. The ORIGIN.md beside each
// capture states what is malicious.

import assert from "node:assert/strict";
import { defaultSite, type SiteConfig } from "../../../src/config/sites.ts";
import type { Severity } from "../../../src/contract/record/kinds.ts";
import { parseCidr } from "../../../src/kit/net/ip.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { linesOfFiles, push, sensor, settle } from "../../support/record/pipeline.ts";

const DATA = new URL("../../data/", import.meta.url).pathname;

/**
 * Title, severity, and device addresses starting with the main device; in the order the incidents were
 * opened.
 */
type Expected = [title: string, severity: Severity, ...devices: string[]];

interface Capture {
  name: string;
  files: string[];
  /** The site's networks, if not the private ones. */
  networks?: string[];
  incidents: Expected[];
  /** Expected device addresses, for captures where they matter. */
  devices?: string[];
}

const CAPTURES: Capture[] = [
  {
    name: "brobeat: a beacon over HTTP; equally regular DHCP renewals are not one",
    files: ["sample/brobeat/conn.log", "sample/brobeat/dns.log"],
    incidents: [["Beaconing from 172.16.253.129 to 188.173.32.149:91", "high", "172.16.253.129"]],
    devices: ["172.16.253.129", "172.16.253.254"],
  },
  {
    name: "apt29, nashua: active command and control, too fast for a rhythm",
    files: ["sample/apt29-nashua/conn.ndjson.gz", "sample/apt29-nashua/dns.ndjson"],
    incidents: [
      ["10.0.1.4 takes control of 10.0.1.6 over SMB, Windows RPC and WinRM", "high", "10.0.1.4", "10.0.1.6"],
      ["Strobe: 10.0.1.6 connects to 192.168.0.4:8443 without pause", "medium", "10.0.1.6"],
    ],
  },
  {
    name: "apt29, scranton: lateral movement",
    files: ["captures/apt29-scranton/conn.ndjson.gz", "captures/apt29-scranton/dns.ndjson"],
    incidents: [[
      "10.0.1.4 takes control of 10.0.1.6 over SMB, Windows RPC and WinRM",
      "high",
      "10.0.1.4",
      "10.0.1.6",
    ]],
  },
  {
    name: "saitama: a DNS tunnel, and regular queries to the resolver",
    files: ["sample/saitama/conn.ndjson", "sample/saitama/dns.ndjson"],
    incidents: [[
      "192.168.1.112: tunnelling data in lookups below saitama-fake-domain-three.com",
      "high",
      "192.168.1.112",
    ]],
  },
  {
    name: "cdmcs: the alerts of a training course, without the sensor's notices",
    files: ["sample/cdmcs/eve.ndjson.gz"],
    incidents: [[
      "Signs of a successful attack on 10.0.2.15 (GPL ATTACK_RESPONSE)",
      "medium",
      "10.0.2.15",
    ]],
  },
  {
    name: "wrccdc: 161 alerts of a competition, by device and family",
    files: ["sample/wrccdc-2017/alerts.json"],
    incidents: [
      [
        "10.192.5.200: attack attempts (ET EXPLOIT), also scans other hosts (ET SCAN)",
        "medium",
        "10.192.5.200",
        "10.10.8.6",
        "172.16.14.21",
        "10.10.1.2",
      ],
      [
        "10.192.91.91: attack attempts (ET WEB_SERVER) and 2 more findings",
        "medium",
        "10.192.91.91",
        "10.10.1.14",
        "10.10.1.115",
        "10.10.1.6",
        "10.10.1.8",
        "10.10.1.87",
      ],
      [
        "Signs of a successful attack on 10.255.255.69 (GPL ATTACK_RESPONSE)",
        "medium",
        "10.255.255.69",
        "10.10.7.9",
        "10.10.3.184",
      ],
      ["10.250.250.250 scans other hosts (ET SCAN)", "low", "10.250.250.250", "10.10.3.10"],
      ["10.10.3.71 scans other hosts (ET SCAN)", "low", "10.10.3.71"],
      ["Malware traffic of 10.10.1.185 (ET MALWARE)", "medium", "10.10.1.185"],
      ["10.10.2.9 scans other hosts (ET SCAN)", "low", "10.10.2.9", "10.0.0.111"],
      ["Alerts about 10.192.0.6 (ET WEB_CLIENT)", "low", "10.192.0.6"],
      ["Malware traffic of 10.10.8.6 (ET MALWARE)", "medium", "10.10.8.6"],
      ["Attack attempts from 10.192.192.251 (ET WEB_SERVER)", "medium", "10.192.192.251", "172.16.22.66"],
      [
        "Signs of a successful attack on 172.16.27.74 (ET ATTACK_RESPONSE)",
        "high",
        "172.16.27.74",
        "10.250.250.250",
      ],
      ["Malware traffic of 10.10.1.107 (ET WORM)", "medium", "10.10.1.107", "172.16.31.94"],
      ["Alerts about 10.10.1.9 (ET CURRENT_EVENTS)", "low", "10.10.1.9", "10.192.0.83"],
      ["Alerts about 10.192.0.83 (ET CURRENT_EVENTS)", "low", "10.192.0.83", "10.10.1.9"],
      ["10.192.0.83: alerts (ET CURRENT_EVENTS), then malware traffic (ET MALWARE)", "medium", "10.192.0.83"],
      ["Attack attempts against 10.10.4.50 (ET EXPLOIT)", "medium", "10.10.4.50"],
      ["Attack attempts from 10.10.7.31 (ET DOS)", "medium", "10.10.7.31", "172.16.27.66"],
      ["Attack attempts from 10.192.166.1 (ET WEB_SERVER)", "medium", "10.192.166.1", "172.16.22.51"],
      ["Attack attempts from 10.10.2.200 (ET EXPLOIT)", "medium", "10.10.2.200", "172.16.32.77"],
      ["Signs of a successful attack on 172.16.24.74 (ET ATTACK_RESPONSE)", "medium", "172.16.24.74"],
      ["Attack attempts from 10.192.0.158 (ET EXPLOIT)", "medium", "10.192.0.158", "10.10.4.2"],
      ["Malware traffic of 10.10.3.73 (ET CNC)", "high", "10.10.3.73"],
    ],
  },
  {
    name: "honeypot: neither endpoint is a device, so the incidents are about the target's address",
    files: ["captures/honeypot-2018/alerts.json"],
    incidents: [
      ["138.68.3.71 is being scanned (ET SCAN)", "low"],
      ["138.68.3.71 is contacted by addresses with a bad reputation", "low"],
    ],
    devices: [],
  },
  {
    name: "honeypot, configured as a network of the site",
    files: ["captures/honeypot-2018/alerts.json"],
    networks: ["138.68.3.0/24"],
    incidents: [[
      "138.68.3.71: being scanned (ET SCAN) and 1 more finding",
      "low",
      "138.68.3.71",
    ]],
    devices: ["138.68.3.71"],
  },
  {
    name: "m57: a day of a small office",
    files: ["captures/m57/conn.log.gz", "captures/m57/dns.log.gz"],
    incidents: [],
  },
  {
    name: "lsass-01: a half-duplex capture of command and control without a rhythm",
    files: ["captures/lsass-01/conn.log", "captures/lsass-01/dns.log"],
    incidents: [],
  },
  {
    name: "ctu13: an SSH sweep is not a beacon, and its broadcasts reach no device",
    files: ["captures/ctu13-rbot/conn.ndjson.gz", "captures/ctu13-rbot/dns.ndjson.gz"],
    networks: ["147.32.0.0/16"],
    incidents: [["147.32.84.165 scans hosts outside for port 22 (SSH)", "high", "147.32.84.165"]],
    devices: ["147.32.84.165", "147.32.84.171", "147.32.80.9"],
  },
  {
    name: "surevego: alerts labelled not suspicious by their own rules",
    files: ["captures/surevego/eve.ndjson.gz"],
    incidents: [],
  },
  {
    name: "suricatalog: a spam bot whose alerts are only about protocol grammar",
    files: ["captures/suricatalog/eve-2.ndjson.gz"],
    incidents: [[
      "10.2.8.102 contacts many mail servers outside, like a spam bot",
      "high",
      "10.2.8.102",
    ]],
    devices: ["10.2.8.102", "10.2.8.8"],
  },
  {
    name: "two sensors: a thousand checksum alerts",
    files: ["captures/two-sensors/conn.log", "captures/two-sensors/eve.ndjson.gz"],
    incidents: [],
    devices: ["192.168.168.100", "192.168.168.10"],
  },
  {
    name: "zat: nothing known",
    files: ["captures/zat/conn.ndjson.gz", "captures/zat/dns.ndjson.gz"],
    incidents: [],
  },
];

function siteOf({ networks }: Capture): SiteConfig {
  const site = defaultSite("main");
  if (!networks) return site;
  return { ...site, networks: networks.map((text) => parseCidr(text)!), networksAssumed: false };
}

async function incidentsOf(db: Database, tenantId: string): Promise<Expected[]> {
  const rows = await db.tenant(
    tenantId,
    (tx) =>
      tx.rows<{ title: string; severity: Severity; devices: string[] }>(sql`
      select i.title, i.severity, array(
        select host(a.ip) from incident_device x
        join device_address a on a.tenant_id = x.tenant_id and a.device_id = x.device_id
        where x.tenant_id = i.tenant_id and x.incident_id = i.incident_id order by x.ordinal) as devices
      from incident i order by i.incident_no`),
  );
  return rows.map(({ title, severity, devices }) => [title, severity, ...devices]);
}

async function devicesOf(db: Database, tenantId: string): Promise<string[]> {
  const rows = await db.tenant(
    tenantId,
    (tx) => tx.rows<{ ip: string }>(sql`select host(ip) as ip from device_address`),
  );
  return rows.map(({ ip }) => ip).sort();
}

testDatabase("every capture yields the incidents visible in it, and no others", async (db) => {
  const seen: Record<string, unknown> = {};
  const expected: Record<string, unknown> = {};
  // Each capture has its own tenant, to keep them independent.
  for (const [index, capture] of CAPTURES.entries()) {
    const { name, files, incidents, devices } = capture;
    const tenantId = `capture-${index}`;
    await push(db, sensor("sensor-1", { tenantId }), await linesOfFiles(...files.map((file) => DATA + file)));
    await settle(db, { ...siteOf(capture), tenantId });
    seen[name] = { incidents: await incidentsOf(db, tenantId), devices: await devicesOf(db, tenantId) };
    expected[name] = { incidents, devices: devices?.toSorted() ?? await devicesOf(db, tenantId) };
  }
  assert.deepEqual(seen, expected);
});
