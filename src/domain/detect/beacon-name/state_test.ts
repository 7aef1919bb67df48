import assert from "node:assert/strict";
import fc from "fast-check";
import { anyChannel, sampleChannel } from "../../../../test/support/detect/beacon-fixtures.ts";
import {
  anyCount,
  anyDistinct,
  anyRecord,
  anyTime,
  checkStored,
} from "../../../../test/support/detect/stored-state.ts";
import { encodeChannel } from "../kernel/callback/channel-state.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import type { MainSource } from "../kernel/main-source.ts";
import { NAMED_CHANNELS, type NamedChannel } from "./state.ts";

const anyNamedChannel = anyRecord<NamedChannel>({
  channel: anyChannel,
  addresses: anyDistinct(8),
  referred: anyCount,
  main: anyRecord<MainSource>({ source: fc.constantFrom(null, "zeek", "suricata"), last: anyTime }),
});

Deno.test("beacon-name: states survive storage, and the format does not change", () => {
  const channel = sampleChannel();
  const main = { source: "suricata", last: 1_600_000_000_000_000 } as const;
  checkStored(
    NAMED_CHANNELS,
    anyNamedChannel,
    { channel, addresses: new Distinct(8, [7, 4_000_000_000]), referred: 2, main },
    // The channel's own format is fixed by its own test.
    "02020207f9cfacf30e024316bcc41e900000e701" + encodeChannel(channel).toHex(),
  );
});

Deno.test("beacon-name: states of version 1 are read", () => {
  const channel = sampleChannel();
  const bytes = Uint8Array.fromHex("01020207f9cfacf30ee701" + encodeChannel(channel).toHex());
  const { addresses, referred, main } = NAMED_CHANNELS.decode(bytes);
  assert.deepEqual([addresses.count, referred, main.source], [2, 2, null]);
});
