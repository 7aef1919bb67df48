/// <reference lib="dom" />
// Explore, chips, the record viewer and the pages of entities, on the records of the sample.
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { Flow, FlowObservation } from "../../src/contract/flow/flow.ts";
import type { Incident, IncidentDetail } from "../../src/contract/incident/incident.ts";
import { browserTest } from "./browser-test.ts";
import {
  alertGroups,
  answered,
  around,
  detector,
  domain,
  filterOf,
  grouped,
  largest,
  open,
  rows,
  since,
} from "./explore-steps.ts";
import { exploreSorts } from "./sort-steps.ts";
import { at, flowOfTls, RANGE, signedIn } from "./steps.ts";
import { assertAccessible, assertFits, read, readUntil, rulesIn, watch } from "./support.ts";

const SAMPLE_MILLISECONDS = 90_000;

browserTest("exploring in a browser", { sample: "loaded" }, async ({ t, browser, origin }) => {
  await walk(t, browser, origin);
});

const VIEWS = [
  ["Alerts", "alerts", "Signature", "alert"],
  ["DNS", "dns", "Question", "dns.query"],
  ["TLS", "tls", "Version", "tls.version"],
  ["HTTP", "http", "Host", "http.host"],
] as const;

async function walk(t: Deno.TestContext, browser: Browser, origin: string): Promise<void> {
  const context = await signedIn(browser, origin, "analyst");
  const seen = watch(context, origin);
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(at("/triage"));
  // The sample has become incidents, and flows with the facts of each view.
  for (const path of ["incidents?", ...VIEWS.map(([, , , field]) => `flows?filter=${field}:*&`)]) {
    const asked = `/api/v1/${path}from=${since()}&limit=1`;
    await readUntil<unknown[]>(page, asked, ({ length }) => length === 1, SAMPLE_MILLISECONDS);
  }

  for (const [name, view, column] of VIEWS) {
    await t.step(`the view ${name} has its facts as columns`, async () => {
      await open(page, `/explore?${RANGE}`);
      await page.getByRole("button", { name, exact: true }).click();
      await page.waitForURL((url) => url.searchParams.get("view") === view);
      await rows(page).first().waitFor();
      const head = page.getByRole("columnheader", { name: column, exact: true });
      const index = await head.getAttribute("aria-colindex");
      await page.waitForFunction(
        (at) =>
          [...document.querySelectorAll(`.grid-body [aria-colindex="${at}"]`)]
            .some((cell) => cell.querySelector(".entity") !== null),
        index,
      );
    });
  }

  await t.step("an address that no record states is the resolver, and ranks as not stated", async () => {
    await open(page, `/explore?${RANGE}&filter=${encodeURIComponent("dst.ip:0.0.0.0 source:unbound")}`);
    const resolver = rows(page).first().locator(".entity-sensor .entity-link");
    assert.match(await resolver.innerText(), /unbound/);
    const label = await rows(page).first().getAttribute("aria-label");
    assert.match(label ?? "", /to .*unbound/);
    assert.doesNotMatch(await page.locator(".grid-body").innerText(), /0\.0\.0\.0/);
    await open(page, `/explore?${RANGE}&filter=${encodeURIComponent("source:unbound")}&top=dst.ip:count:10`);
    await page.locator(".ranking-row").first().waitFor();
    const ranked = page.locator(".ranking-value", { hasText: "not stated" });
    assert.doesNotMatch(await page.locator(".ranking").innerText(), /0\.0\.0\.0/);
    await ranked.click();
    await page.waitForURL(() => filterOf(page) === 'source:unbound dst.ip:(0.0.0.0, "::")');
  });

  await t.step(
    "both ends of a flow are read whole: the name of a device takes the place of its address",
    async () => {
      await open(page, `/explore?${RANGE}&filter=${encodeURIComponent("src.ip:192.168.1.0/24")}`);
      await rows(page).locator(".endpoint > .entity-device").first().waitFor();
      const cut = await rows(page).locator(".endpoint .entity:is(.entity-address, .entity-port) .foreign")
        .evaluateAll(
          (found) =>
            found.filter((one) => one.scrollWidth > one.clientWidth).map(({ textContent }) => textContent),
        );
      assert.deepEqual(cut.filter((text) => !text.includes(":")), [], "only long IPv6 addresses are cut");
      const name = rows(page).locator(".endpoint > .entity-device .entity-link").first();
      assert.match(await name.getAttribute("title") ?? "", /\(192\.168\.1\.\d+\)$/);
    },
  );

  await t.step(
    "values of a field are ranked beside the list; one click filters or excludes",
    () => grouped(page),
  );

  await t.step(
    "alerts of one signature and pair are one row, whose count opens them",
    () => alertGroups(page),
  );

  await t.step("the largest transfer comes first after one click, over all pages", () => largest(page));

  await t.step(
    "every header sorts, texts included, and the address keeps the order",
    () => exploreSorts(page),
  );

  await t.step("a part of the histogram becomes the time range, by keyboard", async () => {
    await open(page, `/explore?${RANGE}`);
    const plot = page.getByRole("slider", { name: "Flows over time" });
    await plot.focus();
    await page.keyboard.press("End");
    await page.keyboard.press("Shift+ArrowLeft");
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.has("from") && url.searchParams.has("to"));
    await page.goBack();
    await page.waitForURL((url) => url.searchParams.get("range") === "30d");
  });

  await t.step("an invalid filter of the address is an error, never ignored", async () => {
    await open(page, `/explore?${RANGE}&filter=dst.prt:80`);
    await page.getByText("The filter of this address is not valid").waitFor();
    await page.getByText("There is no field dst.prt").waitFor();
    assert.equal(await rows(page).count(), 0);
    await page.getByRole("button", { name: "Clear the filter" }).click();
    await rows(page).first().waitFor();
    for (const list of ["explore", "triage", "devices"]) {
      await open(page, `/${list}?${RANGE}&filter=ip:10.0.0.999`);
      await page.getByText("The filter of this address is not valid").waitFor();
      await page.getByText("10.0.0.999 is not an IP address").waitFor();
      assert.equal(await rows(page).count(), 0, list);
      await page.getByRole("button", { name: "Clear the filter" }).click();
      await rows(page).first().waitFor();
    }
  });

  await t.step("the panel shows the current row; the list keeps the keys", async () => {
    await open(page, `/explore?${RANGE}`);
    await page.keyboard.press("j");
    await page.keyboard.press("o");
    const panel = page.getByRole("complementary").filter({ has: page.locator(".observation") });
    await panel.waitFor();
    const first = await page.locator(".peek-title").textContent();
    await page.keyboard.press("j");
    await page.locator(".grid-active[aria-rowindex='3']").waitFor();
    await page.locator(".peek-title").filter({ hasText: /./ }).waitFor();
    assert.ok(first);
    await page.getByRole("button", { name: "Close the panel" }).click();
    await panel.waitFor({ state: "detached" });
  });

  await t.step(
    "around a record: the same device or pair, fifteen minutes before and after",
    () => around(page),
  );
  await t.step("the answer to a question has the columns that were asked for", () => answered(page));
  await t.step("every member of a record is a pivot", () => pivots(page));
  await t.step("from an incident to its raw record in two clicks", () => twoClicks(page));
  await t.step("an address leads to its flows in one click, and its page says who touched it", async () => {
    const flow = await flowOfTls(page);
    await open(page, `/flows/${flow.flow_id}`);
    await page.getByRole("link", { name: flow.dst.ip, exact: true }).first().click();
    await page.waitForURL((url) => url.pathname === at(`/address/${flow.dst.ip}`));
    await open(page, `/address/${flow.dst.ip}?${RANGE}`);
    await rows(page).first().waitFor();
    const stats = page.locator(".entity-stats");
    await stats.getByText(/of \d+ \(/).waitFor();
    for (const name of ["Flows", "Devices", "First seen", "Last seen"]) {
      await stats.getByText(name, { exact: true }).waitFor();
    }
    await page.getByRole("heading", { name: "Devices that touched it" }).waitFor();
    await page.getByRole("heading", { name: "Known threats" }).waitFor();
    await page.getByRole("heading", { name: "Incidents" }).waitFor();
    const { data } = await (await page.request.get(
      `/api/v1/flows?from=${since()}&filter=ip:${flow.dst.ip}&limit=500`,
    )).json() as { data: Flow[] };
    await stats.getByRole("link", { name: String(data.length), exact: true }).click();
    await page.waitForURL((url) => url.pathname === at("/explore"));
    assert.equal(filterOf(page), `ip:${flow.dst.ip}`);
  });

  await t.step(
    "names, fingerprints and signatures have pages; chips suppress what may be suppressed",
    () => pages(page),
  );

  await t.step("a domain of which only names below were looked up is a pivot to them", () => domain(page));

  await t.step(
    "a detector's page has its history, the devices that it reported, and what it looks for",
    () => detector(page),
  );

  await t.step("an export has the rows that are shown", () => exported(page));

  await t.step("pages of entities are accessible and fit a narrow window in both themes", async () => {
    const flow = await flowOfTls(page);
    const known = [`/address/${flow.dst.ip}`, `/domain/${flow.names[0]!.name}`];
    for (const path of [...known, "/address/none"]) {
      await open(page, `${path}?${RANGE}`);
      for (const width of [1440, 390]) {
        await page.setViewportSize({ width, height: 900 });
        await assertFits(page, `${path}, ${width}`);
        // Of such pages in a wide window, `quality_test.ts` states it.
        if (width === 1440 && known.includes(path)) continue;
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          await assertAccessible(page, `${path}, ${colorScheme}, ${width}`, rulesIn(colorScheme));
        }
      }
      await page.emulateMedia({ colorScheme: "light" });
      await page.setViewportSize({ width: 1440, height: 900 });
    }
  });

  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    assert.deepEqual(seen.refused, []);
  });
  await context.close();
}

async function pivots(page: Page): Promise<void> {
  const flow = await flowOfTls(page);
  const observations = await read<FlowObservation[]>(page, `/api/v1/flows/${flow.flow_id}/evidence`);
  await open(page, `/flows/${flow.flow_id}`);
  const raw = page.getByRole("button", { name: "Raw record" });
  assert.equal(await raw.count(), observations.length);
  await raw.first().click();
  const record = page.getByRole("region", { name: "Payload" });
  await record.waitFor();
  const field = record.locator(".json-field", { hasText: flow.dst.ip }).first();
  await field.click();
  await page.getByRole("menuitem", { name: "Copy the path" }).waitFor();
  await page.getByRole("menuitem", { name: "Filter for it" }).click();
  await page.waitForURL((url) => url.pathname === at("/explore"));
  assert.match(filterOf(page), new RegExp(`^(dst\\.)?ip:${flow.dst.ip.replaceAll(".", "\\.")}$`));
  // The record is open again.
  await page.goBack();
  await record.waitFor();
  // A member that the search language does not know can still be copied.
  await record.locator(".json-pivot:not(.json-field)").first().click();
  await page.getByRole("menuitem", { name: "Copy", exact: true }).waitFor();
  assert.equal(await page.getByRole("menuitem", { name: "Filter for it" }).count(), 0);
  await page.keyboard.press("Escape");
  // Objects fold; what is shown stays the record's text.
  const fold = record.getByRole("button", { name: /^Hide / }).first();
  if (await fold.count() > 0) {
    const before = await record.locator(".json-line").count();
    await fold.click();
    assert.ok(await record.locator(".json-line").count() < before);
  }
}

async function twoClicks(page: Page): Promise<void> {
  const [incident] = await read<Incident[]>(page, `/api/v1/incidents?from=${since()}&limit=1`);
  const { evidence } = await read<IncidentDetail>(page, `/api/v1/incidents/${incident!.id}`);
  assert.ok(evidence.length > 0);
  await open(page, `/incidents/${incident!.id}`);
  await page.locator(".evidence [data-row]").first().click();
  const payload = page.getByRole("region", { name: "Payload" });
  await payload.waitFor();
  await payload.locator(".json-pivot").first().waitFor();
}

async function pages(page: Page): Promise<void> {
  const flow = await flowOfTls(page);
  await open(page, `/domain/${flow.names[0]!.name}?${RANGE}`);
  await rows(page).first().waitFor();
  await page.getByRole("heading", { name: "Resolved to" }).waitFor();
  await open(page, `/explore?${RANGE}&view=tls&filter=ja3:*`);
  const fingerprint = page.locator(".grid-body .entity-fingerprint a").first();
  await fingerprint.click();
  await page.waitForURL(/\/fingerprint\//);
  await rows(page).first().waitFor();
  await open(page, `/explore?${RANGE}&view=alerts`);
  await page.locator(".grid-body .entity-signature a").first().click();
  await page.waitForURL(/\/signature\//);
  await rows(page).first().waitFor();
  await page.getByRole("heading", { name: "Sources" }).waitFor();
  const chip = page.locator(".grid-body .entity-address").first();
  await chip.hover();
  await chip.getByRole("button").click();
  await page.getByRole("menuitem", { name: "Suppress…" }).click();
  const dialog = page.getByRole("dialog", { name: "Suppress a pattern" });
  await dialog.getByLabel(/Reason/).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
}

/** Rows that fit on the screen, so that all are in the document. */
const MOST_EXPORTED = 10;

/** A destination with a few flows of the sample. */
async function quietDestination(page: Page): Promise<string> {
  const flows = await read<Flow[]>(page, `/api/v1/flows?from=${since()}&limit=500&filter=service:tls`);
  const counts = Map.groupBy(flows, ({ dst }) => dst.ip);
  for (const ip of counts.keys()) {
    const filter = encodeURIComponent(`dst.ip:${ip}`);
    const found = await read<Flow[]>(page, `/api/v1/flows?from=${since()}&limit=500&filter=${filter}`);
    if (found.length > 2 && found.length <= MOST_EXPORTED) return ip;
  }
  throw new Error("no destination with a few flows");
}

async function exported(page: Page): Promise<void> {
  const ip = await quietDestination(page);
  await open(page, `/explore?${RANGE}&filter=dst.ip:${ip}`);
  await rows(page).first().waitFor();
  const shown = await rows(page).evaluateAll((all) =>
    all.map((row) => [
      row.querySelector("time")?.dateTime,
      ...[...row.querySelectorAll(".endpoint-address")].map((end) => end.textContent),
    ])
  );
  await page.getByRole("button", { name: "Export" }).click();
  const saved = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: "Download as CSV" }).click();
  const text = await Deno.readTextFile(await (await saved).path());
  const [header, ...lines] = text.trim().split("\r\n").map((line) => line.split(","));
  const cell = (line: string[], name: string) => line[header!.indexOf(name)];
  const end = (line: string[], side: string) => `${cell(line, `${side}_ip`)}:${cell(line, `${side}_port`)}`;
  assert.deepEqual(lines.map((line) => [cell(line, "start"), end(line, "src"), end(line, "dst")]), shown);
}
