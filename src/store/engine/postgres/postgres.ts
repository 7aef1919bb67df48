import type { HeldConnection, Statement, StatementResult } from "../connections.ts";
import type { Database, OwnerTx, Tx } from "../database.ts";
import { Deadline } from "../deadline.ts";
import type { Limits } from "../limits.ts";
import { type Connection, OpenTx } from "../open-tx.ts";
import { type PoolOptions, PostgresPool } from "./pool.ts";
import { isStalePlan, retrying } from "../retry.ts";
import { OPEN_OWNER, openShared, openTenant } from "../scope.ts";

/** PostgreSQL 15 or later. Connects on first use. */
export class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly #connections: PostgresPool;
  #closed: Promise<void> | null = null;

  constructor(options: PoolOptions) {
    this.#connections = new PostgresPool(options);
  }

  async tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
    return await this.#transaction(openTenant(tenantId, limits), work, limits);
  }

  shared<T>(work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
    return this.#transaction(openShared(limits), work, limits);
  }

  owner<T>(work: (tx: OwnerTx) => Promise<T>): Promise<T> {
    return this.#transaction(OPEN_OWNER, work);
  }

  close(): Promise<void> {
    return this.#closed ??= this.#connections.end();
  }

  #transaction<T>(open: string, work: (tx: OwnerTx) => Promise<T>, limits?: Limits): Promise<T> {
    const deadline = limits && new Deadline(limits);
    let current: HeldConnection | null = null;
    const result = retrying(async () => {
      const client = await this.#connections.connect();
      let broken: Error | undefined;
      try {
        deadline?.begin();
        current = client;
        await client.query(open);
        const result = await OpenTx.run(connectionOf(client, deadline), work);
        deadline?.check();
        await client.query("commit");
        return result;
      } catch (error) {
        await client.query("rollback").catch((failure: Error) => broken = failure);
        if (isStalePlan(error)) broken = error as Error;
        throw error;
      } finally {
        current = null;
        client.release(broken);
      }
    });
    // A late statement would occupy the connection otherwise.
    return deadline?.bound(result, () => current?.cancel()) ?? result;
  }
}

function connectionOf(client: HeldConnection, deadline: Deadline | undefined): Connection {
  return {
    async query(statement) {
      deadline?.check();
      const { rows, rowCount } =
        await (statement.name === undefined ? client.query(statement) : queryKept(client, statement));
      return { rows, changed: rowCount ?? 0 };
    },
    async script(text) {
      await client.query(text);
    },
  };
}

/**
 * Forces the generic plan: by default the server compares it with a plan for these values, and plans each
 * time.
 */
async function queryKept(client: HeldConnection, statement: Statement): Promise<StatementResult> {
  const [, result] = await Promise.all([
    client.query("set local plan_cache_mode = force_generic_plan"),
    client.query(statement),
    client.query("set local plan_cache_mode = auto"),
  ]);
  return result;
}
