// Messages between the main thread and the pipeline's worker.

import type { IntelData } from "../domain/intel/intel-set.ts";
import type { LogFields, Logger } from "../observe/log.ts";
import type { TenantSettings } from "../pipeline/stages/stage.ts";
import type { Database } from "../store/engine/database.ts";
import type { ParsedBatch } from "../store/record/parsed-batch.ts";
import type { PendingBatch } from "../store/record/pending.ts";

/** The database of the main thread, which `serveDatabase` serves at the other end of the port. */
export interface DatabaseAccess {
  port: MessagePort;
  engine: Database["engine"];
}

export interface PipelineStart {
  op: "start";
  tenants: ReadonlyMap<string, TenantSettings>;
  database: DatabaseAccess;
  /** Memory of `PipelineFlags`. */
  flags: SharedArrayBuffer;
}

export type ToPipeline =
  | PipelineStart
  /** New records of a tenant were committed; `batch` if they need not be read from the store. */
  | { op: "wake"; tenantId: string; batch: ParsedBatch | null }
  | { op: "tenants"; tenants: ReadonlyMap<string, TenantSettings> }
  | { op: "intel"; data: IntelData }
  | { op: "parsed"; id: number; parsed: Uint8Array }
  | { op: "parse failed"; id: number; message: string }
  | { op: "stop" };

export type FromPipeline =
  | { op: "log"; level: keyof Logger; message: string; fields: LogFields }
  /** A round of the tenant was committed. */
  | { op: "applied"; tenantId: string }
  | { op: "parse"; id: number; batch: PendingBatch }
  /** The rounds under way have committed, and the worker may be ended. */
  | { op: "stopped" };
