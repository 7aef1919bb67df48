// A running installation with its health page in a browser.

import type { Browser, Page } from "playwright-core";
import type { HealthComponent } from "../../src/contract/health/health.ts";
import type { HealthStatus } from "../../src/contract/record/kinds.ts";
import { formatLabel } from "../../src/dashboard/ui/format.ts";
import { launch } from "../browser/support.ts";
import { installedPrograms } from "./postgres.ts";
import { findChromium } from "./runner/chromium.ts";
import type { Up } from "./up.ts";
import { eventually, PATIENCE_MILLISECONDS, type Wanted, Watched, type WatchedOptions } from "./watched.ts";

export const CHROMIUM: string | null = await findChromium();

/** Whether a browser can watch outages of a PostgreSQL server of the test's own. */
export const CAN_WATCH: boolean = CHROMIUM !== null && (await installedPrograms()).length > 0;

export class WatchedPage extends Watched {
  private constructor(
    up: Up,
    stateDir: string,
    private readonly browser: Browser,
    readonly page: Page,
  ) {
    super(up, stateDir);
  }

  /** As `Watched.start`, with the health page of an administrator. */
  static override async start(options: WatchedOptions = {}): Promise<WatchedPage> {
    const browser = await launch(CHROMIUM!);
    try {
      return await this.launch(options, async (up, stateDir) => {
        const page = await (await browser.newContext({ baseURL: up.baseUrl })).newPage();
        return new WatchedPage(up, stateDir, browser, page);
      });
    } catch (error) {
      await browser.close();
      throw error;
    }
  }

  /** Waits until report, metrics and page all show this state of a component. */
  override async until(id: string, status: HealthStatus, wanted: Wanted = {}): Promise<HealthComponent> {
    const component = await super.until(id, status, wanted);
    await eventually(`${id} is ${status} on the page`, async () => {
      await wanted.meanwhile?.();
      return await this.shown(id) === formatLabel(status);
    });
    return component;
  }

  /** The status of the component on the current page; null if it is not shown. */
  async shown(id: string): Promise<string | null> {
    if (id === "appliance") {
      const tag = this.page.locator(".health-banner .tag");
      return await tag.count() === 0 ? null : (await tag.textContent())!.trim();
    }
    const name = id.includes(":") ? id.split(":")[1]! : formatLabel(id);
    const row = this.page.locator("tr", {
      has: this.page.locator(".health-name .strong").getByText(name, { exact: true }),
    });
    return await row.count() === 0 ? null : (await row.locator(".tag").first().textContent())!.trim();
  }

  /** Waits until the page contains a text. */
  async untilText(text: string | RegExp): Promise<void> {
    await this.page.getByText(text).first().waitFor({ timeout: PATIENCE_MILLISECONDS });
  }

  protected override async signInOnce(): Promise<void> {
    await super.signInOnce();
    await this.page.goto("/auth/login?login_hint=admin");
    await this.page.goto("/t/main/system/health");
    await this.page.getByRole("heading", { level: 1, name: "Health" }).waitFor({ timeout: 20_000 });
  }

  /** Saves a screenshot if `NDR_TEST_PICTURES` names a folder. */
  async picture(name: string): Promise<void> {
    const folder = Deno.env.get("NDR_TEST_PICTURES");
    if (folder) await this.page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
  }

  override async [Symbol.asyncDispose](): Promise<void> {
    await this.browser.close();
    await super[Symbol.asyncDispose]();
  }
}
