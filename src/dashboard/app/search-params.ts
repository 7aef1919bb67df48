// The search parameters of each page. Values that a page does not know are dropped: a mistyped address must
// not break it.

import type { FailedStatus } from "../../contract/record/failed-record.ts";
import type { AuditOutcome } from "../../contract/session/audit.ts";
import type { ProposalKind } from "../../contract/review/proposal.ts";
import type { SuppressionStatus } from "../../contract/review/suppression.ts";
import { DEVICE_VIEWS, type DeviceView } from "../device/device-views.ts";
import { FLOW_SOURCES } from "../entity/record/record-sources.ts";
import type { EvidenceSource } from "../../contract/record/kinds.ts";
import { readMapSearch } from "../graph/map-search.ts";
import type { FilterSearch } from "../search/use-filter.ts";

type Search = Record<string, unknown>;

export const SUPPRESSED_VIEWS = ["only", "shown"] as const;
export type SuppressedView = (typeof SUPPRESSED_VIEWS)[number];
// Repeated here, because the dashboard imports only types of the contract.
export const SUPPRESSION_ORDER = ["active", "expired", "revoked"] as const satisfies SuppressionStatus[];
export const AUDIT_OUTCOMES = ["done", "refused"] as const satisfies AuditOutcome[];
export const FAILED_STATUSES = ["unparsed", "rejected"] as const satisfies FailedStatus[];

/** A non-empty text parameter, otherwise undefined. */
export function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function oneOf<T extends string>(allowed: readonly T[], value: unknown): T | undefined {
  return allowed.find((one) => one === value);
}

export function none(): Record<never, never> {
  return {};
}

export function filtered(search: Search): FilterSearch {
  return { filter: text(search.filter), top: text(search.top) };
}

export function triage(
  search: Search,
): FilterSearch & { view?: string; sort?: string; suppressed?: SuppressedView } {
  return {
    ...filtered(search),
    view: text(search.view),
    sort: text(search.sort),
    suppressed: oneOf(SUPPRESSED_VIEWS, search.suppressed),
  };
}

/** A list with a query bar, views and a server sort. */
export function list(search: Search): FilterSearch & { view?: string; sort?: string } {
  return { ...filtered(search), view: text(search.view), sort: text(search.sort) };
}

export const map = readMapSearch;

export function device(search: Search): { view?: DeviceView } {
  return { view: oneOf(DEVICE_VIEWS, search.view) };
}

export const DECISION_VIEWS = ["approved", "all"] as const;
export type DecisionView = (typeof DECISION_VIEWS)[number];
export function decisions(search: Search): { view?: DecisionView } {
  return { view: oneOf(DECISION_VIEWS, search.view) };
}

export const PROPOSAL_KINDS = ["classification", "model", "triage"] as const satisfies ProposalKind[];
export const PROPOSAL_VIEWS = ["accepted", "rejected", "all"] as const;
export type ProposalView = (typeof PROPOSAL_VIEWS)[number];
interface ProposalSearch {
  kind?: ProposalKind;
  view?: ProposalView;
  target_id?: string;
  /** The one that is open beside the list. */
  proposal?: string;
}
export function proposals(search: Search): ProposalSearch {
  return {
    kind: oneOf(PROPOSAL_KINDS, search.kind),
    view: oneOf(PROPOSAL_VIEWS, search.view),
    target_id: text(search.target_id),
    proposal: text(search.proposal),
  };
}

export function feedback(search: Search): { model_id?: string; incident_id?: string } {
  return { model_id: text(search.model_id), incident_id: text(search.incident_id) };
}

export function suppressions(search: Search): { status?: SuppressionStatus } {
  return { status: oneOf(SUPPRESSION_ORDER, search.status) };
}

export function help(search: Search): { q?: string } {
  return { q: text(search.q) };
}

interface AuditSearch {
  subject?: string;
  operation?: string;
  target_id?: string;
  outcome?: AuditOutcome;
}
export function audit(search: Search): AuditSearch {
  return {
    subject: text(search.subject),
    operation: text(search.operation),
    target_id: text(search.target_id),
    outcome: oneOf(AUDIT_OUTCOMES, search.outcome),
  };
}

interface RecordsSearch {
  status?: FailedStatus;
  sensor_id?: string;
  source?: EvidenceSource;
  kind?: string;
}
export function records(search: Search): RecordsSearch {
  return {
    status: oneOf(FAILED_STATUSES, search.status),
    sensor_id: text(search.sensor_id),
    source: oneOf(FLOW_SOURCES, search.source),
    kind: text(search.kind),
  };
}
