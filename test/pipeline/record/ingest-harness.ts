// The ingest on a real socket, with accessors for tests.

import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { createServer, request as httpRequest, type Server, type ServerOptions } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { type RegisteredSource, type Source } from "../../../src/config/sources.ts";
import { Secret } from "../../../src/config/secret.ts";
import { errorBody } from "../../../src/contract/request/error-body.ts";
import { ERROR_CODES, type ErrorCode } from "../../../src/contract/request/errors.ts";
import { REASONS } from "../../../src/contract/request/reasons.ts";
import { INGEST_PATH } from "../../../src/contract/record/ingest.ts";
import { RECORD_KINDS } from "../../../src/contract/record/kinds.ts";
import { Ingest, type IngestOptions } from "../../../src/ingest/ingest.ts";
import { LISTENER_OPTIONS } from "../../../src/ingest/listener-options.ts";
import { type Clock, systemClock } from "../../../src/kit/clock.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { decodeBlock } from "../../../src/store/record/block.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { originalLine } from "../../../src/store/record/block.ts";
import { sql } from "../../../src/store/engine/sql.ts";

export const TOKENS = {
  zeek: "zeek-token-of-tenant-main",
  flow: "flow-token-of-tenant-main",
  all: "all-kinds-token-of-tenant-main",
  branch: "all-kinds-token-of-tenant-branch",
};

const ALL_KINDS: ReadonlySet<Source["allowedKinds"] extends ReadonlySet<infer K> ? K : never> = new Set(
  RECORD_KINDS,
);

export const SOURCES: RegisteredSource[] = [
  source(TOKENS.zeek, { sensorId: "zeek-1", allowedKinds: new Set(["zeek.conn", "zeek.dns"]) }),
  source(TOKENS.flow, {
    sensorId: "flow-1",
    trust: "exporter",
    allowedKinds: new Set(["netflow.flow"]),
    expectedExporters: new Set(["192.0.2.1", "100.64.0.8"]),
  }),
  source(TOKENS.all, { sensorId: "all-1" }),
  source(TOKENS.branch, { sensorId: "branch-1", tenantId: "branch" }),
];

function source(token: string, change: Partial<Source>): RegisteredSource {
  return {
    source: {
      sensorId: "x",
      tenantId: "main",
      allowedKinds: ALL_KINDS,
      trust: "packet",
      expectedExporters: null,
      ...change,
    },
    token: new Secret(token),
  };
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  /** Typed as if every field were present: a test that reads a missing one fails on it. */
  json: AnswerBody;
}

interface AnswerBody {
  data: { accepted: number; duplicates: number; rejected: number; committed_at: string; status: string };
  error: { code: string; message: string; request_id: string; details: Record<string, unknown> };
  meta: { request_id: string; generated_at: string };
}

export interface Send {
  method?: string;
  path?: string;
  token?: string | null;
  headers?: Record<string, string>;
  body?: string | Uint8Array;
}

/** A listening ingest; `await using` closes it. */
export class TestListener {
  readonly ingest: Ingest;
  /** Every accepted connection, in order. */
  readonly sockets: Socket[] = [];
  readonly committed: string[] = [];
  readonly #server: Server;

  private constructor(options: Partial<IngestOptions> & { db: Database }, server: ServerOptions) {
    this.ingest = new Ingest({
      sources: SOURCES,
      clock: systemClock,
      logger: silentLogger,
      limit: { ratePerSecond: 1_000_000, burst: 1_000_000 },
      onCommitted: (tenantId) => this.committed.push(tenantId),
      ...options,
    });
    this.#server = createServer({ ...LISTENER_OPTIONS, ...server }, (request, response) => {
      if (!this.ingest.handle(request, response)) response.writeHead(599).end('"not an ingest route"');
    });
    this.#server.on("connection", (socket: Socket) => this.sockets.push(socket));
  }

  static async start(
    options: Partial<IngestOptions> & { db: Database },
    host = "127.0.0.1",
    server: ServerOptions = {},
  ): Promise<TestListener> {
    const listener = new TestListener(options, server);
    await new Promise<void>((resolve) => listener.#server.listen(0, host, resolve));
    return listener;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Sends one request on its own connection. A body refused half-way still yields the response. */
  send(send: Send, host = "127.0.0.1"): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const { token = TOKENS.all, body } = send;
      const request = httpRequest({
        host,
        port: this.port,
        method: send.method ?? "POST",
        path: send.path ?? INGEST_PATH,
        agent: false,
        headers: {
          ...(token === null ? {} : { authorization: `Bearer ${token}` }),
          ...(body === undefined ? {} : { "content-type": "application/x-ndjson" }),
          ...(body === undefined || send.headers?.["transfer-encoding"]
            ? {}
            : { "content-length": String(Buffer.byteLength(body)) }),
          ...send.headers,
        },
      });
      request.on("response", (response) => {
        const chunks: Uint8Array[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const json = text === "" ? null : JSON.parse(text);
          // Every refusal of the ingest is one of the interface, with its reason.
          const reason = json?.error?.details?.reason;
          if (json?.error && !(reason in REASONS)) reject(new Error(`no listed reason: ${text}`));
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
        });
      });
      request.on("error", reject);
      request.end(body);
    });
  }

  post(lines: readonly (string | object)[], token: string = TOKENS.all): Promise<Answer> {
    const body = lines.map((line) => typeof line === "string" ? line : JSON.stringify(line)).join("\n");
    return this.send({ token, body });
  }

  /** A bare connection, and a promise of everything the server sent before it closed. */
  raw(): { socket: Socket; closed: Promise<{ text: string; afterMs: number }> } {
    const started = performance.now();
    const socket = connect(this.port, "127.0.0.1");
    let text = "";
    socket.on("data", (data) => text += data.toString());
    socket.on("error", () => {});
    const closed = new Promise<{ text: string; afterMs: number }>((resolve) =>
      socket.on("close", () => resolve({ text, afterMs: performance.now() - started }))
    );
    return { socket, closed };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

/** A database URL where nothing listens: every use is a real connection refusal. */
export function unreachableDatabase(): Database {
  return new PostgresDatabase({ url: "postgres://ndr@127.0.0.1:1/ndr" });
}

/** A clock that moves only when advanced. */
export class ManualClock implements Clock {
  micros = Date.UTC(2026, 0, 31, 12) * 1000;

  now(): number {
    return this.micros;
  }
}

export function conn(uid: string, change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    kind: "zeek.conn",
    observed_at: "2026-01-31T12:00:00.123456Z",
    payload: {
      ts: 1769860800.123456,
      uid,
      "id.orig_h": "10.0.0.5",
      "id.orig_p": 50000,
      "id.resp_h": "192.0.2.7",
      "id.resp_p": 443,
      proto: "tcp",
    },
    ...change,
  };
}

interface StoredRecord {
  sensor_id: string;
  kind: string;
  parse_status: string;
  parse_reason: string | null;
  event_id: string;
  observed_at: string;
  payload: string;
}

/** Every raw record of a tenant with its payload's exact text, in order of batch and position. */
export async function storedRecords(db: Database, tenantId = "main"): Promise<StoredRecord[]> {
  return await db.tenant(tenantId, async (tx) => {
    const rows = await tx.rows<
      Omit<StoredRecord, "payload" | "observed_at"> & { position: number; body: Uint8Array }
    >(sql`
      select r.sensor_id, r.kind, r.parse_status, r.parse_reason, encode(r.event_id, 'hex') as event_id, r.position,
        b.body
      from raw_record r join raw_block b on b.tenant_id = r.tenant_id and b.block_id = r.block_id
        and b.received_at = r.received_at
      join raw_batch n on n.tenant_id = b.tenant_id and n.block_id = b.block_id
      order by n.batch_no, r.position`);
    const records: StoredRecord[] = [];
    for (const { body, position, ...row } of rows) {
      const stored = decodeBlock(body)[position]!;
      records.push({ ...row, observed_at: stored.observedAtText, payload: stored.payload });
    }
    return records;
  });
}

interface StoredRejection {
  sensor_id: string;
  line_hash: string;
  reason: string;
  line: string;
}

/** Lines are Latin-1 text, one character per byte. */
export async function storedRejections(db: Database, tenantId = "main"): Promise<StoredRejection[]> {
  return await db.tenant(tenantId, async (tx) => {
    const rows = await tx.rows<
      Omit<StoredRejection, "line"> & { line: Uint8Array; line_bytes: number | null }
    >(sql`
      select sensor_id, encode(line_hash, 'hex') as line_hash, reason, line, line_bytes from rejected_line`);
    return rows.map(({ line, line_bytes, ...row }) => ({
      ...row,
      line: Buffer.from(originalLine(line, line_bytes)).toString("latin1"),
    })).sort((a, b) => a.line < b.line ? -1 : a.line > b.line ? 1 : 0);
  });
}

/** The head of a request with a chunked body; additional headers and an empty line follow. */
export const CHUNKED_HEAD =
  `POST ${INGEST_PATH} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${TOKENS.all}\r\n` +
  `Content-Type: application/x-ndjson\r\nTransfer-Encoding: chunked\r\n`;

/** A listener whose store refuses everything: a 503 means that every check before the store passed. */
export function protocolTest(name: string, body: (listener: TestListener) => Promise<void>): void {
  Deno.test(name, async () => {
    const db = unreachableDatabase();
    const listener = await TestListener.start({ db });
    try {
      await body(listener);
    } finally {
      await listener[Symbol.asyncDispose]();
      await db.close();
    }
  });
}

export const PASSED = 503;

/** The body of any error. */
export const ErrorBody = errorBody(Object.keys(ERROR_CODES) as ErrorCode[], "Error");

export function outcome(answer: Answer): [status: number, code: string] {
  return [answer.status, ErrorBody.parse(answer.json).error.code];
}

/** The counts of an accepted batch. */
export function counts(answer: Answer): { accepted: number; duplicates: number; rejected: number } {
  assert.equal(answer.status, 200, answer.text);
  const { accepted, duplicates, rejected } = answer.json.data;
  return { accepted, duplicates, rejected };
}
