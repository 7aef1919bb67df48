import assert from "node:assert/strict";
import { eventId } from "../../../src/domain/record/event-id.ts";
import { canonicalJson } from "../../support/json/canonical-json.ts";
import { applyRetention } from "../../../src/core/jobs/retention.ts";
import { createPartitions } from "../../../src/store/engine/schema/partitions.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, MINUTE, NETFLOW, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";
import { alert, conn, dns, eveFlow, exported, rawLine } from "../records.ts";

const START = NOW - MINUTE;

/** Every byte matters: order, white space, escapes, digits, a number beyond a double. */
const PAYLOAD =
  `{ "uid":"CByte1",\t"ts": "2026-01-31T07:14:00.000000Z","id.orig_h":"10.0.0.5","id.orig_p":50000,` +
  `"id.resp_h":"198.51.100.7","id.resp_p":443,"proto":"tcp","duration":1.50,"orig_bytes":500.5e1,"z":1e0,` +
  `"note":"\\u00e4 ä \\u0000 \\/ 😀","big":123456789012345678901234567890,"orig_pkts":8,"resp_pkts":9 }`;

testDatabase("evidence: every observation with sensor, times, counters and record", async (db) => {
  const api = new Api(db);
  const zeek = conn({ at: START, seconds: 2 });
  await api.take(ZEEK, [zeek]);
  api.clock.advance(1);
  const more = { flow_id: 1_234_567_890_123 };
  const eve = eveFlow({ at: START + SECOND / 2, seconds: 1, more });
  await api.take(SURICATA, [eve, alert({ at: START + SECOND, more })]);
  api.clock.advance(1);
  await api.take(NETFLOW, [
    exported({
      at: START + SECOND / 4,
      src: "198.51.100.7",
      srcPort: 443,
      dst: "10.0.0.5",
      dstPort: 50000,
      more: { sampling_rate: 100 },
    }),
  ]);

  const [flow] = (await api.read("listFlows")).data;
  assert.equal(flow!.observation_count, 4);
  const { data, next_cursor } = await api.read("getFlowEvidence", {}, {}, { flow_id: flow!.flow_id });
  assert.equal(next_cursor, null);
  assert.deepEqual(
    data.map((one) => [one.record_kind, one.kind, one.source, one.sensor_id, one.trust]),
    [
      ["zeek.conn", "flow_observation", "zeek", "zeek-1", "packet"],
      ["suricata.alert", "alert", "suricata", "suricata-1", "packet"],
      ["netflow.flow", "flow_observation", "netflow", "netflow-1", "exporter"],
      ["suricata.flow", "flow_observation", "suricata", "suricata-1", "packet"],
    ],
  );
  assert.deepEqual(
    data.map((one) => [one.observed_at, one.received_at]),
    [
      ["2026-01-31T07:14:00.000Z", "2026-01-31T07:15:00.000Z"],
      ["2026-01-31T07:14:01.000Z", "2026-01-31T07:15:01.000Z"],
      ["2026-01-31T07:14:01.250Z", "2026-01-31T07:15:02.000Z"],
      ["2026-01-31T07:14:01.500Z", "2026-01-31T07:15:01.000Z"],
    ],
  );
  assert.deepEqual(data.map((one) => [one.start, one.end])[3], [
    "2026-01-31T07:14:00.500Z",
    "2026-01-31T07:14:01.500Z",
  ]);
  assert.deepEqual(data.map((one) => one.preferred), [true, false, false, false]);
  assert.deepEqual(data.map((one) => one.community_id), new Array(4).fill(flow!.community_id));

  const [fromZeek, fromAlert, fromExporter, fromEve] = data;
  assert.deepEqual(fromZeek!.counters, flow!.counters);
  assert.equal(fromAlert!.counters, null);
  assert.deepEqual(fromEve!.counters?.src_to_dst, { bytes: 1100, packets: 10 });
  // The exporter saw the answers: its own direction and counters, nothing for the reverse.
  assert.equal(fromExporter!.src.ip, "198.51.100.7");
  assert.equal(fromExporter!.dst.device_id, flow!.src.device_id);
  assert.deepEqual(fromExporter!.counters, {
    src_to_dst: { bytes: 90000, packets: 700 },
    dst_to_src: { bytes: null, packets: null },
    semantics: "unidirectional_export",
  });
  assert.deepEqual(fromExporter!.warnings, ["counters scaled by sampling rate 100"]);
  assert.deepEqual(fromZeek!.warnings, []);

  const { kind, observed_at, payload } = JSON.parse(zeek);
  const expected = eventId({
    tenantId: "main",
    sensorId: "zeek-1",
    kind,
    observedAtCanonical: "2026-01-31T07:14:00Z",
    canonicalPayload: new TextEncoder().encode(canonicalJson(JSON.stringify(payload))),
  });
  assert.equal(
    fromZeek!.source_event_id,
    [...expected].map((byte) => byte.toString(16).padStart(2, "0")).join(""),
  );
  assert.equal(fromZeek!.raw!.event_id, fromZeek!.source_event_id);
  assert.equal(observed_at, "2026-01-31T07:14:00.000000Z");
});

testDatabase("evidence: the record byte for byte, its time with every digit", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [rawLine("zeek.conn", "2026-01-31T08:14:00.123456789+01:00", PAYLOAD)]);
  const { flow_id } = (await api.read("listFlows")).data[0]!;
  const { data } = await api.read("getFlowEvidence", {}, {}, { flow_id });
  assert.equal(data[0]!.raw!.payload, PAYLOAD);
  assert.equal(data[0]!.raw!.observed_at, "2026-01-31T07:14:00.123456789Z");
  assert.equal(data[0]!.observed_at, "2026-01-31T07:14:00.123Z");
});

testDatabase("evidence: a mismatching Community ID is a warning", async (db) => {
  const api = new Api(db);
  const claimed = "1:l3GiQDaN0AKDeOe6TVIqMakFW98=";
  await api.take(ZEEK, [conn({ more: { community_id: claimed } })]);
  const { flow_id, community_id } = (await api.read("listFlows")).data[0]!;
  assert.notEqual(community_id, claimed);
  const { data } = await api.read("getFlowEvidence", {}, {}, { flow_id });
  assert.equal(data[0]!.warnings.length, 1);
  assert.match(data[0]!.warnings[0]!, /community_id/);
});

testDatabase("evidence: many observations of a flow, all or page by page, oldest first", async (db) => {
  const api = new Api(db);
  const names = Array.from({ length: 130 }, (_, n) => `w${n}.example.com`);
  // Three at each moment, in many batches, so that the records are in many blocks.
  const lines = names.map((query, n) =>
    dns({ at: START + Math.floor(n / 3) * SECOND / 10, query, more: { uid: "CDns1" } })
  );
  for (let next = 0; next < lines.length; next += 10) await api.take(ZEEK, lines.slice(next, next + 10));
  const { flow_id, observation_count } = (await api.read("listFlows")).data[0]!;
  assert.equal(observation_count, 130);

  const whole = await api.read("getFlowEvidence", {}, {}, { flow_id });
  assert.equal(whole.data.length, 130);
  assert.equal(whole.next_cursor, null);
  const order = whole.data.map((one) => `${one.observed_at} ${one.evidence_id}`);
  assert.deepEqual(order, [...order].sort());
  const asked = whole.data.map((one) => JSON.parse(one.raw!.payload).query);
  assert.deepEqual(asked.toSorted(), names.toSorted());
  for (const one of whole.data) assert.ok(one.summary.includes(JSON.parse(one.raw!.payload).query));

  for (const limit of [1, 7, 129, 130]) {
    const pages = await api.walk("getFlowEvidence", { limit }, { path: { flow_id } });
    assert.deepEqual(pages.flat().map((one) => one.evidence_id), whole.data.map((one) => one.evidence_id));
  }
});

testDatabase("evidence: what an open incident keeps stays readable, with the record", async (db) => {
  const api = new Api(db);
  await registerTenants(db, ["main"]);
  await createPartitions(db, NOW, 30);
  const lines = [1, 2, 3].map((n) => alert({ at: START + n * SECOND, sid: n, more: { flow_id: 1 } }));
  await api.take(SURICATA, [
    ...lines,
    alert({ at: START, src: "198.51.100.9", dst: "203.0.113.9", sid: 2100498 }),
  ]);
  const { flow_id } = (await api.read("listFlows", { peer_ip: "10.0.0.5" })).data[0]!;
  const before = (await api.read("getFlowEvidence", {}, {}, { flow_id })).data;
  assert.equal(before.length, 3);

  api.clock.advance(40 * 86_400);
  await applyRetention(db, api.clock.now(), 30);
  const after = await api.read("getFlowEvidence", {}, {}, { flow_id });
  assert.deepEqual(after.data, before);
  assert.deepEqual((await api.walk("getFlowEvidence", { limit: 1 }, { path: { flow_id } })).flat(), before);
  const month = { from: "2026-01-15T00:00:00Z", to: "2026-02-01T00:00:00Z" };
  assert.deepEqual((await api.read("listFlows", month)).data, [], "the flows themselves are gone");
  await refusal(await api.send("getFlowEvidence", {}, { tenantId: "branch" }, { flow_id }), 404, "not_found");
});

testDatabase("evidence: a foreign flow is not found", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [conn()]);
  const { flow_id } = (await api.read("listFlows")).data[0]!;
  const others = [
    "0190b2c3-0000-7000-8000-000000000001",
    flow_id.toUpperCase(),
    `${flow_id} `,
    "00000000-0000-0000-0000-000000000000",
    "ffffffff-ffff-ffff-ffff-ffffffffffff",
    "1",
    "\0",
    "'; drop table flow; --",
  ];
  for (const other of others) {
    await refusal(await api.send("getFlowEvidence", {}, {}, { flow_id: other }), 404, "not_found");
  }
});
