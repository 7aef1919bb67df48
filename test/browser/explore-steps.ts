/// <reference lib="dom" />
// What Explore and the pages it leads to answer: groups, orders, what surrounds a record, domains and detectors.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Flow } from "../../src/contract/flow/flow.ts";
import type { Incident } from "../../src/contract/incident/incident.ts";
import { at, flowOfTls, RANGE } from "./steps.ts";
import { assertFits, read, settled } from "./support.ts";
import { go } from "./visit.ts";

export const rows = (page: Page) => page.locator(".grid-body [data-row-index]");

export function since(): string {
  return new Date(Date.now() - 30 * 86_400_000).toISOString();
}

export function filterOf(page: Page): string {
  return new URL(page.url()).searchParams.get("filter") ?? "";
}

export async function open(page: Page, path: string): Promise<void> {
  await go(page, at(path));
}

export async function grouped(page: Page): Promise<void> {
  await open(page, `/explore?${RANGE}&filter=service:dns`);
  await page.getByRole("combobox", { name: "Group by" }).click();
  await page.getByRole("option", { name: "Destination port" }).click();
  await page.waitForURL((url) => url.searchParams.get("top") === "dst.port:count:10");
  const port = page.locator(".ranking-row", { has: page.getByRole("button", { name: "53", exact: true }) });
  await port.locator(".small-bars rect").first().waitFor({ state: "attached" });
  assert.match(await port.innerText(), /%/);
  // The numbers are those of the list's own total.
  const { data } = await (await page.request.get(
    `/api/v1/flows?from=${since()}&filter=${encodeURIComponent("service:dns dst.port:53")}&limit=500`,
  )).json() as { data: Flow[] };
  const totals = page.locator(".explore-totals");
  await port.getByRole("button", { name: "53", exact: true }).click();
  await page.waitForURL((url) => filterOf(page) === "service:dns dst.port:53" && url.searchParams.has("top"));
  if (data.length < 500) await totals.getByText(`${data.length} flows`).waitFor();
  await totals.getByText(/\d B|kB|MB/).waitFor();
  await page.goBack();
  await port.getByRole("button", { name: "Exclude 53" }).click();
  await page.waitForURL(() => filterOf(page) === "service:dns -dst.port:53");
  await page.getByRole("combobox", { name: "Rank by" }).click();
  await page.getByRole("option", { name: "By bytes", exact: true }).click();
  await page.waitForURL((url) => url.searchParams.get("top") === "dst.port:bytes:10");
  await page.getByRole("button", { name: "Close Top destination port" }).click();
  await page.waitForURL((url) => !url.searchParams.has("top"));
}

export async function alertGroups(page: Page): Promise<void> {
  await open(page, `/explore?${RANGE}&view=alerts`);
  await page.getByRole("button", { name: "One row a pair" }).click();
  await page.waitForURL((url) => url.searchParams.get("view") === "alert-groups");
  const table = page.getByRole("region", { name: "Alerts by signature and pair" });
  const count = table.locator("tbody tr").first().locator(".number a");
  const flows = Number((await count.innerText()).replaceAll(",", ""));
  assert.ok(flows >= 1, String(flows));
  await count.click();
  await page.waitForURL((url) => url.searchParams.get("view") === "alerts");
  assert.match(filterOf(page), /^alert=.* src\.ip:.* dst\.ip:/);
  await page.locator(".explore-totals").getByText(new RegExp(`^${flows.toLocaleString("en-GB")} flows?`))
    .waitFor();
}

export async function largest(page: Page): Promise<void> {
  await open(page, `/explore?${RANGE}`);
  const received = page.getByRole("columnheader", { name: "Received" });
  await received.getByRole("button").click();
  await page.waitForURL((url) => url.searchParams.get("sort") === "-dst.bytes");
  await settled(page);
  assert.equal(await received.getAttribute("aria-sort"), "descending");
  const index = await received.getAttribute("aria-colindex");
  const [largest] = await read<Flow[]>(page, `/api/v1/flows?from=${since()}&sort=-dst.bytes&limit=1`);
  const most = Number(largest!.counters.dst_to_src.bytes);
  const title = `${most.toLocaleString("en")} bytes`;
  await page.locator(`[data-row-index="0"] [aria-colindex="${index}"] [title="${title}"]`).waitFor();
  const cells = page.locator(`.grid-body [aria-colindex="${index}"] [title$=" bytes"]`);
  const shown = (await cells.evaluateAll((all) => all.map((cell) => cell.getAttribute("title"))))
    .map((text) => Number(text!.replace(/\D/g, "")));
  assert.ok(shown.length > 5);
  assert.deepEqual(shown, shown.toSorted((a, b) => b - a));
  const filter = encodeURIComponent(`dst.bytes>${most}`);
  assert.deepEqual(await read(page, `/api/v1/flows?from=${since()}&filter=${filter}`), []);
}

export async function around(page: Page): Promise<void> {
  const flow = await flowOfTls(page);
  await open(page, `/flows/${flow.flow_id}`);
  const links = page.locator(".around");
  await links.getByRole("link", { name: "traffic between both" }).click();
  await page.waitForURL((url) => url.pathname === at("/explore"));
  assert.equal(filterOf(page), `ip:${flow.src.ip} ip:${flow.dst.ip}`);
  const [from, to] = (new URL(page.url()).searchParams.get("scope") ?? "").split("/").map(Date.parse);
  const start = Date.parse(flow.start);
  assert.ok(Math.abs(start - from! - 900_000) < 1000 && Math.abs(to! - start - 900_000) < 1000);
  await rows(page).first().waitFor();
  // The list leads on from its own rows.
  await open(page, `/explore?${RANGE}&filter=${encodeURIComponent(`flow:${flow.flow_id}`)}`);
  await rows(page).first().waitFor();
  await page.keyboard.press("j");
  await page.keyboard.press("Enter");
  await links.getByRole("link").first().click();
  await page.waitForURL((url) => /^(device\.id|ip):/.test(filterOf(page)) && url.searchParams.has("scope"));
  await rows(page).first().waitFor();
}

export async function answered(page: Page): Promise<void> {
  await open(page, `/explore?${RANGE}&view=http&sort=-bytes`);
  const bar = page.locator(".filter-text");
  await bar.fill("dns lookups of example-tunnel.net");
  await bar.press("Enter");
  await page.waitForURL((url) =>
    url.searchParams.get("view") === "dns" && !url.searchParams.has("sort") &&
    filterOf(page).includes("dns.query")
  );
  await rows(page).locator(".entity-domain", { hasText: "example-tunnel.net" }).first().waitFor();
  await bar.fill("large downloads");
  await bar.press("Enter");
  await page.waitForURL((url) =>
    !url.searchParams.has("view") && /^-(dst\.)?bytes$/.test(url.searchParams.get("sort") ?? "")
  );
}

export async function domain(page: Page): Promise<void> {
  const tunnels = encodeURIComponent("detector:dns-tunnel");
  const [incident] = await read<Incident[]>(
    page,
    `/api/v1/incidents?from=${since()}&limit=1&filter=${tunnels}`,
  );
  const chip = page.locator("main .entity-domain").first();
  const choose = async (item: string) => {
    await open(page, `/incidents/${incident!.id}`);
    await chip.hover();
    await chip.getByRole("button").click();
    await page.getByRole("menuitem", { name: item }).click();
    await page.waitForURL((url) => !url.pathname.includes("/incidents/"));
    await rows(page).first().waitFor();
  };
  await open(page, `/incidents/${incident!.id}`);
  const name = (await chip.innerText()).trim();
  const count = async (filter: string) =>
    (await read<Flow[]>(
      page,
      `/api/v1/flows?from=${since()}&limit=1&filter=${encodeURIComponent(filter)}`,
    )).length;
  assert.deepEqual([await count(name), await count(`*.${name}`)], [0, 1], name);
  const whole = ["dns.query", "server_name", "dns.answer"].map((field) =>
    `${field}=${name} or ${field}:*.${name}`
  ).join(" or ");
  for (const item of ["Show its flows", "Filter for it"]) {
    await choose(item);
    assert.equal(filterOf(page), whole, item);
  }
  await choose("Exclude it");
  assert.equal(filterOf(page), `not (${whole})`);
  await choose("Open its page");
  assert.equal(new URL(page.url()).pathname, at(`/domain/${name}`));
  // Its names are those below it, and the first client stands with the time of its first lookup.
  await open(page, `/domain/${name}?${RANGE}`);
  const table = (label: string) => page.getByRole("region", { name: label, exact: true });
  await table("Names").locator(".entity-domain").first().waitFor();
  for (const text of await table("Names").locator(".entity-domain").allInnerTexts()) {
    assert.ok(text.trim().endsWith(name), text);
  }
  const lookups = await read<Flow[]>(
    page,
    `/api/v1/flows?from=${since()}&limit=500&filter=${encodeURIComponent(`dns.query:*.${name}`)}`,
  );
  const first = lookups.at(-1)!;
  const client = table("Who asked").locator("tr", { hasText: first.src.ip });
  assert.equal(await client.locator("time").getAttribute("datetime"), first.start);
  // A name below it leads back to the domain that was registered.
  await table("Names").locator(".entity-domain a").first().click();
  await page.waitForURL((url) => url.pathname.endsWith(`.${name}`));
  await page.getByRole("link", { name, exact: true }).click();
  await page.waitForURL((url) => url.pathname === at(`/domain/${name}`));
}

export async function detector(page: Page): Promise<void> {
  const [incident] = await read<Incident[]>(page, `/api/v1/incidents?from=${since()}&limit=1&sort=-score`);
  const model = incident!.model_ids[0]!;
  await open(page, `/detector/${model}?${RANGE}`);
  const stats = page.locator(".entity-stats");
  const filter = encodeURIComponent(`detector=${model}`);
  const found = await read<Incident[]>(page, `/api/v1/incidents?from=${since()}&limit=500&filter=${filter}`);
  await stats.getByRole("link", { name: String(found.length), exact: true }).waitFor();
  const hit = new Set(found.flatMap(({ device_ids }) => device_ids));
  await stats.locator(".stat", { hasText: "Devices" }).getByText(String(hit.size), { exact: true }).waitFor();
  await page.locator(".bar-list .entity-device").first().waitFor();
  await page.locator(".help-page").getByText("Not reported, or limited:").waitFor();
  await page.setViewportSize({ width: 390, height: 900 });
  await assertFits(page, "the page of a detector");
  await page.setViewportSize({ width: 1440, height: 900 });
}
