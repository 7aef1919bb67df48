import type { DeviceSort } from "../../contract/device/query.ts";
import type { Grouped } from "../../contract/filter/group.ts";
import { groupsOf, type SomeOf, termComparisons } from "../../domain/search/parts.ts";
import type { SearchPlan } from "../../domain/search/plan.ts";
import type { Tx } from "../engine/database.ts";
import { plainArray, timestampLiteral } from "../engine/literals.ts";
import { hashed, type Sql, sql } from "../engine/sql.ts";
import { refuseManyTexts } from "./text-cost.ts";
import { examineFlows } from "../flow/examine.ts";
import { SURVIVOR } from "../device/group.ts";
import {
  devicePage,
  type DevicePosition,
  hasText,
  type ListedDevice,
  newestSighting,
  positionOf,
} from "../device/read.ts";
import { isWithin } from "./criterion-sql.ts";
import { deviceCondition } from "./device-conditions.ts";
import { flowSearch, type SearchPage } from "./flows.ts";
import { incidentsWith } from "./incident-conditions.ts";

/** Flows examined for all groups of conditions on flows together: about half a second. */
export const MAX_EXAMINED_FLOWS = 400_000;

/**
 * A page of at most `limit` devices in an order, of equal keys in the order of their ids. A device whose key changes
 * between two pages may appear twice.
 */
export async function searchDevices(
  tx: Tx,
  tenantId: string,
  plan: SearchPlan,
  after: DevicePosition | null,
  limit: number,
  sort: DeviceSort = "-last_seen",
): Promise<SearchPage<ListedDevice, DevicePosition>> {
  const { conditions, examinedUntil } = await matchingDevices(tx, tenantId, plan);
  const until = sort === "last_seen" ? after?.until ?? await newestSighting(tx, tenantId) : undefined;
  const found = await devicePage(tx, tenantId, conditions, { sort, after, limit: limit + 1 });
  const rows = found.slice(0, limit).map((row) => ({ ...row, until }));
  return {
    rows,
    next: found.length > limit ? positionOf(rows.at(-1)!) : null,
    exhausted: examinedUntil === null,
    examinedUntil,
  };
}

/** The conditions on `shownDevices` as `d`, and the time down to which flows were examined; null: all were. */
export async function matchingDevices(
  tx: Tx,
  tenantId: string,
  plan: SearchPlan,
): Promise<{ conditions: Sql[]; examinedUntil: number | null }> {
  const { where, window, lastSeen, deviceType, text, context } = plan;
  const conditions: Sql[] = [];
  if (window !== null) {
    conditions.push(sql`d.last_seen >= ${timestampLiteral(window.from)}::timestamptz
      and d.first_seen < ${timestampLiteral(window.to)}::timestamptz`);
  }
  if (lastSeen !== undefined) conditions.push(isWithin(sql`d.last_seen`, lastSeen));
  if (deviceType !== undefined) conditions.push(sql`d.device_type = ${deviceType}`);
  if (text !== undefined) conditions.push(hasText(tenantId, text));
  if (where === null) return { conditions, examinedUntil: null };
  const withFlows = new Map<SomeOf, readonly string[]>();
  let examinedUntil: number | null = null;
  const groups = groupsOf(where).filter(({ some }) => some === "flow");
  // Each group looks up its own texts, so all of them are counted first.
  await refuseManyTexts(tx, tenantId, groups.flatMap(termComparisons), context, window);
  const most = Math.floor(MAX_EXAMINED_FLOWS / Math.max(groups.length, 1));
  for (const group of groups) {
    const { ids, from } = await devicesOfFlows(tx, tenantId, group, plan, most);
    withFlows.set(group, ids);
    if (from !== null) examinedUntil = Math.max(examinedUntil ?? from, from);
  }
  conditions.push(
    deviceCondition(
      tenantId,
      where,
      context,
      (group) =>
        group.some === "flow"
          ? sql`d.device_id = any(${plainArray(withFlows.get(group)!)}::uuid[])`
          : hashed(sql`d.device_id in (
        select ${SURVIVOR} from incident_device x
        join device o on o.tenant_id = x.tenant_id and o.device_id = x.device_id
        where x.tenant_id = ${tenantId} and x.incident_id in (${
            incidentsWith(tenantId, group.where, context)
          }))`),
    ),
  );
  return { conditions, examinedUntil };
}

/**
 * The devices, as shown, at the ends of flows in the window of which the group holds; and the start down to which
 * flows were examined, null if all were.
 */
async function devicesOfFlows(
  tx: Tx,
  tenantId: string,
  { where }: SomeOf,
  { window, context }: SearchPlan,
  most: number,
): Promise<{ ids: string[]; from: number | null }> {
  const { from, to } = window ?? { from: 0, to: context.now };
  if (from >= to) return { ids: [], from: null };
  // It has no groups of its own.
  const search = await flowSearch(tx, tenantId, { where: where as Grouped, context, window: { from, to } });
  const examined = await examineFlows(tx, tenantId, search, most);
  const rows = await tx.rows<{ device_id: string }>(sql`
    with ends as (${examined.select(sql`flow.src_device_id, flow.dst_device_id`)})
    select distinct ${SURVIVOR} as device_id from device o
    where o.tenant_id = ${tenantId}
      and o.device_id in (select src_device_id from ends union select dst_device_id from ends)`);
  return { ids: rows.map(({ device_id }) => device_id), from: examined.from > from ? examined.from : null };
}
