import { collection, single } from "../request/common.ts";
import {
  ResponseAction,
  ResponseActionCreation,
  ResponseActionQuery,
  ResponseDecisionBody,
} from "./response.ts";
import { patch, read, type Route } from "../request/route.ts";

const responding = { ...patch, method: "POST", role: "responder", tag: "Response actions" } as const;

/** What may be done about an incident: recorded and reviewed here, carried out elsewhere if at all. */
export const RESPONSE_ROUTES = {
  listResponseActions: {
    ...read,
    path: "/api/v1/response-actions",
    summary: "Response actions, newest first, each with its history",
    tag: "Response actions",
    query: ResponseActionQuery,
    response: collection(ResponseAction),
  },
  proposeResponseAction: {
    ...responding,
    revisioned: false,
    tagged: true,
    status: 201,
    path: "/api/v1/incidents/{incident_id}/response-actions",
    summary: "Propose an action about an incident; nothing is executed",
    body: ResponseActionCreation,
    response: single(ResponseAction),
  },
  decideResponseAction: {
    ...responding,
    path: "/api/v1/response-actions/{action_id}/decision",
    summary: "Approve, reject or cancel an action; nothing is executed",
    body: ResponseDecisionBody,
    response: single(ResponseAction),
  },
} as const satisfies Record<string, Route>;
