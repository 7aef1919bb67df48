// What has changed between what is recorded of a tenant's health and what is observed now.

import type { HealthStatus } from "../../contract/record/kinds.ts";

/** A component as a report shows it. */
interface ObservedComponent {
  id: string;
  kind: string;
  status: HealthStatus;
  message: string | null;
}

/** A report as far as it matters here. */
export interface Observation {
  /** Microseconds, as all times here. */
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
  /** Since when no report has it; null while it is there. */
  missingSince: number | null;
}

/** What is to be written of the states. */
export interface HealthChanges {
  changed: ComponentState[];
  /** Ids of components. */
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

/** What an observation makes of what is recorded. */
interface Comparison {
  states: Map<string, ComponentState>;
  transitions: Transition[];
}

/**
 * How long a component may be missing from the reports before it is forgotten, in microseconds. A report right after a start
 * may lack what is not known yet; and who takes a sensor out of the configuration and puts it back has not made it anew.
 */
export const FORGET_AFTER = 600_000_000;

/** The overall status, as a component. */
const APPLIANCE = "appliance";

/**
 * Compares one observation with the states before it. Each component whose status differs is a transition, in the order of
 * the report, and the whole comes after its parts. A component that was not known is a baseline of its own: it is taken over
 * and nothing is told of it. One that is missing is forgotten after a while, without a word; while the store is down a report
 * cannot name everything, and nothing is taken for missing.
 */
export function compareHealth(
  before: ReadonlyMap<string, ComponentState>,
  { at, components }: Observation,
): Comparison {
  const states = new Map<string, ComponentState>();
  const transitions: Transition[] = [];
  for (const { id, kind, status, message } of wholeLast(components)) {
    const known = before.get(id);
    if (known !== undefined && known.status !== status) {
      transitions.push({ at, componentId: id, kind, from: known.status, to: status, message });
    }
    const since = known?.status === status ? known.since : at;
    states.set(id, { componentId: id, kind, status, since, missingSince: null });
  }
  const complete = states.get("store")?.status !== "unavailable";
  for (const known of before.values()) {
    if (states.has(known.componentId)) continue;
    const missingSince = known.missingSince ?? (complete ? at : null);
    if (complete && missingSince !== null && at - missingSince >= FORGET_AFTER) continue;
    states.set(known.componentId, { ...known, missingSince });
  }
  return { states, transitions };
}

function wholeLast(components: readonly ObservedComponent[]): ObservedComponent[] {
  return [
    ...components.filter(({ id }) => id !== APPLIANCE),
    ...components.filter(({ id }) => id === APPLIANCE),
  ];
}

/** What is other after some observations than it was before them. */
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

/** Whether two observations differ in nothing that could make a transition. */
export function sameHealth(one: Observation, other: Observation): boolean {
  const statuses = ({ components }: Observation) =>
    components.map(({ id, status }) => `${id} ${status}`).sort().join("\n");
  return statuses(one) === statuses(other);
}
