import { z } from "@hono/zod-openapi";
import { Id, line, PageQuery, Timestamp, WindowQuery } from "../request/common.ts";
import { ROLES } from "../record/kinds.ts";
import { INCIDENT_ID } from "../openapi/examples/ids.ts";

/** `done`: took effect. `refused`: was requested and rejected. */
export const AUDIT_OUTCOMES = ["done", "refused"] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** Session events, recorded in addition to API operations. */
const SESSION_EVENTS = [
  /** A sign-in; `refused` if it gave access to no tenant. */
  "signIn",
  "signOut",
  /** Replaced by another sign-in in the same browser. */
  "sessionReplaced",
  /** The access rules no longer grant the user anything. */
  "accessWithdrawn",
  /** Ended because the user has newer sessions, as many as a user may have. */
  "sessionEvicted",
  /** All sessions of a user were ended. */
  "sessionRevoked",
  /** The identity provider ended the session (back-channel logout). */
  "providerSignOut",
  /** The identity provider no longer accepts the user. */
  "providerRefused",
  /** The claims of a signed-in user changed, and with them the roles. */
  "accessChanged",
  /** The session reached its maximum lifetime. */
  "sessionExpired",
] as const;
export type SessionEvent = (typeof SESSION_EVENTS)[number];

/** Maximum length of a value in `changes`, in characters. */
export const MAX_CHANGE_TEXT = 200;

export const AuditChange = z.object({
  field: z.string(),
  from: z.string().nullable().openapi({ description: "Null if unknown or not set." }),
  to: z.string().nullable(),
}).openapi("AuditChange", { description: `Values as text, truncated to ${MAX_CHANGE_TEXT} characters.` });
export type AuditChange = z.infer<typeof AuditChange>;

export const AuditEntry = z.object({
  audit_id: Id,
  at: Timestamp,
  operation: z.string().openapi({
    description: "Operation id of this document, or one of signIn, signOut, sessionReplaced, " +
      "accessWithdrawn, sessionEvicted, sessionRevoked, providerSignOut, providerRefused, accessChanged, " +
      "sessionExpired, reportOutcome (by an executor).",
    example: "patchIncident",
  }),
  outcome: z.enum(AUDIT_OUTCOMES).openapi({
    description: "`done`: took effect. `refused`: changed nothing; see `error_code` and `reason`.",
  }),
  status: z.number().int().nullable().openapi({
    description: "HTTP status of the response; null for events without one.",
  }),
  error_code: z.string().nullable(),
  reason: z.string().nullable(),
  subject: z.string().nullable().openapi({
    description: "The user: the subject from the identity provider.",
  }),
  display_name: z.string().nullable(),
  roles: z.array(z.enum(ROLES)).openapi({ description: "Roles in this tenant at that time." }),
  target_type: z.string().nullable().openapi({
    description: "Type of the object in `target_id`: device, incident, suppression, proposal, …",
    example: "incident",
  }),
  target_id: z.string().nullable().openapi({ description: "The affected object." }),
  target_name: z.string().nullable().openapi({
    description:
      "What the object is called now: the name of a device, the title of an incident, the reason of a suppression " +
      "or proposal, the target of a response action. Null for other objects, and for those that are gone.",
    example: "front-desk: beaconing to 203.0.113.7:443",
  }),
  changes: z.array(AuditChange),
  client_address: z.string().nullable().openapi({
    description: "Client address as seen by the reverse proxy.",
    example: "192.0.2.7",
  }),
  user_agent: z.string().nullable().openapi({
    description: "At most 256 characters; as stated by the client.",
  }),
  request_id: z.string().nullable().openapi({
    description: "`request_id` of the response; also in the logs.",
  }),
  session_id: z.string().nullable(),
}).openapi("AuditEntry");
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditQuery = PageQuery.extend(WindowQuery.shape).extend({
  subject: line(255).optional().openapi({ description: "Entries of this user.", example: "ada" }),
  operation: z.string().regex(/^[A-Za-z]{1,64}$/, "expected an operation id, such as patchIncident")
    .optional().openapi({ description: "An operation id or session event.", example: "patchIncident" }),
  target_id: z.string().min(1).max(128).optional().openapi({
    description: "Entries for this object.",
    example: INCIDENT_ID,
  }),
  outcome: z.enum(AUDIT_OUTCOMES).optional().openapi({
    description: "Only writes that took effect, or only rejected ones.",
    example: "done",
  }),
});
