import { z } from "zod";
import { RECORD_KINDS, type RecordKind, TRUST_CLASSES, type TrustClass } from "../contract/record/kinds.ts";
import { sha256Hex } from "../kit/hash.ts";
import { canonicalIp } from "../kit/net/ip.ts";
import { readBearerToken, VariableName } from "./bearer-token.ts";
import type { Faults } from "./yaml/faults.ts";
import { Identifier } from "./yaml/ids.ts";
import { type ConfigInput, readText } from "./yaml/input.ts";
import type { Secret } from "./secret.ts";
import { Variables } from "./variables.ts";
import { claim, type Item, section, YamlFile } from "./yaml/yaml.ts";

/** A sensor that may send records, without its token. */
export interface Source {
  sensorId: string;
  tenantId: string;
  allowedKinds: ReadonlySet<RecordKind>;
  trust: TrustClass;
  /** Canonical sampler addresses; `null` accepts any exporter. */
  expectedExporters: ReadonlySet<string> | null;
}

export interface RegisteredSource {
  source: Source;
  token: Secret;
}

/** An entry of the file, enabled or not. */
export interface ListedSource {
  source: Source;
  /** Variable that holds the token, or with `_FILE` names its file. */
  tokenEnv: string;
  enabled: boolean;
}

export const SOURCES_FILE = "sources.yaml";

const Exporter = z.string().superRefine((text, context) => {
  const canonical = canonicalIp(text);
  if (canonical === text) return;
  context.addIssue({
    code: "custom",
    message: canonical === null
      ? `expected an address, got "${text}"`
      : `expected the canonical address ${canonical}, got "${text}"`,
  });
});

const Entry = section({
  sensor_id: Identifier,
  tenant_id: Identifier,
  token_env: VariableName,
  allowed_kinds: z.array(z.enum(RECORD_KINDS)).min(1),
  trust: z.enum(TRUST_CLASSES),
  expected_exporters: z.array(Exporter).optional(),
  enabled: z.boolean().optional(),
});

/**
 * Reads the ingest source registry, `sources.yaml`: `sources:` with one entry per sensor. Returns the enabled
 * ones; `null` if the file does not exist. Faults go to `faults`; the result must not be used then.
 */
export function readSources(
  input: ConfigInput,
  configDir: string,
  faults: Faults,
): RegisteredSource[] | null {
  const path = `${configDir}/${SOURCES_FILE}`;
  const text = readText(input, path, faults);
  return text === null ? null : parseSources(text, path, input, faults);
}

/** Every entry of the text; the tokens are not read. */
export function listSources(text: string, path: string, faults: Faults): ListedSource[] {
  const entries = YamlFile.parse(text, path, faults)?.list("sources", Entry) ?? [];
  return entries.flatMap(({ value }) =>
    value === null
      ? []
      : { source: toSource(value), tokenEnv: value.token_env, enabled: value.enabled !== false }
  );
}

export function parseSources(
  text: string,
  path: string,
  input: ConfigInput,
  faults: Faults,
): RegisteredSource[] {
  const file = YamlFile.parse(text, path, faults);
  if (file === null) return [];
  const variables = new Variables(input, faults, path.replace(/[^/]*$/, "ndr.env"));
  const sensors = new Map<string, string>();
  const tokens = new Map<string, string>();
  const registered: RegisteredSource[] = [];
  for (const [index, item] of file.list("sources", Entry).entries()) {
    const { sensor_id: sensorId, enabled } = item.valid;
    if (sensorId !== undefined) {
      claim(
        sensors,
        sensorId,
        `sources[${index}]`,
        (first) =>
          file.fault([...item.path, "sensor_id"], `expected a unique sensor, but ${first} has it too`),
      );
    }
    checkExporters(file, item);
    if (enabled === false) continue;
    const token = readToken(file, item, variables);
    if (token === null) continue;
    // Compared by digest, so that no table in memory contains token texts.
    claim(
      tokens,
      sha256Hex(token.reveal()),
      `sources[${index}]`,
      (first) =>
        file.fault([...item.path, "token_env"], `expected a unique token, but ${first} has the same`),
    );
    if (item.value !== null) registered.push({ source: toSource(item.value), token });
  }
  return registered;
}

type Entry = z.infer<typeof Entry>;

function checkExporters(file: YamlFile, { path, valid }: Item<Entry>): void {
  const { allowed_kinds: kinds, expected_exporters: exporters } = valid;
  if (exporters === undefined || kinds === undefined || kinds.includes(undefined)) return;
  const sendsFlows = kinds.includes("netflow.flow");
  if (sendsFlows === exporters.length > 0) return;
  file.fault(
    [...path, "expected_exporters"],
    sendsFlows
      ? "expected at least one address; leave the key out to accept any exporter"
      : "expected only where allowed_kinds has netflow.flow",
  );
}

/** The token of `token_env`; checked even if another member of the entry has a fault. */
function readToken(file: YamlFile, item: Item<Entry>, variables: Variables): Secret | null {
  const name = item.valid.token_env;
  if (name === undefined) return null;
  return readBearerToken(variables, name, (why) => file.fault([...item.path, "token_env"], why));
}

function toSource(entry: Entry): Source {
  const exporters = entry.expected_exporters ?? [];
  return {
    sensorId: entry.sensor_id,
    tenantId: entry.tenant_id,
    allowedKinds: new Set(entry.allowed_kinds),
    trust: entry.trust,
    expectedExporters: exporters.length > 0 ? new Set(exporters) : null,
  };
}
