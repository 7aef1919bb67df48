import assert from "node:assert/strict";
import fc from "fast-check";
import { shiftEnvelope, shiftNumber, shiftPayload, shiftText, shiftValue } from "./shift.ts";

Deno.test("an epoch number is shifted by its text, in its own unit", () => {
  const cases: [string, number, string][] = [
    ["1349621343.681829", 1, "1349621344.681829"],
    ["1349621343.600000", 3600, "1349624943.600000"],
    ["1349621343", -43, "1349621300"],
    ["999999999.9", 1, "1000000000.9"],
    ["1637501832000", 1, "1637501833000"],
    ["1637501832000.25", 1, "1637501833000.25"],
    ["1637501832000001", 1, "1637501833000001"],
    ["1681583295157626123", 86400, "1681669695157626123"],
    ["1.349621343681829e9", 1, "1349621344.681829"],
    ["1e9", 1, "1000000001"],
    ["12.5e-1", 2, "3.25"],
    ["-1.25", 1, "-0.25"],
    ["0", 99, "0"],
    ["0.0", 99, "0.0"],
    ["null", 99, "null"],
    ["true", 99, "true"],
  ];
  for (const [text, seconds, expected] of cases) assert.equal(shiftNumber(text, seconds), expected, text);
});

Deno.test("date texts keep separator, fraction and offset", () => {
  const cases: [string, number, string][] = [
    ["2017-01-30T15:12:59.999999+0000", 1, "2017-01-30T15:13:00.999999+0000"],
    ["2018-10-30T23:59:59.459844+01:00", 1, "2018-10-31T00:00:00.459844+01:00"],
    ["2020-01-06T13:57:00Z", -7, "2020-01-06T13:56:53Z"],
    ["2019-01-02T03:50:11.315110", 60, "2019-01-02T03:51:11.315110"],
    ["2021-11-21 13:37:12", 86400, "2021-11-22 13:37:12"],
    ["2020-02-28T23:59:59.1234567891Z", 1, "2020-02-29T00:00:00.1234567891Z"],
    ["0001-01-01T00:00:00Z", 1, "0001-01-01T00:00:00Z"],
    ["1970-01-01T00:00:00Z", 1, "1970-01-01T00:00:00Z"],
    ["9999-12-31T23:59:59Z", 1, "9999-12-31T23:59:59Z"],
    ["yesterday", 1, "yesterday"],
  ];
  for (const [text, seconds, expected] of cases) assert.equal(shiftText(text, seconds), expected, text);
  assert.equal(shiftValue('"1637501832.5"', 1), '"1637501833.5"');
  assert.equal(shiftValue('"2020-01-06T13:57:00Z"', 1), '"2020-01-06T13:57:01Z"');
  assert.equal(shiftValue("{}", 1), "{}");
});

Deno.test("only the times of a kind change, every other byte stays", () => {
  assert.equal(
    shiftPayload(
      "zeek.ssl",
      '{ "ts" : 100.5,"uid":"ts","not_valid_before":100.0, "x":{"ts":100}, "_write_ts":"2020-01-06T00:00:00Z" }',
      10,
    ),
    '{ "ts" : 110.5,"uid":"ts","not_valid_before":100.0, "x":{"ts":100}, "_write_ts":"2020-01-06T00:00:10Z" }',
  );
  assert.equal(
    shiftPayload(
      "suricata.flow",
      '{"timestamp":"2020-01-06T00:00:00.5+0000","flow_id":18446744073709551615,' +
        '"flow":{"start":"2020-01-06T00:00:00.1+0000","end":null,"age":7},"tls":{"notbefore":"2020-01-06T00:00:00"}}',
      1,
    ),
    '{"timestamp":"2020-01-06T00:00:01.5+0000","flow_id":18446744073709551615,' +
      '"flow":{"start":"2020-01-06T00:00:01.1+0000","end":null,"age":7},"tls":{"notbefore":"2020-01-06T00:00:00"}}',
  );
  assert.equal(
    shiftPayload("netflow.flow", '{"time_flow_start_ns":1681583295157626000,"TimeFlowEnd":0,"bytes":1}', 1),
    '{"time_flow_start_ns":1681583296157626000,"TimeFlowEnd":0,"bytes":1}',
  );
  assert.equal(
    shiftPayload(
      "netflow.flow",
      '{"timeFlowStartMs":1681583295157,"TimeReceivedNs":"1681583295157626001","timestamp_start":"2021-11-21 13:37:12.5","first":"2021-11-21T13:37:12"}',
      1,
    ),
    '{"timeFlowStartMs":1681583296157,"TimeReceivedNs":"1681583296157626001","timestamp_start":"2021-11-21 13:37:13.5","first":"2021-11-21T13:37:13"}',
  );
  // An nfdump event: its milliseconds have no leading zeros and stay.
  assert.equal(
    shiftPayload(
      "netflow.flow",
      '{"t_first":"2025-11-21T01:03:20.7","t_event":"2025-11-21T01:03:59.250","event":"CREATE","event_id":1}',
      1,
    ),
    '{"t_first":"2025-11-21T01:03:21.7","t_event":"2025-11-21T01:04:00.250","event":"CREATE","event_id":1}',
  );
  assert.equal(
    shiftPayload("unbound.query", '{"message":"[1584966001] unbound[1:0] reply: 10.0.0.1"}', 1),
    '{"message":"[1584966002] unbound[1:0] reply: 10.0.0.1"}',
  );
  const unbound: [string, string][] = [
    [
      "2020-03-23T12:20:01.5+01:00 unbound[1:0] query: 10.0.0.1",
      "2020-03-23T12:20:02.5+01:00 unbound[1:0] query: 10.0.0.1",
    ],
    [
      String.raw`\u003c30>1 2020-03-23T12:20:01Z gw unbound 1 - [m s=\"6\"] [1:0] info: x`,
      String.raw`\u003c30>1 2020-03-23T12:20:02Z gw unbound 1 - [m s=\"6\"] [1:0] info: x`,
    ],
    [
      "2020-03-23T12:20:01Z gw unbound[1]: [1584966001] unbound[1:0] info: x",
      "2020-03-23T12:20:01Z gw unbound[1]: [1584966002] unbound[1:0] info: x",
    ],
    // No year to shift, and no time at all.
    ["Mar 23 12:20:01 gw unbound: [1:0] info: x", "Mar 23 12:20:01 gw unbound: [1:0] info: x"],
    ["[1:0] info: [1584966001] x", "[1:0] info: [1584966001] x"],
  ];
  for (const [line, shifted] of unbound) {
    const text = (message: string) => `{"n":1e2, "message" : "${message}","timestamp":100.5}`;
    assert.equal(shiftPayload("unbound.query", text(line), 1), text(shifted).replace("100.5", "101.5"), line);
  }
  assert.equal(
    shiftPayload("unbound.query", '{"message":["[1584966001] unbound[1:0] reply: x"]}', 1),
    '{"message":["[1584966001] unbound[1:0] reply: x"]}',
  );
  // The key is `ts`, however it is escaped.
  assert.equal(shiftPayload("zeek.conn", '{"\\u0074s":1.5}', 1), '{"\\u0074s":2.5}');
  assert.equal(
    shiftEnvelope(
      "zeek.conn",
      '{"payload":{"ts":1.5},"kind":"zeek.conn","observed_at":"2020-01-06T00:00:00Z"}',
      1,
    ),
    '{"payload":{"ts":2.5},"kind":"zeek.conn","observed_at":"2020-01-06T00:00:01Z"}',
  );
});

Deno.test("there and back gives the same text, exactly", () => {
  const fraction = fc.stringMatching(/^(\.[0-9]{1,12})?$/);
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 32 }), fraction, fc.nat(1e9), (whole, digits, seconds) => {
      const text = `${whole}${digits}`;
      assert.equal(shiftNumber(shiftNumber(text, seconds), -seconds), text);
    }),
  );
  const date = fc.date({ min: new Date(1e9), max: new Date("2200-01-01T00:00:00Z"), noInvalidDate: true });
  fc.assert(fc.property(date, fraction, fc.nat(1e9), (time, digits, seconds) => {
    const text = `${time.toISOString().slice(0, 19)}${digits}+0200`;
    assert.equal(shiftText(shiftText(text, seconds), -seconds), text);
  }));
});
