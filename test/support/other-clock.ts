// A different clock for a child process, using Debian's libfaketime: running faster than real time, or
// settable at run time.

const FOLDERS = ["/usr/lib", "/usr/local/lib"];
const LIBRARY = "faketime/libfaketimeMT.so.1";

/** Path of the preload library; null if it is not installed. */
export const FAKETIME: string | null = findLibrary();

function findLibrary(): string | null {
  for (const folder of FOLDERS) {
    for (
      const path of [
        `${folder}/${LIBRARY}`,
        ...subfolders(folder).map((name) => `${folder}/${name}/${LIBRARY}`),
      ]
    ) {
      try {
        Deno.statSync(path);
        return path;
      } catch (error) {
        if (!(error instanceof Deno.errors.NotFound)) throw error;
      }
    }
  }
  return null;
}

function subfolders(folder: string): string[] {
  return [...Deno.readDirSync(folder)].filter(({ isDirectory }) => isDirectory).map(({ name }) => name);
}

/** Environment for a program that runs `times` faster: clock, timers and timeouts. */
export function fasterClock(times: number): Record<string, string> {
  return { LD_PRELOAD: FAKETIME!, FAKETIME: `+0 x${times}` };
}

/** Environment for a program whose clock is ahead; timers are not affected. */
export function clockAhead(seconds: number): Record<string, string> {
  return { LD_PRELOAD: FAKETIME!, FAKETIME: `+${seconds}`, FAKETIME_DONT_FAKE_MONOTONIC: "1" };
}

/** A clock that can be set while the program runs; as on a real machine, this does not affect timers. */
export class SettableClock {
  private constructor(readonly env: Record<string, string>, private readonly path: string) {}

  static async make(): Promise<SettableClock> {
    const path = await Deno.makeTempFile({ prefix: "ndr-clock-" });
    const env = {
      LD_PRELOAD: FAKETIME!,
      FAKETIME_TIMESTAMP_FILE: path,
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    };
    const clock = new SettableClock(env, path);
    await clock.set(0);
    return clock;
  }

  /** Sets the offset in seconds; takes effect after about a second. */
  async set(seconds: number): Promise<void> {
    // Atomic: the program may read the file at any moment.
    await Deno.writeTextFile(`${this.path}.new`, `${seconds < 0 ? "" : "+"}${seconds}\n`);
    await Deno.rename(`${this.path}.new`, this.path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path);
  }
}
