import type { Filter } from "../../../contract/filter/tree.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { DEFAULT_LIMIT } from "../params.ts";
import { planOf } from "./plan.ts";
import { type Position, searchRunner } from "./run.ts";

/** Where the next page begins. Relative times stay those of the first page. */
interface SearchCursor {
  /** Microseconds. */
  now: number;
  at: Position;
}

export function searchHandlers(deps: HandlerDeps): Pick<Handlers, "search"> {
  const run = searchRunner(deps);
  return {
    async search({ caller, query, body, now }) {
      const { tenantId } = caller;
      const filter: Filter = body;
      const scope = { tenantId, operation: "search", filter: { ...body } };
      const cursor = deps.cursors.open<SearchCursor>(scope, query.cursor, now);
      const since = cursor?.now ?? now;
      const plan = planOf(deps, caller, filter, since);
      const limit = query.limit ?? DEFAULT_LIMIT;
      const { items, next, warnings } = await run(tenantId, plan, { after: cursor?.at ?? null, limit, now });
      return {
        data: items,
        nextCursor: next && deps.cursors.seal(scope, { now: since, at: next } satisfies SearchCursor, now),
        beside: { result_kind: plan.kind, window: windowView(plan.window), warnings },
      };
    },
  };
}

export function windowView(window: { from: number; to: number } | null): { from: string; to: string } | null {
  return window && { from: formatMillis(window.from), to: formatMillis(window.to) };
}
