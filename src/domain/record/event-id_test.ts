import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { eventId } from "./event-id.ts";
import { readRecordLine } from "./record-line.ts";

const utf8 = new TextEncoder();
const hex = (bytes: Uint8Array) => bytes.toHex();
const source = { tenantId: "main", sensorId: "zeek-1" };

/** Event identifier of a payload text, with everything else fixed. */
function idOf(payload: string): string {
  const line = `{"kind":"zeek.conn","observed_at":"2026-11-21T01:02:03.5Z","payload":${payload}}`;
  return idOfLine(line);
}

function idOfLine(line: string): string {
  const record = readRecordLine(line);
  return hex(eventId({
    ...source,
    kind: record.kind,
    observedAtCanonical: record.observedAt.canonical,
    canonicalPayload: record.canonicalPayload,
  }));
}

Deno.test("the identifier is the SHA-256 of six lines", () => {
  const text = 'ndr-event-v1\n"main"\n"zeek-1"\n"zeek.conn"\n2026-11-21T01:02:03.5Z\n{"a":1,"é":"😀"}';
  assert.equal(
    idOf('{"é":"\\ud83d\\ude00", "a":1.0}'),
    createHash("sha256").update(text, "utf8").digest("hex"),
  );
});

Deno.test("every part counts, and none runs into the next", () => {
  const base = {
    tenantId: "a",
    sensorId: "b",
    kind: "c",
    observedAtCanonical: "t",
    canonicalPayload: utf8.encode("{}"),
  };
  const identities = [
    base,
    { ...base, tenantId: "x" },
    { ...base, sensorId: "x" },
    { ...base, kind: "x" },
    { ...base, observedAtCanonical: "x" },
    { ...base, canonicalPayload: utf8.encode('{"x":1}') },
    { ...base, tenantId: "ab", sensorId: "" },
    { ...base, tenantId: "", sensorId: "ab" },
    { ...base, tenantId: "b", sensorId: "a" },
    { ...base, tenantId: 'a"\n"b', sensorId: "c" },
    { ...base, tenantId: "a", sensorId: 'b"\n"c', kind: "c" },
    { ...base, tenantId: "\ud800" },
    { ...base, tenantId: "\ufffd" },
  ];
  assert.equal(new Set(identities.map((identity) => hex(eventId(identity)))).size, identities.length);
  assert.equal(eventId(base).length, 32);
});

Deno.test("spellings of one time are one record, other times are different records", () => {
  const at = (time: string) => idOfLine(`{"kind":"zeek.conn","observed_at":"${time}","payload":{}}`);
  const id = at("2026-11-21T01:02:03.1234567Z");
  assert.equal(at("2026-11-21t03:02:03.12345670+02:00"), id);
  assert.equal(at("2026-11-21T01:02:03.1234567+0000"), id);
  assert.notEqual(at("2026-11-21T01:02:03.1234568Z"), id);
  assert.notEqual(at("2026-11-21T01:02:03.123456Z"), id);
  assert.notEqual(at("2026-11-21T01:02:03.1234567+00:01"), id);
});

Deno.test("members beside the payload and their order do not count", () => {
  const id = idOfLine('{"kind":"zeek.conn","observed_at":"2026-11-21T01:02:03Z","payload":{"a":1}}');
  assert.equal(
    idOfLine(
      '{"tenant_id":"x","payload":{"a":1} ,"sensor_id":9,"observed_at":"2026-11-21T01:02:03Z","kind":"zeek.conn"}',
    ),
    id,
  );
});

Deno.test("values that are equal as doubles are different records", () => {
  const groups = [
    ["9007199254740992", "9007199254740993", "9007199254740994"],
    ["18446744073709551615", "18446744073709551614"],
    ["0.1", "0.1000000000000000055", "0.10000000000000000001"],
    ["1e-400", "2e-400", "0"],
    ["1700000000.123456789", "1700000000.123456788"],
    ["1", '"1"', "true", "null", "[1]", '{"1":1}'],
    ['""', "{}", "[]", "null", "false", "0"],
    ['"\u00e9"', '"e\u0301"'],
  ];
  for (const group of groups) {
    assert.equal(new Set(group.map((text) => idOf(`{"a":${text}}`))).size, group.length);
  }
});

// A payload and its spellings: a tree of exact decimals, serialised with random white space, key order,
// escapes and number notation.

type Node =
  | { type: "word"; text: string }
  | { type: "number"; digits: bigint; scale: number }
  | { type: "string"; text: string }
  | { type: "array"; items: Node[] }
  | { type: "object"; members: [string, Node][] };

type Choose = (choices: number) => number;

const key = fc.string({ unit: "binary", maxLength: 6 });
const number = fc.record({
  type: fc.constant("number" as const),
  digits: fc.oneof(fc.bigInt({ min: -20n, max: 20n }), fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n })),
  scale: fc.integer({ min: -30, max: 30 }),
});
const leaf = fc.oneof(
  fc.constantFrom("true", "false", "null").map((text): Node => ({ type: "word", text })),
  number,
  fc.string({ unit: "binary", maxLength: 8 }).map((text): Node => ({ type: "string", text })),
);
const { payload } = fc.letrec<{ node: Node; payload: Node & { type: "object" } }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    leaf,
    fc.array(tie("node"), { maxLength: 4 }).map((items): Node => ({ type: "array", items })),
    tie("payload"),
  ),
  payload: fc.uniqueArray(fc.tuple(key, tie("node")), { selector: ([name]) => name, maxLength: 8 })
    .map((members) => ({ type: "object" as const, members })),
}));

/** Pseudo-random spelling choices, repeatable per seed. */
function chooser(seed: number): Choose {
  let state = seed >>> 0;
  return (choices) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) % choices;
  };
}

function spell(node: Node, choose: Choose): string {
  const space = () => ["", "", "", " ", "\t", "\r\n  "][choose(6)] ?? "";
  const list = (open: string, parts: string[], close: string) =>
    open + space() + parts.map((part) => part + space()).join("," + space()) + close;
  switch (node.type) {
    case "word":
      return node.text;
    case "number":
      return spellNumber(node.digits, node.scale, choose);
    case "string":
      return spellString(node.text, choose);
    case "array":
      return list("[", node.items.map((item) => spell(item, choose)), "]");
    case "object": {
      const members = [...node.members];
      for (let i = members.length - 1; i > 0; i--) {
        const j = choose(i + 1);
        [members[i], members[j]] = [members[j]!, members[i]!];
      }
      const parts = members.map(([name, value]) =>
        spellString(name, choose) + space() + ":" + space() + spell(value, choose)
      );
      return list("{", parts, "}");
    }
  }
}

function spellString(text: string, choose: Choose): string {
  const units = Array.from({ length: text.length }, (_, i) => text.charCodeAt(i));
  const escape = (unit: number) => "\\u" + unit.toString(16).padStart(4, "0");
  // Escape both halves of a surrogate pair or neither: they must not be mixed.
  if (choose(4) === 0) return `"${units.map((unit) => escape(unit)).join("")}"`;
  const slash = choose(2) === 0 ? "\\/" : "/";
  const letter = choose(2) === 0 ? "\\u0061" : "a";
  // The letter may be a digit of an existing escape.
  return JSON.stringify(text).replaceAll("/", slash)
    .replace(/\\u[0-9a-f]{4}|a/g, (found) => found === "a" ? letter : found);
}

function spellNumber(digits: bigint, scale: number, choose: Choose): string {
  const sign = digits < 0n || (digits === 0n && choose(2) === 0) ? "-" : "";
  // Trailing zeros, and shifting the point with a matching exponent, change the notation only.
  const zeros = choose(3);
  const text = (digits < 0n ? -digits : digits).toString() + (digits === 0n ? "" : "0".repeat(zeros));
  const places = choose(text.length);
  const exponent = -scale - (digits === 0n ? 0 : zeros) + places;
  const whole = text.slice(0, text.length - places);
  const mantissa = places === 0 ? whole : `${whole}.${text.slice(text.length - places)}`;
  const padded = mantissa.includes(".") ? mantissa + "0".repeat(choose(3)) : mantissa;
  if (exponent === 0 && choose(2) === 0) return sign + padded;
  return `${sign}${padded}${"eE"[choose(2)]}${exponent < 0 ? "-" : ["", "+"][choose(2)]}${
    Math.abs(exponent)
  }`;
}

/** The same tree with one leaf, chosen by number, changed; null if there is no such leaf. */
function change(node: Node, at: { leaf: number }): Node | null {
  if (node.type === "array" || node.type === "object") {
    const children = node.type === "array" ? node.items : node.members.map(([, value]) => value);
    for (const [index, child] of children.entries()) {
      const changed = change(child, at);
      if (changed === null) continue;
      if (node.type === "array") return { type: "array", items: node.items.with(index, changed) };
      return { type: "object", members: node.members.with(index, [node.members[index]![0], changed]) };
    }
    return null;
  }
  if (at.leaf-- > 0) return null;
  if (node.type === "number") return { ...node, digits: node.digits + 1n };
  if (node.type === "string") return { type: "string", text: node.text + "x" };
  return { type: "word", text: node.text === "true" ? "false" : "true" };
}

Deno.test("white space, key order, escapes and number notation never change the identifier", () => {
  fc.assert(fc.property(payload, fc.integer(), fc.integer(), (payload, one, other) => {
    assert.equal(idOf(spell(payload, chooser(one))), idOf(spell(payload, chooser(other))));
  }));
});

Deno.test("any changed value changes the identifier", () => {
  fc.assert(fc.property(payload, fc.nat({ max: 12 }), fc.integer(), (payload, leaf, seed) => {
    const changed = change(payload, { leaf });
    if (changed === null) return;
    assert.notEqual(idOf(spell(payload, chooser(seed))), idOf(spell(changed, chooser(seed))));
  }));
});

Deno.test("an additional or renamed member changes the identifier", () => {
  fc.assert(fc.property(payload, fc.nat({ max: 7 }), fc.integer(), (payload, index, seed) => {
    const { members } = payload;
    const names = new Set(members.map(([name]) => name));
    const fresh = [..."abcdefghi"].find((name) => !names.has(name)) ?? "";
    const id = idOf(spell(payload, chooser(seed)));
    const more: Node = { type: "object", members: [...members, [fresh, { type: "word", text: "null" }]] };
    assert.notEqual(idOf(spell(more, chooser(seed))), id);
    const member = members[index];
    if (member === undefined) return;
    const renamed: Node = { type: "object", members: members.with(index, [fresh, member[1]]) };
    assert.notEqual(idOf(spell(renamed, chooser(seed))), id);
  }));
});

Deno.test("the published test vectors are right", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/event-identifier.md", import.meta.url));
  const vectors = JSON.parse(/```json\n(.*?)```/s.exec(page)![1]!) as {
    line: string;
    canonical: string;
    id: string;
  }[];
  assert.ok(vectors.length > 5);
  for (const { line, canonical, id } of vectors) {
    const record = readRecordLine(line);
    assert.equal(new TextDecoder().decode(record.canonicalPayload), canonical);
    assert.equal(idOfLine(line), id);
    const text = [
      "ndr-event-v1",
      '"main"',
      '"zeek-1"',
      `"${record.kind}"`,
      record.observedAt.canonical,
      canonical,
    ];
    assert.equal(createHash("sha256").update(text.join("\n"), "utf8").digest("hex"), id);
  }
});
