/// <reference lib="dom" />
// An analyst's work in a real browser: the queue, one incident, bulk moves, a conflict with a colleague.
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { FlowObservation } from "../../src/contract/flow/flow.ts";
import type { Incident } from "../../src/contract/incident/incident.ts";
import type { Up } from "../support/up.ts";
import { browserTest } from "./browser-test.ts";
import { alert, sendRecords } from "./records.ts";
import { assertSorts } from "./sort-steps.ts";
import { at, signedIn } from "./steps.ts";
import {
  assignConflictStep,
  changeAs,
  conflictStep,
  DAY,
  detailOf,
  inBothThemes,
  incidentOf,
  responderStep,
  STEP_MILLISECONDS,
  toast,
} from "./triage-steps.ts";
import { assertAccessible, assertFits, read, settled, watch } from "./support.ts";

const INCIDENT_MILLISECONDS = 60_000;
const OPEN = "/api/v1/incidents?from=1970-01-01T00:00:00Z&filter=" +
  encodeURIComponent("(status:open or status:investigating)");

browserTest(
  "triage and incidents in a browser",
  { sample: false, ownDatabase: true },
  async ({ t, browser, up, origin }) => {
    await sendAlerts(up);
    await walk(t, browser, origin);
  },
);

interface Alert {
  device: number;
  /** Milliseconds before now. */
  age: number;
  signature: string;
  priority: number;
}

const SECOND = 1000;
/** Six devices with one incident each; the second worst is older than every preset of the time range but one. */
const ALERTS: Alert[] = [
  { device: 5, age: 90 * SECOND, signature: "ET MALWARE C2 checkin", priority: 1 },
  { device: 5, age: 70 * SECOND, signature: "ET MALWARE C2 beacon", priority: 1 },
  { device: 5, age: 50 * SECOND, signature: "ET MALWARE C2 upload", priority: 1 },
  { device: 6, age: 10 * DAY, signature: "ET MALWARE C2 checkin", priority: 1 },
  { device: 7, age: 80 * SECOND, signature: "ET EXPLOIT attempt", priority: 2 },
  { device: 8, age: 60 * SECOND, signature: "ET EXPLOIT attempt", priority: 2 },
  { device: 9, age: 40 * SECOND, signature: "ET EXPLOIT attempt", priority: 2 },
  { device: 10, age: 30 * SECOND, signature: "ET EXPLOIT attempt", priority: 2 },
];
const DEVICES = new Set(ALERTS.map(({ device }) => device)).size;

async function sendAlerts(up: Up): Promise<void> {
  const records = ALERTS.map(({ age, ...one }, index) =>
    alert({ ...one, time: Date.now() - age, id: 2_000_001 + index })
  );
  await sendRecords(up, "suricata.alert", records);
}

const grid = (page: Page) => page.getByRole("grid", { name: "Incidents" });
const row = (page: Page, index: number) => grid(page).locator(`[data-row-index="${index}"]`);
const titleOf = (page: Page, index: number) => row(page, index).locator("a.row-link").textContent();
const shown = (page: Page) => grid(page).locator("a.row-link");
const peek = (page: Page) => page.locator("aside.peek");

const SEVERITIES = ["Info", "Low", "Medium", "High", "Critical"];

/** Severity and score as the cells of a row show them. */
async function visibleOrder(page: Page, index: number): Promise<[severity: number, score: number]> {
  const cells = row(page, index).locator("[data-label]");
  const text = (label: string) => cells.and(page.locator(`[data-label="${label}"]`)).innerText();
  return [SEVERITIES.indexOf((await text("Severity")).trim()), Number.parseInt(await text("Score"), 10)];
}

async function titles(page: Page): Promise<string[]> {
  return await shown(page).allTextContents();
}

/** The first `count` rows are there, and no more. */
async function waitForRows(page: Page, count: number, timeout = STEP_MILLISECONDS): Promise<void> {
  await page.waitForFunction(
    (wanted) => document.querySelectorAll("main [role=grid] a.row-link").length === wanted,
    count,
    { timeout },
  );
}

async function openTriage(page: Page, query = ""): Promise<void> {
  await page.goto(at(`/triage${query}`));
  await settled(page);
}

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const context = await signedIn(browser, origin, "analyst");
  const seen = watch(context, origin);
  context.setDefaultTimeout(STEP_MILLISECONDS);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });

  await t.step("all open work is listed, worst first, whatever the time range", async () => {
    await openTriage(page, "?range=1h");
    await waitForRows(page, DEVICES, INCIDENT_MILLISECONDS);
    const listed = await read<Incident[]>(page, `${OPEN}&sort=-severity`);
    await openTriage(page, "?range=1h");
    await waitForRows(page, DEVICES);
    assert.deepEqual(await titles(page), listed.map(({ title }) => title));
    // The order is by what is visible: the marked column, and the score within a severity.
    assert.equal(
      await grid(page).getByRole("columnheader", { name: "Severity" }).getAttribute("aria-sort"),
      "descending",
    );
    const scores = await Promise.all(listed.map((_, index) => visibleOrder(page, index)));
    assert.deepEqual(scores, scores.toSorted((a, b) => b[0] - a[0] || b[1] - a[1]));
    const old = await incidentOf(page, 6);
    assert.ok(Date.parse(old.last_seen) < Date.now() - 9 * DAY, "one is older than the range");
    assert.ok(listed.some(({ id }) => id === old.id));
    await inBothThemes(page, "triage");
  });

  await t.step("the server sorts, and Back restores order and row", async () => {
    const score = grid(page).getByRole("button", { name: "Score" });
    for (const [sort, direction] of [["-score", "descending"], ["score", "ascending"]] as const) {
      await score.click();
      await page.waitForURL((url) => url.searchParams.get("sort") === sort);
      const [first] = await read<Incident[]>(page, `${OPEN}&sort=${sort}`);
      await page.waitForFunction(
        (title) => document.querySelector("main [role=grid] a.row-link")?.textContent === title,
        first!.title,
      );
      assert.equal(
        await grid(page).getByRole("columnheader", { name: "Score" }).getAttribute("aria-sort"),
        direction,
      );
    }
    await assertSorts(page, {
      header: "Incident",
      orders: ["title", "-title"],
      textsOf: async (sort) =>
        (await read<Incident[]>(page, `${OPEN}&sort=${sort}`)).map(({ title }) => title),
    });
    await grid(page).getByRole("button", { name: "Last seen" }).click();
    await page.waitForURL(/sort=-last_seen/);
    const listed = await read<Incident[]>(page, `${OPEN}&sort=-last_seen`);
    const wanted = listed.map(({ title }) => title);
    await page.waitForFunction(
      (first) => document.querySelector("main [role=grid] a.row-link")?.textContent === first,
      wanted[0]!,
    );
    assert.deepEqual(await titles(page), wanted);
    assert.equal(
      await grid(page).getByRole("columnheader", { name: "Last seen" }).getAttribute("aria-sort"),
      "descending",
    );
    for (let step = 0; step < 3; step++) await page.keyboard.press("j");
    await row(page, 2).and(page.locator(".grid-active")).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: wanted[2]!, exact: true }).waitFor();
    await page.goBack();
    await waitForRows(page, DEVICES);
    assert.match(page.url(), /sort=-last_seen/);
    assert.deepEqual(await titles(page), wanted);
    await page.waitForFunction(() =>
      document.activeElement?.closest("[data-row-index]")?.getAttribute("data-row-index") === "2"
    );
  });

  await t.step("what an old incident leads to is shown in its time, which can be removed", async () => {
    const old = await incidentOf(page, 6);
    const scope = page.locator(".range-scope");
    const flows = page.getByRole("grid", { name: "Flows", exact: true }).locator(".grid-body [role=row]");
    const removed = async () => {
      await scope.click();
      await scope.waitFor({ state: "detached" });
      assert.equal(new URL(page.url()).searchParams.get("scope"), null);
      await page.getByText("No flows here").waitFor();
    };
    const chip = (kind: string, text: string) =>
      page.locator(`main .entity-${kind} .entity-link`).filter({ hasText: text }).first();
    // The last hour has no flow of the incident, and stays the range of the pages that have one.
    await page.goto(at(`/incidents/${old.id}?range=1h`));
    await settled(page);
    await chip("address", "198.51.100.6").click();
    await page.waitForURL((url) => url.pathname === at("/address/198.51.100.6"));
    await flows.first().waitFor();
    assert.equal(new URL(page.url()).searchParams.get("range"), "1h");
    await inBothThemes(page, "an address in the time of an incident");
    // What leads on from there keeps the time.
    await page.getByRole("link", { name: "Open in Explore" }).click();
    await page.waitForURL((url) => url.pathname === at("/explore"));
    await flows.first().waitFor();
    await removed();
    await page.goBack();
    await page.goBack();
    await flows.first().waitFor();
    await chip("device", "10.0.0.6").or(chip("address", "10.0.0.6")).first().click();
    await page.waitForURL(/scope=/);
    await flows.first().waitFor();
    // From the list and its panel, too.
    await openTriage(page, "?range=1h&filter=ip:10.0.0.6");
    await waitForRows(page, 1);
    await row(page, 0).locator(".entity-device .entity-link").click();
    await page.waitForURL((url) => /\/devices\//.test(url.pathname) && url.searchParams.has("scope"));
    await flows.first().waitFor();
    await removed();
  });

  await t.step("j and k move through the list beside the panel", async () => {
    await openTriage(page);
    await waitForRows(page, DEVICES);
    await page.keyboard.press("j");
    await peek(page).getByRole("heading", { name: (await titleOf(page, 0))! }).waitFor();
    await page.keyboard.press("j");
    await peek(page).getByRole("heading", { name: (await titleOf(page, 1))! }).waitFor();
    await page.keyboard.press("k");
    await peek(page).getByRole("heading", { name: (await titleOf(page, 0))! }).waitFor();
    await peek(page).getByRole("heading", { name: "Newest evidence" }).waitFor();
    assert.equal(await shown(page).count(), DEVICES);
    await inBothThemes(page, "triage with the panel");
    // A click anywhere in a row shows it.
    await row(page, 3).locator("[data-cell]").last().click();
    await peek(page).getByRole("heading", { name: (await titleOf(page, 3))! }).waitFor();
    await page.keyboard.press("Escape");
    await peek(page).waitFor({ state: "detached" });
  });

  await t.step("views narrow the queue", async () => {
    const { id } = await incidentOf(page, 7);
    await openTriage(page);
    await page.getByRole("link", { name: /^Mine/ }).click();
    await page.getByText("No open incident is assigned to you.").waitFor();
    await page.goto(at(`/incidents/${id}`));
    await settled(page);
    await page.keyboard.press("a");
    await page.getByRole("dialog", { name: "Assign" }).waitFor();
    await assertAccessible(page, "assign dialog");
    await page.keyboard.press("Enter");
    await toast(page, /assigned to Ada Analyst/);
    await page.locator("[data-assignee]", { hasText: "Ada Analyst" }).waitFor();
    await openTriage(page, "?view=mine");
    await waitForRows(page, 1);
    await openTriage(page, "?view=unassigned");
    await waitForRows(page, DEVICES - 1);
    await openTriage(page, "?view=high");
    const high = await read<Incident[]>(page, `${OPEN}&severity=high&severity=critical`);
    await waitForRows(page, high.length);
    await openTriage(page, "?view=unassigned&filter=ip:10.0.0.9");
    await waitForRows(page, 1);
  });

  await t.step("a bulk move has one comment, and is undone with z", async () => {
    await openTriage(page);
    await waitForRows(page, DEVICES);
    const ids = [await incidentOf(page, 8), await incidentOf(page, 9)].map(({ id }) => id);
    for (const id of ids) {
      await grid(page).locator(".grid-row", { has: page.locator(`a[href$="/${id}"]`) }).getByRole("checkbox")
        .check();
    }
    await page.getByRole("toolbar", { name: "Selected rows" }).getByRole("button", { name: "Resolve…" })
      .click();
    const dialog = page.getByRole("dialog", { name: "Resolve" });
    await dialog.getByText("2 incidents, one comment for all.").waitFor();
    await dialog.getByLabel(/Comment/).fill("A scheduled test.");
    await dialog.getByRole("button", { name: "Resolve", exact: true }).click();
    await toast(page, "2 incidents: resolved.");
    await waitForRows(page, DEVICES - 2);
    for (const id of ids) {
      const { status, workflow_history } = await detailOf(page, id);
      assert.deepEqual([status, workflow_history.at(-1)?.comment], ["resolved", "A scheduled test."]);
    }
    await page.keyboard.press("z");
    await toast(page, "Undone.");
    await openTriage(page);
    await waitForRows(page, DEVICES);
  });

  await t.step("a bulk move lists what it could not change and keeps the comment", async () => {
    const [first, second] = [await incidentOf(page, 8), await incidentOf(page, 9)];
    for (const { id } of [first, second]) {
      await grid(page).locator(".grid-row", { has: page.locator(`a[href$="/${id}"]`) }).getByRole("checkbox")
        .check();
    }
    await page.getByRole("toolbar", { name: "Selected rows" })
      .getByRole("button", { name: "False positive…" }).click();
    const dialog = page.getByRole("dialog", { name: "False positive" });
    await dialog.getByLabel(/Comment/).fill("The scanner of the audit.");
    await changeAs(page, second.id, "investigating", "Looking into it.");
    await dialog.getByRole("button", { name: "Mark as false positive" }).click();
    await dialog.getByText("1 incident not changed").waitFor();
    await dialog.getByText(/another person changed it meanwhile/).waitFor();
    assert.equal(await dialog.getByLabel(/Comment/).inputValue(), "The scanner of the audit.");
    assert.equal((await detailOf(page, first.id)).status, "false_positive");
    assert.equal((await detailOf(page, second.id)).status, "investigating");
    await assertAccessible(page, "partly failed bulk move");
    await dialog.getByRole("button", { name: "Cancel" }).click();
  });

  await incidentSteps(t, page);
  await conflictStep(t, browser, origin, page);
  await assignConflictStep(t, page);
  await responderStep(t, browser, origin);
  await readerStep(t, browser, origin);

  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    // Deliberate conflicts only.
    assert.deepEqual(seen.refused.filter((one) => !/^412 (PATCH|PUT) /.test(one)), []);
  });
  await context.close();
}

async function incidentSteps(t: Deno.TestContext, page: Page): Promise<void> {
  const { id } = await incidentOf(page, 5);

  await t.step("the numbers of an incident add up on screen", async () => {
    await page.goto(at(`/incidents/${id}`));
    await settled(page);
    const sums = await page.locator(".score-table").evaluateAll((tables) =>
      tables.map((table) => {
        const tenths = (cell: Element) => Math.round(Number(cell.textContent.replace("−", "-")) * 10);
        const parts = [...table.querySelectorAll("[data-points]")].map(tenths);
        return { total: tenths(table.querySelector("[data-total]")!), sum: parts.reduce((a, b) => a + b, 0) };
      })
    );
    const { score, model_results } = await detailOf(page, id);
    assert.equal(sums.length, model_results.length + 1);
    for (const { total, sum } of sums) assert.equal(sum, total);
    const head = await page.locator("[data-score]").textContent();
    assert.equal(head, score.toFixed(1));
    assert.ok(sums.some(({ total }) => total === Math.round(score * 10)));
    await inBothThemes(page, "incident");
  });

  await t.step("the pictures select the evidence below", async () => {
    const { evidence } = await detailOf(page, id);
    const items = page.locator(".evidence-anchor .evidence");
    assert.equal(await items.count(), evidence.length);
    await page.getByRole("listbox", { name: /Evidence over time/ }).focus();
    await page.keyboard.press("Home");
    await page.keyboard.press("Shift+ArrowRight");
    const selection = page.locator(".evidence-selection");
    await selection.getByText(`of ${evidence.length} records`).waitFor();
    const brushed = await items.count();
    assert.ok(brushed > 0 && brushed < evidence.length, `${brushed} of ${evidence.length}`);
    await selection.getByRole("button", { name: "Show all" }).click();
    const links = page.getByRole("region", { name: "Who talked to whom" });
    await links.getByText("198.51.100.5").waitFor();
    const records = links.getByRole("button", { name: /record/ }).first();
    await records.click();
    await selection.waitFor();
    assert.equal(await records.getAttribute("aria-pressed"), "true");
    assert.equal(await page.locator(".talk-chosen").count(), 1);
    await inBothThemes(page, "incident with a selection");
    await selection.getByRole("button", { name: "Show all" }).click();
  });

  await t.step("a raw record is two clicks away from the queue", async () => {
    await openTriage(page);
    await grid(page).locator(`a[href$="/${id}"]`).click();
    await settled(page);
    const { evidence } = await detailOf(page, id);
    await page.locator(".evidence-anchor button[data-row]").first().click();
    const observations = await read<FlowObservation[]>(
      page,
      `/api/v1/flows/${evidence[0]!.flow_id}/evidence`,
    );
    const raw = observations.find(({ evidence_id }) => evidence_id === evidence[0]!.evidence_id)?.raw;
    assert.ok(raw);
    await page.locator(".evidence-anchor").getByText(raw.event_id).waitFor();
  });

  await t.step("a comment and a resolution are recorded by name, and the resolution is undone", async () => {
    await page.keyboard.press("c");
    await page.keyboard.type("Asked the owner.");
    await page.keyboard.press("Control+Enter");
    await page.locator(".history-comment", { hasText: "Asked the owner." }).waitFor();
    await page.locator(".history").getByText("Ada Analyst").first().waitFor();
    await page.locator("h1").click();
    await page.keyboard.press("e");
    const dialog = page.getByRole("dialog", { name: "Resolve" });
    await dialog.getByLabel(/Comment/).waitFor();
    // The text survives a closed dialog.
    await page.keyboard.type("Reinstalled the device.");
    await page.keyboard.press("Escape");
    // At once: the browser reports the closed dialog later.
    await page.keyboard.press("e");
    await dialog.getByLabel(/Comment/).waitFor();
    assert.equal(await dialog.getByLabel(/Comment/).inputValue(), "Reinstalled the device.");
    await page.keyboard.press("Control+Enter");
    await toast(page, /resolved\.$/);
    assert.equal((await detailOf(page, id)).status, "resolved");
    await page.getByRole("button", { name: /^Undo/ }).click();
    await toast(page, "Undone.");
    const { status, workflow_history } = await detailOf(page, id);
    assert.equal(status, "open");
    assert.ok(workflow_history.some(({ comment }) => comment === "Reinstalled the device."));
  });

  await t.step("n and p step through the queue", async () => {
    await openTriage(page);
    await waitForRows(page, DEVICES - 1);
    const wanted = await titles(page);
    await shown(page).first().click();
    await page.getByRole("heading", { level: 1, name: wanted[0]!, exact: true }).waitFor();
    await page.keyboard.press("n");
    await page.getByRole("heading", { level: 1, name: wanted[1]!, exact: true }).waitFor();
    await page.getByText(`2 of ${DEVICES - 1}, All open`).waitFor();
    await page.keyboard.press("p");
    await page.getByRole("heading", { level: 1, name: wanted[0]!, exact: true }).waitFor();
  });

  await t.step("both pages fit a phone", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openTriage(page);
    await assertFits(page, "triage");
    await page.goto(at(`/incidents/${id}`));
    await settled(page);
    await assertFits(page, "incident");
    await page.setViewportSize({ width: 1440, height: 900 });
  });
}

async function readerStep(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  await t.step("a reader sees the queue and no actions", async () => {
    const context = await signedIn(browser, origin, "reader");
    context.setDefaultTimeout(STEP_MILLISECONDS);
    const page = await context.newPage();
    await openTriage(page);
    await shown(page).first().waitFor();
    assert.equal(await grid(page).getByRole("checkbox").count(), 0);
    await page.keyboard.press("j");
    await peek(page).waitFor();
    assert.equal(await peek(page).getByRole("toolbar").count(), 0);
    await page.keyboard.press("e");
    assert.equal(await page.getByRole("dialog").count(), 0);
    await shown(page).first().click();
    await settled(page);
    assert.equal(await page.getByRole("toolbar", { name: "Actions" }).count(), 0);
    assert.equal(await page.getByRole("textbox", { name: "Comment" }).count(), 0);
    for (const name of ["Suppress this pattern…", "Propose an action…"]) {
      assert.equal(await page.getByRole("button", { name }).count(), 0, name);
    }
    await assertAccessible(page, "incident of a reader");
    await context.close();
  });
}
