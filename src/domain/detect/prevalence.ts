// Who of the site uses something, and since when: a peer, a server's name, a client fingerprint. What everybody uses is
// everybody's software.
import type { Micros } from "../records/observation.ts";
import { ByteReader, ByteWriter } from "./bytes.ts";
import type { Memory } from "./detector.ts";
import { Distinct } from "./distinct.ts";

/** Users are counted exactly up to this many, then estimated. */
export const EXACT_USERS = 32;
const VERSION = 1;

export interface Prevalence {
  /** First use by anyone; null before there was one. */
  firstSeen: Micros | null;
  users: Distinct;
}

/** Keys: `peer <address>`, `name <server name>`, `domain <registered domain>`, `ja3 <hash>`, `ja4 <text>`, `agent <text>`, … */
export const PREVALENCE: Memory<Prevalence> = {
  id: 2,
  name: "prevalence",
  keepDays: 30,
  empty: () => ({ firstSeen: null, users: new Distinct(EXACT_USERS) }),
  encode({ firstSeen, users }) {
    const out = new ByteWriter(160);
    out.varint(VERSION);
    out.float(firstSeen ?? NaN);
    users.write(out);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) throw new RangeError(`prevalence: expected version ${VERSION}, got ${version}`);
    const firstSeen = from.float();
    const users = Distinct.read(from, EXACT_USERS);
    from.end();
    return { firstSeen: Number.isNaN(firstSeen) ? null : firstSeen, users };
  },
  weight: ({ users }) => 48 + users.weight,
};

/** Takes up a use; true where that told anything new, and the state has to be kept. */
export function addUser(state: Prevalence, deviceId: string, at: Micros): boolean {
  const earlier = state.firstSeen === null || at < state.firstSeen;
  if (earlier) state.firstSeen = at;
  return state.users.add(deviceId) || earlier;
}
