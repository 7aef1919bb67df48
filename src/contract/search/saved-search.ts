import { z } from "@hono/zod-openapi";
import { FILTER_LIMITS } from "../filter/limits.ts";
import { Id, line, PageQuery, Timestamp } from "../request/common.ts";
import { ResultKindSchema } from "./filter.ts";

const SAVED_SEARCH_SCOPES = ["personal", "shared"] as const;

/** Limits of saved searches. */
export const SAVED_SEARCH_LIMITS = { perPerson: 100, shared: 200 } as const;

const Text = z.string().trim().max(FILTER_LIMITS.textLength).openapi({
  description: "Filter in the search language; empty finds everything.",
  example: "severity>=high status:open",
});

export const SavedSearch = z.object({
  saved_search_id: Id,
  name: z.string(),
  scope: z.enum(SAVED_SEARCH_SCOPES).openapi({
    description:
      "`personal`: seen by its owner only. `shared`: seen and changed by every analyst of the tenant.",
  }),
  kind: ResultKindSchema,
  text: Text,
  created_by: z.string(),
  created_at: Timestamp,
  updated_by: z.string(),
  updated_at: Timestamp,
  revision: z.number().int().positive(),
}).openapi("SavedSearch");
export type SavedSearch = z.infer<typeof SavedSearch>;

export const SavedSearchQuery = PageQuery.extend({
  scope: z.enum(SAVED_SEARCH_SCOPES).optional().openapi({
    description: "Only personal or only shared ones. Default: both.",
    example: "shared",
  }),
});

export const SavedSearchCreation = z.strictObject({
  name: line(100),
  scope: z.enum(SAVED_SEARCH_SCOPES),
  kind: ResultKindSchema,
  text: Text,
}).openapi("SavedSearchCreation", {
  description:
    `The text must be a valid filter; it is stored in its canonical form. At most ${SAVED_SEARCH_LIMITS.perPerson} personal ` +
    `searches a person and ${SAVED_SEARCH_LIMITS.shared} shared ones a tenant.`,
});

export const SavedSearchPatch = z.strictObject({
  name: line(100).optional(),
  kind: ResultKindSchema.optional(),
  text: Text.optional(),
  deleted: z.literal(true).optional().openapi({
    description: "Deletes the search; the answer is its last state.",
  }),
}).refine((patch) => Object.keys(patch).length > 0, "expected at least one field").openapi(
  "SavedSearchPatch",
);
export type SavedSearchPatch = z.infer<typeof SavedSearchPatch>;
