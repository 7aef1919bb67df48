import { Ingest } from "../../ingest/ingest.ts";
import type { PipelineThread } from "../pipeline-thread.ts";
import type { RecordThreads } from "../record-threads.ts";
import type { CoreBase } from "./base.ts";

/** The ingest routes; they hand committed batches to the pipeline. */
export function createIngest(
  { config, store, clock, sites }: CoreBase,
  { threads, pipeline }: { threads: RecordThreads; pipeline: PipelineThread },
): Ingest {
  const { disk } = store;
  return new Ingest({
    db: store.ingest,
    sources: config.sources,
    clock,
    logger: config.logging.logger("ingest"),
    limit: config.environment.ingest,
    serves: (tenantId) => sites.has(tenantId),
    isOpen: () => disk.isOpen(),
    read: (body, source, parse) => threads.read(body, source, parse),
    wantsParsed: (tenantId) => pipeline.wants(tenantId),
    onCommitted: (tenantId, batch) => {
      disk.committed();
      pipeline.wake(tenantId, batch);
    },
    onBusyChange: (busy) => pipeline.setIngestBusy(busy),
  });
}
