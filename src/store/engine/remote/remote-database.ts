import { type Database, type OwnerTx, StoreUnavailable, type Tx } from "../database.ts";
import type { Limits } from "../limits.ts";
import type { Sql } from "../sql.ts";
import { unpackError } from "./errors.ts";
import type {
  RemoteReply,
  RemoteRequest,
  RemoteStatement,
  Scope,
  StatementParts,
  WorkOutcome,
} from "./messages.ts";

/**
 * A database that another thread holds: the client of `serveDatabase`. Transactions are opened, retried and committed
 * there; their work runs here.
 */
export class RemoteDatabase implements Database {
  readonly #transactions = new Map<number, Transaction>();
  #sequence = 0;
  #closed = false;

  constructor(private readonly port: MessagePort, readonly engine: Database["engine"]) {
    port.onmessage = ({ data }: MessageEvent<RemoteReply>) => {
      this.#transactions.get(data.id)?.receive(data);
    };
  }

  tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
    return this.#transaction({ tenant: tenantId }, work, limits);
  }

  shared<T>(work: (tx: Tx) => Promise<T>, limits?: Limits): Promise<T> {
    return this.#transaction({ shared: true }, work, limits);
  }

  owner<T>(work: (tx: OwnerTx) => Promise<T>): Promise<T> {
    return this.#transaction({ owner: true }, work);
  }

  /** Closes the port; the database itself stays open. */
  close(): Promise<void> {
    this.#closed = true;
    this.port.close();
    return Promise.resolve();
  }

  async #transaction<T>(scope: Scope, work: (tx: OwnerTx) => Promise<T>, limits?: Limits): Promise<T> {
    if (this.#closed) throw new StoreUnavailable(new Error("the connection to the database is closed"));
    const id = ++this.#sequence;
    const send = (request: RemoteRequest) => this.port.postMessage(request);
    const transaction = new Transaction(id, work, send);
    this.#transactions.set(id, transaction);
    try {
      send({ id, op: "begin", scope, limits });
      return await transaction.result as T;
    } finally {
      this.#transactions.delete(id);
    }
  }
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: Error) => void;
}

/** What the work of an attempt came to. */
type Outcome = { result: unknown } | { error: unknown };

class Transaction {
  readonly #end = Promise.withResolvers<unknown>();
  #waiting = new Map<number, Waiting>();
  /** Errors of failed statements, with their sequence. */
  readonly #failures = new WeakMap<object, number>();
  #attempt = 0;
  #sequence = 0;
  /** Outcome of the work of the current attempt. */
  #outcome: Outcome | null = null;

  constructor(
    private readonly id: number,
    private readonly work: (tx: OwnerTx) => Promise<unknown>,
    private readonly send: (request: RemoteRequest) => void,
  ) {}

  /** Settles when the transaction is over. */
  get result(): Promise<unknown> {
    return this.#end.promise;
  }

  receive(reply: RemoteReply): void {
    if (reply.op === "opened") return void this.#run(reply.attempt);
    if (reply.op === "closed") return this.#close(reply.error);
    const waiting = this.#waiting.get(reply.sequence);
    if (reply.attempt !== this.#attempt || waiting === undefined) return;
    this.#waiting.delete(reply.sequence);
    if (reply.op === "result") return waiting.resolve(reply.result);
    const error = unpackError(reply.error);
    this.#failures.set(error, reply.sequence);
    waiting.reject(error);
  }

  async #run(attempt: number): Promise<void> {
    this.#attempt = attempt;
    this.#waiting = new Map();
    this.#outcome = null;
    let outcome: Outcome;
    try {
      outcome = { result: await this.work(this.#tx(attempt)) };
    } catch (error) {
      outcome = { error };
    }
    this.#outcome = outcome;
    this.send({ id: this.id, op: "end", attempt, outcome: this.#toMessage(outcome) });
  }

  #close(error: Extract<RemoteReply, { op: "closed" }>["error"]): void {
    const outcome = this.#outcome;
    for (const { reject } of this.#waiting.values()) reject(new Error("the transaction is over"));
    if (error !== null && error !== "work") return this.#end.reject(unpackError(error));
    if (outcome === null) return this.#end.reject(new Error("the transaction ended before its work"));
    if ("error" in outcome) this.#end.reject(outcome.error);
    else this.#end.resolve(outcome.result);
  }

  #toMessage(outcome: Outcome): WorkOutcome {
    if ("result" in outcome) return "done";
    const statement = this.#failures.get(outcome.error as object);
    return statement === undefined ? "failed" : { statement };
  }

  #tx(attempt: number): OwnerTx {
    const ask = (statement: RemoteStatement): Promise<unknown> => {
      if (attempt !== this.#attempt || this.#outcome !== null) {
        return Promise.reject(new Error("a statement after the end of its transaction"));
      }
      const sequence = ++this.#sequence;
      return new Promise((resolve, reject) => {
        this.#waiting.set(sequence, { resolve, reject });
        this.send({ id: this.id, op: "statement", attempt, sequence, statement });
      });
    };
    return {
      rows: async <R extends object>(statement: Sql) => await ask({ rows: partsOf(statement) }) as R[],
      run: async (statement) => await ask({ run: partsOf(statement) }) as number,
      script: async (text) => void await ask({ script: text }),
    };
  }
}

function partsOf({ strings, values, name }: Sql): StatementParts {
  return { strings: [...strings], values, name };
}
