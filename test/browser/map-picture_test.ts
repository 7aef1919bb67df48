/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The pictures of the map in a real browser: dragged nodes, the comparison with the day before, full screen, the saved
// picture, the globe, and reduced motion.
import assert from "node:assert/strict";
import { stringify } from "@std/yaml";
import type { Browser, BrowserContext, Page } from "playwright-core";
import type { GraphSnapshot } from "../../src/contract/graph/graph.ts";
import { mmdb } from "../support/config/mmdb-fixtures.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { startUp, type Up } from "../support/up.ts";
import {
  arranged,
  DESK,
  details,
  find,
  MINUTE,
  parameter,
  placed,
  places,
  recorded,
  RECORDS_MILLISECONDS,
  sendAlert,
  sendConnections,
} from "./map-steps.ts";
import { signedIn } from "./steps.ts";
import { assertAccessible, launch, read, rulesIn, watch } from "./support.ts";

const DAY = 24 * 60 * MINUTE;
const WIDE = { width: 1440, height: 900 };
const HOME = { latitude: 36.6, longitude: -121.9 };
const OUTSIDE = ["198.51.100.1", "198.51.100.2", "203.0.113.1", "203.0.113.2"];
const [STAYED, GONE, NEW] = ["10.0.0.9", "10.0.0.30", "10.0.0.31"] as const;
/** Of 203.0.113.0/24 no place is known. */
const PLACES = {
  "198.51.100.0/24": { country: { iso_code: "DE" }, location: { latitude: 51, longitude: 10 } },
};

const chromiumPath = await findChromium();

Deno.test({
  name: "the pictures of the map in a browser",
  ignore: chromiumPath === null,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const stateDir = await Deno.makeTempDir({ prefix: "ndr-map-" });
    await configure(`${stateDir}/etc`);
    const up = await startUp({ sample: false, ownDatabase: true, stateDir });
    const browser = await launch(chromiumPath!, { webGl: true });
    try {
      await sendAll(up);
      await walk(t, browser, up);
    } finally {
      await browser.close();
      await up.stop();
      await Deno.remove(stateDir, { recursive: true });
    }
  },
});

/** Places and VLANs; the second tenant has neither. */
async function configure(folder: string): Promise<void> {
  const vlans = [{ vlan_id: 10, name: "Office", cidrs: ["10.0.0.0/24"] }];
  const sites = [
    { tenant_id: "main", site_id: "main", display_name: "Main site", home_coordinates: HOME, vlans },
    { tenant_id: "branch", site_id: "branch", display_name: "Branch office" },
  ];
  await Deno.mkdir(`${folder}/geoip`, { recursive: true });
  await Deno.writeTextFile(`${folder}/sites.yaml`, stringify({ sites }));
  await Deno.writeFile(`${folder}/geoip/places.mmdb`, mmdb({ networks: PLACES }));
}

/** The desk talks to the outside on both days, to one device only yesterday and to another only today. */
async function sendAll(up: Up): Promise<void> {
  const both = [...OUTSIDE, STAYED].map((to) => ({ from: DESK, to, port: 443 }));
  await sendConnections(up, [...both, { from: DESK, to: GONE, port: 22 }], Date.now() - DAY - 5 * MINUTE);
  await sendConnections(up, [...both, { from: DESK, to: NEW, port: 22 }], Date.now() - 5 * MINUTE);
  await sendAlert(up);
}

async function setTheme(page: Page, theme: string): Promise<void> {
  await page.evaluate((name) => localStorage.setItem("ndr.theme", name), theme);
}

async function open(page: Page, search = ""): Promise<void> {
  await page.goto(`/t/main/map?range=1h${search}`);
  await arranged(page);
}

/**
 * Where a node is drawn, in pixels of the window: the map marks that the pointer is over a node, and a click selects it.
 * The pointer is beside the map afterwards.
 */
async function nodeOnScreen(page: Page): Promise<{ id: string; x: number; y: number }> {
  const point = await page.evaluate(() => {
    const layer = document.querySelector<HTMLElement>(".map-canvas .sigma-mouse")!;
    const box = layer.getBoundingClientRect();
    const over = () => document.querySelector(".map-over-node") !== null;
    // Every node has a radius of several pixels. Nearest to the middle first, where nothing lies over the map.
    const step = 10;
    const [middleX, middleY] = [box.left + box.width / 2, box.top + box.height / 2];
    for (let ring = 0; ring * step < box.height / 2 - step; ring++) {
      for (let along = -ring; along <= ring; along++) {
        for (const [column, row] of [[along, -ring], [along, ring], [-ring, along], [ring, along]]) {
          const [x, y] = [middleX + column! * step, middleY + row! * step];
          layer.dispatchEvent(new MouseEvent("mousemove", { clientX: x, clientY: y, bubbles: true }));
          if (over()) return { x, y };
        }
      }
    }
    return null;
  });
  assert.ok(point !== null, "no node under the pointer anywhere on the map");
  await page.mouse.move(point.x, point.y);
  await page.mouse.click(point.x, point.y);
  await details(page).waitFor();
  const id = parameter(page, "node");
  assert.ok(id !== null);
  await page.keyboard.press("Escape");
  return { id, ...point };
}

/** The picture that "Save as PNG" saves. */
async function savedPicture(page: Page): Promise<{ name: string; bytes: Uint8Array<ArrayBuffer> }> {
  const saved = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as PNG" }).click();
  const download = await saved;
  return { name: download.suggestedFilename(), bytes: await Deno.readFile(await download.path()) };
}

/** Decodes a picture and returns its size and how many of its colours differ. */
function decoded(page: Page, bytes: Uint8Array): Promise<{ width: number; height: number; colours: number }> {
  return page.evaluate(async (data) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(data)], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d")!;
    context.drawImage(image, 0, 0);
    const pixels = new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    return { width: image.width, height: image.height, colours: new Set(pixels).size };
  }, [...bytes]);
}

async function walk(t: Deno.TestContext, browser: Browser, up: Up): Promise<void> {
  const origin = new URL(up.baseUrl).origin;
  const context = await signedIn(browser, origin, "multi");
  const page = await context.newPage();
  await page.setViewportSize(WIDE);
  const seen = watch(context, origin);
  await page.goto("/t/main/devices");
  await page.getByRole("heading", { level: 1, name: "Devices" }).waitFor();
  await recorded(page, [DESK, STAYED, NEW, ...OUTSIDE]);

  await t.step("a dragged node stays where it was put, and no other node moves", () => drag(page, up));
  await t.step("what is new and what is gone is marked", () => compareDays(page));
  await t.step("the map is saved as a picture", () => savePicture(page));
  await t.step("severities are told apart in forced colours", () => forcedColours(page));
  for (const theme of ["light", "dark"]) {
    await t.step(`full screen is accessible in the ${theme} theme`, () => fullScreen(page, theme));
    await t.step(`the globe is accessible in the ${theme} theme`, () => globeTheme(page, theme));
  }
  await t.step("the globe turns by dragging and by the keyboard", () => turnGlobe(page));
  await t.step(
    "the view jumps instead of moving under reduced motion",
    () => reducedMotion(browser, origin, context),
  );
  await t.step("no request left the origin, and the browser reported no errors", () => {
    assert.deepEqual(seen.foreign, []);
    assert.deepEqual(seen.complaints, []);
    assert.deepEqual(seen.refused, []);
  });
  await context.close();
}

async function drag(page: Page, up: Up): Promise<void> {
  await open(page);
  const before = await placed(page);
  const node = await nodeOnScreen(page);
  await page.mouse.move(node.x, node.y);
  await page.mouse.down();
  await page.mouse.move(node.x + 60, node.y + 40, { steps: 4 });
  // A newcomer moves no other node, and not the one under the pointer either.
  await sendConnections(up, [{ from: DESK, to: "10.0.0.40", port: 22 }]);
  await page.getByText(/^4 devices/).waitFor({ timeout: RECORDS_MILLISECONDS });
  await page.mouse.up();
  const release = page.getByRole("button", { name: "Release 1 moved node" });
  await release.waitFor();
  const moved = await places(page, "moved");
  assert.deepEqual(Object.keys(moved), [node.id]);
  assert.notEqual(moved[node.id], before[node.id]);
  const after = await placed(page);
  const { [node.id]: _, ...others } = before;
  assert.equal(Object.keys(after).length, Object.keys(others).length + 1);
  for (const [id, at] of Object.entries(others)) assert.equal(after[id], at, id);

  await page.reload();
  await arranged(page);
  await release.waitFor();
  assert.deepEqual(await places(page, "moved"), moved);
  assert.deepEqual(await placed(page), after);

  // Another tenant has a map of its own.
  await page.goto("/t/branch/map?range=1h");
  await page.getByText("No traffic in this window").waitFor();
  assert.equal(await page.getByRole("button", { name: /^Release/ }).count(), 0);
  assert.deepEqual(await places(page, "moved", "branch"), {});

  await open(page);
  await release.click();
  await release.waitFor({ state: "detached" });
  await arranged(page);
  assert.deepEqual(await places(page, "moved"), {});
  assert.ok(node.id in await placed(page));
}

async function compareDays(page: Page): Promise<void> {
  const compared = async (overlay: string) => {
    await open(page, `&overlay=${overlay}`);
    await page.getByText(
      /^Since the day before: 3 new nodes, 3 new connections, 1 node gone, 1 connection gone/,
    )
      .waitFor();
    return (await savedPicture(page)).bytes;
  };
  const [fresh, gone, both] = [await compared("new"), await compared("gone"), await compared("both")];
  await open(page);
  const plain = (await savedPicture(page)).bytes;
  // Each choice draws something else.
  assert.equal(new Set([fresh, gone, both, plain].map((bytes) => bytes.join())).size, 4);
  const ids = Object.keys(await placed(page));
  const earlier = await read<GraphSnapshot>(
    page,
    `/api/v1/graph?from=${new Date(Date.now() - DAY - 60 * MINUTE).toISOString()}&to=${
      new Date(Date.now() - DAY).toISOString()
    }`,
  );
  const ghost = earlier.nodes.find(({ ip }) => ip === GONE);
  assert.ok(ghost !== undefined && ids.includes(ghost.node_id), "the node that is gone has a place");

  await page.goto("/t/main/map?range=1h&view=table&overlay=both");
  const row = (ip: string) =>
    page.getByRole("region", { name: "Nodes" }).locator("tbody tr", { hasText: ip });
  await row(NEW).getByText("new", { exact: true }).waitFor();
  assert.equal(await row(STAYED).getByText("new", { exact: true }).count(), 0);
  const list = page.locator(".card", { hasText: "Gone since the day before" });
  await list.getByText(GONE, { exact: true }).waitFor();
  assert.equal(await list.getByRole("listitem").count(), 1);
}

async function savePicture(page: Page): Promise<void> {
  await open(page);
  const { name, bytes } = await savedPicture(page);
  assert.match(name, /^map-.+\.png$/);
  const { width, height, colours } = await decoded(page, bytes);
  const box = (await page.getByRole("application", { name: "Network map" }).boundingBox())!;
  assert.equal(width, Math.round(box.width));
  assert.ok(height > box.height, "a caption below the map");
  assert.ok(colours > 10, `${colours} colours`);
}

/** Of the picture that is saved: the pixels of a colour, such as `rgb(1, 2, 3)`. */
async function pixelsOf(page: Page, colour: string): Promise<number> {
  const { bytes } = await savedPicture(page);
  return await page.evaluate(async ({ data, wanted }) => {
    const image = await createImageBitmap(new Blob([new Uint8Array(data)], { type: "image/png" }));
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d")!;
    context.drawImage(image, 0, 0);
    const { data: values } = context.getImageData(0, 0, image.width, image.height);
    let pixels = 0;
    for (let at = 0; at < values.length; at += 4) {
      if (wanted.every((value, channel) => values[at + channel] === value)) pixels++;
    }
    return pixels;
  }, { data: [...bytes], wanted: colour.match(/\d+/g)!.map(Number) });
}

/** With colours that the person has chosen, severities keep theirs, and a chosen button is marked. */
async function forcedColours(page: Page): Promise<void> {
  await open(page);
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  const swatch = page.locator(".map-legend [class^=swatch-]").first();
  assert.match(await swatch.getAttribute("class") ?? "", /^swatch-(medium|high|critical)$/);
  const severity = await swatch.evaluate((disc) => getComputedStyle(disc).fill);
  const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.ok(await pixelsOf(page, severity) > 100, `discs of ${severity}`);
  assert.ok(await pixelsOf(page, canvas) > 100_000, `a background of ${canvas}`);
  const pressed = page.getByRole("group", { name: "View" }).getByRole("button", { name: "Network" });
  assert.equal(await pressed.evaluate((button) => getComputedStyle(button).outlineStyle), "solid");
  await page.emulateMedia({ forcedColors: "none", colorScheme: null });
  assert.equal(await pressed.evaluate((button) => getComputedStyle(button).outlineStyle), "none");
}

async function fullScreen(page: Page, theme: string): Promise<void> {
  await setTheme(page, theme);
  await open(page);
  await page.getByRole("button", { name: "Full screen" }).click();
  const leave = page.getByRole("button", { name: "Leave full screen" });
  await leave.waitFor();
  assert.ok(await page.evaluate(() => document.fullscreenElement?.matches(".map-stage") === true));
  await find(page, DESK);
  await details(page).getByRole("heading", { name: DESK }).waitFor();
  await assertAccessible(page, `full screen, ${theme}`, rulesIn(theme));
  await leave.click();
  await page.getByRole("button", { name: "Full screen", exact: true }).waitFor();
  assert.ok(await page.evaluate(() => document.fullscreenElement === null));
}

const globe = (page: Page) => page.getByRole("application", { name: /^Globe: 1 destination/ });

async function openGlobe(page: Page): Promise<void> {
  await page.goto("/t/main/map?range=1h&view=globe");
  await globe(page).waitFor();
}

async function globeTheme(page: Page, theme: string): Promise<void> {
  await setTheme(page, theme);
  await openGlobe(page);
  await page.getByRole("region", { name: "Destinations" }).getByText("Germany, unknown network").waitFor();
  await page.getByText("2 of 5 external addresses have no known place and are not on the globe.").waitFor();
  await assertAccessible(page, `globe, ${theme}`, rulesIn(theme));
}

const outlines = (page: Page) =>
  page.locator(".globe").evaluate((box) => ({
    land: box.querySelector(".globe-land")!.getAttribute("d"),
    sea: box.querySelector(".globe-sea")!.getAttribute("d"),
  }));

async function turnGlobe(page: Page): Promise<void> {
  await openGlobe(page);
  const start = await outlines(page);
  /** The outlines once they are not those of `old`. */
  const changed = async (old: { land: string | null }) => {
    await page.waitForFunction(
      (land) => document.querySelector(".globe-land")?.getAttribute("d") !== land,
      old.land,
    );
    return await outlines(page);
  };
  const box = (await page.locator(".globe-box svg").boundingBox())!;
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - 80, y + 20, { steps: 4 });
  await page.mouse.up();
  const dragged = await changed(start);
  assert.equal(dragged.sea, start.sea, "dragging does not zoom");
  // The pointer does not drag any more.
  await page.mouse.move(x, y);
  assert.deepEqual(await outlines(page), dragged);

  await globe(page).focus();
  let last = dragged;
  for (const key of ["ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown"]) {
    await page.keyboard.press(key);
    last = await changed(last);
  }
  await page.keyboard.press("+");
  const near = await changed(last);
  assert.notEqual(near.sea, start.sea);
  await page.keyboard.press("-");
  assert.equal((await changed(near)).sea, start.sea);
  await page.keyboard.press("0");
  await page.waitForFunction(
    (land) => document.querySelector(".globe-land")?.getAttribute("d") === land,
    start.land,
  );
  await page.getByRole("button", { name: "Zoom in" }).click();
  await changed(start);
  await page.getByRole("button", { name: "Return to the site" }).click();
  await page.waitForFunction(
    (land) => document.querySelector(".globe-land")?.getAttribute("d") === land,
    start.land,
  );
}

/** The picture just after the start of a change of the view, and at its end; the page's clock is the test's. */
async function zoomed(page: Page): Promise<{ before: string; soon: string; end: string }> {
  const picture = () =>
    page.evaluate(() => document.querySelector<HTMLCanvasElement>(".map-canvas .sigma-marks")!.toDataURL());
  await page.clock.install();
  await open(page);
  await page.locator(".map-canvas .sigma-marks").waitFor({ state: "attached" });
  await page.clock.pauseAt(Date.now() + MINUTE);
  await page.clock.runFor(1000);
  const before = await picture();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await page.clock.runFor(50);
  const soon = await picture();
  await page.clock.runFor(1000);
  return { before, soon, end: await picture() };
}

async function reducedMotion(browser: Browser, origin: string, account: BrowserContext): Promise<void> {
  const viewed = async (reduced: "reduce" | "no-preference") => {
    const context = await browser.newContext({
      baseURL: origin,
      reducedMotion: reduced,
      viewport: WIDE,
      storageState: await account.storageState(),
    });
    const pictures = await zoomed(await context.newPage());
    await context.close();
    return pictures;
  };
  const moving = await viewed("no-preference");
  assert.notEqual(moving.soon, moving.end, "otherwise the view moves gradually");
  const still = await viewed("reduce");
  assert.notEqual(still.soon, still.before);
  assert.equal(still.soon, still.end, "the view is there at once");
}
