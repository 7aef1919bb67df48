import { OS_IDS, type OsId } from "../../../contract/telemetry/heartbeat.ts";

export const UNKNOWN = "unknown";

/**
 * Distribution and major version from the text of os-release. The file may contain anything (a company's or
 * host's name), so only well-known identifiers and plain numbers are returned.
 */
export function osOf(text: string | null): { id: OsId; versionMajor: string } {
  const id = valueOf(text ?? "", "ID");
  const known = OS_IDS.find((name) => name === id) ?? (id === null ? UNKNOWN : "other");
  if (known === "other" || known === UNKNOWN) return { id: known, versionMajor: UNKNOWN };
  const version = /^(\d{1,4})(\.\d{1,4}){0,2}$/.exec(valueOf(text ?? "", "VERSION_ID") ?? "");
  return { id: known, versionMajor: version?.[1] ?? UNKNOWN };
}

/** Reads a shell-like assignment, one per line; the last one wins. Null if absent or empty. */
function valueOf(text: string, name: string): string | null {
  const line = text.split(/\r?\n/).findLast((line) => line.startsWith(`${name}=`));
  const value = line?.slice(name.length + 1).trim() ?? "";
  const quoted = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
  return quoted === "" ? null : quoted;
}
