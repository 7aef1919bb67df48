import type { Handlers } from "../handler.ts";
import type { HandlerDeps } from "./deps.ts";
import { auditHandlers } from "./session/audit.ts";
import { deviceHandlers } from "./device/devices.ts";
import { feedbackHandlers } from "./review/feedback.ts";
import { flowHandlers } from "./flow/flows.ts";
import { healthHandlers } from "./health/health.ts";
import { incidentHandlers } from "./incident/incidents.ts";
import { proposalHandlers } from "./review/proposals.ts";
import { responseHandlers } from "./review/response-actions.ts";
import { siteHandlers } from "./site.ts";
import { suppressionHandlers } from "./review/suppressions.ts";

/** Creates the handlers of all operations that the core serves. */
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
