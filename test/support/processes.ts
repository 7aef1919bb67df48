// `ndr core` and `ndr web` in separate processes, as installed: configuration files, one service key, and an
// OpenID provider.

import { stringify } from "@std/yaml";
import { developmentAccessRules } from "../../src/dev/sign-in-accounts.ts";
import { type DevSignIn, startDevSignIn } from "../../src/dev/sign-in.ts";
import { RECORD_KINDS } from "../../src/contract/record/kinds.ts";
import { freshPostgres, POSTGRES_URL } from "./database.ts";
import { checkoutArgs, programArgs } from "./program.ts";
import { waitFor } from "./transport/transport-programs.ts";
import type { UpSource } from "./up.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const READY_MILLISECONDS = 90_000;

export interface Processes {
  baseUrl: string;
  coreUrl: string;
  sources: UpSource[];
  /** Process ids. */
  pids: { core: number; web: number };
  /** Stops the core; the web layer keeps running. */
  stopCore(): Promise<void>;
  /** Sends SIGHUP to the web layer and waits until it reports the reload. */
  reloadWeb(): Promise<void>;
  /** As `reloadWeb`, for the core. */
  reloadCore(): Promise<void>;
  databaseUrl: string;
  /** The settings of core and web together, as ndr.env has them. */
  env: Record<string, string>;
  /** The configuration folder of both. */
  configDir: string;
  stop(): Promise<void>;
}

interface Child {
  url: string;
  pid: number;
  reload(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProcessesOptions {
  /** Defaults to a fresh one on the test server, or an embedded one without such a server. */
  databaseUrl?: string;
  /** Additional `deno run` flags for the core, which then runs from the checkout. */
  coreFlags?: readonly string[];
  /** Additional environment variables for the core. */
  coreEnv?: Record<string, string>;
  /** Additional environment variables for the web layer. */
  webEnv?: Record<string, string>;
  /** Writes additional files into the configuration folder. */
  configure?: (folder: string) => Promise<void>;
}

export async function startProcesses(options: ProcessesOptions = {}): Promise<Processes> {
  const folder = await Deno.makeTempDir({ prefix: "ndr-processes-" });
  const own = options.databaseUrl === undefined && POSTGRES_URL !== "" ? await freshPostgres() : null;
  const closing: (() => Promise<unknown>)[] = [
    () => Deno.remove(folder, { recursive: true }),
    () => own?.drop() ?? Promise.resolve(),
  ];
  try {
    const sources = await writeConfiguration(folder);
    await options.configure?.(folder);
    const tokens = Object.fromEntries(sources.map(({ token }, index) => [`SOURCE_TOKEN_${index}`, token]));
    const shared = {
      NDR_CONFIG_DIR: folder,
      NDR_STATE_DIR: folder,
      NDR_SERVICE_KEY_FILE: `${folder}/service.key`,
      NDR_TELEMETRY: "off",
    };
    const databaseUrl = own?.url ?? options.databaseUrl ?? `embedded:${folder}/database`;
    const core = await start("core", {
      ...shared,
      ...tokens,
      NDR_CORE_LISTEN: "127.0.0.1:0",
      NDR_DATABASE_URL: databaseUrl,
      ...options.coreEnv,
    }, options.coreFlags);
    closing.unshift(core.stop);
    const port = freePort();
    const baseUrl = `http://127.0.0.1:${port}`;
    const signIn: DevSignIn = await startDevSignIn({ redirectUris: [`${baseUrl}/auth/callback`] });
    closing.unshift(() => signIn.close());
    const webEnv = {
      ...shared,
      NDR_CORE_LISTEN: new URL(core.url).host,
      NDR_WEB_LISTEN: `127.0.0.1:${port}`,
      NDR_PUBLIC_URL: baseUrl,
      NDR_OIDC_ISSUER: signIn.issuer,
      NDR_OIDC_CLIENT_ID: signIn.clientId,
      NDR_OIDC_CLIENT_SECRET: signIn.clientSecret,
    };
    const web = await start("web", {
      ...webEnv,
      NDR_SESSION_RATE: "10000",
      NDR_ADDRESS_RATE: "10000",
      NDR_SIGN_IN_RATE: "10000",
      ...options.webEnv,
    });
    closing.unshift(web.stop);
    return {
      baseUrl,
      coreUrl: core.url,
      databaseUrl,
      env: { ...webEnv, ...tokens, NDR_DATABASE_URL: databaseUrl },
      sources,
      pids: { core: core.pid, web: web.pid },
      stopCore: core.stop,
      reloadWeb: web.reload,
      reloadCore: core.reload,
      configDir: folder,
      stop: () => closeAll(closing),
    };
  } catch (error) {
    await closeAll(closing);
    throw error;
  }
}

async function closeAll(closing: (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closing) await close();
}

async function writeConfiguration(folder: string): Promise<UpSource[]> {
  const kindsOf = (source: string) => RECORD_KINDS.filter((kind) => kind.startsWith(`${source}.`));
  const sources = [
    { name: "zeek", trust: "packet", exporters: [] },
    { name: "suricata", trust: "packet", exporters: [] },
    { name: "netflow", trust: "exporter", exporters: ["192.0.2.1"] },
  ].map(({ name, trust, exporters }): UpSource => ({
    sensor_id: `main-${name}`,
    tenant_id: "main",
    allowed_kinds: kindsOf(name),
    trust,
    expected_exporters: exporters,
    token: crypto.randomUUID(),
  }));
  const entries = sources.map(({ token: _, expected_exporters, ...source }, index) => ({
    ...source,
    ...expected_exporters.length > 0 ? { expected_exporters } : {},
    token_env: `SOURCE_TOKEN_${index}`,
  }));
  await Deno.writeTextFile(`${folder}/sources.yaml`, stringify({ sources: entries }));
  await Deno.writeTextFile(`${folder}/access.yaml`, stringify({ rules: developmentAccessRules() }));
  await Deno.writeTextFile(`${folder}/service.key`, crypto.randomUUID() + crypto.randomUUID(), {
    mode: 0o600,
  });
  return sources;
}

/** Returns a free port; the web layer must know its own address before it starts. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
}

/** Starts a subcommand and waits for its ready line. */
async function start(
  command: "core" | "web",
  env: Record<string, string>,
  flags: readonly string[] = [],
): Promise<Child> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [...flags.length > 0 ? checkoutArgs(["-A", ...flags]) : await programArgs(), command],
    cwd: ROOT,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let output = "";
  const ready = Promise.withResolvers<string>();
  const reading = [child.stdout, child.stderr].map((stream) =>
    stream.pipeThrough(new TextDecoderStream()).pipeTo(
      new WritableStream({
        write(part) {
          output += part;
          const url = /"url":"(http:[^"]+)"/.exec(output)?.[1];
          if (url !== undefined) ready.resolve(url);
        },
      }),
    )
  );
  const timer = setTimeout(
    () => ready.reject(new Error(`ndr ${command}: not ready:\n${output}`)),
    READY_MILLISECONDS,
  );
  const ended = child.status.then(async (status) => {
    await Promise.all(reading);
    ready.reject(new Error(`ndr ${command}: ended with ${status.code}:\n${output}`));
    return status;
  });
  let gone: Promise<void> | null = null;
  const stop = () =>
    gone ??= (async () => {
      child.kill("SIGTERM");
      const { code } = await ended;
      if (code !== 0) throw new Error(`ndr ${command}: ended with ${code}:\n${output}`);
    })();
  const reload = async () => {
    const before = output.length;
    child.kill("SIGHUP");
    await waitFor(
      () => /(?:configuration|access rules) (?:not )?reloaded/.test(output.slice(before)),
      () => output,
    );
  };
  try {
    return { url: await ready.promise, pid: child.pid, reload, stop };
  } catch (error) {
    await stop().catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
