/// <reference lib="dom" />
// What people do with incidents in triage, and how colleagues get in each other's way.
import assert from "node:assert/strict";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { FlowObservation } from "../../src/contract/flow/flow.ts";
import type { Incident, IncidentDetail } from "../../src/contract/incident/incident.ts";
import type { Suppression, SuppressionPreview } from "../../src/contract/review/suppression.ts";
import type { Session } from "../../src/contract/session/session.ts";
import { at, signedIn } from "./steps.ts";
import { assertAccessible, IN_DIALOG, read, rulesIn, send, settled } from "./support.ts";

export const STEP_MILLISECONDS = 15_000;
export const DAY = 86_400_000;

export async function detailOf(page: Page, id: string): Promise<IncidentDetail> {
  return await read<IncidentDetail>(page, `/api/v1/incidents/${id}`);
}

export async function incidentOf(page: Page, device: number): Promise<Incident> {
  const all = await read<Incident[]>(page, "/api/v1/incidents?from=1970-01-01T00:00:00Z");
  const found = all.find(({ title }) =>
    title.includes(`10.0.0.${device} `) || title.endsWith(`10.0.0.${device}`)
  );
  assert.ok(found, `an incident of device ${device}`);
  return found;
}

/** An open incident and a pattern that covers it. */
export async function suppressible(
  page: Page,
): Promise<{ incident: Incident; pattern: Suppression["pattern"] }> {
  const incidents = await read<Incident[]>(
    page,
    "/api/v1/incidents?from=1970-01-01T00:00:00Z&sort=-score&suppressed=false&status=open&limit=50",
  );
  for (const incident of incidents) {
    const { suggestions } = await send<SuppressionPreview>(page, "post", "/api/v1/suppressions/preview", {
      pattern: { detector: incident.model_ids[0] },
      incident_id: incident.id,
    });
    const covering = suggestions.find(({ covers_incident }) => covers_incident);
    if (covering !== undefined && incident.device_ids.length > 0) {
      return { incident, pattern: covering.pattern };
    }
  }
  throw new Error("no incident that a pattern covers");
}

/** A colleague changes the incident with another session. */
export async function changeAs(page: Page, id: string, status: string, comment: string): Promise<void> {
  const { csrf_token } = await read<Session>(page, "/api/v1/session");
  const { revision } = await detailOf(page, id);
  const response = await page.request.patch(`/api/v1/incidents/${id}`, {
    headers: {
      "if-match": `"${revision}"`,
      "idempotency-key": crypto.randomUUID(),
      "x-csrf-token": csrf_token,
    },
    data: { status, comment },
  });
  assert.equal(response.status(), 200, await response.text());
}

export async function toast(page: Page, text: string | RegExp): Promise<void> {
  await page.getByRole("region", { name: "Messages" }).getByText(text).first().waitFor();
}

export async function inBothThemes(page: Page, what: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await assertAccessible(page, `${what}, ${colorScheme}`, rulesIn(colorScheme));
  }
}

export async function conflictStep(
  t: Deno.TestContext,
  browser: Browser,
  origin: string,
  page: Page,
): Promise<void> {
  await t.step("two people change one incident: both changes show, and mine goes on top", async () => {
    const { id } = await incidentOf(page, 10);
    await page.goto(at(`/incidents/${id}`));
    await settled(page);
    await page.keyboard.press("f");
    const dialog = page.getByRole("dialog", { name: "False positive" });
    await dialog.getByLabel(/Comment/).fill("Our own scanner.");

    const colleague: BrowserContext = await signedIn(browser, origin, "analyst");
    const theirs = await colleague.newPage();
    await theirs.goto(at(`/incidents/${id}`));
    await settled(theirs);
    await theirs.getByRole("button", { name: "Investigate" }).click();
    await toast(theirs, /investigating\.$/);
    await colleague.close();

    await dialog.getByRole("button", { name: "Mark as false positive" }).click();
    const conflict = dialog.getByRole("alert");
    await conflict.getByText("This incident changed after you opened it. Nothing was saved.").waitFor();
    const line = conflict.getByRole("row", { name: /Status/ });
    assert.deepEqual(await line.getByRole("cell").allTextContents(), [
      "Open",
      "Investigating",
      "False positive",
    ]);
    assert.equal(await dialog.getByLabel(/Comment/).inputValue(), "Our own scanner.");
    await inBothThemes(page, "conflict");
    await conflict.getByRole("button", { name: "Apply mine on top" }).click();
    await toast(page, /false positive\.$/);
    const { status, workflow_history } = await detailOf(page, id);
    assert.equal(status, "false_positive");
    assert.equal(workflow_history.at(-1)?.comment, "Our own scanner.");
  });
}

export async function assignConflictStep(t: Deno.TestContext, page: Page): Promise<void> {
  await t.step("an assignment shows the colleague's change beside mine", async () => {
    const { id } = await incidentOf(page, 9);
    await page.goto(at(`/incidents/${id}`));
    await settled(page);
    await page.keyboard.press("a");
    const dialog = page.getByRole("dialog", { name: "Assign" });
    const me = dialog.getByRole("button", { name: /^Me/ });
    await me.waitFor();
    await changeAs(page, id, "resolved", "Closed by a colleague.");
    await me.click();
    const conflict = dialog.getByRole("alert");
    await conflict.getByText("This incident changed after you opened it. Nothing was saved.").waitFor();
    assert.deepEqual(
      await conflict.getByRole("row", { name: /Assignee/ }).getByRole("cell").allTextContents(),
      ["unassigned", "unchanged", "Ada Analyst"],
    );
    await conflict.getByText("Resolved").first().waitFor();
    await inBothThemes(page, "assignment conflict");
    await conflict.getByRole("button", { name: "Apply mine on top" }).click();
    await toast(page, /assigned to Ada Analyst/);
    const { status, assignee } = await detailOf(page, id);
    assert.equal(status, "resolved");
    assert.notEqual(assignee, null);
  });
}

export async function responderStep(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  await t.step("a proposed action shows first what it would have met", async () => {
    const context = await signedIn(browser, origin, "responder");
    context.setDefaultTimeout(STEP_MILLISECONDS);
    const page = await context.newPage();
    const { id } = await incidentOf(page, 5);
    await page.goto(at(`/incidents/${id}`));
    await settled(page);
    await page.getByRole("button", { name: "Propose an action…" }).click();
    const dialog = page.getByRole("dialog", { name: "Propose an action" });
    const preview = dialog.getByRole("region", { name: "Preview" });
    const from = encodeURIComponent(new Date(Date.now() - DAY).toISOString());
    const flowsOf = (filter: string) =>
      read<FlowObservation[]>(page, `/api/v1/flows?from=${from}&filter=${encodeURIComponent(filter)}`);
    const { device_ids: [device] } = await detailOf(page, id);
    const ofDevice = (await flowsOf(`device.id=${device}`)).length;
    await preview.getByText(`${ofDevice} flows`).waitFor();
    await dialog.getByLabel("Action").click();
    await page.getByRole("option", { name: "Block a destination" }).click();
    assert.equal(await dialog.getByLabel(/Address/).inputValue(), "198.51.100.5");
    const blocked = (await flowsOf("dst.ip=198.51.100.5")).length;
    assert.ok(blocked > 1);
    await preview.getByText(`${blocked} flows from 1 address, no other open incident.`).waitFor();
    await assertAccessible(page, "proposal with its preview", IN_DIALOG);
    await dialog.getByLabel(/Address/).fill("198.51.100.7");
    await preview.getByText("1 flow from 1 address, 1 other open incident.").waitFor();
    // An unfinished address has no preview.
    await dialog.getByLabel(/Address/).fill("198.51");
    await preview.waitFor({ state: "detached" });
    await context.close();
  });
}
