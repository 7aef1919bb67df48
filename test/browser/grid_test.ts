/// <reference lib="dom" />
// The data grid with 10,000 real flows: its keyboard, what it renders, its columns, and the way back to it.
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { Device } from "../../src/contract/device/device.ts";
import type { Up } from "../support/up.ts";
import { browserTest } from "./browser-test.ts";
import { connection, sendRecords } from "./records.ts";
import { at, signedIn } from "./steps.ts";
import { assertAccessible, assertFits, read, readUntil, rulesIn, settled, watch } from "./support.ts";

const FLOWS = 10_000;
const BATCH = 1_000;
/** More than the first page of the list of devices. */
const DEVICES = 240;
const MOST_ROWS = 60;
/** Elements of the whole page. 500 rows that are all rendered make 22,000. */
const MOST_ELEMENTS = 5_000;
const RECORDS_MILLISECONDS = 90_000;
/** Rows whose order is compared with the server's. */
const COMPARED = 8;

browserTest(
  "ten thousand rows in a browser",
  { sample: false, ownDatabase: true },
  async ({ t, browser, up, origin }) => {
    await records(up);
    await walk(t, browser, origin);
  },
);

/** Short connections of 240 devices with 250 servers, one every 100 milliseconds. */
async function records(up: Up): Promise<void> {
  const first = Date.now() - 20 * 60_000;
  const all = Array.from({ length: FLOWS }, (_, index) =>
    connection({
      uid: `CGrid${index}`,
      time: first + index * 100,
      from: `10.0.0.${1 + index % DEVICES}`,
      fromPort: 20_000 + index,
      to: `198.51.100.${1 + index % 250}`,
      port: 443,
      service: "ssl",
      bytes: 100 + index,
      duration: 0.05,
    }));
  for (let begin = 0; begin < FLOWS; begin += BATCH) {
    await sendRecords(up, "zeek.conn", all.slice(begin, begin + BATCH));
  }
}

const grid = (page: Page) => page.getByRole("grid", { name: "Flows", exact: true });
const shown = (page: Page) => page.locator(".grid-count");

/** The position of the row with the focus, counted from 0, and that of its cell. */
function place(page: Page): Promise<{ row: number; column: number; active: string | null }> {
  return page.evaluate(() => {
    const cell = document.activeElement;
    const row = cell?.closest("[role=row]");
    return {
      row: Number(row?.getAttribute("aria-rowindex")) - 2,
      column: Number(cell?.getAttribute("aria-colindex")) - 1,
      active: document.querySelector(".grid-active")?.getAttribute("aria-rowindex") ?? null,
    };
  });
}

/** Presses a key and waits until the focus is on the cell. */
async function moves(page: Page, key: string, row: number, column: number): Promise<void> {
  await page.keyboard.press(key);
  await page.waitForFunction(
    ([wantedRow, wantedColumn]) => {
      const cell = document.activeElement;
      return Number(cell?.closest("[role=row]")?.getAttribute("aria-rowindex")) - 2 === wantedRow &&
        Number(cell?.getAttribute("aria-colindex")) - 1 === wantedColumn;
    },
    [row, column],
  );
}

function rendered(page: Page): Promise<number> {
  return page.locator(".grid-body [role=row]").count();
}

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const context = await signedIn(browser, origin, "analyst");
  const seen = watch(context, origin);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(at("/explore?range=24h"));
  await page.waitForFunction(() => document.querySelectorAll(".grid-body [role=row]").length > 10, null, {
    timeout: RECORDS_MILLISECONDS,
  });
  // Until all records have become flows.
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const last = `/api/v1/flows?from=${from}&limit=1&filter=src.port:${20_000 + FLOWS - 1}`;
  await readUntil<unknown[]>(page, last, ({ length }) => length === 1, RECORDS_MILLISECONDS);
  await page.reload();
  await settled(page);

  await t.step("keys move as the WAI-ARIA grid pattern has it", async () => {
    await page.keyboard.press("j");
    await moves(page, "ArrowDown", 1, 1);
    await moves(page, "j", 2, 1);
    await moves(page, "k", 1, 1);
    await moves(page, "ArrowRight", 1, 2);
    await moves(page, "End", 1, Number(await grid(page).getAttribute("aria-colcount")) - 1);
    await moves(page, "Home", 1, 0);
    await moves(page, "ArrowRight", 1, 1);
    await page.keyboard.press("PageDown");
    await page.waitForFunction(() =>
      Number(document.activeElement?.closest("[role=row]")?.getAttribute("aria-rowindex")) > 8
    );
    assert.equal((await place(page)).active, String((await place(page)).row + 2));
    await moves(page, "Control+Home", 0, 0);
    await moves(page, "ArrowUp", -1, 0);
    await moves(page, "ArrowDown", 0, 0);
    await moves(page, "ArrowRight", 0, 1);
  });

  await t.step("a click anywhere makes a row the active one and opens it in place", async () => {
    const row = page.locator(".grid-body [role=row]").nth(4);
    await row.locator(".grid-cell").last().click({ position: { x: 2, y: 4 } });
    await page.locator(".grid-active[aria-rowindex='6']").waitFor();
    assert.equal(await row.getAttribute("aria-selected"), "true");
    const cell = row.locator(".grid-cell").last();
    await page.locator(".grid-detail .observation").first().waitFor();
    // Two clicks select a word and do not close what the first one opened.
    await cell.click({ position: { x: 2, y: 4 } });
    await page.locator(".grid-detail").waitFor({ state: "detached" });
    await cell.dblclick({ position: { x: 2, y: 4 } });
    await page.locator(".grid-detail .observation").first().waitFor();
    // The panel shows the row in its place.
    await page.getByRole("button", { name: "Panel", exact: true }).click();
    await cell.click({ position: { x: 2, y: 4 } });
    await page.locator(".peek .observation").first().waitFor();
    assert.equal(await page.locator(".grid-detail").count(), 1);
    await page.getByRole("button", { name: "Panel", exact: true }).click();
    await page.locator(".peek").waitFor({ state: "detached" });
    await cell.click({ position: { x: 2, y: 4 } });
    await page.locator(".grid-detail").waitFor({ state: "detached" });
  });

  await t.step("a row opens in place by key, and Escape closes it", async () => {
    await page.keyboard.press("Enter");
    const detail = page.locator(".grid-detail");
    await detail.locator(".observation").first().waitFor();
    await assertAccessible(page, "an open row");
    await detail.getByRole("button", { name: "Raw record" }).focus();
    await page.keyboard.press("Escape");
    await detail.waitFor({ state: "detached" });
    assert.equal((await place(page)).row, 4);
  });

  await t.step("the value of a cell is reached and its menu opens by key", async () => {
    await page.keyboard.press("Home");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("F2");
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "A");
    await page.keyboard.press("Escape");
    await page.keyboard.press(".");
    await page.getByRole("menuitem", { name: "Filter for it" }).waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("menu").waitFor({ state: "detached" });
  });

  await t.step("ten thousand rows are scrolled through; few of them are in the document", async () => {
    await page.locator(".grid-body [role=gridcell]").first().focus();
    for (let more = true; more;) {
      const before = await shown(page).textContent();
      await page.keyboard.press("Control+End");
      await page.waitForFunction(
        (text) => {
          const now = document.querySelector(".grid-count")?.textContent ?? "";
          return now !== text && !now.includes("loading") || !/more| of /.test(now);
        },
        before,
      );
      assert.ok(await rendered(page) <= MOST_ROWS, `${await rendered(page)} rows are in the document`);
      const elements = await page.locator("*").count();
      assert.ok(elements <= MOST_ELEMENTS, `${elements} elements are in the document`);
      more = /more| of /.test(await shown(page).textContent() ?? "");
    }
    assert.equal(await shown(page).textContent(), "10,000 shown");
    await page.keyboard.press("Control+End");
    await page.locator(`.grid-active[aria-rowindex='${FLOWS + 1}']`).waitFor();
    assert.ok(await rendered(page) <= MOST_ROWS);
    assert.equal(await grid(page).getAttribute("aria-rowcount"), String(FLOWS + 1));
    // The current row keeps the focus while others are scrolled into view.
    await grid(page).evaluate((box) => box.scrollTo(0, 0));
    await page.locator(".grid-body [aria-rowindex='2']").waitFor();
    await moves(page, "k", FLOWS - 2, Number(await grid(page).getAttribute("aria-colcount")) - 1);
  });

  await t.step("Back restores the row, open as it was left, its focus and the rows around it", async () => {
    await page.keyboard.press("Home");
    await page.keyboard.press("Enter");
    const detail = page.locator(".grid-detail");
    await detail.getByRole("button", { name: "Raw record" }).click();
    await detail.getByRole("region", { name: "Payload" }).waitFor();
    await page.locator(".grid-active [data-cell]").first().focus();
    const link = page.locator(".grid-active .entity-address .entity-link").first();
    await link.click();
    await page.waitForURL(/\/address\//);
    await page.getByRole("grid", { name: "Flows", exact: true }).waitFor();
    await page.goBack();
    await page.locator(`.grid-active.grid-open[aria-rowindex='${FLOWS}']`).waitFor();
    await page.waitForFunction(
      (row) => document.activeElement?.closest("[role=row]")?.getAttribute("aria-rowindex") === row,
      String(FLOWS),
    );
    await detail.getByRole("region", { name: "Payload" }).waitFor();
    await page.locator(`.grid-active[aria-rowindex='${FLOWS}']`).waitFor();
    assert.equal(await shown(page).textContent(), "10,000 shown");
    // From a link within the open row Back returns to that link.
    await detail.getByRole("link", { name: "Open as a page" }).click();
    await page.waitForURL(/\/flows\//);
    await page.locator(".observation").first().waitFor();
    await page.goBack();
    await page.locator(`.grid-active.grid-open[aria-rowindex='${FLOWS}']`).waitFor();
    await page.waitForFunction(() => {
      const { activeElement } = document;
      return activeElement?.textContent === "Open as a page" &&
        activeElement.closest(".grid-detail") !== null;
    });
    assert.equal(await shown(page).textContent(), "10,000 shown");
    await page.keyboard.press("Escape");
    await detail.waitFor({ state: "detached" });
  });

  await t.step("the server sorts rows that are not loaded, too, and Back keeps the order", async () => {
    const names = page.getByRole("grid", { name: "Devices" }).locator(".grid-body .entity-device .foreign");
    const firstOf = async (sort: string) =>
      (await read<Device[]>(page, `/api/v1/devices?sort=${sort}&limit=${COMPARED}`))
        .map(({ display_name }) => display_name);
    const shows = async (sort: string) => {
      const wanted = await firstOf(sort);
      await page.waitForFunction(
        (names) =>
          names.every((name, row) =>
            document.querySelector(`[data-row-index="${row}"] .entity-device`)?.textContent.includes(name)
          ),
        wanted,
      );
      return wanted;
    };
    await page.goto(at("/devices"));
    await names.first().waitFor();
    assert.match(await shown(page).textContent() ?? "", /more| of /);
    await page.getByRole("columnheader", { name: "Device" }).getByRole("button").click();
    await page.waitForURL(/sort=display_name/);
    const wanted = await shows("display_name");
    await page.locator(".grid-scroll").evaluate((list) => list.scrollTo({ top: 2000 }));
    await page.locator('[data-row-index="60"]').waitFor();
    await page.getByRole("columnheader", { name: "Device" }).getByRole("button").click();
    await page.waitForURL(/sort=-display_name/);
    await page.waitForFunction(() => document.querySelector(".grid-scroll")!.scrollTop === 0);
    await shows("-display_name");
    await page.goBack();
    await page.waitForURL(/sort=display_name/);
    await shows("display_name");
    assert.notDeepEqual(wanted, await firstOf("-score"));
    await page.locator('[data-row-index="2"] .entity-device').getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: wanted[2]!, exact: true }).waitFor();
    await page.goBack();
    await page.waitForURL(/sort=display_name/);
    await shows("display_name");
    await page.goto(at("/explore?range=24h"));
    await settled(page);
  });

  await t.step("columns are hidden, moved and kept; rows become lower", async () => {
    const head = () => page.locator(".grid-head [role=columnheader]").allTextContents();
    await page.getByRole("button", { name: "Columns and density" }).click();
    await assertAccessible(page, "the column menu");
    const boxes = await page.locator(".column-choice").evaluateAll((choices) =>
      choices.map((choice) => {
        const [box, name] = [choice.querySelector("input")!, choice.querySelector("label")!];
        return { width: box.offsetWidth, left: box.offsetLeft, height: name.offsetHeight };
      })
    );
    assert.ok(
      boxes.every(({ width, left, height }) => width < 20 && left === boxes[0]!.left && height < 30),
      `each box stands before its name, on one line: ${JSON.stringify(boxes)}`,
    );
    await page.getByRole("checkbox", { name: "Duration" }).uncheck();
    await page.getByRole("button", { name: "Move Source right" }).click();
    await page.getByRole("button", { name: "Compact" }).click();
    await page.keyboard.press("Escape");
    await page.reload();
    await settled(page);
    assert.equal((await head()).includes("Duration"), false);
    assert.deepEqual((await head()).slice(1, 4), ["Start", "Destination", "Source"]);
    const height = await page.locator(".grid-body [role=row]").first().evaluate((row) =>
      (row as HTMLElement).offsetHeight
    );
    assert.equal(height, 28);
    await page.getByRole("button", { name: "Columns and density" }).click();
    await page.getByRole("button", { name: "Comfortable" }).click();
    await page.getByRole("button", { name: "Reset" }).click();
    await page.keyboard.press("Escape");
    assert.equal((await head()).includes("Duration"), true);
  });

  for (const theme of ["light", "dark"]) {
    await t.step(`the grid is accessible and becomes cards in a narrow window, ${theme}`, async () => {
      await page.evaluate((name) => localStorage.setItem("ndr.theme", name), theme);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await page.reload();
        await settled(page);
        await assertAccessible(page, `the grid, ${theme}, ${width}`, rulesIn(theme));
        await assertFits(page, `the grid, ${theme}, ${width}`);
      }
      const row = page.locator(".grid-body [role=row]").first();
      assert.ok(await row.evaluate((card) => (card as HTMLElement).offsetHeight) > 60);
      assert.equal(await row.evaluate((card) => getComputedStyle(card).display), "flex");
      assert.ok(await rendered(page) <= MOST_ROWS);
    });
  }

  await t.step("the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    assert.deepEqual(seen.refused, []);
  });
  await context.close();
}
