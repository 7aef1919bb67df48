import assert from "node:assert/strict";
import { marked } from "marked";
import { exampleCase, HOSTILE, hostileCase } from "../../../../test/support/domain/case-fixtures.ts";
import { markdownCode, markdownQuote, markdownText } from "./escape-markdown.ts";
import { renderMarkdown } from "./render-markdown.ts";

Deno.test("the report names findings, parties and next steps", () => {
  const text = renderMarkdown(exampleCase({ url: "https://ndr.example/t/main/incidents/1", tlp: "amber" }));
  const headings = text.split("\n").filter((line) => line.startsWith("#"));
  assert.deepEqual(headings, [
    "# Malware traffic of 10.0.0.5 \\(ET MALWARE\\)",
    "## What happened",
    "### Control (Medium, 2026-01-31 07:11:30)",
    "## Who talked to whom",
    "## Devices",
    "## Techniques (MITRE ATT&CK)",
    "## History",
    "## Related incidents",
    "## Next steps",
  ]);
  assert.match(text, /^\*\*Medium\*\*, score 50 of 100, Open, unassigned, TLP:AMBER$/m);
  assert.match(
    text,
    /^\| 2026-01-31 07:11:30 \| suricata-1 \| suricata\.alert \| `.*Zbot CnC Checkin.*` \|$/m,
  );
  assert.match(
    text,
    /^\| front-desk \\\(10\.0\.0\.5\\\) \| cdn\.zbot\.example .*198\.51\.100\.7.* \| 500 B \| 4\.00 kB \|/m,
  );
});

/** What a renderer with tables and automatic links makes of the report: elements with their attributes, in order. */
function elementsOf(markdown: string): string[] {
  const html = marked.parse(markdown, { async: false, gfm: true });
  return [...html.matchAll(/<(?!\/)[^>]*>/g)].map(([tag]) => tag);
}

Deno.test("attacker text neither renders nor leaves its place", () => {
  // A code span around a text is ours.
  const without = (tags: readonly string[]) => tags.filter((tag) => !["<code>", "<br>", "<p>"].includes(tag));
  const expected = without(elementsOf(renderMarkdown(hostileCase("harmless"))));
  assert.ok(expected.includes("<blockquote>") && expected.includes("<h1>"));
  for (const hostile of HOSTILE) {
    const markdown = renderMarkdown(hostileCase(hostile));
    assert.deepEqual(without(elementsOf(markdown)), expected, hostile);
    for (const line of markdown.split("\n")) assert.doesNotMatch(line, /[\p{Cc}\p{Cf}]/u, hostile);
  }
});

Deno.test("escapes: what begins a construct, and nothing that is only a number or a sentence", () => {
  assert.equal(markdownText("10.0.0.5:443, 1.2 MB"), "10.0.0.5:443, 1.2 MB");
  assert.equal(markdownText("1. item"), "1\\. item");
  assert.equal(markdownText("- item"), "\\- item");
  assert.equal(markdownText("a *b* [c](d) <e> `f` g|h"), "a \\*b\\* \\[c\\]\\(d\\) \\<e\\> \\`f\\` g\\|h");
  assert.equal(markdownText("https://x www.x mailto:y"), "https\\://x www\\.x mailto\\:y");
  assert.equal(markdownText("a\u202eb\nc"), "a\\\\u\\{202e\\}b\\\\u\\{a\\}c");
  assert.equal(markdownCode("a`b``c|d"), "``` a`b``c\\|d ```");
  assert.equal(markdownCode(""), "");
  assert.equal(markdownQuote("one\n# two"), "> one\n> \\# two");
});
