// The document of the daily brief on paper: two pages of A4, whatever the day was like.

/// <reference lib="dom" />
import assert from "node:assert/strict";
import { composeBrief } from "../../src/domain/brief/compose.ts";
import { briefDocument } from "../../src/domain/brief/document.ts";
import { briefOfNothing, manyFacts } from "../support/domain/brief-facts.ts";
import { launch } from "./support.ts";

/** A4 without its margins, in CSS pixels. */
const PAPER = { width: Math.floor((210 - 24) / 25.4 * 96), height: Math.floor((297 - 28) / 25.4 * 96) };

const executable = Deno.env.get("NDR_TEST_CHROMIUM");

Deno.test({
  name: "brief: a full and a quiet day print on two pages with embedded fonts, and nothing is clipped",
  ignore: !executable,
  async fn() {
    const browser = await launch(executable!);
    try {
      const page = await browser.newPage();
      const requests: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      for (const [name, facts] of [["full", manyFacts()], ["quiet", briefOfNothing()]] as const) {
        await page.setContent(briefDocument(composeBrief(facts)));
        const pdf = new TextDecoder("latin1").decode(
          await page.pdf({ preferCSSPageSize: true, printBackground: true }),
        );
        assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 2, `${name}: pages`);
        assert.match(pdf, /\/MediaBox\s*\[0 0 59[45]\.?\d* 84[12]\.?\d*\]/, `${name}: A4`);
        const fonts = pdf.match(/\/Type\s*\/FontDescriptor\b/g)?.length ?? 0;
        assert.ok(fonts > 0, `${name}: fonts`);
        assert.equal(pdf.match(/\/FontFile\d?\b/g)?.length, fonts, `${name}: fonts that are embedded`);
        await page.emulateMedia({ media: "print" });
        await page.setViewportSize(PAPER);
        const overflowing = await page.evaluate(() =>
          [...document.querySelectorAll("body *")].filter((element) =>
            element.getBoundingClientRect().right > document.documentElement.clientWidth + 1 ||
            (element instanceof HTMLElement && element.scrollWidth > element.clientWidth + 1 &&
              element.clientWidth > 0 && getComputedStyle(element).display !== "inline")
          ).map((element) => element.outerHTML.slice(0, 80))
        );
        assert.deepEqual(overflowing, [], `${name}: nothing is wider than the paper`);
      }
      assert.deepEqual(requests, [], "the document needs nothing else");
    } finally {
      await browser.close();
    }
  },
});
