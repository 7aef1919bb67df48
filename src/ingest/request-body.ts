import { Buffer } from "node:buffer";
import type { IncomingMessage } from "node:http";
import { clearTimeout, setTimeout } from "node:timers";
import { createGunzip, type Gunzip } from "node:zlib";
import { ApiError } from "../contract/request/errors.ts";
import { MAX_INGEST_BYTES } from "../contract/record/ingest.ts";
import type { FairShare } from "./fair-capacity.ts";

export interface BodyTimeouts {
  /** Milliseconds for the whole body. */
  wholeMs: number;
  /** Milliseconds between two chunks. */
  gapMs: number;
  /** Least bytes that must arrive in each period of `periodMs`, as sent; the first period is the grace. */
  periodBytes: number;
  periodMs: number;
}

/** The sender closed the connection before the end of its body. */
export class SenderGone extends Error {}

/**
 * Gzip adds a few bytes to incompressible data, so a body at the limit may be slightly larger on the wire.
 */
const MAX_GZIP_BYTES = MAX_INGEST_BYTES + 64 * 1024;

/** Whether the body is compressed. Throws a 415 for an encoding other than gzip. */
function isGzip(request: IncomingMessage): boolean {
  const encoding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return false;
  if (encoding === "gzip" || encoding === "x-gzip") return true;
  throw new ApiError(
    "invalid_request",
    "The Content-Encoding is not supported: expected gzip or none.",
    { reason: "content_encoding" },
    415,
  );
}

function tooLarge(): ApiError {
  return new ApiError(
    "payload_too_large",
    `The body is too large: expected at most ${MAX_INGEST_BYTES} bytes.`,
    {
      limit_bytes: MAX_INGEST_BYTES,
    },
  );
}

/** Throws a 413 if the declared length exceeds the limit. */
export function checkDeclaredLength(request: IncomingMessage): void {
  const limit = isGzip(request) ? MAX_GZIP_BYTES : MAX_INGEST_BYTES;
  if (Number(request.headers["content-length"] ?? 0) > limit) throw tooLarge();
}

/**
 * Reads and decompresses a body as it arrives, and stops at the first byte beyond the limit.
 *
 * @throws ApiError 413 over the limit, 408 for a slow or stalled sender, 400 for invalid gzip, 503 if the
 * memory is in use or another source needs what this one holds; SenderGone if the connection ends early. The rest of the body is left unread.
 */
export function receiveBody(
  request: IncomingMessage,
  share: FairShare,
  timeouts: BodyTimeouts,
): Promise<Buffer> {
  const gunzip = isGzip(request) ? createGunzip({ chunkSize: 64 * 1024 }) : null;
  return new Promise((resolve, reject) => {
    const started = performance.now();
    let lastByte = started;
    let periodStart = started;
    let bytesBeforePeriod = 0;
    let wireBytes = 0;
    let bodyBytes = 0;
    const chunks: Buffer[] = [];

    const settle = (finish: () => void) => {
      clearTimeout(timer);
      share.received();
      request.off("data", onData).off("end", onEnd).off("error", onGone).off("close", onGone);
      // Late errors without a listener would terminate the process.
      request.on("error", () => {});
      gunzip?.removeAllListeners().on("error", () => {}).destroy();
      finish();
    };
    const fail = (error: Error) =>
      settle(() => {
        request.pause();
        reject(error);
      });
    const keep = (chunk: Buffer) => {
      bodyBytes += chunk.length;
      if (bodyBytes > MAX_INGEST_BYTES) return fail(tooLarge());
      if (!share.hold(chunk.length)) return fail(noCapacity());
      chunks.push(chunk);
    };
    const finish = () =>
      settle(() => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks, bodyBytes)));

    function onData(chunk: Buffer): void {
      lastByte = performance.now();
      wireBytes += chunk.length;
      if (gunzip === null) keep(chunk);
      else if (wireBytes > MAX_GZIP_BYTES) fail(tooLarge());
      else inflate(gunzip, request, chunk);
    }
    function onEnd(): void {
      if (gunzip === null || wireBytes === 0) finish();
      else gunzip.end();
    }
    function onGone(): void {
      // "close" also follows a complete body that is still being decompressed.
      if (!request.complete) fail(new SenderGone("the sender closed the connection"));
    }
    const watch = () => {
      const now = performance.now();
      if (now - periodStart >= timeouts.periodMs) {
        if (wireBytes - bytesBeforePeriod < timeouts.periodBytes) return fail(tooSlow(timeouts));
        periodStart = now;
        bytesBeforePeriod = wireBytes;
      }
      const left = Math.min(
        timeouts.wholeMs - (now - started),
        timeouts.gapMs - (now - lastByte),
        timeouts.periodMs - (now - periodStart),
      );
      if (left <= 0) fail(tooSlow(timeouts));
      else timer = setTimeout(watch, left + 1);
    };

    let timer = setTimeout(watch, Math.min(timeouts.wholeMs, timeouts.gapMs, timeouts.periodMs) + 1);
    share.receiving(() => fail(noCapacity()));
    request.on("data", onData).on("end", onEnd).on("error", onGone).on("close", onGone);
    gunzip?.on("data", keep).on("end", finish).on("error", () => fail(notGzip()));
  });
}

function inflate(gunzip: Gunzip, request: IncomingMessage, chunk: Buffer): void {
  if (gunzip.write(chunk)) return;
  request.pause();
  gunzip.once("drain", () => request.resume());
}

function noCapacity(): ApiError {
  return new ApiError(
    "source_unavailable",
    "Too many concurrent requests; retry later.",
    { reason: "capacity" },
    503,
    1,
  );
}

function tooSlow(timeouts: BodyTimeouts): ApiError {
  return new ApiError(
    "invalid_request",
    `The body arrived too slowly: expected all of it within ${timeouts.wholeMs} ms, without a gap over ` +
      `${timeouts.gapMs} ms, and at least ${timeouts.periodBytes} bytes in each ${timeouts.periodMs} ms.`,
    { reason: "timeout" },
    408,
  );
}

function notGzip(): ApiError {
  return new ApiError("invalid_request", "The body is not valid gzip.", { reason: "content_encoding" });
}
