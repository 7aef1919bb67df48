// Observations and flows for the tests of this folder and its neighbours; times in milliseconds after T0.
import type { TrustClass } from "../../contract/kinds.ts";
import type { Count, Counters, Observation } from "../records/observation.ts";
import type { FlowState } from "./flow.ts";
import { type Located, newFlow } from "./merge.ts";

export const T0 = 1_600_000_000_000_000;

export function at(milliseconds: number): number {
  return T0 + milliseconds * 1000;
}

/** Both directions, as a packet sensor counts them: one packet where there are bytes. */
export function session(srcBytes: Count | null, dstBytes: Count | null): Counters {
  const direction = (bytes: Count | null) => ({
    bytes,
    packets: bytes === null ? null : bytes === 0 ? 0 : 1,
  });
  return { srcToDst: direction(srcBytes), dstToSrc: direction(dstBytes), semantics: "session" };
}

/** One direction as an exporter counts it. */
export function exported(bytes: number): Counters {
  return {
    srcToDst: { bytes, packets: 1 },
    dstToSrc: { bytes: null, packets: null },
    semantics: "unidirectional_export",
  };
}

/** A TCP connection of 10.0.0.5 to a server on 443, from `start` to `end`. */
export function observation(start: number, end: number, more: Partial<Observation> = {}): Observation {
  return {
    kind: "zeek.conn",
    evidenceKind: "flow_observation",
    source: "zeek",
    observedAt: at(start),
    start: at(start),
    end: at(end),
    src: { ip: "10.0.0.5", port: 50_000 },
    dst: { ip: "203.0.113.7", port: 443 },
    proto: "tcp",
    icmp: null,
    counters: session(100, 200),
    service: null,
    nativeId: null,
    vlan: null,
    communityId: "1:test",
    exporter: null,
    facts: null,
    warnings: [],
    ...more,
  };
}

let count = 0;

export function located(
  observed: Observation,
  more: Partial<Omit<Located, "observation">> & { trust?: TrustClass } = {},
): Located {
  count++;
  return {
    observation: observed,
    evidenceId: `evidence-${count}`,
    sensorId: "zeek-1",
    trust: "packet",
    receivedAt: observed.end + 1_000_000,
    batchNo: 1,
    position: count,
    nativeHash: null,
    ...more,
  };
}

/** A flow of one observation. */
export function flow(start: number, end: number, more: Partial<FlowState> = {}): FlowState {
  return { ...newFlow(located(observation(start, end)), `flow-${start}`, at(start)), ...more };
}
