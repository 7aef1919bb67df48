/// <reference lib="dom" />
// What the headers of every list do: rows, mark and address follow a click, and a reload keeps them.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { Device } from "../../src/contract/device/device.ts";
import type { Flow } from "../../src/contract/flow/flow.ts";
import { open, rows, since } from "./explore-steps.ts";
import { RANGE } from "./steps.ts";
import { read } from "./support.ts";

/** Rows that are compared. */
const COMPARED = 8;

interface SortedColumn {
  header: string;
  /** The orders of a first and of a second click. */
  orders: readonly [string, string];
  /** A part of the column's text in the first rows of an order; an empty one is not compared. */
  textsOf: (sort: string) => Promise<string[]>;
}

/** Clicks the header of a column twice. */
export async function assertSorts(page: Page, { header, orders, textsOf }: SortedColumn): Promise<void> {
  const column = page.locator(".grid-head").getByRole("columnheader", { name: header, exact: true });
  const shows = async (sort: string) => {
    const wanted = await textsOf(sort);
    await page.waitForFunction(
      ([header, wanted]) =>
        wanted.every((text, row) =>
          document.querySelector(`.grid-body [data-row-index="${row}"] [data-label="${header}"]`)?.textContent
            .includes(text)
        ),
      [header, wanted] as const,
    );
    const direction = sort.startsWith("-") ? "descending" : "ascending";
    assert.equal(await column.getAttribute("aria-sort"), direction, `${header} by ${sort}`);
    const marked = page.locator(".grid-head [aria-sort$=scending]");
    assert.equal(await marked.count(), 1, "one column is marked");
    return wanted;
  };
  const shown: string[][] = [];
  for (const sort of orders) {
    await column.getByRole("button").click();
    await page.waitForURL((url) => url.searchParams.get("sort") === sort);
    shown.push(await shows(sort));
  }
  assert.ok(shown[0]!.length >= 2 && shown[0]!.some((text) => text !== ""), `${header} has values`);
  assert.notDeepEqual(shown[0], shown[1], `${header} has two orders`);
  await page.reload();
  await rows(page).first().waitFor();
  assert.equal(new URL(page.url()).searchParams.get("sort"), orders[1]);
  await shows(orders[1]);
}

/** Columns of texts in Explore, one of a record's facts among them. */
export async function exploreSorts(page: Page): Promise<void> {
  const devices = await read<Device[]>(page, "/api/v1/devices?limit=500");
  const names = new Map(devices.map(({ device_id, display_name }) => [device_id, display_name]));
  const first = (sort: string) =>
    read<Flow[]>(
      page,
      `/api/v1/flows?from=${since()}&filter=${
        encodeURIComponent("http.host:*")
      }&facts=http&sort=${sort}&limit=${COMPARED}`,
    );
  await open(page, `/explore?${RANGE}&view=http`);
  await rows(page).first().waitFor();
  await assertSorts(page, {
    header: "Source",
    orders: ["src.device", "-src.device"],
    textsOf: async (sort) => (await first(sort)).map(({ src }) => names.get(src.device_id ?? "") ?? src.ip),
  });
  for (
    const [header, field, member] of [["Host", "http.host", "host"], [
      "User agent",
      "user_agent",
      "user_agent",
    ]]
  ) {
    await assertSorts(page, {
      header: header!,
      orders: [field!, `-${field}`],
      textsOf: async (sort) =>
        (await first(sort)).map(({ facts }) =>
          String((facts![0] as unknown as Record<string, unknown>)[member!] ?? "")
        ),
    });
  }
}

/** Columns of texts in the list of devices. */
export async function deviceSorts(page: Page): Promise<void> {
  const first = (sort: string) => read<Device[]>(page, `/api/v1/devices?sort=${sort}&limit=${COMPARED}`);
  await open(page, "/devices");
  await rows(page).first().waitFor();
  await assertSorts(page, {
    header: "Address",
    orders: ["address", "-address"],
    textsOf: async (sort) => (await first(sort)).map(({ addresses }) => addresses[0] ?? ""),
  });
  await assertSorts(page, {
    header: "Owner",
    orders: ["owner", "-owner"],
    textsOf: async (sort) => (await first(sort)).map(({ owner }) => owner ?? ""),
  });
}

/** The flows of a device: the note says in which order they stand. */
export async function cardSorts(page: Page, deviceId: string): Promise<void> {
  await open(page, `/devices/${deviceId}?${RANGE}`);
  const card = page.locator(".flows-card");
  const sent = card.getByRole("columnheader", { name: "Sent" });
  await card.getByText("newest first").waitFor();
  await sent.getByRole("button").click();
  await card.getByText("by sent, descending").waitFor();
  assert.equal(await sent.getAttribute("aria-sort"), "descending");
  const filter = encodeURIComponent(`device.id:${deviceId}`);
  const path = `/api/v1/flows?from=${since()}&filter=${filter}&sort=-src.bytes&limit=1`;
  const [largest] = await read<Flow[]>(page, path);
  const bytes = Number(largest!.counters.src_to_dst.bytes);
  await card.locator(`[data-row-index="0"] [title="${bytes.toLocaleString("en")} bytes"]`).first().waitFor();
  await sent.getByRole("button").click();
  await card.getByText("by sent, ascending").waitFor();
  await card.getByRole("columnheader", { name: "Start" }).getByRole("button").click();
  await card.getByText("newest first").waitFor();
}
