/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";

const ARGUMENTS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function launch(executablePath: string): Promise<Browser> {
  return chromium.launch({ executablePath, headless: true, args: ARGUMENTS });
}

/** What must not happen during use of the dashboard. */
interface Watch {
  /** Requests to other origins. */
  foreign: string[];
  /** Script errors, Content-Security-Policy violations, React warnings. */
  complaints: string[];
  /** Responses with status 400 and above, as `412 PATCH /api/...`. */
  refused: string[];
}

/** Records violations in `context`; `origin` is the dashboard's. */
export function watch(context: BrowserContext, origin: string): Watch {
  const seen: Watch = { foreign: [], complaints: [], refused: [] };
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (/^https?:|^wss?:/.test(url.protocol) && url.origin !== origin) seen.foreign.push(request.url());
  });
  context.on("response", (response) => {
    const { pathname } = new URL(response.url());
    if (response.status() >= 400) {
      seen.refused.push(`${response.status()} ${response.request().method()} ${pathname}`);
    }
  });
  context.on("console", (message) => {
    // The browser's own message about a status of 400 and above; see `refused`.
    if (message.text().startsWith("Failed to load resource")) return;
    if (["error", "warning"].includes(message.type())) seen.complaints.push(message.text());
  });
  context.on("weberror", (error) => seen.complaints.push(String(error.error())));
  return seen;
}

/** Asserts that axe finds nothing, with all rules, on the current page. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).options({ resultTypes: ["violations"] }).analyze();
  const findings = violations.map(({ id, help, nodes }) =>
    `${id}: ${help}: ${nodes.slice(0, 3).map(({ target }) => target.join(" ")).join(", ")}`
  );
  assert.deepEqual(findings, [], what);
}

/** Asserts that nothing is wider than the window. */
export async function assertFits(page: Page, what: string): Promise<void> {
  const { excess, widest } = await page.evaluate(() => ({
    excess: document.documentElement.scrollWidth - innerWidth,
    widest: [...document.querySelectorAll("body *")]
      .filter((element) => element.getBoundingClientRect().right > innerWidth)
      .map((element) => `${element.tagName}.${element.className}: ${element.textContent.slice(0, 60)}`)
      .slice(-3),
  }));
  assert.ok(excess <= 0, `${what} is ${excess} pixels wider than the window: ${widest.join("; ")}`);
}

/** Waits until the page has its heading and neither skeletons nor pending requests. */
export async function settled(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor({ state: "attached" });
  await page.waitForFunction(() => document.querySelector(".skeleton, .splash") === null);
  await page.waitForLoadState("networkidle");
}

/** The API's response to the signed-in user. */
export async function read<T>(page: Page, path: string): Promise<T> {
  const response = await page.request.get(path);
  assert.equal(response.status(), 200, path);
  return (await response.json() as { data: T }).data;
}
