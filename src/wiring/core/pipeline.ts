import type { IntelSet } from "../../domain/intel/intel-set.ts";
import { PipelineThread } from "../pipeline-thread.ts";
import type { RecordThreads } from "../record-threads.ts";
import { withGates } from "../tenants.ts";
import type { CoreBase } from "./base.ts";

interface PipelineParts {
  threads: RecordThreads;
  intel: { current(): IntelSet | null };
  onApplied: (tenantId: string) => void;
}

/** The pipelines of all tenants, in a thread of their own. */
export function createPipeline(
  { config, store: { db, disk }, sites }: CoreBase,
  { threads, intel, onApplied }: PipelineParts,
): PipelineThread {
  const { logging, response } = config;
  return new PipelineThread({ tenants: withGates(sites, response) }, {
    db,
    logger: logging.logger("pipeline"),
    parse: (batch) => threads.parse(batch),
    mayWrite: () => disk.isOpen(),
    intel: () => intel.current(),
    onApplied,
  });
}
