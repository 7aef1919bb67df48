/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The list of devices and the page of one, on the sample of a running `ndr up`, in a real browser.
import assert from "node:assert/strict";
import type { Browser, Locator, Page } from "playwright-core";
import type { Device, DeviceDetail } from "../../src/contract/device/device.ts";
import { browserTest } from "./browser-test.ts";
import { chartOf, tableOf } from "./chart-steps.ts";
import { cardSorts, deviceSorts } from "./sort-steps.ts";
import { RANGE, recordsProcessed, sampleSent, signedIn } from "./steps.ts";
import { suppressible } from "./triage-steps.ts";
import {
  assertAccessible,
  assertFits,
  assertStill,
  read,
  readUntil,
  recordShifts,
  rulesIn,
  send,
  settled,
  watch,
} from "./support.ts";

const SAMPLE_MILLISECONDS = 120_000;

browserTest("devices in a browser", { sample: "loaded" }, async ({ t, browser, up, origin }) => {
  await sampleSent(up);
  await walk(t, browser, origin);
});

/** The riskiest device whose traffic sensors counted; others are known from alerts only. */
async function riskiestWithTraffic(page: Page): Promise<Device> {
  for (const device of await read<Device[]>(page, "/api/v1/devices?sort=-score&limit=20")) {
    const from = new Date(Date.now() - 30 * 86_400_000).toISOString();
    const { top_peers } = await read<DeviceDetail>(page, `/api/v1/devices/${device.device_id}?from=${from}`);
    if (top_peers.some(({ bytes_out }) => Number(bytes_out) > 0)) return device;
  }
  throw new Error("no device with traffic");
}

/** Words that continue on a second line. Long ones may: no column has room for an IPv6 address. */
async function brokenWords(part: Locator): Promise<string[]> {
  return await part.evaluate((element) => {
    const broken: string[] = [];
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      for (const { index, 0: word } of (node.textContent ?? "").matchAll(/[^\s-]+/g)) {
        if (word.length > 18) continue;
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word);
      }
    }
    return broken;
  });
}

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const context = await signedIn(browser, origin, "analyst");
  const seen = watch(context, origin);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await recordsProcessed(page);
  let device: Device;

  await t.step("the server sorts the list, riskiest first, and the order survives Back", async () => {
    await page.goto("/t/main/devices");
    await page.locator("[role=grid] [role=row]").nth(3).waitFor({ timeout: SAMPLE_MILLISECONDS });
    // The list that is on screen keeps its order; opened again it has the present one.
    await readUntil<Device[]>(
      page,
      "/api/v1/devices?sort=-score&limit=1",
      ([riskiest]) => riskiest!.score >= 40,
      SAMPLE_MILLISECONDS,
    );
    await page.reload();
    await page.waitForFunction(
      () => Number(document.querySelector("[role=grid] .score-number")?.textContent) >= 40,
    );
    device = await riskiestWithTraffic(page);
    await page.getByRole("columnheader", { name: "Device" }).getByRole("button").click();
    await page.waitForURL(/sort=display_name/);
    const [first] = await read<Device[]>(page, "/api/v1/devices?sort=display_name&limit=1");
    const top = page.locator("[role=grid] .entity-device").first();
    await page.waitForFunction(
      (name) => document.querySelector("[role=grid] .entity-device")?.textContent.includes(name),
      first!.display_name,
    );
    await top.getByRole("link").click();
    await page.getByRole("heading", { level: 1, name: first!.display_name }).waitFor();
    await page.goBack();
    await page.waitForURL(/sort=display_name/);
    await settled(page);
    await assertAccessible(page, "devices");
  });

  await t.step(
    "every header sorts, texts included, and the address keeps the order",
    () => deviceSorts(page),
  );
  await t.step("the flows of a device sort, and the note says how", () => cardSorts(page, device.device_id));

  await t.step("traffic, baseline and peers of a device are charts with their numbers", async () => {
    await page.goto(`/t/main/devices/${device.device_id}?${RANGE}`);
    await settled(page);
    await page.getByText(/^(No b|B)aseline: /).waitFor();
    for (const name of [/^Traffic of this device/, /^Bytes between this device/]) {
      assert.ok((await tableOf(chartOf(page, name))).length > 1, String(name));
    }
    const peer = page.getByRole("figure", { name: /^Bytes between this device/ }).locator("svg a").first();
    await peer.click();
    await page.getByRole("heading", { level: 1, name: "Explore" }).waitFor();
    assert.match(new URL(page.url()).searchParams.get("filter") ?? "", new RegExp(device.device_id));
    await page.goBack();
    await settled(page);
  });

  for (const colorScheme of ["light", "dark"] as const) {
    await t.step(`axe finds nothing on the page, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.locator(".uplot").first().waitFor();
      await assertAccessible(page, `device, ${colorScheme}`, rulesIn(colorScheme));
    });
  }

  await t.step("a change of another person stands next to mine, and mine is applied on top", async () => {
    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit device" });
    await dialog.getByLabel("Name", { exact: true }).fill("Front desk");
    const path = `/api/v1/devices/${device.device_id}`;
    const before = await read<DeviceDetail>(page, path);
    await send(page, "patch", path, { owner: "Maria Constantinou" }, before.revision);
    await dialog.getByRole("button", { name: /^Save and confirm/ }).click();
    await dialog.getByText("This device changed after you opened it.").waitFor();
    const rows = await dialog.locator(".conflict-table tbody tr").allTextContents();
    assert.equal(rows.length, 2, rows.join("; "));
    assert.ok(rows.some((row) => row.includes("Front desk")) && rows.some((row) => row.includes("Maria")));
    await assertAccessible(page, "conflict of a device");
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await brokenWords(dialog.locator(".conflict-table")), [], `${width} pixels`);
      await assertFits(page, `conflict of a device, ${width} pixels`);
    }
    await dialog.getByRole("button", { name: "Apply mine on top" }).click();
    await page.getByRole("heading", { level: 1, name: "Front desk" }).waitFor();
    const after = await read<DeviceDetail>(page, path);
    assert.deepEqual([after.display_name, after.owner, after.classification_source], [
      "Front desk",
      "Maria Constantinou",
      "human_confirmed",
    ]);
  });

  await t.step("a suppressed incident is not shown as open", async () => {
    const { incident: one, pattern } = await suppressible(page);
    await send(page, "post", "/api/v1/suppressions", {
      pattern,
      reason: "Agreed with operations.",
      expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    });
    await page.goto(`/t/main/devices/${one.device_ids[0]}?${RANGE}`);
    await settled(page);
    const row = page.locator("li.row", { hasText: one.title }).first();
    await row.getByText(/^Suppressed until/).waitFor();
    assert.equal(await row.getByText("Open", { exact: true }).count(), 0);
  });

  await t.step("a reader is not offered to edit", async () => {
    const reading = await signedIn(browser, origin, "reader");
    const other = await reading.newPage();
    await other.goto(`/t/main/devices/${device.device_id}?${RANGE}`);
    await settled(other);
    await other.getByRole("heading", { level: 1, name: "Front desk" }).waitFor();
    assert.equal(await other.getByRole("button", { name: "Edit" }).count(), 0);
    await reading.close();
  });

  await t.step("list and page fit a narrow window", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    for (const path of ["/t/main/devices", `/t/main/devices/${device.device_id}?${RANGE}`]) {
      await page.goto(path);
      await settled(page);
      await assertFits(page, path);
    }
  });

  await t.step("nothing moves while list and page load", async () => {
    for (const path of ["/t/main/devices", `/t/main/devices/${device.device_id}?${RANGE}`]) {
      for (const viewport of [{ width: 390, height: 844 }, { width: 1440, height: 900 }]) {
        const fresh = await context.newPage();
        await fresh.setViewportSize(viewport);
        const shifts = await recordShifts(fresh);
        await fresh.goto(path);
        await settled(fresh);
        assertStill(await shifts(), `${path} at ${viewport.width} pixels`);
        await fresh.close();
      }
    }
  });

  assert.deepEqual(seen.foreign, []);
  assert.deepEqual(seen.complaints, []);
  assert.deepEqual(seen.refused.filter((one) => !one.startsWith("412 PATCH")), []);
  await context.close();
}
