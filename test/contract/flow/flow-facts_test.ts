import assert from "node:assert/strict";
import { RECORD_KINDS, type RecordKind } from "../../../src/contract/record/kinds.ts";
import type { Facts } from "../../../src/domain/record/facts.ts";
import { normalise } from "../../../src/domain/record/registry.ts";
import { parseJson } from "../../../src/kit/json/json.ts";
import { formatMillis, parseTimestamp } from "../../../src/kit/time.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, NETFLOW, SURICATA, ZEEK } from "../api.ts";
import { eve, rawLine } from "../records.ts";

const GOLDEN = `${import.meta.dirname}/../../golden`;

/** The records of a kind from which the golden cases were cut. */
async function goldenLines(kind: RecordKind): Promise<string[]> {
  const lines: string[] = [];
  for await (const { name } of Deno.readDir(`${GOLDEN}/${kind}`)) {
    lines.push(...(await Deno.readTextFile(`${GOLDEN}/${kind}/${name}/input.ndjson`)).split("\n"));
  }
  return lines.filter((line) => line.trim() !== "");
}

function sensorOf(kind: RecordKind) {
  return kind.startsWith("zeek.") ? ZEEK : kind.startsWith("netflow.") ? NETFLOW : SURICATA;
}

/** The facts that the normaliser reads from a record; null without facts. */
function factsOf(payload: string, kind: RecordKind, observedAtText: string): Facts | null {
  const observedAt = parseTimestamp(observedAtText)!.micros;
  const understood = normalise(kind, parseJson(payload) as Parameters<typeof normalise>[1], {
    observedAt,
    expectedExporters: null,
  });
  return "observation" in understood ? understood.observation.facts : null;
}

const RENAMED: Record<string, string> = { signatureId: "sid", revision: "rev" };
const TIMES = ["notBefore", "notAfter"];

/** The same under the API's names: snake case, with two exceptions. */
function shown(facts: Facts): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      RENAMED[name] ?? name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      TIMES.includes(name) && typeof value === "number" ? formatMillis(value) : value,
    ]),
  );
}

async function flowIds(db: Database): Promise<string[]> {
  const rows = await db.tenant("main", (tx) => tx.rows<{ id: string }>(sql`select flow_id as id from flow`));
  return rows.map(({ id }) => id);
}

testDatabase("facts: every observation shows all facts of its record", async (db) => {
  const api = new Api(db);
  for (const kind of RECORD_KINDS) await api.take(sensorOf(kind), await goldenLines(kind));
  const types = new Set<string>();
  let without = 0;
  for (const flow_id of await flowIds(db)) {
    for (const { facts, raw, summary } of (await api.read("getFlowEvidence", {}, {}, { flow_id })).data) {
      const stored = factsOf(raw!.payload, raw!.kind, raw!.observed_at);
      assert.deepEqual(facts, stored && shown(stored), `${raw!.kind} ${raw!.payload}`);
      assert.ok(summary.length > 3 && !/undefined|null|NaN|\n/.test(summary), summary);
      if (facts === null) without++;
      else types.add(facts.type);
    }
  }
  assert.deepEqual(
    [...types].sort(),
    ["alert", "anomaly", "dhcp", "dns", "export", "http", "kerberos", "smb", "ssh", "tls"],
  );
  assert.ok(without > 10, "connections and exports without further facts");
});

testDatabase("facts: a counter above 2^53 keeps every digit", async (db) => {
  const api = new Api(db);
  const payload = `{"id.orig_h":"10.0.0.5","id.orig_p":50000,"id.resp_h":"198.51.100.7","id.resp_p":80,
    "method":"PUT","request_body_len":9007199254740993,"status_code":201}`;
  await api.take(ZEEK, [rawLine("zeek.http", "2026-01-31T07:14:00Z", payload.replaceAll("\n", ""))]);
  const [flow_id] = await flowIds(db);
  const text = await (await api.send("getFlowEvidence", {}, {}, { flow_id: flow_id! })).text();
  assert.match(text, /"request_bytes":9007199254740993[,}]/);
});

testDatabase("facts: hostile texts are shown as sent and break nothing", async (db) => {
  const api = new Api(db);
  const host = `"><script>'; drop table flow; -- \u{1f600}\u0007${"x".repeat(3000)}`;
  await api.take(SURICATA, [
    eve("http", { hostname: host, url: host, http_user_agent: host, http_method: host, status: 200 }),
    eve("tls", { sni: host, subject: host, issuerdn: host }, { srcPort: 50_001 }),
    eve("smb", { filename: host, ntlmssp: { user: host, domain: host, host } }, {
      srcPort: 50_002,
      dstPort: 445,
    }),
    eve("krb5", { msg_type: "KRB_AS_REP", cname: host, realm: host }, { srcPort: 50_003, dstPort: 88 }),
    eve("ssh", { client: { software_version: host }, server: { software_version: host } }, {
      srcPort: 50_004,
    }),
  ]);
  const { data } = await api.read("listFlows");
  assert.equal(data.length, 5);
  for (const { flow_id, server_name, names } of data) {
    assert.deepEqual([server_name, names], [null, []]);
    const [observation] = (await api.read("getFlowEvidence", {}, {}, { flow_id })).data;
    assert.ok(observation!.facts !== null);
    assert.ok(observation!.summary.length < 1000 && !observation!.summary.includes("\u0007"));
  }
  const [device] = (await api.read("listDevices")).data;
  const { data: detail } = await api.read("getDevice", {}, {}, { device_id: device!.device_id });
  assert.deepEqual([detail.display_name, detail.display_name_source], ["10.0.0.5", "address"]);
  assert.equal(detail.user_agents.length, 1);
});
