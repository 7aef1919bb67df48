/// <reference lib="dom" />
// `make bench ARGS=grid`: how long a list of ten thousand rows takes from an input to the next frame, in Chromium, and
// the processor time of the page's thread in it. On a busy machine only the latter says something of the page.
//
//     --rows 10000        rows of each list
//     --rounds 50         key presses and scrolls; a tenth as many rows are opened and orders changed

import type { CDPSession, Page } from "playwright-core";
import { at, RANGE, signedIn } from "../browser/steps.ts";
import { connection, sendRecords } from "../browser/records.ts";
import { launch, readUntil, settled } from "../browser/support.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { startUp, type Up } from "../support/up.ts";

const BATCH = 1000;
const RECORDS_MILLISECONDS = 300_000;

/** One input. */
type Act = (page: Page) => Promise<unknown>;

/** Milliseconds. */
interface Reaction {
  /** From the input until the frame after it was drawn. */
  frame: number;
  /** Processor time of the page's thread. */
  work: number;
}

export async function gridBench(args: string[]): Promise<void> {
  const option = (name: string, fallback: number) =>
    args.includes(name) ? Number(args[args.indexOf(name) + 1]) : fallback;
  const [rows, rounds] = [option("--rows", 10_000), option("--rounds", 50)];
  const chromium = await findChromium();
  if (chromium === null) throw new Error("the bench needs Chromium: set NDR_TEST_CHROMIUM to its path");
  const up = await startUp({ sample: false, ownDatabase: true });
  const browser = await launch(chromium);
  try {
    await sendDevices(up, rows);
    const context = await signedIn(browser, new URL(up.baseUrl).origin, "analyst");
    await context.addInitScript(recordFrames);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Performance.enable");
    const print = (name: string, act: Act, rounds: number, undo?: Act) =>
      printReactions(
        name,
        () => reaction(page, session, act),
        rounds,
        undo && (() => undo(page).then(() => settled(page))),
      );
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(at("/devices"));
    const last = `/api/v1/devices?filter=${encodeURIComponent(`ip:${addressOf(rows - 1)}`)}`;
    await readUntil<unknown[]>(page, last, ({ length }) => length === 1, RECORDS_MILLISECONDS);
    const press = (key: string): Act => ({ keyboard }) => keyboard.press(key);
    const scroll: Act = ({ mouse }) => mouse.wheel(0, 700);
    const few = Math.max(1, Math.round(rounds / 10));

    console.log(`${"".padEnd(37)}   p50     p95     max until the frame; processor time; target: p95 100 ms`);
    await openAll(page, `/explore?${RANGE}`, rows);
    await print("flows: next row (j)", press("j"), rounds);
    await print("flows: open a row (Enter)", press("Enter"), few, press("Escape"));
    await page.mouse.move(700, 600);
    await print("flows: scroll", scroll, rounds);

    await openAll(page, "/devices", rows);
    await print("devices: next row (j)", press("j"), rounds);
    await print("devices: open the panel (o)", press("o"), few, press("o"));
    await page.mouse.move(700, 600);
    await print("devices: scroll", scroll, rounds);
    const orders = ["Device", "Last seen", "Risk"];
    for (const order of orders) {
      await openAll(page, "/devices", rows);
      const head = page.getByRole("columnheader", { name: order }).getByRole("button");
      await print(`devices: order by ${order.toLowerCase()}`, () => head.click(), 1);
    }
  } finally {
    await browser.close();
    await up.stop();
  }
}

function addressOf(index: number): string {
  return `10.0.${index >> 8}.${index & 255}`;
}

/** One flow of each device. */
async function sendDevices(up: Up, count: number): Promise<void> {
  console.error(`Sending ${count} flows of as many devices`);
  const first = Date.now() - count * 100 - 60_000;
  for (let begin = 0; begin < count; begin += BATCH) {
    const records = Array.from({ length: Math.min(BATCH, count - begin) }, (_, offset) => {
      const index = begin + offset;
      return connection({
        uid: `CBench${index}`,
        time: first + index * 100,
        from: addressOf(index),
        fromPort: 20_000 + index,
        to: `198.51.100.${1 + index % 250}`,
        port: 443,
        service: "ssl",
        bytes: 100 + index,
      });
    });
    await sendRecords(up, "zeek.conn", records);
  }
}

/** Opens a list and loads its rows. */
async function openAll(page: Page, path: string, rows: number): Promise<void> {
  await page.goto(at(path));
  await settled(page);
  await page.locator(".grid-body [role=gridcell]").first().focus();
  for (let loaded = 0; loaded < rows;) {
    await page.keyboard.press("Control+End");
    loaded = await page.waitForFunction(
      (before) => {
        const text = document.querySelector(".grid-count")?.textContent ?? "";
        const now = parseInt(text.replaceAll(",", ""));
        return now > before && !text.includes("loading") && now;
      },
      loaded,
    ).then((handle) => handle.jsonValue() as Promise<number>);
  }
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("ArrowDown");
  await page.locator(".grid-active").waitFor();
}

/** In the page: records for each input how long the frame after it took. */
function recordFrames(): void {
  const frames: number[] = [];
  Object.assign(globalThis, { benchFrames: frames });
  for (const type of ["keydown", "pointerdown", "wheel"]) {
    addEventListener(type, ({ timeStamp }) => {
      requestAnimationFrame(() => {
        // A message arrives after the frame.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => frames.push(performance.now() - timeStamp);
        port2.postMessage(null);
      });
    }, { capture: true, passive: true });
  }
}

/** Measures an input some times; `undo` is not measured. */
async function printReactions(
  name: string,
  measure: () => Promise<Reaction>,
  rounds: number,
  undo: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const all: Reaction[] = [];
  for (let round = 0; round < rounds; round++) {
    all.push(await measure());
    await undo();
  }
  const quantiles = (values: number[]) => {
    values.sort((a, b) => a - b);
    const at = (share: number) => values[Math.min(values.length - 1, Math.floor(values.length * share))]!;
    return [0.5, 0.95, 1].map((share) => `${at(share).toFixed(0).padStart(4)} ms`).join(" ");
  };
  const frames = quantiles(all.map(({ frame }) => frame));
  const work = quantiles(all.map(({ work }) => work));
  console.log(`${name.padEnd(30)}${String(rounds).padStart(4)} x   ${frames}   ${work}`);
}

async function reaction(page: Page, session: CDPSession, act: Act): Promise<Reaction> {
  const frames = () => page.evaluate(() => (globalThis as unknown as { benchFrames: number[] }).benchFrames);
  const worked = async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * metrics.find(({ name }) => name === "ThreadTime")!.value;
  };
  const before = (await frames()).length;
  const workBefore = await worked();
  await act(page);
  for (;;) {
    const all = await frames();
    if (all.length > before) return { frame: all[before]!, work: await worked() - workBefore };
  }
}
