// One flow and one evidence item by their ids: as the lists show them, with the same rights.

import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { Api, BRANCH_ZEEK, MINUTE, NETFLOW, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";
import { alert, conn, dns, eve, exported, rawLine, ssl } from "../records.ts";
import { SOME_ID } from "../requests.ts";

const AT = NOW - 5 * MINUTE;
const SINCE = { from: "2026-01-31T06:00:00Z" };

/** Records whose observations are stored in every way: folded, joined, several of a tuple, and without a tuple. */
const RECORDS = {
  zeek: [
    conn({ at: AT, seconds: 10 }),
    ssl({ at: AT + SECOND, more: { server_name: "www.example.com" } }),
    dns({ at: AT, srcPort: 5353 }),
    dns({ at: AT + 20_000, srcPort: 5353 }),
    conn({ at: AT, srcPort: 8, dstPort: 0, more: { proto: "icmp" } }),
    conn({ at: AT, srcPort: 8, dstPort: 0, more: { proto: "ospf" } }),
    // Stated by a clock that is days ahead: bounded by the receipt.
    conn({ at: NOW + 3 * 86_400 * SECOND, srcPort: 50007 }),
    rawLine(
      "zeek.conn",
      "1969-12-31T23:59:58.5Z",
      '{"ts":1769843400,"uid":"C1969","id.orig_h":"10.0.0.5","id.orig_p":50008,"id.resp_h":"198.51.100.7",' +
        '"id.resp_p":443,"proto":"tcp","duration":1,"orig_bytes":18446744073709551615,"resp_bytes":1}',
    ),
  ],
  suricata: [
    alert({ at: AT + 2 * SECOND, src: "10.0.0.5" }),
    eve("krb5", { msg_type: "KRB_AS_REQ" }, { at: AT }),
  ],
  netflow: [exported({ at: AT, seconds: 10 }), exported({ at: AT + 30 * SECOND, seconds: 10 })],
};

async function filled(api: Api): Promise<void> {
  await api.take(ZEEK, RECORDS.zeek);
  await api.take(SURICATA, RECORDS.suricata);
  await api.take(NETFLOW, RECORDS.netflow);
}

testDatabase("one flow by its id is what the list shows of it", async (db) => {
  const api = new Api(db);
  await filled(api);
  const { data: flows } = await api.read("listFlows", SINCE);
  assert.ok(flows.length > 5, `${flows.length} flows`);
  for (const flow of flows) {
    assert.deepEqual((await api.read("getFlow", {}, {}, { flow_id: flow.flow_id })).data, flow);
  }
  for (const flow_id of [SOME_ID, "nonsense"]) {
    await refusal(await api.send("getFlow", {}, {}, { flow_id }), 404, "not_found");
  }
  const foreign = { tenantId: "branch" };
  await refusal(await api.send("getFlow", {}, foreign, { flow_id: flows[0]!.flow_id }), 404, "not_found");
});

testDatabase("every evidence item of every flow is found by its id alone", async (db) => {
  const api = new Api(db);
  await filled(api);
  await api.take(BRANCH_ZEEK, [conn({ at: AT })]);
  const { data: flows } = await api.read("listFlows", {
    from: "2026-01-01T00:00:00Z",
    to: "2026-02-01T00:00:00Z",
  });
  const items = [];
  for (const { flow_id } of flows) {
    items.push(...(await api.read("getFlowEvidence", {}, {}, { flow_id })).data);
  }
  assert.equal(items.length, Object.values(RECORDS).flat().length);
  for (const item of items) {
    const { evidence_id } = item;
    assert.deepEqual((await api.read("getEvidence", {}, {}, { evidence_id })).data, item);
    const foreign = await api.send("getEvidence", {}, { tenantId: "branch" }, { evidence_id });
    await refusal(foreign, 404, "not_found");
  }
  for (const evidence_id of [SOME_ID, "nonsense"]) {
    await refusal(await api.send("getEvidence", {}, {}, { evidence_id }), 404, "not_found");
  }
});
