// Which devices of the site use a peer, a server name or a client fingerprint, and since when. What most
// devices use is common software.
import type { Micros } from "../../record/observation.ts";
import { Distinct, distinct } from "./state/distinct.ts";
import { constant, defineVersionedState, float, floatOrNull, record } from "./state/schema.ts";

/** Users are counted exactly up to this many, then estimated. */
const EXACT_USERS = 32;

export interface Prevalence {
  /** First use by any device; null before there is one. */
  firstSeen: Micros | null;
  users: Distinct;
  /**
   * For a domain: when a device first looked up a name below it. For an address: the earliest such time of
   * the names that it was the answer to; null if no record shows a name for it.
   */
  lookedUpAt: Micros | null;
  /** For an address: it serves DHCP, or DHCP names it as router or resolver. */
  gateway: boolean;
}

const firstSeen = floatOrNull;
const users = distinct(EXACT_USERS);

/**
 * Keys: `peer <address>`, `peer <address> <type of its users>`, `name <server name>`, `domain <registered domain>`, `ja3 <hash>`, `ja4 <text>`,
 * `agent <text>`, `sid <gid>:<id>`, `indicator <kind> <value>`, `anomaly <event>`.
 */
export const PREVALENCE = defineVersionedState<Prevalence>({
  id: 2,
  name: "prevalence",
  keepDays: 30,
  empty: () => ({ firstSeen: null, users: new Distinct(EXACT_USERS), lookedUpAt: null, gateway: false }),
  versions: [
    // Most states have no time of a lookup and save its bytes.
    {
      version: 1,
      matches: ({ lookedUpAt, gateway }) => lookedUpAt === null && !gateway,
      fields: record<Prevalence>({ firstSeen, users, lookedUpAt: constant(null), gateway: constant(false) }),
    },
    {
      version: 2,
      matches: ({ gateway }) => !gateway,
      fields: record<Prevalence>({ lookedUpAt: float, firstSeen, users, gateway: constant(false) }),
    },
    {
      version: 3,
      fields: record<Prevalence>({ users, firstSeen, lookedUpAt: floatOrNull, gateway: constant(true) }),
    },
  ],
});

/** Records a use; returns whether the state changed. */
export function addUser(state: Prevalence, deviceId: string, at: Micros): boolean {
  const earlier = state.firstSeen === null || at < state.firstSeen;
  if (earlier) state.firstSeen = at;
  return state.users.add(deviceId) || earlier;
}

/** Records when a name was looked up; returns whether that is earlier than known. */
export function noteLookup(state: Prevalence, at: Micros): boolean {
  if (state.lookedUpAt !== null && state.lookedUpAt <= at) return false;
  state.lookedUpAt = at;
  return true;
}

/** Records that DHCP shows the address as a gateway; returns whether the state changed. */
export function noteGateway(state: Prevalence): boolean {
  const changed = !state.gateway;
  state.gateway = true;
  return changed;
}
