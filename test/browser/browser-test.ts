// A test in a real browser against a running `ndr up`.
import type { Browser } from "playwright-core";
import { findChromium } from "../support/runner/chromium.ts";
import { startUp, type Up, type UpOptions } from "../support/up.ts";
import { launch } from "./support.ts";

const CHROMIUM = await findChromium();

interface BrowserTest {
  t: Deno.TestContext;
  browser: Browser;
  up: Up;
  origin: string;
}

/** Registers a test with its own program and browser; without Chromium it is ignored. */
export function browserTest(
  name: string,
  options: UpOptions,
  run: (test: BrowserTest) => Promise<void>,
): void {
  Deno.test({
    name,
    ignore: CHROMIUM === null,
    // The browser is a separate process whose sockets outlive a step.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: async (t) => {
      const up = await startUp(options);
      const browser = await launch(CHROMIUM!);
      try {
        await run({ t, browser, up, origin: new URL(up.baseUrl).origin });
      } finally {
        await browser.close();
        await up.stop();
      }
    },
  });
}
