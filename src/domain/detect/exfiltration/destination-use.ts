// Who of the site uses a destination, by its address and its name.
import type { Sighting, StateEntry, StateLookup } from "../kernel/detector.ts";
import { addUser, PREVALENCE, type Prevalence } from "../kernel/prevalence.ts";
import type { Micros } from "../../record/observation.ts";

export interface DestinationUse {
  record(at: Micros): void;
  users(): number;
  first(): Micros | null;
}

export function destinationUse(
  { connection }: Sighting,
  deviceId: string,
  ip: string,
  name: string | null,
  need: StateLookup,
): DestinationUse {
  const peer = need(PREVALENCE, `peer ${ip}`);
  const named = name === null ? null : need(PREVALENCE, `name ${name}`);
  const start = connection?.start;
  return {
    record(at) {
      for (const slot of [peer, named]) if (slot !== null) remember(slot, deviceId, start ?? at);
    },
    users: () => peer.state.users.count,
    first() {
      const [byIp, byName] = [peer.state.firstSeen, named?.state.firstSeen ?? null];
      return byIp === null || byName === null ? byIp ?? byName : Math.min(byIp, byName);
    },
  };
}

function remember(slot: StateEntry<Prevalence>, deviceId: string, at: Micros): void {
  if (addUser(slot.state, deviceId, at)) slot.save(slot.state);
}
