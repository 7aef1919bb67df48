import assert from "node:assert/strict";
import type { RecordKind } from "../../contract/record/kinds.ts";
import type { Fields } from "./fields.ts";
import type { ReadObservation } from "./observation.ts";
import { normalise } from "./registry.ts";

const OBSERVED: number = 1_763_686_901_500_000;
const ZEEK = { "id.orig_h": "10.0.0.5", "id.orig_p": 40_000, "id.resp_h": "192.0.2.7", "id.resp_p": 53 };
const EVE = { src_ip: "10.0.0.5", src_port: 40_000, dest_ip: "192.0.2.7", dest_port: 443, proto: "TCP" };
const EXPORT = { src_addr: "10.0.0.5", dst_addr: "192.0.2.7", src_port: 40_000, dst_port: 443, proto: 6 };

function observe(kind: RecordKind, payload: Fields): ReadObservation {
  const result = normalise(kind, payload, { observedAt: OBSERVED, expectedExporters: null });
  assert.ok("observation" in result, "unparsed" in result ? result.unparsed : "");
  return result.observation;
}

Deno.test("zeek: epoch microseconds and nanoseconds are times", () => {
  for (const ts of [1_763_686_900_250_000, 1_763_686_900_250_000_000n, 1_763_686_900_250, 1_763_686_900.25]) {
    const { start, warnings } = observe("zeek.conn", { ts, proto: "udp", ...ZEEK });
    assert.deepEqual([start, warnings], [1_763_686_900_250_000, []], String(ts));
  }
  const { start, warnings } = observe("zeek.conn", { ts: 5e24, proto: "udp", ...ZEEK });
  assert.deepEqual([start, warnings], [OBSERVED, ["ts: expected a time"]]);
});

Deno.test("zeek: an ISO 8601 duration is an interval, anything else a warning", () => {
  const spans: [string, number | null][] = [
    ["PT1.25S", 1_250_000],
    ["PT1M0.5S", 60_500_000],
    ["P1DT2H", 93_600_000_000],
    ["P", null],
    ["PT", null],
    ["1.25 s", null],
  ];
  for (const [text, length] of spans) {
    for (const [kind, name] of [["zeek.conn", "duration"], ["zeek.dns", "rtt"]] as const) {
      const { start, end, warnings } = observe(kind, {
        ts: 1_763_686_900,
        proto: "udp",
        ...ZEEK,
        [name]: text,
      });
      assert.equal(end - start, length ?? 0, text);
      assert.deepEqual(warnings, length === null ? [`${name}: expected seconds`] : [], text);
    }
  }
});

Deno.test("a port of -1 leaves a warning that names the field", () => {
  const cases: [RecordKind, Fields, string][] = [
    ["zeek.conn", { ...ZEEK, ts: 1_763_686_900, proto: "udp", "id.orig_p": -1 }, "id.orig_p"],
    ["zeek.ssl", { ...ZEEK, ts: 1_763_686_900, "id.resp_p": -1 }, "id.resp_p"],
    ["suricata.alert", { ...EVE, dest_port: -1, alert: { signature: "s" } }, "dest_port"],
    ["suricata.flow", { ...EVE, src_port: -1, flow: {} }, "src_port"],
    ["netflow.flow", { ...EXPORT, src_port: -1 }, "src_port"],
    ["netflow.flow", { ...EXPORT, post_nat_port_src: -1 }, "post_nat_port_src"],
  ];
  for (const [kind, payload, name] of cases) {
    const { warnings } = observe(kind, payload);
    assert.ok(warnings.includes(`${name}: expected a port`), `${kind} ${name}: ${warnings}`);
  }
});

Deno.test("netflow.flow: a field that the exporter does not export leaves a warning", () => {
  const fields: [Fields, string][] = [
    [{ bytes: 0xffffffff, packets: 2 }, 'bytes: 4294967295 stands for "not exported"'],
    [{ bytes: 9, packets: 2n ** 64n - 1n }, 'packets: 18446744073709551615 stands for "not exported"'],
    [{ in_if: 0xffffffff }, 'in_if: 4294967295 stands for "not exported"'],
    [{ in_if: "ge-0/0" }, "in_if: expected an interface index"],
    [{ src_vlan: 65_535 }, "src_vlan: expected a VLAN identifier"],
    [{ time_flow_start_ns: 2n ** 64n - 1n }, "time_flow_start_ns: expected a time"],
    [{ timestamp_start: "yesterday" }, "timestamp_start: expected a time"],
  ];
  for (const [added, warning] of fields) {
    const { warnings } = observe("netflow.flow", { ...EXPORT, ...added });
    assert.ok(warnings.includes(warning), `${warning}: ${warnings}`);
  }
  const unset = { time_flow_start_ns: 0, timestamp_start: "0000-00-00 00:00:00", in_if: 0, src_vlan: 0 };
  assert.deepEqual(observe("netflow.flow", { ...EXPORT, ...unset, bytes: 9, packets: 1 }).warnings, []);
});
