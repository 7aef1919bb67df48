/// <reference lib="dom" />
// The health page for an administrator and for a reader: all components working, a failing connector, an
// unresponsive core.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { selfSigned } from "../support/certificates.ts";
import { answer } from "../support/connector/hostile-answers.ts";
import { HostileReceiver } from "../support/connector/hostile-receiver.ts";
import { CHROMIUM, WatchedPage } from "../support/watched-page.ts";
import { signedIn } from "./steps.ts";
import { assertAccessible, assertFits, recordShifts, rulesIn, settled, watch } from "./support.ts";

Deno.test({
  name: "the health page in a browser",
  ignore: CHROMIUM === null,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const receiver = await HostileReceiver.start(answer(403), await selfSigned("localhost"));
    const connectors = [
      {
        instance: "siem",
        url: receiver.url("localhost"),
        config: { tls_fingerprint_sha256: "ab".repeat(32) },
      },
    ];
    try {
      await using watched = await WatchedPage.start({ connectors, ownDatabase: true });
      await walk(t, watched);
    } finally {
      await receiver.close();
    }
  },
});

async function walk(t: Deno.TestContext, watched: WatchedPage): Promise<void> {
  const { page } = watched;
  const seen = watch(page.context(), new URL(watched.up.baseUrl).origin);
  const banner = page.getByRole("region", { name: "Overall status" });
  const attention = (of: Page) =>
    of.locator("section", { has: of.getByRole("heading", { name: "Needs attention" }) });

  await t.step("when all is well the page says so, and the navigation too", async () => {
    await watched.until("appliance", "ok");
    await banner.getByText("All components work and records arrive.").waitFor();
    assert.equal(await attention(page).count(), 0);
    await page.getByRole("link", { name: /^Health\s*OK$/ }).waitFor();
    assert.equal(await watched.shown("sensor:edge"), "OK");
    assert.equal(await watched.shown("telemetry"), "Off");
    const edge = page.getByRole("region", { name: "Sensors" }).locator("tr", { hasText: "edge" });
    assert.match((await edge.textContent())!, /of 15 min/);
  });

  await t.step("failing components come first, with reason and remedy", async () => {
    await watched.alert();
    await watched.until("connector:siem", "unavailable", { message: /^tls: / });
    const trouble = attention(page).getByRole("listitem");
    assert.equal(await trouble.count(), 1);
    const text = (await trouble.textContent())!;
    assert.match(
      text,
      /^Unavailable\s*Connector siem\s*since .*tls: .*certificate.*ndr connectors test siem --live/,
    );
    await page.getByRole("link", { name: /^Health\s*Degraded$/ }).waitFor();
  });

  for (const theme of ["light", "dark"]) {
    await t.step(`it is accessible in the ${theme} theme`, async () => {
      await page.evaluate((name) => localStorage.setItem("ndr.theme", name), theme);
      await page.reload();
      await settled(page);
      await assertAccessible(page, theme, rulesIn(theme));
    });
  }

  await t.step("unparsed and rejected records are listed with reason and raw text", async () => {
    await watched.line(
      "edge",
      '{"kind":"zeek.conn","observed_at":"yesterday","payload":{"uid":"Cbad\\u202e"}}',
    );
    await watched.line(
      "edge",
      `{"kind":"zeek.conn","observed_at":"${new Date().toISOString()}","payload":{"uid":"Chalf"}}`,
    );
    await watched.line("branch", "<134>Jan 31 07:15:00 not a record\u202e");
    await page.reload();
    await page.locator(".stat-bad", { hasText: "Rejected, last 5 min2" }).waitFor();
    await page.getByRole("link", { name: "Show rejected records" }).click();
    const table = page.getByRole("grid", { name: "Unparsed and rejected records" });
    const row = (hasText: string) => table.locator(".grid-row", { hasText }).locator(".grid-toggle button");
    await table.getByText("observed_at: expected an RFC 3339 timestamp").first().waitFor();
    assert.equal(await table.locator(".grid-body .grid-row").count(), 2);
    await row("not JSON").click();
    const line = page.getByRole("region", { name: "Line", exact: true });
    assert.match((await line.textContent())!, /^<134>Jan 31 07:15:00 not a record/);
    assert.match((await line.locator(".unseen").textContent())!, /202E/i);

    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Unparsed" }).click();
    await row("id.orig_h: expected an address").click();
    assert.match((await page.getByRole("region", { name: "Payload" }).textContent())!, /"uid": "Chalf"/);
    for (const theme of ["light", "dark"]) {
      await page.evaluate((name) => localStorage.setItem("ndr.theme", name), theme);
      await page.reload();
      await settled(page);
      await table.locator(".grid-toggle button").first().click();
      await assertAccessible(page, `records in the ${theme} theme`, rulesIn(theme));
      await watched.picture(`health-records-${theme}`);
    }
    await page.setViewportSize({ width: 400, height: 800 });
    await assertFits(page, "records");
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto("/");
    await page.getByRole("link", { name: "Show unparsed records" }).waitFor();
    await settled(page);
    await watched.picture("overview-records");
    await page.goto("/t/main/system/health");
    await banner.waitFor();
  });

  await t.step("it fits a narrow window, including the reasons", async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    await assertFits(page, "health");
    await assertAccessible(page, "narrow");
    await attention(page).getByText("ndr connectors test siem --live").waitFor();
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  await t.step("nothing moves when the history arrives after the report", async () => {
    const fresh = await page.context().newPage();
    await fresh.setViewportSize({ width: 1440, height: 900 });
    await fresh.route("**/health/transitions?*", async (route) => {
      await fresh.getByRole("heading", { name: "History", exact: true }).waitFor();
      await fresh.waitForTimeout(500);
      await route.continue();
    });
    const shifts = await recordShifts(fresh);
    await fresh.goto(page.url());
    await fresh.getByLabel(/^Health over/).first().waitFor();
    await settled(fresh);
    const { shift, moved } = await shifts();
    assert.ok(shift < 0.02, `health moves by ${shift}: ${moved.join("; ")}`);
    await fresh.close();
  });

  await t.step("a reader sees which component fails, without the reason", async () => {
    const context = await signedIn(page.context().browser()!, watched.up.baseUrl, "reader");
    const other = await context.newPage();
    await other.goto("/t/main/system/health");
    await settled(other);
    const text = (await attention(other).textContent())!;
    assert.match(text, /causes and next steps are shown to administrators/);
    assert.match(text, /Connector siem/);
    assert.doesNotMatch(text, /certificate|localhost|ndr connectors/);
    await assertAccessible(other, "of a reader");
    assert.equal(await other.getByRole("link", { name: /^Show .* records$/ }).count(), 0);
    await other.goto("/t/main/system/records");
    await other.getByText("For administrators").waitFor();
    await context.close();
  });

  await t.step("a wrong clock is shown", async () => {
    await page.route("**/api/v1/health", async (route) => {
      const response = await route.fetch();
      const body = await response.json();
      body.meta.generated_at = new Date(Date.now() - 3_600_000).toISOString();
      await route.fulfill({ response, json: body });
    });
    await page.reload();
    await page.getByText(/The appliance's clock is (1 h|59 min).* behind this browser's/).waitFor();
    await assertAccessible(page, "with a wrong clock");
    await page.unroute("**/api/v1/health");
    await page.reload();
    await settled(page);
  });

  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    assert.deepEqual(seen.refused, []);
  });

  await t.step(
    "when the appliance stops answering, the last report is not shown as current",
    async () => {
      await watched.up.kill();
      await banner.getByText("The appliance does not answer.").waitFor({ timeout: 60_000 });
      await page.getByRole("link", { name: /^Health\s*Unavailable$/ }).waitFor();
      await assertAccessible(page, "without an answer");
      await watched.picture("health-no-answer");
    },
  );
}
