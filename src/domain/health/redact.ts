import type { HealthComponent, HealthReport } from "../../contract/health/health.ts";
import { CHOSEN_STATES } from "./connector.ts";
import { DISABLED, LICENSE_OFF } from "./services.ts";

/** Messages every reader may see: a disabled feature reveals nothing about the host. */
export const PUBLIC_MESSAGES: ReadonlySet<string> = new Set([DISABLED, LICENSE_OFF, ...CHOSEN_STATES]);

/**
 * The report for non-administrators: same shape without messages, which name hosts, paths and causes. Keeps
 * the last telemetry payload: every reader may see what the appliance reports about itself.
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
