import type pg from "pg";
import { type BulkDatabase, type BulkTx, bulkTx, quoted, quotedColumns } from "../bulk.ts";
import type { HeldConnection, Statement, StatementResult } from "../connections.ts";
import { type OwnerTx, StoreUnavailable, type Tx } from "../database.ts";
import { Deadline } from "../deadline.ts";
import type { Limits } from "../limits.ts";
import { type Connection, OpenTx } from "../open-tx.ts";
import { copyIn, copyOut } from "./copy.ts";
import { type PoolOptions, PostgresPool } from "./pool.ts";
import { isStalePlan, retrying } from "../retry.ts";
import { OPEN_OWNER, openShared, openTenant } from "../scope.ts";

/** PostgreSQL 15 or later. Connects on first use. */
export class PostgresDatabase implements BulkDatabase {
  readonly engine = "postgres";
  readonly #connections: PostgresPool;
  /** A connection beside the pool that is free for the next use. */
  #spare: pg.Client | null = null;
  #closed: Promise<void> | null = null;

  constructor(private readonly options: PoolOptions) {
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

  bulk<T>(work: (tx: BulkTx) => Promise<T>): Promise<T> {
    return this.#alone(async (client) => {
      await client.query(OPEN_OWNER);
      const result = await OpenTx.run(connectionOf(client, undefined), (tx) =>
        work(bulkTx(tx, {
          copyOut: (table, take) =>
            copyOut(client, `copy ${quoted(table.name)} (${quotedColumns(table)}) to stdout`, take),
          copyIn: (table, pieces) =>
            copyIn(client, `copy ${quoted(table.name)} (${quotedColumns(table)}) from stdin`, pieces),
        })));
      await client.query("commit");
      return result;
    });
  }

  /** Another database of the same server. */
  sibling(name: string): PostgresDatabase {
    const url = this.options.url.replace(/^([a-z]+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${name}`);
    return new PostgresDatabase({ ...this.options, url });
  }

  /** Runs a statement that a transaction may not contain, such as `create database`. */
  outside(text: string): Promise<void> {
    return this.#alone(async (client) => void await client.query(text));
  }

  close(): Promise<void> {
    return this.#closed ??= Promise.all([this.#connections.end(), this.#spare?.end()]).then(() => {});
  }

  async #alone<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = this.#spare ?? await this.#connections.connectAlone().catch((error) => {
      throw new StoreUnavailable(error);
    });
    this.#spare = null;
    try {
      const result = await work(client);
      this.#spare = client;
      return result;
    } finally {
      // After a failure its end rolls back.
      if (this.#spare !== client) await client.end();
    }
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

function connectionOf(client: Pick<HeldConnection, "query">, deadline: Deadline | undefined): Connection {
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
async function queryKept(
  client: Pick<HeldConnection, "query">,
  statement: Statement,
): Promise<StatementResult> {
  const [, result] = await Promise.all([
    client.query("set local plan_cache_mode = force_generic_plan"),
    client.query(statement),
    client.query("set local plan_cache_mode = auto"),
  ]);
  return result;
}
