import assert from "node:assert/strict";
import fc from "fast-check";
import { flow, last, reportsOf, times } from "../../../../test/support/detect/client-fixtures.ts";
import { SITE } from "../../../../test/support/detect/detector-fixtures.ts";
import { TYPE_CONTRADICTION_DETECTOR } from "./detector.ts";
import { ACT_COUNTS } from "./state.ts";

const ANSWERED = { packetsOut: 9, packetsIn: 8, bytesOut: 900, bytesIn: 4000 } as const;

/** A site on which the device has this confirmed type. */
function as(type: string | null, device = "10.0.0.5") {
  return { site: { ...SITE, confirmedType: (id: string) => id === `device ${device}` ? type : null } };
}

function opens(seconds: number, type: string | null, ip: string, port: number, change = {}) {
  return flow(seconds, { ...ANSWERED, ...change }, { ip, port, sighting: as(type) });
}

Deno.test("type-contradiction: a printer that opens SSH is medium at once and grows with further acts", () => {
  const results = reportsOf(
    TYPE_CONTRADICTION_DETECTOR,
    times(9, (at, index) => opens(at, "printer", `10.0.1.${index}`, 22)),
  );
  assert.equal(results.length, 3);
  assert.ok(results[0]!.score >= 40 && last(results).score < 60);
  assert.equal(results[0]!.title, "10.0.0.5 is a printer but administers at least 1 other machine");
  assert.match(results[0]!.summary, /SSH on 10\.0\.1\.0/);
  const more = [
    ...times(9, (at, index) => opens(at, "printer", `10.0.1.${index}`, 22)),
    ...times(40, (at, index) => opens(999 + at, "printer", `10.0.2.${index}`, 445)),
  ];
  assert.ok(last(reportsOf(TYPE_CONTRADICTION_DETECTOR, more)).score >= 60);
});

Deno.test("type-contradiction: typical activity and other devices are not reported", () => {
  const silent = [
    times(99, (at) => opens(at, "printer", "10.0.1.9", 445)),
    times(25, (at, index) => opens(at, "printer", `203.0.113.${index}`, 443)),
    times(99, (at, index) => opens(at, "iot", `203.0.113.${index}`, 443)),
    times(
      99,
      (at, index) => flow(at, ANSWERED, { ip: `10.0.1.${index}`, port: 16_384, sighting: as("voip_phone") }),
    ).map((one) => {
      one.connection!.proto = "udp";
      return one;
    }),
    times(99, (at, index) => opens(at, "workstation", `10.0.1.${index}`, 3389)),
    times(99, (at, index) => opens(at, null, `10.0.1.${index}`, 22)),
    times(99, (at, index) => opens(at, "Front desk", `10.0.1.${index}`, 22)),
    times(99, (at, index) => opens(at, "printer", `10.0.1.${index}`, 22, { packetsIn: 0 })),
    times(
      50,
      (at, index) =>
        flow(at, { ...ANSWERED, service: "ipp" }, {
          from: `10.0.3.${index}`,
          ip: "10.0.1.9",
          port: 631,
          sighting: as("printer", "10.0.1.9"),
        }),
    ),
  ];
  for (const sightings of silent) assert.deepEqual(reportsOf(TYPE_CONTRADICTION_DETECTOR, sightings), []);
});

Deno.test("type-contradiction: a camera that serves RDP, and one that contacts many outside servers", () => {
  const serves = flow(0, ANSWERED, {
    from: "10.0.3.3",
    ip: "10.0.1.9",
    port: 3389,
    sighting: as("camera", "10.0.1.9"),
  });
  const [result] = reportsOf(TYPE_CONTRADICTION_DETECTOR, [serves]);
  assert.equal(result?.deviceId, "device 10.0.1.9");
  assert.match(result?.summary ?? "", /port 3389 \(RDP\) to 10\.0\.3\.3/);
  const world = reportsOf(
    TYPE_CONTRADICTION_DETECTOR,
    times(200, (at, index) => opens(at, "camera", `203.0.113.${index}`, 443)),
  );
  assert.ok(last(world).score >= 30 && last(world).score < 60, `${last(world).score}`);
});

Deno.test("type-contradiction: a later day is another incident, and a wrong clock has no lasting effect", () => {
  const act = (seconds: number) => opens(seconds, "printer", "10.0.1.1", 22);
  assert.equal(reportsOf(TYPE_CONTRADICTION_DETECTOR, [act(0), act(90_000)]).length, 2);
  assert.equal(reportsOf(TYPE_CONTRADICTION_DETECTOR, [act(3e9), ...times(20, act)]).length, 2);
});

Deno.test("type-contradiction: an earlier repeat changes nothing, however the records arrive in rounds", () => {
  const acts = [opens(0, "printer", "10.9.0.8", 22), opens(-1, "printer", "10.9.0.8", 22)];
  const more = ["10.9.0.1", "10.9.0.2"].map((ip) => opens(0, "printer", ip, 3389));
  const results = reportsOf(TYPE_CONTRADICTION_DETECTOR, [...acts, ...more]);
  assert.equal(last(results).firstSeen, results[0]!.firstSeen);
});

Deno.test("type-contradiction: arbitrary input never throws, and states stay bounded", () => {
  const one = fc.record({
    host: fc.nat(65_535),
    port: fc.constantFrom(22, 445, 3389, 443, 0),
    outside: fc.boolean(),
    seconds: fc.integer({ min: -(2 ** 31), max: 2 ** 31 }),
  });
  fc.assert(
    fc.property(
      fc.array(one, { maxLength: 200, size: "max" }),
      fc.constantFrom("printer", "camera", "iot"),
      (all, type) => {
        reportsOf(
          TYPE_CONTRADICTION_DETECTOR,
          all.map(({ host, port, outside, seconds }) =>
            opens(seconds, type, `${outside ? "203.0" : "10.9"}.${host >> 8}.${host & 255}`, port)
          ),
        );
      },
    ),
    { numRuns: 15 },
  );
  assert.throws(() => ACT_COUNTS.decode(new Uint8Array([9])), RangeError);
});
