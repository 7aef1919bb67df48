import assert from "node:assert/strict";
import { interpretQuestion } from "./interpret.ts";
import { understand } from "./understand.ts";
import { usageOf } from "./unused.ts";

const ASKED = { now: Date.UTC(2026, 10, 25, 10, 30) * 1000, zone: "UTC" };

function unusedIn(question: string): string[] {
  const answer = understand(question, ASKED);
  assert.ok(answer.ok, question);
  return usageOf(question, answer, (text) => understand(text, ASKED)).unused.map(({ text }) => text);
}

Deno.test("a word that changes nothing is found", () => {
  for (
    const [question = "", ...words] of [
      ["who sends mail directly to the internet", "directly"],
      ["who still uses telnet or ftp", "still"],
      ["is 10.0.0.5 ours", "ours"],
    ]
  ) {
    assert.deepEqual(unusedIn(question), words, question);
  }
});

Deno.test("a word that the answer holds anyway has an effect", () => {
  for (
    const question of [
      "ssh connections",
      "which devices have the most incidents this week",
      "devices with open incidents",
      "number of incidents per severity",
      "smb logins that failed on SCRANTON",
      "long connections over 8 hours",
      "ssh yesterday at 3pm",
      "bytes received by device",
      "alerts of signature 2024897",
      "certificates issued by DigiCert",
      "could you please show me all the incidents that are open",
      "are any incidents still unassigned",
    ]
  ) {
    assert.deepEqual(unusedIn(question), [], question);
  }
});

Deno.test("the note names the word and where it stands", () => {
  const answer = interpretQuestion("who sends mail directly to the internet", ASKED);
  assert.ok(answer.ok);
  assert.deepEqual(answer.notes, [
    '"directly" (at character 16) had no effect on this search.',
    "Read as: devices where service is smtp and direction is outbound.",
  ]);
});

Deno.test("a question is declined if most of its words have no effect, or if it is too long to check", () => {
  const idle = interpretQuestion("still directly about ours, incidents", ASKED);
  assert.ok(!idle.ok);
  assert.match(idle.message, /^Most words had no effect: "still", "directly", "ours"\.$/);
  assert.deepEqual(idle.notUnderstood.map(({ from, to }) => [from, to]), [[0, 5], [6, 14], [21, 25]]);
  const long = interpretQuestion(`incidents ${"of today ".repeat(20)}`, ASKED);
  assert.ok(!long.ok);
  assert.equal(long.message, "A question has at most 40 words.");
});

Deno.test("each name that no list knows is said to be read as one, quoted ones aside", () => {
  const notesOf = (question: string) => {
    const answer = interpretQuestion(question, ASKED);
    assert.ok(answer.ok, question);
    return answer.notes.filter((note) => note.startsWith("Read "));
  };
  for (
    const [question = "", name] of [
      ["incidents of SCRANTON", "scranton"],
      ["boxcloud's dns traffic", "boxcloud"],
      ["traffic to e-commerce", "e-commerce"],
      ["what did Windows 10 do today", "windows 10"],
      ["traffic to WEBDAV", "webdav"],
    ]
  ) {
    assert.deepEqual(notesOf(question), [`Read "${name}" as the name of a device or person.`], question);
  }
  assert.deepEqual(notesOf('incidents of "SCRANTON"'), []);
  // A protocol is no account.
  assert.ok(!interpretQuestion("devices using 8.8.8.8 as dns", ASKED).ok);
});

Deno.test("what narrows an answer by an assumption is said", () => {
  for (
    const [question = "", note = ""] of [
      ["is port 3389 open to the internet", 'Read "open" as the status of incidents.'],
      ["workstation to workstation rdp", "A device or a type that is named twice"],
      ["top talkers but not servers", "Excluded: flows with such a device at either end."],
      ["internal hosts talking to russia", "All devices are internal."],
      ["t1071 of 10.0.0.5 by servers", 'Read "by servers" as the grouping'],
      ["ssh in the last week", '"The last week" is the one before this week'],
      ["machines of it", '"it" (at character 13) had no effect'],
      ["is anybody from outside connecting with rdp", "Only devices of the site are listed."],
    ]
  ) {
    const answer = interpretQuestion(question, ASKED);
    assert.ok(answer.ok, question);
    assert.ok(answer.notes.some((one) => one.startsWith(note)), `${question}: ${answer.notes.join(" ")}`);
  }
});
