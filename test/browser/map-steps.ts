/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// What tests of the map share: the records that it shows, and how they are found on the page.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { GraphSnapshot } from "../../src/contract/graph/graph.ts";
import type { Up } from "../support/up.ts";
import { alert, connection, sendRecords } from "./records.ts";
import { read } from "./support.ts";

export const MINUTE = 60_000;
/** How long records may take from a sensor to the page. */
export const RECORDS_MILLISECONDS = 60_000;
/** The device with most of the connections. */
export const DESK = "10.0.0.5";

export interface Connection {
  from: string;
  to: string;
  port: number;
}

/** Opens an incident of the desk. */
export async function sendAlert(up: Up): Promise<void> {
  const signature = "ET MALWARE C2 checkin";
  const record = {
    device: 5,
    to: "198.51.100.7",
    time: Date.now() - MINUTE,
    id: 2_000_001,
    signature,
    priority: 1,
  };
  await sendRecords(up, "suricata.alert", [alert(record)]);
}

let sent = 0;

export async function sendConnections(
  up: Up,
  list: Connection[],
  observedAt = Date.now() - 2 * MINUTE,
): Promise<void> {
  const records = list.map(({ from, to, port }) => {
    const number = sent++;
    const [uid, time, fromPort] = [`CMap${number}`, observedAt + number, 40_000 + number];
    return connection({ uid, time, from, fromPort, to, port, service: null, bytes: 1000 + number * 10 });
  });
  await sendRecords(up, "zeek.conn", records);
}

export function from(minutes: number): string {
  return new Date(Date.now() - minutes * MINUTE).toISOString();
}

const graphPath = (more: string) => `/api/v1/graph?scene=network&from=${from(60)}${more}`;

export const graph = (page: Page, more = "") => read<GraphSnapshot>(page, graphPath(more));

/** Waits until the map of the last hour has all these addresses. */
export async function recorded(page: Page, ips: readonly string[]): Promise<void> {
  const isMissing = ({ nodes }: GraphSnapshot) => !ips.every((ip) => nodes.some((node) => node.ip === ip));
  for (const until = Date.now() + RECORDS_MILLISECONDS; isMissing(await graph(page));) {
    assert.ok(Date.now() < until, `the map does not show ${ips.join(", ")}`);
    await page.waitForTimeout(200);
  }
}

/** Waits until the layout has placed the nodes. */
export async function arranged(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Arrange", exact: true }).waitFor({ timeout: RECORDS_MILLISECONDS });
  await page.waitForFunction(
    () => {
      const stored = JSON.parse(localStorage.getItem("ndr.map.main") ?? "{}") as { placed?: unknown[] };
      return (stored.placed?.length ?? 0) > 0;
    },
    null,
    { timeout: RECORDS_MILLISECONDS },
  );
}

/** Coordinates as text, by the identifiers of nodes. */
export type Places = Record<string, string>;

/** Where nodes are: as the layout placed them, or those that a person moved. */
export const places = (page: Page, which: "placed" | "moved", tenant = "main"): Promise<Places> =>
  page.evaluate(([key, name]) => {
    const stored = JSON.parse(localStorage.getItem(key) ?? "{}") as Record<
      string,
      [string, number, number][]
    >;
    return Object.fromEntries((stored[name] ?? []).map(([id, x, y]) => [id, `${x},${y}`]));
  }, [`ndr.map.${tenant}`, which] as const);

export const placed = (page: Page): Promise<Places> => places(page, "placed");

export const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

/** Finds nodes of the map and selects the first one. */
export async function find(page: Page, text: string): Promise<void> {
  const field = page.getByRole("searchbox", { name: /Find by name/ });
  await field.fill(text);
  // The map may still be loading.
  await page.getByText(/^[1-9]\d* match(es)?$/).waitFor();
  await field.press("Enter");
}

export const details = (page: Page) => page.getByRole("complementary", { name: "Details" });

/** Every row of both tables, all of them shown, in text order; times exact. */
export async function rowsOf(page: Page): Promise<string[]> {
  const tables = page.locator(".map-tables");
  await tables.waitFor({ timeout: RECORDS_MILLISECONDS });
  for (const more = tables.getByRole("button", { name: /^Show \d+ more/ }); await more.count() > 0;) {
    await more.first().click();
  }
  const rows = await tables.locator("tbody tr").evaluateAll((all) =>
    all.map((row) =>
      [...(row as HTMLTableRowElement).cells]
        .map((cell) => cell.querySelector("time")?.dateTime ?? cell.textContent)
        .join(" | ")
    )
  );
  return rows.sort();
}
