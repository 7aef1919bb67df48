// What setup sets, and the files that hold it.

import { parseDocument } from "@std/yaml";
import { type AccessRule, readAccess } from "../../config/access.ts";
import { readUrl } from "../../config/addresses.ts";
import { parseEnvFile, withVariable } from "../../config/env-file.ts";
import { loadCoreConfig, loadWebConfig } from "../../config/load.ts";
import { parseSites, readSites } from "../../config/sites.ts";
import { Variables } from "../../config/variables.ts";
import { ConfigError, type Fault, Faults } from "../../config/yaml/faults.ts";
import type { ConfigInput } from "../../config/yaml/input.ts";
import { parseCidr } from "../../kit/net/ip.ts";
import type { FileChange, SetupFiles } from "./files.ts";
import { withEntry, withList } from "./yaml-edit.ts";

/** `sub=…`, `groups=…`: people with this value of this claim. */
export interface Administrator {
  claim: string;
  value: string;
}

export interface Settings {
  publicUrl: string;
  issuer: string;
  clientId: string;
  clientSecret: string;
  administrator: Administrator;
  tenant: string;
  /** Null leaves what is set, or the private ranges. */
  networks: string[] | null;
}

/** What is set already; null where nothing is. */
export type Present = { [K in keyof Settings]: K extends "tenant" ? string : Settings[K] | null };

const ADMINISTRATOR_ROLES = ["admin", "analyst", "responder"];

/** The configuration as the services read it: from ndr.env, not from this shell's environment. */
export function serviceInput(
  files: SetupFiles,
  configDir: string,
  changes: readonly FileChange[] = [],
): ConfigInput {
  const texts = new Map(changes.map(({ path, text }) => [path, text]));
  const path = `${configDir}/ndr.env`;
  const variables = parseEnvFile(texts.get(path) ?? files.read(path) ?? "");
  return {
    env: (name) => name === "NDR_CONFIG_DIR" ? configDir : variables.get(name),
    readFile: (name) => {
      const text = texts.get(name);
      return text === undefined ? files.readBytes(name) : new TextEncoder().encode(text);
    },
  };
}

export function presentSettings(files: SetupFiles, configDir: string, tenant: string | null): Present {
  const input = serviceInput(files, configDir);
  const ignored = new Faults();
  const variables = new Variables(input, ignored, `${configDir}/ndr.env`);
  const sites = readSites(input, configDir, ignored) ?? [];
  const own = tenant ?? sites[0]?.tenantId ?? "main";
  const rule = readAccess(input, configDir, ignored)?.rules.find((one) =>
    one.tenant === own && one.roles.includes("admin") && typeof one.claim === "string"
  );
  return {
    publicUrl: variables.text("NDR_PUBLIC_URL"),
    issuer: variables.text("NDR_OIDC_ISSUER"),
    clientId: variables.text("NDR_OIDC_CLIENT_ID"),
    clientSecret: variables.hasSecret("NDR_OIDC_CLIENT_SECRET")
      ? variables.secret("NDR_OIDC_CLIENT_SECRET")?.reveal() ?? null
      : null,
    administrator: rule === undefined ? null : { claim: String(rule.claim), value: rule.value },
    tenant: own,
    networks: ownNetworks(files, configDir, own),
  };
}

/** The list `networks` of the tenant in sites.yaml, without those of its VLANs. */
function ownNetworks(files: SetupFiles, configDir: string, tenant: string): string[] | null {
  const entries: unknown = parseDocument(files.read(`${configDir}/sites.yaml`) ?? "").toJS()?.sites;
  const entry = Array.isArray(entries) ? entries.find((one) => one?.tenant_id === tenant) : undefined;
  const networks: unknown = entry?.networks;
  return Array.isArray(networks) && networks.every((one) => typeof one === "string") ? networks : null;
}

/** The files that differ from the settings, with their new text. */
export function plannedChanges(files: SetupFiles, configDir: string, settings: Settings): FileChange[] {
  const changes = [
    environmentChange(files, configDir, settings),
    accessChange(files, configDir, settings),
    sitesChange(files, configDir, settings),
  ];
  return changes.filter((change) => change !== null);
}

/** All faults that the services would report at their start with these changes. */
export function faultsWith(files: SetupFiles, configDir: string, changes: readonly FileChange[]): Fault[] {
  const input = serviceInput(files, configDir, changes);
  const faults = [loadCoreConfig, loadWebConfig].flatMap((load) => {
    try {
      load(input);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return [...error.faults];
      throw error;
    }
  });
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}

function environmentChange(files: SetupFiles, configDir: string, settings: Settings): FileChange | null {
  const path = `${configDir}/ndr.env`;
  const before = files.read(path) ?? "";
  const present = presentSettings(files, configDir, settings.tenant);
  const wanted = [
    ["NDR_PUBLIC_URL", "publicUrl"],
    ["NDR_OIDC_ISSUER", "issuer"],
    ["NDR_OIDC_CLIENT_ID", "clientId"],
    ["NDR_OIDC_CLIENT_SECRET", "clientSecret"],
  ] as const;
  const differing = wanted.filter(([, key]) => settings[key] !== present[key]);
  if (differing.length === 0) return null;
  const text = differing.reduce((now, [name, key]) => withVariable(now, name, settings[key]), before);
  return { path, text, what: differing.map(([name]) => name).join(", "), mode: 0o600 };
}

function accessChange(
  files: SetupFiles,
  configDir: string,
  { administrator: { claim, value }, tenant }: Settings,
): FileChange | null {
  const path = `${configDir}/access.yaml`;
  const isRule = (rule: AccessRule) =>
    rule.claim === claim && rule.value === value && rule.tenant === tenant && rule.roles.includes("admin");
  if (readAccess(serviceInput(files, configDir), configDir, new Faults())?.rules.some(isRule)) return null;
  const rule = { claim, value, tenant, roles: ADMINISTRATOR_ROLES };
  return {
    path,
    text: withEntry(files.read(path) ?? "", "rules", rule),
    what: `people with ${claim}=${value} are administrators of ${tenant}`,
    mode: 0o640,
  };
}

function sitesChange(
  files: SetupFiles,
  configDir: string,
  { tenant, networks }: Settings,
): FileChange | null {
  if (networks === null) return null;
  const path = `${configDir}/sites.yaml`;
  const before = files.read(path) ?? "";
  const list = { listKey: "sites", idKey: "tenant_id", id: tenant, key: "networks" };
  const text = withList(before, list, networks) ??
    withEntry(before, "sites", { tenant_id: tenant, networks });
  const place = (content: string) =>
    parseSites(content, path, new Faults()).find((one) => one.tenantId === tenant);
  if (JSON.stringify(place(before)) === JSON.stringify(place(text))) return null;
  return { path, text, what: `networks of ${tenant}: ${networks.join(", ")}`, mode: 0o640 };
}

/** The rest of this module reads one answer each: the value, or what is expected instead. */
type Answer<T> = { value: T } | { fault: string };

export function urlAnswer(name: "NDR_PUBLIC_URL" | "NDR_OIDC_ISSUER", text: string): Answer<string> {
  const faults = new Faults();
  const input = { env: () => text, readFile: () => new Uint8Array() };
  const options = name === "NDR_PUBLIC_URL" ? { origin: true } : { origin: false, outgoing: true };
  const value = readUrl(new Variables(input, faults, ""), name, options);
  return value === null ? { fault: faults.list[0]?.message ?? `${name}: expected a URL` } : { value };
}

export function administratorAnswer(text: string): Answer<Administrator> {
  const [, claim, value] = /^([^=]{1,256})=(.{1,256})$/.exec(text.trim()) ?? [];
  return claim === undefined || value === undefined
    ? {
      fault: `expected a claim and its value, such as groups=ndr-admins or sub=248289761001, got "${text}"`,
    }
    : { value: { claim, value } };
}

export function networksAnswer(text: string): Answer<string[]> {
  const networks = text.split(/[\s,]+/).filter((part) => part !== "");
  const wrong = networks.find((network) => parseCidr(network) === null);
  if (networks.length === 0 || wrong !== undefined) {
    return { fault: `expected networks such as 10.0.0.0/8, got "${wrong ?? text}"` };
  }
  return { value: networks };
}
