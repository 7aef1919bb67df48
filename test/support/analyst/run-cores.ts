// Cores in separate processes that share one PostgreSQL and ask one stand-in provider.

import assert from "node:assert/strict";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { freshPostgres } from "../database.ts";
import { type ProviderMode, type StandInProvider, startProvider } from "./provider.ts";
import { STARTED } from "./run-core.ts";

const PROGRAM = new URL("./run-core.ts", import.meta.url).pathname;
const PATIENCE_MS = 120_000;

/** Prices in micro-USD per million tokens, and what a run of the tests may cost with them. */
export const TEST_LIMITS = {
  inputPrice: 1_000_000,
  outputPrice: 4_000_000,
  worstInputTokens: 400,
  worstMicrousd: 400 + 4 * 200,
} as const;

interface RunCoresOptions {
  mode: ProviderMode;
  delayMs?: number;
  /** Of the tenant `main`, in micro-USD per day. */
  budget: number;
}

export interface RunCore {
  /** Sends SIGKILL; resolves when the process has exited. */
  kill(): Promise<void>;
  /** Sends SIGSTOP. */
  freeze(): void;
  /** Sends SIGCONT. */
  thaw(): void;
}

export class RunCores {
  readonly #cores: RunCore[] = [];
  #output = "";

  private constructor(
    private readonly folder: string,
    private readonly url: string,
    readonly db: PostgresDatabase,
    readonly provider: StandInProvider,
  ) {}

  static async run(
    { mode, delayMs, budget }: RunCoresOptions,
    work: (cores: RunCores) => Promise<void>,
  ): Promise<void> {
    const folder = await Deno.makeTempDir({ prefix: "ndr-analyst-" });
    const { url, drop } = await freshPostgres();
    const db = new PostgresDatabase({ url });
    const provider = await startProvider({ mode, delayMs });
    const cores = new RunCores(folder, url, db, provider);
    try {
      await Deno.writeTextFile(`${folder}/analyst.yaml`, analystFile(provider, budget));
      await work(cores);
    } finally {
      for (const core of cores.#cores) await core.kill();
      await provider.close();
      await db.close();
      await drop();
      await Deno.remove(folder, { recursive: true });
    }
  }

  /** Starts a core; resolves when it takes runs. */
  async start(): Promise<RunCore> {
    const child = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", PROGRAM, this.folder, this.url],
      stdin: "null",
      stdout: "null",
      stderr: "piped",
    }).spawn();
    const started = Promise.withResolvers<void>();
    const reading = (async () => {
      let own = "";
      for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
        own += part;
        this.#output += part;
        if (own.includes(STARTED)) started.resolve();
      }
      started.reject(new Error(`exited:\n${own}`));
    })();
    let gone = false;
    const signal = (name: Deno.Signal) => {
      if (!gone) child.kill(name);
      gone ||= name === "SIGKILL";
    };
    const core: RunCore = {
      async kill() {
        signal("SIGKILL");
        await child.status;
        await reading;
      },
      freeze: () => signal("SIGSTOP"),
      thaw: () => signal("SIGCONT"),
    };
    this.#cores.push(core);
    await started.promise;
    return core;
  }

  /** Waits for a condition. */
  async until(condition: () => boolean | Promise<boolean>): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (!await condition()) {
      assert.ok(performance.now() < end, `not reached within ${PATIENCE_MS} ms:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

function analystFile(provider: StandInProvider, budget: number): string {
  return `providers:
  - id: local
    api: openai
    base_url: ${provider.baseUrl("openai")}
    model: test
    input_microusd_per_million_tokens: ${TEST_LIMITS.inputPrice}
    output_microusd_per_million_tokens: ${TEST_LIMITS.outputPrice}
    max_input_tokens: 2000
    max_output_tokens: 200
    timeout: 20s
tenants:
  - tenant_id: main
    provider: local
    daily_budget_microusd: ${budget}
    send: []
`;
}
