/// <reference lib="dom" />
// An analyst asks a model about an incident in a real browser; the model is a stand-in behind a real socket.
import assert from "node:assert/strict";
import { stringify } from "@std/yaml";
import type { Browser, Page } from "playwright-core";
import type { AnalystRun } from "../../src/contract/analyst/analyst-run.ts";
import type { Incident, IncidentDetail } from "../../src/contract/incident/incident.ts";
import { type StandInProvider, startProvider } from "../support/analyst/provider.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { startUp, type Up } from "../support/up.ts";
import { alert, sendRecords } from "./records.ts";
import { at, RANGE, signedIn } from "./steps.ts";
import { assertAccessible, assertFits, COLOUR_RULES, launch, read, settled, watch } from "./support.ts";

const INCIDENT_MILLISECONDS = 60_000;
const RUN_MILLISECONDS = 30_000;
/** 10 micro-USD per token: the worst case of a call is a fifth of the budget or so. */
const PRICE = 10_000_000;

const chromiumPath = await findChromium();

Deno.test({
  name: "analyst runs in a browser",
  ignore: chromiumPath === null,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const provider = await startProvider({});
    const stateDir = await Deno.makeTempDir({ prefix: "ndr-analyst-" });
    await Deno.mkdir(`${stateDir}/etc`);
    await Deno.writeTextFile(`${stateDir}/etc/analyst.yaml`, configuration(provider));
    const up = await startUp({ sample: false, stateDir, ownDatabase: true });
    const browser = await launch(chromiumPath!);
    try {
      await oneAlert(up);
      await walk(t, browser, up, provider);
    } finally {
      await browser.close();
      await up.stop();
      await provider.close();
      await Deno.remove(stateDir, { recursive: true });
    }
  },
});

function configuration(provider: StandInProvider): string {
  return stringify({
    providers: [{
      id: "local",
      api: "openai",
      base_url: provider.baseUrl("openai"),
      model: "stand-in",
      input_microusd_per_million_tokens: PRICE,
      output_microusd_per_million_tokens: PRICE,
      max_input_tokens: 4000,
      max_output_tokens: 1000,
      timeout: "60s",
    }],
    tenants: [{
      tenant_id: "main",
      provider: "local",
      daily_budget_microusd: 500_000,
      send: ["names", "addresses", "payloads"],
    }],
  });
}

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

async function firstIncident(page: Page): Promise<string> {
  await page.goto(at(`/triage?${RANGE}`));
  await page.locator("main [role=grid] a.row-link").first().waitFor({ timeout: INCIDENT_MILLISECONDS });
  const from = new Date(Date.now() - 86_400_000).toISOString();
  const [incident] = await read<Incident[]>(page, `/api/v1/incidents?from=${from}&limit=1`);
  return incident!.id;
}

async function walk(
  t: Deno.TestContext,
  browser: Browser,
  up: Up,
  provider: StandInProvider,
): Promise<void> {
  const origin = new URL(up.baseUrl).origin;
  const context = await signedIn(browser, origin, "analyst");
  const seen = watch(context, origin);
  const page = await context.newPage();
  const incident = await firstIncident(page);
  await page.goto(at(`/incidents/${incident}`));
  await settled(page);
  const card = page.locator("section.analyst-card");
  const dialog = page.getByRole("dialog", { name: "Ask the model" });
  const ask = async () => {
    await card.getByRole("button", { name: "Ask the model…" }).click();
    await dialog.getByText("What is sent").waitFor();
  };
  const start = async () => {
    await ask();
    await dialog.getByRole("button", { name: "Start" }).click();
    await dialog.waitFor({ state: "hidden" });
  };
  const ended = (state: string) =>
    card.locator(".analyst-state", { hasText: state }).waitFor({ timeout: RUN_MILLISECONDS });
  const runs = () => read<AnalystRun[]>(page, `/api/v1/analyst-runs?incident_id=${incident}`);

  await t.step("what is sent and what it costs is shown before; nothing is sent yet", async () => {
    await card.getByText("No model was asked about this incident.").waitFor();
    await ask();
    await dialog.getByText("about $").waitFor();
    await dialog.getByText("$0.00 spent, $0.00 reserved, $0.50 left of $0.50").waitFor();
    await dialog.getByText("Incident as it is sent").click();
    await dialog.getByText("ET MALWARE C2 checkin").waitFor();
    await assertAccessible(page, "ask dialog", undefined, "dialog[open]");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    assert.equal(focused, "Ask the model…");
    assert.equal(provider.calls.length, 0);
  });

  await t.step("an answer is marked, and its citation opens the record in the evidence", async () => {
    provider.answer = (call) => hostile(call.user);
    await start();
    await ended("Complete");
    await card.getByText("Text of a model: may be wrong.").waitFor();
    assert.equal(provider.calls.length, 1);
    await card.getByRole("button", { name: "Record 1 of the evidence" }).click();
    const row = page.locator(".evidence-anchor .evidence-revealed.evidence-open");
    await row.waitFor();
    const focused = await page.evaluate(() => document.activeElement?.className);
    assert.equal(focused, "evidence-opener");
    await assertAccessible(page, "incident with an answer");
    await page.emulateMedia({ colorScheme: "dark" });
    await assertAccessible(page, "incident with an answer, dark", COLOUR_RULES);
    await page.emulateMedia({ colorScheme: "light" });
  });

  await t.step("text of a model is text: no markup, no link, no hidden character", async () => {
    await card.getByText("<img src=x").first().waitFor();
    assert.equal(await card.locator(".analyst-answer img, .analyst-answer script").count(), 0);
    const links = await card.locator(".analyst-answer a").evaluateAll((found) =>
      found.map((one) => one.getAttribute("href")!)
    );
    assert.ok(links.every((href) => href.startsWith("/t/main/explore")), links.join(" "));
    assert.equal((await card.textContent())?.includes("\u202e"), false);
    assert.equal(await page.evaluate(() => "hostile" in globalThis), false);
  });

  await t.step("a phone shows the answer without sideways scroll", async () => {
    const size = page.viewportSize()!;
    await page.setViewportSize({ width: 390, height: 844 });
    await assertFits(page, "incident with an answer");
    await page.setViewportSize(size);
  });

  await t.step("a suggested search stands in the bar and does not run before Enter", async () => {
    await card.getByRole("link", { name: "Open this search" }).click();
    await page.waitForURL(/explore/);
    const bar = page.getByRole("combobox", { name: "Filter flows or ask a question" });
    await page.getByText("Proposed by a model and not run").waitFor();
    assert.equal(await bar.inputValue(), "service:dns");
    assert.equal(new URL(page.url()).searchParams.get("filter"), null);
    await bar.press("Enter");
    await page.waitForURL(/filter=service/);
    await page.getByText("Proposed by a model and not run").waitFor({ state: "detached" });
    await page.goto(at(`/incidents/${incident}`));
    await settled(page);
  });

  await t.step(
    "a declined question is turned into a filter by the model, and not run before Enter",
    async () => {
      const asked = provider.calls.length;
      provider.answer = () => JSON.stringify({ kind: "flows", filter: "service:ssh" });
      await page.goto(at("/explore"));
      await settled(page);
      const bar = page.getByRole("combobox", { name: "Filter flows or ask a question" });
      await bar.fill("which zorps phone home over ssh?");
      await bar.press("Enter");
      await page.getByRole("button", { name: "Ask the model for a filter…" }).click();
      const offer = page.getByRole("dialog", { name: "Ask the model for a filter" });
      await offer.getByText("about $").waitFor();
      await offer.getByText("Question as it is sent").click();
      await offer.getByText("which zorps phone home over ssh?").nth(1).waitFor();
      await assertAccessible(page, "dialog of a proposed filter", undefined, "dialog[open]");
      assert.equal(provider.calls.length, asked, "nothing is sent before the cost is shown");
      await offer.getByRole("button", { name: "Ask", exact: true }).click();
      await page.getByText("Proposed by a model and not run").waitFor();
      assert.equal(await bar.inputValue(), "service:ssh");
      assert.equal(new URL(page.url()).searchParams.get("filter"), null);
      assert.equal(provider.calls.length, asked + 1);
      await bar.press("Enter");
      await page.waitForURL(/filter=service/);
      await page.goto(at(`/incidents/${incident}`));
      await settled(page);
    },
  );

  await t.step("disagreement is recorded with its comment", async () => {
    await card.getByRole("button", { name: "Disagree" }).click();
    await card.getByLabel("Comment (optional)").fill("The host is a <b>test</b> system.");
    await card.getByRole("button", { name: "Save disagreement" }).click();
    await card.getByText("disagrees").waitFor();
    await card.getByText("The host is a <b>test</b> system.").waitFor();
    const [run] = await runs();
    assert.deepEqual([run?.feedback?.agrees, run?.feedback?.comment], [
      false,
      "The host is a <b>test</b> system.",
    ]);
  });

  await t.step("a failure says what happened and what to do", async () => {
    provider.answer = null;
    provider.mode = "rate-limited";
    await start();
    await ended("Failed");
    await card.getByText("The provider refused because of its rate limit").waitFor();
    await card.getByText("provider_rate_limited").waitFor();
    provider.mode = "wrong";
    await start();
    await card.getByText("provider_response_invalid").waitFor({ timeout: RUN_MILLISECONDS });
    assert.equal(await card.locator(".analyst-answer").count(), 0);
  });

  await t.step("a run that waits is cancelled", async () => {
    provider.mode = "hang";
    await start();
    await card.getByText("Waits for the answer").waitFor({ timeout: RUN_MILLISECONDS });
    await card.getByRole("button", { name: "Cancel the run" }).click();
    await card.getByText("The run was cancelled").waitFor({ timeout: RUN_MILLISECONDS });
    const [run] = await runs();
    assert.equal(run?.error?.code, "cancelled");
  });

  await t.step(
    "a budget that is used up cannot be exceeded, and the dialog says when it is renewed",
    async () => {
      // Without stated usage the worst case stays reserved: a few calls use up the day.
      provider.mode = "unbilled";
      const { csrf_token } = await read<{ csrf_token: string }>(page, "/api/v1/session");
      for (let tries = 0; tries < 20; tries++) {
        const response = await page.request.post(`/api/v1/incidents/${incident}/analyst-runs`, {
          headers: { "x-csrf-token": csrf_token, "idempotency-key": crypto.randomUUID() },
          data: {},
        });
        if (response.status() === 429) break;
        assert.equal(response.status(), 202, await response.text());
        for (;;) {
          const [run] = await runs();
          if (run?.state !== "queued" && run?.state !== "running") break;
          await page.waitForTimeout(100);
        }
      }
      await page.reload();
      await settled(page);
      await ask();
      await dialog.getByText("It is renewed at 00:00 UTC").waitFor();
      assert.equal(await dialog.getByRole("button", { name: "Start" }).isDisabled(), true);
      await page.keyboard.press("Escape");
    },
  );

  await t.step("earlier runs can be read; the incident itself is unchanged", async () => {
    await card.getByText("All runs").click();
    await card.getByRole("button", { name: /Malicious, disagreed/ }).click();
    await card.locator(".analyst-answer").waitFor();
    const detail = await read<IncidentDetail>(page, `/api/v1/incidents/${incident}`);
    assert.deepEqual([detail.status, detail.workflow_history.length], ["open", 0]);
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
  });
}

/** A valid answer whose texts attack the page. */
function hostile(user: string): string {
  const { evidence } = JSON.parse(user) as { evidence: { id: string }[] };
  const markup = `<img src=x onerror="globalThis.hostile=1"><script>globalThis.hostile=1</script>`;
  return JSON.stringify({
    assessment: "malicious",
    confidence: 0.9,
    summary:
      `${markup} \u202egnp.exe [click](https://evil.example) https://evil.example/ javascript:alert(1)`,
    reasoning: [{ claim: `${markup} beacon`, evidence_ids: [evidence[0]!.id] }],
    next_steps: [`Open https://evil.example/ ${"A".repeat(300)}`],
    suggestion: { kind: "search", filter: "service:dns", reason: markup },
  });
}
