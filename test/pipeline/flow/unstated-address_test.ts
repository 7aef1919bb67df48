// Addresses of no host: one that no record states, and the broadcast address of a network.

import assert from "node:assert/strict";
import { parseCidr } from "../../../src/kit/net/ip.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { line, push, sensor, settle } from "../../support/record/pipeline.ts";

const EXPORTER = sensor("exporter-1", { trust: "exporter" });
const AT = "2026-01-31T12:00:00Z";
const SECOND = Date.parse(AT) / 1000;
/** Networks of a site that claims every address. */
const EVERYTHING = ["0.0.0.0/0", "::/0"].map((text) => parseCidr(text)!);

/** Flow exports of 10.0.0.5 to 60 ports of one address, which never answers. */
function sweep(dst: string): string[] {
  return Array.from({ length: 60 }, (_, index) =>
    line("netflow.flow", AT, {
      src_addr: "10.0.0.5",
      dst_addr: dst,
      src_port: 40_000 + index,
      dst_port: 100 + index,
      proto: "TCP",
      tcp_flags: 2,
      bytes: 60,
      packets: 1,
      time_flow_start: SECOND + index,
      time_flow_end: SECOND + index,
    }));
}

for (
  const [dst, titles] of [
    // The control: the same records about a host.
    ["198.51.100.7", 1],
    ["0.0.0.0", 0],
    ["::", 0],
  ] as const
) {
  testDatabase(
    `exports to ${dst} are ${titles === 0 ? "no" : "a"} scan of it, and its flows remain`,
    async (db) => {
      await push(db, EXPORTER, sweep(dst));
      await settle(db, titles === 0 ? { networks: EVERYTHING } : {});
      await db.tenant("main", async (tx) => {
        const [flows] = await tx.rows<{ count: number }>(
          sql`select count(*)::integer as count from flow where host(dst_ip) = ${dst}`,
        );
        assert.equal(flows!.count, 60);
        const devices = await tx.rows<{ ip: string }>(sql`select host(ip) as ip from device_address`);
        assert.deepEqual(devices, [{ ip: "10.0.0.5" }]);
        const incidents = await tx.rows<{ title: string }>(sql`select title from incident`);
        assert.equal(incidents.length, titles, JSON.stringify(incidents));
      });
    },
  );
}

testDatabase("the broadcast address of an own network is inside, but no device", async (db) => {
  const networks = [parseCidr("10.0.1.0/24")!];
  const answered = (dst: string) =>
    line("netflow.flow", AT, {
      src4_addr: "10.0.1.5",
      dst4_addr: dst,
      src_port: 137,
      dst_port: 137,
      proto: 17,
      in_bytes: 78,
      in_packets: 1,
      out_bytes: 90,
      out_packets: 1,
    });
  await push(db, EXPORTER, ["10.0.1.254", "10.0.1.255"].map(answered));
  await settle(db, { networks });
  await db.tenant("main", async (tx) => {
    const devices = await tx.rows<{ ip: string }>(
      sql`select host(ip) as ip from device_address order by device_address.ip`,
    );
    assert.deepEqual(devices, [{ ip: "10.0.1.5" }, { ip: "10.0.1.254" }]);
  });
});
