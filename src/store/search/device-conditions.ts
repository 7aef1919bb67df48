import type { Comparison } from "../../contract/filter/tree.ts";
import type { Part, SomeOf } from "../../domain/search/parts.ts";
import { type Criterion, questionOf, type SearchContext } from "../../domain/search/criterion.ts";
import type { DeviceField } from "../../domain/search/values.ts";
import { SURVIVOR } from "../device/group.ts";
import { isShownWith, shownDevices } from "../device/read.ts";
import { plainArray } from "../engine/literals.ts";
import { hashed, type Sql, sql } from "../engine/sql.ts";
import { meets, meetsId } from "./criterion-sql.ts";
import { compileTree, noGroups, notTrue } from "./tree-sql.ts";

/** The condition on a row of `shownDevices` named `d`; `some`: how groups of other conditions are compiled. */
export function deviceCondition(
  tenantId: string,
  where: Part,
  context: SearchContext,
  some: (group: SomeOf) => Sql,
): Sql {
  return compileTree(where, {
    comparison: (comparison) => deviceComparison(tenantId, comparison, context),
    some,
  });
}

/** The ids of devices that meet the condition, as shown. */
export function devicesWith(tenantId: string, where: Part, context: SearchContext): Sql {
  const condition = deviceCondition(tenantId, where, context, noGroups);
  return sql`select d.device_id from (${shownDevices(tenantId)}) d where ${condition}`;
}

/** The ids of devices that meet the condition, and of those merged into them. */
export function membersWith(tenantId: string, where: Part, context: SearchContext): Sql {
  // Each part by an index; a condition on `SURVIVOR` has none.
  return sql`with shown as (${devicesWith(tenantId, where, context)})
    select device_id from shown union all
    select o.device_id from shown s join device o on o.tenant_id = ${tenantId} and o.merged_into = s.device_id`;
}

function deviceComparison(tenantId: string, comparison: Comparison, context: SearchContext): Sql {
  const { negated, criterion } = questionOf(comparison, context);
  const condition = DEVICE_SQL[comparison.field as DeviceField](criterion, tenantId);
  return negated ? notTrue(condition) : condition;
}

/** As integers, of which the planner has statistics; as numerics it would know nothing. */
function meetsVlan(criterion: Criterion): Sql {
  if (criterion.is !== "number") return meets(sql`x.vlan_id`, criterion);
  const ids = criterion.spans.flatMap(({ low }) => low !== null && low >= 0 && low <= 4095 ? [low] : []);
  return sql`x.vlan_id = any(${plainArray(ids)}::integer[])`;
}

const DEVICE_SQL: Record<DeviceField, (criterion: Criterion, tenantId: string) => Sql> = {
  time: (criterion) => meets(sql`d.last_seen`, criterion),
  first_seen: (criterion) => meets(sql`d.first_seen`, criterion),
  last_seen: (criterion) => meets(sql`d.last_seen`, criterion),
  device: (criterion) => meets(sql`d.display_name`, criterion),
  "device.id": (criterion, tenantId) =>
    sql`d.device_id in (select ${SURVIVOR} from device o
      where o.tenant_id = ${tenantId} and ${meetsId(sql`o.device_id`, criterion)})`,
  "device.ip": (criterion, tenantId) =>
    isShownWith(tenantId, sql`device_address`, meets(sql`x.ip`, criterion)),
  "device.type": (criterion) => meets(sql`d.device_type`, criterion),
  owner: (criterion) => meets(sql`d.owner`, criterion),
  tag: (criterion, tenantId) =>
    hashed(sql`d.device_id in (select t.device_id from device_tag t
      where t.tenant_id = ${tenantId} and ${meets(sql`t.tag`, criterion)})`),
  "device.vlan": (criterion, tenantId) => isShownWith(tenantId, sql`device_vlan`, meetsVlan(criterion)),
  "device.score": (criterion) => meets(sql`d.score`, criterion),
};
