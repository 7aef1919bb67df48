import assert from "node:assert/strict";
import { GROUP_FIELDS } from "../../../contract/filter/aggregate.ts";
import { checkFilter } from "../../../contract/filter/check.ts";
import { groupCondition } from "../../../contract/filter/group.ts";
import { leavesOf } from "../../../contract/filter/normalise.ts";
import { parseText } from "../../../contract/filter/parser.ts";
import { printCondition } from "../../../contract/filter/printer.ts";
import { parseTimestamp } from "../../../kit/time.ts";
import { ASKED_PHRASINGS } from "../../../../test/support/search/asked-phrasings.ts";
import { CHECKED_PHRASINGS } from "../../../../test/support/search/checked-phrasings.ts";
import { COMBINED_PHRASINGS } from "../../../../test/support/search/combined-phrasings.ts";
import { DECLINED } from "../../../../test/support/search/declined.ts";
import { cellsOf, PHRASINGS, ZONED } from "../../../../test/support/search/phrasings.ts";
import { PERSONA_PHRASINGS } from "../../../../test/support/search/persona-phrasings.ts";
import { SITE_PHRASINGS } from "../../../../test/support/search/site-phrasings.ts";
import { EVERYDAY_PHRASINGS } from "../../../../test/support/search/everyday-phrasings.ts";
import { FRAME_PHRASINGS } from "../../../../test/support/search/frame-phrasings.ts";
import { LOOSE_PHRASINGS } from "../../../../test/support/search/loose-phrasings.ts";
import { OFFICE_PHRASINGS } from "../../../../test/support/search/office-phrasings.ts";
import { SIDE_PHRASINGS } from "../../../../test/support/search/side-phrasings.ts";
import { STRANGER_PHRASINGS } from "../../../../test/support/search/stranger-phrasings.ts";
import { TRADE_PHRASINGS } from "../../../../test/support/search/trade-phrasings.ts";
import { VOICE_PHRASINGS } from "../../../../test/support/search/voice-phrasings.ts";
import { SHIFT_PHRASINGS } from "../../../../test/support/search/shift-phrasings.ts";
import { interpretQuestion, type Understood } from "./interpret.ts";
import { QUESTIONS } from "./questions.ts";
import type { Asked } from "./time/calendar.ts";

/** The names of the sample's VLANs. */
const VLANS = ["Office", "Research", "Servers", "Training room", "Test laboratory", "Guests", "Competition"];
const ASKED: Asked = { now: micros("2026-11-25T10:30"), zone: "Europe/Berlin" };

function micros(minute: string): number {
  return parseTimestamp(`${minute}:00Z`)!.micros;
}

function understood(question: string, asked: Asked): Understood {
  const answer = interpretQuestion(question, asked);
  assert.ok(answer.ok, `${question}: ${answer.ok ? "" : answer.message}`);
  return answer;
}

function windowOf({ filter: { window } }: Understood): string {
  return window === null ? "" : `${window.from.slice(0, 16)} ${window.to.slice(0, 16)}`;
}

/** Kind, filter, window and ranking as the tables write them. */
function cells({ filter, ranking, ...answer }: Understood): string[] {
  const { kind, where } = filter;
  const ranked = ranking && `${ranking.measure} by ${ranking.field} ${ranking.limit} ${ranking.bucket ?? ""}`;
  return [kind, printCondition(where), windowOf({ filter, ranking, ...answer }), ranked?.trimEnd() ?? ""];
}

Deno.test("questions are understood as the table says", () => {
  const table = cellsOf(PHRASINGS);
  assert.ok(table.length >= 200);
  for (const [question = "", kind, text = "", window = "", ranking = ""] of table) {
    assert.deepEqual(cells(understood(question, ASKED)), [kind, text, window, ranking], question);
  }
});

Deno.test("questions as people ask them are understood or declined, and what was assumed is said", () => {
  let answered = 0;
  let read = 0;
  for (
    const [question = "", kind, text = "", window = "", ranking = "", noted = ""] of [
      ...cellsOf(ASKED_PHRASINGS),
      ...cellsOf(CHECKED_PHRASINGS),
      ...cellsOf(SITE_PHRASINGS),
      ...cellsOf(COMBINED_PHRASINGS),
      ...cellsOf(STRANGER_PHRASINGS),
      ...cellsOf(PERSONA_PHRASINGS),
      ...cellsOf(TRADE_PHRASINGS),
      ...cellsOf(SIDE_PHRASINGS),
      ...cellsOf(OFFICE_PHRASINGS),
      ...cellsOf(EVERYDAY_PHRASINGS),
      ...cellsOf(FRAME_PHRASINGS),
      ...cellsOf(LOOSE_PHRASINGS),
      ...cellsOf(VOICE_PHRASINGS),
      ...cellsOf(SHIFT_PHRASINGS),
    ]
  ) {
    const answer = interpretQuestion(question, { ...ASKED, vlans: VLANS });
    const expected = kind === "declined" ? ["declined"] : [kind, text, window, ranking, noted];
    const found = answer.ok ? [...cells(answer), answer.notes.length > 0 ? "noted" : ""] : ["declined"];
    assert.deepEqual(found, expected, question);
    if (!answer.ok) continue;
    answered++;
    if (answer.notes.at(-1)?.startsWith("Read as: ") === true) read++;
  }
  // A note with every answer would be read by no one.
  assert.ok(read * 3 < answered, `${read} of ${answered}`);
});

Deno.test("every understood question is a valid filter that survives the text form", () => {
  for (const [question = ""] of cellsOf(PHRASINGS)) {
    const { where } = understood(question, ASKED).filter;
    if (where === null) continue;
    assert.deepEqual(checkFilter(where), [], question);
    const parsed = parseText(printCondition(where));
    assert.ok(parsed.ok, question);
    assert.deepEqual(parsed.condition, where, question);
  }
});

Deno.test("times follow the zone, also where clocks change", () => {
  for (const [question, zone, now, window] of cellsOf(ZONED)) {
    const asked = { now: micros(now!), zone: zone! };
    assert.equal(windowOf(understood(question!, asked)), window, `${question} in ${zone} at ${now}`);
  }
});

Deno.test("a question with a part that has no meaning is declined, with the part and a question that works", () => {
  const declined = cellsOf(DECLINED).map(([question]) => question!);
  assert.ok(declined.length >= 60);
  for (const question of declined) {
    const answer = interpretQuestion(question, ASKED);
    assert.ok(!answer.ok, question);
    for (const { from, to, text } of answer.notUnderstood) assert.equal(question.slice(from, to), text);
    assert.ok(interpretQuestion(answer.suggestion, ASKED).ok, answer.suggestion);
  }
});

Deno.test("the question that is suggested shares what was asked about", () => {
  for (
    const [question, word] of [["revoked certificates", "ertificates"], ["slow dns lookups", "DNS lookups"], [
      "the devices of which vendor appeared",
      "evices",
    ]] as const
  ) {
    const answer = interpretQuestion(question, ASKED);
    assert.ok(!answer.ok, question);
    assert.ok(answer.suggestion.includes(word), `${question}: ${answer.suggestion}`);
  }
});

Deno.test("every example question works", () => {
  for (const question of QUESTIONS) understood(question, ASKED);
});

Deno.test("misspelt words are read as what they resemble, and the answer says so", () => {
  assert.deepEqual(understood("show me all incedents today", ASKED).notes, [
    'Read "incedents" as "incident".',
  ]);
  assert.equal(interpretQuestion("show me all xyzzys today", ASKED).ok, false);
});

Deno.test("names keep their letters: possessives, quotes and hyphens", () => {
  const text = (question: string) => printCondition(understood(question, ASKED).filter.where);
  assert.equal(text("jonas' devices"), "device:jonas or owner:jonas");
  assert.equal(text("what did \u201cFront Desk\u201d do today"), 'device:"Front Desk" or owner:"Front Desk"');
  assert.equal(
    text("what did nas-02.lan do today"),
    "server_name:(nas-02.lan, *.nas-02.lan) or dns.query:(nas-02.lan, *.nas-02.lan)",
  );
});

Deno.test("two named devices are two devices, not one with both names", () => {
  for (const question of ["traffic between nashua and scranton", "ssh from nashua to printers"]) {
    const { where } = understood(question, ASKED).filter;
    const parts = groupCondition(where!, "flows");
    assert.ok("all" in parts);
    assert.ok(parts.all.every((part) => !("some" in part) || leavesOf(part.where).length < 3), question);
  }
});

Deno.test("random words never throw, and what is understood is valid", () => {
  const words = cellsOf(PHRASINGS).flatMap(([question]) => question!.split(" "));
  let state = 7;
  const random = (most: number) => (state = (state * 48_271) % 2_147_483_647) % most;
  for (let round = 0; round < 2000; round++) {
    const question = Array.from({ length: 1 + random(9) }, () => words[random(words.length)]).join(" ");
    const answer = interpretQuestion(question, ASKED);
    if (answer.ok && answer.filter.where !== null) {
      assert.deepEqual(checkFilter(answer.filter.where), [], question);
    }
    const { filter, ranking } = answer.ok ? answer : { filter: null, ranking: null };
    if (filter !== null && ranking !== null && ranking.field !== "") {
      assert.ok((GROUP_FIELDS[filter.kind] as readonly string[]).includes(ranking.field), question);
    }
  }
});
