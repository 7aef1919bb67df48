import assert from "node:assert/strict";
import fc from "fast-check";
import { valueOf } from "../../../test/support/filter/conditions.ts";
import { bareFields, type BareType, bareType, expandBare } from "./bare.ts";
import { checkFilter } from "./check.ts";
import { leavesOf } from "./normalise.ts";
import { RESULT_KINDS } from "./tree.ts";

Deno.test("filter: a bare word has a type by its form", () => {
  const cases: [string, BareType][] = [
    ["198.51.100.7", "address"],
    ["10.0.0.0/8", "address"],
    ["10.1", "address"],
    ["2001:db8::1", "address"],
    [":443", "port"],
    [":65536", "text"],
    ["443", "text"],
    ["AS13335", "asn"],
    ["example.com", "name"],
    ["*.example.com", "name"],
    ["print*", "name"],
    ["bücher.example", "name"],
    ["WWW.Example.COM.", "name"],
    ["printer-2", "text"],
    ["ET MALWARE", "text"],
    ["e7d705a3286e19ea42f587b344ee6865", "fingerprint"],
    ["t13d1516h2_8daaf6152771_b186095e22b6", "fingerprint"],
    ["t130200_1301_234ea6891581", "fingerprint"],
    ["1:wCb3OG7yAFWelaUydu0D+125CLM=", "fingerprint"],
    ["01a31f60-2c68-7001-8000-000000000001", "id"],
  ];
  for (const [word, type] of cases) assert.equal(bareType(word), type, word);
});

Deno.test("filter: a bare word is looked for in the fields of its type", () => {
  assert.deepEqual(bareFields("e7d705a3286e19ea42f587b344ee6865", "flows"), [
    "ja3",
    "ja3s",
    "hassh",
    "hassh_server",
    "certificate",
  ]);
  assert.deepEqual(bareFields("1:wCb3OG7yAFWelaUydu0D+125CLM=", "devices"), ["community_id"]);
  assert.deepEqual(bareFields("01a31f60-2c68-7001-8000-000000000001", "incidents"), [
    "flow",
    "device.id",
    "incident",
  ]);
  assert.deepEqual(bareFields("10.0.0.0/8", "incidents"), ["device.ip", "ip"]);
  const leaves = leavesOf(expandBare("*.Example.com", "flows"));
  assert.deepEqual(leaves.find(({ field }) => field === "dns.query")!.value, "*.example.com");
  assert.deepEqual(leaves.find(({ field }) => field === "certificate.subject")!.value, "Example.com");
  const text = leavesOf(expandBare("Mail", "flows"));
  assert.deepEqual(text.find(({ field }) => field === "server_name")!.value, "*mail*");
  assert.deepEqual(text.find(({ field }) => field === "alert")!.value, "Mail");
});

Deno.test("filter: every bare word becomes valid comparisons for every kind", () => {
  fc.assert(
    fc.property(valueOf("any", "matches"), fc.constantFrom(...RESULT_KINDS), (word, kind) => {
      const condition = expandBare(String(word), kind);
      assert.deepEqual(checkFilter(condition), [], String(word));
    }),
    { numRuns: 1000 },
  );
});
