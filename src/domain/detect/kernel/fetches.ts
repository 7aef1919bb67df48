// Executables and tools that one device fetched over HTTP from outside servers in unusual ways.
import type { HttpFacts } from "../../record/facts.ts";
import type { Micros } from "../../record/observation.ts";
import { DESTINATION_FIELDS, type DestinationUsage, MAX_KEPT_TEXT } from "./destination-usage.ts";
import { isIpText } from "./peer.ts";
import { defineState, list, record, textOrNull, varint } from "./state/schema.ts";

/** Traits of a fetch, one bit each. The response was an executable. */
export const EXECUTABLE = 1;
/** The server was addressed by IP instead of by name. */
export const BARE_ADDRESS = 2;
/** The sensor missed the request, so host and user agent are unknown. */
export const REQUEST_UNSEEN = 4;
/** A download tool: curl, wget, a library of a scripting language. */
export const TOOL = 8;
/** Windows built-ins popular with attackers: PowerShell, certutil, BITS, script hosts. */
export const SCRIPT = 16;
/** The request has no user agent. */
export const NO_AGENT = 32;
/** An executable whose file name has another extension. */
export const DISGUISED = 64;
/** An executable with the file name of an image or a document. */
export const HARMLESS_NAME = 128;

export const MAX_FETCHES = 8;

const PROGRAM_TYPES =
  /dosexec|msdownload|x-msdos-program|x-executable|x-elf|x-mach-binary|vnd\.microsoft\.portable-executable|x-sharedlib|x-java-applet|java-vm/;
const PROGRAM_NAME = /\.(class|exe|dll|scr|ps1|hta|msi|vbs|jse?|bat|cmd|elf|bin|sys|ocx|cpl)$/;
const SURE_PROGRAM_NAME = /\.(class|exe|dll|scr|ps1|hta|msi|vbs|bat|elf)$/;
const SCRIPT_AGENTS =
  /powershell|certutil|microsoft-cryptoapi-url|mshta|cscript|wscript|winhttprequest|bitsadmin/;
const TOOL_AGENTS =
  /^(curl|wget|python|go-http-client|libwww-perl|lwp|ruby|aria2|axel|java\/|php|perl|nim|rust|reqwest|okhttp|winhttp|wininet|webdav|microsoft-webdav|davclnt)/;

const HARMLESS = /\.(png|jpe?g|gif|bmp|ico|txt|css|pdf|docx?|xlsx?)$/;

/** Update clients fetch from provider caches by IP address. */
const UPDATE_AGENTS = /^(microsoft-delivery-optimization|windows-update-agent)\b/;

export interface Fetch extends DestinationUsage {
  /** The bits above, combined over all requests. */
  traits: number;
  /** Of the newest notable request; bounded. */
  host: string | null;
  uri: string | null;
  agent: string | null;
  bytes: number;
}

export interface Fetches {
  destinations: Fetch[];
}

/** Keys: device. Stored only for devices with suspicious fetches. */
export const FETCHES = defineState<Fetches>({
  id: 41,
  name: "suspicious fetches",
  keepDays: 7,
  version: 1,
  empty: () => ({ destinations: [] }),
  fields: record({
    destinations: list(
      record<Fetch>({
        ...DESTINATION_FIELDS,
        traits: varint,
        host: textOrNull(MAX_KEPT_TEXT),
        uri: textOrNull(MAX_KEPT_TEXT),
        agent: textOrNull(MAX_KEPT_TEXT),
        bytes: varint,
      }),
      MAX_FETCHES,
    ),
  }),
});

/** The traits of a request; 0 if it is ordinary. */
export function traitsOf(facts: HttpFacts): number {
  const { method, host, uri, userAgent, status, contentType } = facts;
  const type = contentType?.toLowerCase() ?? "";
  const path = (uri ?? "").split(/[?#]/, 1)[0]!.toLowerCase();
  const fetched = (method === null || method === "GET") &&
    (status === null || (status >= 200 && status < 300));
  const isProgram = fetched &&
    (PROGRAM_TYPES.test(type) || (SURE_PROGRAM_NAME.test(path) && !type.startsWith("text/html")));
  const agent = userAgent?.toLowerCase() ?? "";
  const unseen = method === null && host === null && uri === null;
  let traits = 0;
  if (isProgram && !UPDATE_AGENTS.test(agent)) {
    traits |= EXECUTABLE;
    if (uri !== null && !PROGRAM_NAME.test(path) && /\.[a-z0-9]{1,5}$/.test(path)) traits |= DISGUISED;
    if (PROGRAM_TYPES.test(type) && HARMLESS.test(path)) traits |= HARMLESS_NAME;
  }
  if (unseen) traits |= REQUEST_UNSEEN;
  else if (host !== null && isIpText(host)) traits |= BARE_ADDRESS;
  if (SCRIPT_AGENTS.test(agent)) traits |= SCRIPT;
  else if (TOOL_AGENTS.test(agent)) traits |= TOOL;
  else if (agent === "" && !unseen) traits |= NO_AGENT;
  return traits;
}

/**
 * Whether the traits together are suspicious: an executable from a bare address, an unknown host or a tool, or under the
 * name of an image; or a tool that contacts a bare address.
 */
export function isSuspiciousFetch(traits: number): boolean {
  if (traits & EXECUTABLE) {
    return (traits & (BARE_ADDRESS | REQUEST_UNSEEN | TOOL | SCRIPT | HARMLESS_NAME)) !== 0;
  }
  return (traits & BARE_ADDRESS) !== 0 && (traits & (TOOL | SCRIPT)) !== 0;
}

/** An executable that the device fetched from this address within `micros` before `at`; null if there is none. */
export function executableFetchedBefore(
  { destinations }: Fetches,
  ip: string,
  at: Micros,
  micros: Micros,
): Fetch | null {
  return destinations.find((fetch) =>
    fetch.ip === ip && (fetch.traits & EXECUTABLE) !== 0 && at >= fetch.firstSeen &&
    at - fetch.lastSeen <= micros
  ) ?? null;
}
