import type { CaseFormat, TlpLabel } from "../../contract/incident/case.ts";
import { coreDownload, Refused } from "../search/core-api.ts";
import { searchInstallation } from "../search/installation.ts";
import { tenantOf } from "../search/tenant.ts";

interface ExportFlags {
  tenant?: string;
  format: CaseFormat;
  tlp?: TlpLabel;
  /** Standard output without it. */
  output?: string;
}

/** The file, or the way to it, is not as it must be; the message is for the user. */
class ExportError extends Error {
  override readonly name = "ExportError";
}

/**
 * Writes an incident to a new file or to standard output. `note`: what the file lacks, for the user; null if it is
 * complete.
 *
 * @throws ExportError, Refused, CoreUnreachable, ConfigError
 */
export async function saveIncident(
  id: string,
  { tenant, format, tlp, output }: ExportFlags,
): Promise<{ note: string | null }> {
  const installation = searchInstallation();
  const tenantId = tenantOf(tenant, installation.tenantIds);
  const { body, truncated } = await coreDownload(installation, tenantId, "exportIncident", {
    params: { incident_id: id },
    query: { format, tlp },
  }).catch((error: unknown) => {
    if (!(error instanceof Refused && error.status === 404)) throw error;
    throw new ExportError(`there is no incident ${id} in the tenant ${tenantId}`);
  });
  const lines = new LastLine();
  const parts = body.pipeThrough(lines.stream);
  if (output === undefined) await writeStandardOutput(parts);
  else await writeFile(output, parts);
  const cut = format === "records" ? lines.cut() : null;
  const note = cut ??
    (truncated ? "the incident has more evidence than the newest 500 records, which the file has" : null);
  return { note };
}

async function writeFile(path: string, parts: ReadableStream<Uint8Array>): Promise<void> {
  let file: Deno.FsFile;
  try {
    // Evidence is for its reader only.
    file = await Deno.open(path, { write: true, createNew: true, mode: 0o600 });
  } catch (error) {
    await parts.cancel();
    if (error instanceof Deno.errors.AlreadyExists) {
      throw new ExportError(`${path} exists already; choose another file with --output, or remove it first`);
    }
    throw error;
  }
  try {
    await parts.pipeTo(file.writable);
  } catch (error) {
    await Deno.remove(path);
    throw error;
  }
}

async function writeStandardOutput(parts: ReadableStream<Uint8Array>): Promise<void> {
  for await (const part of parts) {
    for (let at = 0; at < part.length;) at += Deno.stdout.writeSync(part.subarray(at));
  }
}

/** Longest last line that is looked at: the one that states why a file is not complete is short. */
const MAX_LINE = 1024;

/** Remembers the end of what passes through. */
class LastLine {
  #end: Uint8Array = new Uint8Array();

  readonly stream = new TransformStream<Uint8Array, Uint8Array>({
    transform: (part, controller) => {
      const joined = new Uint8Array([...this.#end, ...part.subarray(-MAX_LINE)]);
      this.#end = joined.subarray(-MAX_LINE);
      controller.enqueue(part);
    },
  });

  /** Why the file is not complete, according to its last line; null if it is. */
  cut(): string | null {
    const line = new TextDecoder().decode(this.#end).trimEnd().split("\n").at(-1)!;
    if (!line.startsWith('{"truncated":true,')) return null;
    const { records, reason } = JSON.parse(line) as { records: number; reason: string };
    return `the file ends after ${records} records: ${reason}`;
  }
}
