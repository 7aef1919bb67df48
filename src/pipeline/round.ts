import { setImmediate } from "node:timers";
import type { Cidr } from "../kit/ip.ts";
import type { Database, Tx } from "../store/database.ts";
import { insertEvidence } from "../store/evidence.ts";
import { insertFlows, updateFlows } from "../store/flows.ts";
import { advanceCursor, type Cursor, CursorMoved, pendingBatches, readCursor } from "../store/pending.ts";
import { groupAlerts } from "./alerts.ts";
import { ChannelCache } from "./channel-cache.ts";
import { followChannels } from "./channels.ts";
import { correlate, type Step } from "./correlate.ts";
import { DeviceRoster } from "./devices.ts";
import { IncidentRound } from "./incidents.ts";
import { understandBatch, type Understood } from "./understand.ts";

/** Batches taken up together: enough to spread a transaction's cost, few enough to bound its memory. */
const BATCHES_PER_ROUND = 8;

/** What the pipeline must know of a tenant. */
export interface TenantNetworks {
  networks: readonly Cidr[];
  /** True where nobody configured them and private ranges are only taken to be inside. */
  networksAssumed: boolean;
}

/** Batches that were read and understood, ready to take effect. */
export interface PreparedRound {
  /** The cursor they follow. */
  after: number;
  /** The last of them. */
  upTo: number;
  batches: number;
  records: Understood[];
}

/**
 * Reads and understands a tenant's next batches; null when there are none. `after` is where to go on, by default
 * the tenant's cursor: a round can be prepared while the one before it is being written.
 */
export async function prepareRound(
  db: Database,
  tenantId: string,
  after: number | null = null,
  batchesPerRound = BATCHES_PER_ROUND,
): Promise<PreparedRound | null> {
  const { from, batches } = await db.tenant(tenantId, async (tx) => {
    const from = after ?? (await readCursor(tx, tenantId)).batchNo;
    return { from, batches: await pendingBatches(tx, tenantId, from, batchesPerRound) };
  });
  if (batches.length === 0) return null;
  const records: Understood[] = [];
  for (const batch of batches) {
    for (const record of understandBatch(batch)) records.push(record);
    // Answers of the database, and senders, have come in meanwhile: let them be served.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { after: from, upTo: batches.at(-1)!.batch_no, batches: batches.length, records };
}

/**
 * Writes all effects of a prepared round and moves the cursor, in one transaction. A crash before its COMMIT leaves
 * nothing behind; after it, nothing to repeat.
 *
 * `onWriting` is called when the database has most of its work and this thread little: the time to prepare what
 * comes next.
 *
 * `channels` are those that the rounds before left behind.
 *
 * @throws CursorMoved when another core was faster.
 */
export async function applyRound(
  db: Database,
  tenantId: string,
  { networks, networksAssumed }: TenantNetworks,
  { after, upTo, records }: PreparedRound,
  now: number,
  { onWriting = () => {}, channels = new ChannelCache() }: {
    onWriting?: () => void;
    channels?: ChannelCache;
  } = {},
): Promise<void> {
  await db.tenant(tenantId, async (tx) => {
    const cursor = await readCursor(tx, tenantId);
    if (cursor.batchNo !== after) {
      throw new CursorMoved(`the pipeline of ${tenantId} is not at batch ${after}`);
    }
    const next = { ...cursor, batchNo: upTo };
    channels.begin(after);
    if (records.length === 0) return await advanceCursor(tx, tenantId, cursor, next);
    const roster = await DeviceRoster.load(
      tx,
      tenantId,
      networks,
      records.map((record) => record.observation),
    );
    const flows = await correlate(tx, tenantId, records, roster, cursor);
    // Nobody waits for one statement before giving the next: the connection keeps their order, and the database works
    // on one while the next is put together. The detectors' reads go first, so that they judge in the meantime.
    const detection = detect(tx, tenantId, flows.steps, roster, networksAssumed, channels, now);
    const writes = [
      detection,
      // Of the writes first the row that only one core can move: a slower one fails here.
      advanceCursor(tx, tenantId, cursor, withHistory(next, flows)),
      roster.write(tx),
      insertFlows(tx, tenantId, flows.created),
      updateFlows(tx, tenantId, flows.updated),
      insertEvidence(tx, tenantId, flows.steps.map((step) => step.stored)),
    ];
    onWriting();
    await Promise.all(writes);
  });
  channels.commit(upTo);
}

export interface RoundOutcome {
  /** Batches taken up; 0 when there was nothing to do. */
  batches: number;
  records: number;
}

/** Prepares and applies one round. */
export async function runRound(
  db: Database,
  tenantId: string,
  networks: TenantNetworks,
  now: number,
  batchesPerRound = BATCHES_PER_ROUND,
): Promise<RoundOutcome> {
  const round = await prepareRound(db, tenantId, null, batchesPerRound);
  if (!round) return { batches: 0, records: 0 };
  await applyRound(db, tenantId, networks, round, now);
  return { batches: round.batches, records: round.records.length };
}

function withHistory(cursor: Cursor, flows: { longestFlow: number; historySince: number | null }): Cursor {
  return { ...cursor, longestFlow: flows.longestFlow, historySince: flows.historySince };
}

async function detect(
  tx: Tx,
  tenantId: string,
  steps: readonly Step[],
  roster: DeviceRoster,
  networksAssumed: boolean,
  channels: ChannelCache,
  now: number,
): Promise<void> {
  const found = (await Promise.all([
    followChannels(tx, tenantId, steps, roster, networksAssumed, channels),
    groupAlerts(tx, tenantId, steps, roster),
  ])).flat();
  if (found.length === 0) return;
  const findings = found.sort((a, b) => a.at - b.at)
    .map(({ at, result }) => ({ trigger: steps[at]!.stored.evidenceId, result }));
  const round = await IncidentRound.load(tx, tenantId, findings, now);
  await round.write(tx);
}
