import type { TrustClass } from "../../contract/record/kinds.ts";
import type { Counters, Micros, Observation } from "../record/observation.ts";
import type { FlowState } from "./flow.ts";
import { preference, RANK_WITHOUT_COUNTERS } from "./preference.ts";
import { statedName } from "./server-name.ts";

/** An observation with the identity and provenance that ingest gave its record. */
export interface Located {
  observation: Observation;
  evidenceId: string;
  sensorId: string;
  trust: TrustClass;
  receivedAt: Micros;
  batchNo: number;
  /** Place in the batch's block. */
  position: number;
  nativeHash: bigint | null;
}

const MILLISECOND: Micros = 1000;

/** A sensor's own ids kept on a flow; an old one only matters to records that arrive late. */
const MAX_NATIVE_HASHES = 16;

const NO_COUNTERS: Counters = {
  srcToDst: { bytes: null, packets: null },
  dstToSrc: { bytes: null, packets: null },
  semantics: "unknown",
};

/** Where a flow that begins then is anchored: at the millisecond, and not before 1970. */
export function anchorOf(start: Micros): Micros {
  return Math.max(0, Math.floor(start / MILLISECOND)) * MILLISECOND;
}

/** A flow of one observation. `anchor` is its start to the millisecond, as `flowId` carries it. */
export function newFlow(located: Located, flowId: string, anchor: Micros): FlowState {
  const { observation } = located;
  const flow: FlowState = {
    flowId,
    anchor,
    start: observation.start,
    end: observation.end,
    receivedAt: located.receivedAt,
    tuple: observation.tuple,
    proto: observation.proto,
    src: observation.src,
    dst: observation.dst,
    icmp: observation.icmp,
    srcDeviceId: null,
    dstDeviceId: null,
    counters: observation.counters ?? NO_COUNTERS,
    service: observation.service,
    serverName: null,
    vlan: observation.vlan,
    observationCount: 1,
    sources: [observation.source],
    nativeHashes: located.nativeHash === null ? [] : [located.nativeHash],
    primary: primaryOf(located),
    folded: null,
  };
  fold(flow, located);
  nameServer(flow, located);
  return flow;
}

/** A flow that `addObservation` may change without changing the one it was copied from. */
export function copyFlow(flow: FlowState): FlowState {
  return { ...flow, sources: [...flow.sources], nativeHashes: [...flow.nativeHashes] };
}

/**
 * Adds an observation to a flow, in place. Counters are replaced by a preferred observation's, never summed.
 * Returns true when the flow has counters now and had none before: it counts as a connection from here on.
 */
export function addObservation(flow: FlowState, located: Located): boolean {
  const { observation } = located;
  const { start, end, receivedAt } = flow;
  const primary = primaryOf(located);
  const countedBefore = isCounted(flow);
  flow.start = Math.min(flow.start, observation.start);
  flow.end = Math.max(flow.end, observation.end);
  flow.receivedAt = Math.max(flow.receivedAt, located.receivedAt);
  flow.observationCount++;
  if (!flow.sources.includes(observation.source)) flow.sources.push(observation.source);
  rememberNative(flow, located.nativeHash);
  flow.vlan ??= observation.vlan;
  if (primary.rank < flow.primary.rank) {
    prefer(flow, observation);
    flow.primary = primary;
    fold(flow, located);
  } else {
    flow.service ??= observation.service;
    if (flow.start !== start || flow.end !== end || flow.receivedAt !== receivedAt) flow.folded = null;
  }
  nameServer(flow, located);
  return !countedBefore && isCounted(flow);
}

/** True once an observation with counters is among the flow's. */
export function isCounted(flow: FlowState): boolean {
  return flow.primary.rank < RANK_WITHOUT_COUNTERS;
}

function prefer(flow: FlowState, observation: Observation): void {
  const turned = flow.src.ip !== observation.src.ip || flow.src.port !== observation.src.port;
  if (turned) turn(flow);
  flow.src = observation.src;
  flow.dst = observation.dst;
  flow.icmp = observation.icmp ?? flow.icmp;
  flow.counters = observation.counters ?? NO_COUNTERS;
  flow.service = observation.service ?? flow.service;
}

/** Changes the places of its ends, as far as that is not done by taking over those of an observation. */
function turn(flow: FlowState): void {
  [flow.srcDeviceId, flow.dstDeviceId] = [flow.dstDeviceId, flow.srcDeviceId];
  if (flow.serverName === null) return;
  flow.serverName = { ...flow.serverName, end: flow.serverName.end === "src" ? "dst" : "src" };
}

function nameServer(flow: FlowState, { observation, evidenceId }: Located): void {
  if (flow.serverName !== null) return;
  const stated = statedName(observation);
  if (stated === null) return;
  const { ip, port } = observation.dst;
  const end = flow.dst.ip === ip && flow.dst.port === port ? "dst" : "src";
  flow.serverName = { ...stated, end, evidenceId };
}

function rememberNative(flow: FlowState, hash: bigint | null): void {
  if (hash === null || flow.nativeHashes.includes(hash)) return;
  flow.nativeHashes.push(hash);
  if (flow.nativeHashes.length > MAX_NATIVE_HASHES) flow.nativeHashes.shift();
}

/** Folds what has just become the flow's primary observation, where the flow says all of it. */
function fold(flow: FlowState, { observation, receivedAt, batchNo, position }: Located): void {
  const { counters, facts, warnings, start, end, observedAt } = observation;
  // Facts, warnings and the want of counters have no place on a flow.
  const plain = counters !== null && facts === null && warnings.length === 0;
  const same = flow.start === start && flow.end === end && flow.receivedAt === receivedAt;
  flow.folded = plain && same ? { observedAt, batchNo, position } : null;
}

function primaryOf(located: Located): FlowState["primary"] {
  return {
    rank: preference(located.observation, located.trust),
    evidenceId: located.evidenceId,
    recordKind: located.observation.kind,
    sensorId: located.sensorId,
  };
}
