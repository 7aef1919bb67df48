import { anyChannel, sampleChannel } from "../../../../test/support/detect/beacon-fixtures.ts";
import {
  anyCount,
  anyDistinct,
  anyRecord,
  checkStored,
} from "../../../../test/support/detect/stored-state.ts";
import { encodeChannel } from "../kernel/callback/channel-state.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import { NAMED_CHANNELS, type NamedChannel } from "./state.ts";

const anyNamedChannel = anyRecord<NamedChannel>({
  channel: anyChannel,
  addresses: anyDistinct(8),
  referred: anyCount,
});

Deno.test("beacon-name: states survive storage, and the format does not change", () => {
  const channel = sampleChannel();
  checkStored(
    NAMED_CHANNELS,
    anyNamedChannel,
    { channel, addresses: new Distinct(8, [7, 4_000_000_000]), referred: 2 },
    // The channel's own format is fixed by its own test.
    "01020207f9cfacf30ee701" + encodeChannel(channel).toHex(),
  );
});
