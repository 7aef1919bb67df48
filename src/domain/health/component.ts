import type { HealthComponent } from "../../contract/health/health.ts";
import { type ComponentKind, HEALTH_CONDITIONS } from "../../contract/health/conditions.ts";
import type { HealthStatus } from "../../contract/record/kinds.ts";
import { formatMillis } from "../../kit/time.ts";

const SECOND = 1_000_000;

/** From best to worst. */
export const STATUS_ORDER: readonly HealthStatus[] = ["ok", "stale", "degraded", "unavailable"];

/** A component and whether it counts for the overall status. */
export interface Part {
  component: HealthComponent;
  counts: boolean;
}

export function part(
  kind: ComponentKind,
  id: string,
  { status, message }: { status: HealthStatus; message: string | null },
  more: Partial<HealthComponent> = {},
  counts = true,
): Part {
  const component: HealthComponent = {
    id,
    kind,
    status,
    last_event_at: null,
    lag_seconds: 0,
    message,
    since: null,
    expected_within_seconds: null,
    events_last_5m: null,
    connector: null,
    ...more,
  };
  return { component, counts };
}

/** The newest event and its age; null and 0 if there is none. Times in microseconds. */
export function seenAt(
  at: number | null,
  now: number,
): Pick<HealthComponent, "last_event_at" | "lag_seconds"> {
  return at === null
    ? { last_event_at: null, lag_seconds: 0 }
    : { last_event_at: formatMillis(at), lag_seconds: secondsSince(at, now) };
}

/** Never negative, even after the clock was set back. */
export function secondsSince(at: number, now: number): number {
  return Math.max(0, Math.round((now - at) / SECOND));
}

/** The overall component: as bad as its worst part, limited by how much a part of that kind counts. */
export function appliance(parts: readonly Part[], newest: number | null, now: number): HealthComponent {
  const status = worst(parts.map(weightOf));
  const reasons = parts.filter((one) => weightOf(one) !== "ok")
    .map(({ component: { id, status } }) => `${id} is ${status}`);
  const named = reasons.slice(0, NAMED_REASONS);
  const more = reasons.length > named.length ? [`and ${reasons.length - named.length} more`] : [];
  const message = reasons.length === 0 ? null : [...named, ...more].join(", ");
  return part("appliance", "appliance", { status, message }, seenAt(newest, now)).component;
}

const NAMED_REASONS = 5;

function weightOf({ component: { kind, status }, counts }: Part): HealthStatus {
  if (!counts) return "ok";
  const { overall } = HEALTH_CONDITIONS[kind as ComponentKind];
  return STATUS_ORDER[Math.min(STATUS_ORDER.indexOf(status), STATUS_ORDER.indexOf(overall))]!;
}

function worst(statuses: readonly HealthStatus[]): HealthStatus {
  return STATUS_ORDER[Math.max(0, ...statuses.map((status) => STATUS_ORDER.indexOf(status)))]!;
}
