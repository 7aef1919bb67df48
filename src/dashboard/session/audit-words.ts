// What the audit's operation ids say to a person.

const WORDS: Record<string, string> = {
  patchIncident: "Changed an incident's status",
  patchDevice: "Changed a device",
  createSuppression: "Suppressed a pattern",
  revokeSuppression: "Revoked a suppression",
  createModelFeedback: "Gave feedback on a model",
  suggestClassification: "Proposed a device type",
  proposeModelChange: "Proposed a model change",
  proposeTriage: "Proposed an incident status",
  decideProposal: "Decided a proposal",
  proposeResponseAction: "Proposed a response",
  decideResponseAction: "Decided a response",
  reportOutcome: "Reported what became of a response",
  selectTenant: "Opened this tenant",
  listAudit: "Read the audit",
  signIn: "Signed in",
  signOut: "Signed out",
  sessionReplaced: "Session ended by a new sign-in",
  accessWithdrawn: "Session ended, access withdrawn",
  sessionRevoked: "Session ended by an administrator",
  sessionExpired: "Session expired",
};

/** The operations a filter offers. */
export const OPERATIONS: readonly (readonly [id: string, words: string])[] = Object.entries(WORDS);

/** `mergeTwoDevices` is "Merge two devices" where nobody has found better words. */
export function operationWords(operation: string): string {
  const known = WORDS[operation];
  if (known !== undefined) return known;
  const words = operation.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
