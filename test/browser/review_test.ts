/// <reference lib="dom" />
// What people say about findings, on the records of the sample: feedback on detectors, proposals that another person
// decides on, and suppression from the queue.
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { DeviceDetail } from "../../src/contract/device/device.ts";
import type { Incident, IncidentDetail } from "../../src/contract/incident/incident.ts";
import type { ModelFeedback } from "../../src/contract/review/feedback.ts";
import type { Proposal } from "../../src/contract/review/proposal.ts";
import type { Suppression } from "../../src/contract/review/suppression.ts";
import { browserTest } from "./browser-test.ts";
import { at, recordsProcessed, sampleSent, signedIn } from "./steps.ts";
import { assertFits, read, send, settled, watch } from "./support.ts";
import { inBothThemes, suppressible, toast } from "./triage-steps.ts";

const STEP_MILLISECONDS = 20_000;
const OPEN = "/api/v1/incidents?from=1970-01-01T00:00:00Z&sort=-score&status=open&suppressed=false";

browserTest("reviewing in a browser", { sample: "loaded" }, async ({ t, browser, up, origin }) => {
  await sampleSent(up);
  await walk(t, browser, origin);
});

async function person(browser: Browser, origin: string, account: string): Promise<Page> {
  const context = await signedIn(browser, origin, account);
  context.setDefaultTimeout(STEP_MILLISECONDS);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  return page;
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(at(path));
  await settled(page);
}

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const analyst = await person(browser, origin, "analyst");
  const seen = watch(analyst.context(), origin);
  // Analyst of this tenant, too.
  const colleague = await person(browser, origin, "multi");
  const reader = await person(browser, origin, "reader");
  await recordsProcessed(analyst);
  const [worst] = await read<Incident[]>(analyst, `${OPEN}&limit=1`);
  const incident = await read<IncidentDetail>(analyst, `/api/v1/incidents/${worst!.id}`);
  await feedbackSteps(t, analyst, reader, incident);
  await statusSteps(t, analyst, colleague, incident);
  await typeSteps(t, analyst, colleague, incident.device_ids[0]!);
  await detectorStep(t, analyst, colleague, incident);
  await readerStep(t, reader, incident);
  await suppressionStep(t, analyst);
  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    assert.deepEqual(seen.refused.filter((one) => !/^412 POST \S+\/decision$/.test(one)), []);
  });
  for (const page of [analyst, colleague, reader]) await page.context().close();
}

async function feedbackSteps(
  t: Deno.TestContext,
  page: Page,
  reader: Page,
  incident: IncidentDetail,
): Promise<void> {
  const result = incident.model_results.toSorted((a, b) => b.score - a.score)[0]!;
  const question = page.getByRole("group", { name: /right\?$/ });

  await t.step("feedback is given at a detector's result", async () => {
    await open(page, `/incidents/${incident.id}`);
    assert.equal(await question.count(), incident.model_results.length);
    await question.first().getByRole("button", { name: "False positive…" }).click();
    const dialog = page.getByRole("dialog", { name: `Feedback on ${result.model_id}` });
    await dialog.getByText(result.title).waitFor();
    await inBothThemes(page, "feedback form");
    await page.keyboard.type("Our scanner of the <b>audit</b>.");
    await page.keyboard.press("Control+Enter");
    await toast(page, `Feedback on ${result.model_id}: false positive.`);
    const card = page.locator(".model").first();
    await card.getByText("by Ada Analyst").waitFor();
    await card.getByText("“Our scanner of the <b>audit</b>.”").waitFor();
    await inBothThemes(page, "incident with feedback");
    const [given] = await read<ModelFeedback[]>(page, "/api/v1/models/feedback");
    assert.deepEqual(
      [given!.model_id, given!.analysis_id, given!.incident_id, given!.verdict, given!.comment],
      [
        result.model_id,
        result.analysis_id,
        incident.id,
        "false_positive",
        "Our scanner of the <b>audit</b>.",
      ],
    );
  });

  await t.step("a person who answered is not asked again, and may add to it", async () => {
    await open(page, `/incidents/${incident.id}`);
    const again = page.locator(".model").first().getByRole("button", { name: "Give another verdict" });
    await again.waitFor();
    assert.equal(await question.count(), incident.model_results.length - 1);
    await again.click();
    await question.first().getByRole("button", { name: "Unclear…" }).waitFor();
  });

  await t.step("feedback starts on its page, too", async () => {
    await open(page, "/review/feedback");
    await page.getByRole("button", { name: "Give feedback…" }).click();
    const dialog = page.getByRole("dialog", { name: "Give feedback" });
    await dialog.getByRole("button", { name: "Give feedback" }).click();
    await dialog.getByRole("alert").getByText("Choose a detector and an incident first.").waitFor();
    await dialog.getByRole("combobox", { name: "Detector" }).click();
    await dialog.getByRole("option", { name: result.model_id, exact: true }).click();
    await dialog.getByText("Choose an incident", { exact: true }).waitFor();
    await dialog.getByRole("combobox", { name: /^Incident/ }).click();
    await dialog.getByRole("option").filter({ hasText: incident.title }).first().click();
    await dialog.getByRole("button", { name: "Give feedback" }).click();
    await toast(page, `Feedback on ${result.model_id}: useful.`);
    const list = page.getByRole("grid", { name: "Feedback" });
    await list.getByText("Useful").waitFor();
    const [given] = await read<ModelFeedback[]>(page, "/api/v1/models/feedback");
    assert.deepEqual([given!.analysis_id, given!.verdict, given!.comment], [null, "useful", null]);
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page, "feedback on a phone");
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  await t.step("a reader sees the verdicts and is not asked", async () => {
    await open(reader, `/incidents/${incident.id}`);
    await reader.locator(".model").first().getByText("by Ada Analyst").first().waitFor();
    assert.equal(await reader.getByRole("group", { name: /right\?$/ }).count(), 0);
    assert.equal(await reader.getByRole("button", { name: "Give another verdict" }).count(), 0);
    await open(reader, "/review/feedback");
    await reader.getByRole("grid", { name: "Feedback" }).getByText("Useful").waitFor();
    assert.equal(await reader.getByRole("button", { name: /^(Give|Propose)/ }).count(), 0);
  });
}

/** Decides on the proposal that is open beside the list, by key. */
async function accept(page: Page, change: string): Promise<void> {
  await page.locator("aside.peek").getByText(change).waitFor();
  await page.keyboard.press("a");
  await page.getByRole("dialog", { name: "Accept a proposal" }).getByLabel(/Comment/).fill("Agreed.");
  await page.keyboard.press("Control+Enter");
  await toast(page, `${change}: accepted.`);
}

async function statusSteps(
  t: Deno.TestContext,
  page: Page,
  colleague: Page,
  incident: IncidentDetail,
): Promise<void> {
  await t.step("a status is proposed from the incident, and the toast leads to the proposal", async () => {
    await open(page, `/incidents/${incident.id}`);
    await page.getByRole("toolbar", { name: "Actions" }).getByRole("button", { name: "More" }).click();
    await inBothThemes(page, "further actions");
    await page.getByRole("menuitem", { name: "Propose a status…" }).click();
    const dialog = page.getByRole("dialog", { name: "Propose a status" });
    await dialog.getByRole("combobox", { name: "Status" }).click();
    assert.equal(await dialog.getByRole("option", { name: "Open", exact: true }).count(), 0);
    await dialog.getByRole("option", { name: "False positive" }).click();
    await dialog.getByLabel(/Reason/).fill("It is our scanner.");
    await inBothThemes(page, "status proposal");
    await dialog.getByRole("button", { name: "Propose", exact: true }).click();
    await toast(page, "Incident status proposed.");
    await page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Open" }).click();
    await page.getByRole("heading", { level: 1, name: "Proposals" }).waitFor();
    await page.locator("aside.peek").getByText("It is our scanner.").first().waitFor();
  });

  await t.step("another analyst reaches it from the incident and accepts it", async () => {
    await open(colleague, `/incidents/${incident.id}`);
    await colleague.getByRole("link", { name: "Status false positive" }).click();
    await colleague.getByRole("heading", { level: 1, name: "Proposals" }).waitFor();
    await accept(colleague, "Status false positive");
    const [decided] = await read<Proposal[]>(page, `/api/v1/proposals?target_id=${incident.id}`);
    assert.deepEqual([decided!.status, decided!.comment], ["accepted", "Agreed."]);
    assert.notEqual(decided!.created_by, decided!.decided_by);
    await open(page, `/incidents/${incident.id}`);
    const card = page.locator(".card").filter({ hasText: "All proposals" });
    await card.getByText("Accepted", { exact: true }).waitFor();
    await inBothThemes(page, "incident with a decided proposal");
    const { status } = await read<IncidentDetail>(page, `/api/v1/incidents/${incident.id}`);
    assert.equal(status, incident.status);
  });
}

async function typeSteps(t: Deno.TestContext, page: Page, colleague: Page, device: string): Promise<void> {
  await t.step("a device type is proposed beside the type", async () => {
    await open(page, `/devices/${device}`);
    await page.getByRole("button", { name: "Propose a type…" }).click();
    const dialog = page.getByRole("dialog", { name: "Propose a device type" });
    await dialog.getByRole("combobox", { name: "Type" }).fill("print");
    await dialog.getByRole("option", { name: "Printer" }).waitFor();
    // Closes the list and not the dialog.
    await page.keyboard.press("Escape");
    await dialog.getByRole("option").first().waitFor({ state: "hidden" });
    await dialog.getByRole("combobox", { name: "Type" }).fill("printer");
    await page.keyboard.press("Escape");
    await dialog.getByLabel(/Reason/).fill("It stands in the hall.");
    await inBothThemes(page, "type proposal");
    await page.keyboard.press("Control+Enter");
    await toast(page, "Device type proposed.");
    await page.getByRole("link", { name: "Proposed: Type printer" }).waitFor();
    assert.equal(await page.getByRole("button", { name: "Propose a type…" }).count(), 0);
  });

  await t.step("another analyst accepts it, and the device has the type", async () => {
    await open(colleague, `/devices/${device}`);
    await colleague.getByRole("link", { name: "Proposed: Type printer" }).click();
    await accept(colleague, "Type printer");
    const { device_type, classification_source } = await read<DeviceDetail>(
      page,
      `/api/v1/devices/${device}`,
    );
    assert.deepEqual([device_type, classification_source], ["printer", "human_confirmed"]);
  });
}

async function detectorStep(
  t: Deno.TestContext,
  page: Page,
  colleague: Page,
  incident: IncidentDetail,
): Promise<void> {
  await t.step("a change is proposed from the menu of a detector", async () => {
    const model = incident.model_results.toSorted((a, b) => b.score - a.score)[0]!.model_id;
    await open(page, `/incidents/${incident.id}`);
    const chip = page.locator(".model-facts .entity-detector").first();
    await chip.hover();
    await chip.getByRole("button").click();
    await page.getByRole("menuitem", { name: "Propose a change…" }).click();
    const dialog = page.getByRole("dialog", { name: "Propose a change of a detector" });
    await dialog.getByLabel(/What exactly/).fill("Ignore our scanner.");
    assert.equal(await dialog.getByRole("combobox", { name: "Detector" }).inputValue(), model);
    await dialog.getByLabel(/Reason/).fill("Too many.");
    await page.keyboard.press("Control+Enter");
    await toast(page, "Change proposed.");
    const [proposal] = await read<Proposal[]>(page, "/api/v1/proposals?kind=model");
    assert.equal(proposal!.target_id, model);
  });

  await t.step("a decision that a colleague was faster with shows both", async () => {
    await page.getByRole("region", { name: "Messages" }).getByRole("button", { name: "Open" }).click();
    await page.locator("aside.peek").getByText("Too many.").first().waitFor();
    await page.keyboard.press("r");
    const dialog = page.getByRole("dialog", { name: "Reject a proposal" });
    await dialog.getByLabel(/Comment/).fill("It stays as it is.");
    const [proposal] = await read<Proposal[]>(page, "/api/v1/proposals?kind=model");
    const decision = `/api/v1/proposals/${proposal!.proposal_id}/decision`;
    const accepted = { decision: "accepted", comment: "Agreed." };
    await send(colleague, "post", decision, accepted, proposal!.revision);
    await dialog.getByRole("button", { name: "Reject it" }).click();
    const conflict = dialog.getByRole("alert");
    await conflict.getByText("This proposal changed after you opened it. Nothing was saved.").waitFor();
    await conflict.getByText("Your change is not possible in the present state.").waitFor();
    await conflict.getByText("It stays as it is.").waitFor();
    await conflict.getByText("Agreed.").first().waitFor();
    await inBothThemes(page, "proposal conflict");
    await conflict.getByRole("button", { name: "Discard mine" }).click();
    // It is no longer in the list of what is undecided.
    await page.locator("aside.peek").waitFor({ state: "hidden" });
    assert.equal(await page.locator(".grid-row").getByText("Ignore our scanner.").count(), 0);
  });
}

async function readerStep(t: Deno.TestContext, page: Page, incident: IncidentDetail): Promise<void> {
  await t.step("a reader sees proposals and is not offered to propose", async () => {
    await open(page, `/incidents/${incident.id}`);
    await page.getByRole("link", { name: "Status false positive" }).waitFor();
    assert.equal(await page.getByRole("toolbar", { name: "Actions" }).count(), 0);
    const chip = page.locator(".model-facts .entity-detector").first();
    await chip.hover();
    await chip.getByRole("button").click();
    await page.getByRole("menuitem", { name: "Copy" }).waitFor();
    assert.equal(await page.getByRole("menuitem", { name: /^(Propose|Suppress)/ }).count(), 0);
    await page.keyboard.press("Escape");
    await open(page, `/devices/${incident.device_ids[0]}`);
    assert.equal(await page.getByRole("button", { name: /^Propose/ }).count(), 0);
    for (const path of ["/review/feedback", "/review/proposals?view=all", "/review/suppressions"]) {
      await open(page, path);
      assert.equal(await page.getByRole("button", { name: /^(Give|Propose|New)/ }).count(), 0, path);
    }
  });
}

async function suppressionStep(t: Deno.TestContext, page: Page): Promise<void> {
  await t.step("an incident is suppressed from the queue, with a preview of what else matches", async () => {
    const { incident } = await suppressible(page);
    const filter = encodeURIComponent(`detector:${incident.model_ids[0]}`);
    await open(page, `/triage?filter=${filter}`);
    const row = page.locator("main [role=row][data-row-index]").filter({ hasText: incident.title }).first();
    await row.getByText("Open", { exact: true }).click();
    await page.locator("aside.peek").getByText(incident.title).first().waitFor();
    await page.keyboard.press("s");
    const dialog = page.getByRole("dialog", { name: "Suppress a pattern" });
    const preview = dialog.getByRole("region", { name: "Preview" });
    // The suggested pattern covers the incident, and the numbers are those of the API.
    await preview.getByText(/would be suppressed/).waitFor();
    assert.equal(await preview.getByText(/^It does not cover this incident/).count(), 0);
    const stated = await preview.getByText(/would be suppressed/).textContent();
    await inBothThemes(page, "suppression with its preview");
    await dialog.getByLabel(/Reason/).fill("Agreed with <i>operations</i>.");
    await dialog.getByRole("button", { name: "Suppress", exact: true }).click();
    await toast(page, "Pattern suppressed.");
    await row.waitFor({ state: "detached" });
    const [made] = await read<Suppression[]>(page, "/api/v1/suppressions");
    assert.equal(made!.reason, "Agreed with <i>operations</i>.");
    const { suppressed } = await read<IncidentDetail>(page, `/api/v1/incidents/${incident.id}`);
    assert.equal(suppressed?.reason, made!.reason);
    // What the preview announced is what was marked.
    assert.match(stated ?? "", new RegExp(`^${made!.held_back.incidents} open incidents? `));
  });

  await t.step("the list of suppressions opens one with its history", async () => {
    await open(page, "/review/suppressions");
    await page.locator("h1").click();
    await page.keyboard.press("j");
    await page.keyboard.press("Enter");
    const panel = page.locator("aside.peek");
    await panel.getByText("Agreed with <i>operations</i>.").first().waitFor();
    await panel.getByText("Ada Analyst").nth(1).waitFor();
    await inBothThemes(page, "a suppression beside the list");
    const [made] = await read<Suppression[]>(page, "/api/v1/suppressions");
    const { results } = made!.held_back;
    await panel.getByText(new RegExp(`^${results} results?, `)).waitFor();
  });
}
