import assert from "node:assert/strict";
import { LineError } from "../domain/record/record-line.ts";
import { MAX_RECORD_BYTES, MAX_RECORD_VALUES, OversizedRecord } from "./oversized-record.ts";

/** Members of the line and of the payload beside the elements of `a`. */
const OTHER_VALUES = 5;

function lineOf(
  payload: string,
  envelope = '"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z"',
): string {
  return `{${envelope},"payload":${payload}}`;
}

/** A line with so many values. */
function withValues(count: number): string {
  return lineOf(`{"uid":"C1","a":[${Array(count - OTHER_VALUES).fill("12").join(",")}]}`);
}

/** A line with so many bytes. */
function withBytes(count: number): string {
  const empty = lineOf('{"pad":""}');
  return lineOf(`{"pad":"${"p".repeat(count - empty.length)}"}`);
}

const read = (text: string) => OversizedRecord.read(text, new TextEncoder().encode(text).length);

Deno.test("oversized record: lines up to the bounds are left to the normal reader", () => {
  assert.equal(read(lineOf("{}")), null);
  assert.equal(read(withValues(MAX_RECORD_VALUES)), null);
  assert.equal(read(withBytes(MAX_RECORD_BYTES)), null);
});

Deno.test("oversized record: beyond a bound the reason names it", () => {
  assert.equal(
    read(withValues(MAX_RECORD_VALUES + 1))?.reason,
    "record too large: 20001 values, expected at most 20000",
  );
  assert.equal(
    read(withBytes(MAX_RECORD_BYTES + 1))?.reason,
    "record too large: 262145 bytes, expected at most 262144",
  );
});

Deno.test("oversized record: identified by its exact text", () => {
  const text = withBytes(MAX_RECORD_BYTES + 1);
  const record = read(text)!;
  assert.equal(record.kind, "zeek.conn");
  assert.equal(record.observedAt.canonical, "2026-01-31T12:00:00Z");
  assert.equal(record.payload, text.slice(text.indexOf('{"pad"'), -1));
  assert.match(new TextDecoder().decode(record.canonicalPayload), /^sha256:[0-9a-f]{64}$/);
  assert.deepEqual(read(text)!.canonicalPayload, record.canonicalPayload);
  assert.notDeepEqual(read(text.replace('":"p', '": "p'))!.canonicalPayload, record.canonicalPayload);
});

Deno.test("oversized record: what is not a record is rejected as always", () => {
  const pad = `{"pad":"${"p".repeat(MAX_RECORD_BYTES)}"}`;
  const deep = `{"a":${"[".repeat(200)}${"]".repeat(200)},"pad":${pad}}`;
  const faults: Record<string, string> = {
    [lineOf(pad).slice(0, -1)]: "not JSON",
    [`[${lineOf(pad)}]`]: "not JSON: expected an object",
    [lineOf(deep)]: "not JSON: nested deeper than 128 levels",
    [lineOf(pad, '"kind":1')]: "kind: expected a string",
    [lineOf(pad, '"kind":"zeek.conn","observed_at":"now"')]: "observed_at: expected an RFC 3339 timestamp",
    [lineOf(`[${pad}]`)]: "payload: expected an object",
    [lineOf(pad, '"payload":{},"kind":"zeek.conn","observed_at":"2026-01-31T12:00:00Z"')]:
      "not JSON: duplicate key in the envelope",
  };
  for (const [text, reason] of Object.entries(faults)) {
    assert.throws(
      () => read(text),
      (error: unknown) => error instanceof LineError && error.reason === reason,
    );
  }
});
