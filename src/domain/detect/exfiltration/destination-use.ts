// Prevalence of a destination, by its address and its name.
import type { Micros } from "../../record/observation.ts";
import type { Sighting, StateEntry, StateLookup } from "../kernel/detector.ts";
import { addUser, PREVALENCE, type Prevalence } from "../kernel/prevalence.ts";

export interface DestinationUse {
  record(at: Micros): void;
  /** Devices that use the address. */
  users(): number;
  /** First use of the address or the name; null before there was one. */
  first(): Micros | null;
}

export function destinationUse(
  { connection }: Sighting,
  deviceId: string,
  ip: string,
  name: string | null,
  states: StateLookup,
): DestinationUse {
  const peer = states(PREVALENCE, `peer ${ip}`);
  const named = name === null ? null : states(PREVALENCE, `name ${name}`);
  const start = connection?.start;
  return {
    record(at) {
      for (const entry of [peer, named]) if (entry !== null) recordUser(entry, deviceId, start ?? at);
    },
    users: () => peer.state.users.count,
    first() {
      const [byIp, byName] = [peer.state.firstSeen, named?.state.firstSeen ?? null];
      return byIp === null || byName === null ? byIp ?? byName : Math.min(byIp, byName);
    },
  };
}

function recordUser(entry: StateEntry<Prevalence>, deviceId: string, at: Micros): void {
  if (addUser(entry.state, deviceId, at)) entry.save(entry.state);
}
