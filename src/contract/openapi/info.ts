// The general part of the OpenAPI document.

import { searchReference } from "../filter/reference.ts";
import { ERROR_CODES } from "../request/errors.ts";
import { REASONS } from "../request/reasons.ts";
import { ROLES } from "../record/kinds.ts";

export const TITLE = "NDR appliance API";

/** Description of each group of operations; a test requires an entry for every group. */
export const TAGS: Record<string, string> = {
  Summary: "Counts and change marks for clients that poll.",
  Site: "The configured site and the progress of learning its baseline.",
  Devices:
    "Machines of the site, identified by their addresses or other identifying properties. A user's entries take precedence over the inventory, and the inventory over observed behaviour.",
  Flows:
    "Connections seen by one or several sensors, merged into one flow each, with all observations and raw records.",
  Incidents:
    "Detector findings, grouped into one incident per activity, with evidence and history. Only users change the status.",
  Graph:
    "Who exchanged traffic with whom in a window, as nodes and links for a map, and as arcs for a globe.",
  Search: `One filter for people, pictures and programs, as a tree or as text.\n\n${searchReference(3)}`,
  Analyst:
    "A language model's reading of an incident, under a daily budget. Its text may be wrong or manipulated; nothing it suggests happens without a person.",
  Suppressions: "Patterns that users accepted for a limited time: matching results open no incident.",
  Models: "Analyst feedback on detectors (models) and their results.",
  Proposals:
    "Changes that one user proposes and another decides. An accepted classification confirms the device's type; any other proposal is recorded and has no effect.",
  "Response actions":
    "Actions on incidents, proposed and decided by responders. The service records and reviews them; it does not execute them.",
  Briefs: "One day of the site in a page, from recorded data; retrieving it sends nothing.",
  Audit: "Who did what, when and from where: every write and every sign-in.",
  Health:
    "The state of the appliance and its sensors, based on the times at which the server received records.",
  Session: "The signed-in user and the selected tenant. Handled by the web layer itself.",
};

const ROLE_TEXT: Record<(typeof ROLES)[number], string> = {
  reader: "read everything except administrative data; included in every other role",
  analyst: "change incidents, devices, suppressions, feedback and proposals, and decide proposals",
  responder: "propose and decide response actions",
  admin: "read full health details, unparsed and rejected records, and the audit log",
};

/** Further statuses of codes that have more than one. */
const MORE_STATUSES: Partial<Record<keyof typeof ERROR_CODES, string>> = {
  invalid_request:
    "; 405 for an unsupported method (with `Allow`), 409 and 422 for an `Idempotency-Key`, 428 without `If-Match`, 408, 414 and 431",
  source_unavailable: "; 429 for too many requests",
};

function errorTable(): string {
  const rows = Object.entries(ERROR_CODES).map(([code, { status, message }]) =>
    `| \`${code}\` | ${status}${MORE_STATUSES[code as keyof typeof ERROR_CODES] ?? ""} | ${
      message.replaceAll("|", "\\|")
    } |`
  );
  return ["| Code | Status | Message |", "|---|---|---|", ...rows].join("\n");
}

function reasonTable(): string {
  const rows = Object.entries(REASONS).map(([reason, meaning]) => `| \`${reason}\` | ${meaning} |`);
  return ["| Reason | Meaning |", "|---|---|", ...rows].join("\n");
}

function roleTable(): string {
  return [
    "| Role | Permissions |",
    "|---|---|",
    ...ROLES.map((role) => `| \`${role}\` | ${ROLE_TEXT[role]} |`),
  ].join(
    "\n",
  );
}

export const DESCRIPTION =
  `Network detection and response: one API for the dashboard and for integrations. Sensor records become flows, devices,
evidence, model results and incidents, which users read, process and decide on.

## Signing in

Open \`/auth/login\` (OpenID Connect). It sets a session cookie that authenticates every request. A session ends with
\`POST /auth/logout\` or after twelve hours. Requests other than GET must also send \`csrf_token\` of
\`GET /api/v1/session\` as \`X-CSRF-Token\`.

The core serves the same paths on its loopback address for signed requests of the web layer (see the security scheme
\`signedRequest\`), except the session routes, which only the web layer serves.

## Tenants and roles

Tenant and roles come from the session only: no parameter, header, cookie or body selects a tenant. A user with several
tenants selects one with \`POST /api/v1/session/tenant\`; until then, tenant-scoped operations answer 403. Objects of other
tenants are \`not_found\` (404). Each operation states its role in \`x-required-role\`.

${roleTable()}

## Requests

Query parameters that an operation does not define, repeated parameters and empty or malformed values are rejected. A body is a single JSON value in UTF-8 with \`Content-Type: application/json\`, at most 1 MiB; unknown fields are
rejected. Errors name the parameter or field in \`details.issues[].path\`.

## Values

Times are RFC 3339 in UTC with milliseconds; input may have any offset and fraction. Addresses are canonical (RFC 5952,
dotted decimal), in input too. Identifiers and cursors are opaque. Scores range from 0 to 100, confidences from 0 to 1.
Counters are JSON integers that may exceed 2^53, so parse them without loss of precision. Null fields are present, never
omitted. Fields may be added to responses: ignore unknown ones.

## Time windows

\`from\` and \`to\` form a half-open window, \`from <= time < to\`. \`to\` defaults to now, \`from\` to 15 minutes before \`to\`. The
window applies to the start of flows and to \`last_seen\` of incidents. An empty window, or one longer than the operation
allows, is \`invalid_time_range\`.

## Pages

Collections accept \`limit\` (1 to 500, default 100; invalid values are rejected, never clamped) and \`cursor\`. \`next_cursor\` of an answer
leads to the next page and is null on the last one; send it with the same filter. All pages use the
time window of the first one. Rows that are inserted during a scan never hide others; a row whose sort key changes meanwhile may
appear twice. A cursor of another operation, filter or tenant is \`invalid_request\`; one older than a day is \`cursor_expired\`.

## Writes

Every write needs an \`Idempotency-Key\` chosen by the client, 1 to 128 visible ASCII characters. Repeating the same request
with the same key within 24 hours returns the first response without further effect; a different request with that key is
rejected (422); while the first request is in progress, a second one gets 409 with \`Retry-After\`. Only successes
(2xx) are stored: a rejected or failed write can be sent again with the same key, corrected if necessary. A key is bound to tenant, user, method,
path, query and body.

Objects that can change have a \`revision\`. Responses with a single such object carry it as \`ETag\`, and a write to it must
send \`If-Match: "<revision>"\`, exactly one quoted number: a missing header gives 428, a malformed one 400, a different
revision 412.

## Rate limits

A session may sustain 100 requests per second and a client address 300, with bursts; administrators may configure other
rates. Requests beyond the limit get 429 with \`Retry-After\`; wait for that time. Headers over 16 KiB, request targets over
8 KiB and requests that arrive too slowly are rejected before any operation is reached (431, 414, 408), in the same format
as all errors.

## Errors

\`{ "error": { "code", "message", "request_id", "details" } }\`. Programs should rely on \`code\`, status and
\`details.reason\`; \`message\` is for humans. \`request_id\`, also sent as \`X-Request-Id\` with every response, identifies the log entries of the request.

${errorTable()}

Every error has \`details.reason\`, the stable name of its cause. Reasons may be added; treat an unknown one by its code.

${reasonTable()}

## Versions

This is version 1, under \`/api/v1\`. Fields, operations and optional parameters may be added; nothing documented as required
is removed or changes its meaning. Breaking changes get a new version.`;
