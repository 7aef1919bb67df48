import type { IncidentDetail } from "../../contract/incident/incident.ts";
import type {
  OutcomeStatus,
  ResponseAction,
  ResponseDecision,
  ResponseKind,
  ResponseStatus,
} from "../../contract/review/response.ts";

// Repeated here, because the dashboard imports only types of the contract.
export const KIND_NAMES: Record<ResponseKind, string> = {
  quarantine_device: "Quarantine",
  block_destination: "Block",
  notify_only: "Notify",
};

const CHOICES: Partial<Record<ResponseStatus, ResponseDecision[]>> = {
  proposed: ["approved", "rejected", "cancelled"],
  approved: ["cancelled"],
};

export const DECISION_VERBS: Record<ResponseDecision, string> = {
  approved: "Approve",
  rejected: "Reject",
  cancelled: "Cancel",
};

const OUTCOMES: Record<OutcomeStatus, string> = {
  executed: "carried out",
  failed: "failed",
  reconciling: "applied in part",
  rolled_back: "taken back",
  expired: "expired",
};

/** The decisions that are possible now. */
export function choicesOf({ status }: Pick<ResponseAction, "status">): ResponseDecision[] {
  return CHOICES[status] ?? [];
}

/** Label of an outcome that an executor reported. */
export function outcomeLabel(status: OutcomeStatus): string {
  return OUTCOMES[status];
}

/** The target of an action; null for none. */
export function targetName({ target: { device_name, device_id, address } }: ResponseAction): string | null {
  return device_name ?? device_id ?? address;
}

/** Peer addresses named by an incident's results. */
export function blockableOf({ model_results }: Pick<IncidentDetail, "model_results">): string[] {
  const ips = model_results.flatMap(({ destinations }) => destinations.flatMap(({ ip }) => ip ?? []));
  return [...new Set(ips)];
}
