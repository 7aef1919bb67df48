import type { EventHealth } from "../../contract/connector/event.ts";
import {
  compareHealth,
  healthChanges,
  type Observation,
  type Transition,
} from "../../domain/health/transitions.ts";
import { sha256Hex } from "../../kit/hmac.ts";
import type { Tx } from "../../store/engine/database.ts";
import { appendEvents, type LoggedEvent } from "../../store/connector/event-log.ts";
import {
  lastObservation,
  type ObservationMark,
  recordedHealth,
  recordHealth,
} from "../../store/health/state.ts";
import { keepLease, type Lease } from "../../store/engine/leases.ts";

/** An observation with its number, which grows from one to the next of the same observer. */
export interface NumberedObservation extends Observation {
  pass: number;
}

/** A message is for people: what is longer ends in an ellipsis. */
const MESSAGE_CHARACTERS = 500;

/**
 * Writes what came of some observations of a tenant, oldest first: the states and one event for each transition, in the one
 * transaction. What was recorded before, here or by another observer, is passed over. Returns the transitions; null where
 * another core has the lease, and then nothing is written.
 */
export async function recordObservations(
  tx: Tx,
  tenantId: string,
  observer: string,
  lease: Lease,
  observations: readonly NumberedObservation[],
): Promise<Transition[] | null> {
  if (!await keepLease(tx, lease)) return null;
  const last = await lastObservation(tx, tenantId);
  const before = await recordedHealth(tx, tenantId);
  const transitions: Transition[] = [];
  let states = before;
  for (const observation of fresh(observations, observer, last)) {
    const compared = compareHealth(states, observation);
    states = compared.states;
    transitions.push(...compared.transitions);
  }
  const { pass, at } = observations.at(-1)!;
  await recordHealth(tx, tenantId, { observer, pass, observedAt: at }, healthChanges(before, states));
  await appendEvents(tx, tenantId, transitions.map((transition) => eventOf(tenantId, transition)));
  return transitions;
}

/**
 * The observations that are not recorded yet. An observer knows its own by their numbers, whatever the clock did; of another's it
 * knows the time. The newest one is of now, and counts in any case.
 */
function fresh(
  observations: readonly NumberedObservation[],
  observer: string,
  last: ObservationMark | null,
): NumberedObservation[] {
  if (last === null) return [...observations];
  const isNew = ({ pass, at }: NumberedObservation) =>
    last.observer === observer ? pass > last.pass : at > last.observedAt;
  return observations.filter((one, index) => index === observations.length - 1 || isNew(one));
}

/** Named after what it tells: a transaction that runs again gives the same event. */
function eventOf(tenantId: string, { at, componentId, kind, from, to, message }: Transition): LoggedEvent {
  const identity = sha256Hex(["health", tenantId, componentId, from, to, at].join("\n"));
  const health: EventHealth = {
    component_id: componentId,
    kind,
    from,
    to,
    ...(message === null ? {} : { message: shortened(message) }),
  };
  return {
    eventId: `evt_${identity.slice(0, 32)}`,
    type: "health.transition",
    occurredAt: at,
    body: { health },
  };
}

function shortened(message: string): string {
  const characters = Array.from(message);
  if (characters.length <= MESSAGE_CHARACTERS) return message;
  return characters.slice(0, MESSAGE_CHARACTERS - 1).join("") + "…";
}
