import assert from "node:assert/strict";
import { exampleCase, HOSTILE, hostileCase } from "../../../../test/support/domain/case-fixtures.ts";
import { renderHtml } from "./render-html.ts";

/** Tags with their attributes, in order; those of the style sheet and its text aside. */
function tagsOf(document: string): string[] {
  return [...document.replace(/<style>[^]*?<\/style>/, "").matchAll(/<[^>]*>/g)].map(([tag]) => tag);
}

Deno.test("the document shows the incident without a script or a request", () => {
  const text = renderHtml(exampleCase({ tlp: "red", url: "https://ndr.example/t/main/incidents/1" }));
  const headings = [...text.matchAll(/<h[123]>(.*?)<\/h/g)].map(([, title]) =>
    title!.replaceAll(/<.*/g, "").trim()
  );
  assert.deepEqual(headings, [
    "Malware traffic of 10.0.0.5 (ET MALWARE)",
    "What happened",
    "Control",
    "Who talked to whom",
    "Devices",
    "Techniques (MITRE ATT&amp;CK)",
    "History",
    "Related incidents",
    "Next steps",
    "Appendix: all records (2)",
  ]);
  assert.match(text, /TLP:RED/);
  assert.match(
    text,
    /<td>front-desk \(10\.0\.0\.5\)<\/td><td>cdn\.zbot\.example \(198\.51\.100\.7:443\)<\/td>/,
  );
  assert.doesNotMatch(text, /<script|<img|<link|<iframe|\ssrc=|@import|url\(/i);
  assert.equal(renderHtml(exampleCase()), renderHtml(exampleCase()));
});

Deno.test("attacker text is only text in the document", () => {
  const expected = tagsOf(renderHtml(hostileCase("harmless")));
  for (const hostile of HOSTILE) {
    const text = renderHtml(hostileCase(hostile));
    assert.deepEqual(tagsOf(text), expected, hostile);
    assert.doesNotMatch(text, /[^\P{Cc}\n\r\t]|\p{Cf}/u, hostile);
  }
});
