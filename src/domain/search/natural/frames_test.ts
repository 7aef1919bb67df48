import assert from "node:assert/strict";
import { printCondition } from "../../../contract/filter/printer.ts";
import { FRAMES, readingNote } from "./frames.ts";
import { interpretQuestion } from "./interpret.ts";

const ASKED = { now: Date.UTC(2026, 10, 25, 10, 30) * 1000, zone: "UTC" };

/** A question of each frame, in the order of the frames. */
const USUAL = `
ssh flows from 10.0.0.5 to russia over 5 MB
how much traffic from 10.0.0.5 to russia
who contacted 203.0.113.9 over ssh
what did 10.0.0.5 contact
top 5 destinations by bytes from 10.0.0.5
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
      [
        "what servers does 10.0.0.5 use",
        "Read as: flows where device type is server and source address is 10.0.0.5.",
      ],
      // A word before a noun of another kind.
      ["untagged devices", null],
      ["outbound incidents", "Read as: incidents where direction is outbound."],
      // Others than a reader may expect: of the incident, of one flow, and of no flow.
      ["ids alerts with severity critical", "Read as: flows where any alert and severity is critical."],
      ["dns over https", "Read as: flows where service is dns and service is tls."],
      ["ftp with files", "Read as: flows where service is ftp and any SMB file."],
      ["devices from russia", "Read as: devices where source country is Russia."],
      ["lookups for russia", "Read as: flows where country is Russia and any DNS query."],
      [
        "flows from 10.0.0.5 via 10.0.0.1",
        "Read as: flows where source address is 10.0.0.5 and address is 10.0.0.1.",
      ],
      ["servers without tls", "Read as: devices where device type is server and service is not tls."],
    ] as const
  ) {
    const answer = interpretQuestion(question, ASKED);
    assert.ok(answer.ok, question);
    assert.deepEqual(answer.notes, note === null ? [] : [note], question);
  }
});

Deno.test("sides and times that a question leaves open are read as meant, and noted", () => {
  for (
    const [question = "", filter, note = ""] of [
      ["ssh from outside of germany", "service:ssh src.country:* -src.country:DE", "Read as: "],
      ["services on 10.0.0.9", "dst.ip:10.0.0.9", "Assumed: ip 10.0.0.9 is that of the destination"],
      ["was 203.0.113.9 contacted", "dst.ip:203.0.113.9", "Read as: "],
      ["external addresses scan us", "direction:inbound detector=scan", "Read as: "],
      [
        "nxdomain responses to 10.0.0.5",
        "dns.rcode=NXDOMAIN src.ip:10.0.0.5",
        "Assumed: the side that is answered",
      ],
      ["top destinations of 10.0.0.5", "src.ip:10.0.0.5", "Assumed: ip 10.0.0.5 is that of the source"],
      ["ssh at 23:00", "service:ssh", "The time is that of yesterday: that of today is still to come."],
      ["ssh from 22:00 to 23:00", "service:ssh", "The time is that of yesterday"],
      ["open incidents since 2 weeks", "status:open", 'Read "since" as the last 2 weeks.'],
      ['uploads to "NASHUA"', "device:NASHUA or owner:NASHUA", "Uploads and downloads are not told"],
      [
        "smb from workstations to servers",
        "service:smb device.type=workstation device.type:server",
        "A name or a type",
      ],
    ]
  ) {
    const answer = interpretQuestion(question, ASKED);
    assert.ok(answer.ok, question);
    assert.equal(printCondition(answer.filter.where), filter, question);
    assert.ok(answer.notes.some((one) => one.startsWith(note)), `${question}: ${answer.notes.join(" ")}`);
  }
});

Deno.test("hours of a day may end on the next one", () => {
  const answer = interpretQuestion("ssh on monday between 22:00 and 06:00", ASKED);
  assert.ok(answer.ok);
  assert.deepEqual(answer.filter.window, {
    from: "2026-11-23T22:00:00.000Z",
    to: "2026-11-24T06:00:00.000Z",
  });
});

Deno.test("what was read joins other notes unless they state what was assumed", () => {
  for (
    const [question = "", ...notes] of [
      ["hosts without dns name", "Of any device name", "Read as: devices where service is not dns"],
      ["which of the incidents of SCRANTON are open", 'Read "scranton"', "Read as: incidents where"],
      ["ssh of SCRANTON", 'Read "scranton"'],
      ["what is at 10.0.0.5", "Assumed: 10.0.0.5 is the destination"],
    ]
  ) {
    const answer = interpretQuestion(question, ASKED);
    assert.ok(answer.ok, question);
    assert.deepEqual(answer.notes.map((note, at) => note.slice(0, notes[at]?.length)), notes, question);
  }
});
