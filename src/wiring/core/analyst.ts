import { AnalystRunner } from "../../analyst/runner.ts";
import { tenantModels } from "../../analyst/tenant-models.ts";
import type { CoreBase } from "./base.ts";

/** The tenants' language models, and the queue of runs that ask them. */
export function createAnalyst({ config, store: { db, disk }, clock, sites }: CoreBase): AnalystRunner {
  return new AnalystRunner({ tenants: sites.keys(), models: tenantModels(config.analyst) }, {
    db,
    clock,
    logger: config.logging.logger("analyst"),
    mayWrite: () => disk.isOpen(),
  });
}
