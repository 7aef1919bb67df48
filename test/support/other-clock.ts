// Another clock for a program of its own, by Debian's libfaketime: faster than the world's, or one that is set while it runs.

const FOLDERS = ["/usr/lib", "/usr/local/lib"];
const LIBRARY = "faketime/libfaketimeMT.so.1";

/** The library that a program is started with; null where it is not installed. */
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

/** Environment of a program for which everything takes so many times less time: its clock, its timers and its timeouts. */
export function fasterClock(times: number): Record<string, string> {
  return { LD_PRELOAD: FAKETIME!, FAKETIME: `+0 x${times}` };
}

/** A clock that can be set while the program runs; its timers are not touched by that, as those of a real machine are not. */
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

  /** It is wrong by so many seconds from about a second later on. */
  async set(seconds: number): Promise<void> {
    // In one step: the program may read it at any moment.
    await Deno.writeTextFile(`${this.path}.new`, `${seconds < 0 ? "" : "+"}${seconds}\n`);
    await Deno.rename(`${this.path}.new`, this.path);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Deno.remove(this.path);
  }
}
