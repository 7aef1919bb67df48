/// <reference lib="dom" />
// Going from page to page within the dashboard, as its links do: a load of the page takes three times as much work.
import type { Page, Request } from "playwright-core";
import { rendered, settled } from "./support.ts";

/** How long no request runs before a page has its data; Playwright waits as long after a load. */
const QUIET_MILLISECONDS = 500;

/** The part of the router that the tests use; it is global for tools of developers. */
interface Router {
  history: { push(address: string): void; replace(address: string): void };
  subscribe(event: "onResolved", then: () => void): () => void;
}

/** A page that has no data. What is opened after it starts as after a load, whatever was open before. */
const EMPTY = "/t/main/none";

/**
 * Opens an address of the dashboard. Data that was read in the last seconds is not read again, so a page that must show
 * what a test has just changed is loaded instead. A tab that shows no page of the dashboard loads the address.
 */
export async function visit(page: Page, address: string): Promise<void> {
  const isInside = await page.evaluate(() => "__TSR_ROUTER__" in globalThis);
  if (!isInside) return void await page.goto(address);
  await page.evaluate(async ([empty, to]) => {
    const { __TSR_ROUTER__: router } = globalThis as unknown as { __TSR_ROUTER__: Router };
    const resolved = (go: () => void) =>
      new Promise<void>((resolve) => {
        const end = router.subscribe("onResolved", () => {
          end();
          resolve();
        });
        go();
      });
    await resolved(() => router.history.push(empty));
    await resolved(() => router.history.replace(to));
  }, [EMPTY, address] as const);
}

/** Opens an address as {@link visit} does, and waits until the page has its data. */
export async function go(page: Page, address: string): Promise<void> {
  if (page.url() === "about:blank") {
    await page.goto(address);
    return await settled(page);
  }
  await quietAfter(page, async () => {
    await visit(page, address);
    await rendered(page);
  });
  await rendered(page);
}

/**
 * Does something within a page and waits until the requests that it causes have ended. Playwright's own wait is for loads: it ends
 * at once on a page that has been quiet before.
 */
export async function quietAfter(page: Page, act: () => Promise<void>): Promise<void> {
  const running = new Set<Request>();
  let last = performance.now();
  const begin = (request: Request) => {
    if (request.resourceType() === "eventsource") return;
    running.add(request);
    last = performance.now();
  };
  const end = (request: Request) => {
    if (running.delete(request)) last = performance.now();
  };
  page.on("request", begin).on("requestfinished", end).on("requestfailed", end);
  try {
    await act();
    last = performance.now();
    while (running.size > 0 || performance.now() - last < QUIET_MILLISECONDS) await page.waitForTimeout(50);
  } finally {
    page.off("request", begin).off("requestfinished", end).off("requestfailed", end);
  }
}
