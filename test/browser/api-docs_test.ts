/// <reference lib="dom" />
// The API documentation page in a real browser: readable without signing in, accessible in both themes, under
// the strict Content-Security-Policy; a signed-in user can try an operation.
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import { ROUTES } from "../../src/contract/routes.ts";
import { Inside } from "../contract/openapi/drive/inside.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { freshDatabase } from "../support/database.ts";
import { assertAccessible, assertFits, launch, rulesIn, watch } from "./support.ts";

const BUILT = new URL("../../dist/dashboard", import.meta.url).pathname;
const chromiumPath = await findChromium();

Deno.test({
  name: "the API documentation in a browser",
  ignore: chromiumPath === null,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const db = await freshDatabase();
    const inside = await Inside.start(db, BUILT);
    const browser = await launch(chromiumPath!);
    try {
      for (const theme of ["light", "dark"] as const) {
        await t.step(
          `anyone can read it in the ${theme} theme`,
          () => readIt(browser, inside.baseUrl, theme),
        );
      }
      await t.step("an analyst tries operations", () => tryIt(browser, inside.baseUrl));
    } finally {
      await browser.close();
      await inside.close();
      await db.close();
    }
  },
});

async function open(page: Page): Promise<void> {
  await page.goto("/api/docs");
  await page.locator(".opblock").first().waitFor();
  // The operations, and the webhook.
  assert.equal(await page.locator(".opblock").count(), Object.keys(ROUTES).length + 1);
}

async function readIt(browser: Browser, baseURL: string, colorScheme: "light" | "dark"): Promise<void> {
  const context = await browser.newContext({ baseURL, colorScheme, viewport: { width: 1280, height: 900 } });
  const seen = watch(context, baseURL);
  const page = await context.newPage();
  await open(page);
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(background, colorScheme === "light" ? "rgb(246, 247, 249)" : "rgb(15, 18, 22)");
  await page.getByRole("heading", { name: "Time windows" }).waitFor();
  const operation = page.locator("#operations-Incidents-patchIncident");
  await operation.locator(".opblock-summary-control").click();
  await operation.getByText("The object was changed in the meantime").first().waitFor({ state: "attached" });
  // Without a sign-in there is nothing to try.
  assert.equal(await page.getByRole("button", { name: "Try it out" }).count(), 0);
  await assertAccessible(page, `the API documentation in the ${colorScheme} theme`, rulesIn(colorScheme));
  await assertFits(page, "the document");
  assert.deepEqual(seen.foreign, []);
  assert.deepEqual(seen.complaints, []);
  assert.deepEqual(seen.refused, ["401 GET /api/v1/session"]);
  await context.close();
}

async function tryIt(browser: Browser, baseURL: string): Promise<void> {
  const context = await browser.newContext({ baseURL, viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto("/auth/login?login_hint=analyst");
  const seen = watch(context, baseURL);
  // The form contains the example. A second try is a new request although the form still has the first one's
  // key, and so is a try on another visit.
  for (const visit of [1, 2]) {
    await open(page);
    const webhook = page.locator(".opblock", { hasText: "Deliver an event to a webhook receiver" });
    await webhook.locator(".opblock-summary-control").click();
    await webhook.getByText("X-Service-Signature").first().waitFor();
    assert.equal(
      await webhook.getByRole("button", { name: "Try it out" }).count(),
      0,
      "the service sends it",
    );
    const operation = page.locator("#operations-Proposals-proposeModelChange");
    await operation.locator(".opblock-summary-control").click();
    await operation.getByRole("button", { name: "Try it out" }).click();
    for (const tried of [1, 2]) {
      const answer = page.waitForResponse((response) => response.request().method() === "POST");
      await operation.getByRole("button", { name: "Execute" }).click();
      assert.equal((await answer).status(), 201, `visit ${visit}, try ${tried}`);
    }
  }
  const listed = await (await page.request.get("/api/v1/proposals")).json();
  assert.equal(listed.data.length, 4);
  assert.deepEqual(seen, { foreign: [], complaints: [], refused: [] });
  await context.close();
}
