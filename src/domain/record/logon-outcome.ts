import type { Facts, SmbFacts } from "./facts.ts";

type LogonOutcome = "failed" | "succeeded";

/** A wrong password, an unknown or a locked account. Not an expired password or a request for one. */
const KERBEROS_FAILURES: ReadonlySet<string> = new Set([
  "KDC_ERR_PREAUTH_FAILED",
  "KDC_ERR_C_PRINCIPAL_UNKNOWN",
  "KDC_ERR_CLIENT_REVOKED",
]);
const SMB_FAILURES: ReadonlySet<string> = new Set([
  "STATUS_LOGON_FAILURE",
  "STATUS_WRONG_PASSWORD",
  "STATUS_NO_SUCH_USER",
  "STATUS_ACCOUNT_LOCKED_OUT",
  "STATUS_ACCOUNT_DISABLED",
  "STATUS_LOGON_TYPE_NOT_GRANTED",
]);
const HTTP_REFUSALS: ReadonlySet<number> = new Set([401, 403]);
const FIRST_HTTP_ERROR = 400;

/**
 * The outcome of the logon that a record reports: of SSH as the sensor inferred it, of a Kerberos initial
 * ticket, of an SMB session, of an HTTP request that names its user. Null if there is none, or no outcome.
 */
export function logonOutcome(facts: Facts): LogonOutcome | null {
  switch (facts.type) {
    case "ssh":
      return facts.authSuccess === null ? null : facts.authSuccess ? "succeeded" : "failed";
    case "kerberos":
      if (facts.error !== null) return KERBEROS_FAILURES.has(facts.error) ? "failed" : null;
      return facts.messageType === "AS-REP" ? "succeeded" : null;
    case "smb":
      return smbOutcome(facts);
    case "http":
      if (facts.username === null || facts.status === null) return null;
      if (HTTP_REFUSALS.has(facts.status)) return "failed";
      return facts.status < FIRST_HTTP_ERROR ? "succeeded" : null;
    default:
      return null;
  }
}

function smbOutcome({ status, user, command }: SmbFacts): LogonOutcome | null {
  if (status === null) return null;
  if (SMB_FAILURES.has(status)) return "failed";
  const isSetup = command !== null && /SESSION_SETUP/i.test(command);
  return isSetup && user !== null && status === "STATUS_SUCCESS" ? "succeeded" : null;
}
