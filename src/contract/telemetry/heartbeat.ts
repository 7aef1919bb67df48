// The daily heartbeat: the complete payload and the permitted values of each field. The rules are closed, so
// that no value can identify a network, machine or person; a guard checks them against the text to be sent.

import { z } from "@hono/zod-openapi";
import { CONNECTOR_IDS } from "../connector/connector.ts";
import { LEARNING_PHASES } from "../site.ts";

export const HEARTBEAT_SCHEMA_VERSION = 1;

const PLANS = ["free", "pro"] as const;
export type Plan = (typeof PLANS)[number];

/** `ID`s of distributions reported by name; any other is `other`, or `unknown` without a release file. */
export const OS_IDS = [
  "almalinux",
  "alpine",
  "amzn",
  "arch",
  "centos",
  "debian",
  "fedora",
  "gentoo",
  "linuxmint",
  "nixos",
  "ol",
  "opensuse-leap",
  "opensuse-tumbleweed",
  "raspbian",
  "rhel",
  "rocky",
  "sles",
  "ubuntu",
  "other",
  "unknown",
] as const;
export type OsId = (typeof OS_IDS)[number];

export const ARCHITECTURES = ["x86_64", "aarch64", "other"] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

export const DEVICE_BUCKETS = ["0-10", "11-50", "51-200", "201-1000", ">1000"] as const;
export type DeviceBucket = (typeof DEVICE_BUCKETS)[number];

/** Source categories, in reporting order. */
export const SOURCE_CATEGORIES = ["netflow", "suricata", "zeek", "unbound"] as const;
export type SourceCategory = (typeof SOURCE_CATEGORIES)[number];

export const UPTIME_BUCKETS = ["<1h", "1-24h", "1-7d", "7-30d", "30-90d", ">90d"] as const;
export type UptimeBucket = (typeof UPTIME_BUCKETS)[number];

export const ERROR_BUCKETS = ["0", "1-10", "11-100", "101-1000", ">1000"] as const;
export type ErrorBucket = (typeof ERROR_BUCKETS)[number];

/** `ins_` and 32 lower-case hex characters; random, not derived from the machine. */
export const INSTALL_ID = /^ins_[0-9a-f]{32}$/;

/**
 * `1.2.3`, `1.2.3-rc.1`, `1.2.3-4~deb12u1`: numbers and release keywords. At most three numbers, because the
 * guard takes four for an IPv4 address.
 */
const VERSION =
  /^(0|[1-9]\d{0,3})(\.(0|[1-9]\d{0,2})){2}([-~](alpha|beta|dev|pre|rc)(\.?\d{1,3})?)?(-\d{1,3})?([~+](deb|bpo|ubuntu)\d{1,2}(\.\d{1,2})?(u\d{1,2})?)?$/;
const SENT_AT = /^20\d\d-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/;

const Version = z.string().regex(VERSION);

/** All keys are required and no others allowed. Rules across several fields are in the guard. */
export const Heartbeat = z.strictObject({
  schema_version: z.literal(HEARTBEAT_SCHEMA_VERSION),
  install_id: z.string().regex(INSTALL_ID),
  product_version: Version,
  bundle_version: Version,
  os_id: z.enum(OS_IDS),
  os_version_major: z.string().regex(/^(\d{1,4}|unknown)$/),
  kernel_major: z.string().regex(/^(\d{1,2}|unknown)$/),
  arch: z.enum(ARCHITECTURES),
  plan: z.enum(PLANS),
  license_key_id_hash: z.string().regex(/^[0-9a-f]{16}$/).nullable(),
  tenant_count: z.int().min(0).max(1_000_000),
  device_bucket: z.enum(DEVICE_BUCKETS),
  source_kinds: z.array(z.enum(SOURCE_CATEGORIES)).max(SOURCE_CATEGORIES.length)
    .refine((kinds) => new Set(kinds).size === kinds.length, "expected one entry per category"),
  connector_counts: z.partialRecord(z.enum(CONNECTOR_IDS), z.int().min(0).max(1_000_000)),
  uptime_bucket: z.enum(UPTIME_BUCKETS),
  learning_phase: z.enum(LEARNING_PHASES),
  ingest_error_bucket: z.enum(ERROR_BUCKETS),
  sent_at: z.string().regex(SENT_AT),
}).openapi("Heartbeat");
export type Heartbeat = z.infer<typeof Heartbeat>;
export type HeartbeatField = keyof Heartbeat;

interface FieldNote {
  /** Permitted values, as in the interface document. */
  rule: string;
  /** Origin of the value, for administrators who want to know what is sent. */
  meaning: string;
}

/** The payload's fields, in sending order. */
export const HEARTBEAT_FIELDS: Readonly<Record<HeartbeatField, FieldNote>> = {
  schema_version: { rule: "integer, 1", meaning: "version of this table" },
  install_id: {
    rule: "string, `ins_` followed by 32 lowercase hex characters",
    meaning: "random, generated once, stored in the file install-id",
  },
  product_version: { rule: "string", meaning: "version of the program" },
  bundle_version: {
    rule: "string",
    meaning: "version of the installed package; in a checkout the program's version",
  },
  os_id: {
    rule: "string",
    meaning: "`ID` of os-release for well-known distributions, otherwise `other`",
  },
  os_version_major: {
    rule: "string",
    meaning: "first number of `VERSION_ID` of os-release; `unknown` if missing or for other distributions",
  },
  kernel_major: { rule: "string", meaning: "first number of the kernel release" },
  arch: { rule: "string", meaning: "processor architecture: x86_64, aarch64 or other" },
  plan: { rule: "`free` or `pro`", meaning: "plan of the licence" },
  license_key_id_hash: {
    rule: "string or null; first 16 hex characters of a SHA-256 over the key identifier; pro only",
    meaning: "assigns the installation to a licence; null on the free plan",
  },
  tenant_count: { rule: "integer", meaning: "number of configured tenants" },
  device_bucket: {
    rule: "`0-10`, `11-50`, `51-200`, `201-1000`, `>1000`",
    meaning: "approximate number of devices of all tenants",
  },
  source_kinds: {
    rule:
      "string[]; source categories `netflow`, `suricata`, `zeek`, `unbound` (one entry per category, not per kind or sensor)",
    meaning: "categories that the enabled sensors may send",
  },
  connector_counts: {
    rule: "map of connector type to instance count; never instance names",
    meaning: "number of enabled instances",
  },
  uptime_bucket: {
    rule: "`<1h`, `1-24h`, `1-7d`, `7-30d`, `30-90d`, `>90d`",
    meaning: "time since the machine was started",
  },
  learning_phase: {
    rule: "`learning`, `complete`, `unknown`",
    meaning: "`learning` while any tenant is learning, `complete` once none is, `unknown` without records",
  },
  ingest_error_bucket: {
    rule: "`0`, `1-10`, `11-100`, `101-1000`, `>1000`",
    meaning: "lines of the last 24 hours that were rejected or could not be parsed",
  },
  sent_at: { rule: "RFC 3339 UTC timestamp", meaning: "time when the payload was built" },
};
