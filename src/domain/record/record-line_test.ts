import assert from "node:assert/strict";
import fc from "fast-check";
import { LineError, readRecordLine } from "./record-line.ts";

const utf8 = new TextEncoder();

function failure(text: string): LineError {
  try {
    readRecordLine(text);
  } catch (error) {
    assert.ok(error instanceof LineError, String(error));
    return error;
  }
  throw new assert.AssertionError({ message: `accepted ${text}` });
}

const line = (members: Record<string, string>) =>
  `{${
    Object.entries({ kind: '"zeek.conn"', observed_at: '"2026-11-21T01:02:03Z"', payload: "{}", ...members })
      .filter(([, text]) => text !== "").map(([key, text]) => `"${key}":${text}`).join(",")
  }}`;

Deno.test("a line gives kind, time, the verbatim payload and its canonical form", () => {
  const record = readRecordLine(
    '{ "payload" : {"uid":"C1", "n":18446744073709551615,"x":1.50} , "kind":"zeek.conn","observed_at":"2026-11-21T02:02:03.1234567+01:00" }',
  );
  assert.deepEqual(record, {
    kind: "zeek.conn",
    observedAt: { micros: 1795222923123456, canonical: "2026-11-21T01:02:03.1234567Z" },
    payload: '{"uid":"C1", "n":18446744073709551615,"x":1.50}',
    canonicalPayload: utf8.encode('{"n":18446744073709551615,"uid":"C1","x":1.5}'),
    value: { uid: "C1", n: 18446744073709551615n, x: 1.5 },
    repeatedKey: null,
  });
});

Deno.test("other members are ignored, and any kind is passed on", () => {
  const record = readRecordLine(line({ tenant_id: '"other"', sensor_id: "[1]", kind: '"no.such.kind"' }));
  assert.equal(record.kind, "no.such.kind");
  assert.deepEqual(Object.keys(record).sort(), [
    "canonicalPayload",
    "kind",
    "observedAt",
    "payload",
    "repeatedKey",
    "value",
  ]);
  assert.deepEqual(
    readRecordLine(line({ "__proto__": '{"kind":"x"}', payload: '{"a":1}' })).canonicalPayload,
    utf8.encode('{"a":1}'),
  );
});

Deno.test("each fault has its reason, and the kind is reported whenever it is a string", () => {
  const cases: [string, string, string | null][] = [
    [line({ kind: "" }), "kind: expected a string", null],
    [line({ kind: "null" }), "kind: expected a string", null],
    [line({ kind: "5", observed_at: "5" }), "kind: expected a string", null],
    [line({ kind: '["zeek.conn"]' }), "kind: expected a string", null],
    [line({ observed_at: "" }), "observed_at: expected an RFC 3339 timestamp", "zeek.conn"],
    [line({ observed_at: "1795222923" }), "observed_at: expected an RFC 3339 timestamp", "zeek.conn"],
    [
      line({ observed_at: '"2026-02-30T00:00:00Z"' }),
      "observed_at: expected an RFC 3339 timestamp",
      "zeek.conn",
    ],
    [line({ payload: "" }), "payload: expected an object", "zeek.conn"],
    [line({ payload: "[]" }), "payload: expected an object", "zeek.conn"],
    [line({ payload: "null" }), "payload: expected an object", "zeek.conn"],
    [line({ payload: '"{}"' }), "payload: expected an object", "zeek.conn"],
    ["[]", "not JSON: expected an object at character 0", null],
    ['"zeek.conn"', "not JSON: expected an object at character 0", null],
    ["{}", "kind: expected a string", null],
    ["garbage", "not JSON: expected an object at character 0", null],
    [
      '{"kind":"zeek.conn",',
      'not JSON: expected a key in ", found the end of the text at character 20',
      null,
    ],
    [line({}) + "{}", "not JSON: expected the end of the text at character 70", null],
  ];
  for (const [text, reason, kind] of cases) {
    const error = failure(text);
    assert.deepEqual([error.reason, error.kind], [reason, kind], text);
  }
});

Deno.test("ambiguous JSON is rejected anywhere in the line", () => {
  const cases: [string, RegExp][] = [
    ['{"kind":"a","kind":"zeek.conn"}', /^kind: repeated with another value$/],
    [line({ payload: '{},"payload":{"a":1}' }), /^payload: repeated with another value$/],
    [line({ payload: '{"a":1e999}' }), /number overflows/],
    [line({ payload: '{"a":NaN}' }), /expected a JSON value/],
    [line({ payload: '{"a":"\\ud800"}' }), /lone surrogate/],
    [line({ extra: '"\ud800"' }), /lone surrogate/],
    [line({ extra: "[".repeat(100_000) }), /nested deeper than 128 levels/],
  ];
  for (const [text, reason] of cases) assert.match(failure(text).reason, reason);
});

Deno.test("a key repeated with an equal value changes nothing", () => {
  const payload = (text: string) => {
    const { canonicalPayload, repeatedKey, value } = readRecordLine(line({ payload: text }));
    return { canonical: new TextDecoder().decode(canonicalPayload), repeatedKey, value };
  };
  const once = payload('{"a":{"b":[1]},"c":2}');
  assert.deepEqual(payload('{"a":{"b":[1]},"c":2,"a":{"b":[1.0]},"c":2}'), once);
  assert.deepEqual(payload('{"c":2,"c":2,"a":{"\\u0062":[1],"b":[1]}}'), once);
  assert.equal(once.repeatedKey, null);
  assert.equal(readRecordLine(line({ extra: '1,"extra":2,"kind":"zeek.conn"' })).kind, "zeek.conn");
});

Deno.test("a key repeated with another value is reported, and every pair is part of the identity", () => {
  const payload = (text: string) => {
    const { canonicalPayload, repeatedKey } = readRecordLine(line({ payload: text }));
    return [new TextDecoder().decode(canonicalPayload), repeatedKey];
  };
  assert.deepEqual(payload('{"b":0,"a":2,"a":1}'), ['{"a":2,"a":1,"b":0}', "a"]);
  assert.deepEqual(payload('{"a":1,"b":0,"a":2}'), ['{"a":1,"a":2,"b":0}', "a"]);
  assert.deepEqual(payload('{"x":[{"a":1,"a":1,"a":null}]}'), ['{"x":[{"a":1,"a":1,"a":null}]}', "a"]);
  assert.deepEqual(payload('{"__proto__":1,"__proto__":2}'), ['{"__proto__":1,"__proto__":2}', "__proto__"]);
});

Deno.test("a reason is bounded for any line", () => {
  const far = " ".repeat(5 * 1024 * 1024);
  const error = failure(`{"payload":${far}{"a":1,}}`);
  assert.match(error.reason, /^not JSON: expected .* at character 52/);
  assert.ok(error.reason.length <= 200 && error.reason.isWellFormed(), error.reason);
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const error = failure(text);
    assert.ok(error.reason.length > 0 && error.reason.length <= 200);
    assert.ok(error.reason.isWellFormed());
  }));
});
