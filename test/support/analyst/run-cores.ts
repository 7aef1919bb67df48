// Cores in separate processes that ask one stand-in provider: several on one PostgreSQL, or one after the other on an embedded
// database.

import assert from "node:assert/strict";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { openDatabase } from "../../../src/store/engine/open.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { freshPostgres, makeEmbedded } from "../database.ts";
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

/** Where cores run that have an embedded database: one process at a time opens it. */
interface EmbeddedRunCores {
  provider: StandInProvider;
  /** Opens the database between cores. */
  open<T>(work: (db: Database) => Promise<T>): Promise<T>;
  start(end?: "until-done"): Promise<RunCore>;
}

interface RunCore {
  /** Resolves when the process has exited by itself. */
  ended(): Promise<Deno.CommandStatus>;
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
    readonly db: Database,
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

  static async runEmbedded(
    { mode, delayMs, budget }: RunCoresOptions,
    work: (cores: EmbeddedRunCores) => Promise<void>,
  ): Promise<void> {
    const folder = await Deno.makeTempDir({ prefix: "ndr-analyst-" });
    const url = `embedded:${folder}/database`;
    await makeEmbedded(`${folder}/database`);
    const provider = await startProvider({ mode, delayMs });
    const started: RunCore[] = [];
    try {
      await Deno.writeTextFile(`${folder}/analyst.yaml`, analystFile(provider, budget));
      await work({
        provider,
        async open(work) {
          const db = await openDatabase(url);
          try {
            return await work(db);
          } finally {
            await db.close();
          }
        },
        async start(end) {
          // The database of the last one is closed, so a core has none to share.
          const core = await spawnCore([folder, url, ...end === undefined ? [] : [end]], () => {});
          started.push(core);
          return core;
        },
      });
    } finally {
      for (const core of started) await core.kill();
      await provider.close();
      await Deno.remove(folder, { recursive: true });
    }
  }

  /** Starts a core; resolves when it takes runs. */
  async start(): Promise<RunCore> {
    const core = await spawnCore([this.folder, this.url], (part) => this.#output += part);
    this.#cores.push(core);
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

/** Starts a core; resolves when it takes runs. `printed` receives what it writes. */
async function spawnCore(args: string[], printed: (part: string) => void): Promise<RunCore> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", PROGRAM, ...args],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const started = Promise.withResolvers<void>();
  const reading = (async () => {
    let own = "";
    for await (const part of child.stderr.pipeThrough(new TextDecoderStream())) {
      own += part;
      printed(part);
      if (own.includes(STARTED)) started.resolve();
    }
    started.reject(new Error(`exited:\n${own}`));
  })();
  let gone = false;
  void child.status.then(() => gone = true);
  const signal = (name: Deno.Signal) => {
    if (!gone) child.kill(name);
    gone ||= name === "SIGKILL";
  };
  const core: RunCore = {
    ended: () => child.status,
    async kill() {
      signal("SIGKILL");
      await child.status;
      await reading;
    },
    freeze: () => signal("SIGSTOP"),
    thaw: () => signal("SIGCONT"),
  };
  await started.promise;
  return core;
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
