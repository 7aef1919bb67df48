import { type Database, type OwnerTx, StoreUnavailable, type Tx } from "../database.ts";
import { Sql } from "../sql.ts";
import { packError } from "./errors.ts";
import type { RemoteReply, RemoteRequest, RemoteStatement, StatementParts } from "./messages.ts";

/** The database as another thread uses it. */
export interface ServedDatabase {
  /** Rolls back open transactions, and serves no more. For a thread that has ended, however it did. */
  close(): void;
}

/** The other thread's work failed: the transaction is rolled back and not retried. */
class WorkFailed extends Error {}

interface Attempt {
  number: number;
  tx: Tx | OwnerTx;
  /** Errors of failed statements by sequence. */
  failures: Map<number, unknown>;
  commit(): void;
  rollBack(error: unknown): void;
}

/** Lets the thread at the other end of the port use this database through a `RemoteDatabase`. */
export function serveDatabase(port: MessagePort, db: Database): ServedDatabase {
  const attempts = new Map<number, Attempt>();
  let closed = false;
  const reply = (message: RemoteReply) => {
    if (!closed) port.postMessage(message);
  };

  port.onmessage = ({ data }: MessageEvent<RemoteRequest>) => {
    if (data.op === "begin") return void serve(data);
    const attempt = attempts.get(data.id);
    if (attempt === undefined || attempt.number !== data.attempt) return;
    if (data.op === "statement") return void answer(data.id, attempt, data.sequence, data.statement);
    const { outcome } = data;
    if (outcome === "done") attempt.commit();
    else attempt.rollBack(outcome === "failed" ? new WorkFailed() : attempt.failures.get(outcome.statement));
  };

  return {
    close() {
      closed = true;
      port.close();
      const lost = new StoreUnavailable(new Error("the thread that used the database has ended"));
      for (const attempt of attempts.values()) attempt.rollBack(lost);
    },
  };

  async function serve({ id, scope, limits }: Extract<RemoteRequest, { op: "begin" }>): Promise<void> {
    let number = 0;
    const work = (tx: Tx | OwnerTx) =>
      new Promise<void>((commit, rollBack) => {
        if (closed) return rollBack(new WorkFailed());
        number++;
        attempts.set(id, { number, tx, failures: new Map(), commit, rollBack });
        reply({ id, op: "opened", attempt: number });
      }).finally(() => attempts.delete(id));
    try {
      if ("tenant" in scope) await db.tenant(scope.tenant, work, limits);
      else if ("shared" in scope) await db.shared(work, limits);
      else await db.owner(work);
      reply({ id, op: "closed", error: null });
    } catch (error) {
      reply({ id, op: "closed", error: error instanceof WorkFailed ? "work" : packError(error) });
    }
  }

  async function answer(
    id: number,
    attempt: Attempt,
    sequence: number,
    statement: RemoteStatement,
  ): Promise<void> {
    const { number, tx } = attempt;
    try {
      const result = await runStatement(tx, statement);
      reply({ id, op: "result", attempt: number, sequence, result });
    } catch (error) {
      attempt.failures.set(sequence, error);
      reply({ id, op: "error", attempt: number, sequence, error: packError(error) });
    }
  }
}

function runStatement(tx: Tx | OwnerTx, statement: RemoteStatement): Promise<unknown> {
  if ("rows" in statement) return tx.rows(toSql(statement.rows));
  if ("run" in statement) return tx.run(toSql(statement.run));
  return (tx as OwnerTx).script(statement.script);
}

function toSql({ strings, values, name }: StatementParts): Sql {
  return new Sql(strings, values, name);
}
