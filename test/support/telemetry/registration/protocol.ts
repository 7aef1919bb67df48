// The routes of a registration server and the OpenAPI document generated from them.

import { createRoute, OpenAPIHono, z } from "@hono/zod-openapi";
import {
  Heartbeat,
  HEARTBEAT_FIELDS,
  type HeartbeatField,
  INSTALL_ID,
} from "../../../../src/contract/telemetry/heartbeat.ts";
import {
  HEARTBEATS_PATH,
  LicenseAnswer,
  Registration,
  REGISTRATIONS_PATH,
  Release,
  UPDATE_CHANNEL,
  UPDATES_PATH,
} from "../../../../src/contract/telemetry/registration.ts";

export const INSTALLATION_PATH = "/v1/installations/{install_id}";
export const DOCUMENT_PATH = "/v1/openapi.json";
/** Twice the client's own limit. */
export const MAX_BODY_BYTES = 8 * 1024;
/**
 * Heartbeats stored per installation and UTC day; an installation sends one, plus a few after version
 * changes.
 */
export const MOST_HEARTBEATS_A_DAY = 24;

/** Status and message; they contain nothing from the request. */
export const REFUSALS = {
  invalid_request: { status: 400, message: "Invalid request; nothing of it was stored." },
  not_found: { status: 404, message: "There is no such route." },
  no_release: { status: 404, message: "No release is known." },
  method_not_allowed: { status: 405, message: "Method not allowed on this route." },
  payload_too_large: { status: 413, message: `The body exceeds ${MAX_BODY_BYTES} bytes.` },
  unsupported_type: { status: 415, message: "The body must be application/json." },
  too_many_requests: { status: 429, message: "Too many requests; try again later." },
  internal_error: { status: 500, message: "Internal error." },
} as const;
export type Refusal = keyof typeof REFUSALS;
const CODES = Object.keys(REFUSALS) as [Refusal, ...Refusal[]];

const Failure = z.object({
  error: z.object({ code: z.enum(CODES), message: z.string() }),
}).openapi("Failure");

const REGISTRATION: Registration = {
  schema_version: 1,
  install_id: "ins_00112233445566778899aabbccddeeff",
  product_version: "0.1.0",
  plan: "pro",
  license_key_id_hash: "0123456789abcdef",
};

const HEARTBEAT: Heartbeat = {
  ...REGISTRATION,
  bundle_version: "0.1.0-1",
  os_id: "debian",
  os_version_major: "12",
  kernel_major: "6",
  arch: "x86_64",
  tenant_count: 2,
  device_bucket: "51-200",
  source_kinds: ["suricata", "zeek"],
  connector_counts: { webhook: 1 },
  uptime_bucket: "7-30d",
  learning_phase: "complete",
  ingest_error_bucket: "0",
  sent_at: "2026-01-31T07:15:00.000Z",
};

const RELEASE: Release = {
  latest_version: "0.2.0",
  channel: UPDATE_CHANNEL,
  released_on: "2026-01-31",
  security: false,
  notice: "Reads more kinds of records.",
  url: "https://ndr.example/releases/0.2.0",
};

const FIELDS = (Object.keys(HEARTBEAT_FIELDS) as HeartbeatField[])
  .map((field) => `| \`${field}\` | ${HEARTBEAT_FIELDS[field].rule.replaceAll("|", "\\|")} |`);

const json = <T extends z.ZodType>(schema: T, example?: unknown) => ({
  "application/json": { schema, ...example === undefined ? {} : { example } },
});

function refusals(...codes: Refusal[]) {
  return Object.fromEntries(codes.map((code) => {
    const { status, message } = REFUSALS[code];
    const example = { error: { code, message } };
    const headers = code === "too_many_requests"
      ? z.object({ "Retry-After": z.string().openapi({ description: "Seconds.", example: "60" }) })
      : undefined;
    return [status, { description: message, ...headers && { headers }, content: json(Failure, example) }];
  }));
}

const BODY_REFUSALS = [
  "invalid_request",
  "payload_too_large",
  "unsupported_type",
  "too_many_requests",
  "internal_error",
] as const;

const licensed = (description: string) => ({
  description,
  content: json(LicenseAnswer, { license: null }),
});

/** `security: []`: installations do not authenticate; knowing the identifier is enough. */
export const ROUTES = {
  register: createRoute({
    method: "post",
    path: REGISTRATIONS_PATH,
    operationId: "register",
    tags: ["Installations"],
    summary: "Registers an installation",
    description:
      "Sent once, and again after a licence change. With a licence it binds one of the licence's seats to the " +
      "installation, if one is free; `license` is the current form of that licence, which the installation installs as a renewal. " +
      "It is null on the free plan, without a seat, and if the licence is unknown or has expired.",
    security: [],
    request: { body: { required: true, content: json(Registration, REGISTRATION) } },
    responses: {
      200: licensed("The installation was registered already."),
      201: licensed("The installation is now registered."),
      ...refusals(...BODY_REFUSALS),
    },
  }),
  heartbeat: createRoute({
    method: "post",
    path: HEARTBEATS_PATH,
    operationId: "heartbeat",
    tags: ["Installations"],
    summary: "Accepts the daily heartbeat",
    description:
      "The server repeats the sender's payload check: if a key is not in this table, a value does not match its " +
      "rule, or anything looks like an address or a name, nothing is stored. An installation that is not " +
      `registered becomes registered. At most ${MOST_HEARTBEATS_A_DAY} heartbeats are accepted per installation and day.\n\n` +
      ["| Field | Rule |", "|---|---|", ...FIELDS].join("\n"),
    security: [],
    request: { body: { required: true, content: json(Heartbeat, HEARTBEAT) } },
    responses: {
      200: licensed("Stored. `license` as in a registration."),
      ...refusals(...BODY_REFUSALS),
    },
  }),
  newestRelease: createRoute({
    method: "get",
    path: UPDATES_PATH,
    operationId: "newestRelease",
    tags: ["Releases"],
    summary: "Returns the newest release",
    description: "Nothing of this request is stored.",
    security: [],
    request: {
      query: z.strictObject({
        product_version: Heartbeat.shape.product_version.openapi({
          description: "Version of the client.",
          example: "0.1.0",
        }),
        channel: z.literal(UPDATE_CHANNEL).openapi({
          description: "Which releases.",
          example: UPDATE_CHANNEL,
        }),
      }),
    },
    responses: {
      200: {
        description: "The newest release, which may be the client's own version.",
        content: json(Release, RELEASE),
      },
      ...refusals("invalid_request", "no_release", "too_many_requests", "internal_error"),
    },
  }),
  forget: createRoute({
    method: "delete",
    path: INSTALLATION_PATH,
    operationId: "forgetInstallation",
    tags: ["Installations"],
    summary: "Forgets an installation",
    description: "Removes its registration and heartbeats at once and frees its seat; days already counted " +
      "keep their counts, which identify no installation. Anyone who knows the identifier may request this, and the response does not " +
      "reveal whether anything was stored. Disable the installation's heartbeat first: the next one would register it again.",
    security: [],
    request: {
      params: z.object({
        install_id: z.string().regex(INSTALL_ID).openapi({
          param: { name: "install_id", in: "path" },
          description: "From the installation's install-id file.",
          example: REGISTRATION.install_id,
        }),
      }),
    },
    responses: {
      204: { description: "Nothing of it is stored any more." },
      ...refusals("invalid_request", "too_many_requests", "internal_error"),
    },
  }),
} as const;

const DESCRIPTION = `What an NDR installation reports once a day, and what the server returns.

**What is stored.** Each heartbeat with its time of receipt, its country of origin and whether its licence is an active
one: 90 days. The number of installations per value of a field and day, one field at a time: forever. For each registered
installation its identifier, version, plan and the hash of its licence's key identifier, with the times of its registration and of
its last request: while it is active, and 90 days more. The sender's address is used for the country lookup and is neither stored
nor logged.`;

/** The OpenAPI 3.1 document as JSON text. */
export function registrationDocument(): string {
  const builder = new OpenAPIHono();
  for (const route of Object.values(ROUTES)) builder.openAPIRegistry.registerPath(route);
  return JSON.stringify(builder.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "NDR registration server",
      version: "1",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url: "/", description: "This server." }],
    tags: [
      { name: "Installations", description: "What installations report." },
      { name: "Releases", description: "What the server returns." },
    ],
  }));
}
