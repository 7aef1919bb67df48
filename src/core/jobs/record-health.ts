import type { EventHealth } from "../../contract/connector/event.ts";
import {
  compareHealth,
  healthChanges,
  type Observation,
  observationGap,
  type Transition,
} from "../../domain/health/transitions.ts";
import { sha256Hex } from "../../kit/hash.ts";
import type { Tx } from "../../store/engine/database.ts";
import { appendEvents, type LoggedEvent } from "../../store/connector/event-log.ts";
import {
  lastObservation,
  type ObservationMark,
  recordedHealth,
  recordHealth,
} from "../../store/health/state.ts";
import { addTransitions } from "../../store/health/transitions.ts";
import { keepLease, type Lease } from "../../store/engine/leases.ts";

/** An observation with its sequence number, which increases per observer. */
export interface NumberedObservation extends Observation {
  pass: number;
}

/** Longer messages are truncated with an ellipsis. */
const MESSAGE_CHARACTERS = 500;

/**
 * Records a tenant's observations, oldest first: the states, one event per transition, and in the history also the time
 * without observations, in one transaction.
 * Observations that were already recorded, by this or another observer, are skipped. Returns the transitions,
 * or null, with nothing written, if another core holds the lease.
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
  const news = unrecorded(observations, observer, last);
  // An observer that goes on leaves no gap.
  const gap = last?.observer === observer ? [] : observationGap(last?.observedAt ?? null, news[0]!.at);
  for (const observation of news) {
    const compared = compareHealth(states, observation);
    states = compared.states;
    transitions.push(...compared.transitions);
  }
  const { pass, at } = observations.at(-1)!;
  await recordHealth(tx, tenantId, { observer, pass, observedAt: at }, healthChanges(before, states));
  await addTransitions(
    tx,
    tenantId,
    [...gap, ...transitions].map((transition) => ({
      ...transition,
      id: uuidOf(identityOf(tenantId, transition)),
      message: transition.message === null ? null : truncated(transition.message),
    })),
  );
  await appendEvents(tx, tenantId, transitions.map((transition) => eventOf(tenantId, transition)));
  return transitions;
}

/**
 * Returns the observations that are not recorded yet. An observer compares with its own by number,
 * independent of clock changes, and with another's by time. The newest observation always counts.
 */
function unrecorded(
  observations: readonly NumberedObservation[],
  observer: string,
  last: ObservationMark | null,
): NumberedObservation[] {
  if (last === null) return [...observations];
  const isNew = ({ pass, at }: NumberedObservation) =>
    last.observer === observer ? pass > last.pass : at > last.observedAt;
  return observations.filter((one, index) => index === observations.length - 1 || isNew(one));
}

/** The event id is derived from the content, so that a retried transaction gives the same event. */
function eventOf(tenantId: string, transition: Transition): LoggedEvent {
  const { at, componentId, kind, from, to, message } = transition;
  const health: EventHealth = {
    component_id: componentId,
    kind,
    from,
    to,
    ...(message === null ? {} : { message: truncated(message) }),
  };
  return {
    eventId: `evt_${identityOf(tenantId, transition)}`,
    type: "health.transition",
    occurredAt: at,
    body: { health },
  };
}

/** 32 hexadecimal digits that are derived from a transition's content. */
function identityOf(tenantId: string, { at, componentId, from, to }: Transition): string {
  return sha256Hex(["health", tenantId, componentId, from, to, at].join("\n")).slice(0, 32);
}

function uuidOf(hex: string): string {
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function truncated(message: string): string {
  const characters = Array.from(message);
  if (characters.length <= MESSAGE_CHARACTERS) return message;
  return characters.slice(0, MESSAGE_CHARACTERS - 1).join("") + "…";
}
