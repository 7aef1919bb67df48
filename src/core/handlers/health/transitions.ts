import { PUBLIC_MESSAGES } from "../../../domain/health/redact.ts";
import { formatMillis } from "../../../kit/time.ts";
import { listTransitions, type TransitionPosition } from "../../../store/health/transitions.ts";
import type { Handlers } from "../../handler.ts";
import { readWindow, type Window } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { endPage } from "../page.ts";
import { DEFAULT_LIMIT } from "../params.ts";

export function healthTransitionHandlers(deps: HandlerDeps): Pick<Handlers, "listHealthTransitions"> {
  return {
    async listHealthTransitions({ caller: { tenantId, roles }, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId, operation: "listHealthTransitions", filter: query };
      const position = deps.cursors.open<{ before: TransitionPosition } & Window>(scope, query.cursor, now);
      const { from, to } = position ?? readWindow(query, now, null);
      const filter = { window: { from, to }, componentId: query.component_id };
      const rows = await deps.db.tenant(
        tenantId,
        (tx) => listTransitions(tx, tenantId, filter, position?.before ?? null, limit + 1),
      );
      const isAdmin = roles.includes("admin");
      const transitions = rows.slice(0, limit).map((row) => ({
        transition_id: row.transition_id,
        at: formatMillis(row.at),
        component_id: row.component_id,
        kind: row.kind,
        from: row.from_status,
        to: row.to_status,
        message: isAdmin || PUBLIC_MESSAGES.has(row.message ?? "") ? row.message : null,
      }));
      const { page: data, more } = endPage(transitions, rows.length > limit, deps.pageBytes);
      const last = rows[data.length - 1];
      return {
        data,
        nextCursor: more && last
          ? deps.cursors.seal(scope, { before: { at: last.at, id: last.transition_id }, from, to }, now)
          : null,
      };
    },
  };
}
