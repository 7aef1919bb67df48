/// <reference lib="dom" />
// Searches in a real browser: the language with its completion, questions in English, chips, saved searches.
import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { SavedSearch, SavedSearchPatch } from "../../src/contract/search/saved-search.ts";
import type { Up } from "../support/up.ts";
import { browserTest } from "./browser-test.ts";
import { connection, sendRecords } from "./records.ts";
import { at, RANGE, signedIn } from "./steps.ts";
import { assertAccessible, assertFits, IN_DIALOG, read, rulesIn, send, settled, watch } from "./support.ts";
import { go } from "./visit.ts";

const RECORDS_MILLISECONDS = 60_000;
const MINUTE = 60_000;

browserTest(
  "searching in a browser",
  { sample: false, ownDatabase: true },
  async ({ t, browser, up, origin }) => {
    await records(up);
    await walk(t, browser, origin);
  },
);

interface Connection {
  to: string;
  port: number;
  service: string;
  bytes: number;
}

const CONNECTIONS: Connection[] = [
  { to: "198.51.100.7", port: 443, service: "ssl", bytes: 20_000_000 },
  { to: "198.51.100.7", port: 443, service: "ssl", bytes: 5_000 },
  { to: "203.0.113.9", port: 80, service: "http", bytes: 900 },
  { to: "203.0.113.53", port: 53, service: "dns", bytes: 60 },
];

/** Connections of one device with three servers. */
async function records(up: Up): Promise<void> {
  const first = Date.now() - 10 * MINUTE;
  await sendRecords(
    up,
    "zeek.conn",
    CONNECTIONS.map((one, index) =>
      connection({
        ...one,
        uid: `CSearch${index}`,
        time: first + index * 1000,
        from: "10.0.0.5",
        fromPort: 50_000 + index,
      })
    ),
  );
}

function bar(page: Page) {
  return page.getByRole("combobox", { name: /or ask a question/ });
}

function filterOf(page: Page): string | null {
  return new URL(page.url()).searchParams.get("filter");
}

async function waitForFilter(page: Page, filter: string | null): Promise<void> {
  await page.waitForURL((url) => url.searchParams.get("filter") === filter);
  await settled(page);
}

async function waitForRows(page: Page, count: number): Promise<void> {
  await page.waitForFunction(
    (expected) => document.querySelectorAll("main .grid-body [role=row][data-row-index]").length === expected,
    count,
  );
}

async function inBothThemes(page: Page, what: string, within?: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page, `${what}, ${colorScheme}`, rulesIn(colorScheme), within);
  }
  await page.emulateMedia({ colorScheme: "light" });
}

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const context = await signedIn(browser, origin, "analyst");
  const seen = watch(context, origin);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(at(`/explore?${RANGE}`));
  await page.locator("main [data-row-index]").nth(CONNECTIONS.length - 1).waitFor({
    timeout: RECORDS_MILLISECONDS,
  });

  await t.step("a filter is typed with completion, by keyboard only", async () => {
    await page.keyboard.press("/");
    await page.keyboard.type("dst.po");
    await page.getByRole("option", { name: /^dst\.port/ }).waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.equal(await bar(page).inputValue(), "dst.port:");
    // The values of the records, most used first.
    await page.getByRole("option", { name: /^443\s*2 flows/ }).waitFor();
    assert.match(await page.getByRole("option").first().textContent() ?? "", /^443/);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    assert.equal(await bar(page).inputValue(), "dst.port:443");
    // The Enter of an input method confirms a word and submits nothing.
    const before = page.url();
    await bar(page).evaluate((field) =>
      field.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true, isComposing: true }))
    );
    assert.equal(page.url(), before);
    await page.keyboard.press("Enter");
    await waitForFilter(page, "dst.port:443");
    await waitForRows(page, 2);
    await page.getByRole("button", { name: "Edit condition: destination port is 443" }).waitFor();
    await page.keyboard.press("Escape");
    assert.equal(await bar(page).evaluate((field) => field === document.activeElement), false);
  });

  await t.step("a network is a filter of its own", async () => {
    await bar(page).fill("203.0.113.0/24");
    await page.keyboard.press("Enter");
    await waitForFilter(page, "203.0.113.0/24");
    await waitForRows(page, 2);
  });

  await t.step("an error is underlined, explained and mended by one click", async () => {
    await bar(page).fill("proto:tcp dst.prt:80");
    await page.keyboard.press("Enter");
    await page.getByText("There is no field dst.prt").waitFor();
    assert.equal(await page.locator(".filter-marks mark").textContent(), "dst.prt");
    assert.equal(await bar(page).getAttribute("aria-invalid"), "true");
    // The list is still that of the last valid filter.
    assert.equal(filterOf(page), "203.0.113.0/24");
    await assertAccessible(page, "an error");
    await page.getByRole("button", { name: "Use dst.port" }).click();
    await waitForFilter(page, "proto:tcp dst.port:80");
    await waitForRows(page, 1);
  });

  await t.step("the filter survives a reload and the browser's history", async () => {
    await page.reload();
    await settled(page);
    assert.equal(await bar(page).inputValue(), "proto:tcp dst.port:80");
    await page.goBack();
    await waitForFilter(page, "203.0.113.0/24");
    assert.equal(await bar(page).inputValue(), "203.0.113.0/24");
    await page.goForward();
    await waitForFilter(page, "proto:tcp dst.port:80");
  });

  await t.step("conditions are excluded, edited and removed", async () => {
    await page.getByRole("button", { name: "Exclude: destination port is 80" }).click();
    await waitForFilter(page, "proto:tcp -dst.port:80");
    await waitForRows(page, 2);
    await page.getByRole("button", { name: "Edit condition: protocol is tcp" }).click();
    await page.getByRole("combobox", { name: "Condition" }).fill("proto:udp");
    await page.keyboard.press("Enter");
    await waitForFilter(page, "proto:udp -dst.port:80");
    await page.getByRole("button", { name: "Edit condition: protocol is udp" }).click();
    await page.getByRole("combobox", { name: "Condition" }).fill("proto:");
    await page.keyboard.press("Enter");
    await page.locator("#condition-fault").waitFor();
    await page.keyboard.press("Escape");
    assert.equal(filterOf(page), "proto:udp -dst.port:80");
    await page.getByRole("button", { name: "Remove condition: destination port is not 80" }).click();
    await waitForFilter(page, "proto:udp");
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    await waitForFilter(page, null);
    await waitForRows(page, CONNECTIONS.length);
  });

  await t.step("a value of the list becomes a condition", async () => {
    const row = page.locator("main [data-row-index]", { hasText: "203.0.113.9" });
    await row.getByRole("link", { name: "203.0.113.9", exact: true }).hover();
    await row.getByRole("button", { name: "Actions for address 203.0.113.9" }).click();
    await assertAccessible(page, "the menu of a value");
    await page.getByRole("menuitem", { name: "Exclude it" }).click();
    await waitForFilter(page, "-dst.ip:203.0.113.9");
    await waitForRows(page, CONNECTIONS.length - 1);
    // By keyboard: F2 enters the cell of a row.
    await page.locator("main [data-row-index] [role=gridcell]", { hasText: "tls" }).first().focus();
    await page.keyboard.press("F2");
    await page.keyboard.press("Alt+ArrowDown");
    await page.getByRole("menuitem", { name: "Filter for it" }).press("Enter");
    await page.waitForURL((url) =>
      /^-dst\.ip:203\.0\.113\.9 service=/.test(url.searchParams.get("filter") ?? "")
    );
  });

  await t.step("a question in English is answered, with its conditions as chips", async () => {
    await bar(page).fill("uploads over 10 MB in the last 2 hours");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => /src\.bytes/.test(url.searchParams.get("filter") ?? ""));
    await settled(page);
    await waitForRows(page, 1);
    await page.getByText("“uploads over 10 MB in the last 2 hours”").waitFor();
    await page.getByRole("button", { name: /^Edit condition: since/ }).waitFor();
    await page.getByRole("button", { name: "Time of the filter; use the time range of the page instead" })
      .click();
    await page.waitForURL((url) => !/time/.test(url.searchParams.get("filter") ?? ""));
    assert.match(filterOf(page) ?? "", /src\.bytes/);
  });

  await t.step(
    "a declined question shows what was not understood, and searches for what is in view",
    async () => {
      await bar(page).fill("who stole the cookies");
      await page.keyboard.press("Enter");
      await page.getByText("Not understood: “stole”, “cookies”").waitFor();
      assert.deepEqual(await page.locator(".filter-marks mark").allTextContents(), ["stole", "cookies"]);
      // What was listed before is not the answer, until it is asked for.
      await page.getByText("The text above cannot be applied").waitFor();
      assert.equal(await page.getByRole("grid").count(), 0);
      await assertAccessible(page, "a declined question");
      await page.getByRole("button", { name: "Show the list as it was" }).click();
      await page.getByRole("grid").waitFor();
      await bar(page).fill("who stole the cookies");
      await page.keyboard.press("Enter");
      const offered = page.getByRole("group", { name: "Other searches" }).getByRole("button");
      await offered.first().waitFor();
      const texts = await offered.allTextContents();
      assert.ok(texts.includes("service=tls"), texts.join("; "));
      // What was searched for before; no example of the documentation.
      assert.ok(texts.includes("uploads over 10 MB in the last 2 hours"), texts.join("; "));
      assert.ok(texts.every((text) => !/example/.test(text)), texts.join("; "));
      await offered.filter({ hasText: "service=tls" }).click();
      await waitForFilter(page, "service=tls");
      await page.getByRole("grid").waitFor();
    },
  );

  await t.step("a list without rows offers searches for what was in view", async () => {
    await bar(page).fill("dst.port:9");
    await page.keyboard.press("Enter");
    await page.getByText("No flows here").waitFor();
    await page.getByRole("group", { name: "Other searches" })
      .getByRole("button", { name: "service=tls" }).click();
    await waitForFilter(page, "service=tls");
    await page.getByRole("grid").waitFor();
  });

  await t.step("the query reference stays open beside the bar while a query is written", async () => {
    await page.getByRole("button", { name: "Query reference" }).click();
    const panel = page.getByRole("complementary", { name: "Help Query reference" });
    await panel.getByText("Conditions that follow each other must all hold").waitFor();
    await assertAccessible(page, "the query reference", { sizesIn: ".peek" });
    // Its tables scroll by themselves.
    assert.equal(
      await panel.locator(".peek-body").evaluate((body) => body.scrollWidth - body.clientWidth),
      0,
      "nothing is cut at the edge of the panel",
    );
    await panel.getByRole("button", { name: "Times", exact: true }).click();
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Times");
    await bar(page).fill("dst.port:443");
    await page.keyboard.press("Enter");
    await waitForFilter(page, "dst.port:443");
    await panel.waitFor();
    // There is room for one panel: each replaces the other.
    const shown = page.getByRole("complementary", { name: /^(Help|Flow)/ });
    await page.getByRole("button", { name: "Panel", exact: true }).click();
    await panel.waitFor({ state: "detached" });
    assert.match(await shown.getByRole("heading").first().textContent() ?? "", / to /);
    await page.getByRole("button", { name: "Query reference" }).click();
    await panel.waitFor();
    assert.equal(await shown.count(), 1);
    // A phone's top bar has a second line with the range, which may not cover the panel.
    await page.setViewportSize({ width: 390, height: 844 });
    await panel.getByRole("button", { name: "Close the panel" }).click();
    await panel.waitFor({ state: "detached" });
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await t.step("a question for the most frequent values shows them with their shares", async () => {
    const ranking = page.locator(".ranking");
    await go(page, at(`/explore?${RANGE}`));
    await bar(page).fill("bytes sent per hour");
    await page.keyboard.press("Enter");
    await page.waitForURL(/top=.*src\.bytes.*1h/);
    await page.getByRole("heading", { name: "Bytes sent of flows per hour" }).waitFor();
    await ranking.locator("li time").first().waitFor();

    await go(page, at(`/explore?${RANGE}`));
    await bar(page).fill("top destinations");
    await page.keyboard.press("Enter");
    await page.waitForURL(/top=dst\.ip/);
    await ranking.getByText("198.51.100.7").waitFor();
    assert.match(await ranking.locator("li").first().textContent() ?? "", /198\.51\.100\.7.*%/);
    await assertAccessible(page, "a ranking");
    await ranking.getByRole("button", { name: "198.51.100.7", exact: true }).click();
    await waitForFilter(page, "dst.ip:198.51.100.7");
    await waitForRows(page, 2);
  });

  await t.step("a search is saved, renamed, opened from another page and deleted", () => saved(page));

  await t.step("the sidebar counts what saved searches find", () => savedLinks(page));
  await t.step("a colleague's change of a search stands next to mine", () => conflict(browser, origin, page));
  await t.step("a search is downloaded", () => downloaded(page));

  await t.step("devices and incidents are filtered, too", async () => {
    await go(page, at("/devices"));
    await bar(page).fill("dst.port:443");
    await page.keyboard.press("Enter");
    await waitForFilter(page, "dst.port:443");
    await waitForRows(page, 1);
    await page.getByRole("combobox", { name: /^Risk/ }).click();
    await assertAccessible(page, "an open select");
    await page.getByRole("option").filter({ hasText: /critical/i }).click();
    await waitForFilter(page, "dst.port:443 device.score>=80");
    await page.getByText("No device matches", { exact: true }).waitFor();
    await go(page, at(`/triage?${RANGE}`));
    await bar(page).fill("status:resolved");
    await page.keyboard.press("Enter");
    await waitForFilter(page, "status:resolved");
  });

  await t.step("the query bar is accessible and fits a narrow window in both themes", async () => {
    for (const path of ["/explore", "/devices", "/triage"].map(at)) {
      for (const width of [1280, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await go(page, `${path}?${RANGE}&filter=src.ip:10.0.0.0/8+-dst.port:(22,+3389)+tag:critical`);
        await inBothThemes(page, `${path}, ${width}`);
        await bar(page).press("End");
        await page.keyboard.type(" dev");
        await page.getByRole("option").first().waitFor();
        // What is around them is the same.
        await inBothThemes(page, `suggestions of ${path}, ${width}`, ".filter-input");
        await assertFits(page, `${path}, ${width}`);
      }
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    // A question that is not understood, and the conflicts of a step.
    const expected = /^400 POST \/api\/v1\/search\/interpret$|^412 PATCH \/api\/v1\/saved-searches\//;
    assert.deepEqual(seen.refused.filter((line) => !expected.test(line)), []);
  });
  await context.close();

  await t.step("a reader opens shared searches and is offered no changes", async () => {
    const reader = await signedIn(browser, origin, "reader");
    await readerMenu(reader);
    await reader.close();
  });
}

async function saved(page: Page): Promise<void> {
  const menu = page.getByRole("button", { name: "Saved searches" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Save this search…" }).click();
  await assertAccessible(page, "the form of a search", IN_DIALOG);
  await page.getByLabel("Name").fill("Odd server");
  await page.getByLabel("Everyone of this tenant").check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  await menu.click();
  await page.getByRole("menuitem", { name: "Change or delete…" }).click();
  await page.getByRole("button", { name: "Change Odd server" }).click();
  await page.getByLabel("Name").fill("Known server");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("button", { name: "Change Known server" }).waitFor();
  await assertAccessible(page, "the saved searches", IN_DIALOG);
  await page.keyboard.press("Escape");

  await page.goto(at("/devices"));
  await settled(page);
  await menu.press("Enter");
  await assertAccessible(page, "the menu of saved searches");
  await page.getByRole("menuitem", { name: "Known server" }).press("Enter");
  await page.waitForURL((url) => url.pathname === at("/explore"));
  await page.getByRole("heading", { level: 1, name: "Explore" }).waitFor();
  assert.equal(filterOf(page), "dst.ip:198.51.100.7");

  // A second one, which is deleted.
  await menu.click();
  await page.getByRole("menuitem", { name: "Save this search…" }).click();
  await page.getByLabel("Name").fill("Mine");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await menu.click();
  await page.getByRole("menuitem", { name: "Change or delete…" }).click();
  await page.getByRole("button", { name: "Delete Mine" }).click();
  await page.getByRole("button", { name: "Delete", exact: true }).click();
  await page.getByRole("button", { name: "Delete Mine" }).waitFor({ state: "detached" });
  await page.keyboard.press("Escape");
}

/** The sidebar lists saved searches, shared ones first, with the number of rows behind each. */
async function savedLinks(page: Page): Promise<void> {
  const create = (name: string, scope: string, kind: string, text: string) =>
    send(page, "post", "/api/v1/saved-searches", { name, scope, kind, text });
  await create("A personal one", "personal", "incidents", "severity>=critical title:none-such");
  await create("Every device", "shared", "devices", "");
  await page.goto(at(`/explore?${RANGE}`));
  await settled(page);
  const list = page.getByRole("list", { name: "Saved searches" });
  await list.getByRole("link", { name: "A personal one 0 open incidents" }).waitFor();
  assert.deepEqual(await list.locator(".nav-name").allTextContents(), [
    "Every device",
    "Known server",
    "A personal one",
  ]);
  const link = list.getByRole("link", { name: "Every device" });
  const counted = await link.locator(".nav-count").textContent();
  await link.click();
  await page.waitForURL((url) => url.pathname === at("/devices"));
  await settled(page);
  const rows = Number(await page.locator("[role=grid]").getAttribute("aria-rowcount")) - 1;
  // The records of this test are of one device.
  assert.equal(rows, 1);
  assert.equal(counted, "1 device");
  assert.equal(await link.getAttribute("aria-current"), "page");
  await assertAccessible(page, "saved searches in the sidebar", undefined, "#sidebar");
}

async function savedByName(page: Page, name: string): Promise<SavedSearch> {
  const all = await read<SavedSearch[]>(page, "/api/v1/saved-searches");
  const found = all.find((one) => one.name === name);
  assert.ok(found, `a search named ${name}`);
  return found;
}

async function conflict(browser: Browser, origin: string, page: Page): Promise<void> {
  const context = await signedIn(browser, origin, "multi");
  const colleague = await context.newPage();
  await colleague.goto(at("/explore"));
  await settled(colleague);
  const change = async (name: string, patch: SavedSearchPatch) => {
    const { saved_search_id, revision } = await savedByName(page, name);
    await send(colleague, "patch", `/api/v1/saved-searches/${saved_search_id}`, patch, revision);
  };
  await page.goto(at(`/explore?${RANGE}`));
  await settled(page);
  await page.getByRole("button", { name: "Saved searches" }).click();
  await page.getByRole("menuitem", { name: "Change or delete…" }).click();
  await page.getByRole("button", { name: "Change Known server" }).click();
  const dialog = page.getByRole("dialog", { name: "Saved searches" });
  await dialog.getByLabel("Name").fill("Our server");
  await change("Known server", { text: "dst.ip:198.51.100.7 dst.port:443" });
  await dialog.getByRole("button", { name: "Save", exact: true }).click();
  const box = dialog.getByRole("alert");
  await box.getByText("This search changed after you opened it. Nothing was saved.").waitFor();
  await box.getByText("Mika Multi").waitFor();
  const cells = (name: string) => box.getByRole("row", { name }).getByRole("cell").allTextContents();
  assert.deepEqual(await cells("Name"), ["Known server", "unchanged", "Our server"]);
  assert.deepEqual(await cells("Filter"), [
    "dst.ip:198.51.100.7",
    "dst.ip:198.51.100.7 dst.port:443",
    "unchanged",
  ]);
  await assertAccessible(page, "the conflict of a search", IN_DIALOG);
  // What the form has when it is applied, not what was sent first.
  await dialog.getByLabel("Name").fill("Odd server of ours");
  await box.getByRole("button", { name: "Apply mine on top" }).click();
  await dialog.getByRole("button", { name: "Change Odd server of ours" }).waitFor();
  const { text } = await savedByName(page, "Odd server of ours");
  assert.equal(text, "dst.ip:198.51.100.7 dst.port:443");

  // A deletion does not drop a colleague's change silently, either.
  await dialog.getByRole("button", { name: "Delete Odd server of ours" }).click();
  await change("Odd server of ours", { name: "Known server" });
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await box.getByText("This search changed after you opened it. Nothing was saved.").waitFor();
  assert.deepEqual(await cells("Search"), ["kept", "unchanged", "deleted"]);
  assert.deepEqual(await cells("Name"), ["Odd server of ours", "Known server", "not edited here"]);
  await assertAccessible(page, "the conflict of a deletion", IN_DIALOG);
  await box.getByRole("button", { name: "Discard mine" }).click();
  await dialog.getByRole("button", { name: "Change Known server" }).waitFor();
  await page.keyboard.press("Escape");
  await context.close();
}

async function downloaded(page: Page): Promise<void> {
  await page.goto(at(`/explore?range=7d&filter=dst.port:443`));
  await settled(page);
  await page.getByRole("button", { name: "Export" }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download as CSV" }).click();
  const lines = (await Deno.readTextFile(await (await download).path())).trim().split(/\r?\n/);
  assert.equal(lines.length, 3);
  assert.match(lines[0] ?? "", /flow_id/);
}

async function readerMenu(reader: BrowserContext): Promise<void> {
  const page = await reader.newPage();
  await page.goto(at(`/explore?${RANGE}`));
  await settled(page);
  await page.getByRole("button", { name: "Saved searches" }).click();
  await page.getByRole("menuitem", { name: "Known server" }).waitFor();
  assert.equal(await page.getByRole("menuitem").count(), 2);
}
