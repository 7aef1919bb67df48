import type { IncidentDetail } from "../../contract/incident/incident.ts";
import type {
  OutcomeStatus,
  ResponseAction,
  ResponseDecision,
  ResponseKind,
  ResponseStatus,
} from "../../contract/review/response.ts";

// The dashboard imports only types of the contract, so these orders stand here.
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
  reconciling: "carried out in part",
  rolled_back: "taken back",
  expired: "expired",
};

/** What a person may decide of an action now. */
export function choicesOf({ status }: Pick<ResponseAction, "status">): ResponseDecision[] {
  return CHOICES[status] ?? [];
}

/** What an executor says became of it. */
export function outcomeWord(status: OutcomeStatus): string {
  return OUTCOMES[status];
}

/** Whom an action is about; null where that is nobody in particular. */
export function targetName({ target: { device_name, device_id, address } }: ResponseAction): string | null {
  return device_name ?? device_id ?? address;
}

/** The addresses that an incident's results name as the other side. */
export function blockableOf({ model_results }: Pick<IncidentDetail, "model_results">): string[] {
  const ips = model_results.flatMap(({ destinations }) => destinations.flatMap(({ ip }) => ip ?? []));
  return [...new Set(ips)];
}
