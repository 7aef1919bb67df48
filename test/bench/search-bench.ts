// `make bench ARGS=search`: latency of searches, aggregates, interpretation and completion with ten million flows in the
// store. Takes the options of the API bench and reuses its database.
//
//     --flows 10000000    flows to generate
//     --keep DIR          keep the database in this folder, or reuse the one that is there
//     --calls 100         requests per row
//     --only TEXT         only rows whose name contains this text

import pg from "pg";
import { parseText } from "../../src/contract/filter/parser.ts";
import type { Filter, ResultKind } from "../../src/contract/filter/tree.ts";
import { QUESTIONS } from "../../src/domain/search/natural/questions.ts";
import { PostgresDatabase } from "../../src/store/engine/postgres/postgres.ts";
import { createPartitions } from "../../src/store/engine/schema/partitions.ts";
import { termIdsOf, termKindNumber } from "../../src/store/search/term-id.ts";
import { startPostgres } from "../support/postgres.ts";
import { asSuperuser, provide, SERVER_SETTINGS } from "./api/api-bench.ts";
import { type BenchCore, RETENTION_DAYS, startBenchCore } from "./api/api-core.ts";
import { DAYS, step } from "./api/api-fill.ts";

/** The generated flows name this many servers. */
const NAMES = 5000;
/** Flows whose names were written in one round of the pipeline. */
const ROUND = 50_000;

interface Row {
  name: string;
  /** At p95, in milliseconds. */
  goal: number;
  requests: ((core: BenchCore) => ReturnType<BenchCore["get"]>)[];
}

export async function searchBench(args: string[]): Promise<void> {
  const option = (name: string) => args.includes(name) ? args[args.indexOf(name) + 1] : undefined;
  const flows = Number(option("--flows") ?? 10_000_000);
  const calls = Number(option("--calls") ?? 100);
  const keep = option("--keep");
  if (keep !== undefined) await Deno.mkdir(keep, { recursive: true });
  const postgres = await startPostgres({ keep, settings: SERVER_SETTINGS });
  if (!postgres) throw new Error("the bench needs PostgreSQL");
  try {
    const url = postgres.url.replace("/postgres?", "/ndr_api_bench?");
    await provide(postgres.url, url, flows);
    const now = await addSearchable(url);
    const core = await startBenchCore(url);
    try {
      console.log(
        `${flows} flows; milliseconds from request to last byte, and on a processor (core and server)\n`,
      );
      console.log(`${"".padEnd(56)}     p50     p95     max     p50     p95 on a processor   goal`);
      for (const row of rowsOf(now)) {
        if (row.name.includes(option("--only") ?? "")) await measure(core, row, calls);
      }
    } finally {
      await core.stop();
    }
  } finally {
    await postgres.stop();
  }
}

/** Adds what only searches read, once; returns the time of the newest flow in microseconds. */
async function addSearchable(url: string): Promise<number> {
  let now = 0;
  await asSuperuser(url, async (client) => {
    const { rows: [{ at }] } = await client.query(
      "select extract(epoch from max(last_batch_at)) * 1000000 as at from pipeline_cursor",
    );
    now = Number(at);
    const { rowCount } = await client.query("select from term limit 1");
    if (rowCount === 0) {
      await step("partitions of terms", () => partitions(url, client, now));
      await step("terms", () => terms(client));
    }
    await step("places", () => client.query(PLACES));
    await step("analyze", () => client.query("vacuum (analyze) term, flow_term, address_geo"));
  });
  return now;
}

async function partitions(url: string, client: pg.Client, now: number): Promise<void> {
  const days = `generate_series(0, ${DAYS}) n,
    lateral (select date_trunc('day', to_timestamp(${now / 1e6}), 'UTC') - n * interval '1 day' as day) t`;
  await client.query(`
    insert into term (tenant_id, day, kind, term_id, text, record_count, magnitude, received_at)
      select 'none', day, 1, n, '', 1, 0, day from ${days};
    insert into flow_term (tenant_id, term_id, day, batch_no, from_at, to_at, received_at, record_count, flow_ids)
      select 'none', n, day, 0, day, day, day, 0, '{}' from ${days};`);
  const db = new PostgresDatabase({ url, statementTimeout: 0 });
  try {
    await createPartitions(db, now, RETENTION_DAYS);
  } finally {
    await db.close();
  }
  await client.query("truncate term, flow_term");
}

/** The server names of the flows. */
async function terms(client: pg.Client): Promise<void> {
  const texts = Array.from({ length: NAMES }, (_, n) => `www${n}.example`);
  const idOf = termIdsOf("main", "server_name");
  await client.query('create temporary table named (text text collate "C" primary key, term_id bigint)');
  await client.query("insert into named select * from unnest($1::text[], $2::bigint[])", [
    texts,
    texts.map((text) => String(idOf(text))),
  ]);
  await client.query(`
    insert into flow_term (tenant_id, term_id, day, batch_no, from_at, to_at, received_at, record_count, flow_ids)
    select 'main', n.term_id, date_trunc('day', f.anchor_at, 'UTC'),
      ('x' || right(replace(f.flow_id::text, '-', ''), 15))::bit(60)::bigint / ${ROUND},
      min(f.anchor_at), max(f.anchor_at), max(f.received_at), count(*), array_agg(f.flow_id order by f.flow_id)
    from flow f join named n on n.text = f.server_name where f.tenant_id = 'main' group by 2, 3, 4`);
  await client.query(`
    insert into term (tenant_id, day, kind, term_id, text, reversed, record_count, magnitude, received_at)
    select 'main', t.day, ${termKindNumber("server_name")}, t.term_id, n.text, reverse(n.text), t.flows,
      least(6, floor(log(16, greatest(1, t.flows)::numeric)))::smallint, t.received_at
    from (select term_id, day, sum(cardinality(flow_ids)) as flows, max(received_at) as received_at from flow_term
        where tenant_id = 'main' group by 1, 2) t
      join named n using (term_id)`);
}

/** Without a build the core's own job leaves them alone. A hundred addresses are in Romania. */
const PLACES = `
  insert into address_geo (tenant_id, ip, country, asn, organisation, seen_day)
  select 'main', made_peer(n), case when n % 1500 = 7 then 'RO' else (array['US', 'DE', 'NL', 'FR', 'GB'])[1 + n % 5] end,
    64496 + n % 300, 'Organisation ' || n % 300, date_trunc('day', made_at(0), 'UTC')
  from generate_series(0, 150000) n on conflict do nothing`;

function rowsOf(now: number): Row[] {
  const window = (days: number) => ({
    from: new Date(now / 1000 - days * 86_400_000).toISOString(),
    to: new Date(now / 1000 + 1).toISOString(),
  });
  const filterOf = (kind: ResultKind, text: string, days: number): Filter => {
    const parsed = parseText(text);
    if (!parsed.ok) throw new Error(`${text}: ${parsed.faults[0]!.message}`);
    return { version: 1, kind, where: parsed.condition, window: window(days), zone: "UTC" };
  };
  const search = (kind: ResultKind, text: string, days: number): Row => ({
    name: `search ${kind}, ${days} d: ${text}`,
    goal: 50,
    requests: [(core) => core.post("/api/v1/search?limit=100", filterOf(kind, text, days))],
  });
  const aggregate = (text: string, by: string[], more: Record<string, unknown> = {}): Row => ({
    name: `aggregate, 24 h: ${text || "all"} by ${[...by, more.bucket ?? ""].join(" ")}`,
    goal: 200,
    requests: [
      (core) =>
        core.post("/api/v1/search/aggregate", { filter: filterOf("flows", text, 1), group_by: by, ...more }),
    ],
  });
  return [
    ...[1, 31].flatMap((days) => [
      search("flows", "server_name:www77.example", days),
      search("flows", "server_name:www777*", days),
      search("flows", "src.ip:10.0.1.150 dst.port:443", days),
      search("flows", "10.0.1.150", days),
      search("flows", "ip:198.18.1.0/28 -service:dns", days),
      search("flows", "service:modbus", days),
      search("flows", "dst.country:RO service:ssh", days),
      search("flows", "asn:AS64500 bytes>800kB", days),
      search("flows", "device:host-3000 direction:outbound", days),
      search("devices", "dst.port:502", days),
      search("devices", "server_name:www77.example device.type=printer", days),
      search("incidents", "severity=critical", days),
      search("incidents", "dst.ip:198.18.1.5 severity>=high", days),
    ]),
    aggregate("", [], { bucket: "1h" }),
    aggregate("", ["src.ip"], { measure: "bytes" }),
    aggregate("", ["dst.country"], { measure: "bytes" }),
    aggregate("", ["service"], { bucket: "1h" }),
    aggregate("service:tls", ["server_name"]),
    aggregate("dst.country:RO", ["src.ip"]),
    {
      name: "interpret: questions in English",
      goal: 20,
      requests: QUESTIONS.map((query) => (core) =>
        core.post("/api/v1/search/interpret", { query, mode: "auto" })
      ),
    },
    {
      name: "interpret: the search language",
      goal: 20,
      requests: [(core) =>
        core.post("/api/v1/search/interpret", {
          query:
            "src.ip:10.0.0.0/8 dst.port>=1024 -service:(dns, ntp) (server_name:*.example or country:RO) time:today",
          mode: "field",
        })],
    },
    ...[
      "server_name:www7",
      "server_name:",
      "dst.ip:198.18",
      "service:s",
      "src.b",
      "device:host-3",
      "country:R",
    ].map((
      text,
    ): Row => ({
      name: `complete: ${text}`,
      goal: 50,
      requests: [(core) => core.get(`/api/v1/search/complete?${new URLSearchParams({ text })}`)],
    })),
  ];
}

async function measure(core: BenchCore, { name, goal, requests }: Row, calls: number): Promise<void> {
  const times: number[] = [];
  const works: number[] = [];
  try {
    // The first request of each kind warms the server's caches.
    for (const request of requests) await request(core);
    for (let n = 0; n < Math.max(calls, requests.length); n++) {
      const { milliseconds, work } = await requests[n % requests.length]!(core);
      times.push(milliseconds);
      works.push(work);
    }
  } catch (error) {
    console.log(`${name.padEnd(56)} failed: ${error instanceof Error ? error.message : error}`);
    return;
  }
  const at = (sorted: number[], share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
  times.sort((a, b) => a - b);
  works.sort((a, b) => a - b);
  const p95 = at(times, 0.95);
  // Other programs on the machine do not count here.
  const work95 = at(works, 0.95);
  const cells = [at(times, 0.5), p95, at(times, 1), at(works, 0.5), work95].map((one) =>
    one.toFixed(1).padStart(8)
  )
    .join("");
  const verdict = p95 <= goal ? "" : work95 <= goal ? "  missed, not on a processor" : "  missed";
  console.log(`${name.padEnd(56)}${cells}${String(goal).padStart(22)}${verdict}`);
}
