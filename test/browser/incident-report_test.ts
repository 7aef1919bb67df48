// The report of an incident as a browser shows and prints the file: nothing runs, nothing is requested, nothing is cut.

/// <reference lib="dom" />
import assert from "node:assert/strict";
import { renderHtml } from "../../src/domain/incident/report/render-html.ts";
import { exampleCase, HOSTILE, hostileCase } from "../support/domain/case-fixtures.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { launch } from "./support.ts";

const CHROMIUM = await findChromium();
/** Width of A4 between the margins of the document, in CSS pixels. */
const PRINTED = 703;

Deno.test({
  name: "the report of an incident opens and prints without a script, a request or a clipped table",
  ignore: CHROMIUM === null,
  // The browser is a separate process whose sockets outlive the test.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const folder = await Deno.makeTempDir({ prefix: "ndr-report-" });
    const browser = await launch(CHROMIUM!);
    try {
      const page = await browser.newPage({ viewport: { width: PRINTED, height: 1000 } });
      const events: string[] = [];
      page.on("console", (message) => events.push(message.text()));
      page.on("pageerror", (error) => events.push(error.message));
      page.on("dialog", (dialog) => (events.push(dialog.message()), dialog.dismiss()));
      const texts = ["harmless", HOSTILE.join(" "), "x".repeat(3000), "\u6f22".repeat(3000)];
      for (const value of [exampleCase(), ...texts.map(hostileCase)]) {
        const path = `${folder}/report.html`;
        await Deno.writeTextFile(path, renderHtml(value));
        const requests: string[] = [];
        page.on("request", (request) => requests.push(request.url()));
        await page.emulateMedia({ media: "print" });
        await page.goto(`file://${path}`);
        assert.deepEqual([...events, ...requests.slice(1)], []);
        assert.equal(await page.locator("h1").count(), 1);
        const wide = await page.evaluate(() =>
          [...document.querySelectorAll("body *")]
            .filter((one) => one.getBoundingClientRect().right > document.documentElement.clientWidth + 1)
            .map((one) => one.outerHTML.slice(0, 80))
        );
        assert.deepEqual(wide, []);
        const pdf = new TextDecoder("latin1").decode(await page.pdf({ preferCSSPageSize: true }));
        assert.ok([...pdf.matchAll(/\/Type \/Page\b/g)].length >= 2, "the appendix begins a page");
        assert.match(pdf, /\/MediaBox \[0 0 59\d(?:\.\d+)? 84\d(?:\.\d+)?\]/, "A4");
        page.removeAllListeners("request");
      }
    } finally {
      await browser.close();
      await Deno.remove(folder, { recursive: true });
    }
  },
});
