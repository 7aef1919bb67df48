// The program of a thread that holds connections to PostgreSQL: see `PostgresThread`.

import { messageOf } from "../../../kit/errors.ts";
import { answerWith } from "../../../kit/threads/thread-answer.ts";
import type { HeldConnection, Statement, StatementResult } from "../connections.ts";
import { type PoolOptions, PostgresPool } from "./pool.ts";
import { errorCode } from "../retry.ts";

export type PostgresQuestion =
  | { op: "connect"; options: PoolOptions }
  | { op: "query"; connection: string; statement: string | Statement }
  | { op: "release"; connection: string; broken: string | null }
  | { op: "destroy"; connection: string }
  | { op: "end" };

/** What is known of an error on the other side. */
export interface ForeignError {
  message: string;
  /** SQLSTATE, or the socket's code. */
  code: string;
  constraint?: string;
}

export type PostgresAnswer =
  | { connection: string }
  | { result: StatementResult }
  | { done: true }
  | { error: ForeignError };

let pool: PostgresPool | null = null;
/**
 * By names that no other thread gives: what is left of a lost one must not meet somebody else's transaction.
 */
const held = new Map<string, HeldConnection>();

answerWith(async (question: PostgresQuestion): Promise<PostgresAnswer> => {
  try {
    return await answer(question);
  } catch (error) {
    const { constraint } = error as { constraint?: string };
    return { error: { message: messageOf(error), code: errorCode(error), constraint } };
  }
});

/** A statement is with the driver before anything is waited for: so they stay in order. */
async function answer(question: PostgresQuestion): Promise<PostgresAnswer> {
  switch (question.op) {
    case "connect": {
      pool ??= new PostgresPool(question.options);
      const connection = await pool.connect();
      const name = crypto.randomUUID();
      held.set(name, connection);
      return { connection: name };
    }
    case "query": {
      const { rows, rowCount } = await known(question.connection).query(question.statement);
      return { result: { rows, rowCount } };
    }
    case "release":
      known(question.connection).release(question.broken === null ? undefined : new Error(question.broken));
      held.delete(question.connection);
      return { done: true };
    case "destroy":
      known(question.connection).destroy();
      return { done: true };
    case "end":
      await pool?.end();
      pool = null;
      return { done: true };
  }
}

function known(connection: string): HeldConnection {
  const found = held.get(connection);
  // Of a thread that ended, and this one took its place.
  if (!found) throw Object.assign(new Error("the connection is gone"), { code: "08003" });
  return found;
}
