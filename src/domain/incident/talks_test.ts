import assert from "node:assert/strict";
import type { CaseFlow } from "../../contract/incident/case.ts";
import { MAX_TALK_PORTS } from "../../contract/incident/talk.ts";
import { namedTalks, talkKey, talksOf, withAllFlows } from "./talks.ts";

function end(ip: string, port: number | null, device: string | null = null, name: string | null = null) {
  return { ip, port, device_id: device, name, country: null };
}

function flow(id: string, more: Partial<CaseFlow> = {}): CaseFlow {
  return {
    flow_id: id,
    start: "2026-01-31T07:00:00.000Z",
    end: "2026-01-31T07:01:00.000Z",
    src: end("10.0.0.1", 50_000, "a", "A"),
    dst: end("192.0.2.1", 443),
    proto: "tcp",
    service: "tls",
    counters: counted(100, 20),
    community_id: null,
    names: [],
    ...more,
  };
}

function counted(out: number | bigint | null, back: number | null): CaseFlow["counters"] {
  return {
    src_to_dst: { bytes: out, packets: null },
    dst_to_src: { bytes: back, packets: null },
    semantics: "session",
  };
}

const record = (evidence_id: string, flow_id: string) => ({ evidence_id, flow_id });

Deno.test("talks: bytes each way, ports, times and records of all flows between two ends", () => {
  const [talk, ...others] = talksOf({
    flows: [
      flow("f1"),
      flow("f2", {
        start: "2026-01-31T06:00:00.000Z",
        dst: end("192.0.2.1", 8443, null, "c2.example"),
        service: null,
        counters: counted(7, null),
      }),
    ],
    evidence: [record("1", "f2"), record("2", "f1"), record("3", "f2")],
    findings: [{ severity: "low", evidence_ids: ["2"] }, { severity: "high", evidence_ids: ["3", "gone"] }],
  });
  assert.deepEqual(others, []);
  assert.deepEqual(talk, {
    src: end("10.0.0.1", null, "a", "A"),
    dst: end("192.0.2.1", null, null, "c2.example"),
    services: ["8443/tcp", "tls"],
    ports: [443, 8443],
    flows: 2,
    bytes_out: 107,
    all_flows: null,
    bytes_in: 20,
    first_seen: "2026-01-31T06:00:00.000Z",
    last_seen: "2026-01-31T07:01:00.000Z",
    severity: "high",
    evidence_ids: ["1", "2", "3"],
  });
});

Deno.test("talks: what all flows of a pair add up to belongs to its direction", () => {
  const back = flow("back", { src: end("192.0.2.1", 443), dst: end("10.0.0.1", 50_000, "a", "A") });
  const all = { flows: 9, bytes_out: 1, bytes_in: 2 };
  const talks = withAllFlows(
    talksOf({ flows: [back, flow("f1")], evidence: [], findings: [] }),
    new Map([[talkKey(flow("other")), all]]),
  );
  assert.deepEqual(Object.fromEntries(talks.map(({ src, all_flows }) => [src.ip, all_flows])), {
    "10.0.0.1": all,
    "192.0.2.1": null,
  });
});

Deno.test("talks: both directions are apart, the largest transfer comes first", () => {
  const back = flow("f2", { src: end("192.0.2.1", 1), dst: end("10.0.0.1", 80, "a", "A"), counters: null });
  const large = flow("f3", { dst: end("192.0.2.9", 443), counters: counted(9_007_199_254_740_993n, 0) });
  const talks = talksOf({ flows: [back, flow("f1"), large], evidence: [], findings: [] });
  assert.deepEqual(talks.map(({ src, dst, bytes_out }) => [src.ip, dst.ip, bytes_out]), [
    ["10.0.0.1", "192.0.2.9", 9_007_199_254_740_993n],
    ["10.0.0.1", "192.0.2.1", 100],
    ["192.0.2.1", "10.0.0.1", null],
  ]);
});

Deno.test("talks: the ports of a scan are bounded", () => {
  const flows = Array.from(
    { length: 30 },
    (_, port) => flow(`f${port}`, { dst: end("192.0.2.1", port + 1), service: null }),
  );
  const [talk] = talksOf({ flows, evidence: [], findings: [] });
  assert.equal(talk!.ports.length, MAX_TALK_PORTS);
  assert.equal(talk!.dst.port, null);
});

const RESULT = {
  device_id: "a",
  severity: "medium" as const,
  first_seen: "2026-01-31T07:00:00.000Z",
  last_seen: "2026-01-31T08:00:00.000Z",
};
const domain = (name: string) => ({ ip: null, name, port: 53 });

Deno.test("talks: a destination that only a result names has the result's own records", () => {
  const [talk, ...others] = namedTalks({
    results: [{ ...RESULT, destinations: [domain("example.net")], evidence_ids: ["1", "placed"] }],
    flows: [flow("f1")],
    unplaced: ["1"],
    deviceNames: { a: "A" },
  });
  assert.deepEqual(others, []);
  assert.deepEqual([talk!.src.name, talk!.dst.name, talk!.flows, talk!.ports], ["A", "example.net", 0, [53]]);
  assert.deepEqual([talk!.severity, talk!.evidence_ids], ["medium", ["1"]]);
});

Deno.test("talks: what flows reach is not named again, nor the domain of a host that they reach", () => {
  const reached = flow("f1", { dst: end("192.0.2.1", 443), names: ["www.example.net"] });
  const results = [{
    ...RESULT,
    destinations: [
      domain("example.net"),
      { ip: "192.0.2.1", name: null, port: null },
      { ip: "0.0.0.0", name: null, port: null },
    ],
    evidence_ids: ["1"],
  }];
  assert.deepEqual(namedTalks({ results, flows: [reached], unplaced: ["1"], deviceNames: {} }), []);
});
