import { parseText } from "../../../contract/filter/parser.ts";
import { printCondition } from "../../../contract/filter/printer.ts";
import { ApiError } from "../../../contract/request/errors.ts";
import { SAVED_SEARCH_LIMITS, type SavedSearch } from "../../../contract/search/saved-search.ts";
import { formatMillis } from "../../../kit/time.ts";
import type { Tx } from "../../../store/engine/database.ts";
import {
  countSavedSearches,
  deleteSavedSearch,
  insertSavedSearch,
  listSavedSearches,
  lockSavedSearches,
  savedSearchById,
  type SavedSearchPosition,
  type SavedSearchRow,
  updateSavedSearch,
} from "../../../store/search/saved-searches.ts";
import type { Handlers } from "../../handler.ts";
import type { HandlerDeps } from "../deps.ts";
import { endPage } from "../page.ts";
import { DEFAULT_LIMIT, newId, pathId } from "../params.ts";
import { textFault } from "../../search/filter-fault.ts";

type Operations =
  | "listSavedSearches"
  | "createSavedSearch"
  | "getSavedSearch"
  | "patchSavedSearch";

export function savedSearchHandlers(deps: HandlerDeps): Pick<Handlers, Operations> {
  return {
    async listSavedSearches({ caller: { tenantId, subject }, query, now }) {
      const limit = query.limit ?? DEFAULT_LIMIT;
      const scope = { tenantId, operation: "listSavedSearches", filter: { ...query, subject } };
      const after = deps.cursors.open<SavedSearchPosition>(scope, query.cursor, now);
      const rows = await deps.db.tenant(
        tenantId,
        (tx) => listSavedSearches(tx, tenantId, { subject, scope: query.scope }, after, limit + 1),
      );
      const found = rows.slice(0, limit).map(view);
      const { page: data, more } = endPage(found, rows.length > limit, deps.pageBytes);
      const last = data.at(-1);
      const position = last && { name: last.name, id: last.saved_search_id };
      return { data, nextCursor: more ? deps.cursors.seal(scope, position, now) : null };
    },

    async createSavedSearch({ caller: { tenantId, subject }, body, tx, now }) {
      const row: SavedSearchRow = {
        saved_search_id: newId(now),
        owner: body.scope === "personal" ? subject : null,
        name: body.name,
        kind: body.kind,
        filter_text: canonicalText(body.text),
        created_by: subject,
        created_at: now,
        updated_by: subject,
        updated_at: now,
        revision: 1,
      };
      await lockSavedSearches(tx, tenantId);
      const count = await countSavedSearches(tx, tenantId, row.owner);
      const limit = row.owner === null ? SAVED_SEARCH_LIMITS.shared : SAVED_SEARCH_LIMITS.perPerson;
      if (count >= limit) {
        throw new ApiError("invalid_request", `At most ${limit} ${body.scope} searches; delete one first.`, {
          reason: "limit_reached",
          limit,
        });
      }
      await insertSavedSearch(tx, tenantId, row);
      return { data: view(row), etag: row.revision };
    },

    async getSavedSearch({ caller, params }) {
      const row = await deps.db.tenant(caller.tenantId, (tx) => existing(tx, caller, params));
      return { data: view(row), etag: row.revision };
    },

    async patchSavedSearch({ caller, params, body, ifMatch, tx, now }) {
      const { tenantId, subject } = caller;
      await lockSavedSearches(tx, tenantId);
      const before = await existing(tx, caller, params);
      if (before.revision !== ifMatch) throw conflict(before);
      const changed: SavedSearchRow = {
        ...before,
        name: body.name ?? before.name,
        kind: body.kind ?? before.kind,
        filter_text: body.text === undefined ? before.filter_text : canonicalText(body.text),
        updated_by: subject,
        updated_at: now,
        revision: before.revision + 1,
      };
      if (body.deleted) await deleteSavedSearch(tx, tenantId, before.saved_search_id, ifMatch);
      else await updateSavedSearch(tx, tenantId, changed, ifMatch);
      const former = { name: before.name, kind: before.kind, text: before.filter_text };
      return { data: view(changed), etag: changed.revision, before: former };
    },
  };
}

/** The canonical form of a text; empty finds everything. */
function canonicalText(text: string): string {
  if (text === "") return "";
  const parsed = parseText(text);
  if (!parsed.ok) throw textFault("text", parsed.faults);
  return printCondition(parsed.condition);
}

/** @throws ApiError not_found, also for other people's personal searches */
async function existing(
  tx: Tx,
  { tenantId, subject }: { tenantId: string; subject: string },
  params: Record<string, string>,
): Promise<SavedSearchRow> {
  const row = await savedSearchById(tx, tenantId, subject, pathId(params, "saved_search_id"));
  if (row === null) throw new ApiError("not_found");
  return row;
}

function conflict({ revision }: SavedSearchRow): ApiError {
  return new ApiError("revision_conflict", undefined, { revision });
}

function view(row: SavedSearchRow): SavedSearch {
  return {
    saved_search_id: row.saved_search_id,
    name: row.name,
    scope: row.owner === null ? "shared" : "personal",
    kind: row.kind,
    text: row.filter_text,
    created_by: row.created_by,
    created_at: formatMillis(row.created_at),
    updated_by: row.updated_by,
    updated_at: formatMillis(row.updated_at),
    revision: row.revision,
  };
}
