// Compares a tenant's recorded health with a new observation.

import { OBSERVATION } from "../../contract/health/health.ts";
import type { HealthStatus } from "../../contract/record/kinds.ts";

/** A component of a report. */
interface ObservedComponent {
  id: string;
  kind: string;
  status: HealthStatus;
  message: string | null;
}

/** The parts of a report that matter for transitions. */
export interface Observation {
  /** Microseconds, like all times here. */
  at: number;
  components: readonly ObservedComponent[];
}

/** A component as it was last observed. Times in microseconds. */
export interface ComponentState {
  componentId: string;
  kind: string;
  status: HealthStatus;
  /** When it was first observed with this status. */
  since: number;
  /** Since when it is missing from reports; null while present. */
  missingSince: number | null;
}

/** Changes of states to save. */
export interface HealthChanges {
  changed: ComponentState[];
  /** Component ids. */
  forgotten: string[];
}

export interface Transition {
  at: number;
  componentId: string;
  kind: string;
  from: HealthStatus;
  to: HealthStatus;
  message: string | null;
}

/** The states and transitions after an observation. */
interface Comparison {
  states: Map<string, ComponentState>;
  transitions: Transition[];
}

/**
 * How long a component may be missing from reports before it is forgotten, microseconds. Reports shortly
 * after a start may be incomplete, and a sensor removed from the configuration and restored is not a new one.
 */
export const FORGET_AFTER = 600_000_000;

/** A longer time without an observation, microseconds: one of those made every 30 seconds was missed. */
const GAP = 60_000_000;

/** The overall status, as a component. */
const APPLIANCE = "appliance";

/**
 * Compares an observation with the previous states. Each component with a changed status is a transition, in
 * report order, the overall component last. Only a tenant's first observation is a baseline without transitions: a
 * component that appears later was `ok` until then. A missing one is forgotten after `FORGET_AFTER`, with a
 * transition to `ok` if it was not; while the store is down the report is incomplete, and nothing counts as missing.
 */
export function compareHealth(
  before: ReadonlyMap<string, ComponentState>,
  { at, components }: Observation,
): Comparison {
  const states = new Map<string, ComponentState>();
  const transitions: Transition[] = [];
  const isFirst = before.size === 0;
  for (const { id, kind, status, message } of applianceLast(components)) {
    const known = before.get(id);
    const from = known?.status ?? (isFirst ? status : "ok");
    if (from !== status) transitions.push({ at, componentId: id, kind, from, to: status, message });
    const since = known?.status === status ? known.since : at;
    states.set(id, { componentId: id, kind, status, since, missingSince: null });
  }
  const gone: Transition[] = [];
  const complete = states.get("store")?.status !== "unavailable";
  for (const known of before.values()) {
    if (states.has(known.componentId)) continue;
    const missingSince = known.missingSince ?? (complete ? at : null);
    if (complete && missingSince !== null && at - missingSince >= FORGET_AFTER) {
      if (known.status !== "ok") gone.push(disappearance(known, at));
      continue;
    }
    states.set(known.componentId, { ...known, missingSince });
  }
  return { states, transitions: [...gone, ...transitions] };
}

/**
 * The transitions that mark the time before an observation as unobserved: from the previous one, or from
 * the beginning if that is null.
 */
export function observationGap(previous: number | null, next: number): Transition[] {
  if (previous !== null && next - previous <= GAP) return [];
  const observation = { componentId: OBSERVATION, kind: OBSERVATION };
  const begins = { ...observation, at: next, from: "unavailable", to: "ok", message: null } as const;
  if (previous === null) return [begins];
  const message = "health was not observed: no service ran";
  return [{ ...observation, at: previous, from: "ok", to: "unavailable", message }, begins];
}

function disappearance({ componentId, kind, status }: ComponentState, at: number): Transition {
  return { at, componentId, kind, from: status, to: "ok", message: "no longer part of the appliance" };
}

function applianceLast(components: readonly ObservedComponent[]): ObservedComponent[] {
  return [
    ...components.filter(({ id }) => id !== APPLIANCE),
    ...components.filter(({ id }) => id === APPLIANCE),
  ];
}

/** The states that differ between two points in time. */
export function healthChanges(
  before: ReadonlyMap<string, ComponentState>,
  after: ReadonlyMap<string, ComponentState>,
): HealthChanges {
  const isSame = (state: ComponentState) => {
    const known = before.get(state.componentId);
    return known !== undefined && known.kind === state.kind && known.status === state.status &&
      known.since === state.since && known.missingSince === state.missingSince;
  };
  return {
    changed: [...after.values()].filter((state) => !isSame(state)),
    forgotten: [...before.keys()].filter((id) => !after.has(id)),
  };
}

/** Whether two observations have the same statuses, so that no transition results. */
export function sameHealth(one: Observation, other: Observation): boolean {
  const statuses = ({ components }: Observation) =>
    components.map(({ id, status }) => `${id} ${status}`).sort().join("\n");
  return statuses(one) === statuses(other);
}
