import assert from "node:assert/strict";
import { splitTimes } from "./text-times.ts";

const found = (text: string) => splitTimes(text).flatMap(({ at }) => at ?? []);

Deno.test("times of a text: one, two of a day, two of different days", () => {
  assert.deepEqual(found("sent 2 MB at 2026-11-28 17:41 UTC in 1 request"), ["2026-11-28T17:41:00.000Z"]);
  assert.deepEqual(splitTimes("x between 2026-11-28 17:42 and 17:45:09 UTC, 5 MB"), [
    { text: "x between ", at: null, after: null },
    { text: "2026-11-28 17:42", at: "2026-11-28T17:42:00.000Z", after: null },
    { text: " and ", at: null, after: null },
    { text: "17:45:09 UTC", at: "2026-11-28T17:45:09.000Z", after: "2026-11-28T17:42:00.000Z" },
    { text: ", 5 MB", at: null, after: null },
  ]);
  assert.deepEqual(found("between 2026-11-27 23:59 UTC and 2026-11-28 00:10 UTC."), [
    "2026-11-27T23:59:00.000Z",
    "2026-11-28T00:10:00.000Z",
  ]);
});

Deno.test("times of a text: without a zone, of no date or within a name they are none", () => {
  for (
    const text of [
      "2026-11-28 17:41",
      "2026-02-30 17:41 UTC",
      "2026-11-28 25:00 UTC",
      "2026-11-28 17:41 and 25:00 UTC",
      "log-2026-11-28 17:41 UTC",
      "2026-11-28 17:41 UTCX",
      "",
    ]
  ) assert.deepEqual(found(text), [], text);
});

Deno.test("times of a text: the parts joined are the text", () => {
  for (
    const text of [
      "2026-11-28 17:41 UTC",
      "a 2026-11-28 17:41 and 18:00 UTC b 2026-11-29 00:00:01 UTC",
      "between 2026-11-28 17:41 and 25:00 UTC",
    ]
  ) assert.equal(splitTimes(text).map((part) => part.text).join(""), text);
});
