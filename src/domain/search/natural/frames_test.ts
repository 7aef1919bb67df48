import assert from "node:assert/strict";
import { FRAMES, readingNote } from "./frames.ts";
import { interpretQuestion } from "./interpret.ts";
import { understand } from "./understand.ts";

const ASKED = { now: Date.UTC(2026, 10, 25, 10, 30) * 1000, zone: "UTC" };

/** A question of each frame, in the order of the frames. */
const USUAL = `
ssh flows from 10.0.0.5 to russia over 5 MB
how much data from 10.0.0.5 to russia
who contacted 203.0.113.9 over ssh
what did 10.0.0.5 contact
which countries did we contact
10.0.0.5 contacted russia
devices with open incidents
who has the most incidents
everything from 10.0.0.5
what is unassigned
certificates issued by "DigiCert"
`.trim().split("\n");

Deno.test("every frame has a question that is answered without a note, and that is in no other frame", () => {
  assert.equal(USUAL.length, FRAMES.length);
  for (const [index, question] of USUAL.entries()) {
    const answer = interpretQuestion(question, ASKED);
    assert.ok(answer.ok, question);
    assert.deepEqual(answer.notes, [], question);
    const others = FRAMES.filter((_, at) => at !== index);
    assert.notEqual(readingNote(question, answer, others), null, question);
  }
});

Deno.test("an answer to words in another order states what was read", () => {
  for (
    const [question = "", note] of [
      ["show me the flow with the most bytes", "Read as: flows; bytes by device name."],
      ["which vlan is 10.0.0.77 in", "Read as: flows where address is 10.0.0.77; bytes by VLAN."],
      [
        "what servers does 10.0.0.5 use",
        "Read as: flows where device type is server and source address is 10.0.0.5.",
      ],
      // A word before a noun of another kind.
      ["untagged devices", null],
      ["outbound incidents", "Read as: incidents where direction is outbound."],
    ] as const
  ) {
    const answer = interpretQuestion(question, ASKED);
    assert.ok(answer.ok, question);
    assert.deepEqual(answer.notes, note === null ? [] : [note], question);
  }
});

Deno.test("no other note is joined by what was read", () => {
  const question = "which vlan is SCRANTON in";
  const answer = understand(question, ASKED);
  assert.ok(answer.ok);
  assert.ok(answer.notes.length > 0);
  assert.equal(readingNote(question, answer), null);
  assert.notEqual(readingNote(question, { ...answer, notes: [] }), null);
});
