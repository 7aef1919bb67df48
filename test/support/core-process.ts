// `ndr core` alone as a process, for tests that edit its configuration while it runs.

import assert from "node:assert/strict";
import { signRequest, WEB_SERVICE } from "../../src/contract/request/signed-request.ts";
import { systemClock } from "../../src/kit/clock.ts";
import { programArgs } from "./program.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const KEY = "0123456789abcdef0123456789abcdef";
const PATIENCE = 120_000;

export interface Core {
  output(): string;
  url: string;
  signal(name: Deno.Signal): void;
  ended: Promise<Deno.CommandStatus>;
  /** The `data` of a 200 for an administrator of tenant `main`. */
  get<T>(path: string): Promise<T>;
}

/** Starts a core with the configuration of `folder`, which gets the service key and the state. */
export async function startCore(
  folder: string,
  databaseUrl: string,
  env: Record<string, string>,
): Promise<Core> {
  await Deno.writeTextFile(`${folder}/key`, KEY);
  const child = new Deno.Command(Deno.execPath(), {
    args: [...await programArgs(), "core"],
    cwd: ROOT,
    env: {
      NO_COLOR: "1",
      NDR_CONFIG_DIR: folder,
      NDR_STATE_DIR: `${folder}/state`,
      NDR_DATABASE_URL: databaseUrl,
      NDR_SERVICE_KEY_FILE: `${folder}/key`,
      NDR_CORE_LISTEN: "127.0.0.1:0",
      NDR_TELEMETRY: "off",
      ...env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.pipeThrough(new TextDecoderStream()).pipeTo(
      new WritableStream({ write: (part) => void (text += part) }),
    );
  }
  const output = () => text;
  const url = await until(() => /"url":"(http:[^"]+)"/.exec(text)?.[1], output).catch((error) => {
    child.kill("SIGKILL");
    throw error;
  });
  return {
    output,
    url,
    signal: (name) => child.kill(name),
    ended: child.status,
    get: (path) => get(new URL(path, url)),
  };
}

/** Polls until there is a result. */
export async function until<T>(
  ask: () => Promise<T | undefined> | T | undefined,
  output: () => string,
): Promise<T> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const found = await ask();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`not reached in time:\n${output()}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function get<T>(url: URL): Promise<T> {
  const now = systemClock.now();
  const { pathname, search } = url;
  const headers = await signRequest(KEY, { method: "GET", pathname, search, body: new Uint8Array() }, {
    service: WEB_SERVICE,
    tenantId: "main",
    subject: "ada",
    roles: ["admin"],
    issuedAt: now,
    expiresAt: now + 60_000_000,
    nonce: crypto.randomUUID(),
  });
  const response = await fetch(url, { headers });
  assert.equal(response.status, 200);
  return (await response.json()).data;
}
