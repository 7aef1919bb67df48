import { endedSinceLastCall } from "./processor-time.ts";

export interface Ended {
  success: boolean;
  /** The exit status, or the signal that ended it. */
  status: string;
  /** Standard output and standard error, in the order of arrival; empty when streamed. */
  output: string;
  /** Processor time of it and the processes it has waited for; 0 where the system does not count it. */
  processorSeconds: number;
  /** Whether it was killed because it printed nothing for too long. */
  silent: boolean;
}

/** Time for the last output to arrive after a program has ended, milliseconds. */
const LAST_OUTPUT_MS = 2000;

/** A child process in a process group of its own, so that whatever it leaves running ends with it. */
export class GroupProcess {
  readonly ended: Promise<Ended>;
  readonly #child: Deno.ChildProcess;
  #output = "";
  #lastOutput = performance.now();

  /** `silenceMs`: how long it may go without output before it is killed. `stream`: pass its output on instead of keeping it. */
  constructor(command: Deno.CommandOptions, silenceMs: number, stream: boolean) {
    this.#child = new Deno.Command(Deno.execPath(), {
      ...command,
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
      detached: true,
    }).spawn();
    this.ended = this.#follow(silenceMs, stream);
  }

  async #follow(silenceMs: number, stream: boolean): Promise<Ended> {
    const reading = Promise.all([
      this.#read(this.#child.stdout, stream ? Deno.stdout : null),
      this.#read(this.#child.stderr, stream ? Deno.stderr : null),
    ]);
    let silent = false;
    const watch = setInterval(() => {
      if (performance.now() - this.#lastOutput < silenceMs) return;
      silent = true;
      this.kill();
    }, Math.min(1000, silenceMs / 2));
    const { success, code, signal } = await this.#child.status;
    const processorSeconds = endedSinceLastCall();
    clearInterval(watch);
    this.kill();
    // A program that left the group may still hold the pipes.
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, LAST_OUTPUT_MS);
    await Promise.race([reading, late.promise]);
    clearTimeout(timer);
    return {
      success: success && !silent,
      status: signal ?? String(code),
      output: this.#output,
      processorSeconds,
      silent,
    };
  }

  async #read(
    from: ReadableStream<Uint8Array<ArrayBuffer>>,
    to: { writeSync(bytes: Uint8Array): number } | null,
  ): Promise<void> {
    const decoder = new TextDecoder();
    for await (const chunk of from) {
      this.#lastOutput = performance.now();
      if (to === null) this.#output += decoder.decode(chunk, { stream: true });
      else for (let at = 0; at < chunk.length;) at += to.writeSync(chunk.subarray(at));
    }
  }

  /** Ends the whole group at once. */
  kill(): void {
    try {
      Deno.kill(-this.#child.pid, "SIGKILL");
    } catch (error) {
      // Usually nothing of the group is left.
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
