import { Buffer } from "node:buffer";
import { signRequest, WEB_SERVICE } from "../../src/contract/request/signed-request.ts";
import type { HealthReport } from "../../src/contract/health/health.ts";

/** A running `ndr up` that started empty. */
export interface Appliance {
  coreUrl: string;
  /** Tokens of the sensors that send connections and alerts. */
  token: string;
  alertToken: string;
  /** Reads `data` of an API response straight from the core, as an administrator of tenant `main`. */
  get(target: string): Promise<unknown>;
  /** Opens a response of the core without reading it. */
  open(target: string, subject: string): Promise<Response>;
  health(): Promise<HealthReport>;
  /** Processor time of the process so far, in milliseconds. */
  processorTime(): number;
  /** Current and peak resident memory of the process in MB. */
  memory(): { now: number; peak: number };
  stop(): Promise<void>;
}

const ROOT = new URL("../..", import.meta.url).pathname;

/** Starts the program on an empty store; `databaseUrl` null selects the embedded database. */
export async function startAppliance(directory: string, databaseUrl: string | null): Promise<Appliance> {
  const env: Record<string, string> = {
    NDR_STATE_DIR: directory,
    NDR_CONFIG_DIR: `${directory}/etc`,
    NDR_UP_SAMPLE: "off",
    NDR_WEB_LISTEN: "127.0.0.1:0",
    NDR_CORE_LISTEN: "127.0.0.1:0",
    NDR_INGEST_RATE: "10000000",
    NDR_INGEST_BURST: "100000000",
    NDR_CONNECTORS_ENABLED: "true",
  };
  if (databaseUrl) env.NDR_DATABASE_URL = databaseUrl;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--frozen", "main.ts", "up"],
    cwd: ROOT,
    env,
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  await firstLine(child.stdout);
  const up = JSON.parse(await Deno.readTextFile(`${directory}/up.json`));
  const key = await Deno.readFile(`${directory}/service.key`);
  const tokenOf = (sensor: string): string =>
    up.sources.find((one: { sensor_id: string }) => one.sensor_id === sensor).token;
  return {
    coreUrl: up.core_url,
    token: tokenOf("main-zeek"),
    alertToken: tokenOf("main-suricata"),
    get: (target) => get(up.core_url, key, target),
    health: async () => await get(up.core_url, key, "/api/v1/health") as HealthReport,
    open: (target, subject) => open(up.core_url, key, target, subject),
    processorTime: () => readProcessorTime(child.pid),
    memory: () => readMemory(child.pid),
    async stop() {
      child.kill("SIGTERM");
      await child.status;
    },
  };
}

async function firstLine(stdout: ReadableStream<Uint8Array>): Promise<void> {
  const reader = stdout.getReader();
  const { done } = await reader.read();
  if (done) throw new Error("the program ended before it was ready");
  reader.releaseLock();
}

async function get(coreUrl: string, key: Uint8Array, target: string): Promise<unknown> {
  const response = await open(coreUrl, key, target, "bench");
  const { data } = await response.json();
  if (!response.ok) throw new Error(`${target}: ${response.status}`);
  return data;
}

async function open(coreUrl: string, key: Uint8Array, target: string, subject: string): Promise<Response> {
  const now = Math.floor(Date.now()) * 1000;
  const { pathname, search } = new URL(target, coreUrl);
  const headers = await signRequest(key, { method: "GET", pathname, search, body: new Uint8Array() }, {
    service: WEB_SERVICE,
    tenantId: "main",
    subject,
    roles: ["admin", "reader"],
    issuedAt: now,
    expiresAt: now + 30_000_000,
    nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url"),
  });
  return await fetch(coreUrl + target, { headers });
}

/** Clock ticks of Linux's `times`, which are the same on all its platforms. */
const TICK_MILLISECONDS = 10;

function readProcessorTime(pid: number): number {
  const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
  // The name, which may have spaces, is in parentheses; user and system time are the fields 14 and 15.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MILLISECONDS;
}

function readMemory(pid: number): { now: number; peak: number } {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  const field = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  return { now: field("VmRSS"), peak: field("VmHWM") };
}
