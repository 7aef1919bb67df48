import assert from "node:assert/strict";
import { parseText } from "../../contract/filter/parser.ts";
import { conditionOf, textOfCondition, wholeCondition } from "./entity-kinds.ts";

Deno.test("what a domain is about includes the names below it", () => {
  const textOf = (value: string, field?: "dns.query") =>
    textOfCondition(wholeCondition({ kind: "domain", value, field }));
  for (const field of [undefined, "dns.query"] as const) {
    assert.equal(textOf("example-tunnel.net", field), "example-tunnel.net or *.example-tunnel.net");
  }
  const parsed = parseText(textOf("example-tunnel.net"));
  assert.deepEqual(
    parsed.ok && parsed.condition,
    wholeCondition({ kind: "domain", value: "example-tunnel.net" }),
  );
  // Not a name: what it is is looked for as it is.
  assert.equal(textOf("localhost"), "localhost");
  assert.ok(!textOf("<b>bold</b>.example").includes(" or "));
});

Deno.test("a filter for a domain includes the names below it unless a field is known in which it was seen", () => {
  const textOf = (value: string, field?: "dns.query") =>
    textOfCondition(conditionOf({ kind: "domain", value, field }));
  assert.equal(textOf("example-tunnel.net"), "example-tunnel.net or *.example-tunnel.net");
  assert.equal(textOf("example-tunnel.net", "dns.query"), "dns.query=example-tunnel.net");
  assert.equal(textOf("localhost"), "localhost");
});
