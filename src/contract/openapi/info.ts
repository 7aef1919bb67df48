// What the document says of the API as a whole.

import { ERROR_CODES } from "../request/errors.ts";
import { ROLES } from "../record/kinds.ts";

export const TITLE = "NDR appliance API";

/** What each group of operations is about; an operation of a group that is not here fails a test. */
export const TAGS: Record<string, string> = {
  Site: "What the deployment says of the site, and how far the service has learned what is usual there.",
  Devices:
    "Machines of the site, known by their addresses or by what identifies them. What a person says of a device wins over the inventory, and that over its behaviour.",
  Flows:
    "Connections as one or several sensors saw them, merged into one flow each, with every observation and raw record behind it.",
  Incidents:
    "What detectors found, gathered to one case for each thing that happens, with its evidence and its history. Only people change a status.",
  Suppressions: "Patterns that people accepted for a time: what matches them opens no incident.",
  Models: "What analysts say of the detectors (models) and their results.",
  Proposals:
    "Changes that somebody proposes and somebody decides. An accepted classification confirms the device's type; any other is recorded and changes nothing.",
  "Response actions":
    "What should be done about an incident, proposed and decided by responders. The service records and reviews; it carries nothing out.",
  Audit: "Who did what, when and from where: every write and every sign-in.",
  Health: "How the appliance and its sensors are, by the times at which the server received records.",
  Session: "Who is signed in, and for which tenant. Answered by the web layer itself.",
};

const ROLE_TEXT: Record<(typeof ROLES)[number], string> = {
  reader: "reads everything but what is the administrators'; every other role includes it",
  analyst: "incidents, devices, suppressions, feedback, proposals and their decisions",
  responder: "proposes and decides response actions",
  admin: "health in full detail, and the audit log",
};

/** A code that has, besides its own status, others. */
const MORE_STATUSES: Partial<Record<keyof typeof ERROR_CODES, string>> = {
  invalid_request:
    "; 405 for another method (with `Allow`), 409 and 422 about an `Idempotency-Key`, 428 without `If-Match`, 408, 414 and 431",
  source_unavailable: "; 429 for too many requests",
};

function errorTable(): string {
  const rows = Object.entries(ERROR_CODES).map(([code, { status, message }]) =>
    `| \`${code}\` | ${status}${MORE_STATUSES[code as keyof typeof ERROR_CODES] ?? ""} | ${
      message.replaceAll("|", "\\|")
    } |`
  );
  return ["| Code | Status | Says |", "|---|---|---|", ...rows].join("\n");
}

function roleTable(): string {
  return ["| Role | May |", "|---|---|", ...ROLES.map((role) => `| \`${role}\` | ${ROLE_TEXT[role]} |`)].join(
    "\n",
  );
}

export const DESCRIPTION =
  `Network detection and response: one API for the dashboard and for integrations. Records of sensors become flows,
devices, evidence, model results and incidents; people read them, work on them and decide.

## Signing in

Open \`/auth/login\` (OpenID Connect). The session cookie that it sets authenticates every request; \`POST /auth/logout\`
ends the session, and twelve hours do. Every request that is not a GET also carries \`csrf_token\` of
\`GET /api/v1/session\` as \`X-CSRF-Token\`.

The core answers the same paths on its loopback address to signed requests of the web layer (see the security scheme
\`signedRequest\`); the session routes are the web layer's alone.

## Tenants and roles

Tenant and roles come from the session and from nothing else: no parameter, header, cookie or body chooses a tenant. Somebody
with several tenants selects one by \`POST /api/v1/session/tenant\`; until then data routes answer 403. Objects of another
tenant do not exist (404). Each operation says its role in \`x-required-role\`.

${roleTable()}

## Requests

Query parameters that an operation does not name are ignored; one that is given twice is refused, and so is an empty or
malformed value. Bodies are one JSON value in UTF-8 with \`Content-Type: application/json\`, at most 1 MiB; a field that an
operation does not name is refused. A refusal names the parameter or field: \`details.issues[].path\`.

## Values

Times are RFC 3339 in UTC with milliseconds; as input any offset and fraction will do. Addresses are canonical (RFC 5952, dotted
decimal), as input too. Identifiers and cursors are opaque. Scores are 0 to 100, confidences 0 to 1. Counters are JSON integers that
may exceed 2^53, so read them with a parser that keeps them. A field that is null is there and null, never left out. Fields may
be added to answers: ignore those you do not know.

## Time windows

\`from\` and \`to\` are half-open, \`from <= time < to\`. \`to\` is now by default, \`from\` 15 minutes before \`to\`. They apply to a flow's
start and to an incident's \`last_seen\`. An empty window, or one longer than the operation allows, is \`invalid_time_range\`.

## Pages

A collection takes \`limit\` (1 to 500, default 100; a bad one is refused, never clamped) and \`cursor\`. \`next_cursor\` of an answer
gives the next page, and is null on the last one; send it with the same filter. All pages use the
time window of the first one. Rows that are inserted during a scan never hide others; a row whose sort key changes meanwhile may
appear twice. A cursor of another operation, filter or tenant is \`invalid_request\`; one older than a day is \`cursor_expired\`.

## Writing

Every write carries an \`Idempotency-Key\` of your choice, 1 to 128 visible ASCII characters. Sending the same request with the same key
again within 24 hours returns the first answer and does nothing; another request with that key is refused (422); while the first
one is still being answered, the second gets 409 with \`Retry-After\`. Refusals are remembered like successes; 429 and 5xx are
not, so a retry can succeed. A key is bound to the tenant, the person, the method, the path, the query and the body.

An object that can change has a \`revision\`. Answers that show one such object carry it as \`ETag\`, and a write on it carries
\`If-Match: "<revision>"\`, exactly one quoted number: without it 428, otherwise spelt 400, another revision 412.

## How much, how often

A session may send 100 requests a second and an address 300, with bursts; an administrator may set other rates. Beyond them the answer is 429
with \`Retry-After\`, and a client waits that long. Headers over 16 KiB, an address over 8 KiB and a request that comes too
slowly are refused before any operation is reached (431, 414, 408), in the same form as every error.

## Errors

\`{ "error": { "code", "message", "request_id", "details" } }\`. Decide by \`code\` and status; \`message\` is for people, and
\`request_id\`, which every answer also has as \`X-Request-Id\`, names the lines of the service's log.

${errorTable()}

## Versions

This is version 1, under \`/api/v1\`. Fields, operations and optional parameters may be added to it; nothing documented as required
is left out or changes its meaning. What would break a client becomes a version of its own.`;
