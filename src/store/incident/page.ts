// Pages of incidents in each order of their list.

import type { IncidentSort } from "../../contract/incident/incident.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { all, identifier, list, type Sql, sql } from "../engine/sql.ts";
import { type IncidentRow, selectShown } from "./read.ts";

/** Where a page of incidents ended: the sort key and the number of its last one. */
export interface IncidentPosition {
  /** Microseconds or score. */
  key: number;
  /** The second key of an order that has two, microseconds. */
  then?: number;
  /** The number of the last incident. */
  before: number;
}

interface IncidentOrder {
  column: "last_seen" | "score" | "first_seen";
  /** The order of incidents with equal keys; without it the number alone decides. */
  then?: "last_seen";
  descending: boolean;
}

const SEVERITY = { column: "score", then: "last_seen" } as const;
/**
 * The columns of each order, all of them in its direction. Each has an index, which serves both directions. Severity is
 * derived from the score, so an order by score is also one by severity.
 */
const SORTS: Record<IncidentSort, IncidentOrder> = {
  "-last_seen": { column: "last_seen", descending: true },
  "-severity": { ...SEVERITY, descending: true },
  "severity": { ...SEVERITY, descending: false },
  "-score": { column: "score", descending: true },
  "score": { column: "score", descending: false },
  "-first_seen": { column: "first_seen", descending: true },
  "first_seen": { column: "first_seen", descending: false },
};

function valueOf(column: IncidentOrder["column"], key: number): Sql {
  return column === "score" ? sql`${key}::double precision` : sql`${timestampLiteral(key)}::timestamptz`;
}

interface IncidentPaging {
  sort: IncidentSort;
  after: IncidentPosition | null;
  limit: number;
}

/**
 * At most `limit` incidents that meet the conditions on `incident` as `i`, of equal keys the newest first, or
 * last in an ascending order; and whether each also meets `checked`, which is evaluated for these only.
 */
export async function incidentPage(
  tx: Tx,
  tenantId: string,
  conditions: readonly Sql[],
  { sort, after, limit }: IncidentPaging,
  checked: Sql = sql`true`,
): Promise<(IncidentRow & { met: boolean })[]> {
  const { column, then, descending } = SORTS[sort];
  const columns = [column, ...then ? [then] : [], "incident_no"].map((name) => sql`i.${identifier(name)}`);
  const beyond: Sql[] = [];
  if (after !== null) {
    const values = [
      valueOf(column, after.key),
      ...then ? [valueOf(then, after.then ?? 0)] : [],
      sql`${after.before}::bigint`,
    ];
    beyond.push(sql`(${list(columns)}) ${descending ? sql`<` : sql`>`} (${list(values)})`);
  }
  const order = sql`order by ${list(columns.map((one) => sql`${one} ${descending ? sql`desc` : sql`asc`}`))}`;
  const page = sql`(
    select i.* from incident i where ${
    all([sql`i.tenant_id = ${tenantId}`, ...conditions, ...beyond])
  } ${order} limit ${limit})`;
  return await tx.rows(sql`${selectShown(tenantId, page, sql`, (${checked}) is true as met`)} ${order}`);
}

/** The position of the page that follows an incident in an order. */
export function positionOf(row: IncidentRow, sort: IncidentSort): IncidentPosition {
  const { column, then } = SORTS[sort];
  return { key: row[column], ...then ? { then: row[then] } : {}, before: row.incident_no };
}
