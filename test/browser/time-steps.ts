/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The time range and the zone of every page, for a person in Berlin.
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import { pagesOf, visitPage } from "./pages.ts";
import { at, RANGE } from "./steps.ts";
import { assertAccessible, assertFits, readUntil, settled } from "./support.ts";

export async function times(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const context = await browser.newContext({ baseURL: origin, timezoneId: "Europe/Berlin" });
  const page = await context.newPage();
  await page.goto("/auth/login?login_hint=analyst");
  await page.locator("main h1").first().waitFor();
  const button = page.getByRole("button", { name: /^Time range:/ });
  const from = page.getByLabel("From", { exact: true });
  const to = page.getByLabel("To", { exact: true });
  const range = () => {
    const { searchParams } = new URL(page.url());
    return [searchParams.get("from"), searchParams.get("to")];
  };

  await t.step("a range in a repeated hour and an end with milliseconds stay exact", async () => {
    // Clocks in Berlin went back from 03:00 to 02:00 on 26 October 2025, at 01:00 UTC.
    const exact = ["2025-10-26T01:30:00.000Z", "2025-10-26T09:59:59.999Z"];
    await page.goto(at(`?from=${exact[0]}&to=${exact[1]}`));
    await settled(page);
    await button.click();
    assert.equal(await from.inputValue(), "2025-10-26 02:30:00 +01:00");
    assert.equal(await to.inputValue(), "2025-10-26 10:59:59.999");
    await page.getByRole("button", { name: "Apply" }).click();
    assert.deepEqual(range(), exact);
    await button.click();
    await from.fill("26 Oct, half past two");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("“From” is not a time.").waitFor();
    await assertAccessible(page, "range panel with a fault");
    // What was typed is kept.
    assert.equal(await from.inputValue(), "26 Oct, half past two");
    await from.fill("2025-10-26 11:00");
    await page.getByRole("button", { name: "Apply" }).click();
    await page.getByText("“From” must be earlier than “to”.").waitFor();
    await page.keyboard.press("Escape");
    assert.deepEqual(range(), exact);
  });

  await t.step("steps, zoom and presets change the range", async () => {
    const group = page.getByRole("group", { name: "Time range" });
    await page.goto(at("?from=2025-10-10T10:00:00.000Z&to=2025-10-10T12:00:00.000Z"));
    await settled(page);
    await group.getByRole("button", { name: "Earlier" }).click();
    await page.waitForURL(/from=2025-10-10T08/);
    assert.deepEqual(range(), ["2025-10-10T08:00:00.000Z", "2025-10-10T10:00:00.000Z"]);
    await group.getByRole("button", { name: "Later" }).click();
    await page.waitForURL(/from=2025-10-10T10/);
    await group.getByRole("button", { name: "Zoom out" }).click();
    await page.waitForURL(/from=2025-10-10T09/);
    assert.deepEqual(range(), ["2025-10-10T09:00:00.000Z", "2025-10-10T13:00:00.000Z"]);
    await button.click();
    await page.getByRole("button", { name: "Last hour" }).click();
    await page.waitForURL(/range=1h/);
  });

  await t.step("the range panel fits a phone, on a 24-hour clock", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(at("/explore?from=2025-10-25T21:15:00.000Z&to=2025-10-26T01:30:00.001Z"));
    await settled(page);
    await button.click();
    await from.waitFor();
    assert.equal(await from.inputValue(), "2025-10-25 23:15:00");
    await assertFits(page, "range panel on a phone");
    const panel = (await page.locator(".range-panel").boundingBox())!;
    assert.ok(panel.x >= 0 && panel.x + panel.width <= 390, JSON.stringify(panel));
    await assertAccessible(page, "range panel on a phone");
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await t.step("the zone is visible, and the switch changes every time on screen", async () => {
    await page.goto(at(`/explore?${RANGE}`));
    await settled(page);
    await page.locator("main time").first().waitFor();
    const shown = () =>
      page.locator("main time").evaluateAll((times) =>
        times.map((time) => [time.getAttribute("datetime"), time.textContent] as const)
      );
    const zone = page.getByRole("button", { name: /^Times in/ });
    assert.match((await zone.textContent())!, /^(CET|CEST|GMT\+[12])$/);
    const clock = (text: string | null) => /(\d\d):(\d\d)/.exec(text ?? "")!;
    const check = async (timeZone: string) => {
      const all = (await shown()).filter(([, text]) => /\d\d:\d\d/.test(text ?? ""));
      assert.ok(all.length > 5);
      for (const [datetime, text] of all) {
        const expected = new Intl.DateTimeFormat("en-GB", {
          timeZone,
          hour: "2-digit",
          minute: "2-digit",
          hourCycle: "h23",
        }).format(new Date(datetime!));
        assert.equal(clock(text)[0], expected, `${datetime} in ${timeZone}`);
      }
    };
    await check("Europe/Berlin");
    await zone.click();
    await page.getByRole("button", { name: /^Times in UTC/ }).waitFor();
    await check("UTC");
    await page.reload();
    await settled(page);
    await page.locator("main time").first().waitFor();
    await check("UTC");
    await button.click();
    await page.getByText("24-hour clock, UTC").waitFor();
    assert.match(await page.locator("main time").first().getAttribute("title") ?? "", /UTC$/);
  });
  await context.close();
  await t.step("no page mixes zones, and no time is without one", () => oneZone(browser, origin));
}

/** A time of day, which is not a part of a longer number such as a MAC address. */
const CLOCK = /(?<![\w:.-])(?:[01]\d|2[0-3]):[0-5]\d(?![\w:]*:\w|\w)/;
const SAMPLE_MILLISECONDS = 120_000;
/** A device of the sample with TLS and DNS. */
const ADDRESS = "10.0.2.15";

/** Asserts for every page that all its times are in the chosen zone, and that texts with times of their own name it. */
async function oneZone(browser: Browser, origin: string): Promise<void> {
  const context = await browser.newContext({ baseURL: origin, timezoneId: "Europe/Berlin" });
  const page = await context.newPage();
  // May see every page.
  await page.goto("/auth/login?login_hint=admin");
  await page.locator("main h1").first().waitFor();
  const isThere = ({ length }: unknown[]) => length > 0;
  await readUntil<unknown[]>(page, "/api/v1/response-actions", isThere, SAMPLE_MILLISECONDS);
  let checked = 0;
  for (const one of await pagesOf(page, { address: ADDRESS, domain: "badssl.com" })) {
    if (!one.path.startsWith("/t/")) continue;
    await visitPage(page, one);
    for (const pressed of [false, true]) {
      const zone = page.getByRole("button", { name: /^Times in/ });
      if (pressed) await zone.click();
      const isUtc = await zone.textContent() === "UTC";
      const { times, others } = await page.locator("main").evaluate((main) => {
        const others: string[] = [];
        const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          // The axes of charts are in the zone of the top bar; a raw record is what a sensor sent.
          if (node.parentElement!.closest("time, figure, pre, .json-tree, .mono") === null) {
            others.push(node.nodeValue ?? "");
          }
        }
        const times = [...main.querySelectorAll("time")].map((time) =>
          [time.getAttribute("datetime") ?? "", time.textContent] as const
        );
        return { times, others };
      });
      const clock = new Intl.DateTimeFormat("en-GB", {
        timeZone: isUtc ? "UTC" : "Europe/Berlin",
        hour: "2-digit",
        minute: "2-digit",
        hourCycle: "h23",
      });
      const wrong = times.filter(([datetime, text]) => {
        const shown = CLOCK.exec(text)?.[0];
        if (shown === undefined) return false;
        checked++;
        return shown !== clock.format(new Date(datetime));
      });
      assert.deepEqual(wrong, [], `${one.name}, ${isUtc ? "UTC" : "local"}`);
      const unlabelled = others.filter((text) => CLOCK.test(text) && !text.includes("UTC"));
      assert.deepEqual(unlabelled, [], `${one.name}, times without a zone`);
    }
  }
  assert.ok(checked > 50, `${checked} times`);
  await context.close();
}
