import type { SearchPlan } from "../../domain/search/plan.ts";
import type { Tx } from "../engine/database.ts";
import { searchDevices } from "./devices.ts";
import { searchFlows } from "./flows.ts";
import { searchIncidents } from "./incidents.ts";

/** Rows and pages that a count reads before it gives up. */
const PAGE_ROWS = 5000;
const MAX_PAGES = 40;

/** How many rows a search finds, up to `most`; null if that takes too long to find out. */
export async function countFound(
  tx: Tx,
  tenantId: string,
  plan: SearchPlan,
  most: number,
): Promise<number | null> {
  const page = pageReader(tx, tenantId, plan);
  let found = 0;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const { rows, isLast } = await page();
    found += rows;
    if (isLast || found >= most) return Math.min(found, most);
  }
  return null;
}

function pageReader(
  tx: Tx,
  tenantId: string,
  plan: SearchPlan,
): () => Promise<{ rows: number; isLast: boolean }> {
  switch (plan.kind) {
    case "flows":
      return paged((after: Parameters<typeof searchFlows>[3]) =>
        searchFlows(tx, tenantId, plan, after, PAGE_ROWS)
      );
    case "devices":
      return paged((after: Parameters<typeof searchDevices>[3]) =>
        searchDevices(tx, tenantId, plan, after, PAGE_ROWS)
      );
    case "incidents":
      return paged((after: Parameters<typeof searchIncidents>[3]) =>
        searchIncidents(tx, tenantId, plan, after, PAGE_ROWS)
      );
  }
}

function paged<P>(
  read: (after: P | null) => Promise<{ rows: unknown[]; next: P | null }>,
): () => Promise<{ rows: number; isLast: boolean }> {
  let after: P | null = null;
  return async () => {
    const { rows, next } = await read(after);
    after = next;
    return { rows: rows.length, isLast: next === null };
  };
}
