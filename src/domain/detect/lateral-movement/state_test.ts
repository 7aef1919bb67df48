import assert from "node:assert/strict";
import fc from "fast-check";
import {
  anyCount,
  anyDistinct,
  anyFloat,
  anyHash,
  anyList,
  anyRecord,
  anyRef,
  anyTime,
  checkStored,
  sampleRef,
} from "../../../../test/support/detect/stored-state.ts";
import { Distinct } from "../kernel/state/distinct.ts";
import { ADMIN_SERVERS, type ServerState } from "./admin-servers.ts";
import {
  ADMINISTRATION,
  type FanSlot,
  type KnownFan,
  type KnownPeer,
  type LateralState,
  type PeerSlot,
} from "./state.ts";

const anySlot = fc.integer({ min: -1_000_000, max: 3_000_000 });

const anyFan = anyRecord<KnownFan>({
  reportedScore: anyFloat,
  reportedSlot: anySlot,
  slots: anyList(
    anyRecord<FanSlot>({
      slot: anySlot,
      since: anyTime,
      last: anyTime,
      peers: anyDistinct(32),
      newPeers: anyDistinct(32),
    }),
    10,
  ),
  refs: anyList(anyRef, 6),
});

const anyAdministration = anyRecord<LateralState>({
  known: anyList(anyHash, 96),
  knownCount: anyCount,
  peers: anyList(
    anyRecord<KnownPeer>({
      key: anyHash,
      reportedScore: anyFloat,
      reportedSlot: anySlot,
      slots: anyList(
        anyRecord<PeerSlot>({
          slot: anySlot,
          since: anyTime,
          last: anyTime,
          protocols: fc.nat(127),
          newProtocols: fc.nat(127),
          connections: anyCount,
          bytesOut: anyFloat,
          bytesIn: anyFloat,
          smbOut: anyFloat,
          smbIn: anyFloat,
        }),
        10,
      ),
      refs: anyList(anyRef, 6),
    }),
    8,
  ),
  fan: anyFan,
});

const SAMPLE_ADMINISTRATION: LateralState = {
  known: [4_000_000_000, 3, 77],
  knownCount: 120,
  peers: [{
    key: 0xfedcba98,
    reportedScore: 61.2,
    reportedSlot: 1_333_333,
    slots: [{
      slot: 1_333_333,
      since: 1_600_000_000_000_000,
      last: 1_600_000_100_000_000,
      protocols: 11,
      newProtocols: 8,
      connections: 6,
      bytesOut: 4_800_000,
      bytesIn: 56_000.5,
      smbOut: 4_000_000,
      smbIn: 30_000,
    }],
    refs: [sampleRef(1), sampleRef(2)],
  }],
  fan: {
    reportedScore: 0,
    reportedSlot: 1_333_333,
    slots: [{
      slot: 1_333_333,
      since: 1_600_000_000_000_000,
      last: 1_600_000_100_000_000,
      peers: new Distinct(32, [5, 4_000_000_000]),
      newPeers: new Distinct(32, [5]),
    }],
    refs: [sampleRef(3)],
  },
};

/** The same as version 1 stored it. */
const FIRST_ADMINISTRATION =
  "01780380d0acf30e034d0198f5f2f60f4316bcc41e9000004316bcc4366784000b080641524f800000000040eb581000" +
  "000000414e84800000000040dd4c0000000000404e99999999999a024316bcc41e900004000000000000400080000000" +
  "00000001000000000000400090000000000000014316bcc41e9000080000000000004000800000000000000200000000" +
  "0000400090000000000000024316bcc41e9000004316bcc43667840000000000000000000205fbcfacf30e0105014316" +
  "bcc41e90000c0000000000004000800000000000000300000000000040009000000000000003";

const anyServer = anyRecord<ServerState>({ clients: anyDistinct(8), directory: fc.boolean() });

const SAMPLE_SERVER: ServerState = { clients: new Distinct(8, [1, 300, 70_000]), directory: true };

Deno.test("lateral movement: states survive storage, and the format does not change", () => {
  checkStored(
    ADMINISTRATION,
    anyAdministration,
    SAMPLE_ADMINISTRATION,
    "02780380d0acf30e034d0198f5f2f60f404e99999999999a41345855000000000141345855000000004316bcc41e90000043" +
      "16bcc4366784000b080641524f800000000040eb581000000000414e84800000000040dd4c0000000000024316bcc41e9000" +
      "0400000000000040008000000000000001000000000000400090000000000000014316bcc41e900008000000000000400080" +
      "0000000000000200000000000040009000000000000002000000000000000041345855000000000141345855000000004316" +
      "bcc41e9000004316bcc4366784000205fbcfacf30e0105014316bcc41e90000c000000000000400080000000000000030000" +
      "0000000040009000000000000003",
  );
  assert.deepEqual(ADMINISTRATION.decode(Uint8Array.fromHex(FIRST_ADMINISTRATION)), SAMPLE_ADMINISTRATION);
  checkStored(ADMIN_SERVERS, anyServer, SAMPLE_SERVER, "01010301ab02c4a004");
});
