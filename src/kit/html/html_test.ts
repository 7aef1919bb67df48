import assert from "node:assert/strict";
import { escapeHtml, html } from "./html.ts";

Deno.test("html escapes texts in content and attributes, and inserts markup as it is", () => {
  const hostile = `"><script>alert('x')</script>&`;
  const link = html`<a title="${hostile}">${hostile}</a>`;
  const escaped = "&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;";
  assert.equal(link.text, `<a title="${escaped}">${escaped}</a>`);
  assert.equal(html`<p>${link}</p>`.text, `<p>${link.text}</p>`);
  assert.equal(escapeHtml("plain"), "plain");
});

Deno.test("html joins lists and omits what is nothing", () => {
  const items = ["a", "<b>"].map((text) => html`<li>${text}</li>`);
  assert.equal(
    html`<ul>${items}</ul>${null}${false}${undefined}${0}`.text,
    "<ul><li>a</li><li>&lt;b&gt;</li></ul>0",
  );
});
