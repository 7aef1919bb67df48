// Labels of the audit log's operations.
import { formatLabel } from "../ui/format.ts";

const LABELS: Record<string, string> = {
  patchIncident: "Changed an incident's status",
  patchDevice: "Changed a device",
  createSuppression: "Suppressed a pattern",
  revokeSuppression: "Revoked a suppression",
  createModelFeedback: "Gave feedback on a model",
  suggestClassification: "Proposed a device type",
  proposeModelChange: "Proposed a model change",
  proposeTriage: "Proposed an incident status",
  decideProposal: "Decided a proposal",
  createAnalystRun: "Started an analyst run",
  cancelAnalystRun: "Cancelled an analyst run",
  giveAnalystFeedback: "Gave feedback on an analyst run",
  proposeResponseAction: "Proposed a response",
  decideResponseAction: "Decided a response",
  reportOutcome: "Reported a response outcome",
  selectTenant: "Opened this tenant",
  listAudit: "Read the audit log",
  listRecords: "Read unparsed and rejected records",
  signIn: "Signed in",
  signOut: "Signed out",
  sessionReplaced: "Session ended by a new sign-in",
  accessWithdrawn: "Session ended, access revoked",
  sessionRevoked: "Session ended by an administrator",
  sessionEvicted: "Session ended by newer ones",
  providerSignOut: "Signed out at the identity provider",
  providerRefused: "Session ended by the identity provider",
  accessChanged: "Roles changed at the identity provider",
  sessionExpired: "Session expired",
};

/** A changed value: an object, which the audit keeps as JSON, is written field by field. */
export function valueLabel(value: string): string {
  if (!value.startsWith("{")) return value;
  try {
    return Object.entries(JSON.parse(value) as Record<string, unknown>)
      .filter(([, one]) => one !== null)
      .map(([field, one]) =>
        `${formatLabel(field).toLowerCase()} ${typeof one === "object" ? JSON.stringify(one) : one}`
      )
      .join(", ");
  } catch {
    // Cut off at its greatest length.
    return value;
  }
}

/** Operations that the filter offers. */
export const OPERATIONS: readonly (readonly [id: string, label: string])[] = Object.entries(LABELS);

/**
 * Label of an operation; unlabelled ones are derived from the id: `mergeTwoDevices` is "Merge two devices".
 */
export function operationLabel(operation: string): string {
  const known = LABELS[operation];
  if (known !== undefined) return known;
  const label = operation.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return label.charAt(0).toUpperCase() + label.slice(1);
}
