// Every order of the list of flows: what it compares, both directions, ties, unknown values, and pages.

import assert from "node:assert/strict";
import { type Flow, FLOW_SORTS, type FlowOrder, type FlowSort } from "../../../src/contract/flow/flow.ts";
import type { FactType } from "../../../src/contract/record/facts.ts";
import { parseIp } from "../../../src/kit/net/ip.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { writePlaces } from "../../../src/store/search/addresses.ts";
import { testDatabases } from "../../support/database.ts";
import { Api, MINUTE, NETFLOW, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";
import { alert, conn, dns, eveFlow, exported, http, ssl } from "../records.ts";

const idsOf = (flows: readonly { flow_id: string }[]) => flows.map((flow) => flow.flow_id);

const PLACES: Readonly<
  Record<string, { country: string | null; asn: number | null; organisation: string | null }>
> = {
  "198.51.100.7": { country: "DE", asn: 64_500, organisation: "zeta Networks" },
  "198.51.100.20": { country: "FR", asn: 64_501, organisation: null },
  "203.0.113.9": { country: null, asn: 64_502, organisation: "Alpha Networks" },
  "2001:db8::9": { country: "AT", asn: null, organisation: null },
};

const GEOIP = {
  lookup(ip: string) {
    const { country = null, asn = null, organisation = null } = PLACES[ip] ?? {};
    return { country, city: null, asn, asOrganisation: organisation, latitude: null, longitude: null };
  },
  build: "test",
};

/** Flows whose orders differ, with ties, unknown values, upper case and texts with equal beginnings. */
async function filled(db: Database): Promise<Api> {
  const api = new Api(db, [], { geoip: GEOIP });
  const sent = [700, 1, null, Number.MAX_SAFE_INTEGER, 700, 0, null, 700];
  const servers = ["198.51.100.7", "203.0.113.9", "2001:db8::9", "198.51.100.20", "198.51.100.7", "10.0.0.9"];
  const services = ["ssl", "dns", undefined, "http", "gssapi,smb", "SSH"];
  await api.take(
    ZEEK,
    sent.map((bytes, i) => {
      const dst = servers[i % 6]!;
      return conn({
        // Equal values at equal times, too.
        at: NOW - (i % 3 + 1) * MINUTE,
        seconds: i + 1,
        src: dst.includes(":") ? "2001:db8::1" : `10.0.0.${[5, 11, 5, 6][i % 4]}`,
        srcPort: 50000 + i,
        dst,
        more: {
          orig_bytes: bytes === null ? undefined : bytes,
          resp_bytes: 10 * i,
          resp_pkts: 9 + i % 3,
          service: services[i % 6],
          vlan: [30, undefined, 7, 30][i % 4],
        },
      });
    }),
  );
  await api.take(ZEEK, [
    ...["b.example.com", "A.example.com", "b.example.com", "[x.example.com", "_z.example.com"].map((
      query,
      i,
    ) =>
      dns({
        at: NOW - 4 * MINUTE,
        srcPort: 51000 + i,
        query,
        more: {
          qtype_name: ["A", "AAAA", "TXT", undefined, "A"][i],
          rcode_name: ["NOERROR", "NXDOMAIN", undefined, "NOERROR", "SERVFAIL"][i],
          answers: [["192.0.2.8"], [], ["192.0.2.10", "192.0.2.1"], ["B"], ["a"]][i],
        },
      })
    ),
    ...["b.example", "a.example", undefined, "b.example"].map((server_name, i) =>
      ssl({
        at: NOW - 5 * MINUTE,
        srcPort: 52000 + i,
        more: {
          server_name,
          version: ["TLSv12", "TLSv13", undefined, "TLSv12"][i],
          ja3: ["e7d705a3286e19ea42f587b344ee6865", undefined, "00d705a3286e19ea42f587b344ee6865"][i],
          ja4: [undefined, "t13d1516h2_8daaf6152771_e5627efa2ab1", "t12d1516h2_8daaf6152771_e5627efa2ab1"][i],
          subject: ["CN=b", "cn=a", undefined, "CN=C"][i],
          issuer: ["CN=z", undefined, "CN=Y", "CN=z"][i],
        },
      })
    ),
    ...[0, 1, 2, 3].map((i) =>
      http({
        at: NOW - 6 * MINUTE,
        srcPort: 53000 + i,
        more: {
          method: ["GET", "POST", "GET", "HEAD"][i],
          host: ["www.b.example", "a.example", undefined, "www.b.example"][i],
          uri: [`/${"x".repeat(300)}b`, `/${"x".repeat(300)}a`, "/A", "/a/\\u00e9"][i],
          status_code: [200, 404, undefined, 99][i],
          user_agent: ["curl/8", "Mozilla", undefined, "curl/8"][i],
          response_body_len: [5, 10, 9, 5][i],
        },
      })
    ),
  ]);
  await api.take(SURICATA, [
    ...["ET b", "ET A", "ET b"].map((signature, i) =>
      alert({
        at: NOW - 7 * MINUTE,
        srcPort: 54000 + i,
        signature,
        more: {
          alert: {
            action: ["allowed", "blocked", "allowed"][i],
            gid: 1,
            signature_id: [9, 10, 100][i],
            rev: 1,
            signature,
            category: ["Trojan", undefined, "misc"][i],
            severity: [3, 1, 3][i],
          },
        },
      })
    ),
    eveFlow({ at: NOW - 2 * MINUTE, srcPort: 50001, dst: "203.0.113.9", src: "10.0.0.11" }),
  ]);
  await api.take(NETFLOW, [
    exported({ srcPort: 55000, src: "0.0.0.0", dst: "198.51.100.7" }),
    exported({ srcPort: 55001, dst: "0.0.0.0", more: { proto: "ICMP" } }),
  ]);
  await db.tenant("main", async (tx) => {
    const places = Object.entries(PLACES).map(([ip, place]) => ({ ip, day: NOW, ...place }));
    await writePlaces(tx, "main", "test", places);
    await tx.run(sql`update device set display_name = case display_name
      when '10.0.0.5' then 'desk 5' when '10.0.0.11' then 'Alpha' else display_name end`);
  });
  return api;
}

type Key = string | number | bigint | null;

/** The first facts of a type that a flow is shown with. */
function fact(flow: Flow, type: FactType, name: string): Key {
  const [first] = flow.facts ?? [];
  assert.ok(first === undefined || first.type === type);
  const value = (first as Record<string, unknown> | undefined)?.[name] ?? null;
  return Array.isArray(value) ? value[0] ?? null : value as Key;
}

/** Addresses in the order of their numbers, IPv4 first. */
function addressKey(ip: string): string | null {
  if (ip === "0.0.0.0" || ip === "::") return null;
  const bytes = parseIp(ip)!;
  return `${bytes.length === 4 ? "a" : "b"}${bytes.toHex()}`;
}

type Names = ReadonlyMap<string, string>;

function endKey({ ip, device_id }: Flow["src"], names: Names): Key {
  const name = names.get(device_id ?? "");
  if (name !== undefined && name !== ip) return `0${name}`;
  const address = addressKey(ip);
  return address === null ? null : `1${address}`;
}

function sum(a: Key, b: Key): Key {
  return a === null && b === null ? null : BigInt(a ?? 0) + BigInt(b ?? 0);
}

function network({ geo }: Flow["src"]): Key {
  return geo?.as_organisation ?? (geo?.asn ? `AS${geo.asn}` : null);
}

const FACTS: Partial<Record<FlowOrder, readonly [FactType, string]>> = {
  alert: ["alert", "signature"],
  "alert.category": ["alert", "category"],
  "alert.priority": ["alert", "priority"],
  "alert.action": ["alert", "action"],
  "alert.id": ["alert", "sid"],
  "dns.query": ["dns", "query"],
  "dns.type": ["dns", "qtype"],
  "dns.rcode": ["dns", "rcode"],
  "dns.answer": ["dns", "answers"],
  "tls.version": ["tls", "version"],
  ja3: ["tls", "ja3"],
  ja4: ["tls", "ja4"],
  certificate: ["tls", "fingerprint"],
  "certificate.subject": ["tls", "subject"],
  "certificate.issuer": ["tls", "issuer"],
  "http.host": ["http", "host"],
  "http.method": ["http", "method"],
  "http.path": ["http", "uri"],
  "http.status": ["http", "status"],
  "http.bytes": ["http", "response_bytes"],
  user_agent: ["http", "user_agent"],
};

/** What a shown flow is sorted by. */
const KEYS: Partial<Record<FlowOrder, (flow: Flow, names: Names) => Key>> = {
  start: ({ start }) => Date.parse(start),
  "src.device": ({ src }, names) => endKey(src, names),
  "dst.device": ({ dst }, names) => endKey(dst, names),
  "src.ip": ({ src }) => addressKey(src.ip),
  "dst.ip": ({ dst }) => addressKey(dst.ip),
  "src.country": ({ src }) => src.geo?.country ?? null,
  "dst.country": ({ dst }) => dst.geo?.country ?? null,
  "src.asn": ({ src }) => network(src),
  "dst.asn": ({ dst }) => network(dst),
  server_name: ({ server_name }) => server_name,
  service: ({ service }) => service?.replace(/\bssl\b/, "tls").replace(",", ", ") ?? null,
  vlan: ({ vlan_id }) => vlan_id,
  source: ({ sources }) => sources.join(", "),
  community_id: ({ community_id }) => community_id,
  observations: ({ observation_count }) => observation_count,
  bytes: ({ counters: { src_to_dst, dst_to_src } }) => sum(src_to_dst.bytes, dst_to_src.bytes),
  "src.bytes": ({ counters }) => counters.src_to_dst.bytes,
  "dst.bytes": ({ counters }) => counters.dst_to_src.bytes,
  packets: ({ counters: { src_to_dst, dst_to_src } }) => sum(src_to_dst.packets, dst_to_src.packets),
  "src.packets": ({ counters }) => counters.src_to_dst.packets,
  "dst.packets": ({ counters }) => counters.dst_to_src.packets,
  duration: ({ start, end }) => Date.parse(end) - Date.parse(start),
};

function keyOf(flow: Flow, order: FlowOrder, names: Names): Key {
  const of = FACTS[order];
  const key = of ? fact(flow, ...of) : KEYS[order]!(flow, names);
  if (typeof key !== "string" || order === "community_id") return key;
  return key.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase()).slice(0, 256);
}

function compare(a: Key, b: Key): number {
  return a === b || (a !== null && b !== null && BigInt(typeof a === "string" ? 0 : a) === b)
    ? 0
    : a! < b!
    ? -1
    : 1;
}

function assertSorted(flows: readonly Flow[], sort: FlowSort, names: Names): void {
  const descending = sort.startsWith("-");
  const order = sort.replace("-", "") as FlowOrder;
  const keys = flows.map((flow) => keyOf(flow, order, names));
  const known = keys.filter((key) => key !== null);
  assert.deepEqual(keys.slice(0, known.length), known, `${sort}: unknown ones last`);
  for (let at = 1; at < flows.length; at++) {
    const [before, after] = [keys[at - 1]!, keys[at]!];
    const compared = compare(before, after);
    if (compared !== 0) {
      if (after === null) continue;
      assert.ok(descending ? compared > 0 : compared < 0, `${sort}: ${before} before ${after}`);
    } else {
      const [one, other] = [flows[at - 1]!, flows[at]!].map(({ start, flow_id }) => `${start} ${flow_id}`);
      assert.ok(one! > other!, `${sort}: equal ones by start and identifier, the newest first`);
    }
  }
}

testDatabases("flow sorts: every order in both directions, whatever the page size", async (db) => {
  const api = await filled(db);
  const everything = (await api.read("listFlows")).data;
  assert.equal(everything.length, 8 + 5 + 4 + 4 + 3 + 2);
  const devices = (await api.read("listDevices")).data;
  const names = new Map(devices.map(({ device_id, display_name }) => [device_id, display_name]));
  assert.ok([...names.values()].includes("Alpha"));
  const orders = new Map<string, string>();
  for (const sort of FLOW_SORTS) {
    const order = sort.replace("-", "") as FlowOrder;
    const query = { sort, ...FACTS[order] && { facts: FACTS[order][0] } };
    const whole = (await api.read("listFlows", query)).data;
    assert.deepEqual(idsOf(whole).sort(), idsOf(everything).sort(), sort);
    assertSorted(whole, sort, names);
    const keys = new Set(whole.map((flow) => keyOf(flow, order, names)).filter((key) => key !== null));
    // No record here states a fingerprint, and one country or network of a source is a device's.
    const few = /^(certificate|src\.country|src\.asn)$/.test(order);
    assert.ok(few || keys.size >= 2, `${order} has ${keys.size} values`);
    if (!few) orders.set(sort, idsOf(whole).join());
    const pages = await api.walk("listFlows", { ...query, limit: sort.startsWith("-") ? 5 : 9 });
    assert.deepEqual(idsOf(pages.flat()), idsOf(whole), `${sort} by pages`);
  }
  assert.ok(new Set(orders.values()).size > 50, "the orders differ");
});

testDatabases("flow sorts: a filter, records that arrive, and a cursor of another order", async (db) => {
  const api = await filled(db);
  const found =
    (await api.read("listFlows", { sort: "-src.bytes", filter: "src.bytes<=700 srcport<50010" })).data;
  assert.deepEqual(found.map(({ counters }) => counters.src_to_dst.bytes), [700, 700, 700, 1, 0]);
  let port = 60000;
  const between = async () => {
    api.clock.advance(20);
    const more = [900, 300, 1].map((bytes) =>
      conn({
        at: NOW - 2 * MINUTE + 30 * SECOND,
        srcPort: port++,
        more: { orig_bytes: bytes, service: ["http", "dns", undefined][bytes % 3] },
      })
    );
    await api.take(ZEEK, more);
  };
  for (const sort of ["-src.bytes", "service", "-src.device"] as const) {
    const all = idsOf((await api.read("listFlows", { sort })).data);
    const walked = idsOf((await api.walk("listFlows", { sort, limit: 8 }, { between })).flat());
    assert.equal(new Set(walked).size, walked.length, `${sort}: none twice while others arrive`);
    assert.deepEqual(
      walked.filter((id) => all.includes(id)),
      all,
      `${sort}: none missing while others arrive`,
    );
  }
  const cursors = new Map<FlowSort, string>();
  for (const sort of ["-start", "start", "-dst.bytes", "service"] as const) {
    cursors.set(sort, (await api.read("listFlows", { sort, limit: 1 })).next_cursor!);
  }
  for (const [sort, cursor] of cursors) {
    for (const other of cursors.keys()) {
      const response = await api.send("listFlows", { sort: other, limit: 1, cursor });
      if (other === sort) assert.equal((await response.json()).data.length, 1);
      else assert.equal((await refusal(response, 400, "invalid_request")).details.reason, "invalid_cursor");
    }
  }
});
