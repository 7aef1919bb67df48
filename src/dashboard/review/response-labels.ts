import { parseText } from "../../contract/filter/parser.ts";
import { printCondition } from "../../contract/filter/printer.ts";
import type { Condition } from "../../contract/filter/tree.ts";
import type {
  IdentityGrade,
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

/** What an action asks for, as a sentence without its target. */
export const ASKS: Record<ResponseKind, string> = {
  quarantine_device: "Quarantine the device: take it off the network",
  block_destination: "Block all traffic to the destination",
  notify_only: "Notify the executors; nothing is changed on the network",
};

export const IDENTITIES: Record<IdentityGrade, string> = {
  strong:
    "Strong: a property that identifies a machine on its own, such as a hardware address, ties the address to the device.",
  weak:
    "Weak: only supporting properties, such as a host name, tie the address to the device. Check it before approving.",
  address_only:
    "Address only: nothing but the address ties it to the device. Another machine may have it by now.",
};

/** Why a person must not approve an action; null if nothing forbids it. */
export function approvalBar(
  { status, proposed_by }: Pick<ResponseAction, "status" | "proposed_by">,
  subject: string,
  secondPerson: boolean,
): string | null {
  if (status !== "proposed" || !secondPerson || proposed_by !== subject) return null;
  return "You proposed this action. Another person must approve it (require_second_person in response.yaml).";
}

/** Whether the reader proposed the action; automatic mode proposes for nobody. */
export function isOwnProposal(
  { mode, proposed_by }: Pick<ResponseAction, "mode" | "proposed_by">,
  subject: string,
): boolean {
  return mode === "proposal" && proposed_by === subject;
}

/** What an action acts on: a device by its id, or a destination. */
export interface ResponseTarget {
  kind: "device" | "address";
  value: string;
}

/** The target that a proposed action names; its value is empty if it has none. */
export function targetOf(
  { kind, target: { device_id, address } }: Pick<ResponseAction, "kind" | "target">,
): ResponseTarget {
  return kind === "block_destination" || device_id === null
    ? { kind: "address", value: address ?? "" }
    : { kind: "device", value: device_id };
}

const ADDRESS = /^(?:\d{1,3}(?:\.\d{1,3}){3}|[\da-f:.]*:[\da-f:.]*)$/i;

/** Whether the target is complete; an address may be half typed. */
export function isTarget({ kind, value }: ResponseTarget): boolean {
  if (kind === "device") return value !== "";
  return ADDRESS.test(value) && parseText(targetFilter({ kind, value })).ok;
}

/** The flows that the target takes part in, in the text form. */
export function targetFilter({ kind, value }: ResponseTarget): string {
  return printCondition({ field: kind === "device" ? "device.id" : "dst.ip", op: "=", value });
}

/** The flows of an incident that have the target at either end, in the text form. */
export function targetFlowsFilter(incidentId: string, { kind, value }: ResponseTarget): string {
  const ofIncident: Condition = { field: "incident", op: "=", value: incidentId };
  const ofTarget: Condition = { field: kind === "device" ? "device.id" : "ip", op: "=", value };
  return printCondition({ all: [ofIncident, ofTarget] });
}

/** When an action ends by itself. */
export function expiryText({ status, outcome }: Pick<ResponseAction, "status" | "outcome">): string {
  if (status === "proposed") return "None: the proposal stays until a person decides on it or cancels it.";
  if (status !== "approved") return "None: the action was not approved, or is cancelled.";
  return outcome === null
    ? "Not known: no executor has reported how long it holds the action. It stays approved until it is cancelled."
    : "None reported: the executor holds the action until it is cancelled or the executor reports its end.";
}
