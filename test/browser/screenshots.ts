/// <reference lib="dom" />
// Pictures of every page of the dashboard on the sample of `ndr up`: `make screenshots`. They go to
// dist/screenshots/WIDTH-LOOK/PAGE.png, which is not part of the repository.
import { Command } from "commander";
import type { Browser, Page } from "playwright-core";
import type { Aggregate } from "../../src/contract/search/search.ts";
import type { Device, DeviceDetail } from "../../src/contract/device/device.ts";
import type { Flow } from "../../src/contract/flow/flow.ts";
import type { ResponseAction } from "../../src/contract/review/response.ts";
import type { Incident } from "../../src/contract/incident/incident.ts";
import type { Session } from "../../src/contract/session/session.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { startUp } from "../support/up.ts";
import { hasPrintStyles, TURNED, UPRIGHT } from "./print-steps.ts";
import { at, recordsProcessed, sampleSent, signedIn } from "./steps.ts";
import { launch, read, rendered, settled } from "./support.ts";

const FOLDER = new URL("../../dist/screenshots/", import.meta.url).pathname;
const WIDTHS = [{ width: 1440, height: 900 }, { width: 1024, height: 768 }, { width: 390, height: 844 }];
/** The themes, paper, and the few colours that a person has chosen in the operating system. */
const LOOKS = {
  light: { colorScheme: "light", forcedColors: null },
  dark: { colorScheme: "dark", forcedColors: null },
  forced: { colorScheme: "dark", forcedColors: "active" },
  print: { colorScheme: "light", forcedColors: null },
} as const;
/** Covers the sample. */
const RANGE = "range=24h";
const HIGHEST = 4000;
const DAY = 86_400_000;

/** The most frequent value of a field in the flows of the last day. */
async function mostFrequent(page: Page, field: string): Promise<string> {
  const { csrf_token } = await read<Session>(page, "/api/v1/session");
  const response = await page.request.post("/api/v1/search/aggregate", {
    headers: { "x-csrf-token": csrf_token },
    data: {
      filter: { version: 1, kind: "flows", where: null, window: { from: "-24h", to: "now" } },
      group_by: [field],
      limit: 5,
    },
  });
  if (!response.ok()) throw new Error(`${field}: ${response.status()} ${await response.text()}`);
  const { data } = await response.json() as { data: Aggregate };
  const value = data.groups.map(({ key: [first = null] }) => first).find((one) => one !== null);
  if (value === undefined) throw new Error(`the sample has no ${field}`);
  return encodeURIComponent(value);
}

/** The riskiest device that has peers outside. */
async function shownDevice(page: Page): Promise<DeviceDetail> {
  const from = new Date(Date.now() - DAY).toISOString();
  for (const { device_id } of await read<Device[]>(page, "/api/v1/devices?sort=-score&limit=20")) {
    const device = await read<DeviceDetail>(page, `/api/v1/devices/${device_id}?from=${from}`);
    if (device.top_destinations.some(({ bytes_out }) => Number(bytes_out) > 0)) return device;
  }
  throw new Error("the sample has no device with destinations");
}

/** Addresses of the pages by the names of their pictures. */
async function pagesOf(page: Page): Promise<Record<string, string>> {
  const [incident] = await read<Incident[]>(
    page,
    "/api/v1/incidents?from=1970-01-01T00:00:00Z&status=open&suppressed=false&sort=-score&limit=1",
  );
  const [action] = await read<ResponseAction[]>(page, "/api/v1/response-actions");
  const from = new Date(Date.now() - DAY).toISOString();
  const [flow] = await read<Flow[]>(page, `/api/v1/flows?filter=service:tls&limit=1&from=${from}`);
  if (incident === undefined || flow === undefined || action === undefined) {
    throw new Error("the sample has no incident, no TLS flow or no proposed action");
  }
  const device = await shownDevice(page);
  const [fingerprint, signature, domain] = await Promise.all(
    ["ja3", "alert", "server_name"].map((field) => mostFrequent(page, field)),
  );
  const paths: Record<string, string> = {
    "overview": `?${RANGE}`,
    "brief": "/brief",
    "triage": "/triage",
    "triage-suppressed": "/triage?view=suppressed",
    "incident": `/incidents/${incident.id}`,
    "intrusion": `/incidents/${action.incident_id}`,
    ...Object.fromEntries(
      ["flows", "alerts", "dns", "tls", "http"].map((
        view,
      ) => [`explore-${view}`, `/explore?view=${view}&${RANGE}`]),
    ),
    "explore-alert-groups": `/explore?view=alert-groups&${RANGE}`,
    "explore-grouped": `/explore?top=dst.ip:bytes:10&${RANGE}`,
    "flow": `/flows/${flow.flow_id}`,
    "map": `/map?${RANGE}`,
    "map-table": `/map?${RANGE}&view=table`,
    "map-globe": `/map?${RANGE}&view=globe`,
    "devices": "/devices",
    "device": `/devices/${device.device_id}?${RANGE}`,
    "device-behaviour": `/devices/${device.device_id}?${RANGE}&view=traits`,
    "device-identity": `/devices/${device.device_id}?${RANGE}&view=identity`,
    "address": `/address/${device.top_destinations[0]!.ip}?${RANGE}`,
    "domain": `/domain/${domain}?${RANGE}`,
    "fingerprint": `/fingerprint/${fingerprint}?${RANGE}`,
    "signature": `/signature/${signature}?${RANGE}`,
    "detector": `/detector/${incident.model_ids[0]}?${RANGE}`,
    "review": "/review/actions",
    "decision": `/review/actions/${action.action_id}`,
    ...Object.fromEntries(
      ["suppressions", "proposals", "feedback"].map((name) => [name, `/review/${name}`]),
    ),
    ...Object.fromEntries(
      ["health", "audit", "records", "telemetry", "settings", "help"].map((
        name,
      ) => [name, `/system/${name}`]),
    ),
    "help-page": "/system/help/search",
  };
  return {
    ...Object.fromEntries(Object.entries(paths).map(([name, path]) => [name, at(path)])),
    "api": "/api/docs",
  };
}

async function takeAll(
  browser: Browser,
  origin: string,
  wanted: readonly string[],
  { looks, widths }: Options,
): Promise<void> {
  // The administrator sees every page.
  const context = await signedIn(browser, origin, "admin");
  const page = await context.newPage();
  await recordsProcessed(page);
  const pages = await pagesOf(page);
  const unknown = wanted.filter((name) => pages[name] === undefined);
  if (unknown.length > 0) {
    throw new Error(`no page ${unknown.join(", ")}; there are ${Object.keys(pages).join(", ")}`);
  }
  for (const look of looks) {
    await page.emulateMedia({ ...LOOKS[look], reducedMotion: "reduce" });
    const viewports = WIDTHS.filter(({ width }) => widths.includes(String(width)));
    for (const viewport of look === "print" ? [UPRIGHT] : viewports) {
      const folder = `${FOLDER}${viewport.width}-${look}`;
      await Deno.mkdir(folder, { recursive: true });
      for (const [name, path] of Object.entries(pages)) {
        if (wanted.length > 0 && !wanted.includes(name)) continue;
        await page.setViewportSize(look === "print" ? WIDTHS[0]! : viewport);
        await page.goto(path);
        await complete(page, path);
        // As a person prints: from the page on the screen.
        let paper = viewport;
        if (look === "print" && path.startsWith("/t/")) {
          await hasPrintStyles(page);
          await page.emulateMedia({ media: "print" });
          const isWide = await page.evaluate(() =>
            getComputedStyle(document.querySelector(".shell")!).getPropertyValue("page") === "wide"
          );
          paper = isWide ? TURNED : UPRIGHT;
          await page.setViewportSize(paper);
        }
        // As high as the page, so that the sidebar, which is as high as the window, reaches its end.
        const height = await page.evaluate(() => document.documentElement.scrollHeight);
        await page.setViewportSize({
          ...paper,
          height: Math.min(HIGHEST, Math.max(height, paper.height)),
        });
        await page.screenshot({ path: `${folder}/${name}.png`, animations: "disabled" });
        await page.emulateMedia({ media: null });
      }
      console.log(folder);
    }
  }
  await context.close();
}

/** Waits until the page shows everything. */
async function complete(page: Page, path: string): Promise<void> {
  if (!path.startsWith("/t/")) await page.waitForLoadState("networkidle");
  // The stream of the map never ends.
  else if (/\/map\b/.test(path)) {
    await rendered(page);
    await page.locator("main canvas, main svg, main [role=grid]").first().waitFor();
    await page.getByRole("button", { name: "Arranging" }).waitFor({ state: "detached" });
  } else await settled(page);
}

interface Options {
  at?: string;
  looks: (keyof typeof LOOKS)[];
  widths: string[];
}

async function main(names: string[], options: Options): Promise<void> {
  const { at: running, looks } = options;
  const unknown = looks.filter((look) => !Object.hasOwn(LOOKS, look));
  if (unknown.length > 0) throw new Error(`no look ${unknown}; there are ${Object.keys(LOOKS).join(", ")}`);
  const chromium = await findChromium();
  if (chromium === null) throw new Error("no Chromium: set NDR_TEST_CHROMIUM to its path");
  const up = running === undefined ? await startUp({ ownDatabase: true }) : null;
  const browser = await launch(chromium, { webGl: true });
  try {
    if (up !== null) await sampleSent(up);
    await takeAll(browser, new URL(up?.baseUrl ?? running!).origin, names, options);
  } finally {
    await browser.close();
    await up?.stop();
  }
}

await new Command("make screenshots")
  .description("take pictures of the pages of the dashboard")
  .argument("[names...]", "pages, by the names of their pictures; all by default")
  .option("--at <url>", "of an `ndr up` that runs, instead of a new one")
  .option("--looks <names...>", "light, dark, forced (forced colours) and print", Object.keys(LOOKS))
  .option("--widths <pixels...>", "of the window", WIDTHS.map(({ width }) => String(width)))
  .action(main)
  .parseAsync(Deno.args, { from: "user" });
