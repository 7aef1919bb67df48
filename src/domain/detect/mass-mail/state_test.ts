import assert from "node:assert/strict";
import fc from "fast-check";
import { anyRecord, checkStored } from "../../../../test/support/detect/stored-state.ts";
import { anyTracks, SAMPLE_TRACKS } from "../../../../test/support/detect/track-fixtures.ts";
import { MAIL, type MailState } from "./detector.ts";

const anyMail = anyRecord<MailState>({
  serves: fc.boolean(),
  servers: anyTracks.map(({ tracks }) => ({ tracks: tracks.slice(0, 1) })),
});

const SAMPLE_MAIL: MailState = { serves: true, servers: { tracks: SAMPLE_TRACKS.tracks.slice(0, 1) } };

Deno.test("mass mail: states survive storage, and the format does not change", () => {
  checkStored(
    MAIL,
    anyMail,
    SAMPLE_MAIL,
    "010102010198f5f2f60f4316bcc41e9000004316bcc41e9000004316bcc4366784000407a502c4a00490ada8f30e01413458" +
      "550000000002ac02c4a00421018008a903024316bcc41e900004000000000000400080000000000000010000000000004000" +
      "90000000000000014316bcc41e9000080000000000004000800000000000000200000000000040009000000000000002",
  );
  const first =
    "010101010198f5f2f60f4316bcc41e9000004316bcc41e9000004316bcc4366784004316bcc42a7bc2000407a502c4a0" +
    "0490ada8f30e02ac02c4a00421018008a903024316bcc41e900004000000000000400080000000000000010000000000" +
    "00400090000000000000014316bcc41e9000080000000000004000800000000000000200000000000040009000000000" +
    "000002";
  assert.deepEqual(
    MAIL.decode(Uint8Array.fromHex(first)),
    SAMPLE_MAIL,
    "as version 1 of the tracks stored it",
  );
});
