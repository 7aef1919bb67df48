import { z } from "@hono/zod-openapi";
import { Id, line, PageQuery, Timestamp, WindowQuery } from "../request/common.ts";
import { ROLES } from "../record/kinds.ts";
import { INCIDENT_ID } from "../openapi/examples/ids.ts";

/** `done`: it took effect. `refused`: it was asked for and not done. */
export const AUDIT_OUTCOMES = ["done", "refused"] as const;
export type AuditOutcome = (typeof AUDIT_OUTCOMES)[number];

/** What is recorded besides the operations of the API. */
const SESSION_EVENTS = [
  /** A sign-in; refused: one that gave access to nothing. */
  "signIn",
  "signOut",
  /** Another sign-in in the same browser took the session's place. */
  "sessionReplaced",
  /** The access rules give the person nothing any more. */
  "accessWithdrawn",
  /** Every session of a person was ended. */
  "sessionRevoked",
  /** Its time was over. */
  "sessionExpired",
] as const;
export type SessionEvent = (typeof SESSION_EVENTS)[number];

/** Longest text of one value in `changes`, in characters. */
export const MAX_CHANGE_TEXT = 200;

export const AuditChange = z.object({
  field: z.string(),
  from: z.string().nullable().openapi({ description: "Null where it is not known or was not set." }),
  to: z.string().nullable(),
}).openapi("AuditChange", { description: `Values as text, cut after ${MAX_CHANGE_TEXT} characters.` });
export type AuditChange = z.infer<typeof AuditChange>;

export const AuditEntry = z.object({
  audit_id: Id,
  at: Timestamp,
  operation: z.string().openapi({
    description: "Operation id of this document, or one of signIn, signOut, sessionReplaced, " +
      "accessWithdrawn, sessionRevoked, sessionExpired, reportOutcome (an executor's).",
    example: "patchIncident",
  }),
  outcome: z.enum(AUDIT_OUTCOMES).openapi({
    description: "`done`: it took effect. `refused`: it changed nothing, `error_code` and `reason` say why.",
  }),
  status: z.number().int().nullable().openapi({
    description: "HTTP status of the answer; null where nobody was answered.",
  }),
  error_code: z.string().nullable(),
  reason: z.string().nullable(),
  subject: z.string().nullable().openapi({
    description: "Who: the subject that the identity provider gave.",
  }),
  display_name: z.string().nullable(),
  roles: z.array(z.enum(ROLES)).openapi({ description: "Roles in this tenant at that time." }),
  target_type: z.string().nullable().openapi({
    description: "What sort of object `target_id` names: device, incident, suppression, proposal, …",
    example: "incident",
  }),
  target_id: z.string().nullable().openapi({ description: "The object in question." }),
  changes: z.array(AuditChange),
  client_address: z.string().nullable().openapi({
    description: "From where, as the reverse proxy saw it.",
    example: "192.0.2.7",
  }),
  user_agent: z.string().nullable().openapi({
    description: "At most 256 characters; the client's own word.",
  }),
  request_id: z.string().nullable().openapi({
    description: "`request_id` of the answer, also in the logs.",
  }),
  session_id: z.string().nullable(),
}).openapi("AuditEntry");
export type AuditEntry = z.infer<typeof AuditEntry>;

export const AuditQuery = PageQuery.extend(WindowQuery.shape).extend({
  subject: line(255).optional().openapi({ description: "What this person did.", example: "ada" }),
  operation: z.string().regex(/^[A-Za-z]{1,64}$/, "expected an operation id, such as patchIncident")
    .optional().openapi({ description: "An operation id, or what a session did.", example: "patchIncident" }),
  target_id: z.string().min(1).max(128).optional().openapi({
    description: "What was done to this object.",
    example: INCIDENT_ID,
  }),
  outcome: z.enum(AUDIT_OUTCOMES).optional().openapi({
    description: "Only what took effect, or only what was refused.",
    example: "done",
  }),
});
