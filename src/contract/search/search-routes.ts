import { AnalystCallPreview } from "../analyst/analyst-run.ts";
import { collection, single } from "../request/common.ts";
import { patch, read, type Route } from "../request/route.ts";
import { SavedSearch, SavedSearchCreation, SavedSearchPatch, SavedSearchQuery } from "./saved-search.ts";
import {
  AggregateRequest,
  AggregateResponse,
  Completion,
  CompletionQuery,
  Interpretation,
  InterpretRequest,
  SearchQuery,
  SearchResults,
} from "./search.ts";
import { EXPORT_TEXT, ExportFile, ExportQuery } from "./export.ts";
import { SearchFilter } from "./filter.ts";
import { FilterProposal, FilterQuestion } from "./filter-proposal.ts";

/** A read with a body, because a filter is too large for a URL. */
const query = { ...read, method: "POST" } as const;

/** Search and saved searches. */
export const SEARCH_ROUTES = {
  interpretSearch: {
    ...query,
    path: "/api/v1/search/interpret",
    summary: "Turn a text in the search language or in plain English into a structured filter",
    tag: "Search",
    body: InterpretRequest,
    response: single(Interpretation),
  },
  previewFilterProposal: {
    ...query,
    asksModel: true,
    path: "/api/v1/search/proposal/preview",
    summary: "Get the exact text that a model would be sent about a question, and what it would cost",
    description: "Sends and reserves nothing.",
    tag: "Search",
    body: FilterQuestion,
    response: single(AnalystCallPreview),
  },
  proposeFilter: {
    ...query,
    role: "analyst",
    asksModel: true,
    awaitsModel: true,
    path: "/api/v1/search/proposal",
    summary: "Ask the tenant's language model for a filter, once; the filter is checked and not executed",
    description:
      "For questions that `interpret` declines. The worst cost is reserved before the call, as for analyst runs. Show the " +
      "filter to a person before you search with it.",
    tag: "Search",
    body: FilterQuestion,
    response: single(FilterProposal),
  },
  search: {
    ...query,
    path: "/api/v1/search",
    summary: "Search flows, devices or incidents with a structured filter, newest first",
    tag: "Search",
    query: SearchQuery,
    body: SearchFilter,
    windowInBody: true,
    response: SearchResults,
  },
  aggregateSearch: {
    ...query,
    path: "/api/v1/search/aggregate",
    summary: "Count or sum up what a filter finds, by up to three fields and time",
    tag: "Search",
    body: AggregateRequest,
    windowInBody: true,
    response: AggregateResponse,
  },
  completeSearch: {
    ...read,
    path: "/api/v1/search/complete",
    summary: "Complete a text in the search language; values of the last day, most used first",
    tag: "Search",
    query: CompletionQuery,
    response: single(Completion),
  },

  exportSearch: {
    ...read,
    path: "/api/v1/search/export",
    summary: "Download what a filter finds as CSV, NDJSON or raw records",
    description: EXPORT_TEXT,
    tag: "Search",
    query: ExportQuery,
    download: { types: ["text/csv", "application/x-ndjson"] },
    response: ExportFile,
  },

  listSavedSearches: {
    ...read,
    path: "/api/v1/saved-searches",
    summary: "List your own and the shared searches by name",
    tag: "Search",
    query: SavedSearchQuery,
    response: collection(SavedSearch),
  },
  createSavedSearch: {
    ...patch,
    method: "POST",
    revisioned: false,
    status: 201,
    tagged: true,
    path: "/api/v1/saved-searches",
    summary: "Save a search for yourself or for everyone of the tenant",
    tag: "Search",
    body: SavedSearchCreation,
    response: single(SavedSearch),
  },
  getSavedSearch: {
    ...read,
    tagged: true,
    path: "/api/v1/saved-searches/{saved_search_id}",
    summary: "Get one saved search",
    tag: "Search",
    response: single(SavedSearch),
  },
  patchSavedSearch: {
    ...patch,
    path: "/api/v1/saved-searches/{saved_search_id}",
    summary: "Change or delete a saved search",
    tag: "Search",
    body: SavedSearchPatch,
    response: single(SavedSearch),
  },
} as const satisfies Record<string, Route>;
