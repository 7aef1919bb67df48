import { ACCESS_FILE, type AccessPolicy, readAccess } from "./access.ts";
import { type AnalystConfig, analystSecrets, NO_ANALYST, readAnalyst } from "./analyst.ts";
import { type ConfiguredConnector, readConnectors, type WebhookConfig } from "./connectors.ts";
import { type Environment, readEnvironment } from "./environment.ts";
import { Faults } from "./yaml/faults.ts";
import { type ConfigInput, systemInput } from "./yaml/input.ts";
import { readInventory, type TenantInventory } from "./inventory.ts";
import { readResponse, type TenantResponse } from "./response.ts";
import type { Secret } from "./secret.ts";
import { readSites, type SiteConfig } from "./sites.ts";
import { readSources, type RegisteredSource, SOURCES_FILE } from "./sources.ts";
import { requireSecureTelemetry } from "./telemetry.ts";

export interface CoreConfig {
  environment: Environment & { databaseUrl: Secret; serviceKey: Uint8Array };
  sources: RegisteredSource[];
  sites: SiteConfig[];
  inventory: TenantInventory[];
  response: TenantResponse[];
  connectors: ConfiguredConnector[];
  analyst: AnalystConfig;
}

export interface WebConfig {
  environment: Environment & {
    serviceKey: Uint8Array;
    publicUrl: string;
    oidc: NonNullable<Environment["oidc"]>;
  };
  access: AccessPolicy;
  /** For the tenants' names. */
  sites: SiteConfig[];
}

/** The configuration of `ndr core`. Throws one ConfigError with all faults. */
export function loadCoreConfig(input: ConfigInput = systemInput): CoreConfig {
  const faults = new Faults();
  const environment = readEnvironment(input, faults, ["NDR_DATABASE_URL", "NDR_SERVICE_KEY_FILE"]);
  requireSecureTelemetry(input, environment, faults);
  const sources = readSources(input, environment.configDir, faults);
  if (sources === null) missing(faults, environment, SOURCES_FILE, "`sources:` and a list of sensors");
  const sites = readSites(input, environment.configDir, faults);
  // After a fault, a tenant may be missing only because its sensor is.
  const tenants = faults.list.length === 0 ? tenantsOf(sources ?? [], sites ?? []) : null;
  const inventory = readInventory(input, environment.configDir, faults, tenants);
  const taken = takenTokens(environment, sources ?? []);
  const response = readResponse(input, environment.configDir, faults, { tenants, taken });
  const connectors = readConnectors(input, environment.configDir, faults, {
    tenants,
    publicUrl: environment.publicUrl,
  });
  const analyst = readAnalyst(input, environment.configDir, faults, { tenants });
  faults.throwIfAny();
  return {
    environment: {
      ...environment,
      databaseUrl: present(environment.databaseUrl),
      serviceKey: present(environment.serviceKey),
    },
    sources: present(sources),
    sites: sites ?? [],
    inventory: inventory ?? [],
    response: response ?? [],
    connectors: connectors ?? [],
    analyst: analyst ?? NO_ANALYST,
  };
}

/** Tokens that executors must not share, with their owners. */
export function takenTokens(
  { metricsToken }: Environment,
  sources: readonly RegisteredSource[],
): { token: Secret; of: string }[] {
  const taken = sources.map(({ source, token }) => ({ token, of: `the sensor ${source.sensorId}` }));
  return metricsToken === null ? taken : [...taken, { token: metricsToken, of: "NDR_METRICS_TOKEN" }];
}

/** All tenants of sensors and sites. */
export function tenantsOf(
  sources: readonly RegisteredSource[],
  sites: readonly SiteConfig[],
): ReadonlySet<string> {
  return new Set([...sites.map((site) => site.tenantId), ...sources.map(({ source }) => source.tenantId)]);
}

/** The configuration of `ndr web`. Throws one ConfigError with all faults. */
export function loadWebConfig(input: ConfigInput = systemInput): WebConfig {
  const faults = new Faults();
  const environment = readEnvironment(input, faults, [
    "NDR_SERVICE_KEY_FILE",
    "NDR_PUBLIC_URL",
    "NDR_OIDC_ISSUER",
  ]);
  const access = readAccess(input, environment.configDir, faults);
  if (access === null) missing(faults, environment, ACCESS_FILE, "`rules:` and a list of access rules");
  const sites = readSites(input, environment.configDir, faults);
  faults.throwIfAny();
  return {
    environment: {
      ...environment,
      serviceKey: present(environment.serviceKey),
      publicUrl: present(environment.publicUrl),
      oidc: present(environment.oidc),
    },
    access: present(access),
    sites: sites ?? [],
  };
}

/** Shorter URL paths are ordinary words, such as `/hooks/ndr`, and hide nothing. */
const MIN_SECRET_PLACE = 16;

/** All secret texts of a configuration, for the log's redaction. */
export function secretTexts(
  environment: Environment,
  sources: readonly RegisteredSource[] = [],
  response: readonly TenantResponse[] = [],
  connectors: readonly ConfiguredConnector[] = [],
  analyst: AnalystConfig = NO_ANALYST,
): string[] {
  const { oidc, metricsToken, databaseUrl } = environment;
  const executors = response.flatMap((tenant) => tenant.executors);
  const tokens = [...sources, ...executors].map(({ token }) => token);
  const secrets = [oidc?.clientSecret, metricsToken, databaseUrl, ...tokens];
  const texts = [
    ...secrets.flatMap((secret) => secret?.reveal() ?? []),
    ...connectors.flatMap(({ webhook }) => webhookTexts(webhook)),
    ...analystSecrets(analyst),
  ];
  const password = URL.parse(databaseUrl?.reveal() ?? "")?.password ?? "";
  return [...new Set(password === "" ? texts : [...texts, password, percentDecoded(password)])];
}

/** The key in all its usual forms, and the parts of the URL that may protect the receiver. */
function webhookTexts({ key, url }: WebhookConfig): string[] {
  const bytes = key.reveal();
  const place = `${url.pathname}${url.search}`;
  const texts = [new TextDecoder().decode(bytes), bytes.toHex(), bytes.toBase64()];
  return place.length >= MIN_SECRET_PLACE ? [...texts, place] : texts;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A bare percent sign: the text stays as it is.
    return text;
  }
}

function missing(faults: Faults, environment: Environment, file: string, content: string): void {
  // An existing but unreadable file has its fault already.
  const path = `${environment.configDir}/${file}`;
  if (faults.list.some((fault) => fault.file === path)) return;
  faults.add(
    { file: path, line: null, column: null },
    `expected a file with ${content}, but it does not exist`,
  );
}

/** Missing settings were reported before, so this cannot happen; it satisfies the type checker. */
function present<T>(value: T | null): T {
  if (value === null) throw new Error("a required setting is missing without a reported fault");
  return value;
}
