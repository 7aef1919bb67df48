/// <reference lib="dom" />
// Values on every page, on records whose names attack the dashboard: an address leads to its flows in one click, and
// hostile names are text in an open row, in menus, in the record viewer and on the pages of entities.
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { Device } from "../../src/contract/device/device.ts";
import type { Incident } from "../../src/contract/incident/incident.ts";
import { actOn, followAddress } from "./address-steps.ts";
import { browserTest } from "./browser-test.ts";
import { HOSTILE_DEVICE, HOSTILE_NAMES, sendHostile } from "./hostile.ts";
import { pagesOf, visitPage } from "./pages.ts";
import { at, RANGE, signedIn } from "./steps.ts";
import { assertFits, read, readUntil, watch } from "./support.ts";
import { go, visit } from "./visit.ts";

const RECORDS_MILLISECONDS = 60_000;
const EVER = "from=1970-01-01T00:00:00Z";

browserTest(
  "values in a browser",
  { sample: false, ownDatabase: true },
  async ({ t, browser, up, origin }) => {
    await sendHostile(up.coreUrl, up.sources);
    await walk(t, browser, origin);
  },
);

async function open(page: Page, path: string): Promise<void> {
  await go(page, at(path));
}

/** Asserts that no name has run or can deceive. */
async function assertInert(page: Page, what: string): Promise<void> {
  const found = await page.evaluate(() => {
    const hidden = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
    const texts = [document.title];
    for (const element of document.querySelectorAll("body *")) {
      if (["SCRIPT", "STYLE"].includes(element.tagName)) continue;
      for (const node of element.childNodes) {
        if (node.nodeType === Node.TEXT_NODE) texts.push(node.nodeValue ?? "");
      }
      for (const name of ["title", "aria-label"]) texts.push(element.getAttribute(name) ?? "");
    }
    return {
      ran: "hostile" in globalThis,
      elements: document.querySelectorAll("[data-hostile], img[src=x]").length,
      deceptive: texts.filter((text) => hidden.test(text)).map((text) => JSON.stringify(text.slice(0, 80))),
    };
  });
  assert.deepEqual(found, { ran: false, elements: 0, deceptive: [] }, what);
}

/** Pages that show addresses, so that following them proves something. */
const WITH_ADDRESSES = [
  "overview",
  "triage",
  "incident",
  "explore",
  "explore, alerts",
  "flow",
  "devices",
  "device",
  "address",
  "decisions",
  "decision",
  "suppressions",
  "audit",
];

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const context = await signedIn(browser, origin, "responder");
  const seen = watch(context, origin);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  // A list of flows covers at most 31 days.
  const recent = `from=${new Date(Date.now() - 3_600_000).toISOString()}`;
  const wanted: [path: string, count: number][] = [
    [`incidents?${EVER}`, 1],
    [`flows?${recent}&filter=alert:*`, HOSTILE_NAMES.length],
    [`flows?${recent}&filter=http.host:*`, HOSTILE_NAMES.length],
  ];
  for (const [path, count] of wanted) {
    await readUntil<unknown[]>(
      page,
      `/api/v1/${path}`,
      ({ length }) => length >= count,
      RECORDS_MILLISECONDS,
    );
  }
  const [incident] = await read<Incident[]>(page, `/api/v1/incidents?${EVER}&sort=-score`);
  const [device] = await read<Device[]>(page, `/api/v1/devices?filter=${HOSTILE_DEVICE}`);

  const places: [name: string, path: string][] = [
    ["an incident", `/incidents/${incident!.id}`],
    ["a device", `/devices/${device!.device_id}?${RANGE}`],
    ["Explore", `/explore?${RANGE}`],
    ["the page of an address", `/address/198.51.100.1?${RANGE}`],
  ];
  for (const [name, path] of places) {
    await t.step(`an address on ${name} leads to its flows in one click`, async () => {
      await open(page, path);
      const chip = page.locator("main .entity-address .entity-link").filter({ hasText: /^198\.51\.100\.\d$/ })
        .first();
      const ip = await chip.textContent();
      await chip.click();
      await page.waitForURL((url) => url.pathname === at(`/address/${ip}`));
      await page.getByRole("grid", { name: "Flows" }).locator(".grid-body [role=row]").first().waitFor();
    });
  }

  await t.step("an address in the tables of the map leads to its flows in one click", async () => {
    // The map's stream never ends, so the network is never idle.
    await visit(page, at(`/map?${RANGE}&view=table`));
    const row = page.getByRole("row").filter({ hasText: "198.51.100.1" }).first();
    await row.getByRole("link", { name: /^\d+$/ }).first().click();
    await page.waitForURL((url) => url.pathname === at("/explore") && url.searchParams.has("filter"));
    await page.locator(".grid-body [role=row]").first().waitFor();
  });

  await t.step("an address on any page leads to its flows in one click", async () => {
    const [analyst, admin] = [
      await signedIn(browser, origin, "analyst"),
      await signedIn(browser, origin, "admin"),
    ];
    const visitors = { responder: page, analyst: await analyst.newPage(), admin: await admin.newPage() };
    await actOn(incident!, page, visitors.analyst);
    const followed: string[] = [];
    for (const one of await pagesOf(page, { address: HOSTILE_DEVICE, domain: "none.example" })) {
      // The API's document has examples, not values.
      if (!one.path.startsWith("/t/")) continue;
      const visitor = visitors[one.account];
      await visitPage(visitor, one);
      if (await followAddress(visitor, one.name)) followed.push(one.name);
    }
    await analyst.close();
    await admin.close();
    assert.deepEqual(WITH_ADDRESSES.filter((name) => !followed.includes(name)), [], "pages with addresses");
  });

  await t.step("hostile names are text in rows, menus and records", async () => {
    for (const view of ["alerts", "dns", "tls", "http"]) {
      await open(page, `/explore?${RANGE}&view=${view}`);
      await page.locator(".grid-body .entity").first().waitFor();
      assert.equal(await page.locator(".grid-body [role=row]").count(), HOSTILE_NAMES.length, view);
      for (let index = 0; index < HOSTILE_NAMES.length; index++) {
        const row = page.locator(".grid-body [data-row-index]").nth(index);
        const chip = row.locator(".entity-domain, .entity-signature").first();
        await chip.hover();
        await chip.getByRole("button").click();
        // A name of 10 kB is longer than a filter may be; any value can be copied.
        await page.getByRole("menuitem", { name: "Copy", exact: true }).waitFor();
        await assertInert(page, `the menu of a value in ${view}`);
        await page.keyboard.press("Escape");
        await page.getByRole("menu").waitFor({ state: "detached" });
      }
      await page.locator(".grid-toggle button").first().click();
      await page.getByRole("button", { name: "Raw record" }).first().click();
      await page.getByRole("region", { name: "Payload" }).waitFor();
      await assertInert(page, `a record in ${view}`);
      await assertFits(page, `a record in ${view}`);
    }
  });

  await t.step("hostile names are text on their pages", async () => {
    for (const [index, name] of HOSTILE_NAMES.entries()) {
      // An address line has no room for 10 kB.
      if (name.length > 2000) continue;
      for (const path of [`/domain/${encodeURIComponent(name)}`, `/signature/${2_000_001 + index}`]) {
        await open(page, `${path}?${RANGE}`);
        await assertInert(page, path);
        await assertFits(page, path);
      }
    }
  });

  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    assert.deepEqual(seen.refused, []);
  });
  await context.close();
}
