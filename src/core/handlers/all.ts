import type { Handlers } from "../handler.ts";
import type { HandlerDeps } from "./deps.ts";
import { auditHandlers } from "./audit.ts";
import { deviceHandlers } from "./devices.ts";
import { feedbackHandlers } from "./feedback.ts";
import { flowHandlers } from "./flows.ts";
import { healthHandlers } from "./health.ts";
import { incidentHandlers } from "./incidents.ts";
import { proposalHandlers } from "./proposals.ts";
import { responseHandlers } from "./response-actions.ts";
import { siteHandlers } from "./site.ts";
import { suppressionHandlers } from "./suppressions.ts";

/** What the core answers, one file for each resource. */
export function createHandlers(deps: HandlerDeps): Handlers {
  return {
    ...siteHandlers(deps),
    ...deviceHandlers(deps),
    ...flowHandlers(deps),
    ...incidentHandlers(deps),
    ...suppressionHandlers(deps),
    ...feedbackHandlers(deps),
    ...proposalHandlers(deps),
    ...responseHandlers(deps),
    ...auditHandlers(deps),
    ...healthHandlers(deps),
  };
}
