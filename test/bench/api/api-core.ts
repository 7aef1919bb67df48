import { Buffer } from "node:buffer";
import { signRequest, WEB_SERVICE } from "../../../src/contract/request/signed-request.ts";
import pg from "pg";
import { startUp } from "../../support/up.ts";

/** Keeps retention from dropping the generated rows. */
export const RETENTION_DAYS = 3650;

/** The V8 flags are part of the program as it is started. */
const ENGINE: Record<string, string> = Deno.env.has("DENO_V8_FLAGS")
  ? { DENO_V8_FLAGS: Deno.env.get("DENO_V8_FLAGS")! }
  : {};

/** The program on a filled database, with requests signed as the web layer signs them. */
export interface BenchCore {
  /** A GET as an analyst of tenant `main`; throws on any status but 200. */
  get(target: string): Promise<Answered>;
  /** As `get`, a POST with a JSON body, such as a search. */
  post(target: string, body: unknown): Promise<Answered>;
  stop(): Promise<void>;
}

interface Answered {
  /** From the request to the last byte. */
  milliseconds: number;
  /** Processor milliseconds of core and database server together: the latency on an idle machine. */
  work: number;
  body: Page;
}

interface Page {
  data: unknown;
  next_cursor?: string | null;
}

interface BenchRequest {
  method: "GET" | "POST";
  target: string;
  body?: string;
}

export async function startBenchCore(databaseUrl: string): Promise<BenchCore> {
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-bench-" });
  const up = await startUp({
    databaseUrl,
    stateDir,
    sample: false,
    env: { NDR_RETENTION_DAYS: String(RETENTION_DAYS), ...ENGINE },
  });
  const key = await Deno.readFile(`${stateDir}/service.key`);
  const measured = async (request: BenchRequest): Promise<Answered> => {
    const before = await spent(up.pid, databaseUrl);
    const { milliseconds, body } = await send(up.coreUrl, key, request);
    return { milliseconds, body, work: await spent(up.pid, databaseUrl) - before };
  };
  return {
    get: (target) => measured({ method: "GET", target }),
    post: (target, body) => measured({ method: "POST", target, body: JSON.stringify(body) }),
    async stop() {
      await monitor?.end();
      monitor = null;
      await up.stop();
      await Deno.remove(stateDir, { recursive: true });
    },
  };
}

/** Processor milliseconds so far of the program's threads and of the server processes of its connections. */
async function spent(pid: number, databaseUrl: string): Promise<number> {
  let nanoseconds = 0;
  for (const process of [pid, ...await serverProcesses(databaseUrl)]) {
    for (const { name } of entries(`/proc/${process}/task`)) {
      nanoseconds += Number(read(`/proc/${process}/task/${name}/schedstat`).split(" ")[0]);
    }
  }
  return nanoseconds / 1e6;
}

let monitor: pg.Client | null = null;

async function serverProcesses(databaseUrl: string): Promise<number[]> {
  if (monitor === null) {
    monitor = new pg.Client({ connectionString: databaseUrl, application_name: "bench" });
    await monitor.connect();
  }
  const { rows } = await monitor.query(
    "select pid from pg_stat_activity where datname = current_database() and application_name = 'ndr'",
  );
  return rows.map((row) => row.pid);
}

/** A process or thread may have ended meanwhile. */
function entries(path: string): Deno.DirEntry[] {
  try {
    return [...Deno.readDirSync(path)];
  } catch {
    return [];
  }
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "0";
  }
}

async function send(
  coreUrl: string,
  key: Uint8Array,
  { method, target, body }: BenchRequest,
): Promise<Omit<Answered, "work">> {
  const url = new URL(target, coreUrl);
  const now = Date.now() * 1000;
  const headers = await signRequest(key, {
    method,
    pathname: url.pathname,
    search: url.search,
    body: new TextEncoder().encode(body),
  }, {
    service: WEB_SERVICE,
    tenantId: "main",
    subject: "bench",
    roles: ["admin", "analyst"],
    issuedAt: now,
    expiresAt: now + 30_000_000,
    nonce: Buffer.from(crypto.getRandomValues(new Uint8Array(16))).toString("base64url"),
  });
  const begun = performance.now();
  const response = await fetch(url, {
    method,
    headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
    body,
  });
  const text = await response.text();
  const milliseconds = performance.now() - begun;
  // What would examine too much is refused, which takes its time, too.
  const isRefused = response.status === 400 && text.includes('"search_too_broad"');
  if (response.status !== 200 && !isRefused) {
    throw new Error(`${method} ${target} ${body ?? ""}: ${response.status} ${text.slice(0, 500)}`);
  }
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  // A report has no further pages.
  return { milliseconds, body: isJson ? JSON.parse(text) : {} };
}
