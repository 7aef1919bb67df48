// A server that speaks the ingest protocol on a real socket, and misbehaves on demand.

import type { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gunzipSync } from "node:zlib";
import { INGEST_PATH, MAX_INGEST_BYTES, MAX_INGEST_LINES } from "../../../src/contract/record/ingest.ts";
import { splitLines } from "../../../src/kit/json/ndjson.ts";

export const TOKEN = "a-source-token-of-the-tests";

type Fault =
  | { status: number; headers?: Record<string, string>; body?: string }
  /** Closes the connection: before processing, or after the batch was committed. */
  | "drop"
  | "drop after commit"
  /** Responds once `release` is called. */
  | { hang: Promise<void> };

export interface Received {
  kind: string;
  observed_at: string;
  payload: Record<string, unknown>;
}

export class TestIngest {
  /** Every committed line once, in commit order. */
  readonly lines: string[] = [];
  /** Content of each request that was answered or dropped. */
  readonly requests: { lines: number; bytes: number; encoding: string | undefined }[] = [];
  /** Faults of the next requests, one each; later requests succeed. */
  readonly faults: Fault[] = [];
  allowedKinds: Set<string> | null = null;
  token = TOKEN;
  readonly #known = new Set<string>();
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error) => response.destroy(error));
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  get records(): Received[] {
    return this.lines.map((line) => JSON.parse(line) as Received);
  }

  start(port = 0): Promise<void> {
    return new Promise((resolve) => this.#server.listen(port, "127.0.0.1", () => resolve()));
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeAllConnections();
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Uint8Array[] = [];
    for await (const part of request as AsyncIterable<Buffer>) parts.push(part);
    const sent = new Uint8Array(await new Blob(parts as BlobPart[]).arrayBuffer());
    const encoding = request.headers["content-encoding"];
    const body = encoding === "gzip" ? new Uint8Array(gunzipSync(sent)) : sent;
    const lines = splitLines(body);
    this.requests.push({ lines: lines.length, bytes: body.length, encoding });

    const fault = this.faults.shift();
    if (fault === "drop") return void request.socket.destroy();
    if (typeof fault === "object" && "hang" in fault) await fault.hang;
    if (typeof fault === "object" && "status" in fault) {
      response.writeHead(fault.status, fault.headers).end(fault.body ?? "");
      return;
    }
    const refusal = this.#refusal(request, body, lines);
    if (refusal !== null) return fail(response, ...refusal);
    const data = this.#commit(lines);
    if (fault === "drop after commit") return void request.socket.destroy();
    const now = new Date().toISOString();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ data, meta: { request_id: "r", generated_at: now } }));
  }

  #refusal(request: IncomingMessage, body: Uint8Array, lines: Uint8Array[]): [number, string] | null {
    if (request.method !== "POST" || request.url !== INGEST_PATH) return [404, "There is no such route."];
    if (request.headers["content-type"] !== "application/x-ndjson") return [400, "not application/x-ndjson"];
    if (request.headers.authorization !== `Bearer ${this.token}`) return [401, "Send a valid credential."];
    if (body.length > MAX_INGEST_BYTES) return [413, "The body is too large."];
    if (lines.length < 1 || lines.length > MAX_INGEST_LINES) return [422, "Send 1 to 1,000 lines."];
    const kinds = lines.map((line) => recordOf(line)?.kind).filter((kind) => typeof kind === "string");
    const forbidden = kinds.find((kind) => this.allowedKinds !== null && !this.allowedKinds.has(kind));
    return forbidden === undefined ? null : [403, `The sensor may not send ${forbidden}.`];
  }

  #commit(lines: Uint8Array[]) {
    const counts = { accepted: 0, duplicates: 0, rejected: 0, committed_at: new Date().toISOString() };
    for (const line of lines) {
      const record = recordOf(line);
      const text = new TextDecoder().decode(line);
      if (record === null || typeof record.kind !== "string") counts.rejected++;
      else if (this.#known.has(text)) counts.duplicates++;
      else {
        counts.accepted++;
        this.#known.add(text);
        this.lines.push(text);
      }
    }
    return counts;
  }
}

function recordOf(line: Uint8Array): Partial<Received> | null {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(line)) as Partial<Received>;
  } catch {
    return null;
  }
}

function fail(response: ServerResponse, status: number, message: string): void {
  const error = { code: "refused", message, request_id: "r", details: {} };
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify({ error }));
}
