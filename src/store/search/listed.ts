// Conditions of searches for the lists, which have an order and paging of their own.

import type { SearchPlan } from "../../domain/search/plan.ts";
import type { Tx } from "../engine/database.ts";
import { all, type Sql, sql } from "../engine/sql.ts";
import { shownDevices } from "../device/read.ts";
import { matchingDevices } from "./devices.ts";
import { matchingIncidents } from "./incidents.ts";

/** The ids of the devices that a search finds. */
export async function devicesFound(tx: Tx, tenantId: string, plan: SearchPlan): Promise<Sql> {
  const { conditions } = await matchingDevices(tx, tenantId, plan);
  const found = sql`select d.device_id from (${shownDevices(tenantId)}) d`;
  return conditions.length === 0 ? found : sql`${found} where ${all(conditions)}`;
}

/** The conditions on `incident` as `i` of what a search finds. */
export async function incidentConditions(tx: Tx, tenantId: string, plan: SearchPlan): Promise<Sql[]> {
  const { conditions, evidence } = await matchingIncidents(tx, tenantId, plan);
  return evidence === null ? conditions : [...conditions, sql`(${evidence}) is true`];
}
