/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// Pages on paper: nothing of the shell, nothing cut, every loaded row, the light theme.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Incident } from "../../src/contract/incident/incident.ts";
import { at, RANGE } from "./steps.ts";
import { assertAccessible, COLOUR_RULES, read, settled } from "./support.ts";

/** A4 without its margins of 12 mm, in pixels: upright, and turned for lists. */
export const UPRIGHT = { width: Math.floor((210 - 24) / 25.4 * 96), height: 1000 };
export const TURNED = { width: Math.floor((297 - 24) / 25.4 * 96), height: 700 };

/** Pixels that a hidden button may reach below the last line of a card. */
const MOST_BELOW = 8;

/** What a page has that paper does not need. */
const SCREEN_ONLY =
  ".topbar, .sidebar, .skip, main button.button, main .segments, main .query-line > .button";

/** Waits for the style sheet of paper, which is loaded after the page. */
export async function hasPrintStyles(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [...document.styleSheets].some(({ href }) => href?.includes("print-head") === true)
  );
}

async function readyToPrint(page: Page): Promise<void> {
  await settled(page);
  await hasPrintStyles(page);
}

/** Pages of the PDF, and their sizes in points. */
async function printed(page: Page): Promise<{ width: number; height: number }[]> {
  const pdf = new TextDecoder("latin1").decode(await page.pdf({ preferCSSPageSize: true }));
  return [...pdf.matchAll(/\/MediaBox\s*\[0 0 ([\d.]+) ([\d.]+)\]/g)].map(([, width, height]) => ({
    width: Math.round(Number(width)),
    height: Math.round(Number(height)),
  }));
}

/** Texts that are cut at the right edge of what holds them, or of the paper. */
function cutTexts(page: Page, width: number): Promise<string[]> {
  return page.evaluate((most) =>
    [...document.querySelectorAll<HTMLElement>("main *")]
      .filter((element) => element.checkVisibility() && !element.closest(".hidden, [role=tooltip], svg"))
      .filter((element) => {
        if (element.childElementCount > 0 || element.textContent.trim() === "") return false;
        const { overflowX } = getComputedStyle(element);
        const hides = overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
        return hides || element.getBoundingClientRect().right > most + 1;
      })
      .map((element) => `${element.className}: ${element.textContent.slice(0, 40)}`), width);
}

/** Cards with content below their end, where the next card is. */
function overflowing(page: Page): Promise<string[]> {
  return page.evaluate((most) =>
    [...document.querySelectorAll<HTMLElement>("main .card")]
      .filter((card) => card.checkVisibility() && card.scrollHeight > card.clientHeight + most)
      .map((card) =>
        `${card.querySelector("h2")?.textContent}: ${card.scrollHeight} of ${card.clientHeight}`
      ), MOST_BELOW);
}

async function onPaper(page: Page, what: string, paper: { width: number; height: number }): Promise<void> {
  const screen = page.viewportSize()!;
  await page.setViewportSize(paper);
  await page.emulateMedia({ media: "print" });
  await page.getByText(/^Printed \d{4}-\d\d-\d\d \d\d:\d\d:\d\d/).waitFor();
  assert.equal(await page.locator(SCREEN_ONLY).filter({ visible: true }).count(), 0, what);
  assert.deepEqual(await cutTexts(page, paper.width), [], what);
  assert.deepEqual(await overflowing(page), [], what);
  await assertAccessible(page, `${what} on paper`, COLOUR_RULES);
  await page.emulateMedia({ media: null });
  await page.setViewportSize(screen);
}

/** Prints the pages that people take to a meeting. The dark theme is not printed. */
export async function printPages(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  const [incident] = await read<Incident[]>(
    page,
    "/api/v1/incidents?from=1970-01-01T00:00:00Z&status=open&sort=-score&limit=1",
  );
  await page.goto(at(`/incidents/${incident!.id}`));
  await readyToPrint(page);
  await onPaper(page, "incident", UPRIGHT);
  const pages = await printed(page);
  assert.ok(pages.length >= 2 && pages.length <= 12, `an incident takes ${pages.length} pages`);
  assert.ok(pages.every(({ width, height }) => width < height));

  await page.goto(at("?range=24h"));
  await readyToPrint(page);
  await onPaper(page, "overview", UPRIGHT);
  const theme = () => page.evaluate(() => document.documentElement.dataset["theme"] ?? "the system's");
  const seen = page.evaluate(() =>
    new Promise<string>((resolve) => {
      const look = () => resolve(getComputedStyle(document.documentElement).colorScheme);
      addEventListener("beforeprint", look, { once: true });
    })
  );
  assert.ok((await printed(page)).length <= 6);
  assert.equal(await seen, "light", "canvases are drawn for paper");
  assert.equal(await theme(), "the system's", "the screen has its theme back");

  // Its flows have a window of their own on the screen, and cards below them.
  await page.goto(at(`/address/10.0.2.15?${RANGE}`));
  await readyToPrint(page);
  await page.getByRole("grid", { name: "Flows" }).locator("[data-row-index]").nth(5).waitFor();
  await page.emulateMedia({ media: "print" });
  await page.getByText(/^Printed /).waitFor();
  assert.deepEqual(await overflowing(page), [], "an address on paper");
  await page.emulateMedia({ media: null });

  await page.goto(at("/triage"));
  await readyToPrint(page);
  const grid = page.getByRole("grid", { name: "Incidents" });
  const rows = Number(await grid.getAttribute("aria-rowcount")) - 1;
  const drawn = () => grid.locator("[data-row-index]").count();
  assert.ok(rows > 10, `${rows} rows`);
  await page.setViewportSize({ width: 1280, height: 500 });
  await page.waitForFunction(
    (all) => document.querySelectorAll("main [role=grid] [data-row-index]").length < all,
    rows,
  );
  await page.emulateMedia({ media: "print" });
  await page.getByText(/^Printed /).waitFor();
  assert.equal(await drawn(), rows, "paper has every loaded row");
  await page.emulateMedia({ media: null });
  await onPaper(page, "triage", TURNED);
  const lists = await printed(page);
  assert.ok(lists.every(({ width, height }) => width > height), JSON.stringify(lists));
  await page.emulateMedia({ colorScheme: null });
}
