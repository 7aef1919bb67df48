import assert from "node:assert/strict";
import { parseText } from "../../../contract/filter/parser.ts";
import { combinedFilter, TRIAGE_VIEWS, VIEW_NAMES, viewOf } from "./triage-views.ts";

Deno.test("triage: every view has a filter that parses, alone and with a typed one", () => {
  for (const name of VIEW_NAMES) {
    const { filter } = TRIAGE_VIEWS[name];
    if (filter !== "") assert.equal(parseText(filter).ok, true, name);
    assert.equal(parseText(combinedFilter(name, "severity:low or score>=70")).ok, true, name);
  }
});

Deno.test("triage: a typed alternative stays within the view", () => {
  assert.equal(
    combinedFilter("open", "severity:low or score>=70"),
    "(status:open or status:investigating) (severity:low or score>=70)",
  );
  assert.equal(combinedFilter("suppressed", "severity:low"), "severity:low");
});

Deno.test("triage: a filter that cannot be read is neither dropped nor completed", () => {
  assert.equal(combinedFilter("open", "severity:(low"), "severity:(low");
});

Deno.test("triage: an unknown view is all open work", () => {
  assert.equal(viewOf("none"), "open");
  assert.equal(viewOf(undefined), "open");
  assert.equal(viewOf("mine"), "mine");
});
