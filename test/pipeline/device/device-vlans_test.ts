// The VLANs of devices: from the tags sensors saw, otherwise from the site's networks.

import assert from "node:assert/strict";
import { parseSites } from "../../../src/config/sites.ts";
import { Faults } from "../../../src/config/yaml/faults.ts";
import { assignVlansByAddress } from "../../../src/core/jobs/device-upkeep.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { line, push, sensor, settle } from "../../support/record/pipeline.ts";

const ZEEK = sensor("zeek-1");
const [SITE] = parseSites(
  `sites:
  - tenant_id: main
    vlans:
      - { vlan_id: 10, name: Staff, cidrs: [10.1.0.0/16, "fd00:1::/64"] }
      - { vlan_id: 11, name: Printers, cidrs: [10.1.9.0/24] }
      - { vlan_id: 20, name: Servers, cidrs: [10.2.0.0/16] }
`,
  "sites.yaml",
  new Faults(),
);

let count = 0;

/** An established TCP connection. */
function conn(src: string, dst: string, vlan?: number): string {
  count++;
  const ts = 1_700_000_000 + count;
  return line("zeek.conn", new Date(ts * 1000).toISOString(), {
    ts,
    uid: `C${count}`,
    "id.orig_h": src,
    "id.orig_p": 40_000 + count,
    "id.resp_h": dst,
    "id.resp_p": 443,
    proto: "tcp",
    duration: 1,
    orig_bytes: 100,
    resp_bytes: 200,
    orig_pkts: 4,
    resp_pkts: 4,
    ...(vlan === undefined ? {} : { vlan }),
  });
}

/** `address: VLAN source, …` of every address. */
async function vlans(db: Database): Promise<Record<string, string>> {
  const rows = await db.tenant("main", (tx) =>
    tx.rows<{ ip: string; vlans: string }>(sql`
      select host(a.ip) as ip, coalesce(string_agg(v.vlan_id || ' ' || v.source, ', ' order by v.vlan_id), '') as vlans
      from device_address a left join device_vlan v on v.tenant_id = a.tenant_id and v.device_id = a.device_id
      group by a.ip order by a.ip`));
  return Object.fromEntries(rows.map((row) => [row.ip, row.vlans]));
}

const LINES = [
  conn("10.1.0.5", "198.51.100.7"),
  conn("10.1.9.5", "198.51.100.7"),
  conn("fd00:1::5", "2001:db8::7"),
  conn("192.168.7.7", "198.51.100.7"),
  // Tags: one unknown to the networks, one in addition, and one of a routed packet.
  conn("10.1.0.6", "198.51.100.7"),
  conn("10.1.0.6", "198.51.100.7", 99),
  conn("10.1.0.7", "198.51.100.7", 10),
  conn("10.1.0.7", "198.51.100.7", 12),
  conn("10.1.0.8", "10.2.0.1", 10),
  conn("192.168.7.8", "198.51.100.7", 30),
];

const EXPECTED = {
  "10.1.0.5": "10 network",
  "10.1.0.6": "99 tag",
  "10.1.0.7": "10 tag, 12 tag",
  "10.1.0.8": "10 tag",
  "10.1.9.5": "11 network",
  "10.2.0.1": "20 network",
  "192.168.7.7": "",
  "192.168.7.8": "30 tag",
  "fd00:1::5": "10 network",
};

testDatabase(
  "a tag determines a device's VLAN; without one, the longest prefix of the site's networks does",
  async (db) => {
    await push(db, ZEEK, LINES);
    await settle(db, SITE);
    assert.deepEqual(await vlans(db), EXPECTED);
  },
);

testDatabase("a tag replaces a guessed VLAN, however the batches are cut", async (db) => {
  for (const one of LINES) {
    await push(db, ZEEK, [one]);
    await settle(db, SITE);
  }
  assert.deepEqual(await vlans(db), EXPECTED);
});

testDatabase("guessed VLANs change with the site's networks", async (db) => {
  await push(db, ZEEK, LINES);
  await settle(db);
  const tagsOnly = Object.fromEntries(
    Object.entries(EXPECTED).map(([ip, text]) => [ip, text.includes("tag") ? text : ""]),
  );
  // Without configured networks, the tag of a routed packet may belong to either endpoint.
  assert.deepEqual(await vlans(db), { ...tagsOnly, "10.2.0.1": "10 tag" });

  await assignVlansByAddress(db, "main", SITE!.site);
  assert.deepEqual(await vlans(db), { ...EXPECTED, "10.2.0.1": "10 tag" });
  await assignVlansByAddress(db, "main", { vlans: [{ vlan_id: 40, name: "All", cidrs: ["10.0.0.0/8"] }] });
  assert.deepEqual(await vlans(db), {
    ...tagsOnly,
    "10.1.0.5": "40 network",
    "10.1.9.5": "40 network",
    "10.2.0.1": "10 tag",
  });
  await assignVlansByAddress(db, "main", { vlans: [] });
  assert.deepEqual(await vlans(db), { ...tagsOnly, "10.2.0.1": "10 tag" });
});
