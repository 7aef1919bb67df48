import assert from "node:assert/strict";
import { parseText } from "../../contract/filter/parser.ts";
import { shownFor } from "./answer-view.ts";

function shown(text: string) {
  const parsed = parseText(text);
  assert.ok(parsed.ok, text);
  return shownFor(parsed.condition);
}

Deno.test("an answer has the columns of the facts that were asked for, and the largest first", () => {
  const cases: [text: string, view: string | undefined, sort: string | undefined][] = [
    ["", undefined, undefined],
    ["dns.query:*.example.com", "dns", undefined],
    ["src.ip:10.0.0.1 (dns.query:example.com or dns.query:*.example.com)", "dns", undefined],
    ["alert:*", "alerts", undefined],
    ["alert.category:trojan dst.port:443", "alerts", undefined],
    ["tls.version:TLSv10", "tls", undefined],
    ["ja3:*", "tls", undefined],
    ["http.method:POST user_agent:curl", "http", undefined],
    // Facts of two kinds are in no single view.
    ["dns.query:* http.host:*", undefined, undefined],
    // Flows without DNS have no columns of it.
    ["-dns.query:*", undefined, undefined],
    ["src.bytes>10MB", undefined, "-src.bytes"],
    ["http.method:POST dst.bytes>=1MB", "http", "-dst.bytes"],
    ["bytes<100", undefined, undefined],
  ];
  for (const [text, view, sort] of cases) assert.deepEqual(shown(text), { view, sort }, text);
});
