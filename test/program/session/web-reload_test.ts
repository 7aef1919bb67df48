// The real `ndr web` as a process: access.yaml is reloaded at SIGHUP and applies from the next request.

import assert from "node:assert/strict";
import type { WebReport } from "../../../src/contract/session/service-session.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import { listen } from "../../../src/kit/net/listen.ts";
import { startDevSignIn } from "../../../src/dev/sign-in.ts";
import { coreOn, TEST_KEY } from "../../contract/core.ts";
import { programArgs } from "../../support/program.ts";
import { freshDatabase } from "../../support/database.ts";
import { Browser } from "../../web/session/web-browser.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
const READY_MS = 60_000;

function rules(...given: [tenant: string, role: string][]): string {
  const lines = given.map(([tenant, role]) =>
    `  - { claim: sub, value: multi, tenant: ${tenant}, roles: [${role}] }\n`
  );
  return `rules:\n${lines.join("")}`;
}

async function freePort(): Promise<number> {
  const listener = await listen(() => new Response(), { hostname: "127.0.0.1", port: 0 });
  await listener.close();
  return listener.port;
}

/** Polls until a response is as expected; a signal takes a moment to arrive. */
async function eventually(ask: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 10_000; Date.now() < end;) {
    if (await ask()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(what);
}

Deno.test("web: access.yaml is reloaded at SIGHUP, and a faulty one changes nothing", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-web-reload-" });
  const db = await freshDatabase();
  const reports: WebReport[] = [];
  const core = coreOn(db, { now: systemClock.now(), webReported: (report) => reports.push(report) });
  const coreListener = await listen((request) => {
    core.clock.advance((systemClock.now() - core.clock.now()) / 1e6);
    return core.app.fetch(request);
  }, { hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${await freePort()}`;
  const provider = await startDevSignIn({ redirectUris: [`${url}/auth/callback`] });
  const access = (text: string) => Deno.writeTextFile(`${folder}/access.yaml`, text, { mode: 0o600 });
  await access(rules(["main", "analyst"], ["branch", "reader"]));
  await Deno.writeTextFile(`${folder}/service-key`, TEST_KEY, { mode: 0o600 });

  const web = new Deno.Command(Deno.execPath(), {
    args: [...await programArgs(), "web"],
    cwd: ROOT,
    env: {
      NDR_CONFIG_DIR: folder,
      NDR_STATE_DIR: folder,
      NDR_CORE_LISTEN: new URL(coreListener.url).host,
      NDR_WEB_LISTEN: new URL(url).host,
      NDR_PUBLIC_URL: url,
      NDR_SERVICE_KEY_FILE: `${folder}/service-key`,
      NDR_OIDC_ISSUER: provider.issuer,
      NDR_OIDC_CLIENT_ID: provider.clientId,
      NDR_OIDC_CLIENT_SECRET: provider.clientSecret,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let ended = false;
  web.status.then(() => ended = true);
  let output = "";
  const reading = Promise.all([web.stdout, web.stderr].map(async (stream) => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) output += part;
  }));
  try {
    await until(() => output.includes('"ready"'), () => output);
    const browser = await new Browser(url).signIn("multi");
    assert.equal((await browser.write("POST", "/api/v1/session/tenant", { tenant_id: "main" })).status, 200);
    const patch = async () => {
      const response = await browser.write("PATCH", "/api/v1/devices/d1", { owner: "x" }, {
        "if-match": '"1"',
      });
      await response.body?.cancel();
      return response.status;
    };
    const reload = async (text: string) => {
      await access(text);
      web.kill("SIGHUP");
    };
    assert.equal(await patch(), 200);

    await reload("rules: [{ claim: sub }]");
    await until(() => output.includes("access rules not reloaded"), () => output);
    assert.equal(await patch(), 200, "faulty rules are rejected");
    await eventually(() => Promise.resolve(reports.at(-1)?.reload_failure != null), "the core knows");
    assert.match(reports.at(-1)!.reload_failure!, new RegExp(`^faults? at ${folder}/access.yaml:1:`));

    await reload(rules(["main", "reader"], ["branch", "reader"]));
    await eventually(async () => await patch() === 403, "the role is gone");
    assert.equal((await browser.json("/api/v1/devices")).status, 200);
    await eventually(() => Promise.resolve(reports.at(-1)!.reload_failure === null), "the rules apply");

    await reload(rules(["branch", "reader"]));
    await eventually(
      async () => (await browser.json("/api/v1/devices")).status === 403,
      "the tenant is gone",
    );
    const { body } = await browser.json("/api/v1/session");
    assert.deepEqual(body.data.tenants.map((one: { tenant_id: string }) => one.tenant_id), ["branch"]);

    await reload("rules: []\n");
    await eventually(
      async () => (await browser.json("/api/v1/session")).status === 401,
      "the session is gone",
    );
  } finally {
    if (!ended) web.kill("SIGTERM");
    const { code } = await web.status;
    await reading;
    await provider.close();
    await coreListener.close();
    await db.close();
    await Deno.remove(folder, { recursive: true });
    assert.equal(code, 0, output);
  }
});

async function until(met: () => boolean, why: () => string): Promise<void> {
  for (const end = Date.now() + READY_MS; !met();) {
    if (Date.now() > end) assert.fail(why());
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
