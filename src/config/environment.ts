import { type Listen, readListen, readUrl } from "./addresses.ts";
import type { Faults } from "./yaml/faults.ts";
import type { ConfigInput } from "./yaml/input.ts";
import type { Secret } from "./secret.ts";
import { Variables } from "./variables.ts";

const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Shorter bearer tokens are refused, in characters. */
export const MIN_TOKEN_LENGTH = 16;
const MIN_SERVICE_KEY_BYTES = 32;
const RATES = { min: 1, max: 1_000_000 };

/** The values of the `NDR_*` variables. `null`: not set and without a default. */
export interface Environment {
  /** `NDR_CONFIG_DIR`, /etc/ndr. */
  configDir: string;
  /** `NDR_STATE_DIR`, /var/lib/ndr. */
  stateDir: string;
  /** `NDR_DATABASE_URL`: `postgres://…` or `embedded:<directory>`; may hold a password. */
  databaseUrl: Secret | null;
  /** `NDR_CORE_LISTEN`, 127.0.0.1:8081; loopback only. */
  coreListen: Listen;
  /** `NDR_WEB_LISTEN`, 127.0.0.1:8080; loopback only. */
  webListen: Listen;
  /** Content of `NDR_SERVICE_KEY_FILE`, at least 32 bytes: signs requests from web to core. */
  serviceKey: Uint8Array | null;
  /** `NDR_PUBLIC_URL`: origin of the dashboard. */
  publicUrl: string | null;
  /** `NDR_OIDC_ISSUER`, `NDR_OIDC_CLIENT_ID`, `NDR_OIDC_CLIENT_SECRET`: all three or none; `NDR_OIDC_OFFLINE_ACCESS`, off. */
  oidc: { issuer: string; clientId: string; clientSecret: Secret; offlineAccess?: boolean } | null;
  /** `NDR_METRICS_TOKEN`, at least 16 printable ASCII characters. Without it there is no metrics route. */
  metricsToken: Secret | null;
  /** `NDR_CONNECTORS_ENABLED`, false. */
  connectorsEnabled: boolean;
  /** `NDR_TELEMETRY`, on. */
  telemetry: boolean;
  /** `NDR_TELEMETRY_URL`: another registration server; http only to this machine and only for `ndr up`. */
  telemetryUrl: string | null;
  /** `NDR_RETENTION_DAYS`, 30; 1 to 3650. */
  retentionDays: number;
  /**
   * `NDR_RETENTION_BYTES`: no limit if unset. Counts the size on disk of NDR's own tables with their indexes,
   * not the server's catalogue, write-ahead log (`max_wal_size`, 1 GB by default) and other databases.
   */
  retentionBytes: number | null;
  /** `NDR_AUDIT_DAYS`, 400; 90 to 3650: days that audit rows are kept. */
  auditDays: number;
  /**
   * `NDR_IDENTITY_JOB`, off: whether devices that are one machine are merged. Switching it off undoes merges.
   */
  identityJob: boolean;
  /** `NDR_INGEST_RATE` (50000) records per second for each source, `NDR_INGEST_BURST` (200000) on top. */
  ingest: { ratePerSecond: number; burst: number };
  /**
   * `NDR_SESSION_RATE` (100), `NDR_ADDRESS_RATE` (300), `NDR_SIGN_IN_RATE` (20): requests per second that the
   * web layer accepts in one session, from one address, and from one address to the sign-in; 20 times as many
   * at once.
   */
  rates: { session: number; address: number; signIn: number };
  /** `NDR_LOG_LEVEL`, info. */
  logLevel: LogLevel;
}

/** Variables without a default that a process requires. */
type Required = "NDR_DATABASE_URL" | "NDR_SERVICE_KEY_FILE" | "NDR_PUBLIC_URL" | "NDR_OIDC_ISSUER";

export const DEFAULT_CONFIG_DIR = "/etc/ndr";
const DEFAULT_STATE_DIR = "/var/lib/ndr";

/** Reads every `NDR_*` variable; faults, including missing `required` ones, go to `faults`. */
export function readEnvironment(
  input: ConfigInput,
  faults: Faults,
  required: readonly Required[] = [],
): Environment {
  const configDir = input.env("NDR_CONFIG_DIR") || DEFAULT_CONFIG_DIR;
  const variables = new Variables(input, faults, `${configDir}/ndr.env`);
  for (const name of required) {
    const given = name === "NDR_DATABASE_URL" ? variables.hasSecret(name) : variables.text(name) !== null;
    if (!given) variables.fault(name, "expected to be set");
  }
  return {
    configDir,
    stateDir: variables.text("NDR_STATE_DIR") ?? DEFAULT_STATE_DIR,
    databaseUrl: readDatabaseUrl(variables),
    coreListen: readListen(variables, "NDR_CORE_LISTEN", { host: "127.0.0.1", port: 8081 }),
    webListen: readListen(variables, "NDR_WEB_LISTEN", { host: "127.0.0.1", port: 8080 }),
    serviceKey: readServiceKey(variables),
    publicUrl: readUrl(variables, "NDR_PUBLIC_URL", { origin: true }),
    oidc: readOidc(variables),
    metricsToken: readMetricsToken(variables),
    connectorsEnabled: variables.flag("NDR_CONNECTORS_ENABLED", false),
    telemetry: variables.flag("NDR_TELEMETRY", true),
    telemetryUrl: readUrl(variables, "NDR_TELEMETRY_URL", { origin: true, outgoing: true }),
    retentionDays: variables.integer("NDR_RETENTION_DAYS", { min: 1, max: 3650 }) ?? 30,
    retentionBytes: variables.size("NDR_RETENTION_BYTES"),
    auditDays: variables.integer("NDR_AUDIT_DAYS", { min: 90, max: 3650 }) ?? 400,
    identityJob: variables.flag("NDR_IDENTITY_JOB", false),
    ingest: {
      ratePerSecond: variables.integer("NDR_INGEST_RATE", { min: 1, max: 10_000_000 }) ?? 50_000,
      burst: variables.integer("NDR_INGEST_BURST", { min: 1, max: 100_000_000 }) ?? 200_000,
    },
    rates: {
      session: variables.integer("NDR_SESSION_RATE", RATES) ?? 100,
      address: variables.integer("NDR_ADDRESS_RATE", RATES) ?? 300,
      signIn: variables.integer("NDR_SIGN_IN_RATE", RATES) ?? 20,
    },
    logLevel: variables.oneOf("NDR_LOG_LEVEL", LOG_LEVELS, "info"),
  };
}

function readDatabaseUrl(variables: Variables): Secret | null {
  const url = variables.secret("NDR_DATABASE_URL");
  if (url === null || /^(postgres(ql)?:\/\/|embedded:).+/.test(url.reveal())) return url;
  variables.fault("NDR_DATABASE_URL", "expected postgres://… or embedded:<directory>");
  return null;
}

function readServiceKey(variables: Variables): Uint8Array | null {
  const name = "NDR_SERVICE_KEY_FILE";
  const path = variables.text(name);
  if (path === null) return null;
  const key = variables.bytes(name, path);
  if (key === null || key.length >= MIN_SERVICE_KEY_BYTES) return key;
  variables.fault(name, `expected at least ${MIN_SERVICE_KEY_BYTES} bytes in ${path}, got ${key.length}`);
  return null;
}

function readOidc(variables: Variables): Environment["oidc"] {
  const issuer = readUrl(variables, "NDR_OIDC_ISSUER", { origin: false, outgoing: true });
  const clientId = variables.text("NDR_OIDC_CLIENT_ID");
  const clientSecret = variables.secret("NDR_OIDC_CLIENT_SECRET");
  const offlineAccess = variables.flag("NDR_OIDC_OFFLINE_ACCESS", false);
  const given = variables.text("NDR_OIDC_ISSUER") !== null || clientId !== null || clientSecret !== null;
  if (!given) return null;
  if (variables.text("NDR_OIDC_ISSUER") === null) {
    variables.fault(
      "NDR_OIDC_ISSUER",
      "expected the provider's issuer URL beside the other NDR_OIDC_ variables",
    );
  }
  if (clientId === null) {
    variables.fault("NDR_OIDC_CLIENT_ID", "expected the client identifier beside NDR_OIDC_ISSUER");
  }
  if (clientSecret === null) {
    variables.fault("NDR_OIDC_CLIENT_SECRET", "expected the client's secret, or NDR_OIDC_CLIENT_SECRET_FILE");
  }
  return issuer !== null && clientId !== null && clientSecret !== null
    ? { issuer, clientId, clientSecret, offlineAccess }
    : null;
}

function readMetricsToken(variables: Variables): Secret | null {
  const name = "NDR_METRICS_TOKEN";
  const token = variables.secret(name);
  if (token === null) return null;
  if (token.length < MIN_TOKEN_LENGTH) {
    variables.fault(name, `expected at least ${MIN_TOKEN_LENGTH} characters, got ${token.length}`);
    return null;
  }
  // An Authorization header could never carry it.
  if (/^[\x21-\x7e]+$/.test(token.reveal())) return token;
  variables.fault(name, "expected printable ASCII characters without spaces");
  return null;
}
