import type { IncomingMessage, ServerResponse } from "node:http";
import type { RegisteredSource, Source } from "../config/sources.ts";
import { ApiError } from "../contract/request/errors.ts";
import { INGEST_LIVE_PATH, INGEST_PATH, INGEST_READY_PATH } from "../contract/record/ingest.ts";
import type { Clock } from "../kit/clock.ts";
import { randomUuid } from "../kit/id.ts";
import { formatMillis } from "../kit/time.ts";
import type { Logger } from "../observe/log.ts";
import { type Database, StoreUnavailable } from "../store/engine/database.ts";
import { traced } from "../observe/tracing.ts";
import { canCommit, commitBatch, type CommittedBatch, type IncomingBatch } from "../store/record/ingest.ts";
import type { PackedBatch } from "../store/record/packed-batch.ts";
import type { ParsedBatch } from "../store/record/parsed-batch.ts";
import { type Exchange, sendData, sendError } from "./response.ts";
import { countBody, parseBody } from "./parse-body.ts";
import { type BodyTimeouts, checkDeclaredLength, receiveBody, SenderGone } from "./request-body.ts";
import { type CapacityLimits, FairCapacity, type FairShare } from "./fair-capacity.ts";
import { checkContentType, isLocal, requireMethod } from "./request-checks.ts";
import { RejectionLog } from "./rejection-log.ts";
import { type KnownSource, type RateLimit, SourceTable } from "./source-table.ts";

export interface IngestOptions {
  db: Database;
  sources: readonly RegisteredSource[];
  clock: Clock;
  logger: Logger;
  limit: RateLimit;
  /** False while records must not be written, as on a full disk; called per request, so it must be fast. */
  isOpen?: () => boolean;
  /** Whether the core serves a tenant; false for one that a reload added. By default it serves all. */
  serves?: (tenantId: string) => boolean;
  /** Reads a body of at most 1,000 lines as `parseBody` does; in this thread by default, and then without parsing. */
  read?: (body: Uint8Array, source: Source, parse: boolean) => Promise<PackedBatch>;
  /** Whether ingest should also hand the tenant's parsed batches to the pipeline. */
  wantsParsed?: (tenantId: string) => boolean;
  /**
   * Called after each commit; must not throw.
   *
   * @param batch The parsed batch, if it was wanted and all of its records were new.
   */
  onCommitted?: (tenantId: string, batch: ParsedBatch | null) => void;
  /** Called when senders begin to wait for answers (true), and when none waits any more (false). */
  onBusyChange?: (busy: boolean) => void;
  timeouts?: Partial<BodyTimeouts>;
  /** Limits for all concurrent requests together. */
  capacity?: CapacityLimits;
}

const PREFIX = "/internal/v1/ingest/";
/** Transports are on this machine or behind a proxy on it and send a body at once; 4 kB per second is generous. */
const TIMEOUTS: BodyTimeouts = { wholeMs: 30_000, gapMs: 10_000, periodBytes: 20_000, periodMs: 5_000 };
/** Bodies of at most 5 MiB, so about ten of the largest. */
const CAPACITY: CapacityLimits = { requests: 256, bytes: 48 * 1024 * 1024 };
/**
 * A batch costs one token per record, or per this many decompressed bytes if that is more: the work follows the
 * bytes. Records of sensors average 500 to 1,500 bytes.
 */
const BYTES_PER_TOKEN = 4096;
/** `Retry-After` on a full disk, which takes time to free. */
const DISK_RETRY_SECONDS = 5;
/** `Retry-After` before the restart that a new tenant needs. */
const NEW_TENANT_RETRY_SECONDS = 30;

/** The core's ingest routes. Holds no connection and no timer between requests. */
export class Ingest {
  readonly #options: IngestOptions;
  readonly #sources: SourceTable;
  /** Sensors whose last batch contained duplicates; their next one is likely to contain some too. */
  readonly #resending = new Set<string>();
  readonly #capacity: FairCapacity;
  readonly #timeouts: BodyTimeouts;
  readonly #rejections: RejectionLog;

  constructor(options: IngestOptions) {
    this.#options = options;
    this.#sources = new SourceTable(options.sources, options.limit, options.clock);
    this.#capacity = new FairCapacity(options.capacity ?? CAPACITY);
    this.#timeouts = { ...TIMEOUTS, ...options.timeouts };
    this.#rejections = new RejectionLog(options.logger, options.clock);
  }

  /** Replaces the registry, as after a reload; requests in progress finish under the old one. */
  useSources(sources: readonly RegisteredSource[]): void {
    this.#sources.replace(sources);
  }

  /** Answers a request below `/internal/v1/ingest/`; false, with nothing done, for any other. */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const path = (request.url ?? "").replace(/\?.*$/s, "");
    if (!path.startsWith(PREFIX)) return false;
    const exchange = { request, response, requestId: randomUuid(), now: () => this.#options.clock.now() };
    this.#answer(path, exchange).catch((error: unknown) => this.#reject(exchange, null, error));
    return true;
  }

  async #answer(path: string, exchange: Exchange): Promise<void> {
    switch (path) {
      case INGEST_LIVE_PATH:
        requireMethod(exchange, "GET");
        return sendData(exchange, { status: "live" });
      case INGEST_READY_PATH:
        requireMethod(exchange, "GET");
        return await this.#asSource(exchange, ({ source }) => this.#ready(exchange, source.tenantId));
      case INGEST_PATH:
        requireMethod(exchange, "POST");
        return await this.#asSource(exchange, (known) => this.#events(exchange, known));
      default:
        throw new ApiError("not_found", "This ingest route does not exist.", { reason: "no_such_route" });
    }
  }

  /** Runs `work` for the source whose token the request carries. */
  async #asSource(exchange: Exchange, work: (known: KnownSource) => Promise<void>): Promise<void> {
    // Tokens sent to a non-loopback address may have been intercepted and are not accepted.
    const known = isLocal(exchange.request)
      ? await this.#sources.find(exchange.request.headers.authorization)
      : null;
    if (known === null) throw new ApiError("unauthenticated", "Send a valid source token.");
    try {
      await work(known);
    } catch (error) {
      this.#reject(exchange, known.source.sensorId, error);
    }
  }

  async #ready(exchange: Exchange, tenantId: string): Promise<void> {
    this.#requireServed(tenantId);
    this.#requireOpen();
    await mapStoreErrors(() => canCommit(this.#options.db, tenantId));
    sendData(exchange, { status: "ready" });
  }

  async #events(exchange: Exchange, known: KnownSource): Promise<void> {
    this.#requireServed(known.source.tenantId);
    this.#requireOpen();
    checkContentType(exchange.request);
    checkDeclaredLength(exchange.request);
    // A source that owes tokens is refused before its body is read.
    takeTokens(known, 0);
    const share = this.#capacity.enter(known.source);
    if (share === null) {
      throw unavailable("Too many concurrent requests; retry later.", "capacity");
    }
    if (this.#capacity.requests === 1) this.#options.onBusyChange?.(true);
    try {
      const body = await this.#receive(exchange.request, known, share);
      const receivedAt = this.#options.clock.now();
      takeTokens(known, Math.max(countBody(body), Math.ceil(body.length / BYTES_PER_TOKEN)));
      const { sensorId, tenantId, trust } = known.source;
      const parse = this.#options.wantsParsed?.(tenantId) ?? false;
      const { read = readHere } = this.#options;
      const content = await read(body, known.source, parse);
      // A slow body may have outlived the room there was.
      this.#requireOpen();
      const committed = await this.#commit({ tenantId, sensorId, trust, receivedAt, content });
      sendData(exchange, {
        accepted: committed.accepted,
        duplicates: committed.duplicates,
        rejected: committed.rejected,
        committed_at: formatMillis(committed.committedAt),
      });
    } finally {
      share.leave();
      if (this.#capacity.requests === 0) this.#options.onBusyChange?.(false);
    }
  }

  /** Receives a body. One that its sender spoils is charged as well: decompressing it was work. */
  async #receive(request: IncomingMessage, known: KnownSource, share: FairShare): Promise<Uint8Array> {
    try {
      return await receiveBody(request, share, this.#timeouts);
    } catch (error) {
      const isOurs = error instanceof ApiError && error.status === 503;
      if (!isOurs) known.bucket.charge(Math.ceil(share.bytes / BYTES_PER_TOKEN));
      throw error;
    }
  }

  #requireServed(tenantId: string): void {
    if (this.#options.serves?.(tenantId) ?? true) return;
    throw unavailable(
      "The source's tenant is new in the configuration: restart ndr-core; retry later.",
      "new_tenant",
      NEW_TENANT_RETRY_SECONDS,
    );
  }

  #requireOpen(): void {
    if (this.#options.isOpen?.() ?? true) return;
    throw unavailable("The disk is full; retry later.", "disk", DISK_RETRY_SECONDS);
  }

  async #commit(batch: IncomingBatch): Promise<CommittedBatch> {
    const { sensorId, tenantId, content: { rejected } } = batch;
    const expectKnown = this.#resending.has(sensorId);
    const committed = await traced(
      "ndr.ingest",
      "commit batch",
      { "ndr.tenant": tenantId, "ndr.sensor": sensorId },
      () => mapStoreErrors(() => commitBatch(this.#options.db, batch, expectKnown)),
    );
    if (committed.duplicates > 0) this.#resending.add(sensorId);
    else this.#resending.delete(sensorId);
    const fields = { tenant_id: tenantId, ...committed };
    this.#options.logger.debug("batch committed", { sensor_id: sensorId, ...fields });
    if (rejected.reason !== null) {
      this.#rejections.warn("lines rejected", sensorId, "rejected", { ...fields, reason: rejected.reason });
    }
    this.#options.onCommitted?.(tenantId, parsedOf(batch, committed));
    return committed;
  }

  #reject(exchange: Exchange, sensorId: string | null, error: unknown): void {
    if (error instanceof SenderGone) {
      this.#rejections.warn("sender closed the connection before the end of its body", sensorId, "gone", {});
      exchange.response.destroy();
      return;
    }
    let answer: ApiError;
    if (error instanceof ApiError) {
      answer = error;
      const { status, code, details, message, cause } = answer;
      const fields = { code, details, answer: message, request_id: exchange.requestId, cause };
      this.#rejections.warn("request rejected", sensorId, String(status), fields);
    } else {
      answer = new ApiError("internal_error");
      this.#options.logger.error("request failed", {
        sensor_id: sensorId,
        request_id: exchange.requestId,
        error,
      });
    }
    sendError(exchange, answer);
  }
}

/** Reads a body in this thread, without parsing its records for the pipeline. */
function readHere(body: Uint8Array, source: Source): Promise<PackedBatch> {
  return parseBody(body, source);
}

/** Null if some records were stored before: only the store knows which of them are new. */
function parsedOf(batch: IncomingBatch, { batchNo, accepted }: CommittedBatch): ParsedBatch | null {
  const { sensorId, trust, receivedAt, content: { distinct, parsed } } = batch;
  if (parsed === null || batchNo === null || accepted < distinct) return null;
  return { head: { sensorId, trust, receivedAt, batchNo }, records: accepted, parsed };
}

function takeTokens(known: KnownSource, tokens: number): void {
  const wait = known.bucket.take(tokens);
  if (wait === 0) return;
  const message = "This source exceeds its rate limit; retry later.";
  throw new ApiError("source_unavailable", message, { reason: "rate_limit" }, 429, wait);
}

/** Maps an unavailable store to the error that makes a transport retry. */
async function mapStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreUnavailable)) throw error;
    throw Object.assign(unavailable("The store cannot commit; retry later.", "store"), {
      cause: error.cause,
    });
  }
}

function unavailable(
  message: string,
  reason: "store" | "capacity" | "disk" | "new_tenant",
  retryAfter = 1,
): ApiError {
  return new ApiError("source_unavailable", message, { reason }, 503, retryAfter);
}
