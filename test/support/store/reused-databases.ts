import type { Database, OwnerTx } from "../../../src/store/engine/database.ts";
import { emptyTables, fingerprint, tablesOf } from "./emptied.ts";

/** How to handle the databases of one engine. */
export interface Kind<D> {
  /** A migrated database that nobody has used. */
  make(): Promise<D>;
  /** Opens one for its owner. With `again`, first makes sure that nothing of its last user can reach it any more. */
  owned<T>(one: D, again: boolean, work: (owner: Database) => Promise<T>): Promise<T>;
  remove(one: D): Promise<void>;
}

/** What every fresh database has. */
interface Fresh {
  tables: string[];
  fingerprint: string;
}

/**
 * Databases that tests of one process use one after the other, because emptying one takes a fraction of the time of
 * making one. One that differs from a fresh one in anything but rows and day partitions is removed instead.
 */
export class ReusedDatabases<D> {
  readonly #idle: D[] = [];
  #fresh: Fresh | null = null;

  constructor(private readonly kind: Kind<D>) {}

  /** A database like a fresh one. The caller gives it back. */
  async take(): Promise<D> {
    for (let one = this.#idle.pop(); one !== undefined; one = this.#idle.pop()) {
      if (await this.#emptied(one)) return one;
      await this.kind.remove(one);
    }
    const made = await this.kind.make();
    this.#fresh ??= await this.kind.owned(made, false, (db) => db.owner(look));
    return made;
  }

  giveBack(one: D): void {
    this.#idle.push(one);
  }

  async removeAll(): Promise<void> {
    await Promise.all(this.#idle.splice(0).map((one) => this.kind.remove(one)));
  }

  async #emptied(one: D): Promise<boolean> {
    const fresh = this.#fresh!;
    try {
      const found = await this.kind.owned(one, true, (db) =>
        db.owner(async (tx) => {
          // Something may hold a lock forever, such as a prepared transaction.
          await tx.script("set local lock_timeout = '2s'");
          await emptyTables(tx, fresh.tables);
          return await fingerprint(tx);
        }));
      return found === fresh.fingerprint;
    } catch {
      // In use, broken, or changed so that it cannot be emptied.
      return false;
    }
  }
}

async function look(tx: OwnerTx): Promise<Fresh> {
  return { tables: await tablesOf(tx), fingerprint: await fingerprint(tx) };
}
