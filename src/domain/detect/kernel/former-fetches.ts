// Programs and tools that one device fetched over HTTP from servers outside, in a way that people seldom do.
import type { HttpFacts } from "../../record/facts.ts";
import { ByteReader, ByteWriter } from "./state/bytes.ts";
import type { StateType } from "./detector.ts";
import { isIpText } from "./peer.ts";
import {
  destinationSize,
  type DestinationUsage,
  readDestination,
  writeDestination,
} from "./former-destinations.ts";

/** An executable came. */
export const EXECUTABLE = 1;
/** The server was asked for by its bare address. */
export const BARE_ADDRESS = 2;
/** The sensor did not see the request, so nobody knows by what name and with what program. */
export const REQUEST_UNSEEN = 4;
/** A tool for downloads: curl, wget, a library of a scripting language. */
export const TOOL = 8;
/** What attackers use because every Windows has it: PowerShell, certutil, BITS by hand, script hosts. */
export const SCRIPT = 16;
/** No program named itself. */
export const NO_AGENT = 32;
/** The name of the file says something else than that it is a program. */
export const DISGUISED = 64;
/** It even says that it is a picture or a text. */
export const HARMLESS_NAME = 128;

export const MAX_FETCHES = 8;
const VERSION = 1;

const PROGRAM_TYPES =
  /dosexec|msdownload|x-msdos-program|x-executable|x-elf|x-mach-binary|vnd\.microsoft\.portable-executable|x-sharedlib|x-java-applet|java-vm/;
const PROGRAM_NAME = /\.(class|exe|dll|scr|ps1|hta|msi|vbs|jse?|bat|cmd|elf|bin|sys|ocx|cpl)$/;
const SURE_PROGRAM_NAME = /\.(class|exe|dll|scr|ps1|hta|msi|vbs|bat|elf)$/;
const SCRIPT_AGENTS =
  /powershell|certutil|microsoft-cryptoapi-url|mshta|cscript|wscript|winhttprequest|bitsadmin/;
const TOOL_AGENTS =
  /^(curl|wget|python|go-http-client|libwww-perl|lwp|ruby|aria2|axel|java\/|php|perl|nim|rust|reqwest|okhttp|winhttp|wininet|webdav|microsoft-webdav|davclnt)/;

const HARMLESS = /\.(png|jpe?g|gif|bmp|ico|txt|css|pdf|docx?|xlsx?)$/;

/** Updates come from caches of providers, asked for by their addresses. */
const UPDATE_AGENTS = /^(microsoft-delivery-optimization|windows-update-agent)\b/;

export interface Fetch extends DestinationUsage {
  /** Bits above, of all that was seen. */
  traits: number;
  /** Of the newest that was remarkable; bounded. */
  host: string | null;
  uri: string | null;
  agent: string | null;
  bytes: number;
}

export interface Fetches {
  destinations: Fetch[];
}

/** Keys: device. At most about 4 kB; nothing is stored of a device that does nothing of the kind. */
export const FETCHES: StateType<Fetches> = {
  id: 41,
  name: "odd fetches",
  keepDays: 7,
  empty: () => ({ destinations: [] }),
  encode({ destinations }) {
    const out = new ByteWriter(64 + 400 * destinations.length);
    out.varint(VERSION);
    out.varint(destinations.length);
    for (const place of destinations) {
      writeDestination(out, place);
      out.varint(place.traits);
      for (const text of [place.host, place.uri, place.agent]) out.text(text ?? "");
      out.varint(place.bytes);
    }
    return out.bytes();
  },
  decode(bytes) {
    const from = new ByteReader(bytes);
    const version = from.varint();
    if (version !== VERSION) throw new RangeError(`odd fetches: expected version ${VERSION}, got ${version}`);
    const places: Fetch[] = [];
    for (let left = from.varint(); left > 0; left--) {
      const place = readDestination(from);
      const marks = from.varint();
      const [host, uri, agent] = [from.text(), from.text(), from.text()];
      places.push({
        ...place,
        traits: marks,
        host: host || null,
        uri: uri || null,
        agent: agent || null,
        bytes: from.varint(),
      });
    }
    from.end();
    return { destinations: places };
  },
  size: ({ destinations }) => 64 + destinations.reduce((sum, place) => sum + 300 + destinationSize(place), 0),
};

/** What is remarkable about a request; 0 where nothing is. */
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
  let marks = 0;
  if (isProgram && !UPDATE_AGENTS.test(agent)) {
    marks |= EXECUTABLE;
    if (uri !== null && !PROGRAM_NAME.test(path) && /\.[a-z0-9]{1,5}$/.test(path)) marks |= DISGUISED;
    if (PROGRAM_TYPES.test(type) && HARMLESS.test(path)) marks |= HARMLESS_NAME;
  }
  if (unseen) marks |= REQUEST_UNSEEN;
  else if (host !== null && isIpText(host)) marks |= BARE_ADDRESS;
  if (SCRIPT_AGENTS.test(agent)) marks |= SCRIPT;
  else if (TOOL_AGENTS.test(agent)) marks |= TOOL;
  else if (agent === "" && !unseen) marks |= NO_AGENT;
  return marks;
}

/**
 * Whether marks together are worth remembering: a program from nowhere, by a tool, or under the name of a picture, or a tool
 * that went to a bare address.
 */
export function isSuspiciousFetch(marks: number): boolean {
  if (marks & EXECUTABLE) {
    return (marks & (BARE_ADDRESS | REQUEST_UNSEEN | TOOL | SCRIPT | HARMLESS_NAME)) !== 0;
  }
  return (marks & BARE_ADDRESS) !== 0 && (marks & (TOOL | SCRIPT)) !== 0;
}
