/// <reference lib="dom" />
// The frame around every page: addresses, tenants, keys, time, the change feed, lost connections.
import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Flow } from "../../src/contract/flow/flow.ts";
import type { Incident } from "../../src/contract/incident/incident.ts";
import type { Session } from "../../src/contract/session/session.ts";
import { browserTest } from "./browser-test.ts";
import { arrivals, panel } from "./list-steps.ts";
import { at, choose, RANGE, recordsProcessed, sampleSent, signedIn } from "./steps.ts";
import { times } from "./time-steps.ts";
import { assertAccessible, IN_DIALOG, read, settled, watch } from "./support.ts";
import { quietAfter } from "./visit.ts";

const SAMPLE_MILLISECONDS = 60_000;
/** Fetched when the page has been idle for a while, which it is at times before the test looks. */
const FETCHED_LATER = /\/assets\/(mono-font|jetbrains-mono|print-head)/;
const FIRST_LOAD_BYTES = 260 * 1024;
const MOST_SHIFT = 0.02;

browserTest(
  "the shell of the dashboard in a browser",
  { sample: "loaded" },
  async ({ t, browser, up, origin }) => {
    await sampleSent(up);
    const context = await signedIn(browser, origin, "analyst");
    const seen = watch(context, origin);
    const page = await context.newPage();
    await recordsProcessed(page);
    await page.goto(at(`/triage?${RANGE}`));
    await page.locator('main a[href*="/incidents/"]').first().waitFor({ timeout: SAMPLE_MILLISECONDS });
    await addresses(t, page);
    await keys(t, page);
    await palette(t, page);
    await times(t, browser, origin);
    await feed(t, context, page);
    await returns(t, page);
    await panel(t, page);
    await arrivals(t, page);
    await codeOutage(t, browser, origin);
    await t.step("no request left the origin, and the browser reported no errors", () => {
      assert.deepEqual(seen.foreign, []);
      assert.deepEqual(seen.complaints, []);
      assert.deepEqual(
        seen.refused.filter((line) => !/^404 GET \/api\/v1\/(incidents|devices|flows)\//.test(line)),
        [],
      );
    });
    await lost(t, context, page);
    await context.close();
    await tenants(t, browser, origin);
    await firstLoad(t, browser, origin);
  },
);

const monthAgo = () => new Date(Date.now() - 30 * 86_400_000).toISOString();

const path = (page: Page) => {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
};

async function addresses(t: Deno.TestContext, page: Page): Promise<void> {
  await t.step("the address without a path leads to the overview of the session's tenant", async () => {
    await page.goto("/?range=7d");
    await page.waitForURL((url) => url.pathname + url.search === at("?range=7d"));
    await settled(page);
    await page.goto("/no/such/page");
    await page.getByText("Page not found").waitFor();
    await page.getByRole("link", { name: "Go to the overview" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    assert.match(path(page), /^\/t\/main/);
  });

  await t.step("a tenant of somebody else is not found", async () => {
    await page.goto("/t/elsewhere/devices");
    await page.getByRole("heading", { name: "Tenant not found" }).waitFor();
    await assertAccessible(page, "foreign tenant");
    await page.getByRole("link", { name: /^Go to/ }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  });

  await t.step("the sidebar collapses and stays so", async () => {
    const name = page.locator(".sidebar").getByText("Explore", { exact: true });
    const width = () => page.locator(".sidebar").evaluate((bar) => bar.getBoundingClientRect().width);
    const wide = await width();
    await page.getByRole("button", { name: "Menu" }).click();
    assert.ok(await width() < wide / 2);
    await page.reload();
    await settled(page);
    assert.ok(await width() < wide / 2);
    await assertAccessible(page, "collapsed sidebar");
    await page.getByRole("button", { name: "Menu" }).click();
    await name.waitFor();
  });
}

async function keys(t: Deno.TestContext, page: Page): Promise<void> {
  await t.step(
    "? lists the shortcuts that are registered, and each place is reached by its sequence",
    async () => {
      await page.goto(at(""));
      await settled(page);
      await page.keyboard.press("?");
      const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
      await dialog.waitFor();
      await dialog.getByText("Earlier time range").waitFor();
      await dialog.getByText("Search and commands").waitFor();
      await assertAccessible(page, "shortcuts", IN_DIALOG);
      await page.keyboard.press("Escape");
      const places: [string, string][] = [
        ["t", "/triage"],
        ["e", "/explore"],
        ["d", "/devices"],
        ["s", "/system/health"],
        ["o", ""],
      ];
      for (const [key, to] of places) {
        await page.keyboard.press("g");
        await page.keyboard.press(key);
        await page.waitForURL((url) => url.pathname === at(to));
        await settled(page);
      }
    },
  );

  await t.step("/ opens the search on a page without a filter; keys do nothing in a field", async () => {
    await page.goto(at("/system/health"));
    await settled(page);
    await page.keyboard.press("/");
    const dialog = page.getByRole("dialog", { name: "Search and commands" });
    await dialog.waitFor();
    await page.keyboard.type("g?");
    assert.equal(await dialog.getByRole("combobox").inputValue(), "g?");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
  });
}

async function palette(t: Deno.TestContext, page: Page): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "Search and commands" });
  const open = async (text: string) => {
    await page.keyboard.press("Control+k");
    await dialog.waitFor();
    await dialog.getByRole("combobox").fill(text);
  };

  await t.step(
    "the palette jumps to a page, a device, an incident by its id and the flows of an address",
    async () => {
      await open("explo");
      await dialog.getByRole("option", { name: /Explore/ }).waitFor();
      await assertAccessible(page, "palette", IN_DIALOG);
      // The Enter of an input method confirms a word; it runs nothing.
      for (const composing of [{ isComposing: true }, { keyCode: 229 }]) {
        const ran = await dialog.getByRole("combobox").evaluate((field, composing) => {
          let seen = false;
          document.addEventListener("keydown", () => seen = true, { once: true });
          field.dispatchEvent(
            new KeyboardEvent("keydown", { key: "Enter", bubbles: true, cancelable: true, ...composing }),
          );
          return seen;
        }, composing);
        assert.equal(ran, false);
        assert.ok(await dialog.isVisible());
      }
      await page.keyboard.press("Enter");
      await page.waitForURL((url) => url.pathname === at("/explore"));

      const [device] = await read<{ device_id: string; display_name: string }[]>(
        page,
        "/api/v1/devices?limit=1",
      );
      await open(device!.display_name);
      await dialog.getByRole("option", { name: `${device!.display_name} Device`, exact: true }).click();
      await page.waitForURL((url) => url.pathname === at(`/devices/${device!.device_id}`));

      const from = new Date(Date.now() - 30 * 86_400_000).toISOString();
      const [incident] = await read<Incident[]>(page, `/api/v1/incidents?from=${from}&limit=1`);
      await open(incident!.id);
      await dialog.getByRole("option", { name: /Incident$/ }).click();
      await page.waitForURL((url) => url.pathname === at(`/incidents/${incident!.id}`));

      await open("198.51.100.7");
      await dialog.getByRole("option", { name: /^Flows of 198\.51\.100\.7/ }).click();
      await page.waitForURL((url) => url.pathname === at("/explore") && /198\.51\.100\.7/.test(url.search));
    },
  );

  await t.step("the palette finds help, signatures, Community IDs and what the page can do", async () => {
    await open("threat intelligence");
    await dialog.getByRole("option", { name: "Threat intelligence Help" }).click();
    await page.getByRole("heading", { level: 1, name: "Threat intelligence" }).waitFor();

    await open("self signed certificate");
    await dialog.getByRole("option", { name: /self signed certificate.* Signature, \d+ flows? in 30 days$/i })
      .first().click();
    await page.waitForURL((url) => url.pathname.startsWith(at("/signature/")));
    await settled(page);

    const [flow] = await read<Flow[]>(page, `/api/v1/flows?filter=community_id:*&limit=1&from=${monthAgo()}`);
    await open(flow!.community_id!);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("filter") === `community_id=${flow!.community_id}`);
    await page.locator("main .grid-body [role=row]").first().waitFor();

    await page.goto(at("/triage"));
    await page.locator("main [role=grid] a.row-link").first().click();
    await page.getByRole("toolbar", { name: "Actions" }).waitFor();
    await open("resolve");
    await dialog.getByRole("option", { name: /^Resolve/ }).waitFor();
    await page.keyboard.press("Enter");
    const resolve = page.getByRole("dialog", { name: "Resolve" });
    await resolve.getByLabel(/Comment/).waitFor();
    assert.ok(await resolve.getByLabel(/Comment/).evaluate((field) => field === document.activeElement));
    await page.keyboard.press("Escape");
    await resolve.waitFor({ state: "hidden" });
  });

  await t.step("the palette runs commands", async () => {
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const before = await background();
    await open("dark theme");
    await page.keyboard.press("Enter");
    await page.waitForFunction((old) => getComputedStyle(document.body).backgroundColor !== old, before);
    await assertAccessible(page, "dark theme");
    await open("system theme");
    await dialog.getByRole("option", { name: "Use the theme of the system" }).click();
    assert.equal(await background(), before);
  });
}

/** Several polls. */
const UNCHANGED_MILLISECONDS = 120_000;

async function feed(t: Deno.TestContext, context: BrowserContext, page: Page): Promise<void> {
  await t.step("one tab polls for all, and the other takes over when it is closed", async () => {
    const polls: string[] = [];
    const poller = await context.newPage();
    // What the page asked for until now is no poll of this step.
    await page.goto("about:blank");
    for (const [name, tab] of [["first", poller], ["second", page]] as const) {
      tab.on("request", (request) => request.url().endsWith("/api/v1/summary") && polls.push(name));
    }
    await poller.goto(at("/devices"));
    await settled(poller);
    await poller.waitForRequest(/\/api\/v1\/summary$/);
    await page.goto(at("/devices"));
    await settled(page);
    // The count of the sidebar comes by the channel.
    await page.locator(".nav-count").first().waitFor();
    await poller.waitForRequest(/\/api\/v1\/summary$/);
    assert.deepEqual([...new Set(polls)], ["first"]);
    const next = page.waitForRequest(/\/api\/v1\/summary$/);
    await poller.close();
    await next;
  });

  await t.step("an unchanged summary is answered without a body", async () => {
    // The sample goes on, so some polls find changes.
    const answer = await page.waitForResponse(
      (response) => response.url().endsWith("/api/v1/summary") && response.status() === 304,
      { timeout: UNCHANGED_MILLISECONDS },
    );
    assert.ok(answer.request().headers()["if-none-match"]);
  });

  await t.step("a change by somebody else appears without reading again", async () => {
    await page.goto(at("/triage"));
    await settled(page);
    const count = page.getByRole("link", { name: /^Triage/ }).locator(".nav-count");
    const before = Number.parseInt((await count.textContent())!, 10);
    const from = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const [incident] = await read<Incident[]>(
      page,
      `/api/v1/incidents?from=${from}&status=open&suppressed=false&limit=1`,
    );
    const { csrf_token } = await read<Session>(page, "/api/v1/session");
    const response = await page.request.patch(`/api/v1/incidents/${incident!.id}`, {
      headers: {
        "if-match": `"${incident!.revision}"`,
        "idempotency-key": crypto.randomUUID(),
        "x-csrf-token": csrf_token,
      },
      data: { status: "resolved", comment: "Agreed with operations." },
    });
    assert.equal(response.status(), 200);
    await page.waitForFunction(
      (old) => Number.parseInt(document.querySelector(".nav-count")?.textContent ?? "", 10) < old,
      before,
    );
  });

  await t.step("a paused page asks for nothing until it continues", async () => {
    const pause = page.getByRole("button", { name: "Pause live updates" });
    await quietAfter(page, () => pause.click());
    assert.equal(await pause.getAttribute("aria-pressed"), "true");
    let asked = 0;
    const count = () => asked++;
    page.on("request", count);
    // Another tab of the person polls meanwhile: its summary comes by the channel and is not shown.
    const other = await context.newPage();
    await other.goto(at("/devices"));
    await other.waitForRequest(/\/api\/v1\/summary$/);
    await other.waitForRequest(/\/api\/v1\/summary$/);
    await other.close();
    assert.equal(asked, 0);
    page.off("request", count);
    const next = page.waitForRequest(/\/api\/v1\/summary$/);
    await page.bringToFront();
    await pause.click();
    await next;
  });

  await t.step("notifications list what was opened since the person last looked", async () => {
    await page.evaluate(() => localStorage.removeItem("ndr.looked.main"));
    await page.reload();
    await settled(page);
    const bell = page.getByRole("button", { name: /^Notifications/ });
    await page.getByRole("button", { name: /^Notifications: [1-9]\d* new incidents/ }).waitFor();
    await bell.click();
    await page.locator(".news-item").first().waitFor();
    await assertAccessible(page, "notifications", { sizesIn: ".news-panel" });
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Notifications: (nothing new|0 new incidents)/ }).waitFor();
  });
}

async function returns(t: Deno.TestContext, page: Page): Promise<void> {
  await t.step("Back returns to the focused row and the scroll position", async () => {
    await page.goto(at(`?${RANGE}`));
    await settled(page);
    await page.setViewportSize({ width: 1280, height: 500 });
    const row = page.locator("main a[data-row]").last();
    await row.focus();
    const href = await row.getAttribute("href");
    const scroll = await page.evaluate(() => scrollY);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) =>
      url.pathname + url.search === href || url.pathname === href!.split("?")[0]
    );
    await settled(page);
    await page.goBack();
    await page.waitForFunction((wanted) => document.activeElement?.getAttribute("href") === wanted, href);
    assert.equal(await page.evaluate(() => scrollY), scroll);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
}

async function lost(t: Deno.TestContext, context: BrowserContext, page: Page): Promise<void> {
  await t.step("offline: the page says so and keeps what was typed", async () => {
    await page.goto(at("/devices"));
    await settled(page);
    await page.locator("[role=grid] .entity-device").first().getByRole("link").click();
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Front desk");
    await context.setOffline(true);
    await page.getByText("You are offline.").waitFor({ state: "attached" });
    await page.getByRole("button", { name: "Save and confirm" }).click();
    await page.getByText("The server cannot be reached.").waitFor();
    assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Front desk");
    await context.setOffline(false);
    await page.getByText("You are offline.").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save and confirm" }).click();
    await page.getByRole("heading", { level: 1, name: "Front desk" }).waitFor();
  });

  await t.step(
    "an expired session: the page stays, and continues after the sign-in in another tab",
    async () => {
      await page.getByRole("button", { name: "Edit" }).click();
      await page.getByLabel("Name", { exact: true }).fill("Back office");
      const { csrf_token } = await read<Session>(page, "/api/v1/session");
      await page.request.post("/auth/logout", { headers: { "x-csrf-token": csrf_token }, maxRedirects: 0 });
      await page.getByRole("button", { name: "Save and confirm" }).click();
      await page.getByText("Your session has ended.").waitFor();
      await assertAccessible(page, "ended session");
      assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Back office");
      const other = await context.newPage();
      await other.goto("/auth/login?login_hint=analyst");
      await other.locator("main h1").first().waitFor();
      await other.close();
      // The other tab announces its session; the dialog and its text are still there.
      await page.getByText("Your session has ended.").waitFor({ state: "detached" });
      assert.equal(await page.getByLabel("Name", { exact: true }).inputValue(), "Back office");
      await page.getByRole("button", { name: "Save and confirm" }).click();
      await page.getByRole("heading", { level: 1, name: "Back office" }).waitFor();
    },
  );
}

async function tenants(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  await t.step("the tenant of the address wins, and the switch changes the address", async () => {
    const context = await signedIn(browser, origin, "multi");
    const page = await context.newPage();
    const { tenants } = await read<Session>(page, "/api/v1/session");
    const [first, second] = tenants.map(({ tenant_id }) => tenant_id) as [string, string];
    const name = tenants[1]!.display_name;
    for (const tenant of [first, second, first]) {
      await page.goto(`/t/${tenant}/devices`);
      await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
      assert.equal((await read<Session>(page, "/api/v1/session")).selected_tenant, tenant);
    }
    await choose(page, "Tenant", name);
    await page.waitForURL((url) => url.pathname === `/t/${second}`);
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    assert.equal((await read<Session>(page, "/api/v1/session")).selected_tenant, second);
    // Back returns to the page and its tenant.
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
    assert.equal((await read<Session>(page, "/api/v1/session")).selected_tenant, first);
    await context.close();
  });
}

async function firstLoad(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  await t.step("the first load is small, and nothing moves", async () => {
    const context = await signedIn(browser, origin, "analyst");
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.setCacheDisabled", { cacheDisabled: true });
    const files = new Map<string, string>();
    let bytes = 0;
    session.on("Network.responseReceived", ({ requestId, response }) => files.set(requestId, response.url));
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const url = files.get(requestId) ?? "";
      if (!/\/api\//.test(url) && !FETCHED_LATER.test(url)) bytes += encodedDataLength;
    });
    await page.goto(at(""));
    await settled(page);
    assert.ok(
      bytes > 50_000 && bytes <= FIRST_LOAD_BYTES,
      `${bytes} bytes: ${[...files.values()].join(" ")}`,
    );
    const shift = await page.evaluate(() =>
      new Promise<number>((resolve) => {
        let sum = 0;
        new PerformanceObserver((list) => {
          for (
            const entry of list
              .getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]
          ) {
            if (!entry.hadRecentInput) sum += entry.value;
          }
          resolve(sum);
        }).observe({ type: "layout-shift", buffered: true });
        requestAnimationFrame(() => requestAnimationFrame(() => resolve(sum)));
      })
    );
    assert.ok(shift < MOST_SHIFT, `layout shift ${shift}`);
    await context.close();
  });
}

async function codeOutage(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const context = await signedIn(browser, origin, "reader");
  const page = await context.newPage();
  await t.step("a page whose code cannot be loaded says so, stays, and is loaded on request", async () => {
    await page.goto(at(`/explore?${RANGE}`));
    await settled(page);
    await context.setOffline(true);
    await page.getByRole("button", { name: /^Notifications/ }).click();
    await page.getByText("NDR does not answer, so the list cannot be loaded.").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Proposals", exact: true }).click();
    await page.getByText("NDR does not answer, so the code of this page cannot be loaded.").waitFor();
    assert.ok(page.url().startsWith(origin));
    await context.setOffline(false);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("heading", { level: 1, name: "Proposals" }).waitFor();
  });
  await context.close();
}
