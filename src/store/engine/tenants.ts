import type { Database } from "./database.ts";
import { textArray } from "./literals.ts";
import { sql } from "./sql.ts";

/** Adds the configured tenants to the database. */
export async function registerTenants(db: Database, tenantIds: readonly string[]): Promise<void> {
  await db.shared((tx) =>
    tx.run(sql`
      insert into tenant (tenant_id) select unnest(${textArray([...tenantIds].sort())}::text[])
      on conflict do nothing`)
  );
}

/** Every tenant that was ever configured: its data is still maintained after its configuration is removed. */
export async function listTenants(db: Database): Promise<string[]> {
  const rows = await db.shared((tx) =>
    tx.rows<{ tenant_id: string }>(sql`select tenant_id from tenant order by 1`)
  );
  return rows.map((row) => row.tenant_id);
}
