/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The map in a real browser: keyboard, groups, focus, time, table, globe, both themes.
import assert from "node:assert/strict";
import type { Browser, Page } from "playwright-core";
import type { Device } from "../../src/contract/device/device.ts";
import type { GraphSnapshot } from "../../src/contract/graph/graph.ts";
import type { Incident } from "../../src/contract/incident/incident.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { startUp, type Up } from "../support/up.ts";
import {
  arranged,
  type Connection,
  DESK,
  details,
  find,
  from,
  graph,
  MINUTE,
  parameter,
  placed,
  RECORDS_MILLISECONDS,
  sendAlert,
  sendConnections,
} from "./map-steps.ts";
import { alert, sendRecords } from "./records.ts";
import { signedIn } from "./steps.ts";
import { assertAccessible, assertFits, launch, read, rulesIn, send, settled, watch } from "./support.ts";

/** More ends than the map shows at first sight. */
const OUTSIDE = 260;

const chromiumPath = await findChromium();

Deno.test({
  name: "the map in a browser",
  ignore: chromiumPath === null,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const up = await startUp({ sample: false, ownDatabase: true });
    const browser = await launch(chromiumPath!, { webGl: true });
    const plain = await launch(chromiumPath!);
    try {
      await sendConnections(up, connections());
      await sendAlert(up);
      await walk(t, browser, up);
      await t.step(
        "the map of an incident has all its connections, however old, and waits for what is still read",
        () => incidentOfDays(browser, up),
      );
      await t.step("a browser without WebGL shows the table instead", () => withoutWebGl(plain, up));
    } finally {
      await browser.close();
      await plain.close();
      await up.stop();
    }
  },
});

/** One device with many destinations, and a chain of two more devices behind it. */
function connections(): Connection[] {
  const outside = Array.from({ length: OUTSIDE }, (_, at) => ({
    from: DESK,
    to: `198.51.100.${at % 250 + 1}`.replace(/^198/, at < 250 ? "198" : "203"),
    port: 443,
  }));
  return [
    ...outside,
    { from: DESK, to: "10.0.0.9", port: 445 },
    { from: "10.0.0.9", to: "10.0.0.10", port: 445 },
    { from: "10.0.0.10", to: "203.0.113.200", port: 80 },
  ];
}

async function walk(t: Deno.TestContext, browser: Browser, up: Up): Promise<void> {
  const origin = new URL(up.baseUrl).origin;
  const context = await signedIn(browser, origin, "analyst");
  const page = await context.newPage();
  await page.setViewportSize({ width: 1440, height: 900 });
  const seen = watch(context, origin);
  let desk = "";

  await t.step("the map appears with what was recorded", async () => {
    for (let nodes = 0, until = Date.now() + RECORDS_MILLISECONDS; nodes < 3 && Date.now() < until;) {
      nodes = (await graph(page)).nodes.reduce((sum, { member_count }) => sum + (member_count ?? 1), 0);
      if (nodes < OUTSIDE) nodes = 0;
    }
    desk = (await read<Device[]>(page, "/api/v1/devices")).find(({ display_name }) => display_name === DESK)!
      .device_id;
    await page.goto("/t/main/devices");
    await settled(page);
    await page.keyboard.press("g");
    await page.keyboard.press("m");
    await page.getByRole("heading", { level: 1, name: "Map" }).waitFor();
    await arranged(page);
    await page.getByText(/3 devices, \d+ external addresses, 1 group/).waitFor();
  });

  await t.step("the time below the map is in the first screen", async () => {
    const { y, height } = (await page.getByRole("region", { name: "Time" }).boundingBox())!;
    assert.ok(y + height <= 900, `it ends at ${y + height} pixels`);
    const map = (await page.getByRole("application", { name: "Network map" }).boundingBox())!;
    assert.ok(map.height > 500, `the map has ${map.height} pixels`);
  });

  await t.step("the keyboard moves between neighbours and opens the details", async () => {
    await page.getByRole("application", { name: "Network map" }).focus();
    await page.keyboard.press("ArrowRight");
    await details(page).waitFor();
    const first = parameter(page, "node");
    assert.ok(first !== null);
    for (const key of ["ArrowRight", "ArrowLeft", "ArrowUp", "ArrowDown"]) {
      await page.keyboard.press(key);
      if (parameter(page, "node") !== first) break;
    }
    assert.notEqual(parameter(page, "node"), first);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.activeElement?.id === "map-details-title");
    await page.keyboard.press("Escape");
    await details(page).waitFor({ state: "detached" });
    assert.equal(parameter(page, "node"), null);
  });

  await t.step("a group expands in place and no other node moves", async () => {
    const cluster = (await graph(page)).nodes.find(({ kind }) => kind === "asn_cluster");
    assert.ok(cluster, "expected a group");
    const before = await placed(page);
    await find(page, cluster.label);
    await details(page).getByRole("button", { name: "Expand" }).click();
    await page.waitForURL(/expand=asn/);
    await page.getByText(/Expanded/).waitFor();
    const members = (await graph(page, `&expand=${cluster.node_id}`)).nodes.length;
    await page.waitForFunction((count) => {
      const stored = JSON.parse(localStorage.getItem("ndr.map.main") ?? "{}") as { placed?: unknown[] };
      return (stored.placed?.length ?? 0) >= count;
    }, members);
    const after = await placed(page);
    for (const [id, at] of Object.entries(before)) assert.equal(after[id], at, id);
    assert.ok(Object.keys(after).length > Object.keys(before).length);
    await page.getByRole("button", { name: /^Collapse/ }).first().click();
    await page.waitForURL((url) => !url.searchParams.has("expand"));
  });

  await t.step("the map is the same after a reload", async () => {
    const before = await placed(page);
    await page.reload();
    await arranged(page);
    assert.deepEqual(await placed(page), before);
  });

  await t.step("a focus shows what is within some hops, and can be left", async () => {
    const end = "10.0.0.10";
    const matches = async (text: string, count: string) => {
      await page.getByRole("searchbox", { name: /Find by name/ }).fill(text);
      await page.getByText(count, { exact: true }).waitFor();
    };
    await page.goto("/t/main/map?range=1h");
    await arranged(page);
    await find(page, end);
    await details(page).getByRole("button", { name: "1 hop" }).click();
    await page.waitForURL(/focus=.*hops=1|hops=1.*focus=/);
    await page.getByText(`Within 1 hop of ${end}`).waitFor();
    await matches("10.0.0.9", "1 match");
    await matches(DESK, "0 matches");
    await details(page).getByRole("button", { name: "2 hops" }).click();
    await page.getByText(`Within 2 hops of ${end}`).waitFor();
    assert.equal(parameter(page, "hops"), "2");
    await matches(DESK, "1 match");
    await details(page).getByRole("link", { name: "Device" }).click();
    await page.getByRole("heading", { level: 1, name: end }).waitFor();
    await page.goBack();
    await page.getByText(`Within 2 hops of ${end}`).waitFor();
    await page.getByRole("button", { name: "Show the whole network" }).click();
    await page.waitForURL((url) => !url.searchParams.has("focus"));
    await page.getByText(/3 devices, \d+ external addresses, 1 group/).waitFor();
  });

  await t.step("the scrubber moves the window into the past and back", async () => {
    await page.goto("/t/main/map?range=1h");
    await arranged(page);
    await page.getByRole("button", { name: "15 min" }).click();
    await page.waitForURL(/range=15m/);
    const slider = page.getByRole("slider", { name: "End of the window" });
    await slider.focus();
    for (let step = 0; step < 6; step++) await page.keyboard.press("ArrowLeft");
    await page.waitForURL(/from=.+to=/);
    const [start, end] = ["from", "to"].map((name) => Date.parse(parameter(page, name) ?? ""));
    assert.equal(end! - start!, 15 * MINUTE);
    await page.getByText("Past window").waitFor();
    await page.getByText("No traffic in this window").waitFor();
    await page.getByRole("button", { name: "Back to now" }).click();
    await page.waitForURL(/range=15m/);
    await page.getByText(/3 devices/).waitFor();
  });

  await t.step("a search finds nodes by address", async () => {
    await find(page, "10.0.0.10");
    await page.getByText("1 match", { exact: true }).waitFor();
    await details(page).getByRole("heading", { name: "10.0.0.10" }).waitFor();
    const flows = details(page).getByRole("link", { name: "Flows" });
    assert.match(await flows.getAttribute("href") ?? "", /filter=device\.id/);
  });

  await t.step(
    "the query bar filters the map, suggests what works and refuses the rest",
    () => filters(page),
  );

  await t.step("an incident leads to the map and back", async () => {
    const [incident] = await read<Incident[]>(page, `/api/v1/incidents?from=${from(60)}&limit=1`);
    assert.ok(incident, "expected an incident");
    await page.goto(`/t/main/incidents/${incident.id}`);
    await page.getByRole("link", { name: "Show on the map" }).click();
    await page.waitForURL(/\/map\?/);
    assert.equal(parameter(page, "filter"), `incident:${incident.id}`);
    // The connection of its evidence, and none of the other connections of its device.
    await page.getByText("1 device, 1 external address, 1 connection").waitFor();
    await arranged(page);
    await page.getByRole("link", { name: "Back to the incident" }).click();
    await page.getByRole("heading", { level: 1, name: incident.title }).waitFor();
  });

  await t.step("a link of the map leads to its incidents and its flows, and so does an address", async () => {
    const [incident] = await read<Incident[]>(page, `/api/v1/incidents?from=${from(60)}&limit=1`);
    const { links } = await graph(page, `&filter=incident:${incident!.id}`);
    assert.deepEqual(links.map(({ incident_ids }) => incident_ids), [[incident!.id]]);
    const { link_id, source, target } = links[0]!;
    for (const end of [link_id, source, target]) {
      await page.goto(`/t/main/map?range=1h&node=${encodeURIComponent(end)}`);
      const title = details(page).getByRole("link", { name: incident!.title });
      await title.waitFor();
      assert.match(await title.getAttribute("href") ?? "", new RegExp(`/incidents/${incident!.id}\\b`));
    }
    await page.goto(`/t/main/map?range=1h&node=${encodeURIComponent(link_id)}`);
    await details(page).getByRole("link", { name: "Flows" }).click();
    await page.waitForURL(/\/explore\?/);
    assert.match(parameter(page, "filter") ?? "", /device\.id:\S+ ip:|ip:\S+ device\.id:/);
  });

  await t.step("the details of a device list its incidents, those under investigation too", async () => {
    const [incident] = await read<Incident[]>(page, `/api/v1/incidents?from=${from(60)}&limit=1`);
    await send(
      page,
      "patch",
      `/api/v1/incidents/${incident!.id}`,
      { status: "investigating" },
      incident!.revision,
    );
    await page.goto(`/t/main/map?range=1h&node=device:${desk}`);
    await details(page).getByRole("link", { name: incident!.title }).waitFor();
  });

  await t.step("the table lists the same nodes and sorts them", async () => {
    await page.goto("/t/main/map?range=1h&view=table");
    const nodes = page.getByRole("region", { name: "Nodes" });
    await nodes.waitFor();
    await nodes.getByRole("button", { name: "Connections" }).click();
    assert.equal(
      await nodes.getByRole("columnheader", { name: "Connections" }).getAttribute("aria-sort"),
      "descending",
    );
    await nodes.locator("tbody tr", { hasText: DESK }).first().waitFor();
    await page.getByRole("region", { name: "Connections" }).locator("tbody tr").first().waitFor();
  });

  await t.step("the globe invents no place", async () => {
    await page.goto("/t/main/map?range=1h&view=globe");
    await page.getByText("The site has no coordinates in sites.yaml").waitFor();
  });

  for (const theme of ["light", "dark"]) {
    await t.step(`every view is accessible in the ${theme} theme`, async () => {
      await page.evaluate((name) => localStorage.setItem("ndr.theme", name), theme);
      for (const view of ["network", "table", "globe"]) {
        await page.goto(`/t/main/map?range=1h&view=${view}&node=device:${desk}`);
        await page.getByRole("heading", { level: 1, name: "Map" }).waitFor();
        if (view === "network") await arranged(page);
        if (view !== "globe") await details(page).waitFor();
        else await page.getByText("The site has no coordinates").waitFor();
        await assertAccessible(page, `${view}, ${theme}`, rulesIn(theme));
      }
    });
  }

  await t.step("every view fits a narrow window", async () => {
    await page.setViewportSize({ width: 400, height: 800 });
    for (const view of ["network", "table", "globe"]) {
      await page.goto(`/t/main/map?range=1h&view=${view}&node=device:${desk}`);
      await page.getByRole("heading", { level: 1, name: "Map" }).waitFor();
      await assertFits(page, view);
    }
  });

  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    assert.deepEqual(seen.refused, []);
  });
  await context.close();
}

const STILL_READING = {
  error: {
    code: "source_unavailable",
    message: "The traffic of the last day is still being read; ask again.",
    request_id: crypto.randomUUID(),
    details: { reason: "still_reading" },
  },
};

/** An incident that began three days ago and goes on. */
async function longIncident(page: Page, up: Up): Promise<Incident> {
  const hours = [72, 60, 48, 36, 20, 0.5];
  await sendRecords(
    up,
    "suricata.alert",
    hours.map((ago, at) =>
      alert({
        device: 20,
        to: `198.51.100.${at < 4 ? 8 : 9}`,
        time: Date.now() - ago * 60 * MINUTE,
        id: 2_000_100,
        signature: "ET MALWARE Long C2 checkin",
        priority: 1,
      })
    ),
  );
  const path = `/api/v1/incidents?from=${from(5 * 24 * 60)}&limit=20`;
  for (const until = Date.now() + RECORDS_MILLISECONDS;;) {
    const incidents = await read<Incident[]>(page, path);
    const long = incidents.find((one) =>
      Date.parse(one.last_seen) - Date.parse(one.first_seen) > 60 * 60 * MINUTE
    );
    if (long !== undefined) return long;
    assert.ok(Date.now() < until, JSON.stringify(incidents));
    await page.waitForTimeout(200);
  }
}

async function incidentOfDays(browser: Browser, up: Up): Promise<void> {
  const context = await signedIn(browser, new URL(up.baseUrl).origin, "analyst");
  const page = await context.newPage();
  const incident = await longIncident(page, up);
  await page.route("**/api/v1/graph?*", (route) => route.fulfill({ status: 503, json: STILL_READING }), {
    times: 2,
  });
  await page.goto(`/t/main/incidents/${incident.id}`);
  const answer = page.waitForResponse((one) =>
    new URL(one.url()).pathname === "/api/v1/graph" && one.status() === 200
  );
  await page.getByRole("link", { name: "Show on the map" }).click();
  await page.getByText("Still reading the traffic of this window").waitFor();
  const { links } = (await (await answer).json() as { data: GraphSnapshot }).data;
  assert.deepEqual(links.map(({ target }) => target), [8, 9].map((end) => `ip:198.51.100.${end}`));
  await page.getByText("1 device, 2 external addresses, 2 connections").waitFor();
  const note = page.getByText("All connections of the incident’s evidence");
  await note.waitFor();
  // Another time is another map, of a part of it.
  await page.locator(".range-scope").click();
  await note.waitFor({ state: "detached" });
  await page.getByText("1 device, 1 external address, 1 connection").waitFor();
  await context.close();
}

async function filters(page: Page): Promise<void> {
  await page.goto("/t/main/map?range=1h");
  await arranged(page);
  const bar = page.getByRole("combobox", { name: "Filter the map or ask a question" });
  const suggested = async (text: string) => {
    await bar.fill(text);
    await page.getByRole("option").first().waitFor();
    return await page.getByRole("option").allTextContents();
  };
  assert.match((await suggested("coun"))[0]!, /^country/);
  assert.ok((await suggested("p")).every((text) => !text.startsWith("port")));
  await bar.fill("ip:203.0.113.200");
  await bar.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("filter") === "ip:203.0.113.200");
  await page.getByText("1 device, 1 external address, 1 connection").waitFor();
  await page.locator(".map-status").getByText("Live", { exact: true }).waitFor();
  // A condition of the other direction, in the words that the map knows.
  await bar.fill("src.ip:10.0.0.9");
  await bar.press("Enter");
  await page.getByText("it adds up both directions").waitFor();
  await page.getByText("The filter of this address is not valid").waitFor();
  await page.getByRole("button", { name: "Use ip:10.0.0.9" }).click();
  await page.getByText("3 devices, 0 external addresses, 2 connections").waitFor();
  await page.getByRole("list", { name: "Conditions" }).getByText("10.0.0.9").waitFor();
  await assertAccessible(page, "a filtered map");
  // A node is a filter, too.
  await find(page, "10.0.0.10");
  await details(page).getByRole("button", { name: "Filter for it" }).click();
  await page.waitForURL((url) => url.searchParams.get("filter")?.startsWith("device.id:") ?? false);
  await page.getByText("2 devices, 1 external address, 2 connections").waitFor();
  await bar.fill("service:smtp");
  await bar.press("Enter");
  await page.getByText("No traffic in this window meets the filter").waitFor();
  await page.getByRole("button", { name: "Clear the filter" }).click();
  await page.getByText(/3 devices, \d+ external addresses, 1 group/).waitFor();
  assert.equal(parameter(page, "filter"), null);
}

async function withoutWebGl(browser: Browser, up: Up): Promise<void> {
  const context = await signedIn(browser, new URL(up.baseUrl).origin, "reader");
  const page = await context.newPage();
  await page.addInitScript(() => {
    const original = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...args: unknown[]) {
      if (String(args[0]).startsWith("webgl")) return null;
      return Reflect.apply(original, this, args) as RenderingContext | null;
    } as typeof original;
  });
  await page.goto("/t/main/map?range=1h");
  await page.getByText("WebGL is not available").waitFor();
  await page.getByRole("region", { name: "Nodes" }).waitFor();
  await assertAccessible(page, "without WebGL");
  await context.close();
}
