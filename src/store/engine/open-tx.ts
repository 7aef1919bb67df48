import type { OwnerTx } from "./database.ts";
import type { Sql } from "./sql.ts";

/** A driver's connection inside a transaction. */
export interface Connection {
  query(
    statement: { text: string; values: unknown[]; name?: string },
  ): Promise<{ rows: unknown[]; changed: number }>;
  script(text: string): Promise<void>;
}

/** A transaction on either engine, while its callback runs. */
export class OpenTx implements OwnerTx {
  #failure: { error: unknown } | null = null;
  #ended = false;

  private constructor(private readonly connection: Connection) {}

  /**
   * Runs a callback inside the transaction that was opened on the connection.
   *
   * @throws what the callback throws, and the error of a failed statement even if the callback caught it: the
   *   server answers the COMMIT of a failed transaction with a ROLLBACK that looks like success.
   */
  static async run<T>(connection: Connection, work: (tx: OwnerTx) => Promise<T>): Promise<T> {
    const tx = new OpenTx(connection);
    try {
      const result = await work(tx);
      if (tx.#failure) throw tx.#failure.error;
      return result;
    } finally {
      // The connection goes to another tenant next.
      tx.#ended = true;
    }
  }

  async rows<R extends object>(statement: Sql): Promise<R[]> {
    return (await this.#ask(() => this.connection.query(statement.compile()))).rows as R[];
  }

  async run(statement: Sql): Promise<number> {
    return (await this.#ask(() => this.connection.query(statement.compile()))).changed;
  }

  script(text: string): Promise<void> {
    return this.#ask(() => this.connection.script(text));
  }

  async #ask<T>(work: () => Promise<T>): Promise<T> {
    if (this.#ended) throw new Error("a statement after the end of its transaction");
    try {
      return await work();
    } catch (error) {
      this.#failure ??= { error };
      throw error;
    }
  }
}
