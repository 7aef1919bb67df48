// The channel of a device to one server name.
import { channel } from "../kernel/callback/channel-state.ts";
import { type ChannelState, emptyChannel } from "../kernel/callback/channel.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { defineState, record, varint } from "../kernel/state/schema.ts";

/** Addresses of a name, counted exactly up to this many. */
const EXACT_ADDRESSES = 8;

export interface NamedChannel {
  channel: ChannelState;
  addresses: Distinct;
  /** Requests of this stretch that name a referring page. */
  referred: number;
}

/** Keys: `<device> <server name>`. */
export const NAMED_CHANNELS = defineState<NamedChannel>({
  id: 24,
  name: "channels to names",
  keepDays: 3,
  version: 1,
  empty: () => ({ channel: emptyChannel(), addresses: new Distinct(EXACT_ADDRESSES), referred: 0 }),
  fields: record<NamedChannel>({
    referred: varint,
    addresses: distinct(EXACT_ADDRESSES),
    channel,
  }),
});

/** Forgets what was counted of an earlier stretch. */
export function resetCounts(state: NamedChannel): void {
  state.addresses = new Distinct(EXACT_ADDRESSES);
  state.referred = 0;
}
