import assert from "node:assert/strict";
import { leavesOf } from "../../../../contract/filter/normalise.ts";
import { cellsOf, PHRASINGS } from "../../../../../test/support/search/phrasings.ts";
import { EVERYDAY_PHRASINGS } from "../../../../../test/support/search/everyday-phrasings.ts";
import { OFFICE_PHRASINGS } from "../../../../../test/support/search/office-phrasings.ts";
import { SIDE_PHRASINGS } from "../../../../../test/support/search/side-phrasings.ts";
import { TRADE_PHRASINGS } from "../../../../../test/support/search/trade-phrasings.ts";
import { interpretQuestion, type Understood } from "../interpret.ts";
import { understand } from "../understand.ts";
import { entityAt } from "../values/entity.ts";
import { GROUP_WORDS } from "../values/rankings.ts";
import { tokens } from "../words/token.ts";

const ASKED = { now: Date.UTC(2026, 10, 25, 10, 30) * 1000, zone: "UTC", vlans: ["Guests"] };

/** One of each thing that can be the end of a flow. */
const ENDS = [
  "10.0.0.5",
  "198.51.100.0/24",
  "russia",
  "AS64500",
  "port 22",
  "example.com",
  "vlan Guests",
  "Desk 3",
  '"Desk 3"',
  "known bad addresses",
  "printers",
];
const SIDES = [
  ["", null],
  ["of", null],
  ["involving", null],
  ["from", "src"],
  ["to", "dst"],
] as const;

function answerOf(question: string): Understood {
  const answer = interpretQuestion(question, ASKED);
  assert.ok(answer.ok, `${question}: ${answer.ok ? "" : answer.message}`);
  return answer;
}

/** The sides that the conditions of an answer are of. A name of a server is that of the destination. */
function sidesOf({ filter: { where } }: Understood): (string | null)[] {
  return (where === null ? [] : leavesOf(where)).map(({ field }) =>
    field === "server_name" ? "dst" : /^(src|dst)\./.exec(field)?.[1] ?? null
  );
}

function assumedOf({ notes }: Understood): string {
  return notes.filter((note) => note.startsWith("Assumed: ")).join(" ");
}

Deno.test("a side that the answer does not have as it is stated, or has without that, is noted", () => {
  for (const end of ENDS) {
    for (const [preposition, side] of SIDES) {
      const question = `flows ${preposition} ${end}`;
      const answer = interpretQuestion(question, ASKED);
      if (!answer.ok) continue;
      const isExact = side === null
        // Looked up, or contacted under that name.
        ? sidesOf(answer).every((found) => found === null) || end === "example.com"
        : sidesOf(answer).every((found) => found === side);
      assert.ok(isExact || answer.notes.length > 0, `${question}: ${JSON.stringify(answer.filter.where)}`);
    }
  }
});

Deno.test("each word to group by states its side, or the answer does", () => {
  let sided = 0;
  for (const word of Object.keys(GROUP_WORDS)) {
    const answer = interpretQuestion(`flows by ${word}`, ASKED);
    if (!answer.ok || answer.ranking === null || !/^(?:src|dst)\.(?!bytes)/.test(answer.ranking.field)) {
      continue;
    }
    sided++;
    const isStated =
      /^(?:src|source|dst|destination|client|talker|sender|uploader|receiver|downloader|server|peer)/
        .test(word);
    assert.equal(assumedOf(answer).includes("is that of the"), !isStated, word);
  }
  assert.ok(sided >= 15);
});

Deno.test("a kind that no word states is noted, and one that is stated is not", () => {
  for (const end of ENDS.filter((end) => end !== "printers")) {
    assert.match(assumedOf(answerOf(end)), /the question is about (?:flows|devices)/, end);
    for (const noun of ["flows", "incidents", "devices"]) {
      const answer = interpretQuestion(`${noun} of ${end}`, ASKED);
      if (answer.ok) assert.doesNotMatch(assumedOf(answer), /the question is about/, `${noun} of ${end}`);
    }
  }
  for (
    const question of ["telnet", "failed log-ons", "beacons", "printers", "unassigned", "owned by maria"]
  ) {
    assert.doesNotMatch(assumedOf(answerOf(question)), /the question is about/, question);
  }
});

Deno.test("one note states all that was assumed", () => {
  for (
    const [question = "", note = ""] of [
      ["10.0.0.5 on port 22", "port 22 is that of the destination; the question is about flows"],
      ["who talked to 10.0.0.5", "10.0.0.5 itself is not meant"],
      ["who talked to 10.0.0.0/24", "devices at either end of such flows are meant"],
      ["who connected to port 22 on 10.0.0.5", "10.0.0.5 is the destination; 10.0.0.5 itself is not meant"],
      ["german servers contacted", "DE is the destination"],
      ["10.0.0.5 contacted yesterday", "10.0.0.5 is the source"],
      ["workstation to workstation smb", "the question is about devices"],
      ["alerts today", "alerts are incidents, not those of sensors"],
      ["daily beacons", "the number per day is asked for"],
      ["flows from vlan Guests", "a VLAN is that of the flow, not of one end"],
      ["failed log-ons per device", "each counts for the devices at both ends"],
      ["what's new today", "the question is about devices"],
      ["servers with scans from russia", "any flow and any incident of a device counts, related or not"],
      [
        "who received data from 10.0.0.9",
        "10.0.0.9 is the destination, as who receives opens the connection",
      ],
      ["what is at 10.0.0.77", "10.0.0.77 is the destination"],
      ["traffic inside 10.0.0.0/24", "one end in 10.0.0.0/24 is enough"],
      ["scans from inside", "both ends are inside"],
      ["top servers", "each server is a destination, of the site or not"],
      ["most frequent alerts", "alerts are those of sensors"],
      ["beaconing domains", "the question is about incidents"],
      ["dns answers from 10.0.0.2", "the side that answers is the destination"],
      ["who pings 10.0.0.5", "the devices are those with the address 10.0.0.5"],
      ["urgent incidents for me", '"for me" does not narrow whose they are'],
      ["beaconing devices", "devices on either side of such incidents are meant"],
      ["which vlans does vlan 20 talk to", "a VLAN is that of the flow, not of one end"],
      ["everything tagged pci", "the question is about flows"],
      ["do any servers have weak tls", "the question is about flows"],
      ["data received from russia", "RU is the destination, as who receives opens the connection"],
      ["a ddos against us", "either side of such incidents is meant"],
      ["bad devices", "known bad are the addresses that the devices are in contact with"],
      ["servers with the most traffic", "each counts for the devices at both ends"],
      ["servers with the most incidents", "each counts for all of its devices"],
    ]
  ) {
    const assumed = assumedOf(answerOf(question));
    assert.ok(assumed.startsWith("Assumed: ") && assumed.includes(note), `${question}: ${assumed}`);
    assert.equal(assumed.split("Assumed: ").length, 2, question);
  }
});

Deno.test("nothing is assumed of what is stated", () => {
  for (
    const question of [
      "flows from 10.0.0.5 to 10.0.0.9",
      "who talked to 198.51.100.7",
      "what did 10.0.0.5 contact",
      "10.0.0.5 contacted 10.0.0.9",
      "which countries did we contact",
      "top destinations by bytes",
      "top talkers",
      "incidents of 10.0.0.5",
      "unassigned alerts",
      "flows from vlan Guests to the internet",
    ]
  ) {
    assert.equal(assumedOf(answerOf(question)), "", question);
  }
});

Deno.test("a command is declined, and a question that begins alike is not", () => {
  for (
    const command of [
      "close my incidents",
      "please reopen the incident",
      "can you block 10.0.0.5",
      "open my incidents",
      "resolve all incidents of Desk 3",
      "scan 10.0.0.5",
    ]
  ) {
    const answer = interpretQuestion(command, ASKED);
    assert.ok(!answer.ok, command);
    assert.match(answer.message, /^"\w+" asks for a change: a question only searches\.$/);
    const [{ from, to, text } = { from: 0, to: 0, text: "" }] = answer.notUnderstood;
    assert.equal(command.slice(from, to), text);
  }
  for (const question of ["open incidents", "closed incidents", "scans of 10.0.0.5"]) answerOf(question);
});

const SWAPPED: Readonly<Record<string, string>> = { from: "to", to: "from", by: "to", against: "from" };

Deno.test("an end with the opposite preposition has another answer, or a note states why not", () => {
  let swapped = 0;
  for (
    const [question = ""] of [
      PHRASINGS,
      EVERYDAY_PHRASINGS,
      OFFICE_PHRASINGS,
      SIDE_PHRASINGS,
      TRADE_PHRASINGS,
    ].flatMap(cellsOf)
  ) {
    const all = tokens(question);
    for (const [index, { text, from, to }] of all.entries()) {
      const opposite = SWAPPED[text];
      const end = entityAt(all, index + 1);
      // A name is that of the server, whoever sends.
      if (opposite === undefined || end === null || end.type === "name") continue;
      const answer = interpretQuestion(question, ASKED);
      if (!answer.ok || answer.notes.length > 0) continue;
      const other = understand(question.slice(0, from) + opposite + question.slice(to), ASKED);
      if (!other.ok) continue;
      swapped++;
      assert.notDeepEqual([answer.filter, answer.ranking], [other.filter, other.ranking], question);
    }
  }
  assert.ok(swapped >= 60, `${swapped}`);
});
