/// <reference lib="deno.worker" />
// PGlite blocks its thread, so it runs in its own worker. One message is one statement.

import { type Extension, PGlite } from "@electric-sql/pglite";
import { messageOf } from "../../../kit/errors.ts";
import { parseKnownJson } from "../../../kit/json/json.ts";
import {
  OID_INT8,
  OID_INT8_ARRAY,
  OID_JSONB,
  OID_TIMESTAMPTZ,
  parseBigint,
  parseBigintArray,
  parseTimestamptz,
} from "../parse.ts";
import { limitTimers } from "./timers.ts";

export type WorkerRequest =
  | { id: number; op: "open"; directory: string | null; image: Uint8Array | null }
  | { id: number; op: "script"; text: string }
  | { id: number; op: "query"; text: string; values: unknown[] }
  | { id: number; op: "image" }
  /** `COPY … TO` or `FROM '/dev/blob'`; `data` is what it reads. */
  | { id: number; op: "copy"; text: string; data: Uint8Array | null }
  | { id: number; op: "close" };

export type WorkerAnswer =
  | { id: number; rows: Record<string, unknown>[]; changed: number }
  | { id: number; error: { message: string; code: string; broken: boolean } };

limitTimers();

let lite: PGlite | null = null;

const parsers = {
  [OID_INT8]: parseBigint,
  [OID_TIMESTAMPTZ]: parseTimestamptz,
  [OID_INT8_ARRAY]: parseBigintArray,
  [OID_JSONB]: parseKnownJson,
};

/**
 * Array parameters and bytes already have the server's format: texts are passed unchanged, and buffers as binary. PGlite
 * would write bytes as hex text: 2 MB take it seconds.
 */
const unchanged = (value: string) => value;
const serializers = Object.fromEntries(
  [17, 1000, 1001, 1005, 1007, 1009, 1016, 1022, 1041, 1185, 2951].map((oid) => [oid, unchanged]),
);

/** The last PANIC or FATAL in the database's own log. */
let lastFatal = "";
/** Id of the current request. */
let current = 0;

/**
 * When PostgreSQL panics, its process exits and the postmaster restarts it. PGlite continues with corrupt
 * memory instead, and may hang. So this reports the abort immediately, and the other side terminates the
 * worker.
 */
const reportAbort: Extension = {
  name: "report abort",
  setup: (_lite, options: object) =>
    Promise.resolve({
      emscriptenOpts: {
        ...options,
        printErr: (line: string) => lastFatal = /(?:PANIC|FATAL): +(.*)/.exec(line)?.[1] ?? lastFatal,
        onAbort: () => reportBroken(current, new Error("it aborted")),
      },
    }),
};

function reportBroken(id: number, error: unknown): void {
  const message = lastFatal || messageOf(error);
  self.postMessage({ id, error: { message, code: "", broken: true } } satisfies WorkerAnswer);
}

async function answer(request: WorkerRequest): Promise<{ rows: Record<string, unknown>[]; changed: number }> {
  if (request.op === "open") {
    lite = await PGlite.create({
      dataDir: request.directory ?? undefined,
      loadDataDir: request.image ? new Blob([request.image as Uint8Array<ArrayBuffer>]) : undefined,
      parsers,
      extensions: { reportAbort },
    });
    await lite.exec("set timezone to 'UTC'; set datestyle to 'ISO'");
    return { rows: [], changed: 0 };
  }
  if (!lite) throw new Error("the embedded database is not open");
  switch (request.op) {
    case "script":
      await lite.exec(request.text);
      return { rows: [], changed: 0 };
    case "query": {
      const result = await lite.query<Record<string, unknown>>(request.text, request.values, { serializers });
      return { rows: result.rows, changed: result.affectedRows ?? 0 };
    }
    case "image": {
      const file = await lite.dumpDataDir("none");
      return { rows: [{ image: new Uint8Array(await file.arrayBuffer()) }], changed: 0 };
    }
    case "copy": {
      const blob = request.data === null ? undefined : new Blob([request.data as Uint8Array<ArrayBuffer>]);
      const written = (await lite.query(request.text, [], { blob })).blob;
      const data = written === undefined ? null : new Uint8Array(await written.arrayBuffer());
      return { rows: [{ data }], changed: 0 };
    }
    case "close":
      await lite.close();
      lite = null;
      return { rows: [], changed: 0 };
  }
}

self.onmessage = async (event: MessageEvent<WorkerRequest>) => {
  const { id } = event.data;
  current = id;
  try {
    self.postMessage({ id, ...(await answer(event.data)) } satisfies WorkerAnswer);
  } catch (error) {
    if (isBroken(error)) return reportBroken(id, error);
    const { code = "" } = error as { code?: string };
    const answer = { message: messageOf(error), code, broken: false };
    self.postMessage({ id, error: answer } satisfies WorkerAnswer);
  }
};

/** Whether the error leaves the database with corrupt memory, or it was not opened at all. */
function isBroken(error: unknown): boolean {
  if (!lite || error instanceof WebAssembly.RuntimeError) return true;
  const { severity } = error as { severity?: string };
  return severity === "PANIC" || severity === "FATAL";
}
