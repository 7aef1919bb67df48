// The real program in a separate process: `ndr up`, on free ports with its own state directory.

import type { HealthReport } from "../../src/contract/health/health.ts";
import { Browser } from "../web/session/web-browser.ts";
import { freshPostgres, makeEmbedded, type OwnDatabase, POSTGRES_URL } from "./database.ts";
import { exists } from "./files.ts";
import { programArgs } from "./program.ts";
import { loadedDay } from "./sample-day.ts";
import { waitFor } from "./transport/transport-programs.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
/** Opening an empty embedded database takes seconds, more on a busy machine. */
const READY_MILLISECONDS = 90_000;
/** The sample loads in half a minute, but in several minutes if other tests keep the processors busy. */
export const SAMPLE_SECONDS = 600;
const STOP_MILLISECONDS = 20_000;
const READY_LINE = /^NDR is ready: (\S+)/m;
/** The environment variables a program inherits; none of NDR's own settings are among them. */
const INHERITED = ["PATH", "HOME", "USER", "TMPDIR", "DENO_DIR", "DENO_TLS_CA_STORE", "SSL_CERT_FILE"];

export interface UpOptions {
  /** `postgres://…` of a separate database; defaults to the embedded one in the state directory. */
  databaseUrl?: string;
  /**
   * Runs on a fresh database of the engine that starts faster, dropped when the program ends: an empty
   * embedded one takes ten times as long. Not for a program that is restarted.
   */
  ownDatabase?: boolean;
  /**
   * Whether a first start creates the embedded database itself, which takes seconds of work; the default is a
   * prepared one.
   */
  emptyDatabase?: boolean;
  /** Kept afterwards, so that a later start can reuse it; the default is created, and removed at the end. */
  stateDir?: string;
  /**
   * Whether to play the sample records, default true. `loaded`: continues a day that another program of this run has
   * loaded, on a copy of its database, so that only what was due since then is missing.
   */
  sample?: boolean | "loaded";
  /** Additional variables; they override those set here. */
  env?: Record<string, string>;
  /** A built program instead of the bundle of the checkout. */
  program?: string;
}

interface UpAccount {
  account: string;
  tenants: { tenant_id: string; roles: string[] }[];
}

export interface UpSource {
  sensor_id: string;
  tenant_id: string;
  allowed_kinds: string[];
  trust: string;
  expected_exporters: string[];
  token: string;
}

/** The contents of `up.json`. */
export interface UpAddresses {
  baseUrl: string;
  coreUrl: string;
  accounts: UpAccount[];
  sources: UpSource[];
}

interface UpProcess {
  readonly pid: number;
  /** Everything it has written so far, standard output first. */
  output(): string;
  /** Resolves when the program reports that it is ready; rejects with its output. */
  readonly ready: Promise<UpAddresses>;
  /** Sends SIGTERM and waits for the exit; fails unless it is clean and in time. */
  stop(): Promise<void>;
  /** Sends SIGKILL and waits for the exit. */
  kill(): Promise<void>;
}

export type Up = UpAddresses & UpProcess;

/** Starts the program and waits until it is ready. */
export async function startUp(options: UpOptions = {}): Promise<Up> {
  const up = await launchUp(options);
  try {
    return { ...up, ...await up.ready };
  } catch (error) {
    await up.kill();
    throw error;
  }
}

/** Starts the program without waiting. */
export async function launchUp(options: UpOptions = {}): Promise<UpProcess> {
  const stateDir = options.stateDir ?? await Deno.makeTempDir({ prefix: "ndr-up-" });
  const own = await ownDatabase(options, stateDir);
  const databaseUrl = own?.url ?? options.databaseUrl;
  const embedded = `${stateDir}/database`;
  if (databaseUrl === undefined && !options.emptyDatabase && !(await exists(embedded))) {
    await makeEmbedded(embedded);
  }
  const { program } = options;
  const child = new Deno.Command(program ?? Deno.execPath(), {
    args: program === undefined ? [...await programArgs(), "up"] : ["up"],
    cwd: ROOT,
    clearEnv: true,
    env: {
      ...inherited(),
      NO_COLOR: "1",
      NDR_STATE_DIR: stateDir,
      // Ignore the configuration of an installed NDR.
      NDR_CONFIG_DIR: `${stateDir}/etc`,
      NDR_WEB_LISTEN: "127.0.0.1:0",
      NDR_CORE_LISTEN: "127.0.0.1:0",
      NDR_TELEMETRY: "off",
      ...options.sample === false ? { NDR_UP_SAMPLE: "off" } : {},
      ...databaseUrl === undefined ? {} : { NDR_DATABASE_URL: databaseUrl },
      ...options.env,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();

  const text = { stdout: "", stderr: "" };
  const output = () => [text.stdout, text.stderr].filter((part) => part !== "").join("\n");
  const announced = Promise.withResolvers<void>();
  const reading = Promise.all([
    read(child.stdout, (part) => {
      text.stdout += part;
      if (READY_LINE.test(text.stdout)) announced.resolve();
    }),
    read(child.stderr, (part) => text.stderr += part),
  ]);

  const ended = child.status.then(async (status) => {
    await reading;
    await own?.drop();
    if (options.stateDir === undefined) await Deno.remove(stateDir, { recursive: true });
    return status;
  });
  const timer = setTimeout(
    () => announced.reject(new Error(`ndr up: not ready after ${READY_MILLISECONDS / 1000} s:\n${output()}`)),
    READY_MILLISECONDS,
  );
  ended.then(({ code, signal }) =>
    announced.reject(new Error(`ndr up: exited (${signal ?? code}) before it was ready:\n${output()}`))
  );
  const ready = announced.promise.finally(() => clearTimeout(timer)).then(() =>
    readUpFile(`${stateDir}/up.json`)
  );
  // A caller that stops it early need not await `ready`.
  ready.catch(() => {});

  const signal = (name: Deno.Signal) => {
    try {
      child.kill(name);
    } catch (error) {
      // It has exited already.
      if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
    }
  };
  let gone: Promise<void> | null = null;
  return {
    pid: child.pid,
    output,
    ready,
    stop: () => gone ??= stop(signal, ended, output),
    kill: () =>
      gone ??= (async () => {
        signal("SIGKILL");
        await ended;
      })(),
  };
}

async function ownDatabase(
  { sample, ownDatabase }: UpOptions,
  stateDir: string,
): Promise<OwnDatabase | null> {
  if (POSTGRES_URL === "") return null;
  if (sample === "loaded") return await loadedDay(stateDir, loadDay);
  return ownDatabase ? await freshPostgres() : null;
}

/** Runs a program until it has loaded and reviewed the day of the sample, and processed all its records. */
async function loadDay(stateDir: string, databaseUrl: string): Promise<void> {
  const up = await startUp({ stateDir, databaseUrl });
  try {
    await waitFor(() => exists(`${stateDir}/sample-reviewed`), up.output, SAMPLE_SECONDS);
    const reader = await signIn(up.baseUrl, "reader");
    await waitFor(
      async () => (await reader.get<HealthReport>("/api/v1/health")).ingest.oldest_buffered_at === null,
      up.output,
      SAMPLE_SECONDS,
    );
  } finally {
    await up.stop();
  }
}

async function stop(
  signal: (name: Deno.Signal) => void,
  ended: Promise<Deno.CommandStatus>,
  output: () => string,
): Promise<void> {
  signal("SIGTERM");
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    signal("SIGKILL");
  }, STOP_MILLISECONDS);
  const status = await ended;
  clearTimeout(timer);
  if (late) {
    throw new Error(`ndr up: still running ${STOP_MILLISECONDS / 1000} s after SIGTERM:\n${output()}`);
  }
  if (status.code !== 0) {
    throw new Error(`ndr up: exited with ${status.signal ?? status.code}, expected 0:\n${output()}`);
  }
}

async function read(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  take: (part: string) => void,
): Promise<void> {
  for await (const part of stream.pipeThrough(new TextDecoderStream())) take(part);
}

function inherited(): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of INHERITED) {
    const value = Deno.env.get(name);
    if (value !== undefined) env[name] = value;
  }
  return env;
}

async function readUpFile(path: string): Promise<UpAddresses> {
  const { base_url: baseUrl, core_url: coreUrl, accounts, sources } = JSON.parse(
    await Deno.readTextFile(path),
  );
  return { baseUrl, coreUrl, accounts, sources };
}

/** A signed-in user, as far as API tests need one. */
export interface ApiClient {
  readonly browser: Browser;
  /** The response's `data`; fails on any status but 200. */
  get<T>(path: string): Promise<T>;
  /** The result: `data` of a 200, `error` of anything else. */
  patch<T>(
    path: string,
    body: unknown,
    options: { ifMatch: number },
  ): Promise<{ status: number; data: T | null; error: { code: string; message: string } | null }>;
}

export async function signIn(baseUrl: string, account: string): Promise<ApiClient> {
  const browser = await new Browser(baseUrl).signIn(account);
  return {
    browser,
    async get(path) {
      const { status, body } = await browser.json(path);
      if (status !== 200) throw new Error(`GET ${path}: ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
    async patch(path, body, { ifMatch }) {
      const response = await browser.write("PATCH", path, body, { "if-match": `"${ifMatch}"` });
      const { data = null, error = null } = await response.json();
      return { status: response.status, data, error };
    },
  };
}
