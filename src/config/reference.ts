// Every environment variable and configuration file, described once: the commands' help and the documentation are rendered
// from this list.

/** Which process reads it. `up` is the evaluation of `ndr up`, `replay` the command. */
export type Reader = "core" | "web" | "up" | "replay";

interface VariableReference {
  name: string;
  readBy: readonly Reader[];
  /** What it sets, with units and range. */
  text: string;
  /** The value without it; null if there is none, `required` if the process does not start without it. */
  value: string | null | "required";
  /** `NAME_FILE` may name a file that holds the value. */
  secret?: true;
  /** Takes effect at SIGHUP; otherwise at the next start. */
  reloads?: true;
}

interface FileReference {
  name: string;
  readBy: readonly Reader[];
  text: string;
  required?: true;
  /** When a change takes effect. */
  applied: "SIGHUP" | "on change";
}

export const VARIABLES: readonly VariableReference[] = [
  {
    name: "NDR_CONFIG_DIR",
    readBy: ["core", "web", "up"],
    text: "folder of the configuration files",
    value: "/etc/ndr",
  },
  {
    name: "NDR_SERVICE_KEY_FILE",
    readBy: ["core", "web"],
    text: "file with at least 32 random bytes, the same for core and web: signs requests from web to core",
    value: "required",
  },
  {
    name: "NDR_CORE_LISTEN",
    readBy: ["core", "web", "up"],
    text: "address and port of the core, loopback only",
    value: "127.0.0.1:8081",
  },
  {
    name: "NDR_LOG_LEVEL",
    readBy: ["core", "web", "up"],
    text: "debug, info, warn or error",
    value: "info",
  },
  {
    name: "NDR_STATE_DIR",
    readBy: ["core", "up"],
    text: "folder for what the core keeps beside the database",
    value: "/var/lib/ndr",
  },
  {
    name: "NDR_DATABASE_URL",
    readBy: ["core", "up"],
    text: "postgres://… (version 15 or later) or embedded:<folder>",
    value: "required",
    secret: true,
  },
  {
    name: "NDR_RETENTION_DAYS",
    readBy: ["core", "up"],
    text: "days that records are kept, 1 to 3650",
    value: "30",
  },
  {
    name: "NDR_RETENTION_BYTES",
    readBy: ["core", "up"],
    text: "most bytes that records take, such as 500G; the oldest days are deleted first",
    value: null,
  },
  {
    name: "NDR_AUDIT_DAYS",
    readBy: ["core", "up"],
    text: "days that audit rows are kept, 90 to 3650",
    value: "400",
  },
  {
    name: "NDR_IDENTITY_JOB",
    readBy: ["core", "up"],
    text: "on: devices that are one machine are merged; off undoes all merges",
    value: "off",
  },
  {
    name: "NDR_CONNECTORS_ENABLED",
    readBy: ["core", "up"],
    text:
      "true: the instances of connectors.yaml deliver; otherwise they send nothing and keep their bookmarks",
    value: "false",
  },
  {
    name: "NDR_PUBLIC_URL",
    readBy: ["core", "web", "up"],
    text: "the dashboard's https address for browsers; core uses it for links in events, web requires it",
    value: null,
  },
  {
    name: "NDR_TELEMETRY",
    readBy: ["core", "up"],
    text: "off: no registration, no daily heartbeat, no update check",
    value: "on",
  },
  {
    name: "NDR_TELEMETRY_URL",
    readBy: ["core", "up"],
    text: "https origin of the registration server; without it nothing is sent",
    value: null,
  },
  {
    name: "NDR_INGEST_RATE",
    readBy: ["core", "up"],
    text:
      "records per second that each source may sustain, 1 to 10000000; 4096 bytes of decompressed body count as at least one record",
    value: "50000",
  },
  {
    name: "NDR_INGEST_BURST",
    readBy: ["core", "up"],
    text: "records that a source may send at once on top, 1 to 100000000",
    value: "200000",
  },
  {
    name: "NDR_WEB_LISTEN",
    readBy: ["web", "up"],
    text: "address and port of the dashboard, loopback only",
    value: "127.0.0.1:8080",
  },
  {
    name: "NDR_OIDC_ISSUER",
    readBy: ["web"],
    text: "issuer URL of the OIDC provider; link-local and cloud metadata addresses are refused",
    value: "required",
  },
  {
    name: "NDR_OIDC_CLIENT_ID",
    readBy: ["web"],
    text: "client identifier at the provider",
    value: "required",
  },
  {
    name: "NDR_OIDC_CLIENT_SECRET",
    readBy: ["web"],
    text: "client secret at the provider",
    value: "required",
    secret: true,
  },
  {
    name: "NDR_OIDC_OFFLINE_ACCESS",
    readBy: ["web"],
    text: "on: asks the provider for a refresh token (scope offline_access), so that groups are read again",
    value: "off",
  },
  {
    name: "NDR_METRICS_TOKEN",
    readBy: ["web", "up"],
    text:
      "bearer token of GET /metrics, at least 16 printable ASCII characters; without it the route does not exist",
    value: null,
    secret: true,
  },
  {
    name: "NDR_SESSION_RATE",
    readBy: ["web", "up"],
    text: "requests per second that a session may sustain, 1 to 1000000, with a burst of 20 times as many",
    value: "100",
  },
  {
    name: "NDR_ADDRESS_RATE",
    readBy: ["web", "up"],
    text: "the same for a client address (IPv6: a /64)",
    value: "300",
  },
  {
    name: "NDR_SIGN_IN_RATE",
    readBy: ["web", "up"],
    text: "the same for a client address at the sign-in",
    value: "20",
  },
  {
    name: "NDR_UP_SAMPLE",
    readBy: ["up"],
    text:
      "off: start without the sample: recorded traffic with its site and devices, which is also left out if there is a sources.yaml",
    value: "on",
  },
  {
    name: "NDR_UP_ANALYST",
    readBy: ["up"],
    text:
      "base URL of an OpenAI-compatible model server for analyst runs, such as http://127.0.0.1:11434/v1, unless there is an " +
      "analyst.yaml",
    value: null,
  },
  {
    name: "NDR_UP_ANALYST_MODEL",
    readBy: ["up"],
    text: "name of the model at NDR_UP_ANALYST",
    value: "llama3.1",
  },
  {
    name: "NDR_SOURCE_TOKEN",
    readBy: ["replay"],
    text: "token of the source that the records are sent as",
    value: null,
    secret: true,
  },
];

export const OTEL_TEXT = [
  "OTEL_DENO=true sends OpenTelemetry spans to OTEL_EXPORTER_OTLP_ENDPOINT (http://localhost:4318);",
  "set OTEL_DENO_CONSOLE=ignore as well.",
].join(" ");

export const CONFIG_FILES: readonly FileReference[] = [
  {
    name: "sources.yaml",
    readBy: ["core"],
    text: "sensors: token, tenant, allowed kinds, trust",
    required: true,
    applied: "SIGHUP",
  },
  {
    name: "sites.yaml",
    readBy: ["core", "web"],
    text: "sites of each tenant, their internal networks and VLANs; web reads the tenants' names",
    applied: "SIGHUP",
  },
  {
    name: "access.yaml",
    readBy: ["web"],
    text: "OIDC claims that give roles in tenants; also applies to people who are signed in",
    required: true,
    applied: "SIGHUP",
  },
  {
    name: "inventory.yaml",
    readBy: ["core"],
    text: "known devices: name, type, owner, tags",
    applied: "SIGHUP",
  },
  {
    name: "response.yaml",
    readBy: ["core"],
    text: "gates of automatic mode, whether a second person must approve, and executors with their tokens",
    applied: "SIGHUP",
  },
  {
    name: "connectors.yaml",
    readBy: ["core"],
    text: "webhooks: receiver, tenant, subscription and key file (ndr connectors --help)",
    applied: "SIGHUP",
  },
  {
    name: "analyst.yaml",
    readBy: ["core"],
    text: "analyst runs: model providers with their prices, budget of each tenant and what may be sent",
    applied: "SIGHUP",
  },
  {
    name: "license.jwt",
    readBy: ["core"],
    text: "the pro licence (ndr license show --help)",
    applied: "SIGHUP",
  },
  { name: "intel/", readBy: ["core"], text: "lists of indicators", applied: "on change" },
  { name: "geoip/", readBy: ["core"], text: "*.mmdb databases of places and networks", applied: "on change" },
];
