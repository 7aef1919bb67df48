import { OS_IDS, type OsId } from "../../../contract/telemetry/heartbeat.ts";

export const UNKNOWN = "unknown";

/**
 * Distribution and first number of its version, out of the text of os-release. The file belongs to whoever built the
 * machine and may say anything (the name of a company, of a host): what is not a well-known word or a plain number does
 * not come back.
 */
export function osOf(text: string | null): { id: OsId; versionMajor: string } {
  const id = valueOf(text ?? "", "ID");
  const known = OS_IDS.find((name) => name === id) ?? (id === null ? UNKNOWN : "other");
  if (known === "other" || known === UNKNOWN) return { id: known, versionMajor: UNKNOWN };
  const version = /^(\d{1,4})(\.\d{1,4}){0,2}$/.exec(valueOf(text ?? "", "VERSION_ID") ?? "");
  return { id: known, versionMajor: version?.[1] ?? UNKNOWN };
}

/** Shell-like assignments, one a line; the last one counts. Null where the name has no value. */
function valueOf(text: string, name: string): string | null {
  const line = text.split(/\r?\n/).findLast((line) => line.startsWith(`${name}=`));
  const value = line?.slice(name.length + 1).trim() ?? "";
  const quoted = /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
  return quoted === "" ? null : quoted;
}
