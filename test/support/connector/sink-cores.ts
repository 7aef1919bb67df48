// Cores in separate processes that serve one webhook instance on one PostgreSQL, and the receiver.

import assert from "node:assert/strict";
import { type ConnectorState, connectorStates } from "../../../src/store/connector/connectors.ts";
import { StoreUnavailable } from "../../../src/store/engine/database.ts";
import { PostgresDatabase } from "../../../src/store/engine/postgres/postgres.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { WEBHOOK_KEY, writeConnectors } from "./connectors-file.ts";
import { freshPostgres } from "../database.ts";
import { HostileReceiver } from "./hostile-receiver.ts";
import { type SinkProcess, startSink } from "./sink-process.ts";

const TENANT = "main";

export class SinkCores {
  readonly #cores: SinkProcess[] = [];

  private constructor(
    private readonly folder: string,
    private readonly url: string,
    readonly db: PostgresDatabase,
  ) {}

  /**
   * Creates a database and the configuration of one instance; checks at the end that no core logged the key.
   */
  static async run(
    receiver: HostileReceiver,
    config: Record<string, string | number>,
    work: (cores: SinkCores) => Promise<void>,
  ): Promise<void> {
    const folder = await Deno.makeTempDir({ prefix: "ndr-sink-" });
    const { url, drop } = await freshPostgres();
    const db = new PostgresDatabase({ url });
    const cores = new SinkCores(folder, url, db);
    try {
      await writeConnectors(folder, [{ instance: "fault", url: receiver.url(), config }]);
      await work(cores);
    } finally {
      for (const core of cores.#cores) await core.kill();
      await receiver.close();
      await db.close();
      await drop();
      await Deno.remove(folder, { recursive: true });
    }
    assert.ok(!cores.output().includes(WEBHOOK_KEY), "a log line contains the signing key");
  }

  /**
   * Starts a core; resolves when the instance has its bookmark. `now`: current time of the core,
   * microseconds.
   */
  async start(now = Date.now() * 1000): Promise<SinkProcess> {
    const core = await startSink(this.folder, this.url, now);
    this.#cores.push(core);
    await this.until(({ bookmark }) => bookmark !== null);
    return core;
  }

  async state(): Promise<ConnectorState> {
    const [state] = await this.db.tenant(TENANT, (tx) => connectorStates(tx, TENANT));
    assert.ok(state, "the instance has no state");
    return state;
  }

  /** Waits until the instance state matches the condition. */
  async until(condition: (state: ConnectorState) => boolean): Promise<ConnectorState> {
    const limit = performance.now() + 60_000;
    for (;;) {
      // The test cuts its own connections, too.
      const state = await this.state().catch((error: unknown) => {
        if (error instanceof StoreUnavailable) return null;
        throw error;
      });
      if (state !== null && condition(state)) return state;
      assert.ok(performance.now() < limit, `waited a minute: ${JSON.stringify(state)}\n${this.output()}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  /**
   * Releases leases at once, so that a successor need not wait for the dead core's lease to expire; these
   * tests do not cover that wait.
   */
  async forgetLeases(): Promise<void> {
    await this.db.shared((tx) => tx.run(sql`update lease set expires_at = now() - interval '1 second'`));
  }

  /** Closes every database connection of the cores, as a database restart does. */
  async cutConnections(): Promise<void> {
    await this.db.owner((tx) =>
      tx.rows(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`)
    );
  }

  /** Everything the cores have logged. */
  output(): string {
    return this.#cores.map((core) => core.output()).join("");
  }
}
