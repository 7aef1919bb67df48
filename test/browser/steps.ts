/// <reference lib="dom" />
// User tasks in the dashboard, one function each.
import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { Device, DeviceDetail } from "../../src/contract/device/device.ts";
import type { Flow, FlowObservation } from "../../src/contract/flow/flow.ts";
import type { Incident, IncidentDetail } from "../../src/contract/incident/incident.ts";
import type { Session } from "../../src/contract/session/session.ts";
import { assertAccessible, assertFits, read, settled } from "./support.ts";

/** Covers the sample at any time of day. */
export const RANGE = "range=30d";

export async function signedIn(browser: Browser, origin: string, account: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: origin });
  const page = await context.newPage();
  await page.goto(`/auth/login?login_hint=${account}`);
  await page.locator("main h1").first().waitFor();
  await page.close();
  return context;
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
}

export async function changeStatus(page: Page, status: string, comment: string): Promise<void> {
  await page.getByRole("radio", { name: status }).check();
  await page.getByLabel(/Comment/).fill(comment);
  await sendStatus(page);
}

/** Submits the form, again if new evidence of the sample has changed the incident meanwhile. */
export async function sendStatus(page: Page): Promise<void> {
  const done = page.getByText("Status changed.");
  for (let attempt = 0; attempt < 5; attempt++) {
    const answer = page.waitForResponse((response) => response.request().method() === "PATCH");
    await page.getByRole("button", { name: "Change status" }).click();
    if ((await answer).ok()) break;
    await settled(page);
  }
  await done.waitFor({ state: "attached" });
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
  await page.goto(`/?${RANGE}`);
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
  await page.locator("main [data-row]").first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("front desk");
  await page.waitForURL(/query=front\+desk/);
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => !url.searchParams.has("query"));
  await page.keyboard.press("Escape");
  await page.keyboard.press("j");
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: focused ?? "" }).waitFor();
}

export async function chooseTheme(page: Page): Promise<void> {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
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
  const flows = await read<Flow[]>(page, `/api/v1/flows?from=${since(30)}&service=tls&limit=500`);
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

/** Every page; detail pages with real objects. */
export async function paths(page: Page): Promise<string[]> {
  const incident = await read<Incident[]>(page, `/api/v1/incidents?from=${since(30)}&limit=1`);
  const device = await read<Device[]>(page, "/api/v1/devices?limit=1");
  const flow = await read<Flow[]>(page, `/api/v1/flows?from=${since(30)}&limit=1`);
  const known = await deviceWithDomain(page);
  const tls = await flowOfTls(page);
  return [
    `/?${RANGE}`,
    `/incidents?${RANGE}`,
    `/incidents/${incident[0]!.id}`,
    `/devices?${RANGE}`,
    `/devices/${device[0]!.device_id}?${RANGE}`,
    `/devices/${known.device}?${RANGE}&view=traits`,
    `/devices/${known.device}?${RANGE}&view=identity`,
    `/flows?${RANGE}`,
    "/suppressions",
    "/audit",
    `/flows/${flow[0]!.flow_id}`,
    `/flows/${tls.flow_id}`,
    "/health",
    "/incidents?from=2001-01-01T00:00:00Z&to=2001-01-02T00:00:00Z",
    "/incidents/none",
    "/no/such/page",
  ];
}

/** Opens the first expandable row and its raw record. */
export async function openFirst(page: Page, path: string): Promise<void> {
  if (!/^\/(incidents\/|flows)/.test(path)) return;
  const row = page.locator("main button[data-row]").first();
  if (await row.count() > 0) await row.click();
  const record = page.getByRole("button", { name: "Raw record" }).first();
  if (path.startsWith("/flows")) await record.click();
  await settled(page);
}

/** Suppresses the first listed incident's pattern, then revokes the suppression. */
export async function suppressAndRevoke(page: Page): Promise<void> {
  const listed = async () => {
    // A suppression does not mark closed incidents.
    await page.goto(`/incidents?status=open&${RANGE}`);
    await settled(page);
    return await page.locator("main tr a[data-row]").evaluateAll((rows) =>
      rows.map((row) => row.getAttribute("href"))
    );
  };
  const link = page.locator("main tr a[data-row]").first();
  await listed();
  const href = (await link.getAttribute("href"))!;
  await link.click();
  await page.getByRole("button", { name: "Suppress this pattern…" }).click();
  await assertAccessible(page, "suppression form");
  await page.getByLabel(/Reason/).fill("Agreed with operations.");
  await page.getByRole("button", { name: "Suppress", exact: true }).click();
  await page.getByText("Accepted until").waitFor();
  assert.equal((await listed()).includes(href), false);

  await page.goto("/suppressions");
  await settled(page);
  await assertAccessible(page, "suppressions");
  await assertFits(page, "suppressions");
  await page.getByRole("button", { name: "Revoke…" }).click();
  await page.getByLabel(/Reason/).fill("It was not.");
  await page.getByRole("button", { name: "Revoke", exact: true }).click();
  await page.locator("td", { hasText: "Revoked" }).first().waitFor();
  assert.equal((await listed()).includes(href), true);
}
