/// <reference lib="dom" />
// The page of the sample's intrusion: its course, who talked to whom, its times in another zone, and what it costs to open.
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { GraphSnapshot } from "../../src/contract/graph/graph.ts";
import type { Incident, IncidentDetail } from "../../src/contract/incident/incident.ts";
import { browserTest } from "./browser-test.ts";
import { at, recordsProcessed, sampleSent, signedIn } from "./steps.ts";
import { assertAccessible, assertFits, read, rulesAndSizesIn, settled, watch } from "./support.ts";
import { quietAfter } from "./visit.ts";

const STEP_MILLISECONDS = 30_000;
const LARGEST_OPENING = { requests: 25, bytes: 150_000 };
/** Files of every page, which `first-load_test.ts` limits. */
const OF_EVERY_PAGE =
  /\/assets\/(shell|rolldown-runtime|index|inter-latin-wght|values)-|\/theme\.js$|\/favicon\.svg$/;
/** Fetched when the page has been idle for a while. */
const FETCHED_LATER = /\/assets\/(mono-font|jetbrains-mono|print-head)/;

browserTest("the page of an intrusion", { sample: "loaded" }, async ({ t, browser, up, origin }) => {
  await sampleSent(up);
  const context = await signedIn(browser, origin, "analyst");
  const seen = watch(context, origin);
  context.setDefaultTimeout(STEP_MILLISECONDS);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await recordsProcessed(page);
  const filter = encodeURIComponent("device:SCRANTON");
  const [found] = await read<Incident[]>(
    page,
    `/api/v1/incidents?from=1970-01-01T00:00:00Z&sort=-score&limit=1&filter=${filter}`,
  );
  assert.ok(found, "expected the intrusion of the sample");
  const incident = await read<IncidentDetail>(page, `/api/v1/incidents/${found.id}`);

  await t.step("opening it from the queue takes few requests and little data", async () => {
    await page.goto(at("/triage"));
    await settled(page);
    const asked = requestsOf(page);
    await page.locator(`[role=grid] a[href$="/${incident.id}"]`).click();
    await page.locator(".talk").waitFor();
    await settled(page);
    assertSmall(await asked());
  });
  await t.step("opening its address in a browser that has nothing takes few requests and little data", () => {
    return opensCold(browser, origin, incident);
  });
  await t.step(
    "its course is told by time, and the most serious step stands out",
    () => course(page, incident),
  );
  await t.step("who talked to whom, the largest transfer first, and its record two clicks away", async () => {
    await talks(page, incident);
  });
  await t.step("its flows are found under its title, which leads back", () => backFromFlows(page, incident));
  await t.step("a finding says in place what it means and what to check", () => guide(page, incident));
  await t.step("the map shows the same links, and only those", () => sameOnMap(page, incident));
  await t.step("its dialogs are accessible in both themes", () => dialogs(page, incident));
  await t.step("on a phone nothing is wider than the window", async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(at(`/incidents/${incident.id}`));
    await settled(page);
    await assertFits(page, "incident on a phone");
    await page.goto(at(""));
    await settled(page);
    await page.getByRole("button", { name: "Menu" }).click();
    // A click that another element would receive fails.
    await page.getByRole("navigation").getByRole("link", { name: "Overview" }).click({ timeout: 5000 });
    await page.setViewportSize({ width: 1440, height: 900 });
    // Touch screens cannot hover, so the menus are always visible.
    const touch = await signedIn(browser, origin, "analyst", {
      hasTouch: true,
      viewport: { width: 390, height: 844 },
    });
    const phone = await touch.newPage();
    await phone.goto(at(`/incidents/${incident.id}`));
    await settled(phone);
    assert.equal(await phone.evaluate(() => matchMedia("(hover: none)").matches), true);
    await assertFits(phone, "incident on a phone with a touch screen");
    await touch.close();
  });
  await t.step(
    "every time of the page is in the zone of the browser",
    () => inKolkata(browser, page, incident),
  );
  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    assert.deepEqual(seen.refused, []);
  });
  await context.close();
});

async function opensCold(browser: Browser, origin: string, { id }: Incident): Promise<void> {
  const context = await signedIn(browser, origin, "analyst");
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  const asked = requestsOf(page);
  await page.goto(at(`/incidents/${id}`));
  await page.locator(".talk").waitFor();
  await settled(page);
  assertSmall(await asked());
  await context.close();
}

interface Transfer {
  path: string;
  /** Bytes of the body as sent. */
  bytes: number;
}

/** Records what `page` asks for until the returned function is called. */
function requestsOf(page: Page): () => Promise<Transfer[]> {
  // By address, because new records of the sample let the page refresh what it has.
  const asked = new Map<string, Promise<Transfer>>();
  page.on("requestfinished", (request) => {
    const { pathname: path, searchParams } = new URL(request.url());
    if (FETCHED_LATER.test(path)) return;
    const kept = [...searchParams].filter(([name]) => name !== "from" && name !== "to");
    asked.set(
      `${path}?${kept}`,
      request.sizes().then(({ responseBodySize }) => ({ path, bytes: responseBodySize })),
    );
  });
  return async () => {
    page.removeAllListeners("requestfinished");
    return await Promise.all(asked.values());
  };
}

function assertSmall(transfers: Transfer[]): void {
  const list = transfers.map(({ path, bytes }) => `${bytes} ${path}`).join(", ");
  const { requests } = LARGEST_OPENING;
  assert.ok(transfers.length > 0 && transfers.length < requests, `${transfers.length} requests: ${list}`);
  const own = transfers.filter(({ path }) => !OF_EVERY_PAGE.test(path));
  const bytes = own.reduce((sum, one) => sum + one.bytes, 0);
  assert.ok(bytes > 0 && bytes < LARGEST_OPENING.bytes, `${bytes} bytes: ${list}`);
}

async function course(page: Page, { model_results, phases }: IncidentDetail): Promise<void> {
  const card = page.locator(".phases-card");
  const names = await card.locator(".phase-head h3").allTextContents();
  assert.deepEqual(names, phases.map(({ name }) => name));
  assert.ok(names.length > 1, names.join());
  const starts = await card.locator(".phase-head time:first-child").evaluateAll((times) =>
    times.map((time) => time.getAttribute("datetime")!)
  );
  assert.deepEqual(starts, starts.toSorted());
  for (const span of await card.locator(".phase-head p").allTextContents()) {
    assert.match(span, /^(?:\d+ \w+, )?\d\d:\d\d(?: to (?:\d+ \w+, )?\d\d:\d\d)?$/);
  }
  assert.equal(await card.locator(".phase-step").count(), model_results.length);
  const leading = model_results.toSorted((a, b) => b.score - a.score)[0]!;
  const worst = card.locator(".phase-worst");
  assert.equal(await worst.locator(".phase-title .linked-text").textContent(), leading.title);
  const sizeOf = (selector: string) =>
    card.locator(selector).first().evaluate((title) => parseFloat(getComputedStyle(title).fontSize));
  const [highlighted, plain] = await Promise.all([
    sizeOf(".phase-worst .phase-title"),
    sizeOf(".phase-step:not(.phase-worst) .phase-title"),
  ]);
  assert.ok(highlighted > plain, `${highlighted} and ${plain} pixels`);
}

async function talks(page: Page, { talks }: IncidentDetail): Promise<void> {
  const rows = page.getByRole("region", { name: "Who talked to whom" }).locator("tbody tr");
  assert.equal(await rows.count(), talks.length);
  assert.equal(await page.locator(".talk-head").count(), talks.length);
  const bytes = talks.map(({ bytes_out, bytes_in }) => Number(bytes_out ?? 0) + Number(bytes_in ?? 0));
  assert.deepEqual(bytes, bytes.toSorted((a, b) => b - a));
  assert.ok(bytes[0]! > 1_000_000, `${bytes[0]} bytes`);
  const [largest] = talks;
  const services = await rows.first().getByRole("cell").nth(1).textContent() ?? "";
  for (const port of largest!.ports.slice(0, 4)) assert.match(services, RegExp(`\\b${port}\\b`));
  for (const time of [largest!.first_seen, largest!.last_seen]) {
    assert.equal(await rows.first().locator(`time[datetime="${time}"]`).count() > 0, true, time);
  }
  await rows.first().getByRole("button", { name: /record/ }).click();
  const items = page.locator(".evidence-anchor .evidence");
  await page.locator(".evidence-selection").waitFor();
  assert.equal(await items.count(), largest!.evidence_ids.length);
  await items.first().locator("[data-row]").click();
  await page.locator(".evidence-anchor .evidence-open").getByRole("region", { name: "Payload" }).waitFor();
  // Evidence is a part of the flows: SCRANTON's longest connection with its server is not among it.
  const isRest = ({ bytes_in, all_flows }: IncidentDetail["talks"][number]) =>
    Number(all_flows?.bytes_in ?? 0) > 20_000_000 + Number(bytes_in ?? 0);
  const rest = talks.findIndex(isRest);
  const { flows } = talks[rest]!.all_flows!;
  await rows.nth(rest).getByRole("link", { name: RegExp(`^${flows} flows, \\d+\\.\\d MB of `) }).click();
  await page.getByRole("heading", { name: "Explore", level: 1 }).waitFor();
  await page.getByRole("grid", { name: "Flows" }).getByRole("row").nth(flows).waitFor();
  assert.equal(
    await page.getByRole("grid", { name: "Flows" }).locator(".grid-body [role=row]").count(),
    flows,
  );
  // The largest transfer is first.
  const received = page.getByRole("columnheader", { name: "Received" });
  assert.equal(await received.getAttribute("aria-sort"), "descending");
  await page.goBack();
  await page.locator(".talk").waitFor();
}

async function backFromFlows(page: Page, { id, title }: IncidentDetail): Promise<void> {
  await page.goto(at(`/incidents/${id}`));
  await page.getByRole("link", { name: "Flows of this incident" }).click();
  await page.getByRole("heading", { name: "Explore", level: 1 }).waitFor();
  await page.getByRole("button", { name: `Edit condition: incident “${title}”` }).waitFor();
  await page.getByRole("link", { name: `Open: incident “${title}”` }).click();
  await page.getByRole("heading", { name: title, level: 1 }).waitFor();
}

async function guide(page: Page, { model_results }: IncidentDetail): Promise<void> {
  const leading = model_results.toSorted((a, b) => b.score - a.score)[0]!;
  const finding = page.locator(".model", { has: page.getByRole("heading", { name: leading.title }) }).first();
  await finding.getByText("What it means and what to check").click();
  await finding.getByText(/^What it means: /).waitFor();
  assert.ok(await finding.locator(".help-guide li").count() >= 3);
  const more = finding.getByRole("link", { name: "What it reports, and what it leaves out" });
  assert.match(await more.getAttribute("href") ?? "", new RegExp(`/help/detectors#${leading.model_id}$`));
}

async function sameOnMap(page: Page, incident: IncidentDetail): Promise<void> {
  const shown = page.waitForResponse((one) => new URL(one.url()).pathname === "/api/v1/graph");
  await page.getByRole("link", { name: "On the map", exact: true }).click();
  const answer = await shown;
  const { links } = (await answer.json() as { data: GraphSnapshot }).data;
  const nodeOf = ({ device_id, ip }: IncidentDetail["talks"][number]["src"]) =>
    device_id === null ? `ip:${ip}` : `device:${device_id}`;
  const pairs = incident.talks.map(({ src, dst }) => [nodeOf(src), nodeOf(dst)].sort().join("|"));
  assert.deepEqual(links.map(({ link_id }) => link_id).sort(), [...new Set(pairs)].sort());
  await page.goBack();
  await page.locator(".talk").waitFor();
}

async function dialogs(page: Page, incident: IncidentDetail): Promise<void> {
  await page.goto(at(`/incidents/${incident.id}`));
  await settled(page);
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    for (const name of ["Resolve", "False positive", "Assign…", "Suppress…"]) {
      await quietAfter(page, async () => {
        await page.getByRole("toolbar", { name: "Actions" }).getByRole("button", { name, exact: true })
          .click();
        await page.getByRole("dialog").waitFor();
      });
      await assertAccessible(page, `${name}, ${colorScheme}`, rulesAndSizesIn(colorScheme), "dialog[open]");
      await page.keyboard.press("Escape");
      await page.getByRole("dialog").waitFor({ state: "detached" });
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
}

async function inKolkata(browser: Browser, from: Page, incident: IncidentDetail): Promise<void> {
  const context = await browser.newContext({
    baseURL: new URL(from.url()).origin,
    storageState: await from.context().storageState(),
    timezoneId: "Asia/Kolkata",
    viewport: { width: 1440, height: 900 },
  });
  const page = await context.newPage();
  await page.goto(at(`/incidents/${incident.id}`));
  await settled(page);
  const main = await page.locator("main").innerText();
  assert.doesNotMatch(main, /\d\d:\d\d UTC/);
  const sentence = page.locator(".phase-worst time").nth(1);
  const local = new Intl.DateTimeFormat("en-GB", {
    timeZone: "Asia/Kolkata",
    hour: "2-digit",
    minute: "2-digit",
  }).format(new Date((await sentence.getAttribute("datetime"))!));
  assert.ok((await sentence.textContent())!.endsWith(local), `${await sentence.textContent()}, not ${local}`);
  assert.match(await sentence.getAttribute("title") ?? "", /GMT\+5:30, .* UTC$/);
  const labels = await page.locator("svg text")
    .allTextContents();
  assert.ok(labels.some((text) => /^\d\d:\d\d$/.test(text)), labels.join());
  const fonts = await page.evaluate(() =>
    [...document.fonts].map(({ family, display, status }) => ({ family, display, status }))
  );
  assert.ok(fonts.some(({ family, status }) => family.includes("Inter") && status === "loaded"));
  // `optional` keeps a fallback for as long as the page is open.
  assert.deepEqual(fonts.filter(({ display }) => display === "optional"), []);
  await context.close();
}
