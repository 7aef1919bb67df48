import assert from "node:assert/strict";
import { printCondition } from "../../../contract/filter/printer.ts";
import { interpretQuestion } from "./interpret.ts";
import { unknownWords } from "./words/known-names.ts";
import { tokens } from "./words/token.ts";

const people = ["Ada Lopez"];
const ASKED = {
  now: Date.UTC(2026, 10, 25, 10, 30) * 1000,
  zone: "UTC",
  names: ["SCRANTON", "Desk 3", "Front desk", "Printer", "Mail server", ...people],
  people,
};

/** `question | kind | filter | note`. */
const ROWS = `
front desk web traffic | flows | (device:"front desk" or owner:"front desk") service:(http, tls) | Read as
desk 3's dns lookups | flows | (device:"desk 3" or owner:"desk 3") dns.query:*
scranton -> 10.0.0.9 | flows | (device:scranton or owner:scranton) dst.ip:10.0.0.9 | Read as
incidents on scranton | incidents | device:scranton or owner:scranton
incidents of scran | incidents | device:scran or owner:scran | Read "scran" as the name
incidents of ada lopez | incidents | assignee:"ada lopez" | Incidents that ada lopez works on
incidents of Bob Meier | incidents | assignee:"bob meier" | Read "bob meier" as the name of the person
incidents closed by ada lopez | incidents | status:(resolved, false_positive) assignee:"ada lopez"
laptops of ada lopez | devices | device.type=workstation (device:"ada lopez" or owner:"ada lopez")
printers with open incidents | devices | device.type=printer status:open
which mail server talked to russia | devices | device.type=mail_server dst.country:RU
who talked to gizmo | declined
who got scanned by 10.0.0.9 | declined
incidents of gizmo | declined
incidents of GIZMO | incidents | device:gizmo or owner:gizmo | Read "gizmo" as the name
who uses boxcloud | devices | device:boxcloud or owner:boxcloud or server_name:*boxcloud* | Read "boxcloud"
failed log-ons of jdoe | flows | logon:failed user:jdoe | Read "jdoe" as the name of an account
`.trim().split("\n").map((line) => line.split(" | "));

Deno.test("names of the site are known in small letters, and other words in small letters are none", () => {
  for (const [question = "", kind, filter, note = ""] of ROWS) {
    const answer = interpretQuestion(question, ASKED);
    if (kind === "declined") {
      assert.ok(!answer.ok, question);
      continue;
    }
    assert.ok(answer.ok, `${question}: ${answer.ok ? "" : answer.message}`);
    assert.deepEqual([answer.filter.kind, printCondition(answer.filter.where)], [kind, filter], question);
    assert.ok(note === "" || answer.notes.some((one) => one.startsWith(note)), answer.notes.join(" "));
  }
});

Deno.test("only words that the grammar does not know are looked for among names", () => {
  assert.deepEqual(unknownWords(tokens("ssh from scranton to Front desk over 5MB, 10.0.0.5")), [
    "scranton",
    "front",
    "desk",
  ]);
});
