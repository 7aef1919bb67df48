// The protocol between an installation and the registration server. Heartbeats are defined in heartbeat.ts.
//
//   POST /v1/registrations                               Registration   -> 200 or 201 LicenseAnswer
//   POST /v1/heartbeats                                  Heartbeat      -> 200 LicenseAnswer, or 204
//   GET  /v1/updates?product_version=0.1.0&channel=stable               -> 200 Release

import { z } from "@hono/zod-openapi";
import { Heartbeat } from "./heartbeat.ts";

/** Default of NDR_TELEMETRY_URL. Null: there is no server yet, and nothing is sent. */
export const DEFAULT_REGISTRATION_ORIGIN: string | null = null;

export const REGISTRATIONS_PATH = "/v1/registrations";
export const HEARTBEATS_PATH = "/v1/heartbeats";
export const UPDATES_PATH = "/v1/updates";

/** User agent of every request; identical for all installations. */
export const TELEMETRY_USER_AGENT = "ndr-telemetry/1";

export const UPDATE_CHANNEL = "stable";

/**
 * Sent once, on the pro plan once per licence; binds a seat to `install_id`. All fields are heartbeat fields.
 */
export const Registration = Heartbeat.pick({
  schema_version: true,
  install_id: true,
  product_version: true,
  plan: true,
  license_key_id_hash: true,
}).strict().openapi("Registration");
export type Registration = z.infer<typeof Registration>;

/** A renewed licence that replaces the file; null if there is nothing to renew. Other fields are ignored. */
export const LicenseAnswer = z.object({
  license: z.string().max(8192).regex(/^[\w-]+\.[\w-]+\.[\w-]+$/, "expected a signed token").nullable(),
}).openapi("LicenseAnswer");
export type LicenseAnswer = z.infer<typeof LicenseAnswer>;

/** A version by https://semver.org without build metadata. */
export const RELEASE_VERSION = /^(0|[1-9]\d{0,5})(\.(0|[1-9]\d{0,5})){2}(-[0-9A-Za-z][0-9A-Za-z.-]{0,31})?$/;

/** The newest release. It is only displayed, never downloaded or installed. */
export const Release = z.object({
  latest_version: z.string().regex(RELEASE_VERSION),
  channel: z.literal(UPDATE_CHANNEL),
  released_on: z.iso.date().openapi({ example: "2026-01-31" }),
  security: z.boolean().openapi({ description: "Whether it contains a security fix." }),
  notice: z.string().max(4000).openapi({
    description: "Plain text; only the first 500 characters are shown.",
  }),
  url: z.string().max(300).regex(/^https:\/\/[\x21-\x7e]+$/, "expected an https URL").openapi({
    description: "Release notes; shown as text.",
  }),
}).openapi("Release");
export type Release = z.infer<typeof Release>;
