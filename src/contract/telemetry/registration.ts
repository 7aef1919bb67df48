// What an installation and its registration server say to each other. The third request, a heartbeat, is in heartbeat.ts.
//
//   POST /v1/registrations                               Registration   -> 200 or 201 LicenseAnswer
//   POST /v1/heartbeats                                  Heartbeat      -> 200 LicenseAnswer, or 204
//   GET  /v1/updates?product_version=0.1.0&channel=stable               -> 200 Release

import { z } from "@hono/zod-openapi";
import { Heartbeat } from "./heartbeat.ts";

/** Where NDR_TELEMETRY_URL is not set. Null: there is none yet, and nothing is told to anybody. */
export const DEFAULT_REGISTRATION_ORIGIN: string | null = null;

export const REGISTRATIONS_PATH = "/v1/registrations";
export const HEARTBEATS_PATH = "/v1/heartbeats";
export const UPDATES_PATH = "/v1/updates";

/** Of every request; nothing in it tells one installation from another. */
export const TELEMETRY_USER_AGENT = "ndr-telemetry/1";

export const UPDATE_CHANNEL = "stable";

/** Said once, on the pro plan once a licence: it binds a seat to `install_id`. Every field is one of the heartbeat's. */
export const Registration = Heartbeat.pick({
  schema_version: true,
  install_id: true,
  product_version: true,
  plan: true,
  license_key_id_hash: true,
}).strict().openapi("Registration");
export type Registration = z.infer<typeof Registration>;

/** A renewed licence for the file's place; null where there is nothing to renew. Other fields are ignored. */
export const LicenseAnswer = z.object({
  license: z.string().max(8192).regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, "expected a signed token").nullable(),
}).openapi("LicenseAnswer");
export type LicenseAnswer = z.infer<typeof LicenseAnswer>;

/** A version as https://semver.org has it, without build metadata. */
export const RELEASE_VERSION = /^(0|[1-9]\d{0,5})(\.(0|[1-9]\d{0,5})){2}(-[0-9A-Za-z][0-9A-Za-z.-]{0,31})?$/;

/** The newest release. Nothing of it is more than a text to be shown: it is never fetched, and never applied. */
export const Release = z.object({
  latest_version: z.string().regex(RELEASE_VERSION),
  channel: z.literal(UPDATE_CHANNEL),
  released_on: z.iso.date().openapi({ example: "2026-01-31" }),
  security: z.boolean().openapi({ description: "Whether it closes a security hole." }),
  notice: z.string().max(4000).openapi({
    description: "Plain text. Of more than 500 characters the first are shown.",
  }),
  url: z.string().max(300).regex(/^https:\/\/[\x21-\x7e]+$/, "expected an https URL").openapi({
    description: "Where people read about it; shown as text.",
  }),
}).openapi("Release");
export type Release = z.infer<typeof Release>;
