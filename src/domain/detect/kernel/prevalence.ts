// Who of the site uses something, and since when: a peer, a server's name, a client fingerprint. What everybody uses is
// everybody's software.
import type { Micros } from "../../record/observation.ts";
import { ByteReader, ByteWriter } from "./state/bytes.ts";
import type { StateType } from "./detector.ts";
import { Distinct } from "./state/distinct.ts";

/** Users are counted exactly up to this many, then estimated. */
const EXACT_USERS = 32;
/** Most have no `asked`, and go without its bytes. */
const VERSION = { plain: 1, asked: 2 } as const;

export interface Prevalence {
  /** First use by anyone; null before there was one. */
  firstSeen: Micros | null;
  users: Distinct;
  /**
   * Of a domain: when anybody here first asked a resolver for a name below it. Of an address: the earliest of these of the
   * names that it was the answer to; null where no record shows that anybody came by it through a name.
   */
  asked: Micros | null;
}

/** Keys: `peer <address>`, `name <server name>`, `domain <registered domain>`, `ja3 <hash>`, `ja4 <text>`, `agent <text>`, … */
export const PREVALENCE: StateType<Prevalence> = {
  id: 2,
  name: "prevalence",
  keepDays: 30,
  empty: () => ({ firstSeen: null, users: new Distinct(EXACT_USERS), asked: null }),
  encode({ firstSeen, users, asked }) {
    const out = new ByteWriter(168);
    out.varint(asked === null ? VERSION.plain : VERSION.asked);
    if (asked !== null) out.float(asked);
    out.float(firstSeen ?? NaN);
    users.write(out);
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION.plain && version !== VERSION.asked) {
      throw new RangeError(
        `prevalence: expected version ${VERSION.plain} or ${VERSION.asked}, got ${version}`,
      );
    }
    const asked = version === VERSION.asked ? from.float() : null;
    const firstSeen = from.float();
    const users = Distinct.read(from, EXACT_USERS);
    from.end();
    return { firstSeen: Number.isNaN(firstSeen) ? null : firstSeen, users, asked };
  },
  size: ({ users }) => 56 + users.weight,
};

/** Takes up a use; true where that told anything new, and the state has to be kept. */
export function addUser(state: Prevalence, deviceId: string, at: Micros): boolean {
  const earlier = state.firstSeen === null || at < state.firstSeen;
  if (earlier) state.firstSeen = at;
  return state.users.add(deviceId) || earlier;
}

/** Takes up since when it is asked for by name; true where that is earlier than what was known. */
export function noteAsked(state: Prevalence, at: Micros): boolean {
  if (state.asked !== null && state.asked <= at) return false;
  state.asked = at;
  return true;
}
