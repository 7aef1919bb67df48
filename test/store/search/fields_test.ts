// Each field of the search language finds some real records, and not others.

import assert from "node:assert/strict";
import { FIELD_NAMES, type FieldName, FIELDS } from "../../../src/contract/filter/fields.ts";
import { leavesOf } from "../../../src/contract/filter/normalise.ts";
import { parseText } from "../../../src/contract/filter/parser.ts";
import type { ResultKind } from "../../../src/contract/filter/tree.ts";
import { planSearch } from "../../../src/domain/search/plan.ts";
import { predicateOf } from "../../../src/domain/search/predicate.ts";
import { searchTransaction } from "../../../src/store/search/search-transaction.ts";
import { searchDevices } from "../../../src/store/search/devices.ts";
import { searchFlows } from "../../../src/store/search/flows.ts";
import { searchIncidents } from "../../../src/store/search/incidents.ts";
import { knownValues } from "../../../src/store/search/values.ts";
import { testDatabase } from "../../support/database.ts";
import { rowsInWindow, searchedWorld } from "../../support/store/searched-rows.ts";
import { BROADCASTS, makeSearchWorld, VLANS } from "../../support/store/search-world.ts";

const TENANT = "main";

/** A filter by each field, and the number of rows that it finds. */
const FILTERS: Record<FieldName, [string, number]> = {
  any: ["ja4.example.com", 1],
  time: ["time:2020-04-01", 8],
  first_seen: ["first_seen:2020-04-01T12:00", 4],
  last_seen: ["last_seen<2012-01-01", 4],
  flow: ["flow:0171368a-8d94-7c06-aabe-6d70944d59be", 1],
  ip: ["ip:147.32", 4],
  "src.ip": ["src.ip:(71.6.167.142, 113.107.111.117)", 2],
  "dst.ip": ["dst.ip:74.125.232.0..74.125.232.255", 1],
  port: [":6667", 1],
  "src.port": ["src.port<1024", 96],
  "dst.port": ["dst.port:(80, 8080)", 100],
  country: ["country:RO", 156],
  "src.country": ["src.country:DE", 34],
  "dst.country": ["dst.country:*", 411],
  asn: ["asn:AS13337", 138],
  "src.asn": ["src.asn:13338", 40],
  "dst.asn": ["dst.asn!=13336", 1254],
  vlan: ["vlan:lab", 211],
  direction: ["direction:outbound", 587],
  proto: ["proto:17", 589],
  service: ["service:tls", 277],
  source: ["source:netflow", 9],
  sensor: ["sensor:two-sensors", 23],
  community_id: ['community_id="1:MgUvR/C3ljnuJfL1dGq8fEH+D8Q="', 1],
  bytes: ["bytes>1MB", 31],
  "src.bytes": ["src.bytes:486", 1],
  "dst.bytes": ["dst.bytes:1kB..2kB", 70],
  packets: ["packets>100", 75],
  rate: ["rate>1MB/s", 41],
  duration: ["duration>1m", 94],
  intel: ["intel:google", 1],
  server_name: ["server_name:*.apple.com", 2],
  "dns.query": ["dns.query:*.pandalab.com", 1],
  "dns.answer": ["dns.answer:67.195.204.151", 3],
  "dns.type": ["dns.type=TXT", 1],
  "dns.rcode": ["dns.rcode=NXDOMAIN", 62],
  "tls.version": ["tls.version:1.0", 3],
  ja3: ["ja3:248a2544f4221c0f02f877e42fe67853", 1],
  ja3s: ["ja3s:fd4bc6cea4877646ccd62f0792ec0b62", 61],
  ja4: ["ja4:t13d1516h2_8daaf6152771_b186095e22b6", 1],
  ja4s: ["ja4s:t130200_1301_234ea6891581", 1],
  certificate: ["certificate:e7:1f:92:d3:ec:d2:d5:a3:49:f4:ea:f1:e3:a3:2c:89:ba:62:44:54", 6],
  "certificate.subject": ["certificate.subject:Yahoo.com", 33],
  "certificate.issuer": ["certificate.issuer:DigiCert", 75],
  "http.host": ["http.host:ocsp.*", 10],
  "http.path": ["http.path:/secure/", 1],
  "http.method": ["http.method=POST", 17],
  "http.status": ["http.status>=400", 4],
  user_agent: ["user_agent:Macintosh", 10],
  "ssh.client": ["ssh.client:libssh", 1],
  "ssh.server": ["ssh.server:babeld", 1],
  hassh: ["hassh:ec7378c1a92f5a8dde7e8b7a1ddf33d1", 1],
  hassh_server: ["hassh_server:b12d2871a1189eff20364cf5333619ee", 1],
  user: ["user=alice", 1],
  logon: ["logon:failed", 1],
  "smb.file": ["smb.file:.EXE", 1],
  "smb.share": ["smb.share:admin$", 1],
  alert: ["alert:(checksum, OGNL)", 22],
  "alert.id": ["alert.id:2017318", 1],
  "alert.category": ['alert.category:"privilege gain"', 4],
  anomaly: ["anomaly:invalid", 22],
  device: ["device:172.17", 2],
  "device.id": ["device.id:0159efed-00bb-7fdf-b7d5-341a4a3f3bd0", 1],
  "device.ip": ["device.ip:172.17.0.0/16", 2],
  "device.type": ["device.type=printer", 5],
  owner: ["owner:Álvarez", 2],
  tag: ['tag="server room"', 6],
  "device.vlan": ["device.vlan:office", 17],
  "device.score": ["risk>=40", 5],
  incident: ["incident:0131be14-729a-7361-b310-8720baf96356", 1],
  title: ["title:calls", 103],
  severity: ["severity>=high", 50],
  status: ["status:(open, investigating)", 65],
  score: ["score<30", 30],
  detector: ["detector=threat-intel", 2],
  technique: ["technique:T1071", 38],
  assignee: ["assignee:PÉTER", 14],
};

const KINDS: Record<string, ResultKind> = {
  flow: "flows",
  all: "flows",
  device: "devices",
  incident: "incidents",
};

testDatabase("each field finds some real records and not others", async (db) => {
  await makeSearchWorld(db);
  const world = await searchedWorld(db, TENANT);
  const now = Math.max(...world.flows.map(({ start }) => start)) + 1;
  const counts: Partial<Record<FieldName, [string, number]>> = {};
  for (const field of FIELD_NAMES) {
    const [text] = FILTERS[field];
    const parsed = parseText(text);
    assert.ok(parsed.ok && parsed.condition !== null, `${text} is a filter`);
    if (field !== "any" && field !== "port") {
      assert.ok(leavesOf(parsed.condition).every((leaf) => leaf.field === field), text);
    }
    const kind = KINDS[FIELDS[field].owner]!;
    const window = kind === "flows" ? { from: "1970-01-01", to: "now" } : null;
    const plan = planSearch({ version: 1, kind, where: parsed.condition, window, zone: "UTC" }, {
      now,
      vlans: VLANS,
      broadcasts: BROADCASTS,
    });
    const rows = rowsInWindow(world, { ...plan, window: kind === "flows" ? { from: 0, to: now } : null });
    const search = { flows: searchFlows, devices: searchDevices, incidents: searchIncidents }[kind];
    const { rows: found } = await searchTransaction(
      db,
      TENANT,
      (tx) => search(tx, TENANT, plan, null, rows.length) as Promise<{ rows: unknown[] }>,
    );
    assert.ok(
      found.length > 0 && found.length < rows.length,
      `${text} finds ${found.length} of ${rows.length}`,
    );
    if (plan.where !== null) {
      assert.equal(
        rows.filter(([, row]) => predicateOf(plan.where!, kind, plan.context)(row)).length,
        found.length,
        text,
      );
    }
    counts[field] = [text, found.length];
  }
  assert.deepEqual(counts, FILTERS);
});

testDatabase("an incident is found by the name of its assignee", async (db) => {
  await makeSearchWorld(db);
  const idsOf = async (text: string) => {
    const parsed = parseText(text);
    assert.ok(parsed.ok, text);
    const filter = {
      version: 1,
      kind: "incidents",
      where: parsed.condition,
      window: null,
      zone: "UTC",
    } as const;
    const plan = planSearch(filter, { now: 0, vlans: VLANS });
    const { rows } = await searchTransaction(
      db,
      TENANT,
      (tx) => searchIncidents(tx, TENANT, plan, null, 500),
    );
    return rows.map(({ incident_id }) => incident_id).sort();
  };
  const bySubject = await idsOf("assignee=maria");
  assert.ok(bySubject.length > 0);
  for (
    const text of ["assignee:Ada", 'assignee="ada lopez"', 'assignee:"Ada Lopez"', "assignee:(lopez, nobody)"]
  ) {
    assert.deepEqual(await idsOf(text), bySubject, text);
  }
  assert.deepEqual(await idsOf("-assignee:Ada assignee:*"), await idsOf("assignee:Péter"));
  const query = { field: "assignee", prefix: "ada", since: 0, limit: 10 } as const;
  const values = await db.tenant(TENANT, (tx) => knownValues(tx, TENANT, query));
  assert.deepEqual(values.map(({ text }) => text), ["Ada Lopez"]);
});
