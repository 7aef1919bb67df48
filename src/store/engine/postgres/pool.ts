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
import { startupOptions } from "./session-settings.ts";

/** Connections of a running core at most. */
export const POOL_SIZE = 10;

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

/** A server that does not end a statement within this time after it was cancelled hangs. */
const CANCEL_MILLISECONDS = 1000;

/** Asks the server, over a connection of its own, to cancel what another connection is doing. */
function cancelRequest(client: pg.PoolClient): void {
  const { host, port, processID, secretKey } = client as unknown as Session;
  const connection = new pg.Connection() as unknown as CancelConnection;
  // Without an answer the statement goes on until its timeout.
  connection.on("error", () => {});
  connection.on("connect", () => connection.cancel(processID, secretKey));
  if (host.startsWith("/")) connection.connect(`${host}/.s.PGSQL.${port}`);
  else connection.connect(port, host);
}

/** What a cancel request needs of a connection; the type definitions omit it. */
interface Session {
  host: string;
  port: number;
  processID: number;
  secretKey: number;
}

interface CancelConnection {
  on(event: "error" | "connect", listener: () => void): void;
  connect(portOrPath: number | string, host?: string): void;
  cancel(processID: number, secretKey: number): void;
}

/** Connections of this thread, made on first use. */
export class PostgresPool {
  readonly #pool: pg.Pool;

  constructor(private readonly options: PoolOptions) {
    this.#pool = new pg.Pool({
      ...sessionOptions(options),
      max: options.poolSize ?? POOL_SIZE,
      idleTimeoutMillis: 30_000,
      // Sends statements without waiting for results, so the server starts the next one while this side is
      // busy.
      pipeline: true,
      statement_timeout: options.statementTimeout ?? 60_000,
      // A core that hangs keeps its locks no longer: its successor works within 30 s, as leases promise.
      idle_in_transaction_session_timeout: 20_000,
    });
    // A connection closed by the server is replaced on the next use. Without listeners its error would end
    // the process: the pool only listens to idle connections, and re-emits their errors.
    this.#pool.on("error", () => {});
    this.#pool.on("connect", (client) => client.on("error", () => {}));
  }

  async connect(): Promise<HeldConnection> {
    const client = await this.#pool.connect();
    let grace: ReturnType<typeof setTimeout> | undefined;
    return {
      query: (statement) => client.query(statement),
      release: (broken) => {
        clearTimeout(grace);
        // A cancel request that is still under way must not reach the next transaction.
        client.release(broken ?? grace !== undefined);
      },
      cancel: () => {
        cancelRequest(client);
        grace = setTimeout(() => client.connection.stream.destroy(), CANCEL_MILLISECONDS);
      },
    };
  }

  /** A connection beside the pool, without time limits and without pipelining. The caller ends it. */
  async connectAlone(): Promise<pg.Client> {
    const client = new pg.Client({
      ...sessionOptions(this.options),
      statement_timeout: 0,
      idle_in_transaction_session_timeout: 0,
    });
    // Whatever uses it then fails by itself.
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

function sessionOptions({ url, connectTimeout }: PoolOptions): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: connectTimeout ?? 5_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    application_name: "ndr",
    options: startupOptions(),
    types: {
      getTypeParser:
        ((oid: number, format?: "text" | "binary") =>
          PARSERS[oid] ?? pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  };
}
