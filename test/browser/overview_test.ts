/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The overview and its charts, on the sample of a running `ndr up`, in a real browser.
import assert from "node:assert/strict";
import type { Browser, Locator } from "playwright-core";
import type { Trends } from "../../src/contract/brief/trends.ts";
import type { SensorCoverage } from "../../src/contract/health/coverage.ts";
import type { HealthReport } from "../../src/contract/health/health.ts";
import type { Incident } from "../../src/contract/incident/incident.ts";
import { browserTest } from "./browser-test.ts";
import { chartOf, tableOf } from "./chart-steps.ts";
import { RANGE, recordsProcessed, sampleSent, signedIn, textWithoutTimes, withoutTimes } from "./steps.ts";
import {
  assertAccessible,
  assertFits,
  assertStill,
  read,
  recordShifts,
  rulesIn,
  send,
  settled,
  watch,
} from "./support.ts";

const SAMPLE_MILLISECONDS = 120_000;
const OVERVIEW = "/t/main";
/** As the overview asks for the worst open incidents. */
const WORST =
  "/api/v1/incidents?from=1970-01-01T00:00:00Z&sort=-score&suppressed=false&limit=6&filter=status:open+or+status:investigating";
const CHARTS = [
  "Open incidents by severity",
  "Open incidents by ATT&CK technique",
  "Traffic by direction in bytes",
  "Countries by bytes",
  "Flows by device and time",
  "Sensor coverage by time",
];

browserTest("the overview in a browser", { sample: "loaded" }, async ({ t, browser, up, origin }) => {
  await sampleSent(up);
  await walk(t, browser, origin);
});

/** Sums up a column of a table with whole numbers. */
function sumOf(rows: string[][], column: number): number {
  return rows.slice(1).reduce((sum, row) => sum + Number(row[column]!.replaceAll(",", "")), 0);
}

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const context = await signedIn(browser, origin, "analyst");
  const seen = watch(context, origin);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await recordsProcessed(page);

  await t.step("the worst open incidents stand first, whatever the range, each with its reason", async () => {
    await page.goto(`${OVERVIEW}?range=15m`);
    const rows = page.locator("section", { has: page.getByRole("heading", { name: "Needs attention" }) })
      .locator("li.row");
    await rows.first().waitFor({ timeout: SAMPLE_MILLISECONDS });
    await page.waitForFunction(
      () => document.querySelectorAll(".overview-attention li.row").length === 6,
      null,
      {
        timeout: SAMPLE_MILLISECONDS,
      },
    );
    const [first] = await read<Incident[]>(page, WORST);
    await rows.first().getByText(first!.title).waitFor({ timeout: SAMPLE_MILLISECONDS });
    const reason = await textWithoutTimes(rows.first().locator(".attention-reason"));
    assert.ok(reason.length > 10 && withoutTimes(first!.summary).startsWith(reason), reason);
  });

  await t.step("every chart shows its numbers as a table", async () => {
    await page.goto(`${OVERVIEW}?${RANGE}`);
    await settled(page);
    for (const name of CHARTS) {
      const rows = await tableOf(chartOf(page, name));
      assert.ok(rows.length >= 1, name);
      assert.equal(new Set(rows.map(({ length }) => length)).size, 1, `${name}: a row has a cell per column`);
    }
    const incidents = await tableOf(chartOf(page, "Open incidents by severity"));
    assert.deepEqual(incidents[0], ["Time", "Critical", "High", "Medium", "Low", "Info", "Total"]);
    const legend = chartOf(page, "Open incidents by severity").locator(".legend > li");
    for (const [at, entry] of (await legend.allTextContents()).entries()) {
      assert.equal(sumOf(incidents, at + 1), Number(/\d+$/.exec(entry)?.[0]), entry);
    }
  });

  await t.step("the table button of a chart without a legend takes no row of its own", async () => {
    for (const name of ["Countries by bytes", "Flows by device and time", "Sensor coverage by time"]) {
      assert.equal(await chartOf(page, name).locator(".chart-tools").count(), 0, name);
    }
    assert.equal(await page.locator(".card-head .chart-toggle").count(), 4);
  });

  await t.step("a card without content is a line at the end of the page", async () => {
    // The sample's GeoIP database has no autonomous systems.
    const folded = page.locator(".card-folded");
    assert.equal(
      (await folded.allTextContents()).join(),
      "NetworksNo flow with a known autonomous system in this period; a GeoIP database adds them.",
    );
    const bottom = async (place: Locator) => (await place.boundingBox())!.y;
    assert.ok(await bottom(folded) > await bottom(chartOf(page, "Sensor coverage by time")));
  });

  await t.step("what waits for nobody, and sensors of which nothing is known, are lines, too", async () => {
    // What the sample always has is taken out of the answers.
    const answers: [string, (body: { data: unknown }) => void][] = [
      ["**/api/v1/health", ({ data }) => {
        for (const component of (data as HealthReport).components) component.status = "ok";
      }],
      ["**/api/v1/response-actions?*", (body) => body.data = []],
      ["**/api/v1/health/coverage?*", ({ data }) => (data as SensorCoverage).sensors = []],
    ];
    for (const [path, change] of answers) {
      await page.route(path, async (route) => {
        const response = await route.fetch();
        const body = await response.json();
        change(body);
        await route.fulfill({ response, json: body });
      });
    }
    await page.reload();
    await settled(page);
    assert.deepEqual(await page.locator(".card-folded h2").allTextContents(), [
      "Waiting and silent",
      "Networks",
      "Sensor coverage",
    ]);
    await assertFits(page, "folded cards");
    await page.unrouteAll();
    await page.reload();
    await settled(page);
  });

  await t.step("today is compared with earlier days, and false positives lead to their list", async () => {
    const path = "/api/v1/incidents?from=1970-01-01T00:00:00Z&sort=score&status=open&limit=1";
    const [least] = await read<Incident[]>(page, path);
    const { id, revision, model_ids } = least!;
    const body = { status: "false_positive", comment: "A test of ours." };
    await send(page, "patch", `/api/v1/incidents/${id}`, body, revision);
    const strip = page.getByRole("region", { name: "Trends" });
    const shown = (name: string) => strip.locator(".stat", { hasText: name }).locator("dd");
    // The change feed reports the change.
    await strip.getByRole("link", { name: /: 1 of 1$/ }).waitFor();
    const { counts, work } = await read<Trends>(page, "/api/v1/trends");
    assert.equal(counts.closed_incidents.today, 1);
    assert.match(await shown("Incidents closed today").textContent() ?? "", /^1.*1 in 7 days/);
    const opened = await shown("Incidents opened today").textContent() ?? "";
    assert.match(opened, new RegExp(`^${counts.opened_incidents.today}\\D.*${work.opened.value} in 7 days`));
    await strip.getByRole("link", { name: /: 1 of 1$/ }).click();
    await page.getByRole("heading", { level: 1, name: "Triage" }).waitFor();
    await settled(page);
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get("view"), searchParams.get("filter")], [
      "closed",
      `detector:${model_ids[0]}`,
    ]);
    assert.equal(await page.locator("[role=grid]").getAttribute("aria-rowcount"), "2");
    await page.goBack();
    await settled(page);
  });

  await t.step("a number of the legend leads to the list of what it counts", async () => {
    const legend = chartOf(page, "Open incidents by severity").locator(".legend > li", { hasText: "High" });
    // Records keep arriving: a count that has changed meanwhile is read again.
    for (let attempt = 1;; attempt++) {
      const count = Number(/\d+$/.exec(await legend.textContent() ?? "")?.[0]);
      assert.ok(count > 0, "the sample has incidents of high severity");
      await legend.getByRole("link").click();
      await page.getByRole("heading", { level: 1, name: "Triage" }).waitFor();
      await settled(page);
      const rows = Number(await page.locator("[role=grid]").getAttribute("aria-rowcount")) - 1;
      if (rows === count) break;
      assert.ok(attempt < 3, `the legend says ${count}, the list has ${rows}`);
      await page.goBack();
      await settled(page);
    }
    await page.goBack();
    await settled(page);
  });

  await t.step("a span selected by keyboard becomes the range of the page", async () => {
    const plot = chartOf(page, "Traffic by direction in bytes").getByRole("slider");
    await plot.focus();
    await page.keyboard.press("End");
    const last = await plot.getAttribute("aria-valuetext");
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("Shift+ArrowLeft");
    assert.notEqual(await plot.getAttribute("aria-valuetext"), last);
    await page.keyboard.press("Enter");
    await page.waitForURL(/from=/);
    const { searchParams } = new URL(page.url());
    const span = Date.parse(searchParams.get("to")!) - Date.parse(searchParams.get("from")!);
    // Three buckets of six hours.
    assert.equal(span, 18 * 3_600_000);
    await page.goBack();
    await settled(page);
  });

  await t.step("a span dragged by pointer becomes the range of the page", async () => {
    const plot = chartOf(page, "Open incidents by severity").locator(".u-over");
    await plot.scrollIntoViewIfNeeded();
    const box = (await plot.boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.5, box.y + 40);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.9, box.y + 60, { steps: 8 });
    await page.mouse.up();
    await page.waitForURL(/from=/);
    const { searchParams } = new URL(page.url());
    const days = (Date.parse(searchParams.get("to")!) - Date.parse(searchParams.get("from")!)) / 86_400_000;
    assert.ok(days >= 11 && days <= 14, `${days} of 30 days`);
    await settled(page);
    await page.goBack();
    await settled(page);
  });

  await t.step("the cells of a heat map are reached by arrow keys and opened", async () => {
    const grid = chartOf(page, "Flows by device and time").getByRole("grid");
    await grid.locator("td[tabindex='0']").focus();
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowDown");
    const cell = grid.locator("td:focus");
    assert.match(await cell.getAttribute("aria-label") ?? "", /: [\d,]+ flows?$/);
    assert.equal(await grid.locator("td[tabindex='0']").count(), 1, "one tab stop");
    await page.keyboard.press("Enter");
    await page.waitForURL(/\/devices\/[0-9a-f-]{36}\?/);
    assert.match(new URL(page.url()).searchParams.get("scope") ?? "", /^2.*Z\/2.*Z$/);
    assert.equal(new URL(page.url()).searchParams.get("range"), "30d", "the range of the page stays");
    await page.goBack();
    await settled(page);
  });

  await t.step("a range chosen elsewhere does not change what needs attention", async () => {
    await page.goto(`${OVERVIEW}?from=2001-01-01T00:00:00Z&to=2001-01-02T00:00:00Z`);
    await settled(page);
    assert.equal(await page.locator(".overview-attention .row-link").count(), 6);
    const [first] = await read<Incident[]>(page, WORST);
    await page.locator(".overview-attention .row-link").first().getByText(first!.title).waitFor();
    // An incident's own time does not become the range of the overview.
    await page.goto(`${OVERVIEW}?${RANGE}`);
    await settled(page);
    await page.locator(".overview-attention .row-link").first().click();
    await page.getByRole("heading", { level: 1 }).first().waitFor();
    await settled(page);
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Overview" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    const { searchParams } = new URL(page.url());
    assert.deepEqual([searchParams.get("range"), searchParams.get("from")], ["30d", null]);
  });

  await t.step("nothing moves while the overview loads", async () => {
    for (const width of [1440, 390]) {
      const fresh = await context.newPage();
      await fresh.setViewportSize({ width, height: 900 });
      const shifts = await recordShifts(fresh);
      await fresh.goto(`${OVERVIEW}?${RANGE}`);
      await settled(fresh);
      assertStill(await shifts(), `overview at ${width} pixels`);
      await fresh.close();
    }
  });

  for (const colorScheme of ["light", "dark"] as const) {
    await t.step(`axe finds nothing, as charts and as tables, ${colorScheme}`, async () => {
      await page.emulateMedia({ colorScheme });
      await page.goto(`${OVERVIEW}?${RANGE}`);
      await settled(page);
      await page.locator(".uplot").first().waitFor();
      await assertAccessible(page, `overview, ${colorScheme}`, rulesIn(colorScheme));
      for (const button of await page.getByRole("button", { name: /^Show as table/ }).all()) {
        await button.click();
      }
      await assertAccessible(page, `overview as tables, ${colorScheme}`, rulesIn(colorScheme));
    });
  }

  await t.step("it fits a narrow window", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${OVERVIEW}?${RANGE}`);
    await settled(page);
    await assertFits(page, "overview");
  });

  assert.deepEqual(seen.foreign, []);
  assert.deepEqual(seen.complaints, []);
  assert.deepEqual(seen.refused, []);
  await context.close();
}
