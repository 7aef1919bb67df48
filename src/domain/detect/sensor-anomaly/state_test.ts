import fc from "fast-check";
import {
  anyCount,
  anyIp,
  anyList,
  anyRecord,
  anyRefs,
  anyText,
  anyTime,
  assertRoundTrip,
  assertStoredAs,
} from "../../../../test/support/detect/stored-state.ts";
import { T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import type { AnomalyLevel } from "./events.ts";
import { ANOMALIES, type Anomalies } from "./state.ts";

const anyLevel = fc.constantFrom<AnomalyLevel>("noise", "odd", "suspicious", "leak");

const anyAnomalies = anyRecord<Anomalies>({
  firstSeen: anyTime,
  lastSeen: anyTime,
  stale: fc.nat(8),
  count: anyCount,
  worst: anyLevel,
  events: anyList(anyRecord({ name: anyText(64), count: anyCount }), 6),
  peers: anyList(anyRecord({ name: anyIp, count: anyCount }), 8),
  evaluated: anyRecord({ count: anyCount, worst: anyLevel }),
  refs: anyRefs(8),
});

Deno.test("sensor-anomaly: states survive storage", () => {
  assertRoundTrip(ANOMALIES, anyAnomalies);
  const state: Anomalies = {
    firstSeen: T0,
    lastSeen: T0 + 5,
    stale: 1,
    count: 300,
    worst: "suspicious",
    events: [{ name: "INVALID_REPLY", count: 299 }, { name: "OVERFLOW_HEARTBEAT_MESSAGE", count: 1 }],
    peers: [{ name: "203.0.113.9", count: 300 }],
    evaluated: { count: 100, worst: "odd" },
    refs: [{ evidenceId: uuid(1), observedAt: T0, flowId: uuid(1, "9") }],
  };
  assertStoredAs(
    ANOMALIES,
    state,
    "014316bcc41e9000004316bcc41e90001401ac0202020d494e56414c49445f5245504c59ab021a4f564552464c4f" +
      "575f4845415254424541545f4d45535341474501010b3230332e302e3131332e39ac026401014316bcc41e900000" +
      "0000000000004000800000000000000100000000000040009000000000000001",
  );
});
