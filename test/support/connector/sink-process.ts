// sink-core.ts as a child process, with everything it logs.

import { STARTED } from "./sink-core.ts";

const PROGRAM = new URL("./sink-core.ts", import.meta.url).pathname;

export interface SinkProcess {
  /** Sends SIGKILL; resolves when the process has exited. */
  kill(): Promise<void>;
  /** Sends SIGSTOP. */
  freeze(): void;
  /** Sends SIGCONT. */
  thaw(): void;
  /** Sends SIGTERM and waits for the exit; fails unless it is clean. */
  stop(): Promise<void>;
  output(): string;
}

/** Resolves when the core serves its instances. `now`: current time, microseconds. */
export async function startSink(folder: string, databaseUrl: string, now: number): Promise<SinkProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", PROGRAM, folder, databaseUrl, String(now)],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  let output = "";
  const started = Promise.withResolvers<void>();
  const reading = (async () => {
    for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
      output += part;
      if (output.includes(STARTED)) started.resolve();
    }
  })();
  const ended = child.status.then(async (status) => {
    await reading;
    started.reject(new Error(`exited (${status.signal ?? status.code}):\n${output}`));
    return status;
  });
  await started.promise;
  let gone = false;
  const signal = (name: Deno.Signal) => {
    if (!gone) child.kill(name);
    gone ||= name === "SIGKILL" || name === "SIGTERM";
  };
  return {
    async kill() {
      signal("SIGKILL");
      await ended;
    },
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
    async stop() {
      signal("SIGTERM");
      const status = await ended;
      if (!status.success) throw new Error(`exited with ${status.signal ?? status.code}:\n${output}`);
    },
    output: () => output,
  };
}
