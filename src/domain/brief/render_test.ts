import assert from "node:assert/strict";
import { composeBrief } from "./compose.ts";
import { briefDocument } from "./document.ts";
import { figuresOf } from "./sections.ts";
import { briefText } from "./text.ts";
import { briefOfNothing, incident, manyFacts } from "../../../test/support/domain/brief-facts.ts";

Deno.test("text: a quiet day is short, and its columns are aligned", () => {
  const text = briefText(composeBrief(briefOfNothing()));
  assert.match(
    text,
    /^Daily brief: Head office\nFriday, 30 January 2026, Europe\/Berlin\n\nThe day was quiet: /,
  );
  const figures = text.split("\n").filter((line) => /^ {2}(?:Incidents|New|Flows|Silent)/.test(line));
  assert.equal(new Set(figures.map((line) => line.length)).size, 1);
  assert.match(text, /zeek-1 +24 +0 +0\n/);
  assert.ok(!text.includes("more\n"), "nothing is left out");
});

Deno.test("text: names can neither move the cursor nor break a line", () => {
  const title = "a\u001b[2J\nb\u202ec";
  const text = briefText(composeBrief(briefOfNothing({
    siteName: "site\u001b]0;x",
    openedIncidents: { items: [incident({ title })], total: 1 },
  })));
  assert.doesNotMatch(text.replaceAll("\n", ""), /[\p{Cc}\p{Cf}]/u);
  assert.ok(
    text.split("\n").some((line) => line.includes("high") && line.includes("front-desk")),
    "one row, one line",
  );
});

Deno.test("document: texts of records are escaped, and nothing is loaded or run", () => {
  const document = briefDocument(composeBrief(manyFacts({ siteName: `<img src=x onerror="alert(1)">` })));
  assert.doesNotMatch(document, /<(?:script|img|link|iframe|b)\b/);
  assert.match(document, /&lt;b&gt;updates\.example\.org/);
  assert.doesNotMatch(document, /https?:|url\(|@import/);
  assert.match(document, /Content-Security-Policy" content="default-src &#39;none&#39;/);
  assert.match(document, /and 492 more/);
});

Deno.test("document: the numbers of the day stand beside those of the day before, with words for the arrows", () => {
  const brief = composeBrief(briefOfNothing({
    opened: { value: 3, previous: 5 },
    flows: { value: 12, previous: 7 },
    bytes: { value: null, previous: null },
  }));
  const changes = Object.fromEntries(figuresOf(brief).map(({ name, change }) => [name, change]));
  assert.deepEqual([changes["Incidents opened"], changes.Flows, changes.Traffic, changes["New devices"]], [
    -1,
    1,
    null,
    null,
  ]);
  const document = briefDocument(brief);
  assert.match(document, /▼ less; day before: 5/);
  assert.match(document, /▲ more; day before: 7/);
  assert.match(document, /day before: unknown/);
});
