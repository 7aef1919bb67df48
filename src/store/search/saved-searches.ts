import type { ResultKind } from "../../contract/filter/tree.ts";
import type { Tx } from "../engine/database.ts";
import { timestampLiteral } from "../engine/literals.ts";
import { all, sql } from "../engine/sql.ts";

/** A saved search; times in microseconds. */
export interface SavedSearchRow {
  saved_search_id: string;
  /** Null if it is shared. */
  owner: string | null;
  name: string;
  kind: ResultKind;
  filter_text: string;
  created_by: string;
  created_at: number;
  updated_by: string;
  updated_at: number;
  revision: number;
}

export interface SavedSearchPosition {
  name: string;
  id: string;
}

const COLUMNS = sql`
  saved_search_id, owner, name, kind, filter_text, created_by, created_at, updated_by, updated_at, revision`;

/** What a person may see, by name: their own and the shared ones. */
export async function listSavedSearches(
  tx: Tx,
  tenantId: string,
  { subject, scope }: { subject: string; scope?: "personal" | "shared" },
  after: SavedSearchPosition | null,
  limit: number,
): Promise<SavedSearchRow[]> {
  const conditions = [sql`tenant_id = ${tenantId}`];
  if (scope !== "shared") {
    conditions.push(
      scope === "personal" ? sql`owner = ${subject}` : sql`(owner = ${subject} or owner is null)`,
    );
  } else conditions.push(sql`owner is null`);
  if (after !== null) {
    conditions.push(sql`(lower(name), saved_search_id) > (lower(${after.name}), ${after.id}::uuid)`);
  }
  return await tx.rows<SavedSearchRow>(sql`
    select ${COLUMNS} from saved_search where ${all(conditions)}
    order by lower(name), saved_search_id limit ${limit}`);
}

/** A search that the person may see, else null. */
export async function savedSearchById(
  tx: Tx,
  tenantId: string,
  subject: string,
  id: string,
): Promise<SavedSearchRow | null> {
  const [row] = await tx.rows<SavedSearchRow>(sql`
    select ${COLUMNS} from saved_search
    where tenant_id = ${tenantId} and saved_search_id = ${id}::uuid and (owner = ${subject} or owner is null)`);
  return row ?? null;
}

/** How many searches the owner has; null counts the shared ones. */
export async function countSavedSearches(tx: Tx, tenantId: string, owner: string | null): Promise<number> {
  const [row] = await tx.rows<{ count: number }>(sql`
    select count(*)::integer as count from saved_search
    where tenant_id = ${tenantId} and owner is not distinct from ${owner}::text`);
  return row!.count;
}

/** Serialises the writers of a tenant's saved searches, so that the limits hold. */
export async function lockSavedSearches(tx: Tx, tenantId: string): Promise<void> {
  await tx.rows(sql`select pg_advisory_xact_lock(hashtextextended(${`saved_search ${tenantId}`}, 0))::text`);
}

export async function insertSavedSearch(tx: Tx, tenantId: string, row: SavedSearchRow): Promise<void> {
  await tx.run(sql`
    insert into saved_search (tenant_id, ${COLUMNS})
    values (${tenantId}, ${row.saved_search_id}::uuid, ${row.owner}, ${row.name}, ${row.kind}, ${row.filter_text},
      ${row.created_by}, ${timestampLiteral(row.created_at)}::timestamptz, ${row.updated_by},
      ${timestampLiteral(row.updated_at)}::timestamptz, ${row.revision})`);
}

/** Changes a search if the revision still matches; false otherwise. */
export async function updateSavedSearch(
  tx: Tx,
  tenantId: string,
  { saved_search_id: id, name, kind, filter_text: text, updated_by: by, updated_at: at }: SavedSearchRow,
  revision: number,
): Promise<boolean> {
  const changed = await tx.run(sql`
    update saved_search set name = ${name}, kind = ${kind}, filter_text = ${text}, updated_by = ${by},
      updated_at = ${timestampLiteral(at)}::timestamptz, revision = revision + 1
    where tenant_id = ${tenantId} and saved_search_id = ${id}::uuid and revision = ${revision}`);
  return changed === 1;
}

/** Deletes a search if the revision still matches; false otherwise. */
export async function deleteSavedSearch(
  tx: Tx,
  tenantId: string,
  id: string,
  revision: number,
): Promise<boolean> {
  const deleted = await tx.run(sql`
    delete from saved_search
    where tenant_id = ${tenantId} and saved_search_id = ${id}::uuid and revision = ${revision}`);
  return deleted === 1;
}
