/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// What holds on every page, on records whose names attack the dashboard: accessible in both themes and in print,
// nothing moves, nothing leaves the origin, names are inert, motion is reduced on request.
import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Device } from "../../src/contract/device/device.ts";
import type { Incident } from "../../src/contract/incident/incident.ts";
import type { Session } from "../../src/contract/session/session.ts";
import { startRecordingProxy } from "../support/recording-proxy.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { startUp } from "../support/up.ts";
import { HOSTILE_DEVICE, HOSTILE_NAMES, sendHostile } from "./hostile.ts";
import { type DashboardPage, openPage, pagesOf } from "./pages.ts";
import { at, signedIn } from "./steps.ts";
import {
  assertAccessible,
  assertFits,
  COLOUR_RULES,
  launch,
  read,
  readUntil,
  recordShifts,
  rulesAndSizesIn,
  watch,
} from "./support.ts";

const RECORDS_MILLISECONDS = 60_000;
const LARGEST_SHIFT = 0.02;
/** Pixels between two cards. */
const LEAST_GAP = 8;
const WIDE = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Milliseconds of an animation; `base.css` sets less under reduced motion, because zero would suppress `animationend`. */
const LONGEST_REDUCED_MOTION = 1;
/** Services that Chromium itself asks, whatever the page. */
const OF_CHROMIUM =
  /\b(update|content-autofill|optimizationguide-pa)\.googleapis\.com\b|\baccounts\.google\.com\b/;
const PICTURES = Deno.env.get("NDR_TEST_PICTURES");

const chromiumPath = await findChromium();

Deno.test({
  name: "every page of the dashboard",
  ignore: chromiumPath === null,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    await using proxy = startRecordingProxy();
    const up = await startUp({ sample: false, ownDatabase: true });
    const browser = await launch(chromiumPath!, { proxy: proxy.url });
    try {
      const origin = new URL(up.baseUrl).origin;
      await sendHostile(up.coreUrl, up.sources);
      await walk(t, browser, origin);
      await t.step("the browser asked for nothing outside the appliance", async () => {
        const foreign = () => proxy.requests.filter((line) => !OF_CHROMIUM.test(line));
        assert.deepEqual(foreign(), []);
        // Proves that the proxy records. Not every Chromium takes its refusal for a failed navigation.
        const page = await browser.newPage();
        await page.goto("http://outside.example/").catch(() => {});
        const requests = foreign();
        assert.ok(requests.length > 0, "the proxy recorded nothing");
        for (const line of requests) assert.match(line, /^GET http:\/\/outside\.example\/ /);
      });
    } finally {
      await browser.close();
      await up.stop();
    }
  },
});

/** Waits until every hostile name has become a flow with an alert, and the first of them an incident. */
async function waitForRecords(page: Page): Promise<void> {
  await page.goto(at("/triage"));
  const from = new Date(Date.now() - 3_600_000).toISOString();
  const flows = `/api/v1/flows?from=${from}&filter=alert:*`;
  const isThere = (count: number) => ({ length }: unknown[]) => length >= count;
  await readUntil(page, flows, isThere(HOSTILE_NAMES.length), RECORDS_MILLISECONDS);
  await readUntil(page, `/api/v1/incidents?from=${from}`, isThere(1), RECORDS_MILLISECONDS);
}

/** Text that people type: a name, a comment, a proposed action, a suppression. */
async function typeHostile(analyst: Page, responder: Page): Promise<void> {
  const headers = async (page: Page) => {
    const { csrf_token } = await read<Session>(page, "/api/v1/session");
    return { "x-csrf-token": csrf_token, "idempotency-key": crypto.randomUUID() };
  };
  const [incident] = await read<Incident[]>(
    analyst,
    "/api/v1/incidents?from=1970-01-01T00:00:00Z&sort=-score",
  );
  const [device] = await read<Device[]>(
    analyst,
    `/api/v1/devices?filter=${encodeURIComponent(HOSTILE_DEVICE)}`,
  );
  const name = HOSTILE_NAMES[0]!.slice(0, 128);
  const named = await analyst.request.patch(`/api/v1/devices/${device!.device_id}`, {
    headers: { ...await headers(analyst), "if-match": `"${device!.revision}"` },
    data: { display_name: name },
  });
  assert.equal(named.status(), 200, await named.text());
  const commented = await analyst.request.patch(`/api/v1/incidents/${incident!.id}`, {
    headers: { ...await headers(analyst), "if-match": `"${incident!.revision}"` },
    data: { status: "investigating", comment: HOSTILE_NAMES[0] },
  });
  assert.equal(commented.status(), 200, await commented.text());
  const proposed = await responder.request.post(`/api/v1/incidents/${incident!.id}/response-actions`, {
    headers: await headers(responder),
    data: {
      kind: "quarantine_device",
      target: { device_id: device!.device_id },
      reason: HOSTILE_NAMES[0],
    },
  });
  assert.equal(proposed.status(), 201, await proposed.text());
}

/** Asserts that the names of the records are text, and that none can deceive. */
async function assertInert(page: Page, what: string): Promise<void> {
  const found = await page.evaluate(() => {
    const hidden = /(?![\t\n\r])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts: string[] = [document.title];
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (!["SCRIPT", "STYLE"].includes(node.parentElement?.tagName ?? "")) texts.push(node.nodeValue ?? "");
    }
    for (const element of document.querySelectorAll("[title]")) texts.push(element.getAttribute("title")!);
    return {
      ran: "hostile" in globalThis,
      elements: document.querySelectorAll("[data-hostile], img[src=x]").length,
      deceptive: texts.filter((text) => hidden.test(text)).map((text) => JSON.stringify(text.slice(0, 80))),
    };
  });
  assert.deepEqual(found, { ran: false, elements: 0, deceptive: [] }, what);
}

async function assertStill(shifts: () => Promise<{ shift: number; moved: string[] }>, what: string) {
  const { shift, moved } = await shifts();
  assert.ok(shift < LARGEST_SHIFT, `${what} moves by ${shift}: ${moved.join("; ")}`);
}

/** Asserts that no card touches another one, as those do whose style sheet is not loaded. */
async function assertApart(page: Page, what: string): Promise<void> {
  const touching = await page.evaluate((least) => {
    const cards = [...document.querySelectorAll("main .card")].map((card) => ({
      card,
      name: card.querySelector("h2")?.textContent ?? card.className,
      box: card.getBoundingClientRect(),
    })).filter(({ box }) => box.width > 0 && box.height > 0);
    return cards.flatMap((one, index) =>
      cards.slice(index + 1).filter(({ card, box }) =>
        !one.card.contains(card) &&
        Math.max(box.left - one.box.right, one.box.left - box.right) < least &&
        Math.max(box.top - one.box.bottom, one.box.top - box.bottom) < least
      ).map(({ name }) => `${one.name} and ${name}`)
    );
  }, LEAST_GAP);
  assert.deepEqual(touching, [], what);
}

/** Asserts that animations end at once, and that nothing has transitions. */
async function assertReducedMotion(page: Page, what: string): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const moving = await page.evaluate((longest) => {
    const milliseconds = (times: string) =>
      Math.max(...times.split(",").map((time) => parseFloat(time) * (/\dms$/.test(time.trim()) ? 1 : 1000)));
    return [...document.querySelectorAll("body, body *")].filter((element) => {
      const { animationDuration, transitionDuration } = getComputedStyle(element);
      return milliseconds(animationDuration) > longest || milliseconds(transitionDuration) > 0;
    }).map((element) => `${element.tagName}.${element.getAttribute("class")}`);
  }, LONGEST_REDUCED_MOTION);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  assert.deepEqual(moving, [], what);
}

async function picture(page: Page, { name }: DashboardPage, variant: string): Promise<void> {
  if (!PICTURES) return;
  await page.screenshot({ path: `${PICTURES}/${name.replaceAll(/\W+/g, "-")}-${variant}.png` });
}

/** Runs every check, so that one finding does not hide the others. */
async function all(checks: (() => Promise<void>)[]): Promise<void> {
  const failures: string[] = [];
  for (const check of checks) {
    await check().catch((error) => failures.push(error instanceof Error ? error.message : String(error)));
  }
  assert.ok(failures.length === 0, failures.join("\n\n"));
}

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const seen = new Map<BrowserContext, ReturnType<typeof watch>>();
  const open = async (account: string) => {
    const context = await signedIn(browser, origin, account, { reducedMotion: "no-preference" });
    seen.set(context, watch(context, origin));
    const page = await context.newPage();
    return { page, shifts: await recordShifts(page) };
  };
  const responder = await open("responder");
  const analyst = await open("analyst");
  const admin = await open("admin");
  await waitForRecords(analyst.page);
  await typeHostile(analyst.page, responder.page);
  const pages = await pagesOf(analyst.page, { address: HOSTILE_DEVICE, domain: HOSTILE_NAMES[0]! });

  for (const one of pages) {
    const { page, shifts } = { analyst, responder, admin }[one.account];
    await t.step(one.name, async () => {
      await page.setViewportSize(WIDE);
      await openPage(page, one);
      await all([
        () => assertStill(shifts, "1440 pixels wide"),
        () => assertFits(page, "1440 pixels wide"),
        () => assertApart(page, "1440 pixels wide"),
        () => assertInert(page, "names"),
        () => assertReducedMotion(page, "reduced motion"),
        ...(["light", "dark"] as const).map((colorScheme) => async () => {
          await page.emulateMedia({ colorScheme });
          await picture(page, one, colorScheme);
          await assertAccessible(page, colorScheme, rulesAndSizesIn(colorScheme));
        }),
        async () => {
          await page.emulateMedia({ colorScheme: "light", media: "print" });
          await picture(page, one, "print");
          await assertAccessible(page, "print", COLOUR_RULES).finally(() =>
            page.emulateMedia({ media: null })
          );
        },
        async () => {
          await page.setViewportSize(PHONE);
          await openPage(page, one);
          await assertStill(shifts, "390 pixels wide");
        },
        () => assertFits(page, "390 pixels wide"),
        () => picture(page, one, "phone"),
      ]);
    });
  }

  await t.step("no request left the origin, and the browser reported no errors", () => {
    for (const { foreign, complaints, refused } of seen.values()) {
      assert.deepEqual(foreign, []);
      assert.deepEqual(complaints, []);
      assert.deepEqual(refused.filter((line) => line !== "404 GET /api/v1/incidents/none"), []);
    }
  });
}
