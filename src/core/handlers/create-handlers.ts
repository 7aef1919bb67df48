import type { Handlers } from "../handler.ts";
import type { HandlerDeps } from "./deps.ts";
import { analystHandlers } from "./analyst/analyst-runs.ts";
import { auditHandlers } from "./session/audit.ts";
import { briefHandlers } from "./brief/briefs.ts";
import { deviceHandlers } from "./device/devices.ts";
import { failedRecordHandlers } from "./record/failed-records.ts";
import { feedbackHandlers } from "./review/feedback.ts";
import { evidenceHandlers } from "./flow/evidence.ts";
import { flowHandlers } from "./flow/flows.ts";
import { coverageHandlers } from "./health/coverage.ts";
import { graphHandlers, type LiveGraphs } from "./graph/graph.ts";
import { healthHandlers } from "./health/health.ts";
import { healthTransitionHandlers } from "./health/transitions.ts";
import { caseHandlers } from "./incident/export-case.ts";
import { incidentHandlers } from "./incident/incidents.ts";
import { proposalHandlers } from "./review/proposals.ts";
import { responseHandlers } from "./review/response-actions.ts";
import { completeHandlers } from "./search/complete.ts";
import { aggregateHandlers } from "./search/aggregate.ts";
import { exportHandlers } from "./search/export.ts";
import { interpretHandlers } from "./search/interpret.ts";
import { proposeFilterHandlers } from "./search/propose-filter.ts";
import { savedSearchHandlers } from "./search/saved-searches.ts";
import { searchHandlers } from "./search/search.ts";
import { siteHandlers } from "./site.ts";
import { peopleHandlers } from "./session/people.ts";
import { summaryHandlers } from "./summary.ts";
import { suppressionHandlers } from "./review/suppressions.ts";
import type { Database } from "../../store/engine/database.ts";

interface AllHandlerDeps extends HandlerDeps {
  /** The database for reads that may take seconds; by default that of all requests. */
  reads?: Database;
}

/** Creates the handlers of all operations that the core serves. */
export function createHandlers(deps: AllHandlerDeps, live: LiveGraphs): Handlers {
  const reading = { ...deps, db: deps.reads ?? deps.db };
  return {
    ...siteHandlers(deps),
    ...summaryHandlers(deps),
    ...peopleHandlers(deps),
    ...deviceHandlers(reading),
    ...flowHandlers(reading),
    ...evidenceHandlers(reading),
    ...incidentHandlers(reading),
    ...caseHandlers(reading),
    ...graphHandlers(reading, live),
    ...searchHandlers(reading),
    ...interpretHandlers(reading),
    ...proposeFilterHandlers(deps),
    ...completeHandlers(reading),
    ...aggregateHandlers(reading),
    ...exportHandlers(reading),
    ...savedSearchHandlers(deps),
    ...analystHandlers(reading),
    ...suppressionHandlers(deps),
    ...feedbackHandlers(deps),
    ...proposalHandlers(deps),
    ...responseHandlers(deps),
    ...briefHandlers(reading),
    ...failedRecordHandlers(deps),
    ...auditHandlers(deps),
    ...healthHandlers(deps),
    ...coverageHandlers(reading),
    ...healthTransitionHandlers(deps),
  };
}
