import fc from "fast-check";
import {
  anyCount,
  anyDistinct,
  anyIp,
  anyList,
  anyRecord,
  anyRef,
  anyScore,
  anyTime,
  checkStored,
  sampleRef,
} from "../../../../test/support/detect/stored-state.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import { FLOODS, type FloodState, type Target } from "./state.ts";

const anyFloods = anyRecord<FloodState>({
  targets: anyList(
    anyRecord<Target>({
      ip: anyIp,
      proto: fc.constantFrom("udp", "icmp", "ipv6-icmp"),
      first: anyTime,
      last: anyTime,
      sent: anyCount,
      received: anyCount,
      bytes: anyCount,
      ports: anyDistinct(24),
      evaluatedPackets: anyCount,
      reportedScore: anyScore,
      refs: anyList(anyRef, 4),
    }),
    4,
  ),
});

const SAMPLE_FLOODS: FloodState = {
  targets: [{
    ip: "198.51.100.9",
    proto: "udp",
    first: 1_600_000_000_000_000,
    last: 1_600_000_100_000_000,
    sent: 300_000,
    received: 2,
    bytes: 135_000_000,
    ports: new Distinct(24, [3, 500, 4_000_000_000]),
    evaluatedPackets: 270_000,
    reportedScore: 52.3,
    refs: [sampleRef(1), sampleRef(2)],
  }],
};

Deno.test("flood: states survive storage, and the format does not change", () => {
  checkStored(
    FLOODS,
    anyFloods,
    SAMPLE_FLOODS,
    "01010c3139382e35312e3130302e39037564704316bcc41e9000004316bcc436678400e0a71202c0dfaf40b0bd108b04" +
      "0303f1038cccacf30e024316bcc41e900004000000000000400080000000000000010000000000004000900000000000" +
      "00014316bcc41e9000080000000000004000800000000000000200000000000040009000000000000002",
  );
});
