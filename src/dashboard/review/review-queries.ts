// What people said, asked and decided. About one incident, device or detector one page is enough for daily work.

import { queryOptions } from "@tanstack/react-query";
import type { QueryOf } from "../../contract/request/client.ts";
import type { IncidentDetail } from "../../contract/incident/incident.ts";
import type { ResponseStatus } from "../../contract/review/response.ts";
import type { SuppressionStatus } from "../../contract/review/suppression.ts";
import { call } from "../base/api.ts";
import { list, pageWithRows } from "../base/queries.ts";
import { EVER } from "../base/time/range.ts";
import { conditionOf, textOfCondition } from "../entity/entity-kinds.ts";
import { windowAround } from "../entity/incident/incident-window.ts";
import { currentZone } from "../base/time/zone.ts";

const MOST_FEEDBACK = 100;
const MOST_PROPOSALS = 20;
const MOST_INCIDENTS = 50;
const MOST_FLOWS = 100;
const MINUTE = 60_000;

/** Feedback on an incident and its results, newest first. */
export const incidentFeedback = (tenant: string, incident_id: string) =>
  queryOptions({
    queryKey: [tenant, "feedback", incident_id],
    queryFn: ({ signal }) =>
      call("listModelFeedback", { query: { incident_id, limit: MOST_FEEDBACK }, signal }),
    meta: { marks: ["incident"] },
  });

/** Proposals about a device, incident or detector, newest first. */
export const proposalsAbout = (tenant: string, target_id: string) =>
  queryOptions({
    queryKey: [tenant, "proposals", target_id],
    queryFn: ({ signal }) => call("listProposals", { query: { target_id, limit: MOST_PROPOSALS }, signal }),
    meta: { marks: ["decision"] },
  });

/** The newest incidents that a detector contributed to, of any age. */
export const incidentsOfDetector = (tenant: string, detector: string) =>
  queryOptions({
    queryKey: [tenant, "incidents-of-detector", detector],
    queryFn: async ({ signal }) => {
      const filter = textOfCondition(conditionOf({ kind: "detector", value: detector }));
      const query = { from: EVER, filter, zone: currentZone(), limit: MOST_INCIDENTS };
      return (await pageWithRows("listIncidents", { query, signal })).data;
    },
    meta: { marks: ["incident"] },
  });

export const suppressionList = (tenant: string, filter: { status?: SuppressionStatus }) =>
  list(tenant, "listSuppressions", filter, null, ["incident"]);

export const responseList = (tenant: string, filter: { status?: ResponseStatus }) =>
  list(tenant, "listResponseActions", filter, null, ["decision"]);

export const responseAction = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [tenant, "response-action", id],
    queryFn: ({ signal }) => call("getResponseAction", { params: { action_id: id }, signal }),
    meta: { marks: ["decision"] },
  });

export const proposalList = (tenant: string, filter: QueryOf<"listProposals">) =>
  list(tenant, "listProposals", filter, null, ["decision"]);

export const feedbackList = (tenant: string, filter: { model_id?: string; incident_id?: string }) =>
  list(tenant, "listModelFeedback", filter, null);

/** Response actions of an incident, newest first; one page is enough for daily work. */
export const responseActions = (tenant: string, incident: string) =>
  queryOptions({
    queryKey: [tenant, "response-actions", incident],
    queryFn: ({ signal }) => call("listResponseActions", { query: { incident_id: incident }, signal }),
    meta: { marks: ["decision"] },
  });

/** The newest flows of an incident that a filter in the text form finds. */
export const incidentFlowsOf = (tenant: string, incident: IncidentDetail, filter: string) =>
  queryOptions({
    queryKey: [tenant, "incident-flows-of", incident.id, filter, incident.last_seen],
    queryFn: async ({ signal }) => {
      const query = { filter, zone: currentZone(), ...windowAround(incident), limit: MOST_FLOWS };
      return (await pageWithRows("listFlows", { query, signal })).data;
    },
    staleTime: MINUTE,
  });
