// A new sensor in sources.yaml, with its token. `ndr sources add` and `ndr setup` share it.

import { parseEnvFile, withVariable } from "../../config/env-file.ts";
import { DEFAULT_CONFIG_DIR } from "../../config/environment.ts";
import { type ListedSource, listSources, parseSources, SOURCES_FILE } from "../../config/sources.ts";
import { Faults } from "../../config/yaml/faults.ts";
import { type ConfigInput, readText } from "../../config/yaml/input.ts";
import type { FileChange } from "../setup/files.ts";
import { withEntry, withoutMember } from "../setup/yaml-edit.ts";
import { recordKindsOf, type SensorKind, trustOf } from "./kinds.ts";

interface NewSource {
  sensorId: string;
  tenantId: string;
  kind: SensorKind;
  /** Canonical addresses of exporters, for `netflow`; none accepts any. */
  exporters: readonly string[];
}

interface SourceAddition {
  /** What to write, in this order: the sensor must not appear before its token. Empty if it is there already. */
  changes: FileChange[];
  tokenFile: string;
  /** The entry was there and is enabled now, with the token that it had. */
  isEnabled: boolean;
}

/** The request cannot be fulfilled; the message is for the user. */
export class SourceInputError extends Error {
  override readonly name = "SourceInputError";
}

/** Bytes of a token, written in hexadecimal digits. */
const TOKEN_BYTES = 24;

/** A new token. */
export function newToken(): string {
  return crypto.getRandomValues(new Uint8Array(TOKEN_BYTES)).toHex();
}

/**
 * Plans to add a sensor, or to enable its entry if that is disabled. Writes nothing: `input` reads the files as they are,
 * and `folderOwner` returns the owner of the files in a folder.
 *
 * @throws SourceInputError if there is such a sensor, ConfigError with all faults of the result
 */
export function sourceAddition(
  input: ConfigInput,
  wanted: NewSource,
  folderOwner: typeof ownerIn = ownerIn,
): SourceAddition {
  const configDir = input.env("NDR_CONFIG_DIR") || DEFAULT_CONFIG_DIR;
  const path = `${configDir}/${SOURCES_FILE}`;
  const before = textOf(input, path) ?? "";
  const entries = before === "" ? [] : listed(before, path);
  const present = entries.find(({ source }) => source.sensorId === wanted.sensorId);
  if (present?.enabled) throw new SourceInputError(`the sensor ${wanted.sensorId} is in ${path} already`);
  const token = tokenPlace(input, configDir, wanted, present, entries);
  const text = present === undefined
    ? withEntry(before, "sources", entryOf(wanted, token.variable))
    : withoutMember(before, { listKey: "sources", idKey: "sensor_id", id: wanted.sensorId, key: "enabled" });
  const changes: FileChange[] = [];
  if (token.text !== null) {
    const what = `token of ${wanted.sensorId}`;
    const owner = folderOwner(token.file.replace(/\/[^/]*$/, ""), configDir);
    changes.push({ path: token.file, text: token.text, what, mode: 0o600, owner });
  }
  if (token.environment !== null) {
    const what = `${token.variable}_FILE`;
    changes.push({ path: `${configDir}/ndr.env`, text: token.environment, what, mode: 0o600 });
  }
  const what = `sensor ${wanted.sensorId} of tenant ${present?.source.tenantId ?? wanted.tenantId}`;
  changes.push({ path, text, what, mode: 0o640 });
  requireValid(input, path, changes);
  return { changes, tokenFile: token.file, isEnabled: present !== undefined };
}

/** Entries of the file. @throws ConfigError with its faults */
export function listed(text: string, path: string): ListedSource[] {
  const faults = new Faults();
  const entries = listSources(text, path, faults);
  faults.throwIfAny();
  return entries;
}

/** Where the file of the token is, if it is in one; null if the variable itself holds it, or nothing does. */
export function tokenFileOf(input: ConfigInput, variable: string): string | null {
  return input.env(`${variable}_FILE`) ?? null;
}

interface TokenPlace {
  variable: string;
  file: string;
  /** The token to write; null if the file exists. */
  text: string | null;
  /** ndr.env with the variable; null if it is set. */
  environment: string | null;
}

function tokenPlace(
  input: ConfigInput,
  configDir: string,
  { sensorId }: NewSource,
  present: ListedSource | undefined,
  entries: readonly ListedSource[],
): TokenPlace {
  const variable = present?.tokenEnv ?? freeVariable(input, sensorId, entries);
  if (input.env(variable)) {
    throw new SourceInputError(
      `${variable} holds a token itself: put it into a file, and name that in ${variable}_FILE`,
    );
  }
  const known = tokenFileOf(input, variable);
  const file = known ?? `${tokenFolder(input, configDir, entries)}/${sensorId}.token`;
  const isThere = textOf(input, file) !== null;
  const environmentFile = `${configDir}/ndr.env`;
  const environment = known === null
    ? withVariable(textOf(input, environmentFile) ?? "", `${variable}_FILE`, file)
    : null;
  return { variable, file, text: isThere ? null : newToken(), environment };
}

/** `NDR_TOKEN_ZEEK_1` for `zeek-1`, unless another sensor has it. */
function freeVariable(input: ConfigInput, sensorId: string, entries: readonly ListedSource[]): string {
  const name = `NDR_TOKEN_${sensorId.toUpperCase().replace(/[^A-Z0-9]/g, "_")}`;
  const taken = new Set(entries.map(({ tokenEnv }) => tokenEnv));
  for (let number = 1;; number++) {
    const candidate = number === 1 ? name : `${name}_${number}`;
    if (!taken.has(candidate) && (number === 1 || tokenFileOf(input, candidate) === null)) return candidate;
  }
}

/** The folder of the other sensors' tokens. */
function tokenFolder(input: ConfigInput, configDir: string, entries: readonly ListedSource[]): string {
  const others = entries.flatMap(({ tokenEnv }) => tokenFileOf(input, tokenEnv) ?? []);
  return others[0]?.replace(/\/[^/]*$/, "") ?? `${configDir}/secrets`;
}

function entryOf({ sensorId, tenantId, kind, exporters }: NewSource, variable: string) {
  return {
    sensor_id: sensorId,
    tenant_id: tenantId,
    token_env: variable,
    trust: trustOf(kind),
    allowed_kinds: recordKindsOf(kind),
    ...exporters.length === 0 ? {} : { expected_exporters: [...exporters] },
  };
}

/** Reads the sources as the core would after the changes. @throws ConfigError */
function requireValid(input: ConfigInput, path: string, changes: readonly FileChange[]): void {
  const written = new Map(changes.map((change) => [change.path, change.text]));
  const environment = parseEnvFile(written.get(path.replace(/[^/]*$/, "ndr.env")) ?? "");
  const after: ConfigInput = {
    env: (name) => input.env(name) || environment.get(name),
    readFile: (file) => {
      const text = written.get(file);
      return text === undefined ? input.readFile(file) : new TextEncoder().encode(text);
    },
  };
  const faults = new Faults();
  parseSources(written.get(path)!, path, after, faults);
  faults.throwIfAny();
}

/** Null if there is no such file. @throws ConfigError if it cannot be read */
export function textOf(input: ConfigInput, path: string): string | null {
  const faults = new Faults();
  const text = readText(input, path, faults);
  faults.throwIfAny();
  return text;
}

/** Owner of the tokens in a folder, else of the folder, else of ndr.env, which is the service's. */
function ownerIn(folder: string, configDir: string): FileChange["owner"] {
  const token = namesIn(folder).find((name) => name.endsWith(".token"));
  for (const path of [...token === undefined ? [] : [`${folder}/${token}`], folder, `${configDir}/ndr.env`]) {
    try {
      const { uid, gid } = Deno.statSync(path);
      return { uid, gid };
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return undefined;
}

function namesIn(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].map(({ name }) => name);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
