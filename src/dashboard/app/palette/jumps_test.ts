import assert from "node:assert/strict";
import { helpJumps, helpSearch, isIdentifier, jumpsOf, wordsFilter } from "./jumps.ts";

const all = () => true;
const ids = (text: string, has = all) => jumpsOf(text, has).map(({ id }) => id);

Deno.test("addresses, domains and fingerprints lead to their page and to their flows", () => {
  assert.deepEqual(ids("198.51.100.7"), ["address", "flows"]);
  assert.deepEqual(ids("2001:db8::1"), ["address", "flows"]);
  assert.deepEqual(ids("10.0.0.0/8"), ["flows"]);
  assert.deepEqual(ids(" example.com "), ["domain", "flows"]);
  assert.deepEqual(ids("e7d705a3286e19ea42f587b344ee6865"), ["fingerprint", "flows"]);
  assert.deepEqual(ids("198.51.100.7", () => false), ["flows"], "without a page");
});

Deno.test("other text names no page", () => {
  for (const text of ["", "front desk", "300.1.1.1", "12:30", "v1.2", "dst.port:443"]) {
    assert.deepEqual(ids(text), [], text);
  }
});

Deno.test("identifiers are recognised", () => {
  assert.ok(isIdentifier("019c12e4-7cd0-7319-af1b-974baf36b021"));
  assert.ok(!isIdentifier("019c12e4"));
});

Deno.test("words become a filter that finds each of them", () => {
  assert.equal(wordsFilter("  "), "");
  assert.match(wordsFilter("front desk"), /front.* .*desk/);
});

Deno.test("a Community ID leads to its flows of the last 30 days", () => {
  const [jump] = jumpsOf("1:wCb3OG7yAFWelaUydu0D+125CLM=", all);
  assert.equal(jump?.id, "community");
  const { filter, range } = jump.target.search as { filter: string; range: string };
  assert.deepEqual([filter, range], ["community_id=1:wCb3OG7yAFWelaUydu0D+125CLM=", "30d"]);
  assert.deepEqual(ids("1:wCb3OG7yAFWelaUydu0D"), [], "incomplete");
});

Deno.test("pages of the help are found by the words of their names", () => {
  const names = ["detectors", "index", "threat-intelligence", "api"];
  const labels = (text: string) => helpJumps(text, names).map(({ label }) => label);
  assert.deepEqual(labels("Threat int"), ["Threat intelligence"]);
  assert.deepEqual(labels("help detectors"), ["Detectors"]);
  assert.deepEqual(labels("help"), []);
  assert.deepEqual(labels("de"), [], "too short");
  assert.equal(helpSearch("de"), null);
  assert.deepEqual(helpSearch(" full disk ")?.target.search, { q: "full disk" });
});
