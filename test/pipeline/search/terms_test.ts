// Flows are found by what their records say, by their Community ID, and by their external ends.

import assert from "node:assert/strict";
import type { TermKind } from "../../../src/contract/filter/field.ts";
import { communityId } from "../../../src/domain/record/community-id.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { plainArray } from "../../../src/store/engine/literals.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { tupleHashOfCommunityId } from "../../../src/store/flow/flows.ts";
import { completeTerms, termIds, type TermMatch } from "../../../src/store/search/terms.ts";
import { DAY, MINUTE, NOW, SURICATA, ZEEK } from "../../contract/api.ts";
import { alert, conn, dns, eve, http, ssl } from "../../contract/records.ts";
import { testDatabase } from "../../support/database.ts";
import { pushBatch, settle } from "../../support/record/pipeline.ts";

/** The source ports of the flows that a term's postings name, ascending. */
async function flowsWith(db: Database, kind: TermKind, match: TermMatch): Promise<number[]> {
  return await db.tenant("main", async (tx) => {
    const { ids } = await termIds(tx, "main", kind, match, null, 100);
    const rows = await tx.rows<{ src_port: number }>(sql`
      select distinct f.src_port from flow_term t join flow f
        on f.tenant_id = t.tenant_id and f.flow_id = any(t.flow_ids)
        and date_trunc('day', f.anchor_at, 'UTC') = t.day and f.anchor_at >= t.from_at and f.anchor_at <= t.to_at
      where t.tenant_id = 'main' and t.term_id = any(${plainArray(ids)}::bigint[]) order by 1`);
    return rows.map((row) => row.src_port);
  });
}

testDatabase("a flow is found by what its records say, whichever round they came in", async (db) => {
  await registerTenants(db, ["main"]);
  const ends = { src: "10.0.0.5", dst: "198.51.100.7" };
  const at = NOW - 10 * MINUTE;
  const first = [
    conn({ ...ends, at, srcPort: 50_001 }),
    ssl({ ...ends, at, srcPort: 50_001, more: { server_name: "Shop.Example.com" } }),
    dns({ src: "10.0.0.5", srcPort: 50_002, query: "mail.example.com" }),
    http({
      ...ends,
      srcPort: 50_003,
      more: { host: "intra.test", uri: "/login", username: "Ana", status_code: 401 },
    }),
  ];
  await pushBatch(db, ZEEK, first);
  await settle(db);
  // The same flow a second time, another flow of the same name, and a flow of another day.
  const second = [
    ssl({ ...ends, at: at + 1000, srcPort: 50_001, more: { server_name: "shop.example.com" } }),
    ssl({ ...ends, srcPort: 50_004, more: { server_name: "shop.example.com", version: "TLSv10" } }),
    ssl({ ...ends, at: at - DAY, srcPort: 50_005, more: { server_name: "shop.example.com" } }),
  ];
  await pushBatch(db, ZEEK, second);
  await pushBatch(db, SURICATA, [
    alert({ ...ends, srcPort: 50_006, signature: "ET Bad", sid: 7 }),
    eve("ssh", { client: { software_version: "libssh-0.9" } }, { ...ends, srcPort: 50_007 }),
  ]);
  await settle(db);

  const expected: [TermKind, TermMatch, number[]][] = [
    ["server_name", { exact: "shop.example.com" }, [50_001, 50_004, 50_005]],
    ["server_name", { suffix: ".example.com" }, [50_001, 50_004, 50_005]],
    ["tls_version", { exact: "1.0" }, [50_004]],
    ["dns_query", { suffix: ".example.com" }, [50_002]],
    ["http_path", { contains: "log" }, [50_003]],
    ["http_status", { number: { from: 400, to: 499 } }, [50_003]],
    ["user", { exact: "ana" }, [50_003]],
    ["logon", { exact: "failed" }, [50_003]],
    ["alert", { contains: "bad" }, [50_006]],
    ["alert_id", { number: { from: 7, to: 7 } }, [50_006]],
    ["ssh_client", { wildcard: "libssh*" }, [50_007]],
    ["ssh_client", { exact: "libssh" }, []],
  ];
  for (const [kind, match, ports] of expected) {
    assert.deepEqual(await flowsWith(db, kind, match), ports, `${kind} ${JSON.stringify(match)}`);
  }
  const names = await db.tenant("main", (tx) => completeTerms(tx, "main", "server_name", "sh", NOW - DAY, 5));
  assert.equal(names[0]!.records, 4, "records, not flows");
});

testDatabase("a flow is found by its Community ID", async (db) => {
  await registerTenants(db, ["main"]);
  const [src, dst] = ["10.0.0.5", "2001:db8::7"];
  await pushBatch(db, ZEEK, [
    conn({ src, dst: "198.51.100.7", srcPort: 50_001 }),
    conn({ src: "2001:db8::5", dst, srcPort: 50_002 }),
    conn({ src, dst: "198.51.100.7", srcPort: 50_003 }),
  ]);
  await settle(db);
  const find = async (srcIp: string, dstIp: string, srcPort: number) => {
    const id = communityId({ proto: "tcp", srcIp, dstIp, srcPort, dstPort: 443, icmp: null })!;
    const hash = tupleHashOfCommunityId("main", id);
    const rows = await db.tenant("main", (tx) =>
      tx.rows<{ src_port: number }>(sql`
        select src_port from flow where tenant_id = 'main' and tuple_hash = ${hash}::bigint`));
    return rows.map((row) => row.src_port);
  };
  assert.deepEqual(await find(src, "198.51.100.7", 50_001), [50_001]);
  assert.deepEqual(await find("2001:db8::5", dst, 50_002), [50_002]);
  assert.deepEqual(await find(src, "198.51.100.7", 50_009), []);
});

testDatabase("external addresses are known by the day on which they were last seen", async (db) => {
  await registerTenants(db, ["main"]);
  const seen = () =>
    db.tenant("main", async (tx) => {
      const rows = await tx.rows<{ ip: string; day: number }>(
        sql`select host(ip) as ip, seen_day as day from address_geo order by ip`,
      );
      return rows.map(({ ip, day }) => `${ip} ${(day - NOW + NOW % DAY) / DAY}`);
    });
  await pushBatch(db, ZEEK, [
    conn({ dst: "198.51.100.7" }),
    conn({ dst: "198.51.100.7", srcPort: 50_001 }),
    conn({ dst: "2001:db8::7", src: "2001:db8::5", srcPort: 50_002 }),
    conn({ dst: "10.0.0.9", srcPort: 50_003 }),
    conn({ dst: "224.0.0.251", srcPort: 50_004 }),
  ], NOW);
  await settle(db);
  const first = await seen();
  assert.deepEqual(first.filter((line) => line.startsWith("198")), ["198.51.100.7 0"]);
  assert.ok(first.some((line) => line.startsWith("2001:db8::7")));
  assert.deepEqual(first.filter((line) => /^(10|224)\./.test(line)), [], "they have no place");
  await pushBatch(db, ZEEK, [conn({ srcPort: 50_005 })], NOW + DAY);
  await settle(db);
  assert.ok((await seen()).includes("198.51.100.7 1"));
});
