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
import { FLOODS, type FloodState, type Target, type Window } from "./state.ts";

const anyFloods = anyRecord<FloodState>({
  targets: anyList(
    anyRecord<Target>({
      ip: anyIp,
      proto: fc.constantFrom("tcp", "udp", "icmp", "ipv6-icmp"),
      since: anyTime,
      windows: anyList(
        anyRecord<Window>({
          slot: anyTime,
          first: anyTime,
          last: anyTime,
          sent: anyCount,
          answered: anyCount,
          bytes: anyCount,
        }),
        6,
      ),
      sources: anyDistinct(24),
      tuples: anyDistinct(24),
      ports: anyDistinct(24),
      evaluated: anyCount,
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
    since: 1_599_990_000_000_000,
    windows: [{
      slot: 2_666_666,
      first: 1_600_000_000_000_000,
      last: 1_600_000_100_000_000,
      sent: 300_000,
      answered: 2,
      bytes: 135_000_000,
    }],
    sources: new Distinct(24, [7]),
    tuples: new Distinct(24, [9, 11]),
    ports: new Distinct(24, [3, 500, 4_000_000_000]),
    evaluated: 270_000,
    reportedScore: 52.3,
    refs: [sampleRef(1), sampleRef(2)],
  }],
};

Deno.test("flood: states survive storage, and the format does not change", () => {
  checkStored(
    FLOODS,
    anyFloods,
    SAMPLE_FLOODS,
    "02010c3139382e35312e3130302e39037564704316bcbace6070000141445855000000004316bcc41e9000004316bcc4" +
      "36678400e0a71202c0dfaf4001070209020303f1038cccacf30eb0bd108b04024316bcc41e9000040000000000004000" +
      "8000000000000001000000000000400090000000000000014316bcc41e90000800000000000040008000000000000002" +
      "00000000000040009000000000000002",
  );
});
