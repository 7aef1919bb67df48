/// <reference lib="dom" />
// A responder handles an incident in a real browser, and an executor reports.
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { ResponseAction } from "../../src/contract/review/response.ts";
import type { Incident } from "../../src/contract/incident/incident.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { startUp, type Up } from "../support/up.ts";
import { alert, sendRecords } from "./records.ts";
import { at, RANGE, signedIn } from "./steps.ts";
import { assertAccessible, assertFits, IN_DIALOG, launch, read, rulesIn, settled } from "./support.ts";

const INCIDENT_MILLISECONDS = 60_000;

const chromiumPath = await findChromium();

Deno.test({
  name: "the response to an incident in a browser",
  ignore: chromiumPath === null,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const stateDir = await Deno.makeTempDir({ prefix: "ndr-response-" });
    const up = await startUp({ sample: false, stateDir, ownDatabase: true });
    const browser = await launch(chromiumPath!);
    try {
      await oneAlert(up);
      await walk(t, browser, up, stateDir);
    } finally {
      await browser.close();
      await up.stop();
      await Deno.remove(stateDir, { recursive: true });
    }
  },
});

async function oneAlert(up: Up): Promise<void> {
  const record = alert({
    device: 5,
    to: "198.51.100.7",
    time: Date.now() - 60_000,
    id: 2_000_001,
    signature: "ET MALWARE C2 checkin",
    priority: 1,
  });
  await sendRecords(up, "suricata.alert", [record]);
}

async function actions(page: Page): Promise<ResponseAction[]> {
  return await read<ResponseAction[]>(page, "/api/v1/response-actions");
}

async function firstIncident(page: Page): Promise<string> {
  await page.goto(at(`/triage?${RANGE}`));
  await page.locator("main [role=grid] a.row-link").first().waitFor({ timeout: INCIDENT_MILLISECONDS });
  const from = new Date(Date.now() - 86_400_000).toISOString();
  const [incident] = await read<Incident[]>(page, `/api/v1/incidents?from=${from}&limit=1`);
  return incident!.id;
}

async function picture(page: Page, name: string): Promise<void> {
  const folder = Deno.env.get("NDR_TEST_PICTURES");
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

async function walk(t: Deno.TestContext, browser: Browser, up: Up, stateDir: string): Promise<void> {
  const origin = new URL(up.baseUrl).origin;
  const context = await signedIn(browser, origin, "responder");
  const page = await context.newPage();
  const card = page.locator("section", { has: page.getByRole("heading", { name: "Response", exact: true }) });
  const incident = await firstIncident(page);
  await page.goto(at(`/incidents/${incident}`));
  await settled(page);

  await t.step("an incident without proposals says so", async () => {
    await card.getByText("No actions proposed.").waitFor();
    await picture(page, "response-empty");
  });

  await t.step("a responder proposes", async () => {
    await card.getByRole("button", { name: "Propose an action…" }).click();
    await assertAccessible(page, "propose form", IN_DIALOG);
    await picture(page, "response-propose");
    await page.getByLabel(/Reason/).fill("It talks to <b>a known</b> server.");
    await page.getByRole("button", { name: "Propose", exact: true }).click();
    // The form goes once the answer is there; until then it holds the same text.
    await page.getByLabel(/Reason/).waitFor({ state: "detached" });
    await card.getByText("It talks to <b>a known</b> server.").waitFor();
    assert.deepEqual((await actions(page)).map(({ kind, status }) => [kind, status]), [
      ["quarantine_device", "proposed"],
    ]);
  });

  await t.step("a repeated proposal is refused with the reason", async () => {
    await card.getByRole("button", { name: "Propose an action…" }).click();
    await page.getByLabel(/Reason/).fill("Again.");
    await page.getByRole("button", { name: "Propose", exact: true }).click();
    await page.getByText("Not saved: The target already has an open action of this kind").waitFor();
    await picture(page, "response-refused");
    await page.getByRole("combobox", { name: "Action" }).click();
    await page.getByRole("option", { name: "Block a destination" }).click();
    await page.getByRole("button", { name: "Propose", exact: true }).click();
    await card.getByText("198.51.100.7").waitFor();
  });

  await t.step(
    "the bell shows the other responder the proposals, with what the decision is about",
    async () => {
      const own = page.getByRole("button", { name: /^Notifications/ });
      // One's own proposals wait for others.
      await own.click();
      await page.getByText(/^proposed by you/).first().waitFor();
      assert.match(await own.getAttribute("aria-label") ?? "", /nothing new|, 0 decisions for you/);
      await page.keyboard.press("Escape");

      const other = await signedIn(browser, origin, "responder-2");
      const theirs = await other.newPage();
      await theirs.goto(at("/triage"));
      const bell = theirs.getByRole("button", { name: /^Notifications: .*, 2 decisions for you/ });
      await bell.click();
      await assertAccessible(theirs, "the decisions in the bell", { sizesIn: ".news-panel" }, ".news-panel");
      await theirs.getByRole("link", { name: /^Quarantine .* proposed by Rae Responder/ }).click();
      await theirs.getByRole("heading", { level: 1, name: /^Quarantine/ }).waitFor();
      await theirs.getByText("by Rae Responder").waitFor();
      await theirs.getByText(/^None: the proposal stays until/).waitFor();
      await theirs.getByRole("heading", { name: "Newest evidence of the target" }).waitFor();
      await theirs.locator(".evidence [data-row]").first().waitFor();
      await theirs.keyboard.press("a");
      const dialog = theirs.getByRole("dialog", { name: "Approve an action" });
      await dialog.getByText(/^Proposed by Rae Responder, .*: “It talks to <b>a known<\/b> server\.”$/)
        .waitFor();
      await dialog.getByText("In the last 24 hours:").waitFor();
      assert.equal(await dialog.getByText("You proposed this action yourself.").count(), 0);
      await assertAccessible(
        theirs,
        "the approval of another person's proposal",
        IN_DIALOG,
        "dialog[open]",
      );
      await other.close();
    },
  );

  await t.step("a responder decides, and an executor's report shows", async () => {
    const quarantine = card.locator("li.response-action", { hasText: "Quarantine" });
    await quarantine.getByRole("button", { name: "Approve…" }).click();
    const dialog = page.getByRole("dialog");
    // What the proposer saw, and that it is the reader's own proposal.
    await dialog.getByText("In the last 24 hours:").waitFor();
    await dialog.getByText("You proposed this action yourself.").waitFor();
    await picture(page, "response-approve");
    await page.getByRole("dialog").getByLabel(/Comment/).fill("Agreed.");
    await page.getByRole("button", { name: "Approve it" }).click();
    await quarantine.getByText("Approved", { exact: true }).waitFor();
    const action = (await actions(page)).find(({ kind }) => kind === "quarantine_device")!;
    const { executors } = JSON.parse(await Deno.readTextFile(`${stateDir}/up.json`));
    const response = await fetch(`${up.coreUrl}/internal/v1/response-actions/${action.action_id}/outcomes`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${executors[0].token}`,
        "content-type": "application/json",
        "idempotency-key": "job-1",
      },
      body: JSON.stringify({ status: "executed", detail: "VLAN 99" }),
    });
    assert.equal(response.status, 200, await response.text());
    await page.reload();
    await quarantine.getByText("main-executor reports: carried out, “VLAN 99”").first().waitFor();
    await quarantine.getByText("History").click();
    await quarantine.getByText("Agreed.").waitFor();
    for (const scheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme: scheme });
      await assertAccessible(page, `response, ${scheme}`, rulesIn(scheme));
      await picture(page, `response-${scheme}`);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page, "response on a phone");
    await picture(page, "response-phone");
  });

  await t.step("the list of decisions names the incident", async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const { title } = await read<Incident>(page, `/api/v1/incidents/${incident}`);
    await page.goto(at("/review/actions?view=all"));
    await page.getByRole("grid").getByRole("link", { name: title, exact: true }).first().waitFor();
    await picture(page, "response-list");
  });

  await t.step("an analyst sees it and cannot decide", async () => {
    const other = await signedIn(browser, origin, "analyst");
    const theirs = await other.newPage();
    await theirs.goto(at(`/incidents/${incident}`));
    await settled(theirs);
    // What a role may not do is not offered.
    await theirs.getByText("It talks to <b>a known</b> server.").first().waitFor();
    assert.equal(await theirs.getByRole("button", { name: "Propose an action…" }).count(), 0);
    assert.equal(await theirs.locator(".response-choices button").count(), 0);
    await other.close();
  });
}
