import type { AuditOutcome } from "../../contract/session/audit.ts";
import { oneOf, type Search, text } from "../base/search-params.ts";

// Repeated here, because the dashboard imports only types of the contract.
export const AUDIT_OUTCOMES = ["done", "refused"] as const satisfies AuditOutcome[];

interface AuditSearch {
  subject?: string;
  operation?: string;
  target_id?: string;
  outcome?: AuditOutcome;
}
export function readAudit(search: Search): AuditSearch {
  return {
    subject: text(search.subject),
    operation: text(search.operation),
    target_id: text(search.target_id),
    outcome: oneOf(AUDIT_OUTCOMES, search.outcome),
  };
}
