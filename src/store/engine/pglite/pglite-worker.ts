/// <reference lib="deno.worker" />
// PGlite blocks the thread it runs on, so it has one of its own. One message is one statement.

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

export type WorkerRequest =
  | { id: number; op: "open"; directory: string | null; image: Uint8Array | null }
  | { id: number; op: "script"; text: string }
  | { id: number; op: "query"; text: string; values: unknown[] }
  | { id: number; op: "image" }
  | { id: number; op: "close" };

export type WorkerAnswer =
  | { id: number; rows: Record<string, unknown>[]; changed: number }
  | { id: number; error: { message: string; code: string; broken: boolean } };

let lite: PGlite | null = null;

const parsers = {
  [OID_INT8]: parseBigint,
  [OID_TIMESTAMPTZ]: parseTimestamptz,
  [OID_INT8_ARRAY]: parseBigintArray,
  [OID_JSONB]: parseKnownJson,
};

/**
 * Array parameters come in the server's own format already: a text goes out as it is, and a buffer, of which the
 * driver's types know nothing, as binary.
 */
const asItIs = (array: string) => array;
const serializers = Object.fromEntries(
  [1000, 1001, 1005, 1007, 1009, 1016, 1022, 1041, 1185, 2951].map((oid) => [oid, asItIs]),
);

/** Why the database last gave up, as its own log says it. */
let lastWords = "";
/** The request that it is at. */
let underWay = 0;

/**
 * A PostgreSQL that panics ends its process, and its parent begins anew. Here there is neither: PGlite goes on with the
 * memory of the dead, and may never come back. So the other side is told at once, and ends this worker.
 */
const lastWill: Extension = {
  name: "last will",
  setup: (_lite, options: object) =>
    Promise.resolve({
      emscriptenOpts: {
        ...options,
        printErr: (line: string) => lastWords = /(?:PANIC|FATAL): +(.*)/.exec(line)?.[1] ?? lastWords,
        onAbort: () => giveUp(underWay, new Error("it aborted")),
      },
    }),
};

function giveUp(id: number, error: unknown): void {
  const message = lastWords || messageOf(error);
  self.postMessage({ id, error: { message, code: "", broken: true } } satisfies WorkerAnswer);
}

async function answer(request: WorkerRequest): Promise<{ rows: Record<string, unknown>[]; changed: number }> {
  if (request.op === "open") {
    lite = await PGlite.create({
      dataDir: request.directory ?? undefined,
      loadDataDir: request.image ? new Blob([request.image as Uint8Array<ArrayBuffer>]) : undefined,
      parsers,
      extensions: { lastWill },
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
    case "close":
      await lite.close();
      lite = null;
      return { rows: [], changed: 0 };
  }
}

self.onmessage = async (event: MessageEvent<WorkerRequest>) => {
  const { id } = event.data;
  underWay = id;
  try {
    self.postMessage({ id, ...(await answer(event.data)) } satisfies WorkerAnswer);
  } catch (error) {
    if (isBroken(error)) return giveUp(id, error);
    const { code = "" } = error as { code?: string };
    const answer = { message: messageOf(error), code, broken: false };
    self.postMessage({ id, error: answer } satisfies WorkerAnswer);
  }
};

/** After these the memory of the database is not what it has to be, or there is no database yet. */
function isBroken(error: unknown): boolean {
  if (!lite || error instanceof WebAssembly.RuntimeError) return true;
  const { severity } = error as { severity?: string };
  return severity === "PANIC" || severity === "FATAL";
}
