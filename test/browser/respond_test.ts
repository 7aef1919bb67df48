/// <reference lib="dom" />
// The pages of review in a real browser, per role: decisions with a required second person, suppressions, proposals
// and feedback.
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { Incident, IncidentDetail } from "../../src/contract/incident/incident.ts";
import type { Proposal } from "../../src/contract/review/proposal.ts";
import type { ResponseAction } from "../../src/contract/review/response.ts";
import type { Suppression } from "../../src/contract/review/suppression.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { startUp, type Up } from "../support/up.ts";
import { alert, sendRecords } from "./records.ts";
import { at, signedIn } from "./steps.ts";
import {
  assertAccessible,
  assertFits,
  IN_DIALOG,
  launch,
  read,
  readUntil,
  rulesIn,
  send,
  settled,
  watch,
} from "./support.ts";

const STEP_MILLISECONDS = 20_000;
const INCIDENT_MILLISECONDS = 60_000;
const EVER = "/api/v1/incidents?from=1970-01-01T00:00:00Z";
/** Automatic mode proposes a quarantine for every incident; people must not approve their own proposals. */
const RESPONSE = `response:
  - tenant_id: main
    require_second_person: true
    automatic:
      quarantine_device: { min_score: 1 }
`;

const chromiumPath = await findChromium();

Deno.test({
  name: "responding in a browser",
  ignore: chromiumPath === null,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const stateDir = await Deno.makeTempDir({ prefix: "ndr-respond-" });
    await Deno.mkdir(`${stateDir}/etc`);
    await Deno.writeTextFile(`${stateDir}/etc/response.yaml`, RESPONSE);
    const up = await startUp({ sample: false, stateDir, ownDatabase: true });
    const browser = await launch(chromiumPath!);
    try {
      await sendAlerts(up);
      await walk(t, browser, new URL(up.baseUrl).origin);
    } finally {
      await browser.close();
      await up.stop();
      await Deno.remove(stateDir, { recursive: true });
    }
  },
});

async function sendAlerts(up: Up): Promise<void> {
  const records = [5, 6].map((device) =>
    alert({
      device,
      time: Date.now() - device * 10_000,
      id: 2_000_000 + device,
      signature: "ET MALWARE <b>C2</b>",
      priority: 1,
    })
  );
  await sendRecords(up, "suricata.alert", records);
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = Deno.env.get("NDR_TEST_PICTURES");
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

/** Accessible in both themes, and no wider than a phone. */
async function assertPage(page: Page, name: string): Promise<void> {
  for (const theme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await assertAccessible(page, `${name}, ${theme}`, rulesIn(theme));
    await picture(page, `${name}-${theme}`);
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await assertFits(page, `${name} on a phone`);
  await assertAccessible(page, `${name} on a phone`);
  await picture(page, `${name}-phone`);
  await page.setViewportSize({ width: 1440, height: 900 });
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(at(path));
  await settled(page);
}

const grid = (page: Page, name: string) => page.getByRole("grid", { name });
const rows = (page: Page, name: string) => grid(page, name).locator(".grid-body .grid-row");
const toast = (page: Page, text: string | RegExp) =>
  page.getByRole("region", { name: "Messages" }).getByText(text).waitFor();

async function actions(page: Page): Promise<ResponseAction[]> {
  return await read<ResponseAction[]>(page, "/api/v1/response-actions");
}

async function person(browser: Browser, origin: string, account: string): Promise<Page> {
  const context = await signedIn(browser, origin, account);
  context.setDefaultTimeout(STEP_MILLISECONDS);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  return page;
}

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const responder = await person(browser, origin, "responder");
  const seen = watch(responder.context(), origin);
  const areProposed = (all: ResponseAction[]) => all.length === 2;
  await readUntil(responder, "/api/v1/response-actions", areProposed, INCIDENT_MILLISECONDS);
  const analyst = await person(browser, origin, "analyst");
  const reader = await person(browser, origin, "reader");
  await decisionSteps(t, responder);
  await suppressionSteps(t, analyst);
  await proposalSteps(t, analyst);
  await readerStep(t, reader);
  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    // The conflict that a step makes.
    assert.deepEqual(seen.refused.filter((one) => !/^412 POST/.test(one)), []);
  });
  for (const page of [responder, analyst, reader]) await page.context().close();
}

async function decisionSteps(t: Deno.TestContext, page: Page): Promise<void> {
  const incidents = await read<Incident[]>(page, EVER);
  const label = "Response actions";
  const panel = page.locator("aside.peek");

  await t.step("pending decisions are counted in the sidebar and listed", async () => {
    await open(page, "/");
    await page.getByRole("link", { name: /^Review\s*2/ }).click();
    await rows(page, label).first().waitFor();
    assert.equal(await rows(page, label).count(), 2);
    await assertPage(page, "decisions");
  });

  await t.step("the panel has what is asked, of whom, why, with incident and evidence", async () => {
    await page.locator("h1").click();
    await page.keyboard.press("j");
    await panel.waitFor();
    await panel.getByText("Quarantine the device: take it off the network").waitFor();
    await panel.getByText(/^Address only: nothing but the address ties it to the device/).waitFor();
    await panel.getByText("by the automatic mode of response.yaml").waitFor();
    await panel.getByRole("heading", { name: "Newest evidence" }).waitFor();
    await panel.locator(".evidence-row").first().waitFor();
    await assertPage(page, "decision-panel");
  });

  await t.step("a key approves it with a comment, a toast confirms", async () => {
    await page.keyboard.press("a");
    const dialog = page.getByRole("dialog", { name: "Approve an action" });
    await dialog.getByLabel(/Comment/).waitFor();
    await assertAccessible(page, "decision form", IN_DIALOG);
    await page.keyboard.type("Agreed with the owner.");
    await page.keyboard.press("Control+Enter");
    await toast(page, /^Quarantine 10\.0\.0\.\d: approved\.$/);
    await page.waitForFunction(() => document.querySelectorAll(".grid-body .grid-row").length === 1);
    const approved = (await actions(page)).filter(({ status }) => status === "approved");
    assert.deepEqual(approved.map(({ comment, self_approved }) => [comment, self_approved]), [
      ["Agreed with the owner.", false],
    ]);
  });

  await t.step("one's own proposal cannot be approved, and the page says why", async () => {
    const incident = incidents[0]!;
    const path = `/api/v1/incidents/${incident.id}/response-actions`;
    await send(page, "post", path, { kind: "notify_only", reason: "Tell the <i>owner</i>." });
    const own = (await actions(page)).find(({ kind }) => kind === "notify_only")!;
    await open(page, `/review/actions/${own.action_id}`);
    await page.getByText(/^You proposed this action. Another person must approve it/).waitFor();
    assert.equal(await page.getByRole("button", { name: /^Approve/ }).count(), 0);
    await page.keyboard.press("a");
    await toast(page, /^You proposed this action/);
    assert.equal(await page.getByRole("dialog").count(), 0);
    await page.getByText("Tell the <i>owner</i>.").first().waitFor();
    await page.getByText("by Rae Responder").waitFor();
    await assertPage(page, "decision-page");
  });

  await t.step("a decision that another person was faster with shows both", async () => {
    const own = (await actions(page)).find(({ kind }) => kind === "notify_only")!;
    await page.getByRole("button", { name: /^Cancel… c/ }).click();
    const dialog = page.getByRole("dialog", { name: "Cancel an action" });
    await dialog.getByLabel(/Comment/).fill("Not needed.");
    const decision = `/api/v1/response-actions/${own.action_id}/decision`;
    await send(page, "post", decision, { decision: "rejected", comment: "Too early." }, own.revision);
    await dialog.getByRole("button", { name: "Cancel it" }).click();
    const conflict = dialog.getByRole("alert");
    await conflict.getByText("This action changed after you opened it. Nothing was saved.").waitFor();
    await conflict.getByText("Your change is not possible in the present state.").waitFor();
    await assertAccessible(page, "decision conflict", IN_DIALOG);
    await conflict.getByRole("button", { name: "Discard mine" }).click();
    await page.getByText("Too early.").first().waitFor();
  });

  await t.step("approved and all actions have their views", async () => {
    await open(page, "/review/actions?view=approved");
    await rows(page, label).first().waitFor();
    assert.equal(await rows(page, label).count(), 1);
    await page.getByRole("link", { name: "All", exact: true }).click();
    await page.waitForFunction(() => document.querySelectorAll(".grid-body .grid-row").length === 3);
  });
}

async function suppressionSteps(t: Deno.TestContext, page: Page): Promise<void> {
  const label = "Suppressions";

  await t.step("an empty list of suppressions says how they come about", async () => {
    await open(page, "/review/suppressions");
    await page.getByText("No suppressions yet").waitFor();
  });

  await t.step("a suppression is created with a preview of what it would match", async () => {
    await page.getByRole("button", { name: "New suppression…" }).click();
    const dialog = page.getByRole("dialog", { name: "Suppress a pattern" });
    const preview = dialog.getByRole("region", { name: "Preview" });
    await preview.waitFor();
    await dialog.getByLabel(/^Destination/).fill("198.51.100.6");
    await dialog.getByRole("combobox", { name: "Detector" }).click();
    await dialog.getByRole("option", { name: "signature-alert" }).click();
    await preview.getByText(/^1 open incident$/).waitFor();
    await assertAccessible(page, "suppression form", IN_DIALOG);
    await picture(page, "suppression-form");
    await dialog.getByLabel(/Reason/).fill("The scanner of the <b>audit</b>.");
    await dialog.getByRole("button", { name: "Suppress", exact: true }).click();
    await toast(page, "Pattern suppressed.");
    await rows(page, label).getByText("The scanner of the <b>audit</b>.").waitFor();
    const [made] = await read<Suppression[]>(page, "/api/v1/suppressions");
    assert.deepEqual(made!.pattern, {
      source: null,
      destination: "198.51.100.6",
      port: null,
      detector: "signature-alert",
    });
    await rows(page, label).getByText("Ada Analyst").waitFor();
    await assertPage(page, "suppressions");
  });

  await t.step("a key revokes it", async () => {
    await page.locator("h1").click();
    await page.keyboard.press("j");
    await page.keyboard.press("r");
    const dialog = page.getByRole("dialog", { name: "Revoke a suppression" });
    await dialog.getByLabel(/Reason/).fill("It was not.");
    await page.keyboard.press("Control+Enter");
    await toast(page, "Suppression revoked.");
    await rows(page, label).getByText(/^Revoked/).waitFor();
    const status = page.getByRole("combobox", { name: "Status" });
    await status.click();
    await page.getByRole("option", { name: "Active" }).click();
    await page.getByText("No suppressions match").waitFor();
  });
}

async function proposalSteps(t: Deno.TestContext, page: Page): Promise<void> {
  const [incident] = await read<Incident[]>(page, EVER);
  const detail = await read<IncidentDetail>(page, `/api/v1/incidents/${incident!.id}`);
  const label = "Proposals";

  await t.step("a change of a detector is proposed", async () => {
    await open(page, "/review/proposals");
    await page.getByText("No proposal is pending").waitFor();
    await page.getByRole("button", { name: "Propose a change of a detector…" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Detector").fill("signature-alert");
    // Escape closes the list once the detectors have arrived, and the dialog before.
    await dialog.getByRole("option", { name: "signature-alert" }).waitFor();
    await page.keyboard.press("Escape");
    await dialog.getByLabel(/What exactly/).fill("90 instead of 70");
    await dialog.getByLabel(/Reason/).fill("Too many.");
    await assertAccessible(page, "proposal form", IN_DIALOG);
    await dialog.getByRole("button", { name: "Propose", exact: true }).click();
    await toast(page, "Change proposed.");
    await rows(page, label).getByText("Change threshold: 90 instead of 70").waitFor();
  });

  await t.step("an incident's status is proposed and accepted with the incident beside it", async () => {
    const body = { incident_id: detail.id, incident_status: "false_positive", reason: "Our scanner." };
    await send(page, "post", "/api/v1/triage-proposals", body);
    await open(page, "/review/proposals?kind=triage");
    assert.equal(await rows(page, label).count(), 1);
    await page.locator("h1").click();
    await page.keyboard.press("j");
    const panel = page.locator("aside.peek");
    await panel.getByText("Accepting is only recorded").waitFor();
    await panel.locator(".evidence-row").first().waitFor();
    await assertPage(page, "proposals");
    await page.keyboard.press("a");
    await page.getByRole("dialog", { name: "Accept a proposal" }).getByLabel(/Comment/).fill("Right.");
    await page.keyboard.press("Control+Enter");
    await toast(page, "Status false positive: accepted.");
    const [decided] = await read<Proposal[]>(page, "/api/v1/proposals?kind=triage");
    assert.deepEqual([decided!.status, decided!.comment], ["accepted", "Right."]);
  });

  await t.step("feedback is listed by name and leads to its incident", async () => {
    const body = {
      model_id: "signature-alert",
      incident_id: detail.id,
      verdict: "false_positive",
      comment: "A <u>test</u> of ours.",
    };
    await send(page, "post", "/api/v1/models/feedback", body);
    await open(page, "/review/feedback");
    const row = rows(page, "Feedback").first();
    await row.getByText("A <u>test</u> of ours.").waitFor();
    await row.getByText("Ada Analyst").waitFor();
    await assertPage(page, "feedback");
    await row.getByRole("link", { name: "Incident", exact: true }).click();
    await page.getByRole("heading", { level: 1, name: detail.title }).waitFor();
  });
}

async function readerStep(t: Deno.TestContext, page: Page): Promise<void> {
  await t.step("a reader sees all of it and acts on none", async () => {
    for (
      const [path, label] of [
        ["/review/actions", "Response actions"],
        ["/review/suppressions", "Suppressions"],
        ["/review/proposals?view=all", "Proposals"],
        ["/review/feedback", "Feedback"],
      ] as const
    ) {
      await open(page, path);
      await rows(page, label).first().waitFor();
      await page.locator("h1").click();
      for (const key of ["j", "a", "r", "c"]) await page.keyboard.press(key);
      assert.equal(await page.getByRole("dialog").count(), 0, path);
      const offered = page.getByRole("button", {
        name: /^(Approve|Reject|Cancel|Accept|Revoke|New|Propose)/,
      });
      assert.equal(await offered.count(), 0, path);
    }
    await open(page, "/review/actions");
    await page.locator("h1").click();
    await page.keyboard.press("j");
    await page.getByText("A person with the responder role decides.").waitFor();
    await assertAccessible(page, "decisions of a reader");
  });
}
