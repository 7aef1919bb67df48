/// <reference lib="dom" />
/// <reference lib="dom.iterable" />
// The live map in a real browser: what arrives is shown, a pause holds the picture, and a lost connection, a killed
// program and a cursor that is too old all end in the map that a new load shows.
import assert from "node:assert/strict";
import type { BrowserContext, Page } from "playwright-core";
import { CutLink } from "../support/cut-link.ts";
import { freshPostgres, POSTGRES_URL } from "../support/database.ts";
import { clockAhead, FAKETIME } from "../support/other-clock.ts";
import { freePort } from "../support/processes.ts";
import { findChromium } from "../support/runner/chromium.ts";
import { startUp, type Up } from "../support/up.ts";
import { DESK, recorded, RECORDS_MILLISECONDS, rowsOf, sendConnections } from "./map-steps.ts";
import { signedIn } from "./steps.ts";
import { launch } from "./support.ts";

const TABLE = "/t/main/map?range=1h&view=table";
/** Older than any cursor that the stream continues. */
const PAST_BUFFER_SECONDS = 20 * 60;

const chromiumPath = await findChromium();

Deno.test({
  name: "the live map in a browser",
  ignore: chromiumPath === null,
  // The browser is a separate process whose sockets outlive a step.
  sanitizeOps: false,
  sanitizeResources: false,
  fn: async (t) => {
    const program = await Program.start();
    const browser = await launch(chromiumPath!);
    try {
      await sendConnections(program.up, [
        { from: DESK, to: "10.0.0.9", port: 445 },
        { from: DESK, to: "198.51.100.1", port: 443 },
      ]);
      const context = await signedIn(browser, program.link.url, "analyst");
      await walk(t, context, program);
      await context.close();
    } finally {
      await browser.close();
      await program.stop();
    }
  },
});

/** The program behind a link that can be cut, with ports and a database that outlive it. */
class Program {
  private constructor(
    public up: Up,
    readonly link: CutLink,
    private readonly env: Record<string, string>,
    private readonly stateDir: string,
    private readonly database: { url: string; drop: () => Promise<void> } | null,
  ) {}

  static async start(): Promise<Program> {
    const stateDir = await Deno.makeTempDir({ prefix: "ndr-map-" });
    const database = POSTGRES_URL === "" ? null : await freshPostgres();
    const link = new CutLink();
    const env = { NDR_WEB_LISTEN: `127.0.0.1:${freePort()}`, NDR_PUBLIC_URL: link.url };
    const up = await startUp({ sample: false, stateDir, databaseUrl: database?.url, env });
    const program = new Program(up, link, env, stateDir, database);
    program.connect();
    return program;
  }

  connect(): void {
    this.link.connect(this.env.NDR_WEB_LISTEN!);
  }

  async restart(env: Record<string, string> = {}): Promise<void> {
    await this.up.kill();
    const options = { sample: false, stateDir: this.stateDir, databaseUrl: this.database?.url };
    this.up = await startUp({ ...options, env: { ...this.env, ...env } });
  }

  async stop(): Promise<void> {
    await this.up.stop();
    await this.link[Symbol.asyncDispose]();
    await this.database?.drop();
    await Deno.remove(this.stateDir, { recursive: true });
  }
}

const status = (page: Page, text: string | RegExp) =>
  page.locator(".map-status").getByText(text).waitFor({ timeout: RECORDS_MILLISECONDS });

const shown = (page: Page, ip: string) =>
  page.getByRole("region", { name: "Nodes" }).getByText(ip, { exact: true });

const appears = (page: Page, ip: string) =>
  shown(page, ip).first().waitFor({ timeout: RECORDS_MILLISECONDS });

/** A page that has just loaded the map. */
async function opened(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto(TABLE);
  await status(page, "Live");
  return page;
}

/** Waits until the map of the page is the one of a new load. */
async function assertCurrent(page: Page, context: BrowserContext): Promise<void> {
  for (const until = Date.now() + RECORDS_MILLISECONDS;;) {
    const fresh = await opened(context);
    const [rows, wanted] = [await rowsOf(page), await rowsOf(fresh)];
    await fresh.close();
    assert.ok(wanted.length > 2);
    if (rows.join("\n") === wanted.join("\n")) return;
    if (Date.now() > until) assert.deepEqual(rows, wanted);
  }
}

/** Counts the snapshots that the page reads from now on. */
function snapshots(page: Page): { count: number } {
  const seen = { count: 0 };
  page.on("response", (response) => {
    if (new URL(response.url()).pathname === "/api/v1/graph") seen.count++;
  });
  return seen;
}

async function walk(t: Deno.TestContext, context: BrowserContext, program: Program): Promise<void> {
  const send = (to: string) => sendConnections(program.up, [{ from: DESK, to, port: 22 }]);
  const reader = await context.newPage();
  await reader.goto("/t/main/devices");
  await recorded(reader, [DESK, "10.0.0.9", "198.51.100.1"]);
  const page = await opened(context);

  await t.step("what arrives appears without a reload", async () => {
    const read = snapshots(page);
    await send("10.0.0.21");
    await appears(page, "10.0.0.21");
    await assertCurrent(page, context);
    assert.equal(read.count, 0, "the stream brought it");
  });

  await t.step("a pause holds the picture, and what came meanwhile appears afterwards", async () => {
    const other = await opened(context);
    await page.getByRole("button", { name: "Pause live updates" }).click();
    await status(page, "Paused");
    const before = await rowsOf(page);
    await send("10.0.0.22");
    await appears(other, "10.0.0.22");
    await other.close();
    assert.deepEqual(await rowsOf(page), before);
    await page.getByRole("button", { name: "Pause live updates" }).click();
    await appears(page, "10.0.0.22");
    await status(page, "Live");
    await assertCurrent(page, context);
  });

  await t.step("after a lost connection the map catches up", async () => {
    const read = snapshots(page);
    program.link.cut();
    await status(page, /^Reconnecting since/);
    await send("10.0.0.23");
    assert.equal(await shown(page, "10.0.0.23").count(), 0);
    program.connect();
    await status(page, "Live");
    await appears(page, "10.0.0.23");
    await assertCurrent(page, context);
    assert.equal(read.count, 0, "the stream continued after the last cursor");
  });

  await t.step("after the program was killed the map follows the next one", async () => {
    const read = snapshots(page);
    const restarted = program.restart();
    await status(page, /^Reconnecting since/);
    await restarted;
    await send("10.0.0.24");
    await status(page, "Live");
    await appears(page, "10.0.0.24");
    await assertCurrent(page, context);
    assert.equal(read.count, 0, "the stream continued after the last cursor");
  });

  await t.step({
    name: "a cursor that is too old makes the page read the map again",
    ignore: FAKETIME === null,
    fn: async () => {
      const read = snapshots(page);
      await program.restart(clockAhead(PAST_BUFFER_SECONDS));
      await status(page, "Live");
      await send("10.0.0.25");
      await appears(page, "10.0.0.25");
      assert.equal(read.count, 1, "one snapshot after resync_required");
      await assertCurrent(page, context);
    },
  });
}
