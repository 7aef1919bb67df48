/// <reference lib="dom" />
// User tasks in the dashboard, one function each.
import assert from "node:assert/strict";
import type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";
import type { DeviceDetail } from "../../src/contract/device/device.ts";
import type { Flow, FlowObservation } from "../../src/contract/flow/flow.ts";
import { eventually } from "../support/watched.ts";
import type { HealthReport } from "../../src/contract/health/health.ts";
import type { Incident, IncidentDetail } from "../../src/contract/incident/incident.ts";
import type { Session } from "../../src/contract/session/session.ts";
import { waitFor } from "../support/transport/transport-programs.ts";
import { SAMPLE_SECONDS, type Up } from "../support/up.ts";
import { assertAccessible, assertFits, IN_DIALOG, read, readUntil, settled } from "./support.ts";

/** Covers the sample at any time of day. */
export const RANGE = "range=30d";

/** The address of a page in the tenant of the sample. */
export const at = (path: string): string => `/t/main${path}`;

/**
 * A browser context with a session. It signs in without a page; `sign-in_test.ts` and `dashboard_test.ts` do so by hand.
 * Motion is reduced by default, which makes a page a quarter cheaper; `quality_test.ts` opens every page with motion.
 */
export async function signedIn(
  browser: Browser,
  origin: string,
  account: string,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin, reducedMotion: "reduce", ...options });
  await context.request.get(`/auth/login?login_hint=${account}`);
  const session = await context.request.get("/api/v1/session");
  assert.equal(session.status(), 200, await session.text());
  return context;
}

/** Chooses a value of a select by its name. */
export async function choose(page: Page, select: string, option: string): Promise<void> {
  await page.getByRole("combobox", { name: select, exact: true }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

/** Waits until the sample of a program was sent, so that numbers change only as its later records arrive. */
export async function sampleSent(up: Up): Promise<void> {
  const sent = () => /^Sample: .* records sent in/m.test(up.output());
  await waitFor(sent, up.output, SAMPLE_SECONDS);
}

/** Waits until the pipeline has processed what was sent. */
export async function recordsProcessed(page: Page): Promise<void> {
  const isDone = ({ ingest }: HealthReport) => ingest.oldest_buffered_at === null;
  await readUntil(page, "/api/v1/health", isDone, SAMPLE_SECONDS * 1000);
}

/** A sentence of the service without its times, which the page shows in its own zone. */
export function withoutTimes(sentence: string): string {
  return sentence.replaceAll(
    /\d{4}-\d\d-\d\d \d\d:\d\d( and )?(?:\d\d:\d\d)? UTC/g,
    (_, and: string | undefined) => and ?? "",
  );
}

/** The text of an element without the times in it. */
export async function textWithoutTimes(element: Locator): Promise<string> {
  return await element.evaluate((shown) => {
    const copy = shown.cloneNode(true) as Element;
    for (const time of copy.querySelectorAll("time")) time.remove();
    return copy.textContent;
  });
}

function since(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString();
}

export async function assertRawRecord(page: Page, incident: string): Promise<void> {
  const { evidence } = await read<IncidentDetail>(page, `/api/v1/incidents/${incident}`);
  const [item] = evidence;
  assert.ok(item, "expected evidence");
  const observations = await read<FlowObservation[]>(page, `/api/v1/flows/${item.flow_id}/evidence`);
  const raw = observations.find(({ evidence_id }) => evidence_id === item.evidence_id)?.raw;
  assert.ok(raw, "expected the retained record");

  await page.locator(".evidence [data-row]").first().click();
  const payload = page.getByRole("region", { name: "Payload" });
  await payload.waitFor();
  await page.getByText(raw.event_id).waitFor();
  const squeeze = (text: string | null) => (text ?? "").replaceAll(/\s/g, "");
  assert.equal(squeeze(await payload.textContent()), squeeze(raw.payload));
  await page.getByRole("button", { name: "As sent" }).click();
  assert.equal(await payload.textContent(), raw.payload);

  const saved = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download this record" }).click();
  const download = await saved;
  assert.equal(download.suggestedFilename(), `${raw.kind}-${item.evidence_id}.json`);
  assert.equal(await Deno.readTextFile(await download.path()), raw.payload);
}

/** Changes the status with the buttons of an incident's page. */
export async function changeStatus(page: Page, action: string, comment: string): Promise<void> {
  await page.getByRole("toolbar", { name: "Actions" }).getByRole("button", { name: action, exact: true })
    .click();
  const dialog = page.getByRole("dialog", { name: action });
  await dialog.getByLabel(/Comment/).fill(comment);
  await dialog.locator("button[type=submit]").click();
}

/** The same user changes the incident in another window. */
export async function changeBehind(page: Page, incident: string): Promise<void> {
  const { csrf_token } = await read<Session>(page, "/api/v1/session");
  const { revision } = await read<IncidentDetail>(page, `/api/v1/incidents/${incident}`);
  const response = await page.request.patch(`/api/v1/incidents/${incident}`, {
    headers: {
      "if-match": `"${revision}"`,
      "idempotency-key": crypto.randomUUID(),
      "x-csrf-token": csrf_token,
    },
    data: { status: "open", comment: "Taken back in another window." },
  });
  assert.equal(response.status(), 200);
}

export async function walkByKeyboard(page: Page): Promise<void> {
  await page.goto(at(`?${RANGE}`));
  await settled(page);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement?.textContent), "Skip to content");
  await page.keyboard.press("Enter");
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("g");
  await page.keyboard.press("d");
  await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
  await page.locator(".grid-body [role=row]").first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("front desk");
  await page.keyboard.press("Enter");
  // The name of a device.
  await page.waitForURL(/filter=device.*front\+desk/);
  // The former rows stay until the filtered ones have arrived.
  await page.waitForFunction(() => document.querySelectorAll(".grid-body [role=row]").length === 1);
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Front desk" }).waitFor();
}

export async function chooseTheme(page: Page): Promise<void> {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.getByRole("button", { name: /^Account of/ }).click();
  await page.getByRole("button", { name: "Light theme" }).click();
  const light = await background();
  await page.getByRole("button", { name: "Dark theme" }).click();
  const dark = await background();
  assert.notEqual(light, dark);
  // A separate script applies the stored theme, so it works even if the application does not start.
  await page.route("**/assets/*.js", (route) => route.abort());
  await page.goto("/");
  assert.equal(await background(), dark);
  await page.unroute("**/assets/*.js");
}

/** A flow of the sample with a server name from TLS. */
export async function flowOfTls(page: Page): Promise<Flow> {
  const filter = encodeURIComponent("src.ip:10.0.2.15");
  const flows = await read<Flow[]>(
    page,
    `/api/v1/flows?from=${since(30)}&service=tls&filter=${filter}&limit=500`,
  );
  const flow = flows.find(({ names, src }) => names[0]?.via === "tls" && src.device_id !== null);
  assert.ok(flow, "expected a flow with a server name of TLS");
  return flow;
}

/** The device of that flow, and the newest domain it looked up. */
export async function deviceWithDomain(page: Page): Promise<{ device: string; domain: string }> {
  const { src } = await flowOfTls(page);
  const device = src.device_id ?? "";
  const [newest] = (await read<DeviceDetail>(page, `/api/v1/devices/${device}`)).domains;
  assert.ok(newest, "expected a domain");
  return { device, domain: newest.domain };
}

/** The pages that show more on a whole day than on the few records of `quality_test.ts`, and one that shows nothing. */
export async function fullPages(page: Page): Promise<string[]> {
  const incident = await read<Incident[]>(page, `/api/v1/incidents?from=${since(30)}&limit=1`);
  const { device } = await deviceWithDomain(page);
  const { flow_id } = await flowOfTls(page);
  return [
    `?${RANGE}`,
    `/incidents/${incident[0]!.id}`,
    `/devices/${device}?${RANGE}`,
    `/devices/${device}?${RANGE}&view=traits`,
    `/explore?${RANGE}`,
    "/explore?from=2001-01-01T00:00:00Z&to=2001-01-02T00:00:00Z",
    `/flows/${flow_id}`,
  ].map(at);
}

/** Opens the first expandable row and its raw record. */
export async function openFirst(page: Page, path: string): Promise<void> {
  if (!/\/(incidents\/|flows|explore)/.test(path)) return;
  const row = page.locator("main button[data-row], main .grid-toggle button").first();
  if (await row.count() === 0) return;
  await row.click();
  const record = page.getByRole("button", { name: "Raw record" }).first();
  if (/\/(flows|explore)/.test(path)) await record.click();
  await settled(page);
}

/** Suppresses the pattern of the first listed incident that one detector found, then revokes the suppression. */
export async function suppressAndRevoke(page: Page): Promise<void> {
  const listed = async () => {
    // A suppression does not mark closed incidents.
    await page.goto(at(`/triage?filter=status:open&${RANGE}`));
    await settled(page);
    return await page.locator("main [role=grid] a.row-link").evaluateAll((rows) =>
      rows.map((row) => row.getAttribute("href"))
    );
  };
  let href = "";
  for (const one of await listed()) {
    await page.goto(href = one!);
    await settled(page);
    await page.getByRole("button", { name: "Suppress this pattern…" }).click();
    // Filled in from the incident, although results of several detectors have no pattern that covers them all.
    await page.getByRole("dialog").getByText(/would be suppressed/).waitFor();
    if (await page.getByRole("dialog").getByText("It does not cover this incident").count() === 0) break;
  }
  await assertAccessible(page, "suppression form", IN_DIALOG);
  await page.getByLabel(/Reason/).fill("Agreed with operations.");
  await page.getByRole("button", { name: "Suppress", exact: true }).click();
  await page.getByText("Accepted until").waitFor();
  assert.equal((await listed()).includes(href), false);

  await page.goto(at("/review/suppressions"));
  await settled(page);
  await assertAccessible(page, "suppressions");
  await assertFits(page, "suppressions");
  const suppression = page.getByRole("row").filter({ hasText: "Agreed with operations." });
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 1440, height: 900 });
  // The columns take the new width with the next frames.
  await eventually("the list has room for its last column", async () => {
    const [button, list] = await Promise.all([
      suppression.getByRole("button", { name: "Revoke…" }).boundingBox(),
      page.getByRole("grid").boundingBox(),
    ]);
    return button!.x + button!.width <= list!.x + list!.width;
  });
  await page.setViewportSize(size);
  await suppression.getByRole("button", { name: "Revoke…" }).click();
  await page.getByLabel(/Reason/).fill("It was not.");
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.getByRole("gridcell", { name: /^Revoked/ }).first().waitFor();
  assert.ok((await listed()).includes(href));
}
