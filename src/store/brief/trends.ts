// What an overview compares: today with two earlier days, and a week of work with the one before.

import { type Trends, TRENDS_DETECTORS } from "../../contract/brief/trends.ts";
import { DETECTORS } from "../../domain/detect/registry.ts";
import { dayAt, dayOf, shiftDay } from "../../domain/brief/day.ts";
import { formatMillis } from "../../kit/time.ts";
import type { Tx } from "../engine/database.ts";
import { type DayWindow, isFoldedElsewhere, totalsOf } from "../graph/traffic-days.ts";
import { firstSeen, oldestReceipt } from "./facts.ts";
import { closedCount, falsePositivesOf, medianCloseSeconds, openedCounts } from "./incidents.ts";

const WEEK = 7 * 24 * 3_600_000_000;

/** Today, yesterday and the same day of the week before. */
type Days<T> = readonly [today: T, yesterday: T, weekBefore: T];

/** @param now Microseconds. */
export async function trendsOf(tx: Tx, tenantId: string, zone: string, now: number): Promise<Trends> {
  const date = dayAt(now, zone);
  const days = [0, -1, -7].map((shift) => dayOf(shiftDay(date, shift), zone)) as unknown as Days<DayWindow>;
  const elapsed = now - days[0].from;
  const partial = days.map(({ from, to }) => ({ from, to: Math.min(to, from + elapsed) }));
  const recordsSince = await oldestReceipt(tx, tenantId);
  // Records of the time may have been received: nothing found is nothing, not unknown.
  const isObserved = ({ to }: DayWindow) => recordsSince !== null && recordsSince < to;
  const known = (window: DayWindow, count: number) => count > 0 || isObserved(window) ? count : null;
  const compare = async (count: (window: DayWindow) => Promise<number>) => {
    const found = [];
    for (const window of partial) found.push(known(window, await count(window)));
    return figure(found as unknown as Days<number | null>);
  };
  const opened = async (window: DayWindow) =>
    (await openedCounts(tx, tenantId, window)).reduce((sum, { opened }) => sum + opened, 0);
  const closed = (window: DayWindow) => closedCount(tx, tenantId, window);

  const week = { from: now - WEEK, to: now };
  const weekBefore = { from: now - 2 * WEEK, to: now - WEEK };
  const work = async (count: (window: DayWindow) => Promise<number>) => ({
    value: known(week, await count(week)),
    previous: known(weekBefore, await count(weekBefore)),
  });
  return {
    time_zone: zone,
    counted_at: formatMillis(now),
    start: formatMillis(days[0].from),
    counts: {
      opened_incidents: await compare(opened),
      closed_incidents: await compare(closed),
      new_devices: await compare(async (window) => (await firstSeen(tx, tenantId, window, 0)).total),
    },
    traffic: await trafficOf(tx, tenantId, days, isObserved),
    work: {
      opened: await work(opened),
      closed: await work(closed),
      median_close_seconds: {
        value: await medianCloseSeconds(tx, tenantId, week),
        previous: await medianCloseSeconds(tx, tenantId, weekBefore),
      },
      false_positives: (await falsePositivesOf(tx, tenantId, week, TRENDS_DETECTORS)).map((one) => ({
        ...one,
        title: TITLES.get(one.model_id) ?? one.model_id,
      })),
    },
  };
}

const TITLES: ReadonlyMap<string, string> = new Map(
  DETECTORS.map(({ info }) => [info.modelId, info.title]),
);

function figure<T>([today, yesterday, weekBefore]: Days<T>): { today: T; yesterday: T; week_before: T } {
  return { today, yesterday, week_before: weekBefore };
}

async function trafficOf(
  tx: Tx,
  tenantId: string,
  days: Days<DayWindow>,
  isObserved: (window: DayWindow) => boolean,
): Promise<Trends["traffic"]> {
  const totals = await totalsOf(tx, tenantId, days);
  const found = [];
  for (const [at, day] of days.entries()) {
    const total = await isFoldedElsewhere(tx, tenantId, day)
      ? null
      : totals[at] ?? (isObserved(day) ? { flows: 0, bytes: 0 } : null);
    found.push(total);
  }
  return {
    flows: figure(found.map((total) => total?.flows ?? null) as unknown as Days<number | null>),
    traffic_bytes: figure(found.map((total) => total?.bytes ?? null) as unknown as Days<number | null>),
  };
}
