import assert from "node:assert/strict";
import { checkStored } from "../../../../test/support/detect/stored-state.ts";
import { anyTracks, SAMPLE_TRACKS } from "../../../../test/support/detect/track-fixtures.ts";
import { defineState } from "./state/schema.ts";
import { ByteReader } from "./state/bytes.ts";
import { firstTrackFields, MAX_STATE_TRACKS, trackFields, type TrackState } from "./tracks.ts";

Deno.test("tracks: states survive storage, and the format does not change", () => {
  const type = defineState<TrackState>({
    id: 1,
    name: "tracks",
    keepDays: 3,
    version: 1,
    empty: () => ({ tracks: [] }),
    fields: trackFields(MAX_STATE_TRACKS),
  });
  checkStored(
    type,
    anyTracks,
    SAMPLE_TRACKS,
    "01020198f5f2f60f4316bcc41e9000004316bcc41e9000004316bcc4366784000407a502c4a00490ada8f30e014134585500" +
      "00000002ac02c4a00421018008a903024316bcc41e9000040000000000004000800000000000000100000000000040009000" +
      "0000000000014316bcc41e90000800000000000040008000000000000002000000000000400090000000000000020305bff0" +
      "000000000000bff0000000000000000000000000000000000000000000",
  );
  const first = firstTrackFields(MAX_STATE_TRACKS).read(
    new ByteReader(Uint8Array.fromHex(
      "020198f5f2f60f4316bcc41e9000004316bcc41e9000004316bcc4366784004316bcc42a7bc2000407a502c4a00490" +
        "ada8f30e02ac02c4a00421018008a903024316bcc41e9000040000000000004000800000000000000100000000000040" +
        "0090000000000000014316bcc41e90000800000000000040008000000000000002000000000000400090000000000000" +
        "020305bff0000000000000bff00000000000000000000000000000000000000000000000000000000000",
    )),
  );
  assert.deepEqual(first, SAMPLE_TRACKS, "as version 1 stored it");
});
