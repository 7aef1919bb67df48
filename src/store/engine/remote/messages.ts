// Messages between `RemoteDatabase` and `serveDatabase`. Each transaction has an id; each attempt of a retried transaction
// has a number, so that late messages of an earlier attempt are ignored.

import type { Limits } from "../limits.ts";

/** The parts of an `Sql`. */
export interface StatementParts {
  strings: readonly string[];
  values: readonly unknown[];
  name?: string;
}

export type Scope = { tenant: string } | { shared: true } | { owner: true };

export type RemoteStatement = { rows: StatementParts } | { run: StatementParts } | { script: string };

/** How the work of an attempt ended: `statement` names the one whose error it failed with. */
export type WorkOutcome = "done" | "failed" | { statement: number };

export type RemoteRequest =
  | { id: number; op: "begin"; scope: Scope; limits?: Limits }
  | { id: number; op: "statement"; attempt: number; sequence: number; statement: RemoteStatement }
  | { id: number; op: "end"; attempt: number; outcome: WorkOutcome };

/** An error that travels between threads. */
export interface RemoteError {
  message: string;
  /** SQLSTATE or the socket's code; empty if there is none. */
  code: string;
  constraint?: string;
  /** Whether it is the cause of a StoreUnavailable. */
  unavailable: boolean;
}

export type RemoteReply =
  /** The transaction is open: run its work. */
  | { id: number; op: "opened"; attempt: number }
  | { id: number; op: "result"; attempt: number; sequence: number; result: unknown }
  | { id: number; op: "error"; attempt: number; sequence: number; error: RemoteError }
  /** The transaction is over; `error` is null after COMMIT, and "work" if the work failed by itself. */
  | { id: number; op: "closed"; error: RemoteError | "work" | null };
