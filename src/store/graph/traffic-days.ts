// Traffic per day of the site. The rollups per minute are deleted after a day; what they add up to is kept here.

import { MINUTE } from "../../domain/graph/traffic.ts";
import { dayAt, dayOf } from "../../domain/brief/day.ts";
import type { Count, Micros } from "../../domain/record/observation.ts";
import type { Tx } from "../engine/database.ts";
import { timestampArray, timestampLiteral } from "../engine/literals.ts";
import { type Sql, sql } from "../engine/sql.ts";

const DAY = 1440 * MINUTE;

/** Half-open, in microseconds: a day of the site. */
export interface DayWindow {
  from: Micros;
  to: Micros;
}

/** What a day's traffic adds up to; null if nothing is stored of the day. */
interface DayTotal {
  flows: Count;
  bytes: Count;
}

/** A device's traffic on a day and on the day before, in bytes. */
export interface DeviceTraffic {
  device_id: string;
  name: string;
  bytes: Count;
  previous_bytes: Count;
}

function inBigint(value: Sql): Sql {
  return sql`least(${value}, 9223372036854775807)::bigint`;
}

/** Deletes rollups of minutes before `cutoff` and adds them to the days of the zone, and to the devices there. */
export async function foldTraffic(tx: Tx, tenantId: string, cutoff: Micros, zone: string): Promise<void> {
  const before = timestampLiteral(cutoff);
  const utcDays = await tx.rows<{ day: number }>(sql`
    select distinct date_bin('1 day', minute, timestamptz 'epoch') as day from graph_traffic
    where tenant_id = ${tenantId} and minute < ${before}::timestamptz`);
  const days = daysAround(utcDays.map(({ day }) => day), zone);
  await tx.run(sql`
    with gone as (
      delete from graph_traffic where tenant_id = ${tenantId} and minute < ${before}::timestamptz
      returning minute, low, high, bytes_up, bytes_down, flows
    ), pair as (
      select d.day, g.low, g.high, sum(g.bytes_up) + sum(g.bytes_down) as bytes, sum(g.flows) as flows
      from gone g join unnest(${timestampArray(days.map(({ from }) => from))}::timestamptz[], ${
    timestampArray(days.map(({ to }) => to))
  }::timestamptz[]) as d (day, until) on g.minute >= d.day and g.minute < d.until
      group by d.day, g.low, g.high
    ), whole as (
      insert into traffic_day as t (tenant_id, day, flows, bytes)
      select ${tenantId}, day, ${inBigint(sql`sum(flows)`)}, ${
    inBigint(sql`sum(bytes)`)
  } from pair group by day
      on conflict (tenant_id, day) do update set flows = ${inBigint(sql`t.flows::numeric + excluded.flows`)},
        bytes = ${inBigint(sql`t.bytes::numeric + excluded.bytes`)}
    )
    insert into device_traffic_day as t (tenant_id, day, device_id, bytes)
    select ${tenantId}, e.day, a.device_id, ${inBigint(sql`sum(e.bytes)`)}
    from (${ends(sql`day, `)}) e join device_address a on a.tenant_id = ${tenantId} and a.ip = e.ip
    group by e.day, a.device_id
    on conflict (tenant_id, day, device_id) do update set
      bytes = ${inBigint(sql`t.bytes::numeric + excluded.bytes`)}`);
}

/** Both ends of each row of `pair`, with the traffic in both directions. */
function ends(columns: Sql): Sql {
  return sql`select ${columns}low as ip, bytes from pair
    union all select ${columns}high, bytes from pair where high <> low`;
}

/** The days of the zone that days of UTC touch. */
function daysAround(utcDays: readonly Micros[], zone: string): DayWindow[] {
  const dates = new Set(utcDays.flatMap((day) => [dayAt(day, zone), dayAt(day + DAY - 1, zone)]));
  return [...dates].map((date) => dayOf(date, zone));
}

/** The flows and bytes of some days, each as far as it is stored. */
export async function totalsOf(
  tx: Tx,
  tenantId: string,
  days: readonly DayWindow[],
): Promise<(DayTotal | null)[]> {
  const found: (DayTotal | null)[] = [];
  for (const { from, to } of days) {
    const [row] = await tx.rows<DayTotal & { isStored: boolean }>(sql`
      select ${inBigint(sql`coalesce(sum(flows), 0)`)} as flows, ${
      inBigint(sql`coalesce(sum(bytes), 0)`)
    } as bytes,
        count(flows) > 0 as "isStored" from (
        select flows::numeric as flows, bytes::numeric as bytes from traffic_day
        where tenant_id = ${tenantId} and day = ${timestampLiteral(from)}::timestamptz
        union all
        select sum(flows), sum(bytes_up) + sum(bytes_down) from graph_traffic
        where tenant_id = ${tenantId} and minute >= ${timestampLiteral(from)}::timestamptz
          and minute < ${timestampLiteral(to)}::timestamptz
      ) part`);
    found.push(row!.isStored ? { flows: row!.flows, bytes: row!.bytes } : null);
  }
  return found;
}

/** Whether traffic of a day is stored under days that begin at other times, as before a change of the zone. */
export async function isFoldedElsewhere(tx: Tx, tenantId: string, { from, to }: DayWindow): Promise<boolean> {
  const [row] = await tx.rows<{ found: boolean }>(sql`
    select exists (select from traffic_day where tenant_id = ${tenantId}
      and day > ${timestampLiteral(from - DAY)}::timestamptz and day < ${timestampLiteral(to)}::timestamptz
      and day <> ${timestampLiteral(from)}::timestamptz and day + interval '23 hours' > ${
    timestampLiteral(from)
  }::timestamptz) as found`);
  return row!.found;
}

/**
 * The devices whose traffic differs most between a day and the one before (`change`), or that have the most, and how many
 * such devices there are; those without a change, or without traffic, do not count.
 */
export async function topDevices(
  tx: Tx,
  tenantId: string,
  [day, before]: readonly [DayWindow, DayWindow],
  { by, limit }: { by: "change" | "bytes"; limit: number },
): Promise<{ devices: DeviceTraffic[]; total: number }> {
  const start = timestampLiteral(day.from);
  const order = by === "change" ? sql`abs(sum(x.bytes) - sum(x.previous))` : sql`sum(x.bytes)`;
  const rows = await tx.rows<DeviceTraffic & { total: number }>(sql`
    with pair as (
      select minute >= ${start}::timestamptz as is_day, low, high, sum(bytes_up) + sum(bytes_down) as bytes
      from graph_traffic
      where tenant_id = ${tenantId} and minute >= ${timestampLiteral(before.from)}::timestamptz
        and minute < ${timestampLiteral(day.to)}::timestamptz
      group by 1, 2, 3
    ), part as (
      select device_id, day = ${start}::timestamptz as is_day, bytes::numeric as bytes from device_traffic_day
      where tenant_id = ${tenantId} and day in (${start}::timestamptz, ${
    timestampLiteral(before.from)
  }::timestamptz)
      union all
      select a.device_id, e.is_day, e.bytes
      from (${ends(sql`is_day, `)}) e join device_address a on a.tenant_id = ${tenantId} and a.ip = e.ip
    ), x as (
      select device_id, sum(bytes) filter (where is_day) as bytes, sum(bytes) filter (where not is_day) as previous
      from part group by device_id
    ), top as (
      select coalesce(d.merged_into, d.device_id) as device_id, coalesce(sum(x.bytes), 0) as bytes,
        coalesce(sum(x.previous), 0) as previous_bytes, count(*) over ()::int as total
      from (select device_id, coalesce(bytes, 0) as bytes, coalesce(previous, 0) as previous from x) x
      join device d on d.tenant_id = ${tenantId} and d.device_id = x.device_id
      group by 1 having ${order} > 0
      order by ${order} desc, 1 limit ${limit}
    )
    select t.device_id, s.display_name as name, ${inBigint(sql`t.bytes`)} as bytes,
      ${inBigint(sql`t.previous_bytes`)} as previous_bytes, t.total
    from top t join device s on s.tenant_id = ${tenantId} and s.device_id = t.device_id
    order by ${by === "change" ? sql`abs(t.bytes - t.previous_bytes)` : sql`t.bytes`} desc, t.device_id`);
  return { devices: rows.map(({ total: _, ...row }) => row), total: rows[0]?.total ?? 0 };
}

/** Deletes the days that began before `cutoff` (microseconds). */
export async function expireDays(tx: Tx, tenantId: string, cutoff: Micros): Promise<void> {
  const before = timestampLiteral(cutoff);
  await tx.run(
    sql`delete from traffic_day where tenant_id = ${tenantId} and day < ${before}::timestamptz`,
  );
  await tx.run(
    sql`delete from device_traffic_day where tenant_id = ${tenantId} and day < ${before}::timestamptz`,
  );
}
