import assert from "node:assert/strict";
import fc from "fast-check";
import { ApiError } from "../contract/request/errors.ts";
import { Cursors, type CursorScope } from "./cursor.ts";

const NOW = 1_769_843_700_000_000;
const DAY = 86_400_000_000;
const cursors = new Cursors("0123456789abcdef0123456789abcdef");

const scopes = fc.record({
  tenantId: fc.string({ minLength: 1, maxLength: 20 }),
  operation: fc.constantFrom("listFlows", "listIncidents", "listDevices"),
  filter: fc.dictionary(
    fc.string({ maxLength: 8 }),
    fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.integer(),
      fc.boolean(),
      fc.constant(undefined),
    ),
    { maxKeys: 4 },
  ),
});
const positions = fc.jsonValue().filter((value) => !Object.is(value, -0));

function codeOf(open: () => unknown): string {
  try {
    open();
    return "opened";
  } catch (error) {
    assert.ok(error instanceof ApiError, `expected an ApiError, got ${error}`);
    return error.code;
  }
}

/** A position that survives JSON. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

Deno.test("cursors: opening returns the sealed position, whatever the page size", () => {
  fc.assert(fc.property(scopes, positions, fc.integer({ min: 0, max: DAY }), (scope, position, age) => {
    const cursor = cursors.seal(scope, position, NOW);
    assert.match(cursor, /^[A-Za-z0-9_-]+$/);
    const later = { ...scope, filter: { ...scope.filter, limit: 7, cursor } };
    assert.deepEqual(cursors.open(later, cursor, NOW + age), plain(position));
  }));
});

Deno.test("cursors: any changed character makes a cursor invalid, not expired", () => {
  fc.assert(fc.property(
    scopes,
    positions,
    fc.nat(),
    fc.constantFrom("flip", "cut", "drop", "add", "case"),
    fc.string({ minLength: 1, maxLength: 1 }),
    (scope, position, place, change, letter) => {
      const cursor = cursors.seal(scope, position, NOW);
      const at = place % cursor.length;
      const flipped = String.fromCharCode(cursor.charCodeAt(at) ^ (1 << (place % 7)));
      const changed = {
        flip: cursor.slice(0, at) + flipped + cursor.slice(at + 1),
        cut: cursor.slice(0, at),
        drop: cursor.slice(0, at) + cursor.slice(at + 1),
        add: cursor.slice(0, at) + letter + cursor.slice(at),
        case: cursor.toUpperCase(),
      }[change];
      fc.pre(changed !== cursor);
      assert.equal(codeOf(() => cursors.open(scope, changed, NOW)), "invalid_request", changed);
      // At any age: only a genuine cursor can expire.
      assert.equal(codeOf(() => cursors.open(scope, changed, NOW + 9 * DAY)), "invalid_request", changed);
    },
  ));
});

Deno.test("cursors: a cursor opens only for its tenant, list and filter", () => {
  fc.assert(fc.property(scopes, scopes, positions, (own, other, position) => {
    const bound = ({ tenantId, operation, filter }: CursorScope) =>
      JSON.stringify([
        tenantId,
        operation,
        Object.entries(filter).filter(([, value]) => value !== undefined).sort(),
      ]);
    const cursor = cursors.seal(own, position, NOW);
    const expected = bound(own) === bound(other) ? "opened" : "invalid_request";
    assert.equal(codeOf(() => cursors.open(other, cursor, NOW)), expected);
    const part = { ...own, filter: { ...own.filter, further: "x" } };
    assert.equal(codeOf(() => cursors.open(part, cursor, NOW)), "invalid_request");
  }));
});

Deno.test("cursors: a cursor reveals neither its position nor that two positions are equal", () => {
  const scope = { tenantId: "main", operation: "listFlows", filter: { proto: "tcp" } };
  const position = { flowId: "0190b2c3", start: 1_769_843_700_000_000 };
  const cursor = cursors.seal(scope, position, NOW);
  const bytes = Uint8Array.fromBase64(cursor.replace(/\..*$/, ""), { alphabet: "base64url" });
  assert.doesNotMatch(new TextDecoder("latin1").decode(bytes), /flowId|0190b2c3|start|main|tcp/);
  assert.notEqual(cursors.seal(scope, position, NOW), cursor);
});

Deno.test("cursors: a cursor expires after a day and with a change of the service key", () => {
  const scope = { tenantId: "main", operation: "listFlows", filter: {} };
  const cursor = cursors.seal(scope, { start: 1 }, NOW);
  assert.equal(codeOf(() => cursors.open(scope, cursor, NOW + DAY)), "opened");
  assert.equal(codeOf(() => cursors.open(scope, cursor, NOW + DAY + 1)), "cursor_expired");
  // A clock that was set back expires none.
  assert.equal(codeOf(() => cursors.open(scope, cursor, NOW - DAY)), "opened");
  const rotated = new Cursors("fedcba9876543210fedcba9876543210");
  assert.equal(codeOf(() => rotated.open(scope, cursor, NOW)), "invalid_request");
});
