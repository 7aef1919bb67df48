import fc from "fast-check";
import {
  anyCount,
  anyDistinct,
  anyIp,
  anyList,
  anyRecord,
  anyRefs,
  anyScore,
  anyText,
  anyTime,
  assertRoundTrip,
  assertStoredAs,
  distinctOf,
} from "../../../../test/support/detect/stored-state.ts";
import { T0, uuid } from "../../../../test/support/detect/detector-fixtures.ts";
import { NEW_DEVICES, type NewDevices } from "./state.ts";

const anyNewDevices = anyRecord<NewDevices>({
  day: fc.option(fc.integer()),
  devices: anyDistinct(64),
  firstSeen: anyTime,
  lastSeen: anyTime,
  listed: anyList(anyRecord({ deviceId: fc.uuid(), ip: anyIp, description: anyText(120) }), 8),
  refs: anyRefs(8),
  evaluatedCount: anyCount,
  reportedScore: anyScore,
});

Deno.test("new-device: states survive storage", () => {
  assertRoundTrip(NEW_DEVICES, anyNewDevices);
  const state: NewDevices = {
    day: 18_518,
    devices: distinctOf(64, 9, 4_000_000_000),
    firstSeen: T0,
    lastSeen: T0 + 5,
    listed: [{ deviceId: uuid(3), ip: "10.0.5.7", description: ', which calls itself "raspberrypi"' }],
    refs: [{ evidenceId: uuid(1), observedAt: T0, flowId: uuid(1, "9") }],
    evaluatedCount: 2,
    reportedScore: 20.5,
  };
  assertStoredAs(
    NEW_DEVICES,
    state,
    "0140d21580000000000209f7cfacf30e4316bcc41e9000004316bcc41e900014012430303030303030302d303030" +
      "302d343030302d383030302d3030303030303030303030330831302e302e352e37222c2077686963682063616c6c" +
      "7320697473656c66202272617370626572727970692201000000000000400080000000000000014316bcc41e9000" +
      "000000000000004000900000000000000102cd01",
  );
});
