import assert from "node:assert/strict";
import { hasState, needsComment, reverseOf, samePersonsState, type Seen } from "./changes.ts";
import { conflictFields } from "./conflict-fields.ts";
import { lastChange } from "../../entity/last-change.tsx";
import { compareFields } from "../../ui/conflict/compare.ts";

const SEEN: Seen = {
  id: "1",
  title: "Beacon to example.net",
  status: "open",
  severity: "high",
  assignee: null,
  revision: 3,
};

Deno.test("change: the reverse restores status and assignee, with a comment only if that status needs one", () => {
  const resolve = { kind: "status", status: "resolved", comment: "Done." } as const;
  assert.deepEqual(reverseOf(SEEN, resolve, "Undone."), { kind: "status", status: "open", comment: "" });
  assert.deepEqual(reverseOf({ ...SEEN, status: "resolved" }, { ...resolve, status: "open" }, "Undone."), {
    kind: "status",
    status: "resolved",
    comment: "Undone.",
  });
  assert.deepEqual(reverseOf({ ...SEEN, assignee: "ada" }, { kind: "assignee", assignee: null }, ""), {
    kind: "assignee",
    assignee: "ada",
  });
});

Deno.test("change: new evidence is no conflict, a person's change or another severity is", () => {
  assert.equal(samePersonsState(SEEN, { ...SEEN }), true);
  assert.equal(samePersonsState(SEEN, { ...SEEN, status: "investigating" }), false);
  assert.equal(samePersonsState(SEEN, { ...SEEN, assignee: "ada" }), false);
  assert.equal(samePersonsState(SEEN, { ...SEEN, severity: "critical" }), false);
});

Deno.test("change: an incident in the wanted state is left alone", () => {
  assert.equal(hasState(SEEN, { kind: "status", status: "open", comment: "" }), true);
  assert.equal(hasState(SEEN, { kind: "assignee", assignee: "ada" }), false);
  assert.deepEqual((["open", "investigating", "resolved", "false_positive"] as const).map(needsComment), [
    false,
    false,
    true,
    true,
  ]);
});

Deno.test("conflict: the difference names both sides and keeps the comment", () => {
  const stored = { ...SEEN, status: "investigating", assignee: "ada" } as const;
  const change = { kind: "status", status: "resolved", comment: "A test." } as const;
  const fields = compareFields(conflictFields(SEEN, stored, change, (subject) => subject.toUpperCase()));
  assert.deepEqual(fields.map(({ label, theirs, mine, changedBy }) => [label, theirs, mine, changedBy]), [
    ["Status", "Investigating", "Resolved", "both"],
    ["Assignee", "ADA", null, "theirs"],
    ["Comment", "–", "A test.", "mine"],
  ]);
});

Deno.test("conflict: the other change is the newest entry after the version seen", () => {
  const entry = (revision: number) => ({
    at: "2026-01-31T07:00:00.000Z",
    actor: "bob",
    action: "status_changed",
    from: null,
    to: null,
    comment: null,
    revision,
  });
  assert.equal(lastChange(SEEN, { workflow_history: [entry(2), entry(3)] }), null);
  assert.equal(lastChange(SEEN, { workflow_history: [entry(3), entry(4), entry(5)] })?.revision, 5);
});
