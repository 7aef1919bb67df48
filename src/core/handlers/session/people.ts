import { formatMillis } from "../../../kit/time.ts";
import { listPeople, rolesOf } from "../../../store/session/people.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { endPage } from "../page.ts";
import { DEFAULT_LIMIT } from "../params.ts";

export function peopleHandlers(deps: HandlerDeps): Pick<Handlers, "listPeople"> {
  return {
    async listPeople({ caller: { tenantId }, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId, operation: "listPeople", filter: query };
      const after = deps.cursors.open<string>(scope, query.cursor, now);
      const rows = await deps.db.tenant(tenantId, (tx) => listPeople(tx, tenantId, after, limit + 1));
      const people = rows.slice(0, limit).map((row) => ({
        subject: row.subject,
        name: row.display_name,
        roles: rolesOf(row),
        last_seen: formatMillis(row.last_seen),
      }));
      const { page: data, more } = endPage(people, rows.length > limit, deps.pageBytes);
      const last = data.at(-1)?.subject;
      return { data, nextCursor: more && last !== undefined ? deps.cursors.seal(scope, last, now) : null };
    },
  };
}
