import assert from "node:assert/strict";
import { parseText } from "../../contract/filter/parser.ts";
import { EXPLORE_VIEWS, readView, viewFilter } from "./explore-views.ts";

Deno.test("a view adds the facts that it shows to the filter", () => {
  assert.equal(viewFilter("proto:tcp", "flows"), "proto:tcp");
  assert.equal(viewFilter("proto:udp", "dns"), "proto:udp dns.query:*");
  assert.equal(viewFilter("a.b.example or c.example", "alerts"), "(a.b.example or c.example) alert:*");
  assert.equal(viewFilter("dst.port:", "tls"), null);
  for (const view of EXPLORE_VIEWS) assert.ok(parseText(viewFilter("", view)!).ok, view);
});

Deno.test("an unknown view shows all flows", () => {
  assert.equal(readView("none"), "flows");
  assert.equal(readView("tls"), "tls");
});
