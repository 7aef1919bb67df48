import { auditEntry, type AuditPosition, listAudit } from "../../../store/session/audit.ts";
import { targetNames } from "../../../store/session/audit-targets.ts";
import type { Handlers } from "../../handler.ts";
import { readWindow, type Window } from "../../window.ts";
import type { HandlerDeps } from "../deps.ts";
import { endPage } from "../page.ts";
import { DEFAULT_LIMIT } from "../params.ts";

export function auditHandlers(deps: HandlerDeps): Pick<Handlers, "listAudit"> {
  return {
    async listAudit({ caller: { tenantId }, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId, operation: "listAudit", filter: query };
      const position = deps.cursors.open<{ before: AuditPosition } & Window>(scope, query.cursor, now);
      const { from, to } = position ?? readWindow(query, now, null);
      const filter = {
        window: { from, to },
        subject: query.subject,
        operation: query.operation,
        targetId: query.target_id,
        outcome: query.outcome,
      };
      const { rows, names } = await deps.db.tenant(tenantId, async (tx) => {
        const rows = await listAudit(tx, tenantId, filter, position?.before ?? null, limit + 1);
        return { rows, names: await targetNames(tx, tenantId, rows) };
      });
      const entries = rows.slice(0, limit).map((row) => ({
        ...auditEntry(row),
        target_name: names.get(row.target_id ?? "") ?? null,
      }));
      const { page, more } = endPage(entries, rows.length > limit, deps.pageBytes);
      const last = rows[page.length - 1];
      return {
        data: page,
        nextCursor: more && last
          ? deps.cursors.seal(scope, { before: { at: last.at, id: last.audit_id }, from, to }, now)
          : null,
      };
    },
  };
}
