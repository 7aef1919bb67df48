import type { Site } from "../../contract/site.ts";
import type { Detector } from "../../domain/detect/kernel/detector.ts";
import type { Gates } from "../../domain/review/response/automatic.ts";
import type { IntelSet } from "../../domain/intel/intel-set.ts";
import type { Cidr } from "../../kit/net/ip.ts";
import type { StoredSample } from "../../store/health/capture-samples.ts";
import type { Database, Tx } from "../../store/engine/database.ts";
import { writeStateChanges } from "../../store/detector/journal.ts";
import { type FlowStatement, flowWrites } from "../../store/flow/writes.ts";
import { advanceCursor, type Cursor, readCursor, type RoundSize } from "../../store/record/pending.ts";
import { loadCandidates } from "../stages/candidates.ts";
import { recordCaptures } from "../stages/captures.ts";
import { correlate, type Correlation } from "../stages/correlate.ts";
import { detect, type Detection } from "../stages/detection.ts";
import { recordVlans } from "../stages/device-vlans.ts";
import { DeviceRoster } from "../stages/devices.ts";
import { FactRound } from "../stages/facts.ts";
import { IncidentRound } from "../stages/incidents.ts";
import { Intake } from "./intake.ts";
import { hitsOfSteps, recordIntel, takeIntel } from "../stages/intel.ts";
import { describeAdded } from "../stages/inventory.ts";
import { StateCache } from "../state/state-cache.ts";
import { RecentFlows } from "../state/recent-flows.ts";
import { SeenTuples } from "../state/seen-tuples.ts";
import { type Look, Turns } from "./turns.ts";

/** What the pipeline must know of a tenant. */
export interface TenantNetworks {
  networks: readonly Cidr[];
  /** True where nobody configured them and private ranges are only taken to be inside. */
  networksAssumed: boolean;
  site: Pick<Site, "vlans">;
  /** From which scores on actions are held for a person; none where nothing is given. */
  automatic?: Gates;
}

/** Batches that were read, understood and joined to flows, ready to take effect. */
export interface PreparedRound {
  batches: number;
  /** The cursor they follow, and where it goes. */
  before: Cursor;
  next: Cursor;
  devices: DeviceRoster;
  flows: Correlation;
  /** Ready to write the flows and their evidence. */
  writes: FlowStatement[];
  facts: FactRound;
  samples: StoredSample[];
  /** The lists that it was matched against, and what it met of them. */
  intel: IntelSet | null;
  hits: ReturnType<typeof hitsOfSteps>;
  detection: Detection;
}

interface PrepareOptions {
  /** Where the batches come from, and how many of them where nothing is given. */
  intake?: Intake;
  size?: RoundSize;
  /** What the detectors remember of the rounds before. */
  memories?: StateCache;
  /** The flows that the rounds before have left. */
  recent?: RecentFlows;
  /** The tuples of the rounds before; without it every one is looked for in the store. */
  seen?: SeenTuples;
  /** Lists that the tenant's cursor knows of (`takeIntel`), to match against; without them nothing is matched. */
  intel?: IntelSet | null;
  /** All of them where nothing is given. */
  detectors?: readonly Detector[];
  /** How others get their turn while this is at work. */
  look?: Look;
}

/**
 * Reads a tenant's next batches, understands them, joins them to flows and lets the detectors judge; null when there are
 * none. They follow `previous`, which may still be on its way into the database, or else the tenant's cursor.
 */
export async function prepareRound(
  db: Database,
  tenantId: string,
  { networks, networksAssumed }: TenantNetworks,
  previous: PreparedRound | null = null,
  {
    size,
    look,
    intake = new Intake(db, tenantId, { size, look }),
    memories = new StateCache(),
    recent = new RecentFlows(),
    seen = new SeenTuples(),
    intel = null,
    detectors,
  }: PrepareOptions = {},
): Promise<PreparedRound | null> {
  const turns = new Turns(look);
  const before = previous?.next ?? await db.tenant(tenantId, (tx) => readCursor(tx, tenantId));
  const taken = await intake.after(before.batchNo);
  if (taken === null) return null;
  const { records, samples } = taken;
  recent.begin(before.batchNo, previous?.flows ?? null);
  const observations = records.map((record) => record.observation);
  const [devices, candidates] = await db.tenant(tenantId, (tx) =>
    Promise.all([
      DeviceRoster.load(tx, tenantId, networks, observations, previous?.devices ?? null),
      loadCandidates(tx, tenantId, taken, before, recent, seen),
    ]));
  const flows = await correlate(records, devices, candidates, before, turns);
  const { longestFlow, historySince, latestEnd } = flows;
  const next = { batchNo: taken.last, longestFlow, historySince, latestEnd };
  recent.end(next.batchNo, flows);
  const writes: FlowStatement[] = [];
  for (const statement of flowWrites(tenantId, flows)) {
    writes.push(statement);
    if (turns.due) await turns.next();
  }
  const facts = new FactRound(flows.steps);
  const hits = hitsOfSteps(flows.steps, (ip) => devices.isInternal(ip), intel);
  const input = { steps: flows.steps, roster: devices, networksAssumed, hits };
  const span = { after: before.batchNo, last: next.batchNo };
  const detection = await detect(db, tenantId, input, span, memories, turns, detectors);
  return {
    batches: taken.batches,
    before,
    next,
    devices,
    flows,
    writes,
    facts,
    samples,
    intel,
    hits,
    detection,
  };
}

/**
 * Writes all effects of a prepared round and moves the cursor, in one transaction. A crash before its COMMIT leaves
 * nothing behind; after it, nothing to repeat.
 *
 * @param onWriting Called when the database has most of its work and this thread little: the time to prepare what comes
 * next. Called again where the transaction is run again.
 * @param look How others get their turn while this is at work.
 * @throws CursorMoved when another core was faster, or the cursor knows of other lists.
 */
export async function applyRound(
  db: Database,
  tenantId: string,
  { site, automatic }: TenantNetworks,
  round: PreparedRound,
  now: number,
  onWriting: () => void = () => {},
  look?: Look,
): Promise<void> {
  const { before, next, devices, writes, facts, samples, intel, hits, detection } = round;
  const { steps } = round.flows;
  await db.tenant(tenantId, async (tx) => {
    let described: Promise<void> = Promise.resolve();
    // Nobody waits for one statement before giving the next: the connection keeps their order, and the database works
    // on one while the next is put together.
    const starts = [
      // The row that only one core can move: a slower one fails here.
      () => advanceCursor(tx, tenantId, before, next, intel?.digest),
      // Before whatever changes a device: it may be new in this round.
      () => devices.write(tx, next.batchNo),
      // The longest work of all comes early: the database is at it while the rest is put together.
      ...writes.map((statement) => () => tx.run(statement)),
      () => recordVlans(tx, tenantId, steps, devices, site.vlans),
      () => described = describeAdded(tx, tenantId, devices),
      () => facts.write(tx, tenantId),
      () => recordIntel(tx, tenantId, steps, hits),
      () => recordCaptures(tx, tenantId, samples),
      () => writeStateChanges(tx, tenantId, detection.remembered),
      () => tellIncidents(tx, tenantId, round, now, described, automatic),
    ];
    await allInTurn(starts, new Turns(look), onWriting);
  });
}

/** What becomes of what the detectors say. */
async function tellIncidents(
  tx: Tx,
  tenantId: string,
  { devices, detection: { findings } }: PreparedRound,
  now: number,
  described: Promise<void>,
  gates: Gates | undefined,
): Promise<void> {
  if (findings.length === 0) return;
  // An incident weighs what people say of its devices, and the inventory may just have said it.
  await described;
  const incidents = await IncidentRound.load(tx, tenantId, findings, devices, now, gates);
  await incidents.write(tx);
}

/**
 * Starts one after the other, and lets what has come in be served in between; `onStarted` when all are under way. Fails with
 * the first of them, in this order, that fails.
 */
async function allInTurn(
  starts: readonly (() => Promise<unknown>)[],
  turns: Turns,
  onStarted: () => void,
): Promise<void> {
  const running: Promise<unknown>[] = [];
  for (const start of starts) {
    const one = start();
    // Its failure is everybody's, below.
    one.catch(() => {});
    running.push(one);
    if (turns.due) await turns.next();
  }
  onStarted();
  // In their order: what fails behind another may fail because of it.
  for (const one of running) await one;
}

interface RoundOutcome {
  /** Batches taken up; 0 when there was nothing to do. */
  batches: number;
  records: number;
}

/** Prepares and applies one round, matched against these lists where there are any. */
export async function runRound(
  db: Database,
  tenantId: string,
  networks: TenantNetworks,
  now: number,
  size?: RoundSize,
  intel: IntelSet | null = null,
  memories = new StateCache(),
): Promise<RoundOutcome> {
  if (intel !== null) await takeIntel(db, tenantId, intel);
  const round = await prepareRound(db, tenantId, networks, null, { size, intel, memories });
  if (!round) return { batches: 0, records: 0 };
  await applyRound(db, tenantId, networks, round, now);
  return { batches: round.batches, records: round.flows.steps.length };
}
