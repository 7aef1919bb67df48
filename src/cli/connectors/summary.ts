// The settings of an instance as `ndr connectors test` shows them, never a secret.

import type { ConfiguredConnector } from "../../config/connectors.ts";

/** One object of `ndr connectors test --json`. */
interface CheckedInstance {
  tenant_id: string;
  instance: string;
  connector: string;
  enabled: boolean;
  /** NDR_CONNECTORS_ENABLED. */
  connectors_enabled: boolean;
  /** Scheme, host and port; the path may be the receiver's only protection. */
  receiver: string;
  /** `system` verifies against the system's authorities; `pinned` against `tls_fingerprint_sha256`. */
  tls: "system" | "pinned" | "none";
  tls_fingerprint_sha256: string | null;
  key_bytes: number;
  /** Null for all types. */
  events: string[] | null;
  min_severity: string | null;
  /** Seconds, like the next one. */
  timeout: number;
  retry_delay: number;
  max_pending: number;
  public_url: string | null;
}

export function checkedInstance(
  { tenantId, instance, connector, enabled, webhook }: ConfiguredConnector,
  connectorsEnabled: boolean,
): CheckedInstance {
  const { url, fingerprint } = webhook;
  return {
    tenant_id: tenantId,
    instance,
    connector,
    enabled,
    connectors_enabled: connectorsEnabled,
    receiver: url.origin,
    tls: url.protocol === "http:" ? "none" : fingerprint === null ? "system" : "pinned",
    tls_fingerprint_sha256: fingerprint,
    key_bytes: webhook.key.length,
    events: webhook.events === null ? null : [...webhook.events],
    min_severity: webhook.minSeverity,
    timeout: webhook.timeoutMs / 1000,
    retry_delay: webhook.retryDelayMs / 1000,
    max_pending: webhook.maxPending,
    public_url: webhook.publicUrl,
  };
}

const TLS: Readonly<Record<CheckedInstance["tls"], string>> = {
  system: "verified against the system's authorities and the name in the URL",
  pinned: "the receiver must present the certificate with SHA-256",
  none: "none (allow_insecure_http): events can be read on the way, though not forged",
};

/** Lines for people. */
export function summaryLines(checked: CheckedInstance): string[] {
  const { tls, tls_fingerprint_sha256: fingerprint, min_severity: minimum } = checked;
  const rows: [string, string][] = [
    ["receiver", checked.receiver],
    ["TLS", fingerprint === null ? TLS[tls] : `${TLS[tls]} ${fingerprint}`],
    ["key", `${checked.key_bytes} bytes`],
    ["events", checked.events?.join(", ") ?? "every type"],
    ["min_severity", minimum ?? "none: no event is held back"],
    ["timeout", `${checked.timeout} s`],
    ["retry_delay", `${checked.retry_delay} s`],
    ["max_pending", String(checked.max_pending)],
    ["links", checked.public_url ?? "none: neither public_url nor an https NDR_PUBLIC_URL is set"],
    ["switched on", switchedOn(checked)],
  ];
  return [
    `${checked.instance}: ${checked.connector} of tenant ${checked.tenant_id}`,
    ...rows.map(([name, value]) => `  ${name.padEnd(14)}${value}`),
  ];
}

function switchedOn({ enabled, connectors_enabled: all }: CheckedInstance): string {
  if (!enabled) return "no: its `enabled` is false";
  return all ? "yes" : "no: NDR_CONNECTORS_ENABLED is not true";
}
