import { z } from "zod";
import { SENT_PARTS, type SentPart } from "../contract/analyst/analyst-run.ts";
import { messageOf } from "../kit/errors.ts";
import { isLoopbackIp, isPrivateIp, parseIp } from "../kit/net/ip.ts";
import { mayBeReceiver } from "./receiver-address.ts";
import { bareHost } from "./resolve-receiver.ts";
import { Secret } from "./secret.ts";
import type { Faults } from "./yaml/faults.ts";
import { Identifier } from "./yaml/ids.ts";
import { type ConfigInput, readText } from "./yaml/input.ts";
import { claim, section, YamlFile } from "./yaml/yaml.ts";

export const PROVIDER_APIS = ["openai", "anthropic"] as const;
export type ProviderApi = (typeof PROVIDER_APIS)[number];

/** A server with a language model. */
export interface AnalystProvider {
  /** Unique in the file. */
  id: string;
  api: ProviderApi;
  /** https, or http to this machine or a private address. Without user name, query, fragment and trailing slash. */
  baseUrl: URL;
  model: string;
  apiKey: Secret | null;
  /** Integer micro-USD per million tokens; 0 for a model that costs nothing. */
  inputMicrousdPerMillion: number;
  outputMicrousdPerMillion: number;
  maxInputTokens: number;
  maxOutputTokens: number;
  /** For one call, in milliseconds. */
  timeoutMs: number;
}

/** What the runs of a tenant use. */
interface TenantAnalyst {
  tenantId: string;
  provider: AnalystProvider;
  /** Integer micro-USD per UTC day. */
  dailyBudgetMicrousd: number;
  /** What is sent as it is; the rest is replaced by placeholders. */
  send: SentPart[];
}

export interface AnalystConfig {
  providers: AnalystProvider[];
  /** One entry per tenant at most; a tenant without one has no analyst runs. */
  tenants: TenantAnalyst[];
}

const ANALYST_FILE = "analyst.yaml";
export const NO_ANALYST: AnalystConfig = { providers: [], tenants: [] };

/** Context in which the file is checked. */
interface AnalystContext {
  /** Tenants of sensors and sites; null if unknown because of their faults. */
  tenants: ReadonlySet<string> | null;
}

/** Prices of real models lie far within; what lies outside is most likely per token, per thousand or in dollars. */
const LEAST_PRICE = 1_000;
const MOST_PRICE = 1_000_000_000;
/** A million dollars. */
const MOST_BUDGET = 1_000_000_000_000;
const MOST_KEY = 4096;

const PRICE =
  `expected whole micro-USD per million tokens: ${LEAST_PRICE} to ${MOST_PRICE}, or 0 for a model that costs ` +
  "nothing (150000 is 0.15 USD)";
const Price = z.number({
  error: ({ input }) => `${PRICE}${input === undefined ? ", but it is missing" : ""}`,
})
  .refine(
    (price) => price === 0 || (Number.isInteger(price) && price >= LEAST_PRICE && price <= MOST_PRICE),
    PRICE,
  );

const TIMEOUT = "expected 1 s to 10 min with its unit, such as 60s or 2m";
const Timeout = z.string({ error: TIMEOUT }).transform((text, context) => {
  const match = /^([0-9]{1,4})(s|m)$/.exec(text.trim());
  const seconds = Number(match?.[1] ?? NaN) * (match?.[2] === "m" ? 60 : 1);
  if (seconds >= 1 && seconds <= 600) return seconds * 1000;
  context.addIssue({ code: "custom", message: TIMEOUT });
  return z.NEVER;
});

const Provider = section({
  id: Identifier,
  api: z.enum(PROVIDER_APIS),
  base_url: z.string(),
  model: z.string().regex(
    /^[\x21-\x7e]{1,128}$/,
    "expected the model's name as the provider knows it: 1 to 128 characters without spaces",
  ),
  api_key_file: z.string().min(1).optional(),
  input_microusd_per_million_tokens: Price,
  output_microusd_per_million_tokens: Price,
  max_input_tokens: z.int().min(2_000).max(1_000_000),
  max_output_tokens: z.int().min(100).max(100_000),
  timeout: Timeout.optional(),
});

const Tenant = section({
  tenant_id: Identifier,
  provider: Identifier,
  daily_budget_microusd: z.int().min(1).max(MOST_BUDGET),
  send: z.array(z.enum(SENT_PARTS)).max(SENT_PARTS.length).optional(),
});

/**
 * Reads `analyst.yaml`: `providers:` and `tenants:`. `null` if the file does not exist. Faults go to `faults`; the result
 * must not be used then.
 */
export function readAnalyst(
  input: ConfigInput,
  configDir: string,
  faults: Faults,
  context: AnalystContext,
): AnalystConfig | null {
  const path = `${configDir}/${ANALYST_FILE}`;
  const text = readText(input, path, faults);
  return text === null ? null : parseAnalyst(text, path, input, faults, context);
}

export function parseAnalyst(
  text: string,
  path: string,
  input: ConfigInput,
  faults: Faults,
  context: AnalystContext,
): AnalystConfig {
  const file = YamlFile.parse(text, path, faults);
  if (file === null) return NO_ANALYST;
  const lists = file.lists({ providers: Provider, tenants: Tenant });
  const folder = path.replace(/\/[^/]*$/, "");

  /** By id; null if the entry has a fault. */
  const providers = new Map<string, AnalystProvider | null>();
  const ids = new Map<string, string>();
  for (const [index, { path: at, value, valid }] of lists.providers.entries()) {
    const fault = (key: string, why: string) => file.fault([...at, key], why);
    if (valid.id !== undefined) {
      claim(
        ids,
        valid.id,
        `providers[${index}]`,
        (first) => fault("id", `expected a unique id, but ${first} has it too`),
      );
    }
    const baseUrl = valid.base_url === undefined ? null : readBaseUrl(valid.base_url, fault);
    const apiKey = valid.api_key_file === undefined
      ? null
      : readApiKey(input, folder, valid.api_key_file, fault);
    const isKeyMissing = valid.api_key_file !== undefined && apiKey === null;
    const usable = value === null || baseUrl === null || isKeyMissing ? null : {
      id: value.id,
      api: value.api,
      baseUrl,
      model: value.model,
      apiKey,
      inputMicrousdPerMillion: value.input_microusd_per_million_tokens,
      outputMicrousdPerMillion: value.output_microusd_per_million_tokens,
      maxInputTokens: value.max_input_tokens,
      maxOutputTokens: value.max_output_tokens,
      timeoutMs: value.timeout ?? 60_000,
    };
    if (valid.id !== undefined) providers.set(valid.id, usable);
  }

  const tenants: TenantAnalyst[] = [];
  const seen = new Map<string, string>();
  for (const [index, { path: at, value, valid }] of lists.tenants.entries()) {
    const fault = (key: string, why: string) => file.fault([...at, key], why);
    if (valid.tenant_id !== undefined) {
      claim(
        seen,
        valid.tenant_id,
        `tenants[${index}]`,
        (first) => fault("tenant_id", `expected one entry per tenant, but ${first} has it too`),
      );
      if (context.tenants?.has(valid.tenant_id) === false) {
        fault("tenant_id", "expected a tenant that a sensor or a site names");
      }
    }
    if (valid.provider !== undefined && !providers.has(valid.provider)) {
      const known = [...providers.keys()].join(", ");
      fault(
        "provider",
        `expected the id of a provider above${known === "" ? "; there is none" : `: ${known}`}`,
      );
    }
    const provider = valid.provider === undefined ? null : providers.get(valid.provider) ?? null;
    if (value === null || provider === null) continue;
    tenants.push({
      tenantId: value.tenant_id,
      provider,
      dailyBudgetMicrousd: value.daily_budget_microusd,
      send: [...new Set(value.send ?? [])],
    });
  }
  return { providers: [...providers.values()].filter((one) => one !== null), tenants };
}

/** The texts of the file that no log may show. */
export function analystSecrets({ providers }: AnalystConfig): string[] {
  return providers.flatMap(({ apiKey }) => apiKey?.reveal() ?? []);
}

type Report = (key: string, why: string) => void;

function readBaseUrl(text: string, fault: Report): URL | null {
  const url = URL.parse(text);
  const refuse = (why: string) => {
    fault("base_url", why);
    return null;
  };
  if (url === null || !["https:", "http:"].includes(url.protocol) || url.hostname === "") {
    return refuse("expected the URL of the provider's API, such as http://127.0.0.1:11434/v1");
  }
  if (url.username !== "" || url.password !== "") {
    return refuse("expected a URL without a user name and password; api_key_file names the key");
  }
  if (/[?#]/.test(text)) return refuse("expected a URL without a query or a fragment");
  const host = bareHost(url);
  const address = parseIp(host);
  if (address !== null && !mayBeReceiver(host)) {
    return refuse("expected a server's address; link-local and cloud metadata addresses are refused");
  }
  const isNear = host === "localhost" ||
    (address !== null && (isLoopbackIp(address) || isPrivateIp(address)));
  if (url.protocol === "http:" && !isNear) {
    return refuse(
      "expected https://; plain http:// is for this machine or a private address such as 10.0.0.5, not for a name",
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, "");
  return url;
}

/** The key in a file, relative to analyst.yaml; its text is never shown. */
function readApiKey(input: ConfigInput, folder: string, name: string, fault: Report): Secret | null {
  const path = name.startsWith("/") ? name : `${folder}/${name}`;
  let text: string;
  try {
    text = new TextDecoder("latin1").decode(input.readFile(path)).replace(/\r?\n$/, "");
  } catch (error) {
    const why = error instanceof Deno.errors.NotFound ? "it does not exist" : messageOf(error);
    fault("api_key_file", `expected the path of a readable file, but ${path}: ${why}`);
    return null;
  }
  if (/^[\x21-\x7e]+$/.test(text) && text.length >= 8 && text.length <= MOST_KEY) return new Secret(text);
  fault(
    "api_key_file",
    `expected one line with a key of 8 to ${MOST_KEY} characters without spaces in ${path}`,
  );
  return null;
}
