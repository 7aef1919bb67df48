// The channel of a device to one server name.
import { channel } from "../kernel/callback/channel-state.ts";
import { type ChannelState, emptyChannel } from "../kernel/callback/channel.ts";
import { Distinct, distinct } from "../kernel/state/distinct.ts";
import { type MainSource, mainSource, noMainSource } from "../kernel/main-source.ts";
import { defineVersionedState, type Field, record, varint } from "../kernel/state/schema.ts";

/** Addresses of a name, counted exactly up to this many. */
const EXACT_ADDRESSES = 8;

export interface NamedChannel {
  channel: ChannelState;
  addresses: Distinct;
  /** Requests of this stretch that name a referring page. */
  referred: number;
  main: MainSource;
}

const referred = varint;
const addresses = distinct(EXACT_ADDRESSES);
/** Version 1 counted every source. */
const none: Field<MainSource> = { write: () => {}, read: noMainSource, size: () => 0, maxBytes: 0 };

/** Keys: `<device> <server name>`. */
export const NAMED_CHANNELS = defineVersionedState<NamedChannel>({
  id: 24,
  name: "channels to names",
  keepDays: 3,
  empty: () => ({
    channel: emptyChannel(),
    addresses: new Distinct(EXACT_ADDRESSES),
    referred: 0,
    main: noMainSource(),
  }),
  versions: [
    { version: 2, fields: record<NamedChannel>({ referred, addresses, main: mainSource, channel }) },
    {
      version: 1,
      matches: () => false,
      fields: record<NamedChannel>({ referred, addresses, channel, main: none }),
    },
  ],
});

/** Forgets what was counted of an earlier stretch. */
export function resetCounts(state: NamedChannel): void {
  state.addresses = new Distinct(EXACT_ADDRESSES);
  state.referred = 0;
}
