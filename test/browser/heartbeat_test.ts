/// <reference lib="dom" />
// The telemetry section and the notice of a newer release with hostile text, from the registration server to
// the page.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { HealthReport } from "../../src/contract/health/health.ts";
import type { Release } from "../../src/contract/telemetry/registration.ts";
import { freshPostgres, POSTGRES_URL } from "../support/database.ts";
import { registeredBefore } from "../support/telemetry/registration/cycle.ts";
import { readLedger } from "../support/telemetry/registration/reading.ts";
import { DATABASE_FILE, RegistrationServer } from "../support/telemetry/registration-server.ts";
import { waitFor } from "../support/transport/transport-programs.ts";
import { CHROMIUM, WatchedPage } from "../support/watched-page.ts";
import { at, signedIn } from "./steps.ts";
import { assertAccessible, assertFits, rulesIn, settled, watch } from "./support.ts";

const HOSTILE = [
  `<img src=x onerror="document.title='taken'"><script>document.title='taken'</script>`,
  `<a href="https://evil.example/">click</a> [click](https://evil.example/md) https://evil.example/plain javascript:alert(1)`,
  "&lt;b&gt;bold&lt;/b&gt; **bold** \u202Egnp.exe\u202C \u2066x\u2069 a\u0000b\u0007c\u001b[31m z\u0337\u0337\u0337\u0337\u0337\u0337algo",
  `{{7*7}} \${7*7} ${"wide".repeat(200)}`,
].join("\n");
const RELEASE: Release = {
  latest_version: "0.9.0",
  channel: "stable",
  released_on: "2026-02-01",
  security: true,
  notice: HOSTILE,
  url: `https://ndr.example/${"a".repeat(200)}?<script>"'`,
};

Deno.test({
  name: "the heartbeat and a newer release in a browser",
  ignore: CHROMIUM === null,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const folder = await Deno.makeTempDir({ prefix: "ndr-registration-" });
    const release = `${folder}/release.json`;
    await Deno.writeTextFile(release, JSON.stringify(RELEASE));
    const server = await RegistrationServer.start({ port: 0, data: folder, release });
    const ledger = `${folder}/${DATABASE_FILE}`;
    const stateDir = await Deno.makeTempDir({ prefix: "ndr-watched-" });
    const database = POSTGRES_URL === "" ? null : await freshPostgres();
    const env = { NDR_TELEMETRY: "on", NDR_TELEMETRY_URL: server.origin };
    const options = { stateDir, databaseUrl: database?.url, env };
    try {
      await registeredBefore({ ...options, sample: false }, ledger);
      await using watched = await WatchedPage.start(options);
      await waitFor(() => readLedger(ledger).heartbeat.length === 1, () => watched.up.output(), 120);
      const told = String(readLedger(ledger).heartbeat[0]!.payload);
      await waitFor(
        async () => (await watched.report()).update.release !== null,
        () => watched.up.output(),
        120,
      );
      await walk(t, watched, told);
    } finally {
      await server.close();
      await database?.drop();
      await Deno.remove(folder, { recursive: true });
    }
  },
});

async function walk(t: Deno.TestContext, watched: WatchedPage, told: string): Promise<void> {
  const { page } = watched;
  const seen = watch(page.context(), new URL(watched.up.baseUrl).origin);
  const notice = (of: Page) => of.getByRole("region", { name: "Newer release" });
  const dismiss = page.getByRole("button", { name: "Dismiss the notice of this release" });
  const open = async (path: string, of = page) => {
    await of.goto(path);
    await settled(of);
  };
  /** No element of the notice is active, and no script in it ran. */
  const assertPlain = async (of: Page) => {
    assert.equal(
      await notice(of).locator("a, img, script, b, strong, em, iframe, form, [onerror]").count(),
      0,
    );
    assert.doesNotMatch(await of.title(), /taken/);
    assert.equal(await of.locator('a[href*="evil"], a[href*="ndr.example"]').count(), 0);
  };

  await t.step("a banner announces the release on every page, marked as a security release", async () => {
    for (const path of ["", "/triage", "/devices", "/explore"].map(at)) {
      await open(path);
      const text = (await notice(page).textContent())!;
      assert.match(text, /NDR 0\.9\.0 is available\s*Security release\s*stable, of 2026-02-01/, path);
      assert.match(text, /Updates are never installed automatically/);
    }
  });

  await t.step(
    "the notice is plain, limited text without markup, links or hidden characters, however hostile",
    async () => {
      const { update: { release } } = await watched.report();
      const text = (await notice(page).textContent())!;
      assert.ok(text.includes(release!.notice) && text.includes(release!.url));
      assert.ok([...release!.notice].length <= 500);
      assert.doesNotMatch(text, /[<>`*[\]]b|[\p{Cc}\p{Cf}]/u);
      await assertPlain(page);
      await watched.picture("release-banner");
    },
  );

  await t.step("text that was not sanitised on the server is plain text here too", async () => {
    const rewritten = await rewriting(page, (report) => report.update.release = { ...RELEASE });
    await page.reload();
    await settled(page);
    const text = (await notice(page).textContent())!;
    assert.ok(text.includes(`<img src=x onerror="document.title='taken'"><script>`), "shown as is");
    assert.match(text, /U\+202E.*U\+0000/s, "invisible characters are made visible");
    await assertPlain(page);
    await assertFits(page, "with a hostile notice");
    await rewritten();
  });

  for (const theme of ["light", "dark"]) {
    await t.step(`it is accessible in the ${theme} theme, and fits a narrow window`, async () => {
      await page.evaluate((name) => localStorage.setItem("ndr.theme", name), theme);
      for (const path of ["/triage", "/system/health"]) {
        await open(at(path));
        await assertAccessible(page, `${path} ${theme}`, rulesIn(theme));
        await watched.picture(`release-${path.slice(1).replace("/", "-")}-${theme}`);
        await page.setViewportSize({ width: 400, height: 800 });
        await assertFits(page, path);
        await assertAccessible(page, `${path} ${theme} narrow`, rulesIn(theme));
        await watched.picture(`release-${path.slice(1).replace("/", "-")}-${theme}-narrow`);
        await page.setViewportSize({ width: 1280, height: 900 });
      }
    });
  }

  await t.step("it is dismissed for this version only and stays on the health page", async () => {
    await open(at("/system/health"));
    assert.equal(await notice(page).count(), 1, "once, not twice");
    assert.equal(await dismiss.count(), 0);
    await open(at("/devices"));
    await dismiss.click();
    await notice(page).waitFor({ state: "detached" });
    // A toast takes it back.
    await page.getByText("The notice of NDR 0.9.0 stays on the health page.").waitFor();
    await assertAccessible(page, "with a toast");
    await page.keyboard.press("z");
    await notice(page).waitFor();
    await page.getByText("Undone.").waitFor();
    await dismiss.click();
    await notice(page).waitFor({ state: "detached" });
    await page.reload();
    await settled(page);
    assert.equal(await notice(page).count(), 0);
    await open(at("/system/health"));
    assert.equal(await notice(page).count(), 1);
    const others: Partial<Release>[] = [{ latest_version: "0.9.1" }, { security: false }];
    for (const other of others) {
      const rewritten = await rewriting(page, (report) => report.update.release = { ...RELEASE, ...other });
      await open(at("/devices"));
      assert.equal(await notice(page).count(), 1, JSON.stringify(other));
      assert.equal(
        await notice(page).getByText("Security release").count(),
        other.security === false ? 0 : 1,
      );
      await rewritten();
    }
  });

  await t.step(
    "every reader sees the last telemetry payload, byte for byte as sent",
    async () => {
      const context = await signedIn(page.context().browser()!, watched.up.baseUrl, "reader");
      const reader = await context.newPage();
      await open(at("/system/telemetry"), reader);
      const card = reader.locator("section", {
        has: reader.getByRole("heading", { name: "Heartbeat", exact: true }),
      });
      assert.match(
        (await card.textContent())!,
        /Once a day the appliance sends this heartbeat to its registration server .*NDR_TELEMETRY=off switches it off/,
      );
      const payload = reader.getByRole("region", { name: "Payload" });
      assert.equal((await payload.textContent())!.replaceAll(/\s/g, ""), told);
      await card.getByRole("button", { name: "As sent" }).click();
      assert.equal(await payload.textContent(), told);
      await assertPlain(reader);
      await assertAccessible(reader, "of a reader");
      await context.close();
    },
  );

  await t.step(
    "the telemetry failure detail is admin-only, and disabled telemetry says so",
    async () => {
      const failing = await rewriting(page, (report) => {
        report.telemetry = {
          ...report.telemetry,
          status: "degraded",
          message: "the registration server: it answered 503",
        };
      });
      await open(at("/system/telemetry"));
      await page.locator(".heartbeat").getByText("it answered 503").waitFor();
      await assertAccessible(page, "failing");
      await failing();
      const off = await rewriting(page, (report) => {
        report.telemetry = {
          ...report.telemetry,
          status: "unavailable",
          message: "disabled",
          last_payload: null,
        };
        report.update = { ...report.update, release: null };
      });
      await open(at("/system/telemetry"));
      await page.locator(".heartbeat").getByText("or has no registration server: nothing is sent").waitFor();
      assert.equal(await page.getByRole("region", { name: "Payload" }).count(), 0);
      assert.equal(await notice(page).count(), 0);
      await assertAccessible(page, "off");
      await watched.picture("heartbeat-off");
      await off();
    },
  );

  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    assert.deepEqual(seen.refused, []);
  });
}

/** Changes each health report on its way to the page until the returned function is called. */
async function rewriting(page: Page, change: (report: HealthReport) => void): Promise<() => Promise<void>> {
  const path = "**/api/v1/health";
  await page.route(path, async (route) => {
    const response = await route.fetch();
    const body = await response.json();
    change(body.data);
    await route.fulfill({ response, json: body });
  });
  return () => page.unroute(path);
}
