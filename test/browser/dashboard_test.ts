/// <reference lib="dom" />
// A user's tour of the dashboard of a running `ndr up`, in a real browser.
import assert from "node:assert/strict";
import type { Browser } from "playwright-core";
import type { Device } from "../../src/contract/device/device.ts";
import type { Incident, IncidentDetail } from "../../src/contract/incident/incident.ts";
import type { Session } from "../../src/contract/session/session.ts";
import { browserTest } from "./browser-test.ts";
import { printPages } from "./print-steps.ts";
import {
  assertRawRecord,
  at,
  changeBehind,
  changeStatus,
  choose,
  chooseTheme,
  deviceWithDomain,
  flowOfTls,
  fullPages,
  openFirst,
  RANGE,
  signedIn,
  suppressAndRevoke,
  walkByKeyboard,
} from "./steps.ts";
import { assertAccessible, assertFits, read, settled, watch } from "./support.ts";

/** The first page opens while the sample records are still being processed. */
const SAMPLE_MILLISECONDS = 120_000;
const WIDE = { width: 1280, height: 900 };
const NARROW = { width: 400, height: 800 };

browserTest("the first start in a browser", { emptyDatabase: true }, async ({ t, browser, origin }) => {
  const context = await signedIn(browser, origin, "analyst");
  const page = await context.newPage();
  await page.goto(at(`/triage?${RANGE}`));
  await t.step("incidents of the sample appear without reloading", async () => {
    await page.locator("main [role=grid] a.row-link").first().waitFor({ timeout: SAMPLE_MILLISECONDS });
    const session = await read<Session>(page, "/api/v1/session");
    assert.equal(session.selected_tenant, "main");
    await page.getByRole("button", { name: "Account of Ada Analyst" }).waitFor();
  });
  await context.close();
});

browserTest("the dashboard in a browser", { sample: "loaded" }, async ({ t, browser, origin }) => {
  await walk(t, browser, origin);
});

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const context = await browser.newContext({ baseURL: origin, viewport: WIDE });
  const page = await context.newPage();
  let incident: Incident;

  await t.step("an analyst signs in and returns to the requested page", async () => {
    await page.goto(at(`/triage?${RANGE}`));
    await settled(page);
    await assertAccessible(page, "sign-in page");
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("link", { name: /Ada Analyst/ }).click();
    await page.getByRole("heading", { level: 1, name: "Triage" }).waitFor();
    assert.equal(new URL(page.url()).pathname + new URL(page.url()).search, at(`/triage?${RANGE}`));
  });

  // From here on all requests go to one origin; the sign-in may be elsewhere.
  const seen = watch(context, origin);

  await t.step("an incident shows the reasons and the raw record behind its evidence", async () => {
    await page.goto(at(`/triage?filter=status:open&${RANGE}`));
    const link = page.locator("main [role=grid] a.row-link").first();
    await link.waitFor();
    const id = new URL(await link.getAttribute("href") ?? "", origin).pathname.split("/").at(-1)!;
    incident = await read<IncidentDetail>(page, `/api/v1/incidents/${id}`);
    await link.click();
    await page.getByRole("heading", { level: 1, name: incident.title }).waitFor();
    await page.getByRole("heading", { name: "Why" }).waitFor();
    await assertRawRecord(page, incident.id);
  });

  await t.step("the status changes, with a comment", async () => {
    await changeStatus(page, "Resolve", "Reinstalled the device.");
    await page.getByRole("region", { name: "Messages" }).getByText(/resolved\.$/).waitFor();
    const changed = await read<IncidentDetail>(page, `/api/v1/incidents/${incident.id}`);
    assert.equal(changed.status, "resolved");
    assert.equal(changed.workflow_history.at(-1)?.comment, "Reinstalled the device.");
    await page.locator(".history-comment", { hasText: "Reinstalled the device." }).waitFor();
  });

  await t.step("a conflicting change is kept and shown as unsaved", async () => {
    await page.getByRole("button", { name: "False positive", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "False positive" });
    await dialog.getByLabel(/Comment/).fill("A test of the red team.");
    await changeBehind(page, incident.id);
    await dialog.getByRole("button", { name: "Mark as false positive" }).click();
    await dialog.getByText("This incident changed after you opened it. Nothing was saved.").waitFor();
    assert.equal(await dialog.getByLabel(/Comment/).inputValue(), "A test of the red team.");
    await dialog.getByRole("button", { name: "Apply mine on top" }).click();
    await page.locator(".history-comment", { hasText: "A test of the red team." }).waitFor();
  });

  await t.step("a device is corrected", async () => {
    const [device] = await read<Device[]>(page, "/api/v1/devices?limit=1");
    assert.ok(device);
    await page.goto(at(`/devices/${device.device_id}?${RANGE}`));
    await settled(page);
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Front desk");
    await page.getByLabel(/Tags/).fill("lobby, <b>bold</b>");
    await page.getByRole("button", { name: "Save and confirm" }).click();
    await page.getByRole("heading", { level: 1, name: "Front desk" }).waitFor();
    await page.getByText("confirmed by a person").waitFor();
    // Input is text, never markup.
    await page.getByText("<b>bold</b>").first().waitFor();
  });

  await t.step("a device shows facts from its traffic, each with the flow it was seen in", async () => {
    const { device, domain } = await deviceWithDomain(page);
    await page.goto(at(`/devices/${device}?${RANGE}`));
    await settled(page);
    await page.getByRole("link", { name: /Behaviour/ }).click();
    await page.waitForURL(/view=traits/);
    assert.equal(await page.locator(".tab[aria-current]").count(), 1);
    await page.getByRole("heading", { level: 2, name: "Domains" }).waitFor();
    const sighting = page.locator(".sightings li", { hasText: domain }).first();
    assert.match(await sighting.locator(".entity-link").getAttribute("href") ?? "", /\/domain\//);
    await sighting.locator("a[data-row]").click();
    await page.locator(".observation").first().waitFor();
    await page.goBack();
    await page.getByRole("link", { name: "Identity" }).click();
    await page.getByRole("heading", { level: 2, name: "Behaviour" }).waitFor();
  });

  await t.step("a flow shows its server's name and the TLS details", async () => {
    const flow = await flowOfTls(page);
    await page.goto(at(`/flows/${flow.flow_id}`));
    await page.getByRole("heading", { level: 2, name: "Names of the server" }).waitFor();
    const said = page.getByRole("group", { name: "TLS details of the record" }).first();
    await said.getByText("Server name").waitFor();
    await said.getByText(flow.server_name ?? "", { exact: true }).waitFor();
  });

  await t.step("a flow shows the records of its sensors", async () => {
    await page.goto(at(`/explore?${RANGE}`));
    await page.locator(".grid-toggle button").first().click();
    await page.locator(".observation").first().waitFor();
    const address = await page.locator(".grid-detail a", { hasText: "Open as a page" }).getAttribute("href");
    await page.goto(address ?? "");
    await page.getByText("preferred").first().waitFor();
  });

  await t.step("a drag over the end of the histogram zooms into it", async () => {
    await page.goto(at("/explore?range=24h"));
    await settled(page);
    const box = (await page.locator(".chart-plot").first().boundingBox())!;
    const point = (share: number) => [box.x + box.width * share, box.y + box.height / 2] as const;
    await page.mouse.move(...point(0.85));
    await page.mouse.down();
    await page.mouse.move(...point(0.95), { steps: 8 });
    await page.mouse.up();
    await page.waitForURL(/from=/);
    await settled(page);
    // The pointer is still where the shorter series has no bucket.
    await page.getByRole("figure", { name: "Flows over time" }).waitFor();
    assert.equal(await page.getByText("could not be loaded").count(), 0);
  });

  await t.step(
    "a suppressed pattern leaves the list of incidents until it is revoked",
    () => suppressAndRevoke(page),
  );

  await t.step("everything is reachable by keyboard", () => walkByKeyboard(page));
  await t.step("the chosen theme is stored and applied before the first paint", () => chooseTheme(page));

  await t.step("pages full of records are accessible, and fit a narrow window", async () => {
    // The theme is the system's again.
    await page.evaluate(() => localStorage.removeItem("ndr.theme"));
    for (const path of await fullPages(page)) {
      await page.goto(path);
      await settled(page);
      await openFirst(page, path);
      await assertAccessible(page, path);
      await page.setViewportSize(NARROW);
      await assertFits(page, path);
      await page.setViewportSize(WIDE);
    }
  });

  await t.step("an incident, the overview and triage are printed whole, in the light theme", async () => {
    await printPages(page);
    await page.setViewportSize(WIDE);
  });

  await t.step("the narrow menu leads to the pages", async () => {
    await page.setViewportSize(NARROW);
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await assertAccessible(page, "narrow overview");
    await page.setViewportSize(WIDE);
  });

  await t.step("signing out ends the session", async () => {
    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: "Sign in" }).waitFor();
  });

  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    const expected = [
      /^401 GET \/api\/v1\//,
      /^412 PATCH \/api\/v1\/incidents\//,
      /^404 GET \/api\/v1\/incidents\/none$/,
    ];
    assert.deepEqual(seen.refused.filter((line) => !expected.some((pattern) => pattern.test(line))), []);
  });
  await context.close();

  await t.step("a reader is offered no changes", async () => {
    const reader = await signedIn(browser, origin, "reader");
    const page = await reader.newPage();
    await page.goto(at(`/incidents/${incident.id}`));
    await settled(page);
    assert.equal(await page.getByRole("toolbar", { name: "Actions" }).count(), 0);
    await assertAccessible(page, "incident of a reader");
    await reader.close();
  });

  await t.step("an administrator reads the audit log", async () => {
    const admin = await signedIn(browser, origin, "admin");
    const page = await admin.newPage();
    await page.goto(at(`/system/audit?${RANGE}`));
    await page.getByRole("grid", { name: "Audit entries" }).getByText("Signed in").first().waitFor();
    await assertAccessible(page, "audit of an administrator");
    await admin.close();
  });

  await t.step("a user of two tenants chooses one and switches", async () => {
    const multi = await signedIn(browser, origin, "multi");
    const page = await multi.newPage();
    await page.goto("/");
    await page.getByRole("heading", { level: 1, name: "Choose a tenant" }).waitFor();
    await assertAccessible(page, "choice of the tenant");
    await page.getByRole("button").first().click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    const first = await page.getByRole("combobox", { name: "Tenant" }).textContent();
    const other = (await read<Session>(page, "/api/v1/session")).tenants.find(({ display_name }) =>
      display_name !== first
    );
    await choose(page, "Tenant", other!.display_name);
    await page.locator(".page-header", { hasText: other!.display_name }).waitFor();
    assert.equal((await read<Session>(page, "/api/v1/session")).selected_tenant, other!.tenant_id);
    await multi.close();
  });
}
