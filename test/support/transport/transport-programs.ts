// Programs that the transports consist of: where they are, and how to run one in a test.

import { type AddressInfo, createServer } from "node:net";
import { exists } from "../files.ts";

const FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];
/** Debian's rsyslog and syslog-ng conflict, so a test machine has one of them unpacked here. */
const UNPACKED_RSYSLOG = `${import.meta.dirname}/../../../.tools/rsyslog`;

/** The Debian package of each program, to report what is missing. */
const PACKAGES: Readonly<Record<string, string>> = {
  "syslog-ng": "syslog-ng-core syslog-ng-mod-http",
  rsyslogd: "rsyslog",
  nfacctd: "pmacct",
  softflowd: "softflowd",
  unbound: "unbound",
  ip: "iproute2",
  iodined: "iodine",
  perl: "perl-base",
  strace: "strace",
  tcpdump: "tcpdump",
  prometheus: "prometheus",
  promtool: "prometheus",
  nginx: "nginx-light",
  caddy: "caddy",
  curl: "curl",
  openssl: "openssl",
};

/** The path of a program, null if it is not installed. */
export async function findProgram(name: string): Promise<string | null> {
  const more = name === "rsyslogd" ? [`${UNPACKED_RSYSLOG}/usr/sbin`] : [];
  for (const folder of [...FOLDERS, ...more]) {
    if (await exists(`${folder}/${name}`)) return `${folder}/${name}`;
  }
  return null;
}

export async function programPath(name: string): Promise<string> {
  const path = await findProgram(name);
  if (path === null) throw new Error(`${name}: not on this machine`);
  return path;
}

/** Requirements of a transport test. */
interface Needs {
  programs: readonly string[];
  root?: boolean;
  /** An additional requirement, checked once the others are met: returns what is missing, or null. */
  also?: () => Promise<string | null>;
}

/**
 * A test that runs only if its requirements are met; otherwise it is skipped under a name that states what is
 * missing.
 */
export async function transportTest(name: string, needs: Needs, body: () => Promise<void>): Promise<void> {
  const missing: string[] = [];
  for (const program of needs.programs) {
    if ((await findProgram(program)) === null) missing.push(`${program} (${PACKAGES[program] ?? program})`);
  }
  if (needs.root && Deno.uid() !== 0) missing.push("root");
  const other = missing.length === 0 && needs.also ? await needs.also() : null;
  if (other !== null) missing.push(other);
  const title = missing.length === 0 ? name : `${name}; missing: ${missing.join(", ")}`;
  Deno.test({ name: title, ignore: missing.length > 0, fn: body });
}

export interface Program {
  /** Standard output and standard error so far. */
  output(): string;
  /** Sends a signal; does nothing after the exit. */
  signal(signal: Deno.Signal): void;
  /** Sends a signal and waits for the exit; sends SIGKILL after `patience` milliseconds. */
  stop(signal?: Deno.Signal, patience?: number): Promise<void>;
}

export type ProgramEnv = Readonly<Record<string, string>>;

/**
 * Starts a program without the caller's proxy settings. It stays in the test's process group, which the
 * runner ends.
 */
export function startProgram(path: string, args: readonly string[], env: ProgramEnv = {}): Program {
  const child = new Deno.Command(path, {
    args: [...args],
    clearEnv: true,
    env: { PATH: FOLDERS.join(":"), LANG: "C.UTF-8", TZ: "Europe/Berlin", ...env },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  let text = "";
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) text += part;
  });
  const send = (signal: Deno.Signal) => {
    try {
      child.kill(signal);
    } catch (error) {
      // It has exited already.
      if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
    }
  };
  return {
    output: () => text,
    signal: send,
    async stop(signal = "SIGTERM", patience = 10_000) {
      send(signal);
      const timer = setTimeout(() => send("SIGKILL"), patience);
      await child.status;
      clearTimeout(timer);
      await Promise.all(reading);
    },
  };
}

/** Runs a program to completion; fails with its output unless it succeeds. */
export async function runProgram(
  path: string,
  args: readonly string[],
  env: ProgramEnv = {},
): Promise<string> {
  const command = new Deno.Command(path, { args: [...args], env, stdin: "null" });
  const { success, stdout, stderr } = await command.output();
  const text = new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
  if (!success) throw new Error(`${path} ${args.join(" ")}: ${text}`);
  return text;
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Polls until the condition is true; fails with the text of `explain`. */
export async function waitFor(
  question: () => boolean | Promise<boolean>,
  explain: () => string,
  seconds = 30,
): Promise<void> {
  const end = performance.now() + seconds * 1000;
  while (!(await question())) {
    if (performance.now() > end) throw new Error(`waited ${seconds} s: ${explain()}`);
    await delay(250);
  }
}

/** A TCP port that nothing listens at. */
export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
