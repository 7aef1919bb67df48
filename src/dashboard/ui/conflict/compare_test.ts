import assert from "node:assert/strict";
import { compareFields } from "./compare.ts";

const field = (base: string, theirs: string, mine: string | null) => ({ label: "Owner", base, theirs, mine });
const kinds = (...versions: [string, string, string | null][]) =>
  compareFields(versions.map((one) => field(...one))).map(({ changedBy }) => changedBy);

Deno.test("conflict: a field belongs to the side that changed it", () => {
  assert.deepEqual(kinds(["a", "a", "b"]), ["mine"]);
  assert.deepEqual(kinds(["a", "b", "a"]), ["theirs"]);
  assert.deepEqual(kinds(["a", "b", "c"]), ["both"]);
  assert.deepEqual(kinds(["a", "b", "b"]), ["agree"]);
});

Deno.test("conflict: a field that the form does not edit shows only the other change", () => {
  assert.deepEqual(kinds(["64.8", "72", null]), ["theirs"]);
  assert.deepEqual(kinds(["64.8", "64.8", null]), []);
});

Deno.test("conflict: unchanged fields are left out and the order stays", () => {
  assert.deepEqual(kinds(["a", "a", "a"], ["a", "b", "a"], ["a", "a", "a"], ["a", "a", "b"]), [
    "theirs",
    "mine",
  ]);
});
