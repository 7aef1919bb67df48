import { collection, single } from "../request/common.ts";
import {
  ResponseAction,
  ResponseActionCreation,
  ResponseActionQuery,
  ResponseDecisionBody,
} from "./response.ts";
import { patch, read, type Route } from "../request/route.ts";

const respond = { ...patch, method: "POST", role: "responder", tag: "Response actions" } as const;

/** Response actions for incidents: recorded and reviewed here, executed elsewhere if at all. */
export const RESPONSE_ROUTES = {
  listResponseActions: {
    ...read,
    path: "/api/v1/response-actions",
    summary: "List response actions, newest first, with their histories",
    tag: "Response actions",
    query: ResponseActionQuery,
    response: collection(ResponseAction),
  },
  getResponseAction: {
    ...read,
    tagged: true,
    path: "/api/v1/response-actions/{action_id}",
    summary: "Get one response action with its history",
    tag: "Response actions",
    response: single(ResponseAction),
  },
  proposeResponseAction: {
    ...respond,
    revisioned: false,
    tagged: true,
    status: 201,
    path: "/api/v1/incidents/{incident_id}/response-actions",
    summary: "Propose a response action for an incident; nothing is executed",
    body: ResponseActionCreation,
    response: single(ResponseAction),
  },
  decideResponseAction: {
    ...respond,
    path: "/api/v1/response-actions/{action_id}/decision",
    summary: "Approve, reject or cancel a response action; nothing is executed",
    body: ResponseDecisionBody,
    response: single(ResponseAction),
  },
} as const satisfies Record<string, Route>;
