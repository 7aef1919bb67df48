/// <reference lib="dom" />
// What lists share: the panel beside them, and rows that arrive while they are read.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { eventually } from "../support/watched.ts";
import { at } from "./steps.ts";
import { assertAccessible, settled } from "./support.ts";

/** The sample keeps arriving at the pace of its recording. */
const ARRIVAL_MILLISECONDS = 120_000;

export async function panel(t: Deno.TestContext, page: Page): Promise<void> {
  const peek = page.locator("aside.peek");
  const title = peek.locator(".peek-title");
  const nameOf = (row: number) =>
    page.locator(`[role=row][aria-rowindex="${row}"] .entity-device`).first().getByRole("link").textContent();
  const open = async () => {
    await page.goto(at("/devices"));
    await settled(page);
    await page.keyboard.press("j");
    await page.keyboard.press("o");
    await peek.waitFor();
  };

  await t.step("the panel stands beside the list, which keeps the focus", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await open();
    assert.equal(await title.textContent(), await nameOf(2));
    const inGrid = () => page.evaluate(() => document.activeElement?.closest("[role=grid]") !== null);
    assert.ok(await inGrid());
    await page.keyboard.press("j");
    await title.filter({ hasText: (await nameOf(3))! }).waitFor();
    assert.ok(await inGrid());
    await page.keyboard.press("k");
    await title.filter({ hasText: (await nameOf(2))! }).waitFor();
    await assertAccessible(page, "panel beside a list");
    await page.keyboard.press("Escape");
    await peek.waitFor({ state: "detached" });
    assert.ok(await inGrid());
  });

  await t.step("on a narrow screen the panel covers the page and takes the focus", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await open();
    const closer = peek.getByRole("button", { name: "Close the panel" });
    await page.waitForFunction(() =>
      document.activeElement?.getAttribute("aria-label") === "Close the panel"
    );
    assert.ok(await page.locator("#main").evaluate((main) => (main as HTMLElement).inert));
    await assertAccessible(page, "panel over the page");
    await closer.click();
    await peek.waitFor({ state: "detached" });
    assert.ok(await page.locator("#main").evaluate((main) => !(main as HTMLElement).inert));
    await page.setViewportSize({ width: 1280, height: 720 });
  });
}

export async function arrivals(t: Deno.TestContext, page: Page): Promise<void> {
  await t.step("new rows announce themselves, and nothing moves until they are asked for", async () => {
    await page.goto(at("/explore"));
    await settled(page);
    const grid = page.getByRole("grid");
    // The source names a flow; its start may become an earlier one in place, and its counts may grow.
    const nameOf = (element: Element) =>
      [...element.querySelectorAll("[aria-rowindex='2'] [role=gridcell]")].slice(2, 3)
        .map((cell) => cell.textContent).join(" ");
    const place = async () => ({
      first: await grid.evaluate(nameOf),
      top: await grid.evaluate((element) => element.getBoundingClientRect().top),
    });
    const before = await place();
    const show = page.getByRole("button", { name: /^\d[\d,]* new.*: show$/ });
    await show.waitFor({ timeout: ARRIVAL_MILLISECONDS });
    assert.deepEqual(await place(), before);
    await assertAccessible(page, "new rows");
    await show.click();
    await eventually("the new rows are shown", async () => {
      // New rows of flows that began earlier stand further below; the next ones announce themselves again.
      if (await show.isVisible()) await show.click();
      return await grid.evaluate(nameOf) !== before.first;
    });
  });
}
