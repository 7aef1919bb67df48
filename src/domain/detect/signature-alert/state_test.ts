import fc from "fast-check";
import {
  anyCount,
  anyIp,
  anyList,
  anyPort,
  anyRecord,
  anyRefs,
  anyText,
  anyTime,
  assertRoundTrip,
  assertStoredAs,
} from "../../../../test/support/detect/stored-state.ts";
import { T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import type { AlertFacts } from "../../record/facts.ts";
import {
  ALERT_GROUPS,
  type AlertGroupState,
  emptyAlertGroup,
  KEPT_METADATA,
  type SeenPeer,
  type SeenSignature,
  type WorstAlert,
} from "./state.ts";

const anyNumber = fc.option(fc.nat());
const anyPoints = fc.double({ min: 0, max: 80, noNaN: true });

const anySignature = fc.oneof(
  anyRecord<SeenSignature>({ id: anyText(60), signature: anyText(60, 1), count: anyCount }),
  anyText(60).map((text) => ({ id: text, signature: text, count: 1 })),
);

const anyMetadata = anyList(fc.tuple(fc.constantFrom(...KEPT_METADATA), anyText(60)), 4).map((entries) =>
  Object.fromEntries(entries.map(([key, value]) => [key, [value]])) as AlertFacts["metadata"]
);

const anyGroup = anyRecord<AlertGroupState>({
  firstSeen: anyTime,
  lastSeen: anyTime,
  count: anyCount,
  outboundCount: anyCount,
  signatures: anyList(anySignature, 16),
  peers: anyList(anyRecord<SeenPeer>({ ip: anyIp, port: fc.option(anyPort) }), 32),
  worst: fc.option(anyRecord<WorstAlert>({
    facts: anyRecord<AlertFacts>({
      type: fc.constant("alert"),
      gid: anyNumber,
      signatureId: anyNumber,
      revision: anyNumber,
      signature: anyText(200),
      category: fc.option(anyText(200)),
      priority: anyNumber,
      action: fc.constantFrom("blocked", null),
      metadata: anyMetadata,
    }),
    points: anyPoints,
    outbound: fc.boolean(),
    users: anyCount,
  })),
  refs: anyRefs(32),
  evaluated: anyRecord({ count: anyCount, signatures: fc.nat(16), points: anyPoints, lastSeen: anyTime }),
});

Deno.test("signature-alert: states survive storage", () => {
  assertRoundTrip(ALERT_GROUPS, anyGroup);
  const state: AlertGroupState = {
    ...emptyAlertGroup(),
    firstSeen: T0,
    lastSeen: T0 + 5,
    count: 300,
    outboundCount: 299,
    signatures: [
      { id: "1:2000001", signature: "ET SCAN Potential SSH Scan", count: 299 },
      { id: "own rule", signature: "own rule", count: 1 },
    ],
    peers: [{ ip: "203.0.113.9", port: 443 }, { ip: "203.0.113.10", port: null }],
    worst: {
      facts: {
        type: "alert",
        gid: 1,
        signatureId: 2_000_001,
        revision: null,
        signature: "ET SCAN Potential SSH Scan",
        category: "Attempted Information Leak",
        priority: 2,
        action: "blocked",
        metadata: { confidence: ["High"], malware_family: ["Emotet"] },
      },
      points: 35.5,
      outbound: true,
      users: 3,
    },
    refs: [{ evidenceId: uuid(1), observedAt: T0, flowId: uuid(1, "9") }],
    evaluated: { count: 200, signatures: 2, points: 35.5, lastSeen: T0 },
  };
  assertStoredAs(
    ALERT_GROUPS,
    state,
    "034316bcc41e9000004316bcc41e900014ac02ab020209313a323030303030311a4554205343414e20506f74656e" +
      "7469616c20535348205363616eab02086f776e2072756c650001020b3230332e302e3131332e39bc030c3230332e" +
      "302e3131332e313000014041c0000000000003030282897a00031a4554205343414e20506f74656e7469616c2053" +
      "5348205363616e011a417474656d7074656420496e666f726d6174696f6e204c65616b020104486967680206456d" +
      "6f746574c801024041c000000000004316bcc41e900000014316bcc41e9000000000000000004000800000000000" +
      "000100000000000040009000000000000001",
  );
});
