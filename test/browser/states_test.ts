/// <reference lib="dom" />
// Every dialog, menu, panel and opened row, and pages that lost their server: accessible in both themes.
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { Device } from "../../src/contract/device/device.ts";
import type { Flow } from "../../src/contract/flow/flow.ts";
import type { Incident } from "../../src/contract/incident/incident.ts";
import type { ResponseAction } from "../../src/contract/review/response.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { startUp, type Up } from "../support/up.ts";
import { actOn } from "./address-steps.ts";
import { HOSTILE_DEVICE, HOSTILE_NAMES, sendHostile } from "./hostile.ts";
import { type Objects, type PageState, statesOf } from "./states.ts";
import { at, signedIn } from "./steps.ts";
import { assertAccessible, COLOUR_RULES, launch, read, readUntil, send, watch } from "./support.ts";
import { go } from "./visit.ts";

const RECORDS_MILLISECONDS = 60_000;
const STEP_MILLISECONDS = 30_000;
const EVER = "from=1970-01-01T00:00:00Z";

const chromiumPath = await findChromium();

Deno.test({
  name: "every state of a page",
  ignore: chromiumPath === null,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const up = await startUp({ sample: false, ownDatabase: true });
    const browser = await launch(chromiumPath!);
    try {
      await sendHostile(up.coreUrl, up.sources);
      await sendUnreadable(up);
      await walk(t, browser, new URL(up.baseUrl).origin);
    } finally {
      await browser.close();
      await up.stop();
    }
  },
});

/** A line that is no record, for the list of failed ones. */
async function sendUnreadable({ coreUrl, sources }: Up): Promise<void> {
  const { token } = sources.find(({ tenant_id }) => tenant_id === "main")!;
  const response = await fetch(`${coreUrl}/internal/v1/ingest/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: "no record\n",
  });
  await response.body?.cancel();
}

/** Objects that have every state, and what the lists show. */
async function prepare(analyst: Page, responder: Page, admin: Page): Promise<Objects> {
  const recent = `from=${new Date(Date.now() - 3_600_000).toISOString()}`;
  const alerts = `/api/v1/flows?${recent}&filter=alert:*`;
  const isThere = (count: number) => ({ length }: unknown[]) => length >= count;
  await readUntil(analyst, alerts, isThere(HOSTILE_NAMES.length), RECORDS_MILLISECONDS);
  const incidents = `/api/v1/incidents?${EVER}&sort=-score`;
  await readUntil(analyst, incidents, isThere(1), RECORDS_MILLISECONDS);
  const [incident] = await read<Incident[]>(analyst, incidents);
  await actOn(incident!, responder, analyst);
  await send(analyst, "post", "/api/v1/triage-proposals", {
    incident_id: incident!.id,
    incident_status: "false_positive",
    reason: "Our scanner.",
  });
  await send(analyst, "post", "/api/v1/saved-searches", {
    name: "Odd server",
    scope: "personal",
    kind: "flows",
    text: "dst.ip:198.51.100.1",
  });
  const failed = `/api/v1/records?${recent}`;
  await readUntil(admin, failed, isThere(1), RECORDS_MILLISECONDS);
  const [device] = await read<Device[]>(analyst, `/api/v1/devices?filter=${HOSTILE_DEVICE}`);
  const [flow] = await read<Flow[]>(analyst, `/api/v1/flows?${recent}&filter=tls.version:*`);
  const [action] = await read<ResponseAction[]>(analyst, "/api/v1/response-actions");
  return {
    incident: incident!.id,
    device: device!.device_id,
    flow: flow!.flow_id,
    action: action!.action_id,
  };
}

/**
 * The page in the light theme, or what opened `within` it, in the dark one the colours of what opened. The page is the
 * larger part of an analysis.
 */
async function inBothThemes(page: Page, what: string, shown: string, within?: string): Promise<void> {
  await page.emulateMedia({ colorScheme: "light" });
  await assertAccessible(
    page,
    `${what}, light`,
    within === undefined ? undefined : { sizesIn: within },
    within,
  );
  await page.emulateMedia({ colorScheme: "dark" });
  await assertAccessible(page, `${what}, dark`, COLOUR_RULES, shown);
}

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const open = async (account: string) => {
    const context = await signedIn(browser, origin, account);
    context.setDefaultTimeout(STEP_MILLISECONDS);
    const page = await context.newPage();
    await page.setViewportSize({ width: 1440, height: 900 });
    return { page, seen: watch(context, origin) };
  };
  const people = {
    analyst: await open("analyst"),
    responder: await open("responder"),
    admin: await open("admin"),
  };
  const objects = await prepare(people.analyst.page, people.responder.page, people.admin.page);

  const analysed = new Set<string>();
  let shown = "";
  for (const state of statesOf(objects)) {
    // What is around and behind one dialog of a page is the same for the next.
    const around = `${state.account} ${state.path} ${state.shown}`;
    const within = analysed.has(around) ? state.shown : undefined;
    const { page } = people[state.account];
    const onPage = `${state.account} ${state.path}`;
    await t.step(state.name, async () => {
      if (onPage !== shown) await go(page, at(state.path));
      // What a failed state leaves open is not in the way of the next one.
      shown = "";
      await assertState(page, state, within);
      shown = onPage;
    });
    analysed.add(around);
  }

  await t.step("no request left the origin, and the browser reported no errors", () => {
    for (const { seen: { foreign, complaints, refused } } of Object.values(people)) {
      assert.deepEqual(foreign, []);
      assert.deepEqual(complaints, []);
      // The invalid filter is no question either.
      assert.deepEqual(refused.filter((line) => line !== "400 POST /api/v1/search/interpret"), []);
    }
  });

  await t.step("a list that cannot be read", async () => {
    const { page } = people.analyst;
    await page.route("**/api/v1/flows?*", (route) => route.abort());
    await page.goto(at("/explore"));
    await page.getByText("The flows could not be loaded").waitFor();
    await inBothThemes(page, "a failed list", ".failure");
    await page.unroute("**/api/v1/flows?*");
  });

  await t.step("offline", async () => {
    const { page } = people.analyst;
    await go(page, at("/devices"));
    await page.context().setOffline(true);
    await page.getByText("You are offline.").waitFor();
    await inBothThemes(page, "offline", "body");
    await page.context().setOffline(false);
    await page.getByText("You are offline.").waitFor({ state: "detached" });
  });

  await t.step("an ended session, in a dialog", async () => {
    const { page } = people.responder;
    await go(page, at(`/incidents/${objects.incident}`));
    await page.getByRole("button", { name: "Propose an action…" }).click();
    await page.context().clearCookies();
    await page.getByRole("dialog").getByLabel(/Reason/).fill("To be certain.");
    await page.getByRole("dialog").locator("button[type=submit]").click();
    await page.getByText("Your session has ended.").waitFor();
    await inBothThemes(page, "an ended session", "dialog[open]");
  });
  for (const { page } of Object.values(people)) await page.context().close();
}

async function assertState(
  page: Page,
  { name, open, shown, leave }: PageState,
  within?: string,
): Promise<void> {
  await open(page);
  await inBothThemes(page, name, shown, within);
  await leave(page);
}
