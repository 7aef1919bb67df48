// Reads what is recorded of a day: rollups, incidents, history, coverage and health, never flows.

import { BRIEF_ROWS, type BriefDevice, type BriefTransition } from "../../contract/brief/brief.ts";
import type { Severity } from "../../contract/record/kinds.ts";
import { DETECTORS } from "../../domain/detect/registry.ts";
import { NOISY_FROM, silentHours } from "../../domain/brief/compose.ts";
import { dayOf, shiftDay } from "../../domain/brief/day.ts";
import type { BriefFacts, Listed, SensorHours } from "../../domain/brief/facts.ts";
import type { Count } from "../../domain/record/observation.ts";
import { formatMillis } from "../../kit/time.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { sql } from "../engine/sql.ts";
import { fromInet } from "../flow/flows.ts";
import { type DayWindow, isFoldedElsewhere, topDevices, totalsOf } from "../graph/traffic-days.ts";
import { configuredSensors } from "../health/configured-sensors.ts";
import { receivedHours } from "../health/coverage.ts";
import { openWork, undecided } from "../incident/summary.ts";
import {
  closedCount,
  closedIncidents,
  expiringSuppressions,
  openedCounts,
  openedIncidents,
  type OpeningCount,
  waitingActions,
  waitingProposals,
} from "./incidents.ts";

const HOUR = 3_600_000_000;
const WEEK = 7 * 24 * HOUR;

/** Which day of which site to read. */
interface BriefSubject {
  date: string;
  siteName: string;
  zone: string;
  sensorIds: readonly string[];
  /** Microseconds. */
  now: number;
}

/** Everything that a brief states. */
export async function briefFacts(tx: Tx, tenantId: string, subject: BriefSubject): Promise<BriefFacts> {
  const { date, siteName, zone, sensorIds, now } = subject;
  const day = dayOf(date, zone);
  const before = dayOf(shiftDay(date, -1), zone);
  const recordsSince = await oldestReceipt(tx, tenantId);
  // Records of the day may have been received: nothing found is nothing, not unknown.
  const isObserved = (window: DayWindow) => recordsSince !== null && recordsSince < window.to;
  const known = (window: DayWindow, count: number) => count > 0 || isObserved(window) ? count : null;

  const counts = await openedCounts(tx, tenantId, day);
  const countsBefore = await openedCounts(tx, tenantId, before);
  const devices = await firstSeen(tx, tenantId, day, BRIEF_ROWS.devices);
  const devicesBefore = await firstSeen(tx, tenantId, before, 0);
  const traffic = await trafficFacts(tx, tenantId, { day, before, isObserved, now });
  const sensors = await coverageOf(tx, tenantId, { day, sensorIds, now, recordsSince });
  const sensorsBefore = await coverageOf(tx, tenantId, { day: before, sensorIds, now, recordsSince });
  const waiting = await undecided(tx, tenantId);
  const work = await openWork(tx, tenantId, "", now);
  const opened = sum(counts, "opened");
  const closed = await closedCount(tx, tenantId, day);
  return {
    date,
    siteName,
    zone,
    ...day,
    now,
    recordsSince,
    ...traffic,
    opened: { value: known(day, opened), previous: known(before, sum(countsBefore, "opened")) },
    closed: { value: closed, previous: await closedCount(tx, tenantId, before) },
    newDevices: { value: known(day, devices.total), previous: known(before, devicesBefore.total) },
    silentHours: { value: silentHours(sensors), previous: silentHours(sensorsBefore) },
    openedBySeverity: bySeverity(counts),
    openedIncidents: {
      items: await openedIncidents(tx, tenantId, day, BRIEF_ROWS.incidents),
      total: opened,
    },
    stillOpen: sum(counts, "open"),
    closedIncidents: { items: await closedIncidents(tx, tenantId, day, BRIEF_ROWS.closed), total: closed },
    openNow: work.open,
    unassignedNow: work.unassigned,
    actions: { items: await waitingActions(tx, tenantId, BRIEF_ROWS.actions), total: waiting.actions },
    proposals: {
      items: await waitingProposals(tx, tenantId, BRIEF_ROWS.proposals),
      total: waiting.proposals,
    },
    devices,
    noisy: noisyDetectors(counts),
    expiring: await expiringSuppressions(
      tx,
      tenantId,
      { from: day.from, to: day.to + WEEK },
      BRIEF_ROWS.suppressions,
    ),
    hours: hoursOf(day),
    sensors,
    transitions: await transitionsOf(tx, tenantId, day, BRIEF_ROWS.transitions),
  };
}

/** Receipt of the oldest batch that is kept, in microseconds. */
export async function oldestReceipt(tx: Tx, tenantId: string): Promise<number | null> {
  const [row] = await tx.rows<{ received_at: number }>(sql`
    select received_at from raw_batch where tenant_id = ${tenantId} order by received_at limit 1`);
  return row?.received_at ?? null;
}

type Traffic = Pick<BriefFacts, "flows" | "bytes" | "movers" | "foldedElsewhere">;

async function trafficFacts(
  tx: Tx,
  tenantId: string,
  { day, before, isObserved, now }: {
    day: DayWindow;
    before: DayWindow;
    isObserved: (window: DayWindow) => boolean;
    now: number;
  },
): Promise<Traffic> {
  const totals = await totalsOf(tx, tenantId, [day, before]);
  const elsewhere = [
    await isFoldedElsewhere(tx, tenantId, day),
    await isFoldedElsewhere(tx, tenantId, before),
  ];
  const of = (at: 0 | 1, window: DayWindow): { flows: Count; bytes: Count } | null => {
    if (elsewhere[at]) return null;
    return totals[at] ?? (isObserved(window) ? { flows: 0, bytes: 0 } : null);
  };
  const [current, previous] = [of(0, day), of(1, before)];
  const compares = current !== null && previous !== null && day.to <= now;
  const top = current === null ? { devices: [], total: 0 } : await topDevices(tx, tenantId, [day, before], {
    by: compares ? "change" : "bytes",
    limit: BRIEF_ROWS.movers,
  });
  return {
    flows: { value: current?.flows ?? null, previous: previous?.flows ?? null },
    bytes: { value: current?.bytes ?? null, previous: previous?.bytes ?? null },
    foldedElsewhere: elsewhere[0]!,
    movers: {
      items: top.devices.map((one) => ({
        ...one,
        previous_bytes: previous === null ? null : one.previous_bytes,
      })),
      total: top.total,
    },
  };
}

/** Devices first seen on a day by source time, newest first; merged ones are not counted. */
export async function firstSeen(
  tx: Tx,
  tenantId: string,
  { from, to }: DayWindow,
  limit: number,
): Promise<Listed<BriefDevice>> {
  const isNew = sql`d.tenant_id = ${tenantId} and d.merged_into is null
    and d.first_seen >= ${timestampLiteral(from)}::timestamptz and d.first_seen < ${
    timestampLiteral(to)
  }::timestamptz
    and not exists (select from device m where m.tenant_id = ${tenantId} and m.merged_into = d.device_id
      and m.first_seen < ${timestampLiteral(from)}::timestamptz)`;
  const [count] = await tx.rows<{ total: number }>(
    sql`select count(*)::int as total from device d where ${isNew}`,
  );
  if (limit === 0 || count!.total === 0) return { items: [], total: count!.total };
  const rows = await tx.rows<Omit<BriefDevice, "first_seen"> & { first_seen: number }>(sql`
    select d.device_id, d.display_name as name, d.device_type, a.ip as address, d.first_seen
    from (select * from device d where ${isNew} order by d.first_seen desc, d.device_id limit ${limit}) d
    left join lateral (
      select ip from device_address where tenant_id = ${tenantId} and device_id = d.device_id
      order by last_seen desc, ip limit 1
    ) a on true
    order by d.first_seen desc, d.device_id`);
  const items = rows.map((row) => ({
    ...row,
    address: row.address === null ? null : fromInet(row.address),
    first_seen: formatMillis(row.first_seen),
  }));
  return { items, total: count!.total };
}

function hoursOf({ from, to }: DayWindow): number[] {
  const hours: number[] = [];
  for (let hour = from; hour + HOUR <= to; hour += HOUR) hours.push(hour);
  return hours;
}

async function coverageOf(
  tx: Tx,
  tenantId: string,
  { day, sensorIds, now, recordsSince }: {
    day: DayWindow;
    sensorIds: readonly string[];
    now: number;
    recordsSince: number | null;
  },
): Promise<SensorHours[]> {
  const ids = [...sensorIds].sort();
  const received = await receivedHours(tx, tenantId, ids, day);
  const since = await configuredSensors(tx, tenantId);
  return ids.map((sensorId) => {
    const heard = received.get(sensorId)!;
    const isKnown = (hour: number) =>
      hour >= Math.max(since.get(sensorId) ?? Infinity, recordsSince ?? -Infinity) && hour + HOUR <= now;
    return {
      sensorId,
      received: hoursOf(day).map((hour) => heard.has(hour) ? true : isKnown(hour) ? false : null),
    };
  });
}

async function transitionsOf(
  tx: Tx,
  tenantId: string,
  { from, to }: DayWindow,
  limit: number,
): Promise<Listed<BriefTransition>> {
  const rows = await tx.rows<Omit<BriefTransition, "at"> & { at: number; total: number }>(sql`
    select transition_id, at, component_id, from_status as from, to_status as to, count(*) over ()::int as total
    from health_transition
    where tenant_id = ${tenantId} and at >= ${timestampLiteral(from)}::timestamptz
      and at < ${timestampLiteral(to)}::timestamptz
    order by at desc, transition_id desc limit ${limit}`);
  return {
    items: rows.map(({ total: _, ...row }) => ({ ...row, at: formatMillis(row.at) })),
    total: rows[0]?.total ?? 0,
  };
}

function noisyDetectors(counts: readonly OpeningCount[]): BriefFacts["noisy"] {
  const titles = new Map(DETECTORS.map(({ info }) => [info.modelId, info.title]));
  const noisy = [...Map.groupBy(counts, ({ modelId }) => modelId)].map(([modelId, rows]) => ({
    model_id: modelId,
    title: titles.get(modelId) ?? modelId,
    opened: sum(rows, "opened"),
    false_positives: sum(rows, "falsePositives"),
  })).filter(({ opened }) => opened >= NOISY_FROM).sort((a, b) => b.opened - a.opened);
  return { items: noisy, total: noisy.length };
}

function bySeverity(counts: readonly OpeningCount[]): BriefFacts["openedBySeverity"] {
  const severities: Partial<Record<Severity, number>> = {};
  for (const { severity, opened } of counts) severities[severity] = (severities[severity] ?? 0) + opened;
  return severities;
}

function sum(counts: readonly OpeningCount[], key: "opened" | "open" | "falsePositives"): number {
  return counts.reduce((total, one) => total + one[key], 0);
}
