import type { HealthComponent, HealthReport } from "../../contract/health/health.ts";
import { CHOSEN_STATES } from "./connector.ts";
import { DISABLED, LICENSE_OFF } from "./services.ts";

/** Messages that everybody may read: that something is switched off is no detail of the host. */
export const PUBLIC_MESSAGES: ReadonlySet<string> = new Set([DISABLED, LICENSE_OFF, ...CHOSEN_STATES]);

/**
 * The report for who is no administrator: the same shape, and no message, since those name hosts, paths and why something
 * fails. The last telemetry payload stays: everybody may know what the appliance tells about itself.
 */
export function redactReport(report: HealthReport): HealthReport {
  return {
    ...report,
    components: report.components.map(redact),
    telemetry: { ...redact(report.telemetry), last_payload: report.telemetry.last_payload },
    update: { ...redact(report.update), release: report.update.release },
  };
}

function redact(component: HealthComponent): HealthComponent {
  const { message } = component;
  return message === null || PUBLIC_MESSAGES.has(message) ? component : { ...component, message: null };
}
