// Tests of the checkers: every corruption of a valid answer is noticed. The valid answers are the document's
// examples, corrupted in every place in every fitting way.

import assert from "node:assert/strict";
import { EXAMPLES } from "../../../src/contract/openapi/examples/operations.ts";
import { type OperationId, type Route, ROUTES } from "../../../src/contract/routes.ts";
import { parseJson, stringifyJson } from "../../../src/kit/json/json.ts";
import { conformsToDocument } from "./document.ts";
import { checkFormats } from "./formats.ts";

type Place = (string | number)[];
type Container = Record<string | number, unknown>;

/** Maps with arbitrary keys, and texts that are shown as sent. */
const FREE = new Set([
  "details",
  "metadata",
  "last_payload",
  "device_names",
  "raw",
  "message",
  "summary",
  "comment",
]);
const TIME = /^\d{4}-\d{2}-\d{2}T.*Z$/;
const ADDRESS = /^(\d+\.){3}\d+$/;

/** Without downloads, whose content is a sensor's, and streams, which are text. */
function goodAnswers(): [OperationId, unknown][] {
  return (Object.entries(EXAMPLES) as [OperationId, { answer: unknown }][])
    .filter(([id]) => !(ROUTES[id] as Route).download && !(ROUTES[id] as Route).stream)
    .map(([id, { answer }]) => [id, answer]);
}

function* places(value: unknown, at: Place = []): Generator<[Place, unknown]> {
  if (at.length > 0) yield [at, value];
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    if (FREE.has(name)) continue;
    yield* places(member, [...at, Array.isArray(value) ? Number(name) : name]);
  }
}

/** A copy, changed in one place. */
function spoilt(
  answer: unknown,
  place: Place,
  change: (parent: Container, name: string | number) => void,
): unknown {
  const copy = structuredClone(answer);
  const parent = place.slice(0, -1).reduce((inner, name) => (inner as Container)[name], copy) as Container;
  change(parent, place.at(-1)!);
  return copy;
}

function isNoticed(id: OperationId, answer: unknown): boolean {
  try {
    const read = parseJson(stringifyJson(answer));
    conformsToDocument(id, ROUTES[id].status, read);
    checkFormats(read);
    return false;
  } catch {
    return true;
  }
}

/** Whether a place is in the tree of a filter, which the document describes as an object of any form. */
function isWithinFilter(place: readonly (string | number)[]): boolean {
  return place.slice(0, -1).includes("where");
}

/** Invalid replacements of this value. */
function wrongValues(name: string | number, value: unknown): unknown[] {
  if (typeof value === "string" && TIME.test(value)) {
    const plain = value.slice(0, 19);
    return [
      `${plain}Z`,
      `${plain}.123456Z`,
      `${plain}.000+00:00`,
      plain,
      "2026-02-30T00:00:00.000Z",
      1_769_843_700,
    ];
  }
  if (typeof value === "string" && ADDRESS.test(value)) {
    return ["010.0.0.1", "1", "2001:DB8::1", "2001:db8:0:0::1", "::ffff:10.0.0.5", "fe80::1%eth0", "host"];
  }
  if (typeof value === "string" && String(name).endsWith("_id")) return [7, {}, true];
  if (typeof value === "number" && name === "score") return [-1, 100.5, "50", true];
  if (typeof value === "number" && name === "confidence") return [-0.1, 1.1, "1"];
  if (typeof value === "number" && /count$|^bytes|^packets|^revision$/.test(String(name))) {
    return [-1, 1.5, "1"];
  }
  if (Array.isArray(value)) return [{}, "x", null];
  return [];
}

Deno.test("valid answers pass", () => {
  for (const [id, answer] of goodAnswers()) assert.equal(isNoticed(id, answer), false, id);
});

Deno.test("any JSON object is a raw record", () => {
  for (const record of [{}, { alert: { action: "allowed", ids: [1, { at: null }] } }]) {
    conformsToDocument("getRawRecord", 200, record);
  }
  assert.throws(() => conformsToDocument("getRawRecord", 200, []));
});

Deno.test("a missing member is noticed, a null one too", () => {
  let tried = 0;
  for (const [id, answer] of goodAnswers()) {
    for (const [place] of places(answer)) {
      if (typeof place.at(-1) === "number" || isWithinFilter(place)) continue;
      const without = spoilt(answer, place, (parent, name) => delete parent[name]);
      assert.ok(isNoticed(id, without), `${id}: without ${place.join(".")}`);
      tried++;
    }
  }
  assert.ok(tried > 500, `${tried} members`);
});

Deno.test("an undocumented member is noticed", () => {
  for (const [id, answer] of goodAnswers()) {
    for (const [place, value] of places(answer)) {
      if (typeof value !== "object" || value === null || Array.isArray(value)) continue;
      if (place.at(-1) === "where") continue;
      const more = spoilt(answer, place, (parent, name) => parent[name] = { ...value, surplus: 1 });
      assert.ok(isNoticed(id, more), `${id}: more in ${place.join(".")}`);
    }
  }
});

Deno.test("a value of the wrong form is noticed", () => {
  const kinds = new Set<string>();
  for (const [id, answer] of goodAnswers()) {
    for (const [place, value] of places(answer)) {
      if (place.includes("filter")) continue;
      for (const wrong of wrongValues(place.at(-1)!, value)) {
        const bad = spoilt(answer, place, (parent, name) => parent[name] = wrong);
        assert.ok(isNoticed(id, bad), `${id}: ${place.join(".")} = ${JSON.stringify(wrong)}`);
        kinds.add(typeof value);
      }
    }
  }
  assert.deepEqual([...kinds].sort(), ["number", "object", "string"]);
});

Deno.test("a counter above 2^53 passes as an exact integer and not as a rounded one", () => {
  const { answer } = EXAMPLES.listFlows!;
  const place = ["data", 0, "counters", "src_to_dst", "bytes"];
  const exact = spoilt(answer, place, (parent, name) => parent[name] = 9_007_199_254_740_993n);
  assert.equal(isNoticed("listFlows", exact), false);
  const rounded = structuredClone(exact) as typeof answer;
  rounded.data[0]!.counters.src_to_dst.bytes = 2 ** 53;
  assert.throws(() => checkFormats(rounded), /no exact integer/);
});
