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
  /** Maximum number of connections; two senders and the pipeline saturate two cores with six. */
  poolSize?: number;
  /** Milliseconds until a statement is cancelled. */
  statementTimeout?: number;
  /** Milliseconds to wait for a new or a free connection. */
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
      // Sends statements without waiting for results, so the server starts the next one while this side is
      // busy.
      pipeline: true,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      statement_timeout: options.statementTimeout ?? 60_000,
      idle_in_transaction_session_timeout: 60_000,
      application_name: "ndr",
      // An accepted batch must be on disk, whatever the server's default is. JIT compilation costs more than
      // running any of our statements.
      options: "-c TimeZone=UTC -c DateStyle=ISO -c synchronous_commit=on -c jit=off",
      types: {
        getTypeParser: ((oid: number, format?: "text" | "binary") =>
          PARSERS[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
      },
    });
    // A connection closed by the server is replaced on the next use. Without listeners its error would end
    // the process: the pool only listens to idle connections, and re-emits their errors.
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
