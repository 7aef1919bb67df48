// People who have signed in to a tenant.

import type { Role } from "../../contract/record/kinds.ts";
import type { SessionGrant } from "../../contract/session/service-session.ts";
import type { Tx } from "../engine/database.ts";
import { textArray, timestampLiteral } from "../engine/literals.ts";
import { all, sql } from "../engine/sql.ts";

interface PersonRow {
  subject: string;
  display_name: string;
  /** Joined by commas. */
  roles: string;
  /** Microseconds. */
  last_seen: number;
}

/**
 * Records a sign-in in each of the granted tenants; `at` in microseconds. For transactions on global tables: the
 * transaction sees no tenant's rows before and after.
 */
export async function recordPerson(
  tx: Tx,
  { subject, displayName }: { subject: string; displayName: string },
  grants: readonly SessionGrant[],
  at: number,
): Promise<void> {
  for (const { tenant_id: tenantId, roles } of grants) {
    await tx.rows(sql`select set_config('ndr.tenant', ${tenantId}, true)`);
    await tx.run(sql`
      insert into person (tenant_id, subject, display_name, roles, last_seen)
      values (${tenantId}, ${subject}, ${displayName}, ${roles.join(",")}, ${
      timestampLiteral(at)
    }::timestamptz)
      on conflict (tenant_id, subject) do update
      set display_name = excluded.display_name, roles = excluded.roles, last_seen = excluded.last_seen`);
  }
  await tx.rows(sql`select set_config('ndr.tenant', '', true)`);
}

/** By subject, after `after`. */
export async function listPeople(
  tx: Tx,
  tenantId: string,
  after: string | null,
  limit: number,
): Promise<PersonRow[]> {
  const conditions = [sql`tenant_id = ${tenantId}`];
  if (after !== null) conditions.push(sql`subject > ${after}`);
  return await tx.rows<PersonRow>(sql`
    select subject, display_name, roles, last_seen from person where ${all(conditions)}
    order by subject limit ${limit}`);
}

/** Display names of these people; unknown ones are left out. */
export async function peopleNames(
  tx: Tx,
  tenantId: string,
  subjects: readonly string[],
): Promise<Map<string, string>> {
  if (subjects.length === 0) return new Map();
  const rows = await tx.rows<Pick<PersonRow, "subject" | "display_name">>(sql`
    select subject, display_name from person
    where tenant_id = ${tenantId} and subject = any(${textArray(subjects)}::text[])`);
  return new Map(rows.map((row) => [row.subject, row.display_name]));
}

export async function isPerson(tx: Tx, tenantId: string, subject: string): Promise<boolean> {
  const rows = await tx.rows(
    sql`select 1 from person where tenant_id = ${tenantId} and subject = ${subject}`,
  );
  return rows.length > 0;
}

/** Deletes people last seen before `cutoff` (microseconds). */
export async function expirePeople(tx: Tx, tenantId: string, cutoff: number): Promise<number> {
  return await tx.run(sql`
    delete from person where tenant_id = ${tenantId} and last_seen < ${
    timestampLiteral(cutoff)
  }::timestamptz`);
}

/** The roles of a row. */
export function rolesOf({ roles }: PersonRow): Role[] {
  return roles === "" ? [] : roles.split(",") as Role[];
}
