import assert from "node:assert/strict";
import { printCondition } from "../../../contract/filter/printer.ts";
import { interpretQuestion, type Understood } from "./interpret.ts";

const ASKED = { now: Date.UTC(2026, 10, 25, 10, 30) * 1000, zone: "UTC" };

function answerOf(question: string): Understood {
  const answer = interpretQuestion(question, ASKED);
  assert.ok(answer.ok, `${question}: ${answer.ok ? "" : answer.message}`);
  return answer;
}

Deno.test("what an answer says beyond its question is noted, and what the question says is not", () => {
  for (
    const [open = "", said = "", note = ""] of [
      ["failed dns lookups", "nxdomain answers", "Failed: lookups of names that do not exist."],
      ["uploads over 1 GB", "uploads over 1 GB to the internet", "Uploads: from the site to elsewhere."],
      [
        "quic over 50 MB",
        "quic flows over 50 MB",
        "An amount is that of one flow, both directions together.",
      ],
      [
        "destination countries of outbound ssh",
        "top destination countries of outbound ssh by bytes",
        "The ten with the most bytes, sent and received, are listed.",
      ],
      [
        "destination ports of outbound ssh",
        "most common destination ports of outbound ssh",
        "The ten with the most flows are listed.",
      ],
      [
        "how much data from 10.0.0.5 to russia",
        "how much traffic from 10.0.0.5 to russia",
        "The bytes are those of both directions.",
      ],
      ["most used services", "busiest services", "The measure is bytes."],
      ["top user agents", "most frequent user agents", "The measure is the number of flows."],
      [
        "top domains by connections",
        "most frequent dns queries",
        "Assumed: domains are those of DNS queries.",
      ],
      [
        "tls on ports other than 443",
        "tls to ports other than 443",
        "Assumed: port 443 is that of the destination.",
      ],
      ["ssh at 3am", "ssh between 3am and 3:30am", "A clock time is the half hour from then on."],
      ["ssh right now", "ssh in the last 15 minutes", '"Now" is the last 15 minutes.'],
      ["ssh lately", "ssh in the last 24 hours", 'Read "lately" as the last 24 hours.'],
      ["ssh in the last few hours", "ssh in the last 3 hours", 'Read "a few" as three.'],
    ]
  ) {
    const [first, second] = [open, said].map(answerOf);
    assert.deepEqual(first!.notes, [note], open);
    assert.deepEqual(second!.notes, [], said);
  }
});

Deno.test("the size of a request is what the client sent, that of a response what the server sent", () => {
  for (
    const [question = "", filter] of [
      ["HTTP POST requests larger than 10 MB", "http.method=POST src.bytes>10MB"],
      ["dns responses larger than 1 kB", "service:dns dst.bytes>1kB"],
      ["large post requests", "http.method=POST src.bytes>=10MB"],
      ["http flows larger than 10 MB", "service:http bytes>10MB"],
    ]
  ) {
    assert.equal(printCondition(answerOf(question).filter.where), filter, question);
  }
});

Deno.test("a misspelt word is no other English word and no other form of a verb", () => {
  for (
    const [question = "", filter, note] of [
      ["how many ids alerts fired today", "alert:*", undefined],
      ["ids alerts trigered today", "alert:*", 'Read "trigered" as "triggered".'],
      [
        "http errors on the intranet",
        "http.status>=400 (device:intranet or owner:intranet)",
        'Read "intranet" as the name of a device or person.',
      ],
      ["incidents fixxed today", "status:resolved", 'Read "fixxed" as "fixed".'],
    ]
  ) {
    const { filter: { where }, notes } = answerOf(question!);
    assert.equal(printCondition(where), filter, question);
    assert.equal(notes.find((one) => one.startsWith("Read ") && !one.startsWith("Read as")), note, question);
  }
  for (const question of ["which hosts share the ja4 of SCRANTON", "http errors served by UTICA"]) {
    assert.ok(!interpretQuestion(question, ASKED).ok, question);
  }
});

Deno.test("a weekday that is today may mean the one a week ago, so it is noted", () => {
  assert.deepEqual(answerOf("ssh on wednesday").notes.filter((note) => note.startsWith("Read")), [
    'Read "wednesday" as today.',
  ]);
  for (const question of ["ssh on tuesday", "ssh last wednesday", "ssh since monday"]) {
    assert.deepEqual(answerOf(question).notes.filter((note) => note.startsWith('Read "')), [], question);
  }
});

Deno.test("a ranking of sources by what they sent notes that it has those outside, unless it is of one end", () => {
  const note = "Sources outside the site are listed, too.";
  for (
    const question of [
      "top five devices by upload",
      "who downloaded the most today",
      "top 10 hosts by bytes out",
    ]
  ) {
    assert.ok(answerOf(question).notes.includes(note), question);
  }
  for (const question of ["who uploaded the most last night", "top addresses by upload", "top talkers"]) {
    assert.ok(!answerOf(question).notes.includes(note), question);
  }
});
