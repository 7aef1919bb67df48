import type { MachineFacts } from "../domain/telemetry/heartbeat/facts.ts";

/** The second file is the distribution's own; the first one usually links to it. */
const OS_RELEASE_FILES = ["/etc/os-release", "/usr/lib/os-release"];
/** A release file has some hundred bytes. */
const MAX_BYTES = 64 * 1024;

/** The machine as the heartbeat describes it, without anything that identifies it. */
export async function machineFacts(files: readonly string[] = OS_RELEASE_FILES): Promise<MachineFacts> {
  return {
    osRelease: await firstText(files),
    kernelRelease: granted(() => Deno.osRelease()),
    arch: Deno.build.arch,
    uptimeSeconds: granted(() => Deno.osUptime()),
  };
}

/** Text of the first readable file. */
async function firstText(files: readonly string[]): Promise<string | null> {
  for (const path of files) {
    try {
      const { isFile, size } = await Deno.stat(path);
      if (isFile && size <= MAX_BYTES) return await Deno.readTextFile(path);
    } catch {
      // A container may have none.
    }
  }
  return null;
}

/** A sandbox may forbid the question. */
function granted<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch {
    return null;
  }
}
