import pg from "pg";
import { parseKnownJson } from "../kit/json.ts";
import type { Database, OwnerTx, Tx } from "./database.ts";
import { Deadline } from "./deadline.ts";
import type { Limits } from "./limits.ts";
import { type Connection, OpenTx } from "./open-tx.ts";
import {
  OID_BYTEA,
  OID_INT8,
  OID_INT8_ARRAY,
  OID_JSONB,
  OID_TIMESTAMPTZ,
  parseBigint,
  parseBigintArray,
  parseBytea,
  parseTimestamptz,
} from "./parse.ts";
import { isStalePlan, retrying } from "./retry.ts";
import { OPEN_OWNER, openShared, openTenant } from "./scope.ts";

export interface PostgresOptions {
  url: string;
  /** Connections at most; two senders and the pipeline saturate two cores with six. */
  poolSize?: number;
  /** Milliseconds until a statement is cancelled. */
  statementTimeout?: number;
  /** Milliseconds until waiting for a connection, a new one or a free one, ends. */
  connectTimeout?: number;
}

const PARSERS: Record<number, (text: string) => unknown> = {
  [OID_BYTEA]: parseBytea,
  [OID_INT8]: parseBigint,
  [OID_TIMESTAMPTZ]: parseTimestamptz,
  [OID_INT8_ARRAY]: parseBigintArray,
  [OID_JSONB]: parseKnownJson,
};

/** PostgreSQL 15 or later through a pool. Connects on first use; call `rows` to find out that it can. */
export class PostgresDatabase implements Database {
  readonly engine = "postgres";
  readonly #pool: pg.Pool;
  #closed: Promise<void> | null = null;

  constructor(options: PostgresOptions) {
    this.#pool = new pg.Pool({
      connectionString: options.url,
      max: options.poolSize ?? 10,
      connectionTimeoutMillis: options.connectTimeout ?? 5_000,
      idleTimeoutMillis: 30_000,
      // Statements go out as they are given: the server begins with the next one while this side is still busy.
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      statement_timeout: options.statementTimeout ?? 60_000,
      idle_in_transaction_session_timeout: 60_000,
      application_name: "ndr",
      // An accepted batch is on disk, whatever the server's own default is; and compiling a statement costs more than
      // running any of ours.
      options: "-c TimeZone=UTC -c DateStyle=ISO -c synchronous_commit=on -c jit=off",
      types: {
        getTypeParser: ((oid: number, format?: "text" | "binary") =>
          PARSERS[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
      },
    });
    // A connection that the server closes is replaced on the next use. Without a listener its error ends the process:
    // the pool listens to idle connections only, and hands on what it hears.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
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
    return this.#closed ??= this.#pool.end();
  }

  #transaction<T>(open: string, work: (tx: OwnerTx) => Promise<T>, limits?: Limits): Promise<T> {
    const deadline = limits && new Deadline(limits);
    let current: pg.PoolClient | null = null;
    const result = retrying(async () => {
      const client = await this.#pool.connect();
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
    // A server that hangs would keep the connection for as long.
    return deadline?.bound(result, () => current?.connection.stream.destroy()) ?? result;
  }
}

function connectionOf(client: pg.PoolClient, deadline: Deadline | undefined): Connection {
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

/** By the plan for whatever values: left to itself the server weighs it against one for these, and plans each time. */
async function queryKept(client: pg.PoolClient, statement: pg.QueryConfig): Promise<pg.QueryResult> {
  const [, result] = await Promise.all([
    client.query("set local plan_cache_mode = force_generic_plan"),
    client.query(statement),
    client.query("set local plan_cache_mode = auto"),
  ]);
  return result;
}
