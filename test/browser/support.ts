/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import type { Session } from "../../src/contract/session/session.ts";
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

/** WebGL drawn by the processor. What is around it is put together without, which takes an eighth of the work. */
const WEBGL_ARGUMENTS = ["--enable-unsafe-swiftshader"];

interface LaunchOptions {
  webGl?: boolean;
  /** The proxy for everything but loopback addresses. */
  proxy?: string;
}

export function launch(executablePath: string, { webGl, proxy }: LaunchOptions = {}): Promise<Browser> {
  const args = webGl ? [...ARGUMENTS, ...WEBGL_ARGUMENTS] : ARGUMENTS;
  // As an option of Playwright it would also be the proxy for loopback addresses.
  const through = proxy === undefined ? [] : [`--proxy-server=${proxy}`];
  return chromium.launch({ executablePath, headless: true, args: [...args, ...through] });
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
    // The report of an appliance that is unavailable, as one is while it loads the sample on a busy machine.
    if (response.status() === 503 && pathname === "/api/v1/health") return;
    if (response.status() >= 400) {
      seen.refused.push(`${response.status()} ${response.request().method()} ${pathname}`);
    }
  });
  context.on("console", (message) => {
    // The browser's own message about a status of 400 and above; see `refused`.
    if (message.text().startsWith("Failed to load resource")) return;
    // The driver's remarks on speed, of the processor that draws instead of a graphics card when the machine is busy.
    if (message.text().includes("GL Driver Message (OpenGL, Performance")) return;
    if (["error", "warning"].includes(message.type())) seen.complaints.push(message.text());
  });
  context.on("weberror", (error) => seen.complaints.push(error.error().stack ?? String(error.error())));
  return seen;
}

/** The rules whose outcome depends on the theme or the medium. */
export const COLOUR_RULES = ["color-contrast", "link-in-text-block"];

/** All rules in the light theme, which tests look at first; in the dark one those that depend on it. */
export function rulesIn(theme: string): string[] | undefined {
  return theme === "dark" ? COLOUR_RULES : undefined;
}

/**
 * As {@link rulesIn}, and that what is clicked is 24 pixels large or has room around it (WCAG 2.5.8). That is for pages of
 * which nothing covers a part.
 */
export function rulesAndSizesIn(theme: string): AxeRules {
  return theme === "dark" ? COLOUR_RULES : { sizesIn: "body" };
}

/** Some rules; or all, and the sizes of what is clicked in a part of the page; or all without sizes. */
type AxeRules = string[] | { sizesIn: string } | undefined;

/** All rules for the page, and sizes for the dialog that covers it. */
export const IN_DIALOG = { sizesIn: "dialog[open]" };

/** Loads axe into the page once. The builder would load it twice for each analysis, which is half the work of a small one. */
async function provideAxe(page: Page): Promise<void> {
  if (await page.evaluate("'axe' in globalThis")) return;
  await page.evaluate(new AxeBuilder({ page })["script"]());
}

/** Asserts that axe finds nothing on the current page or `within` a part, with all rules or those in `rules`. */
export async function assertAccessible(
  page: Page,
  what: string,
  rules?: AxeRules,
  within?: string,
): Promise<void> {
  const sizesIn = rules === undefined || Array.isArray(rules) ? null : rules.sizesIn;
  await provideAxe(page);
  // What fades in has a weak contrast until then.
  await page.evaluate(async () => {
    // The second time those that began with the new colours of a medium.
    for (let frame = 0; frame < 2; frame++) {
      for (const animation of document.getAnimations()) {
        if (Number.isFinite(animation.effect?.getComputedTiming().endTime)) animation.finish();
      }
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  });
  // Without frames to put together, one call in the page is enough; the other mode takes six times as long.
  const builder = new AxeBuilder({ page, axeSource: "true" }).setLegacyMode();
  const axe = (within === undefined ? builder : builder.include(within)).options({
    resultTypes: ["violations"],
    // Axe looks at sizes only if asked to.
    ...sizesIn !== null ? { rules: { "target-size": { enabled: true } } } : {},
    ...Array.isArray(rules) ? { runOnly: rules } : {},
  });
  const { violations } = await axe.analyze();
  const findings = await Promise.all(violations.map(async ({ id, help, nodes }) => {
    const targets = nodes.map(({ target }) => target.join(" "));
    const shown = sizesIn !== null && id === "target-size"
      ? await outsideSentences(page, targets, sizesIn)
      : targets;
    return shown.length === 0 ? [] : [`${id}: ${help}: ${shown.slice(0, 3).join(", ")}`];
  }));
  if (sizesIn !== null) findings.push(await lowTargets(page, sizesIn));
  assert.deepEqual(findings.flat(), [], what);
}

/**
 * What is clicked and has no frame that makes it high enough. Axe reports it only where something stands close to it, which
 * depends on the data.
 */
function lowTargets(page: Page, within: string): Promise<string[]> {
  return page.locator(within).locator("summary, .link-button").evaluateAll((targets) =>
    targets.filter((one) => one.checkVisibility()).flatMap((one) => {
      const { height } = one.getBoundingClientRect();
      return height < 24 ? [`${height} pixels high: ${one.textContent}`] : [];
    })
  );
}

/**
 * The targets `within` a part that stand in no sentence. Links in sentences need no size; axe takes the menu of a value that
 * begins a sentence for the sentence's end.
 */
function outsideSentences(page: Page, targets: string[], within: string): Promise<string[]> {
  return page.evaluate(
    ([all, part]) =>
      all.filter((target) => {
        const element = document.querySelector(target);
        return element === null ||
          element.matches(`:is(${part}) *`) && element.closest(".linked-text") === null;
      }),
    [targets, within] as const,
  );
}

/** What the layout of `page` has moved by itself since the page was opened; call it before opening one. */
export async function recordShifts(page: Page): Promise<() => Promise<{ shift: number; moved: string[] }>> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
      sources: { node: Node | null }[];
    };
    const seen = { shift: 0, moved: [] as string[] };
    Object.assign(globalThis, { seenShifts: seen });
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        if (hadRecentInput) continue;
        seen.shift += value;
        for (const { node } of sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          seen.moved.push(`${value.toFixed(3)} ${element?.tagName}.${element?.getAttribute("class")}`);
        }
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  return () =>
    page.evaluate(() =>
      (globalThis as unknown as { seenShifts: { shift: number; moved: string[] } }).seenShifts
    );
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

/** Waits until the page has its heading and no skeletons. */
export async function rendered(page: Page): Promise<void> {
  await page.locator("main h1").first().waitFor({ state: "attached" });
  await page.waitForFunction(() => document.querySelector(".skeleton, .splash") === null);
}

/** Waits until the page has its heading and neither skeletons nor pending requests. */
export async function settled(page: Page): Promise<void> {
  await rendered(page);
  await page.waitForLoadState("networkidle");
}

/** The API's response to the signed-in user. */
export async function read<T>(page: Page, path: string): Promise<T> {
  const response = await page.request.get(path);
  assert.equal(response.status(), 200, path);
  return (await response.json() as { data: T }).data;
}

/** Changes something of the signed-in person's tenant, as another window would. */
export async function send<T>(
  page: Page,
  method: "patch" | "post",
  path: string,
  data: unknown,
  revision?: number,
): Promise<T> {
  const { csrf_token } = await read<Session>(page, "/api/v1/session");
  const response = await page.request[method](path, {
    headers: {
      ...revision === undefined ? {} : { "if-match": `"${revision}"` },
      "idempotency-key": crypto.randomUUID(),
      "x-csrf-token": csrf_token,
    },
    data,
  });
  assert.ok(response.ok(), `${path}: ${response.status()} ${await response.text()}`);
  return (await response.json() as { data: T }).data;
}

/**
 * Reads a path until its data is as wanted. `page.waitForFunction` cannot do this: it takes the promise of an
 * asynchronous function for a truthy answer.
 */
export async function readUntil<T>(
  page: Page,
  path: string,
  isWanted: (data: T) => boolean,
  milliseconds: number,
): Promise<void> {
  const until = Date.now() + milliseconds;
  while (!isWanted(await read<T>(page, path))) {
    assert.ok(Date.now() < until, `${path} did not become as wanted in ${milliseconds} ms`);
    await page.waitForTimeout(200);
  }
}

/** A cumulative layout shift that users do not notice. */
const LARGEST_SHIFT = 0.02;

/** Asserts that the layout did not move; `shift` is from `recordShifts`. */
export function assertStill({ shift, moved }: { shift: number; moved: string[] }, what: string): void {
  assert.ok(shift < LARGEST_SHIFT, `${what}: the layout moved by ${shift}: ${moved.join("; ")}`);
}
