// The routes of a registration server, and the OpenAPI document that is made of them.

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
/** Twice what the client's own guard lets through. */
export const MAX_BODY_BYTES = 8 * 1024;
/** Heartbeats that are kept of an installation a day (UTC); it has one to send, and some more on changes of its version. */
export const MOST_HEARTBEATS_A_DAY = 24;

/** Status and what it says; nothing of a request is ever in it. */
export const REFUSALS = {
  invalid_request: { status: 400, message: "Not a request of this protocol; nothing of it was kept." },
  not_found: { status: 404, message: "There is no such route." },
  no_release: { status: 404, message: "No release is known here." },
  method_not_allowed: { status: 405, message: "The route has another method." },
  payload_too_large: { status: 413, message: `The body is longer than ${MAX_BODY_BYTES} bytes.` },
  unsupported_type: { status: 415, message: "The body has to be application/json." },
  too_many_requests: { status: 429, message: "Too many requests; try again later." },
  internal_error: { status: 500, message: "Something went wrong here." },
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

/** `security: []`: an installation proves nothing; whoever knows its identifier is taken for it. */
export const ROUTES = {
  register: createRoute({
    method: "post",
    path: REGISTRATIONS_PATH,
    operationId: "register",
    tags: ["Installations"],
    summary: "Registers an installation",
    description:
      "Sent once, and again with another licence. With a licence it binds one of the licence's seats to the " +
      "installation, as long as there is one; `license` is that licence as it is now, for the installation to renew its own. " +
      "It is null on the free plan, without a seat, and where the licence is not known or has ended.",
    security: [],
    request: { body: { required: true, content: json(Registration, REGISTRATION) } },
    responses: {
      200: licensed("It was registered already."),
      201: licensed("It is registered now."),
      ...refusals(...BODY_REFUSALS),
    },
  }),
  heartbeat: createRoute({
    method: "post",
    path: HEARTBEATS_PATH,
    operationId: "heartbeat",
    tags: ["Installations"],
    summary: "Takes the daily heartbeat",
    description:
      "The payload is checked here as it was by the sender: a key that is not in this table, a value that does not match its " +
      "rule, or anything that looks like an address or a name, and nothing of it is kept. An installation that is not " +
      `registered is from then on. Of an installation no more than ${MOST_HEARTBEATS_A_DAY} a day are taken.\n\n` +
      ["| Field | Rule |", "|---|---|", ...FIELDS].join("\n"),
    security: [],
    request: { body: { required: true, content: json(Heartbeat, HEARTBEAT) } },
    responses: {
      200: licensed("Kept. `license` as in a registration."),
      ...refusals(...BODY_REFUSALS),
    },
  }),
  newestRelease: createRoute({
    method: "get",
    path: UPDATES_PATH,
    operationId: "newestRelease",
    tags: ["Releases"],
    summary: "Tells the newest release",
    description: "Nothing of this request is kept.",
    security: [],
    request: {
      query: z.strictObject({
        product_version: Heartbeat.shape.product_version.openapi({
          description: "The version that asks.",
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
        description: "The newest one, which may be the one that asks.",
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
    description:
      "Removes its registration and its heartbeats at once, and frees its seat; days that are counted already " +
      "keep their counts, which name no installation. Whoever knows the identifier may ask for it, and the answer does not " +
      "tell whether there was anything. Switch its heartbeat off before: the next one would register it again.",
    security: [],
    request: {
      params: z.object({
        install_id: z.string().regex(INSTALL_ID).openapi({
          param: { name: "install_id", in: "path" },
          description: "From the file install-id of the installation.",
          example: REGISTRATION.install_id,
        }),
      }),
    },
    responses: {
      204: { description: "Nothing of it is kept any more." },
      ...refusals("invalid_request", "too_many_requests", "internal_error"),
    },
  }),
} as const;

const DESCRIPTION = `What an NDR installation tells once a day, and what it is told.

**What is kept.** Each heartbeat with the time of its receipt, the country that it came from and whether its licence is an active
one: 90 days. How many installations had which value of a field on a day, one field at a time: for ever. Of a registered
installation its identifier, version, plan and the hash of its licence's key identifier, with the times of its registration and of
its last word: while it is active, and 90 days more. The sender's address is used to look the country up and is neither stored
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
      { name: "Installations", description: "What installations tell of themselves." },
      { name: "Releases", description: "What they are told." },
    ],
  }));
}
