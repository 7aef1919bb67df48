import type { TrustClass } from "../../contract/record/kinds.ts";
import type { Counters, Micros, Observation } from "../record/observation.ts";
import type { FlowState } from "./flow.ts";
import { preference, RANK_WITHOUT_COUNTERS } from "./preference.ts";
import { leadingReport, type Report, seriesCounters, totalBytes, withReport } from "./reports.ts";
import { statedName } from "./server-name.ts";

/** An observation with the identity and provenance of its record, as assigned by ingest. */
export interface Located {
  observation: Observation;
  evidenceId: string;
  sensorId: string;
  trust: TrustClass;
  receivedAt: Micros;
  batchNo: number;
  /** Index in the batch's block. */
  position: number;
  nativeHash: bigint | null;
  /** Of a delta report (`SeriesHasher`); null for an observation of a whole flow. */
  series: number | null;
}

const MILLISECOND: Micros = 1000;

/** Sensor flow ids kept per flow; older ones matter only to records that arrive late. */
const MAX_NATIVE_HASHES = 16;

const NO_COUNTERS: Counters = {
  srcToDst: { bytes: null, packets: null },
  dstToSrc: { bytes: null, packets: null },
  semantics: "unknown",
};

/** Anchor of a flow starting at `start`: truncated to the millisecond, not before 1970. */
export function anchorOf(start: Micros): Micros {
  return Math.max(0, Math.floor(start / MILLISECOND)) * MILLISECOND;
}

/** Creates a flow from one observation. `anchor` is its start to the millisecond, as encoded in `flowId`. */
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
    reports: null,
    folded: null,
  };
  fold(flow, located);
  nameServer(flow, located);
  return flow;
}

/** A copy that `addObservation` can change without affecting the original. */
export function copyFlow(flow: FlowState): FlowState {
  return { ...flow, sources: [...flow.sources], nativeHashes: [...flow.nativeHashes] };
}

/**
 * Adds an observation to a flow, in place. Counters come from the preferred observation, never from a sum, unless
 * it is one of an exporter's delta reports: those of the same series add up. Returns true when the flow has counters now but had none before, which makes it count as a connection.
 */
export function addObservation(flow: FlowState, located: Located): boolean {
  const { observation } = located;
  const { start, end, receivedAt } = flow;
  const primary = primaryOf(located);
  const countedBefore = isCounted(flow);
  const reports = reportsWith(flow, observation, primary);
  const preferred = reports === null
    ? primary.rank < flow.primary.rank ||
      (primary.rank === flow.primary.rank && isMoreComplete(observation, flow))
    : isOf(observation, primary.series, leadingReport(reports));
  flow.start = Math.min(flow.start, observation.start);
  flow.end = Math.max(flow.end, observation.end);
  flow.receivedAt = Math.max(flow.receivedAt, located.receivedAt);
  flow.observationCount++;
  if (!flow.sources.includes(observation.source)) flow.sources.push(observation.source);
  addNativeHash(flow, located.nativeHash);
  flow.vlan ??= observation.vlan;
  if (preferred) {
    prefer(flow, observation);
    flow.primary = primary;
    flow.reports = null;
    fold(flow, located);
  } else {
    flow.service ??= observation.service;
    if (flow.start !== start || flow.end !== end || flow.receivedAt !== receivedAt) flow.folded = null;
  }
  if (reports !== null && reports.length > 1) count(flow, reports);
  nameServer(flow, located);
  return !countedBefore && isCounted(flow);
}

/** The flow's delta reports with this observation; null unless it adds to them. */
function reportsWith(
  flow: FlowState,
  { end, counters }: Observation,
  { rank, series }: FlowState["primary"],
): readonly Report[] | null {
  const { primary } = flow;
  if (series === null || primary.series === null || rank !== primary.rank || counters === null) return null;
  const known = flow.reports ?? [{ series: primary.series, end: primary.end, counters: flow.counters }];
  return withReport(known, { series, end, counters });
}

function isOf({ end }: Observation, series: number | null, report: Report): boolean {
  return report.series === series && report.end === end;
}

/** Adds up the leading series; a flow that shows a sum does not reproduce a record. */
function count(flow: FlowState, reports: readonly Report[]): void {
  const leading = leadingReport(reports);
  const counters = seriesCounters(reports, leading);
  if (reports.some((one) => one !== leading && one.series === leading.series)) flow.folded = null;
  flow.reports = reports;
  flow.counters = counters;
}

/** True once any of the flow's observations has counters. */
export function isCounted(flow: FlowState): boolean {
  return flow.primary.rank < RANK_WITHOUT_COUNTERS;
}

/**
 * Of equals, the one that ends later, else the one that counted more: an update of what came before. Compares
 * with the primary observation, not with the flow, whose end may come from any other.
 */
function isMoreComplete({ end, counters }: Observation, { primary, counters: before }: FlowState): boolean {
  if (counters === null) return false;
  if (end !== primary.end) return end > primary.end;
  return totalBytes(counters) > totalBytes(before);
}

function prefer(flow: FlowState, observation: Observation): void {
  const swapped = flow.src.ip !== observation.src.ip || flow.src.port !== observation.src.port;
  if (swapped) swapEnds(flow);
  flow.src = observation.src;
  flow.dst = observation.dst;
  flow.icmp = observation.icmp ?? flow.icmp;
  flow.counters = observation.counters ?? NO_COUNTERS;
  flow.service = observation.service ?? flow.service;
}

/** Swaps what belongs to the ends; `prefer` replaces the ends themselves. */
function swapEnds(flow: FlowState): void {
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

function addNativeHash(flow: FlowState, hash: bigint | null): void {
  if (hash === null || flow.nativeHashes.includes(hash)) return;
  flow.nativeHashes.push(hash);
  if (flow.nativeHashes.length > MAX_NATIVE_HASHES) flow.nativeHashes.shift();
}

/** Folds the observation that has just become primary if the flow reproduces all of it. */
function fold(flow: FlowState, { observation, receivedAt, batchNo, position }: Located): void {
  const { counters, facts, warnings, start, end, observedAt } = observation;
  // A flow has no place for facts, warnings or missing counters.
  const plain = counters !== null && facts === null && warnings.length === 0;
  const same = flow.start === start && flow.end === end && flow.receivedAt === receivedAt;
  flow.folded = plain && same ? { observedAt, batchNo, position } : null;
}

function primaryOf(located: Located): FlowState["primary"] {
  return {
    rank: preference(located.observation, located.trust, located.series !== null),
    evidenceId: located.evidenceId,
    recordKind: located.observation.kind,
    sensorId: located.sensorId,
    end: located.observation.end,
    series: located.observation.counters === null ? null : located.series,
  };
}
