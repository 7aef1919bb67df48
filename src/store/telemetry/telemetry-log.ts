// What this installation sent to its registration server, when, and the outcome. Holds no tenant's data.

import type {
  SendHistory,
  SendKind,
  SendOutcome,
  SendRecord,
  Versions,
} from "../../domain/telemetry/heartbeat/schedule.ts";
import { knownNow } from "../engine/clock-state.ts";
import type { Tx } from "../engine/database.ts";
import { keepLease, type Lease } from "../engine/leases.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";

/** The sending installation and its server. */
export interface Sender {
  installId: string;
  origin: string;
  /** Null on the free plan. */
  licenseKeyIdHash: string | null;
}

/** A started transmission. Times in microseconds. */
interface SendStart {
  kind: SendKind;
  at: number;
  slot: number;
  versions: Versions;
  /** The exact text; null for requests without a body. */
  payload: string | null;
}

/** The outcome of a transmission. */
interface SendEnd {
  at: number;
  outcome: Exclude<SendOutcome, "pending">;
  /** The reason, for administrators; null on success. */
  failure: string | null;
  /** Update checks: the reported release, as JSON. */
  answer: string | null;
}

/** The state according to the newest entries. Times in microseconds. */
export interface TelemetryView {
  lastSentAt: number | null;
  /** Why the newest heartbeat failed, else why the newest registration did; null if neither failed. */
  sendFailure: string | null;
  /** The exact newest text that was sent, or would have been. */
  lastPayload: string | null;
  lastCheckAt: number | null;
  checkFailure: string | null;
  /** The release of the newest successful check, as JSON. */
  release: string | null;
}

const DAY = 86_400_000_000;
/** A year and some margin for an audit. */
const TELEMETRY_LOG_DAYS = 400;
/** Upper bound whatever clocks do: several times what 400 days of an unreachable server leave. */
export const TELEMETRY_LOG_ROWS = 20_000;

/** The history that the schedule is based on; null before the first start with this server. */
export async function sendHistory(tx: Tx, sender: Sender, slot: number): Promise<SendHistory | null> {
  const { installId, origin, licenseKeyIdHash } = sender;
  const [newest] = await tx.rows<{ at: number }>(sql`
    select at from telemetry_log where ${ours(sender)} order by id desc limit 1`);
  const [reported] = await tx.rows<{ product_version: string; bundle_version: string }>(sql`
    select product_version, bundle_version from telemetry_log
    where kind in ('baseline', 'heartbeat') and ${ours(sender)} order by id desc limit 1`);
  const [baseline] = await tx.rows<{ id: number; slot: number }>(sql`
    select id, slot from telemetry_log where kind = 'baseline' and ${ours(sender)} order by id desc limit 1`);
  if (newest === undefined || reported === undefined || baseline === undefined) return null;
  const [registration] = await tx.rows(sql`
    select from telemetry_log
    where kind = 'registration' and outcome = 'sent' and install_id = ${installId} and origin = ${origin}
      and license_key_id_hash is not distinct from ${licenseKeyIdHash} limit 1`);
  const sends = await tx.rows<Row>(sql`
    select kind, at, outcome, product_version, bundle_version from telemetry_log
    where kind <> 'baseline' and id > ${baseline.id} and slot = ${timestampLiteral(slot)}::timestamptz and ${
    ours(sender)
  }
      and (kind <> 'registration' or license_key_id_hash is not distinct from ${licenseKeyIdHash})
    order by id`);
  return {
    registered: registration !== undefined,
    newestAt: newest.at,
    newest: { product: reported.product_version, bundle: reported.bundle_version },
    baselineSlot: baseline.slot,
    sends: sends.map(recordOf),
  };
}

interface Row {
  kind: SendKind;
  at: number;
  outcome: SendOutcome;
  product_version: string;
  bundle_version: string;
}

function recordOf({ kind, at, outcome, product_version, bundle_version }: Row): SendRecord {
  return { kind, at, outcome, product: product_version, bundle: bundle_version };
}

/** The sender's entries, without dry runs. */
function ours({ installId, origin }: Sender): Sql {
  return sql`install_id = ${installId} and origin = ${origin} and outcome <> 'dry_run'`;
}

/** Records the time from which the schedule counts. */
export async function recordBaseline(
  tx: Tx,
  sender: Sender,
  { at, slot, versions }: Pick<SendStart, "at" | "slot" | "versions">,
): Promise<void> {
  await insert(tx, sender, { kind: "baseline", outcome: "sent", at, slot, versions, payload: null });
}

/**
 * Records a transmission before a connection is opened, so that nothing is ever sent without an entry.
 * Returns its id for `endSend`; null if another core has taken the lease, so nothing may be sent.
 */
export async function beginSend(
  tx: Tx,
  lease: Lease,
  sender: Sender,
  start: SendStart,
): Promise<number | null> {
  if (!(await keepLease(tx, lease))) return null;
  return await insert(tx, sender, { ...start, outcome: "pending" });
}

export async function endSend(tx: Tx, id: number, { at, outcome, failure, answer }: SendEnd): Promise<void> {
  await tx.run(sql`
    update telemetry_log set answered_at = ${timestampLiteral(at)}::timestamptz, outcome = ${outcome},
      failure = ${failure}, answer = ${answer}
    where id = ${id}`);
}

/**
 * Records a payload that was built and checked but is not sent; the schedule ignores it. A payload that the
 * guards reject is not stored: `payload` is null then and `failure` gives the reason.
 */
export async function recordDryRun(
  tx: Tx,
  sender: Sender,
  start: Omit<SendStart, "kind"> & { failure: string | null },
): Promise<void> {
  await insert(tx, sender, { ...start, kind: "heartbeat", outcome: "dry_run" });
}

/** The state for health, metrics and the dashboard. */
export async function readTelemetry(tx: Tx, sender: Sender): Promise<TelemetryView> {
  const newest = async (which: Sql) => {
    const [row] = await tx.rows<
      { answered_at: number | null; failure: string | null; answer: string | null }
    >(sql`
      select answered_at, failure, answer from telemetry_log
      where ${which} and outcome <> 'pending' and ${ours(sender)} order by id desc limit 1`);
    return row ?? null;
  };
  const heartbeat = await newest(sql`kind = 'heartbeat'`);
  const registration = await newest(sql`kind = 'registration'`);
  const sent = await newest(sql`kind in ('registration', 'heartbeat') and outcome = 'sent'`);
  const check = await newest(sql`kind = 'update'`);
  const known = await newest(sql`kind = 'update' and outcome = 'sent'`);
  const [shown] = await tx.rows<{ payload: string }>(sql`
    select payload from telemetry_log
    where kind = 'heartbeat' and payload is not null and install_id = ${sender.installId} order by id desc limit 1`);
  return {
    lastSentAt: sent?.answered_at ?? null,
    sendFailure: heartbeat?.failure ?? registration?.failure ?? null,
    lastPayload: shown?.payload ?? null,
    lastCheckAt: check?.answered_at ?? null,
    checkFailure: check?.failure ?? null,
    release: known?.answer ?? null,
  };
}

/**
 * Deletes entries older than 400 days, and the oldest beyond 20,000; entries that the schedule needs stay.
 */
export async function expireTelemetryLog(tx: Tx, sender: Sender, now: number): Promise<number> {
  const at = await knownNow(tx, now);
  return await tx.run(sql`
    delete from telemetry_log
    where (at < ${timestampLiteral(at - TELEMETRY_LOG_DAYS * DAY)}::timestamptz
        or id <= (select max(id) from telemetry_log) - ${TELEMETRY_LOG_ROWS}::bigint)
      and id not in (
        select max(id) from telemetry_log where outcome = 'sent' and kind in ('baseline', 'registration') and ${
    ours(sender)
  }
        group by kind, license_key_id_hash)`);
}

async function insert(
  tx: Tx,
  { installId, origin, licenseKeyIdHash }: Sender,
  row: Omit<SendStart, "kind"> & { kind: string; outcome: string; failure?: string | null },
): Promise<number> {
  const { kind, outcome, at, slot, versions, payload, failure = null } = row;
  const [inserted] = await tx.rows<{ id: number }>(sql`
    insert into telemetry_log (at, kind, outcome, install_id, origin, license_key_id_hash, slot, product_version,
      bundle_version, payload, failure)
    values (${
    timestampLiteral(at)
  }::timestamptz, ${kind}, ${outcome}, ${installId}, ${origin}, ${licenseKeyIdHash},
      ${timestampLiteral(slot)}::timestamptz, ${versions.product}, ${versions.bundle}, ${payload}, ${failure})
    returning id`);
  return inserted!.id;
}
