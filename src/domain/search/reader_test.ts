import assert from "node:assert/strict";
import { parseText } from "../../contract/filter/parser.ts";
import { printCondition } from "../../contract/filter/printer.ts";
import { withReader } from "./reader.ts";

function asked(text: string, subject = "ada"): string {
  const parsed = parseText(text);
  assert.ok(parsed.ok, text);
  return printCondition(withReader(parsed.condition!, subject));
}

Deno.test("search: assignee:me is the whole subject of the person who asks", () => {
  assert.equal(asked("assignee:me"), "assignee=ada");
  assert.equal(asked("assigned=ME", "auth0|x y"), 'assignee="auth0|x y"');
  assert.equal(asked("assignee!=me"), "assignee!=ada");
  assert.equal(asked("-assignee:me status:open"), "-assignee=ada status:open");
  assert.equal(asked("score>50 or (severity:high assignee:me)"), "score>50 or severity:high assignee=ada");
});

Deno.test("search: the other persons of a list are compared as before", () => {
  assert.equal(asked("assignee:(me, bob)"), "assignee=ada or assignee:bob");
  assert.equal(asked("assignee:(bob, me, eve)"), "assignee=ada or assignee:(bob, eve)");
  assert.equal(asked("assignee!=(me, bob)"), "assignee!=(ada, bob)");
});

Deno.test("search: other fields and persons keep their value", () => {
  for (const text of ["title:me", "assignee:mel", "assignee:*", "-assignee:*", "tag:me"]) {
    assert.equal(asked(text), text);
  }
});
