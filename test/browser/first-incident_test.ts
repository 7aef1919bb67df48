/// <reference lib="dom" />
// The first minutes of a new user, on the sample of a running `ndr up`: from the overview to a resolved incident.
import assert from "node:assert/strict";
import type { Browser, Locator, Page } from "playwright-core";
import type { FlowObservation } from "../../src/contract/flow/flow.ts";
import type { Incident, IncidentDetail } from "../../src/contract/incident/incident.ts";
import { browserTest } from "./browser-test.ts";
import { at, signedIn, textWithoutTimes, withoutTimes } from "./steps.ts";
import { assertAccessible, read, rulesIn, settled, watch } from "./support.ts";

const SAMPLE_MILLISECONDS = 120_000;
const STEP_MILLISECONDS = 30_000;
const OPEN = "from=1970-01-01T00:00:00Z&suppressed=false&filter=" +
  encodeURIComponent("(status:open or status:investigating)");

browserTest("the first incident in a browser", { sample: "loaded" }, async ({ t, browser, origin }) => {
  await walk(t, browser, origin);
});

const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const detailOf = (page: Page, id: string) => read<IncidentDetail>(page, `/api/v1/incidents/${id}`);
const idOf = (page: Page) => new URL(page.url()).pathname.split("/").at(-1)!;

async function openWorst(page: Page): Promise<void> {
  await page.goto(at(""));
  await page.locator(".overview-attention li.row a.row-link").first().click({ timeout: SAMPLE_MILLISECONDS });
  await page.locator("[data-score]").waitFor();
}

/** Opens the worst incident with an address at a place: an incident may name devices only. */
async function openNaming(page: Page, place: string): Promise<Locator> {
  const incidents = await read<Incident[]>(page, `/api/v1/incidents?${OPEN}&sort=-score&limit=20`);
  for (const { id } of incidents) {
    await page.goto(at(`/incidents/${id}`));
    await page.locator(".talk").waitFor();
    const link = page.locator(`${place} .entity-address a`).first();
    if (await link.isVisible()) return link;
  }
  throw new Error(`none of ${incidents.length} incidents names an address in ${place}`);
}

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const context = await signedIn(browser, origin, "analyst");
  const seen = watch(context, origin);
  context.setDefaultTimeout(STEP_MILLISECONDS);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });

  await t.step("from the overview to a resolved incident with a comment, and back", async () => {
    await openWorst(page);
    const id = idOf(page);
    const before = await detailOf(page, id);
    assert.equal(await heading(page).textContent(), before.title);
    // What happened stands first, in words.
    const shown = (await Promise.all((await page.locator(".lead p").all()).map(textWithoutTimes))).join(" ");
    assert.ok(shown.startsWith(withoutTimes(before.summary)), shown);

    await page.getByRole("textbox", { name: "Comment" }).fill("Asked the owner of the device.");
    await page.getByRole("button", { name: /^(Save|Add) comment$|^Comment$/ }).click();
    await page.locator(".history-comment", { hasText: "Asked the owner of the device." }).waitFor();

    await page.getByRole("toolbar", { name: "Actions" }).getByRole("button", { name: /^Resolve/ }).click();
    const dialog = page.getByRole("dialog", { name: "Resolve" });
    await dialog.getByLabel(/Comment/).fill("Device reinstalled.");
    await dialog.getByRole("button", { name: "Resolve", exact: true }).click();
    const messages = page.getByRole("region", { name: "Messages" });
    await messages.getByText(/resolved\.$/).waitFor();
    assert.equal((await detailOf(page, id)).status, "resolved");
    const open = await read<Incident[]>(page, `/api/v1/incidents?${OPEN}`);
    assert.ok(!open.some((one) => one.id === id));

    await messages.getByRole("button", { name: /^Undo/ }).click();
    await messages.getByText("Undone.").waitFor();
    const after = await detailOf(page, id);
    assert.equal(after.status, before.status);
    assert.deepEqual(
      after.workflow_history.flatMap(({ comment }) => comment ?? []).slice(0, 2),
      ["Asked the owner of the device.", "Device reinstalled."],
    );
  });

  await t.step("the raw record of an incident is two clicks away", async () => {
    await openWorst(page);
    const { evidence } = await detailOf(page, idOf(page));
    await page.locator(".evidence-anchor button[data-row]").first().click();
    const panel = page.locator(".evidence-anchor .evidence-open");
    await panel.waitFor();
    const shown = await read<FlowObservation[]>(page, `/api/v1/flows/${evidence[0]!.flow_id}/evidence`);
    const raw = shown.find(({ evidence_id }) => evidence_id === evidence[0]!.evidence_id)?.raw;
    assert.ok(raw, "the first record is retained");
    await panel.getByText(raw.event_id).waitFor();
  });

  await t.step("an address in the sentences and in the picture leads to its flows", async () => {
    for (const place of [".lead", ".talk-picture"]) {
      const link = await openNaming(page, place);
      const address = (await link.textContent())!.trim();
      await link.click();
      await page.getByRole("heading", { level: 1, name: address }).waitFor();
      await settled(page);
      const rows = page.getByRole("grid", { name: "Flows" }).locator("[data-row-index]");
      await rows.first().waitFor();
      for (const row of await rows.all()) {
        const text = await row.textContent();
        const titles = await row.locator("a[title]").evaluateAll((links) =>
          links.map((one) => one.getAttribute("title"))
        );
        assert.ok([text, ...titles].join(" ").includes(address), `${address} in ${text}`);
      }
    }
  });

  await t.step("the page is accessible in both themes", async () => {
    await openWorst(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await assertAccessible(page, `the worst incident, ${colorScheme}`, rulesIn(colorScheme));
    }
  });

  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    assert.deepEqual(seen.refused, []);
  });
  await context.close();
}
