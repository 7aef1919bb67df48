import type { IntelSet } from "../../domain/intel/intel-set.ts";
import { Pipeline } from "../../pipeline/run/pipeline.ts";
import type { RecordThreads } from "../record-threads.ts";
import { withGates } from "../tenants.ts";
import type { CoreBase } from "./base.ts";

interface PipelineParts {
  threads: RecordThreads;
  intel: { current(): IntelSet | null };
  ingestBusy: () => boolean;
  onApplied: (tenantId: string) => void;
}

/** The pipelines of all tenants. */
export function createPipeline(
  { config, store: { db, writer, disk }, sites, clock }: CoreBase,
  { threads, intel, ingestBusy, onApplied }: PipelineParts,
): Pipeline {
  return new Pipeline({ tenants: withGates(sites, config.response) }, {
    db,
    writer,
    clock,
    logger: config.logging.logger("pipeline"),
    ingestBusy,
    parse: (batch) => threads.parse(batch),
    mayWrite: () => disk.isOpen(),
    intel: () => intel.current(),
    onApplied,
  });
}
