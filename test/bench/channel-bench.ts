// Cost of a beacon channel: adding a connection, encoding and decoding. `deno bench -A test/bench/channel-bench.ts`
import { point } from "../support/detect/beacon-fixtures.ts";
import { decodeChannel, encodeChannel } from "../../src/domain/detect/kernel/callback/channel-state.ts";
import {
  addConnection,
  type ChannelState,
  emptyChannel,
} from "../../src/domain/detect/kernel/callback/channel.ts";

/** Connections of a channel: one, a few, and a full one. */
for (const connections of [1, 10, 200]) {
  const group = `a channel of ${connections}`;
  const fill = (): ChannelState => {
    const state = emptyChannel();
    for (let index = 0; index < connections; index++) addConnection(state, point(index, index * 60));
    return state;
  };
  const filled = fill();
  const bytes = encodeChannel(filled);
  let state = fill();
  let added = connections;
  Deno.bench("add", { group }, () => {
    if (added > connections + 100) {
      state = decodeChannel(bytes);
      added = connections;
    }
    addConnection(state, point(added, added++ * 60));
  });
  Deno.bench("encode", { group }, () => void encodeChannel(filled));
  Deno.bench("decode", { group }, () => void decodeChannel(bytes));
}
