import assert from "node:assert/strict";
import { anchorOf, anchorOfModel, anchorsOf, searchSections, sectionsOf } from "./sections.ts";

const PAGE = `# Retention and disk space

What is deleted, and when.

## A full disk

Ingest stops; see [health](health.md#disk).

\`\`\`sh
# not a heading
\`\`\`

## \`NDR_RETENTION_DAYS\`

The *age* of records.
`;

Deno.test("help: anchors are those of code hosts", () => {
  assert.equal(anchorOf("A full disk"), "a-full-disk");
  assert.equal(anchorOf("`NDR_RETENTION_DAYS`"), "ndr_retention_days");
  assert.equal(anchorOf("What, when & why?"), "what-when--why");
  assert.deepEqual(anchorsOf(["Content", "Content", "Other"]), ["content", "content-1", "other"]);
});

Deno.test("help: a page in sections, without the marks of Markdown", () => {
  assert.deepEqual(sectionsOf(PAGE).map(({ heading, anchor }) => [heading, anchor]), [
    ["Retention and disk space", ""],
    ["A full disk", "a-full-disk"],
    ["NDR_RETENTION_DAYS", "ndr_retention_days"],
  ]);
  assert.equal(sectionsOf(PAGE)[2]!.text, "The age of records.");
  assert.match(sectionsOf(PAGE)[1]!.text, /^Ingest stops; see health\./);
  assert.deepEqual(sectionsOf(""), []);
});

Deno.test("help: the search wants every word and prefers headings", () => {
  const sections = sectionsOf(PAGE);
  const found = (query: string) => searchSections(sections, query, 10).map(({ section }) => section.heading);
  assert.deepEqual(found("ingest"), ["A full disk"]);
  assert.deepEqual(found("full INGEST"), ["A full disk"]);
  assert.deepEqual(found("age records"), ["NDR_RETENTION_DAYS"]);
  assert.deepEqual(found("nothing of this"), []);
  assert.deepEqual(found("  "), []);
});

Deno.test("help: a detector's section is found by its model, as the page of detectors is written", async () => {
  const text = await Deno.readTextFile(new URL("../../docs/detectors.md", import.meta.url));
  const sections = sectionsOf(text);
  assert.equal(anchorOfModel(sections, "beacon"), "periodic-callbacks");
  assert.equal(anchorOfModel(sections, "beacon-name"), "periodic-callbacks-to-a-server-name");
  assert.equal(anchorOfModel(sections, "none-such"), null);
});
