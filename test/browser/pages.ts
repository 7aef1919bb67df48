// Every page of the dashboard with the condition under which it is complete, for the tests that hold for all.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Device } from "../../src/contract/device/device.ts";
import type { Incident } from "../../src/contract/incident/incident.ts";
import type { Flow } from "../../src/contract/flow/flow.ts";
import type { ResponseAction } from "../../src/contract/review/response.ts";
import { at, RANGE } from "./steps.ts";
import { read, rendered, settled } from "./support.ts";
import { go, visit } from "./visit.ts";

export interface DashboardPage {
  name: string;
  /** Who may see and do most on it. */
  account: "analyst" | "responder" | "admin";
  /** The address, with the tenant. */
  path: string;
  /** What is on the page once its data has arrived. */
  ready: string;
  /** It keeps a live stream open, so the network never becomes idle. */
  streams: boolean;
}

/** What the pages of single objects show. */
export interface Shown {
  /** The device whose incident, flows and names are shown. */
  address: string;
  domain: string;
}

const GRID_ROW = "main .grid-body [role=row]";
/** The layout has placed the nodes, or the browser has no WebGL and the map is a table. */
const MAP_ARRANGED = "main .map-buttons button:enabled:text-is('Arrange'), main .map-main table";

/** Every page; `page` is of a signed-in analyst. */
export async function pagesOf(page: Page, { address, domain }: Shown): Promise<DashboardPage[]> {
  const ever = "from=1970-01-01T00:00:00Z";
  const incidents = await read<Incident[]>(page, `/api/v1/incidents?${ever}&sort=-score`);
  const devices = await read<Device[]>(page, `/api/v1/devices?filter=${encodeURIComponent(address)}`);
  const flows = await read<Flow[]>(
    page,
    `/api/v1/flows?from=${new Date(Date.now() - 86_400_000).toISOString()}&service=tls&filter=${
      encodeURIComponent(`src.ip:${address}`)
    }`,
  );
  const [action] = await read<ResponseAction[]>(page, "/api/v1/response-actions");
  const [incident, device, flow] = [incidents[0], devices[0], flows[0]];
  assert.ok(incident && device && flow && action, "an incident, a device, a flow and a proposed action");
  const fingerprint = "3830b2a4fbcea64e74db382e467f5b3b";
  const list: [name: string, path: string, ready: string][] = [
    ["overview", `?${RANGE}`, ".overview-attention li.row"],
    ["brief", "/brief", ".brief-main .stats"],
    ["triage", "/triage", GRID_ROW],
    ["triage, closed", "/triage?view=closed", "main h1"],
    ["incident", `/incidents/${incident.id}`, ".evidence [data-row]"],
    ["explore", `/explore?${RANGE}`, GRID_ROW],
    ["explore, alerts", `/explore?view=alerts&${RANGE}`, GRID_ROW],
    ["explore, alerts by pair", `/explore?view=alert-groups&${RANGE}`, "main tbody tr"],
    ["explore, grouped", `/explore?top=dst.ip:bytes:10&${RANGE}`, "main .ranking-row"],
    ["explore, DNS", `/explore?view=dns&${RANGE}`, GRID_ROW],
    ["explore, TLS", `/explore?view=tls&${RANGE}`, GRID_ROW],
    ["explore, HTTP", `/explore?view=http&${RANGE}`, GRID_ROW],
    ["flow", `/flows/${flow.flow_id}`, ".observation"],
    ["map", `/map?${RANGE}`, MAP_ARRANGED],
    ["devices", `/devices?${RANGE}`, GRID_ROW],
    ["device", `/devices/${device.device_id}?${RANGE}`, "main figure"],
    ["device, traits", `/devices/${device.device_id}?view=traits&${RANGE}`, "main h1"],
    ["device, identity", `/devices/${device.device_id}?view=identity&${RANGE}`, "main h1"],
    ["address", `/address/198.51.100.1?${RANGE}`, "main h1"],
    ["domain", `/domain/${encodeURIComponent(domain)}?${RANGE}`, "main h1"],
    ["fingerprint", `/fingerprint/${fingerprint}?${RANGE}`, "main h1"],
    ["signature", `/signature/2000001?${RANGE}`, "main h1"],
    ["detector", `/detector/${incident.model_ids[0]}?${RANGE}`, "main .help-page"],
    ["decisions", "/review/actions", GRID_ROW],
    ["decision", `/review/actions/${action.action_id}`, "main h1"],
    ["suppressions", "/review/suppressions", "main h1"],
    ["proposals", "/review/proposals", "main h1"],
    ["feedback", "/review/feedback", "main h1"],
    ["health", "/system/health", "main h1"],
    ["records", "/system/records", "main h1"],
    ["audit", "/system/audit", GRID_ROW],
    ["telemetry", "/system/telemetry", "main h1"],
    ["settings", "/system/settings", "main h1"],
    ["help", "/system/help", "main h1"],
    ["unknown incident", "/incidents/none", "main h1"],
    ["unknown page", "/no/such/page", "main h1"],
    ["API", "/api/docs", ".opblock"],
  ];
  return list.map(([name, path, ready]) => ({
    name,
    account: accountOf(path),
    // The API's document belongs to no tenant.
    path: path.startsWith("/api/") ? path : at(path),
    ready,
    streams: path.startsWith("/map"),
  }));
}

function accountOf(path: string): DashboardPage["account"] {
  if (path.startsWith("/system/")) return "admin";
  return path.startsWith("/review/actions") ? "responder" : "analyst";
}

/** As {@link openPage}, from another page of the dashboard without loading it. */
export async function visitPage(page: Page, { path, ready, streams }: DashboardPage): Promise<void> {
  await (streams ? visit : go)(page, path);
  await page.locator(ready).first().waitFor({ state: "attached" });
}

/** Loads the page and waits until it is complete. */
export async function openPage(page: Page, { path, ready, streams }: DashboardPage): Promise<void> {
  await page.goto(path);
  await page.locator(ready).first().waitFor({ state: "attached" });
  // Not a page of the dashboard.
  if (path.startsWith("/api/")) return await page.waitForLoadState("networkidle");
  await (streams ? rendered(page) : settled(page));
  // What is ready while the page loads may be replaced once its data arrives.
  if (streams) await page.locator(ready).first().waitFor({ state: "attached" });
}
