import pg from "pg";
import { parseKnownJson } from "../../../kit/json/json.ts";
import type { HeldConnection } from "../connections.ts";
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
} from "../parse.ts";

export interface PoolOptions {
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

/** Connections of this thread, made on first use. */
export class PostgresPool {
  readonly #pool: pg.Pool;

  constructor(options: PoolOptions) {
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

  async connect(): Promise<HeldConnection> {
    const client = await this.#pool.connect();
    return {
      query: (statement) => client.query(statement),
      release: (broken) => client.release(broken),
      destroy: () => client.connection.stream.destroy(),
    };
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}
