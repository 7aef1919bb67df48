import { z } from "zod";
import { CONNECTOR_IDS, type ConnectorId } from "../contract/connector/connector.ts";
import { SEVERITIES, type Severity } from "../contract/record/kinds.ts";
import {
  MIN_WEBHOOK_KEY,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from "../contract/connector/webhook.ts";
import { messageOf } from "../kit/errors.ts";
import { parseIp } from "../kit/net/ip.ts";
import { secureOrigin } from "./addresses.ts";
import type { Faults } from "./yaml/faults.ts";
import { Identifier } from "./yaml/ids.ts";
import { type ConfigInput, readText } from "./yaml/input.ts";
import { mayBeReceiver } from "./receiver-address.ts";
import { bareHost } from "./resolve-receiver.ts";
import { SecretKey } from "./secret.ts";
import { type Faultless, section, YamlFile } from "./yaml/yaml.ts";

/** One entry of `connectors.yaml`. */
export interface ConfiguredConnector {
  connector: ConnectorId;
  /** Its name, unique among connectors of its type. */
  instance: string;
  tenantId: string;
  enabled: boolean;
  webhook: WebhookConfig;
}

export interface WebhookConfig {
  /** https, or http if `allow_insecure_http` is set. */
  url: URL;
  /**
   * SHA-256 of the receiver's certificate, 64 lower-case hex digits; null verifies against the system's
   * roots.
   */
  fingerprint: string | null;
  /** Delivered types; null for all. */
  events: ReadonlySet<WebhookEventType> | null;
  /** Incident and response events below it are held back; null for none. */
  minSeverity: Severity | null;
  /** For one request, in milliseconds. */
  timeoutMs: number;
  /** Before the second attempt of a round, in milliseconds. */
  retryDelayMs: number;
  maxPending: number;
  /** Origin of the dashboard for links; null if unknown. */
  publicUrl: string | null;
  /** At least 16 bytes. */
  key: SecretKey;
}

export const CONNECTORS_FILE = "connectors.yaml";
export const DEFAULT_MAX_PENDING = 1000;

/** Context in which the file is checked. */
interface ConnectorsContext {
  /** Tenants of sensors and sites; null if unknown because of their faults. */
  tenants: ReadonlySet<string> | null;
  /** NDR_PUBLIC_URL. */
  publicUrl: string | null;
}

const Webhook = section({
  url: z.string(),
  tls_fingerprint_sha256: z.string().optional(),
  allow_insecure_http: z.boolean().optional(),
  events: z.string().nullable().optional(),
  min_severity: z.enum(SEVERITIES).optional(),
  timeout: duration(1, 30).optional(),
  retry_delay: duration(0.1, 60).optional(),
  max_pending: z.int().min(10).max(10_000).optional(),
  public_url: z.string().optional(),
});

const Entry = section({
  id: z.enum(CONNECTOR_IDS),
  instance: Identifier,
  tenant: Identifier,
  enabled: z.boolean().optional(),
  config: Webhook,
  secrets: section({ secret: z.string().min(1) }),
});
type Entry = z.infer<typeof Entry>;

/** Seconds, as a number or as text such as `5s`; returns milliseconds. */
function duration(min: number, max: number) {
  const expected = `expected ${min} to ${max} seconds, as a number or as text such as 5s`;
  return z.union([z.number(), z.string()], { error: expected }).transform((value, context) => {
    const text = String(value).trim();
    const seconds = /^[0-9]{1,6}(\.[0-9]{1,6})?s?$/.test(text) ? Number(text.replace("s", "")) : NaN;
    if (seconds >= min && seconds <= max) return Math.round(seconds * 1000);
    context.addIssue({ code: "custom", message: expected });
    return z.NEVER;
  });
}

/**
 * Reads `connectors.yaml`: `connectors:` and a list of instances. `null` if the file does not exist. Faults
 * go to `faults`; the result must not be used then.
 */
export function readConnectors(
  input: ConfigInput,
  configDir: string,
  faults: Faults,
  context: ConnectorsContext,
): ConfiguredConnector[] | null {
  const path = `${configDir}/${CONNECTORS_FILE}`;
  const text = readText(input, path, faults);
  return text === null ? null : parseConnectors(text, path, input, faults, context);
}

export function parseConnectors(
  text: string,
  path: string,
  input: ConfigInput,
  faults: Faults,
  context: ConnectorsContext,
): ConfiguredConnector[] {
  const file = YamlFile.parse(text, path, faults);
  if (file === null) return [];
  const folder = path.replace(/\/[^/]*$/, "");
  const seen = new Map<string, number>();
  const configured: ConfiguredConnector[] = [];
  for (const [index, { path: at, value, valid }] of file.list("connectors", Entry).entries()) {
    const name = valid.instance;
    if (name !== undefined) {
      const first = seen.get(name);
      if (first === undefined) seen.set(name, index);
      else file.fault([...at, "instance"], `expected a unique name, but connectors[${first}] has it too`);
    }
    if (valid.tenant !== undefined && context.tenants?.has(valid.tenant) === false) {
      file.fault([...at, "tenant"], "expected a tenant that a sensor or a site names");
    }
    const fault = (key: string, why: string) => file.fault([...at, "config", key], why);
    const { secrets, config = {} } = valid;
    const key = readKey(
      input,
      folder,
      secrets?.secret,
      (why) => file.fault([...at, "secrets", "secret"], why),
    );
    const url = readReceiver(config, fault);
    const fingerprint = readFingerprint(config, url, fault);
    const events = readEvents(config, fault);
    const publicUrl = readPublicUrl(config, fault) ?? context.publicUrl;
    if (value === null || key === null || url === null) continue;
    configured.push({
      connector: value.id,
      instance: value.instance,
      tenantId: value.tenant,
      enabled: value.enabled ?? true,
      webhook: {
        url,
        fingerprint,
        events,
        minSeverity: value.config.min_severity ?? null,
        timeoutMs: value.config.timeout ?? 5_000,
        retryDelayMs: value.config.retry_delay ?? 1_000,
        maxPending: value.config.max_pending ?? DEFAULT_MAX_PENDING,
        publicUrl,
        key,
      },
    });
  }
  return configured;
}

/** Members with faults, which are reported already, are missing. */
type Config = Faultless<Entry["config"]>;
type Report = (key: string, why: string) => void;

/** The URL's text is never shown: its path may be the receiver's only protection. */
function readReceiver(config: Config, fault: Report): URL | null {
  if (config.url === undefined) return null;
  const url = URL.parse(config.url);
  const insecure = config.allow_insecure_http === true;
  if (url === null || !["https:", "http:"].includes(url.protocol) || url.hostname === "") {
    fault("url", "expected the receiver's URL, such as https://receiver.example/ndr");
    return null;
  }
  if (url.username !== "" || url.password !== "") {
    fault("url", "expected a URL without a user name and password; deliveries are signed instead");
  } else if (url.hash !== "" || config.url.includes("#")) {
    fault("url", "expected a URL without a fragment, which is never sent");
  } else if (url.protocol === "http:" && !insecure) {
    fault(
      "url",
      "expected https://; plain http:// needs allow_insecure_http: true, and is for a receiver on the same host or an " +
        "isolated management network",
    );
  } else {
    const host = bareHost(url);
    if (parseIp(host) === null || mayBeReceiver(host)) return url;
    fault("url", "expected a receiver's address; link-local and cloud metadata addresses are refused");
  }
  return null;
}

function readFingerprint(config: Config, url: URL | null, fault: Report): string | null {
  const text = config.tls_fingerprint_sha256;
  if (text === undefined) return null;
  const hex = text.replaceAll(":", "").toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(hex)) {
    fault(
      "tls_fingerprint_sha256",
      "expected the SHA-256 of the receiver's certificate: 64 hex digits, as `openssl x509 -noout -fingerprint -sha256` " +
        "prints them",
    );
  } else if (url?.protocol === "http:") {
    fault("tls_fingerprint_sha256", "expected an https:// url beside it; plain http has no certificate");
  }
  return hex;
}

function readEvents(config: Config, fault: Report): WebhookConfig["events"] {
  const names = (config.events ?? "").split(",").map((name) => name.trim()).filter((name) => name !== "");
  const types = names.flatMap((name) => WEBHOOK_EVENT_TYPES.find((type) => type === name) ?? []);
  if (types.length < names.length) {
    const unknown = names.filter((name) => !types.some((type) => type === name));
    fault("events", `expected types of ${WEBHOOK_EVENT_TYPES.join(", ")}; not ${unknown.join(", ")}`);
  }
  return names.length === 0 ? null : new Set(types);
}

function readPublicUrl(config: Config, fault: Report): string | null {
  if (config.public_url === undefined) return null;
  const origin = secureOrigin(config.public_url);
  if (origin === null) {
    fault(
      "public_url",
      "expected an origin such as https://ndr.example (https, or http to a loopback address)",
    );
  }
  return origin;
}

/** The key in a file, relative to connectors.yaml; null if it has a fault or the file is not named. */
function readKey(
  input: ConfigInput,
  folder: string,
  secret: string | undefined,
  fault: (why: string) => void,
): SecretKey | null {
  if (secret === undefined) return null;
  const path = secret.startsWith("/") ? secret : `${folder}/${secret}`;
  let key: Uint8Array;
  try {
    key = keyOf(input.readFile(path));
  } catch (error) {
    const why = error instanceof Deno.errors.NotFound ? "it does not exist" : messageOf(error);
    fault(`expected the path of a readable file, but ${path}: ${why}`);
    return null;
  }
  if (key.length >= MIN_WEBHOOK_KEY) return new SecretKey(key);
  fault(`expected a key of at least ${MIN_WEBHOOK_KEY} bytes in ${path}, got ${key.length}`);
  return null;
}

/** The bytes of a file without the line end that an editor appends. */
function keyOf(bytes: Uint8Array): Uint8Array {
  const text = /^([\x20-\x7e]*)\r?\n$/.exec(new TextDecoder("latin1").decode(bytes));
  return text === null ? bytes : bytes.slice(0, text[1]!.length);
}
