// The output of `ndr license show`.

import type { LicenseState } from "../contract/health/metrics.ts";
import type { LicenseSource } from "../domain/telemetry/license/choice.ts";
import { keyIdHash } from "../domain/telemetry/license/license.ts";
import type { LicenseStanding } from "../domain/telemetry/license/standing.ts";
import { graceUntil, LICENSE_RULES } from "../domain/telemetry/license/state.ts";
import { formatMillis } from "../kit/time.ts";

/** The object of `ndr license show --json`. Times in RFC 3339; null without a usable licence. */
interface ShownLicense {
  state: LicenseState;
  plan: "free" | "pro";
  pro_modules: "none" | "read_write" | "read_only";
  seats: number | null;
  key_id: string | null;
  /** What registration and heartbeat reveal of the key. */
  license_key_id_hash: string | null;
  /** The only installation that may use it; null for any. */
  install_id: string | null;
  issued_at: string | null;
  expires_at: string | null;
  grace_until: string | null;
  /** Source of the licence: the administrator's file, or its renewal by the registration server. */
  source: LicenseSource | null;
  /** The time that decided: the clock, or a later time that is known to have passed. */
  judged_at: string;
  message: string | null;
}

export function shownLicense({ choice, state, evaluatedAt, facts }: LicenseStanding): ShownLicense {
  const { license, source } = choice;
  const { plan, proModules } = LICENSE_RULES[state];
  return {
    state,
    plan,
    pro_modules: proModules,
    seats: license?.seats ?? null,
    key_id: license?.keyId ?? null,
    license_key_id_hash: license === null ? null : keyIdHash(license.keyId),
    install_id: license?.installId ?? null,
    issued_at: license === null ? null : formatMillis(license.issuedAt),
    expires_at: license === null ? null : formatMillis(license.expiresAt),
    grace_until: license === null ? null : formatMillis(graceUntil(license)),
    source,
    judged_at: formatMillis(evaluatedAt),
    message: facts.message,
  };
}

const MODULES: Readonly<Record<ShownLicense["pro_modules"], string>> = {
  none: "this release has none",
  read_write: "read and write (this release has none)",
  read_only: "read only (this release has none)",
};

const SOURCES: Readonly<Record<LicenseSource, string>> = {
  file: "license.jwt",
  renewed: "a renewal by the registration server",
};

/** Lines for people. */
export function licenseLines(shown: ShownLicense): string[] {
  const rows: [string, string][] = [
    ["state", `${shown.state} (${LICENSE_RULES[shown.state].when})`],
    ["plan", shown.plan],
    ["Pro modules", MODULES[shown.pro_modules]],
  ];
  if (shown.source !== null) {
    rows.push(
      ["key", `${shown.key_id}, sent as ${shown.license_key_id_hash}`],
      ["seats", String(shown.seats)],
      ["for", shown.install_id ?? "any installation"],
      ["issued", shown.issued_at!],
      ["expires", shown.expires_at!],
      ["grace until", shown.grace_until!],
      ["from", SOURCES[shown.source]],
      ["judged at", shown.judged_at],
    );
  }
  return rows.map(([name, value]) => `${name.padEnd(14)}${value}`);
}
