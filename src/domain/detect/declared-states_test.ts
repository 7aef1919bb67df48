import assert from "node:assert/strict";
import fc from "fast-check";
import type { StateType } from "./kernel/detector.ts";
import type { DeclaredState } from "./kernel/state/schema.ts";
import * as oldTracks from "./kernel/old-tracks.ts";
import { MAIL as OLD_MAIL } from "./mass-mail/old-detector.ts";
import { FLOODS as OLD_FLOODS } from "./flood/old-state.ts";
import { FAILURES as OLD_FAILURES } from "./dga/old-state.ts";
import { LOOKUPS as OLD_LOOKUPS } from "./dns-tunnel/old-state.ts";
import {
  DNS_RESOLVERS as OLD_DNS_RESOLVERS,
  RESOLVER_CLIENTS as OLD_RESOLVER_CLIENTS,
} from "./dns-tunnel/old-resolvers.ts";
import { UPLOADS as OLD_UPLOADS } from "./exfiltration/old-uploads.ts";
import { DEVICE_HOURS as OLD_DEVICE_HOURS } from "./exfiltration/old-hours.ts";
import { ADMINISTRATION as OLD_ADMINISTRATION } from "./lateral-movement/old-state.ts";
import { ADMIN_SERVERS as OLD_ADMIN_SERVERS } from "./lateral-movement/old-admin-servers.ts";
import { LONG_USES as OLD_LONG_USES } from "./long-connection/old-state.ts";
import { SCAN_ATTEMPTS } from "./scan/detector.ts";
import { LOGONS } from "./brute-force/detector.ts";
import { MAIL } from "./mass-mail/detector.ts";
import { FLOODS } from "./flood/state.ts";
import { FAILURES } from "./dga/state.ts";
import { LOOKUPS } from "./dns-tunnel/state.ts";
import { DNS_RESOLVERS, RESOLVER_CLIENTS } from "./dns-tunnel/resolvers.ts";
import { UPLOADS } from "./exfiltration/uploads.ts";
import { DEVICE_HOURS } from "./exfiltration/hours.ts";
import { ADMINISTRATION } from "./lateral-movement/state.ts";
import { ADMIN_SERVERS } from "./lateral-movement/admin-servers.ts";
import { LONG_USES } from "./long-connection/state.ts";
import { anyTracks, SAMPLE_TRACKS } from "../../../test/support/detect/track-fixtures.ts";
import { anyMail, SAMPLE_MAIL } from "./mass-mail/state_test.ts";
import { anyFloods, SAMPLE_FLOODS } from "./flood/state_test.ts";
import { anyFailures, SAMPLE_FAILURES } from "./dga/state_test.ts";
import { anyHours, anyUploads, SAMPLE_HOURS, SAMPLE_UPLOADS } from "./exfiltration/state_test.ts";
import {
  anyAdministration,
  anyServer,
  SAMPLE_ADMINISTRATION,
  SAMPLE_SERVER,
} from "./lateral-movement/state_test.ts";
import { anyUse, SAMPLE_USE } from "./long-connection/state_test.ts";
import {
  anyAskers,
  anyDesk,
  anyLookups,
  SAMPLE_ASKERS,
  SAMPLE_DESK,
  SAMPLE_LOOKUPS,
} from "./dns-tunnel/stored_test.ts";

type Codec<S> = Pick<StateType<S>, "empty" | "encode" | "decode" | "size">;

const TRACKS: Codec<oldTracks.ScanState> = {
  empty: () => ({ tracks: [] }),
  encode: oldTracks.encodeScan,
  decode: oldTracks.decodeScan,
  size: oldTracks.weighScan,
};

function compare<S>(
  name: string,
  old: Codec<S>,
  declared: DeclaredState<S>,
  any: fc.Arbitrary<S>,
  sample: S,
) {
  Deno.test(`${name}: the declaration stores the bytes of the hand-written codec`, () => {
    const ratios: number[] = [];
    const check = (state: S) => {
      const before = old.encode(state).slice();
      assert.deepEqual(declared.encode(state).slice(), before);
      assert.deepEqual(declared.decode(before), old.decode(before));
      assert.deepEqual(old.encode(declared.decode(before)).slice(), before);
      ratios.push(declared.size(state) / old.size(state));
    };
    check(old.empty());
    check(sample);
    fc.assert(fc.property(any, check), { numRuns: 500 });
    const sorted = ratios.toSorted((a, b) => a - b);
    console.log(
      `${name}: size ${sorted[0]!.toFixed(2)} ${sorted[sorted.length >> 1]!.toFixed(2)} ${
        sorted.at(-1)!.toFixed(2)
      }, sample ${ratios[1]!.toFixed(2)}, at most ${declared.maxBytes} bytes\n${
        old.encode(sample).slice().toHex()
      }`,
    );
  });
}

compare("SCAN_ATTEMPTS", TRACKS, SCAN_ATTEMPTS, anyTracks, SAMPLE_TRACKS);
compare("LOGONS", TRACKS, LOGONS, anyTracks, SAMPLE_TRACKS);
compare("MAIL", OLD_MAIL, MAIL, anyMail, SAMPLE_MAIL);
compare("FLOODS", OLD_FLOODS, FLOODS, anyFloods, SAMPLE_FLOODS);
compare("FAILURES", OLD_FAILURES, FAILURES, anyFailures, SAMPLE_FAILURES);
compare("LOOKUPS", OLD_LOOKUPS, LOOKUPS, anyLookups, SAMPLE_LOOKUPS);
compare("DNS_RESOLVERS", OLD_DNS_RESOLVERS, DNS_RESOLVERS, anyDesk, SAMPLE_DESK);
compare("RESOLVER_CLIENTS", OLD_RESOLVER_CLIENTS, RESOLVER_CLIENTS, anyAskers, SAMPLE_ASKERS);
compare("DEVICE_HOURS", OLD_DEVICE_HOURS, DEVICE_HOURS, anyHours, SAMPLE_HOURS);
compare("UPLOADS", OLD_UPLOADS, UPLOADS, anyUploads, SAMPLE_UPLOADS);
compare("ADMINISTRATION", OLD_ADMINISTRATION, ADMINISTRATION, anyAdministration, SAMPLE_ADMINISTRATION);
compare("ADMIN_SERVERS", OLD_ADMIN_SERVERS, ADMIN_SERVERS, anyServer, SAMPLE_SERVER);
compare("LONG_USES", OLD_LONG_USES, LONG_USES, anyUse, SAMPLE_USE);
