import type { AnalystCallPreview } from "../../analyst/analyst-run.ts";
import type { FilterProposal } from "../../search/filter-proposal.ts";
import type { z } from "@hono/zod-openapi";
import type { SavedSearch } from "../../search/saved-search.ts";
import type { SearchFilter } from "../../search/filter.ts";
import type { Aggregate, Completion, Interpretation } from "../../search/search.ts";
import { SAVED_SEARCH_ID } from "./ids.ts";

export const FILTER: Required<z.input<typeof SearchFilter>> = {
  version: 1,
  kind: "flows",
  where: {
    all: [
      { field: "src.ip", op: "matches", value: "10.0.0.0/8" },
      { field: "dst.port", op: "matches", value: 443 },
      { not: { field: "service", op: "matches", value: "dns" } },
    ],
  },
  window: { from: "2026-01-31T07:00:00Z", to: "2026-01-31T07:15:00Z" },
  zone: "UTC",
};

export const INTERPRETATION: Interpretation = {
  filter: {
    version: 1,
    kind: "devices",
    where: { field: "dst.ip", op: "matches", value: "198.51.100.7" },
    window: { from: "2026-01-30T00:00:00.000Z", to: "2026-01-31T00:00:00.000Z" },
    zone: "UTC",
  },
  result_kind: "devices",
  interpretation: "natural",
  text: "dst.ip:198.51.100.7",
  description: "destination address 198.51.100.7",
  chips: [{ path: "where", text: "dst.ip:198.51.100.7", label: "destination address 198.51.100.7" }],
  ranking: null,
  select_preview:
    "SELECT devices WHERE dst.ip:198.51.100.7 AND time:2026-01-30T00:00:00.000Z..2026-01-31T00:00:00.000Z ORDER BY last_seen DESC",
  warnings: [],
};

/** A question that the grammar declines. */
export const QUESTION = { query: "which machines phone home over ssh", zone: "UTC" };

const MODEL = { provider: "local", model: "llama3.1", prompt_version: "filter-1" };

export const PROPOSAL_PREVIEW: AnalystCallPreview = {
  model: MODEL,
  sent: {
    system: "You translate a question about recorded network traffic into one filter of a search language.",
    user: `{"question":"${QUESTION.query}"}`,
  },
  sent_parts: ["addresses"],
  placeholders: 0,
  estimated_input_tokens: 2_100,
  max_output_tokens: 1_000,
  estimated_microusd: 915,
  worst_microusd: 1_898,
  budget: { date: "2026-01-31", limit_microusd: 1_000_000, reserved_microusd: 0, spent_microusd: 504 },
};

export const PROPOSAL: FilterProposal = {
  interpretation: {
    filter: {
      version: 1,
      kind: "flows",
      where: { field: "service", op: "=", value: "ssh" },
      window: null,
      zone: "UTC",
    },
    result_kind: "flows",
    interpretation: "model",
    text: "service:ssh",
    description: "service ssh",
    chips: [{ path: "where", text: "service:ssh", label: "service ssh" }],
    ranking: null,
    select_preview: "SELECT flows WHERE service:ssh ORDER BY start DESC",
    warnings: ["Proposed by a language model: check the conditions before you rely on the result."],
  },
  model: MODEL,
  cost: { input_tokens: 1_980, output_tokens: 21, reserved_microusd: 0, spent_microusd: 310 },
};

export const AGGREGATE: Aggregate = {
  window: { from: "2026-01-31T07:00:00.000Z", to: "2026-01-31T07:15:00.000Z" },
  buckets: [],
  groups: [
    { key: ["RO"], total: 48_200, values: [] },
    { key: [null], total: 1200, values: [] },
  ],
  other: null,
  complete: true,
  examined_from: null,
  warnings: [],
};

export const COMPLETION: Completion = {
  from: 9,
  to: 11,
  items: [{ insert: "443", label: "443", detail: null, count: 1820 }],
};

export const SAVED: SavedSearch = {
  saved_search_id: SAVED_SEARCH_ID,
  name: "Web traffic of clients",
  scope: "shared",
  kind: "flows",
  text: "src.ip:10.0.0.0/8 dst.port:443",
  created_by: "ada",
  created_at: "2026-01-31T07:15:20.000Z",
  updated_by: "ada",
  updated_at: "2026-01-31T07:15:20.000Z",
  revision: 1,
};
