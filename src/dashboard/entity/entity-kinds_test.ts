import assert from "node:assert/strict";
import { parseText } from "../../contract/filter/parser.ts";
import { conditionOf, domainCondition, textOfCondition, wholeCondition } from "./entity-kinds.ts";

const WHOLE = "dns.query=example-tunnel.net or dns.query:*.example-tunnel.net or " +
  "server_name=example-tunnel.net or server_name:*.example-tunnel.net or " +
  "dns.answer=example-tunnel.net or dns.answer:*.example-tunnel.net";

Deno.test("what a domain is about includes the names below it, by the fields that name it", () => {
  for (const field of [undefined, "dns.query"] as const) {
    assert.equal(
      textOfCondition(wholeCondition({ kind: "domain", value: "example-tunnel.net", field })),
      WHOLE,
    );
  }
  assert.equal(
    textOfCondition(domainCondition("localhost", ["dns.query", "server_name"])),
    "dns.query=localhost or server_name=localhost",
  );
  assert.equal(textOfCondition(domainCondition("*.example.com", ["dns.query"])), "dns.query:*.example.com");
});

Deno.test("a filter for a domain is read back as it was written, also of hostile names", () => {
  for (
    const value of [
      "example.com",
      "03kb7?x.example.net",
      "a b.example",
      '"',
      "*.example.com",
      "<b>x</b>.example",
    ]
  ) {
    const condition = wholeCondition({ kind: "domain", value });
    const parsed = parseText(textOfCondition(condition));
    assert.ok(parsed.ok, value);
    assert.equal(textOfCondition(parsed.condition), textOfCondition(condition));
  }
});

Deno.test("a filter for a domain includes the names below it unless a field is known in which it was seen", () => {
  const textOf = (value: string, field?: "dns.query") =>
    textOfCondition(conditionOf({ kind: "domain", value, field }));
  assert.equal(textOf("example-tunnel.net"), WHOLE);
  assert.equal(textOf("example-tunnel.net", "dns.query"), "dns.query=example-tunnel.net");
});
