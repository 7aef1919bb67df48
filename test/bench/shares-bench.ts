// `make bench ARGS=shares`: what one reader with the worst searches leaves to everybody else, on both engines. 20 searches
// at once look for 64 texts each over 30 days; of another tenant, the summary, the session, health and the
// acknowledgement of a batch are measured before and meanwhile.
//
// Then the same beside eight senders of the tenant whose bodies are small and hold 2.4 million numbers each.
//
//     ARGS="shares pglite"   only that engine (or: postgres)

import { parseText } from "../../src/contract/filter/parser.ts";
import type { HealthReport } from "../../src/contract/health/health.ts";
import { gzipSync } from "node:zlib";
import { signIn, startUp, type Up, type UpSource } from "../support/up.ts";
import { benchLines } from "./records.ts";
import { sendAll, toBatches } from "./send.ts";
import { emptyDatabase, startBenchServer } from "./server.ts";

const RECORDS = 100_000;
const DAYS = 20;
const SEARCHES = 20;
const SENDERS = 8;
const MEASURED_MS = 20_000;
const INTERVAL_MS = 100;
const DAY_SECONDS = 86_400;
/** Each is answered, or refused as too broad or busy. */
const EXPECTED = [200, 400, 429, 503];
/** Milliseconds at p95; of the acknowledgement twice its quiet value. */
const GOAL_MS = 1000;

type Latencies = Record<"summary" | "session" | "health" | "acknowledgement", number[]>;

export async function sharesBench([engine]: string[]): Promise<void> {
  console.log(
    "milliseconds at p50, p95 and most of another tenant: quiet, and beside 20 of the worst searches\n",
  );
  if (engine !== "pglite") {
    const server = await startBenchServer();
    if (server === null) throw new Error("the bench needs PostgreSQL");
    try {
      await measure("PostgreSQL", await emptyDatabase(server.url));
    } finally {
      await server.stop();
    }
  }
  if (engine !== "postgres") await measure("PGlite", undefined);
}

async function measure(engine: string, databaseUrl: string | undefined): Promise<void> {
  const rates = { NDR_SESSION_RATE: "10000", NDR_ADDRESS_RATE: "10000", NDR_INGEST_RATE: "10000000" };
  const up = await startUp({ databaseUrl, sample: false, env: { ...rates, NDR_INGEST_BURST: "100000000" } });
  try {
    const main = sourceOf(up, "main");
    const begin = Date.now() / 1000 - DAYS * DAY_SECONDS;
    await sendAll(up.coreUrl, main.token, toBatches(benchLines(RECORDS, begin), 1000), 4);
    await processed(up);
    const quiet = await latencies(up);
    const beside = async (load: (signal: AbortSignal) => Promise<Map<number, number>>) => {
      const stop = new AbortController();
      const answers = load(stop.signal);
      const found = await latencies(up).finally(() => stop.abort());
      return { found, answers: await answers };
    };
    print(`${engine}, beside ${SEARCHES} searches`, quiet, await beside((signal) => searches(up, signal)));
    print(`${engine}, beside ${SENDERS} senders`, quiet, await beside((signal) => numbers(up, signal)));
  } finally {
    await up.stop();
  }
}

function sourceOf({ sources }: Up, tenant: string): UpSource {
  return sources.find(({ tenant_id, allowed_kinds }) =>
    tenant_id === tenant && allowed_kinds.includes("zeek.conn")
  )!;
}

async function processed(up: Up): Promise<void> {
  const admin = await signIn(up.baseUrl, "admin");
  for (;;) {
    const { ingest } = await admin.get<HealthReport>("/api/v1/health");
    if (ingest.oldest_buffered_at === null && ingest.events_last_5m > 0) return;
    await pause(500);
  }
}

/** Searches again and again until the signal; the number of answers by status. */
async function searches(up: Up, signal: AbortSignal): Promise<Map<number, number>> {
  const { browser } = await signIn(up.baseUrl, "analyst");
  const counts = new Map<number, number>();
  const search = async (reader: number) => {
    for (let round = 0; !signal.aborted; round++) {
      const texts = Array.from({ length: 64 }, (_, n) => `user_agent:zq${reader}x${round}x${n}`);
      const parsed = parseText(texts.join(" or "));
      if (!parsed.ok) throw new Error("the search is invalid");
      const window = { from: "-30d", to: "now" };
      const body = { version: 1, kind: "flows", where: parsed.condition, window, zone: "UTC" };
      const response = await browser.write("POST", "/api/v1/search", body);
      const text = await response.text();
      if (!EXPECTED.includes(response.status)) {
        throw new Error(`the search answered ${response.status}: ${text}`);
      }
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: SEARCHES }, (_, reader) => search(reader)));
  return counts;
}

/** Sends gzip bodies of 2.4 million numbers again and again until the signal; the number of answers by status. */
async function numbers(up: Up, signal: AbortSignal): Promise<Map<number, number>> {
  const { token } = sourceOf(up, "main");
  const line = JSON.stringify({
    kind: "zeek.conn",
    observed_at: new Date().toISOString(),
    payload: { n: Array.from({ length: 24_000 }, () => 1) },
  });
  const body = gzipSync(Array.from({ length: 100 }, () => line).join("\n"));
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/x-ndjson",
    "content-encoding": "gzip",
  };
  const counts = new Map<number, number>();
  const send = async () => {
    while (!signal.aborted) {
      const response = await fetch(`${up.coreUrl}/internal/v1/ingest/events`, {
        method: "POST",
        headers,
        body,
      });
      await response.body?.cancel();
      counts.set(response.status, (counts.get(response.status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, send));
  return counts;
}

/** What a person and a sensor of the other tenant wait for. */
async function latencies(up: Up): Promise<Latencies> {
  const person = await signIn(up.baseUrl, "multi");
  const selected = await person.browser.write("POST", "/api/v1/session/tenant", { tenant_id: "branch" });
  if (!selected.ok) throw new Error(`selecting the tenant: ${selected.status} ${await selected.text()}`);
  await selected.body?.cancel();
  const branch = sourceOf(up, "branch");
  const found: Latencies = { summary: [], session: [], health: [], acknowledgement: [] };
  const end = performance.now() + MEASURED_MS;
  const batches = toBatches(benchLines(20_000, Date.now() / 1000 - 3600), 100);
  const repeat = async (times: number[], work: () => Promise<unknown>) => {
    while (performance.now() < end) {
      const begun = performance.now();
      await work();
      times.push(performance.now() - begun);
      await pause(INTERVAL_MS);
    }
  };
  await Promise.all([
    repeat(found.summary, () => person.get("/api/v1/summary")),
    repeat(found.session, () => person.get("/api/v1/session")),
    repeat(found.health, () => person.get("/api/v1/health")),
    repeat(found.acknowledgement, () => sendAll(up.coreUrl, branch.token, [batches.pop()!], 1)),
  ]);
  return found;
}

function print(
  title: string,
  quiet: Latencies,
  { found: beside, answers }: { found: Latencies; answers: Map<number, number> },
): void {
  const statuses = [...answers].map(([status, count]) => `${count} times ${status}`).join(", ");
  console.log(`${title}: answered ${statuses}`);
  for (const name of Object.keys(quiet) as (keyof Latencies)[]) {
    const goal = name === "acknowledgement" ? 2 * at(quiet[name], 0.95) : GOAL_MS;
    const over = at(beside[name], 0.95) > goal ? `  more than ${Math.round(goal)}` : "";
    console.log(`  ${name.padEnd(16)} ${columns(quiet[name])}   ${columns(beside[name])}${over}`);
  }
}

function columns(times: number[]): string {
  return [0.5, 0.95, 1].map((share) => Math.round(at(times, share)).toString().padStart(6)).join("");
}

function at(times: number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? NaN;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
