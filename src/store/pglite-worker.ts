/// <reference lib="deno.worker" />
// PGlite blocks the thread it runs on, so it has one of its own. One message is one statement.

import { PGlite } from "@electric-sql/pglite";
import {
  OID_INT8,
  OID_INT8_ARRAY,
  OID_TIMESTAMPTZ,
  parseBigint,
  parseBigintArray,
  parseTimestamptz,
} from "./parse.ts";

export type WorkerRequest =
  | { id: number; op: "open"; directory: string | null; image: Uint8Array | null }
  | { id: number; op: "script"; text: string }
  | { id: number; op: "query"; text: string; values: unknown[] }
  | { id: number; op: "image" }
  | { id: number; op: "close" };

export type WorkerAnswer =
  | { id: number; rows: Record<string, unknown>[]; changed: number }
  | { id: number; error: { message: string; code: string } };

let lite: PGlite | null = null;

const parsers = {
  [OID_INT8]: parseBigint,
  [OID_TIMESTAMPTZ]: parseTimestamptz,
  [OID_INT8_ARRAY]: parseBigintArray,
};

/**
 * Array parameters come in the server's own format already: a text goes out as it is, and a buffer, of which the
 * driver's types know nothing, as binary.
 */
const asItIs = (array: string) => array;
const serializers = Object.fromEntries(
  [1000, 1001, 1005, 1007, 1016, 1022, 1041, 1185, 2951].map((oid) => [oid, asItIs]),
);

async function answer(request: WorkerRequest): Promise<{ rows: Record<string, unknown>[]; changed: number }> {
  if (request.op === "open") {
    lite = await PGlite.create({
      dataDir: request.directory ?? undefined,
      loadDataDir: request.image ? new Blob([request.image as Uint8Array<ArrayBuffer>]) : undefined,
      parsers,
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
  try {
    self.postMessage({ id, ...(await answer(event.data)) } satisfies WorkerAnswer);
  } catch (error) {
    const { message, code } = error as { message?: string; code?: string };
    self.postMessage(
      { id, error: { message: message ?? String(error), code: code ?? "" } } satisfies WorkerAnswer,
    );
  }
};
