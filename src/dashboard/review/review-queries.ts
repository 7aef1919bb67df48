// What people said, asked and decided. About one incident, device or detector one page is enough for daily work.

import { queryOptions } from "@tanstack/react-query";
import type { Incident } from "../../contract/incident/incident.ts";
import type { ModelFeedback } from "../../contract/review/feedback.ts";
import type { Proposal } from "../../contract/review/proposal.ts";
import type { ResponseAction, ResponseStatus } from "../../contract/review/response.ts";
import type { Suppression } from "../../contract/review/suppression.ts";
import { getOne, getPage } from "../base/api.ts";
import { list, pageWithRows } from "../base/queries.ts";
import { EVER } from "../base/time/range.ts";
import { conditionOf, textOfCondition } from "../entity/entity-kinds.ts";
import { currentZone } from "../base/time/zone.ts";

const MOST_FEEDBACK = 100;
const MOST_PROPOSALS = 20;
const MOST_INCIDENTS = 50;

/** Feedback on an incident and its results, newest first. */
export const incidentFeedback = (tenant: string, incident_id: string) =>
  queryOptions({
    queryKey: [tenant, "feedback", incident_id],
    queryFn: async ({ signal }) => {
      const asked = { incident_id, limit: MOST_FEEDBACK };
      return (await getPage<ModelFeedback>("/api/v1/models/feedback", asked, signal)).data;
    },
    meta: { marks: ["incident"] },
  });

/** Proposals about a device, incident or detector, newest first. */
export const proposalsAbout = (tenant: string, target_id: string) =>
  queryOptions({
    queryKey: [tenant, "proposals", target_id],
    queryFn: async ({ signal }) => {
      const asked = { target_id, limit: MOST_PROPOSALS };
      return (await getPage<Proposal>("/api/v1/proposals", asked, signal)).data;
    },
    meta: { marks: ["decision"] },
  });

/** The newest incidents that a detector contributed to, of any age. */
export const incidentsOfDetector = (tenant: string, detector: string) =>
  queryOptions({
    queryKey: [tenant, "incidents-of-detector", detector],
    queryFn: async ({ signal }) => {
      const filter = textOfCondition(conditionOf({ kind: "detector", value: detector }));
      const asked = { from: EVER, filter, zone: currentZone(), limit: MOST_INCIDENTS };
      return (await pageWithRows<Incident>("/api/v1/incidents", asked, signal)).data;
    },
    meta: { marks: ["incident"] },
  });

export const suppressionList = (tenant: string, filter: { status?: string }) =>
  list<Suppression>(tenant, "/api/v1/suppressions", { ...filter }, null, ["incident"]);

export const responseList = (tenant: string, filter: { status?: ResponseStatus }) =>
  list<ResponseAction>(tenant, "/api/v1/response-actions", { ...filter }, null, ["decision"]);

export const responseAction = (tenant: string, id: string) =>
  queryOptions({
    queryKey: [tenant, "response-action", id],
    queryFn: ({ signal }) =>
      getOne<ResponseAction>(`/api/v1/response-actions/${encodeURIComponent(id)}`, {}, signal),
    meta: { marks: ["decision"] },
  });

interface ProposalFilter {
  kind?: string;
  status?: string;
  target_id?: string;
}
export const proposalList = (tenant: string, filter: ProposalFilter) =>
  list<Proposal>(tenant, "/api/v1/proposals", { ...filter }, null, ["decision"]);

export const feedbackList = (tenant: string, filter: { model_id?: string; incident_id?: string }) =>
  list<ModelFeedback>(tenant, "/api/v1/models/feedback", { ...filter }, null);

/** Response actions of an incident, newest first; one page is enough for daily work. */
export const responseActions = (tenant: string, incident: string) =>
  queryOptions({
    queryKey: [tenant, "response-actions", incident],
    queryFn: async ({ signal }) =>
      (await getPage<ResponseAction>("/api/v1/response-actions", { incident_id: incident }, signal)).data,
    meta: { marks: ["decision"] },
  });
