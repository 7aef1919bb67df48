import fc from "fast-check";
import {
  anyDistinct,
  anyHash,
  anyList,
  anyRecord,
  anyRefs,
  anyScore,
  anyTime,
  assertRoundTrip,
  assertStoredAs,
  distinctOf,
} from "../../../../test/support/detect/stored-state.ts";
import { T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import { type Server, type ServerList, serverListState } from "./servers.ts";

const SERVERS = serverListState(1, "servers");

const anyServers = anyRecord<ServerList>({
  servers: anyList(
    anyRecord<Server>({
      key: anyHash,
      first: anyTime,
      last: anyTime,
      known: fc.boolean(),
      clients: anyDistinct(16),
      network: anyHash,
      options: anyHash,
      reportedScore: anyScore,
      refs: anyRefs(6),
    }),
    24,
  ),
});

Deno.test("server lists survive storage", () => {
  assertRoundTrip(SERVERS, anyServers);
  const state: ServerList = {
    servers: [{
      key: 4_000_000_000,
      first: T0,
      last: T0 + 5,
      known: false,
      clients: distinctOf(16, 9, 300),
      network: 0,
      options: 77,
      reportedScore: 41.3,
      refs: [{ evidenceId: uuid(1), observedAt: T0, flowId: uuid(1, "9") }],
    }],
  };
  assertStoredAs(
    SERVERS,
    state,
    "010180d0acf30e4316bcc41e9000004316bcc41e900014000209a302004d9d03014316bcc41e9000000000000000" +
      "004000800000000000000100000000000040009000000000000001",
  );
});
