// Sign-in in a real browser, whose cookies are those of all its tabs.
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { Session } from "../../src/contract/session/session.ts";
import { browserTest } from "./browser-test.ts";
import { read } from "./support.ts";

browserTest(
  "sign-in in two tabs of a browser",
  { sample: false, ownDatabase: true },
  async ({ t, browser, origin }) => {
    for (const [order, name] of [[[0, 1], "the first tab"], [[1, 0], "the second tab"]] as const) {
      await t.step(`${name} finishes first: both end on the page they asked for`, async () => {
        await signInTwice(browser, origin, order);
      });
    }
  },
);

async function signInTwice(browser: Browser, origin: string, order: readonly number[]): Promise<void> {
  const context = await browser.newContext({ baseURL: origin });
  try {
    const headings = ["Health", "Devices"];
    const paths = ["/t/main/system/health", "/t/main/devices"];
    const tabs: Page[] = [];
    for (const path of paths) {
      const page = await context.newPage();
      await page.goto(path);
      await page.getByRole("link", { name: "Sign in" }).click();
      await page.getByRole("link", { name: /Ada Analyst/ }).waitFor();
      tabs.push(page);
    }
    for (const tab of order) {
      const page = tabs[tab]!;
      await page.getByRole("link", { name: /Ada Analyst/ }).click();
      await page.getByRole("heading", { level: 1, name: headings[tab]! }).waitFor();
      assert.equal(new URL(page.url()).origin, origin);
      assert.equal(new URL(page.url()).pathname, paths[tab]);
    }
    // The second sign-in has replaced the session of the first; the first tab continues with the new one.
    for (const [tab, page] of tabs.entries()) {
      await page.reload();
      await page.getByRole("heading", { level: 1, name: headings[tab]! }).waitFor();
      assert.equal((await read<Session>(page, "/api/v1/session")).subject, "analyst");
    }
    const kept = (await context.cookies(origin)).map(({ name }) => name);
    assert.deepEqual(kept.filter((name) => name.includes("sign-in")), [], "no attempt is left");
  } finally {
    await context.close();
  }
}
