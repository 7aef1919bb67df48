import type { FlowState } from "../domain/correlate/flow.ts";
import { flowToJoin, NATIVE_SPAN } from "../domain/correlate/join.ts";
import { addObservation, copyFlow, isCounted, newFlow } from "../domain/correlate/merge.ts";
import type { Understood } from "../store/understood.ts";
import { timeUuid } from "../kit/id.ts";
import { type Connection, countOf } from "../domain/detect/detector.ts";
import type { Tx } from "../store/database.ts";
import type { StoredObservation } from "../store/evidence.ts";
import { flowsOfTuples } from "../store/flows.ts";
import type { KnownDevice } from "../store/device-write.ts";
import type { AddedDevice, DeviceRoster, RosterAddress } from "./devices.ts";
import type { Turns } from "./turns.ts";

const MILLISECOND = 1000;
/** Records between two looks at the clock. */
const SLICE_RECORDS = 32;
const NO_DEVICES: readonly AddedDevice[] = [];

/**
 * What one observation did, as things stood at that moment: flows go on changing within the same round, and the
 * detectors must not see the future.
 */
export interface Step extends StoredObservation {
  /** The observation's own source and destination, and the devices that there were by then. */
  src: RosterAddress;
  dst: RosterAddress;
  srcDevice: KnownDevice | null;
  dstDevice: KnownDevice | null;
  /** Devices of the tenant so far. */
  deviceCount: number;
  /** Earliest start of any flow of the tenant so far. */
  historySince: number;
  /** Set where the observation has counters: the connection as its flow knows it from here on. */
  connection: Connection | null;
  /** Devices that it shows for the first time. */
  newDevices: readonly AddedDevice[];
}

/** Flows by their tuple. */
export type FlowsByTuple = Map<string, FlowState[]>;

export interface Correlation {
  steps: Step[];
  created: FlowState[];
  updated: FlowState[];
  /** Of the updated ones those whose first evidence stood on their own row until now. */
  unfolded: FlowState[];
  /** What needs a row of its own: all but the sole records of flows. */
  evidence: StoredObservation[];
  /** All flows with one of the records' tuples that were known, and those made, as the round leaves them. */
  byTuple: FlowsByTuple;
  longestFlow: number;
  historySince: number | null;
}

/**
 * Joins observations to flows one by one, in the order of arrival, against the flows stored (`byTuple`, which it
 * changes) and those made on the way; so the outcome does not depend on where a batch ends. Others get
 * their turns meanwhile.
 */
export async function correlate(
  records: readonly Understood[],
  devices: DeviceRoster,
  byTuple: FlowsByTuple,
  before: { longestFlow: number; historySince: number | null },
  turns: Turns,
): Promise<Correlation> {
  const created: FlowState[] = [];
  const updated = new Set<FlowState>();
  const unfolded: FlowState[] = [];
  const flows: FlowState[] = [];
  const stored = new Set([...byTuple.values()].flat());
  const steps: Step[] = [];
  let { longestFlow, historySince } = before;

  for (let at = 0; at < records.length; at++) {
    if (at % SLICE_RECORDS === 0 && turns.due) await turns.next();
    const record = records[at]!;
    const { observation } = record;
    const src = devices.at(observation.src.ip);
    const dst = devices.at(observation.dst.ip);
    const devicesBefore = devices.added.length;
    devices.observe(observation, src, dst);
    const candidates = observation.tuple === null ? undefined : byTuple.get(observation.tuple);
    const joined = candidates
      ? flowToJoin(candidates, {
        start: observation.start,
        end: observation.end,
        nativeHash: record.nativeHash,
        source: observation.source,
        counted: observation.counters !== null,
      })
      : null;
    let flow: FlowState;
    let connected: boolean;
    let sentBefore = 0;
    if (joined) {
      flow = joined;
      if (stored.has(flow)) {
        if (flow.sole !== null) unfolded.push(flow);
        updated.add(flow);
      }
      sentBefore = countOf(flow.counters.srcToDst.bytes);
      connected = addObservation(flow, record);
    } else {
      flow = createFlow(record);
      connected = isCounted(flow);
      created.push(flow);
      if (candidates) candidates.push(flow);
      else if (flow.tuple !== null) byTuple.set(flow.tuple, [flow]);
    }
    // An end may have become a device only now, by the record that shows it answer.
    const turned = flow.src.ip !== src.ip;
    flow.srcDeviceId ??= (turned ? dst : src).device?.deviceId ?? null;
    flow.dstDeviceId ??= (turned ? src : dst).device?.deviceId ?? null;
    longestFlow = Math.max(longestFlow, flow.end - flow.start);
    historySince = Math.min(historySince ?? Infinity, flow.start);
    flows.push(flow);
    steps.push({
      record,
      flowId: flow.flowId,
      src,
      dst,
      srcDevice: src.device,
      dstDevice: dst.device,
      deviceCount: devices.count,
      historySince,
      connection: observation.counters === null ? null : toConnection(flow, connected, sentBefore),
      newDevices: devices.added.length === devicesBefore ? NO_DEVICES : devices.added.slice(devicesBefore),
    });
  }
  const evidence = steps.filter((_, at) => flows[at]!.sole === null);
  return { steps, created, updated: [...updated], unfolded, evidence, byTuple, longestFlow, historySince };
}

function toConnection(flow: FlowState, first: boolean, sentBefore: number): Connection {
  const { flowId, start, end, proto, src, dst, srcDeviceId, dstDeviceId, service, counters } = flow;
  const { srcToDst, dstToSrc } = counters;
  return {
    flowId,
    start,
    end,
    proto,
    src,
    dst,
    srcDeviceId,
    dstDeviceId,
    service,
    serverName: flow.serverName?.name ?? null,
    bytesOut: srcToDst.bytes,
    bytesIn: dstToSrc.bytes,
    packetsOut: srcToDst.packets,
    packetsIn: dstToSrc.packets,
    newBytesOut: Math.max(0, countOf(srcToDst.bytes) - sentBefore),
    exporterDirection: counters.semantics === "unidirectional_export",
    first,
  };
}

/**
 * The flows that records could join: those stored, and those that the round before has left, which may not be
 * committed yet (`before`; they are copied, not changed).
 */
export async function loadCandidates(
  tx: Tx,
  tenantId: string,
  records: readonly Understood[],
  longestFlow: number,
  before: FlowsByTuple | null,
): Promise<FlowsByTuple> {
  const ids = new Set<string>();
  let from = Infinity;
  let to = -Infinity;
  for (const { observation } of records) {
    if (observation.tuple === null) continue;
    ids.add(observation.tuple);
    from = Math.min(from, observation.start);
    to = Math.max(to, observation.end);
  }
  const byTuple: FlowsByTuple = new Map();
  if (ids.size === 0) return byTuple;
  const newer = new Set<string>();
  for (const id of before ? ids : []) {
    const left = before!.get(id);
    if (!left) continue;
    byTuple.set(id, left.map(copyFlow));
    for (const flow of left) newer.add(flow.flowId);
  }
  // start <= anchor <= end holds for every flow, so no flow that could join has its anchor outside of this.
  const reach = longestFlow + NATIVE_SPAN;
  // The anchor of whatever a wild clock puts before 1970 is 1970.
  const span = { from: from - reach, to: Math.max(to + reach, 0) };
  for (const flow of await flowsOfTuples(tx, tenantId, [...ids], span)) {
    if (newer.has(flow.flowId)) continue;
    const same = byTuple.get(flow.tuple!);
    if (same) same.push(flow);
    else byTuple.set(flow.tuple!, [flow]);
  }
  return byTuple;
}

/** The id follows from the first record (bytes its evidence id leaves), so a replay makes the same flow again. */
function createFlow(record: Understood): FlowState {
  const { start } = record.observation;
  const anchor = Math.max(0, Math.floor(start / MILLISECOND)) * MILLISECOND;
  return newFlow(record, timeUuid(start, record.eventIds, record.eventAt + 16), anchor);
}
