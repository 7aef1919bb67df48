// The requirements of every transport for the sensors' files, whichever program it is.

import assert from "node:assert/strict";
import type { RegisteredSource } from "../../../src/config/sources.ts";
import { Secret } from "../../../src/config/secret.ts";
import { RECORD_KINDS } from "../../../src/contract/record/kinds.ts";
import { type Logger, silentLogger } from "../../../src/observe/log.ts";
import { decodeBlock } from "../../../src/store/record/block.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { freshDatabase } from "../../support/database.ts";
import { sensor } from "../../support/record/pipeline.ts";
import {
  append,
  expectedOf,
  recordText,
  type SensorFiles,
  sensorFiles,
} from "../../support/transport/transport-files.ts";
import { delay, waitFor } from "../../support/transport/transport-programs.ts";
import {
  SENSORS,
  type Transport,
  type TransportSensor,
  type TransportSetup,
} from "../../support/transport/transports.ts";
import { storedRejections, TestListener } from "../record/ingest-harness.ts";

const token = (name: TransportSensor) => `token-of-the-sensor-${name}`;

/** A registry as an administrator writes it: each sensor may send only its own kinds. */
const SOURCES: RegisteredSource[] = SENSORS.map((name) => ({
  source: sensor(`${name}-1`, {
    allowedKinds: new Set(RECORD_KINDS.filter((kind) => name === "syslog" || kind.startsWith(`${name}.`))),
  }),
  token: new Secret(token(name)),
}));

const TOKENS = Object.fromEntries(SENSORS.map((name) => [name, token(name)]));

export interface Delivery {
  db: Database;
  /** The statuses of refused requests so far: `401`, `403`, ... */
  refused: ReadonlySet<string>;
  listener: TestListener;
  transport: Transport;
  dir: string;
}

/** A real ingest, and a transport to it that is not started yet. */
export async function withDelivery(
  install: (setup: TransportSetup) => Promise<Transport>,
  body: (delivery: Delivery) => Promise<void>,
  change: Partial<TransportSetup> = {},
): Promise<void> {
  const dir = await Deno.makeTempDir({ prefix: "ndr-transport-" });
  const db = await freshDatabase();
  const refused = new Set<string>();
  const logger: Logger = { ...silentLogger, warn: (_, fields) => void refused.add(String(fields?.outcome)) };
  const listener = await TestListener.start({ db, sources: SOURCES, logger });
  let transport: Transport | null = null;
  try {
    transport = await install({
      dir,
      coreUrl: `http://127.0.0.1:${listener.port}`,
      tokens: TOKENS,
      ...change,
    });
    await body({ db, refused, listener, transport, dir });
  } finally {
    await transport?.kill();
    await listener[Symbol.asyncDispose]();
    await db.close();
    await Deno.remove(dir, { recursive: true });
  }
}

/** Waits until this many records and rejected lines are stored, and no more arrive. */
export async function untilStored(
  { db, transport }: Pick<Delivery, "db" | "transport">,
  records: number,
  rejected: number,
): Promise<void> {
  let found = "";
  await waitFor(
    async () => {
      const counts = await storedCounts(db);
      found = `${counts.records} of ${records} records, ${counts.rejected} of ${rejected} rejected lines`;
      return counts.records >= records && counts.rejected >= rejected;
    },
    () => `${found}\n${transport.output().slice(-4000)}`,
    60,
  );
  await delay(500);
}

interface Stored {
  kind: string;
  observed_at: string;
  payload: string;
}

/** Every raw record of tenant `main`; each block is read only once, for speed. */
export async function readStored(db: Database): Promise<Stored[]> {
  return await db.tenant("main", async (tx) => {
    const blocks = await tx.rows<{ body: Uint8Array; positions: number[] }>(sql`
      select b.body, r.positions from raw_block b join (
        select block_id, array_agg(position order by position) as positions from raw_record group by block_id
      ) r on r.block_id = b.block_id order by b.block_id`);
    return blocks.flatMap(({ body, positions }) => {
      const records = decodeBlock(body);
      return positions.map((position) => {
        const { kind, observedAtText, payload } = records[position]!;
        return { kind, observed_at: observedAtText, payload };
      });
    });
  });
}

async function storedCounts(db: Database): Promise<{ records: number; rejected: number }> {
  const rows = await db.tenant("main", (tx) =>
    tx.rows<{ records: number; rejected: number }>(sql`
      select (select count(*)::int from raw_record) as records,
        (select count(*)::int from rejected_line) as rejected`));
  return rows[0]!;
}

/** Asserts that each expected text was stored once, and nothing else; reports some of the differences. */
export function assertSame(stored: readonly string[], expected: readonly string[]): void {
  const left = new Map<string, number>();
  for (const text of expected) left.set(text, (left.get(text) ?? 0) + 1);
  for (const text of stored) left.set(text, (left.get(text) ?? 0) - 1);
  const wrong = [...left].filter(([, times]) => times !== 0);
  const samples = wrong.slice(0, 5).map(([text, times]) => `${times > 0 ? "missing" : "too much"}: ${text}`);
  assert.equal(
    wrong.length,
    0,
    `${wrong.length} of ${expected.length} are wrong, such as\n${samples.join("\n")}`,
  );
}

/**
 * The files: half of the lines present before the start, then growing, rotated, and read on after a restart.
 */
export async function deliversFiles(delivery: Delivery): Promise<void> {
  const { db, transport, dir } = delivery;
  const files = await sensorFiles();
  const parts = (share: number, of: number): SensorFiles =>
    new Map([...files].map(([path, lines]) => {
      const at = (part: number) => Math.floor((lines.length * part) / of);
      return [path, lines.slice(at(share), at(share + 1))];
    }));
  const write = (part: SensorFiles) =>
    Promise.all([...part].map(([path, lines], index) => append(`${dir}/${path}`, lines, index + 1)));

  await write(parts(0, 4));
  transport.start();
  await write(parts(1, 4));
  await delay(1000);
  for (const path of files.keys()) await Deno.rename(`${dir}/${path}`, `${dir}/${path}.1`);
  await write(parts(2, 4));
  await transport.stop();
  await write(parts(3, 4));
  transport.start();

  const expected = expectedOf(files);
  assert.ok(expected.records.length > 1500 && expected.rejected.length >= 6, "the recordings are complete");
  await untilStored(delivery, expected.records.length, expected.rejected.length);
  assertSame((await readStored(db)).map(recordText), expected.records);
  const rejections = (await storedRejections(db)).map(({ line }) => line);
  const unexplained = rejections.filter((line) => !expected.rejected.some((wanted) => line.includes(wanted)));
  assert.deepEqual(unexplained, []);
  assert.equal(rejections.length, expected.rejected.length);
}

/**
 * More data than the buffer holds is written while the core refuses everything, first because of the token,
 * then of the kind; the transport is stopped meanwhile. Once the operator has fixed it, everything arrives
 * once.
 */
export async function losesNothingWhileRefused(delivery: Delivery, end: "stop" | "kill"): Promise<void> {
  const { db, listener, transport, dir } = delivery;
  const lines = Array.from(
    { length: 25_000 },
    (_, index) => `{"ts":${1_767_323_045 + index}.5,"uid":"C${index}","pad":"${"x".repeat(300)}"}`,
  );
  const forbidden = SOURCES.map(({ source, token }) => ({
    source: { ...source, allowedKinds: new Set(["zeek.dns"] as const) },
    token,
  }));

  listener.ingest.useSources([]);
  transport.start();
  await append(`${dir}/zeek/conn.log`, lines.slice(0, 20_000));
  await untilRefused(delivery, "401");
  listener.ingest.useSources(forbidden);
  await append(`${dir}/zeek/conn.log`, lines.slice(20_000));
  await delay(2000);
  await transport[end]();
  transport.start();
  await untilRefused(delivery, "403");
  assert.equal((await readStored(db)).length, 0);

  listener.ingest.useSources(SOURCES);
  await untilStored(delivery, lines.length, 0);
  assertSame((await readStored(db)).map(({ payload }) => payload), lines);
  assert.deepEqual(await storedRejections(db), []);
}

async function untilRefused({ refused, transport }: Delivery, outcome: string): Promise<void> {
  await waitFor(() => refused.has(outcome), () => transport.output().slice(-2000), 60);
}
