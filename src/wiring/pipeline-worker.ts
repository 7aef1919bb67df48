/// <reference lib="deno.worker" />
// Program of the pipeline's thread; see `PipelineThread`.

import { IntelSet } from "../domain/intel/intel-set.ts";
import { systemClock } from "../kit/clock.ts";
import type { Logger } from "../observe/log.ts";
import { Pipeline } from "../pipeline/run/pipeline.ts";
import type { Database } from "../store/engine/database.ts";
import { RemoteDatabase } from "../store/engine/remote/remote-database.ts";
import type { PendingBatch } from "../store/record/pending.ts";
import { PipelineFlags } from "./pipeline-flags.ts";
import type { FromPipeline, PipelineStart, ToPipeline } from "./pipeline-messages.ts";

interface Parsing {
  resolve: (parsed: Uint8Array) => void;
  reject: (error: Error) => void;
}

const parsing = new Map<number, Parsing>();
let parses = 0;
let intel: IntelSet | null = null;
let running: { pipeline: Pipeline; db: Database } | null = null;

self.onmessage = async ({ data }: MessageEvent<ToPipeline>) => {
  switch (data.op) {
    case "start":
      running = start(data);
      return;
    case "wake":
      return running?.pipeline.wake(data.tenantId, data.batch);
    case "tenants":
      return running?.pipeline.use(data.tenants);
    case "intel":
      intel = new IntelSet(data.data);
      return;
    case "parsed":
      return take(data.id)?.resolve(data.parsed);
    case "parse failed":
      return take(data.id)?.reject(new Error(data.message));
    case "stop":
      await running?.pipeline.stop();
      await running?.db.close();
      return post({ op: "stopped" });
  }
};

function start({ tenants, database, flags: memory }: PipelineStart): { pipeline: Pipeline; db: Database } {
  const flags = new PipelineFlags(memory, tenants.keys());
  const db = new RemoteDatabase(database.port, database.engine);
  const pipeline = new Pipeline({ tenants }, {
    db,
    clock: systemClock,
    logger: logger(),
    ingestBusy: () => flags.ingestBusy,
    parse,
    mayWrite: () => flags.mayWrite,
    intel: () => intel,
    onApplied: (tenantId) => post({ op: "applied", tenantId }),
    onWantedChange: (tenantId, wanted) => flags.setWanted(tenantId, wanted),
  });
  pipeline.start();
  return { pipeline, db };
}

/** Parses in the threads of the main thread. */
function parse(batch: PendingBatch): Promise<Uint8Array> {
  const id = ++parses;
  return new Promise((resolve, reject) => {
    parsing.set(id, { resolve, reject });
    post({ op: "parse", id, batch });
  });
}

function take(id: number): Parsing | undefined {
  const waiting = parsing.get(id);
  parsing.delete(id);
  return waiting;
}

/** Passes log records to the main thread, which has the one log of the process. */
function logger(): Logger {
  const at = (level: keyof Logger): Logger["info"] => (message, fields = {}) =>
    post({ op: "log", level, message, fields });
  return { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

function post(message: FromPipeline): void {
  self.postMessage(message);
}
