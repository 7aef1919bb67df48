import { type BulkDatabase, type BulkTx, bulkTx } from "../bulk.ts";
import { type OwnerTx, StoreUnavailable, type Tx } from "../database.ts";
import { Deadline } from "../deadline.ts";
import type { Limits } from "../limits.ts";
import { type Connection, OpenTx } from "../open-tx.ts";
import { copies } from "./copy.ts";
import { PgliteInstance } from "./instance.ts";
import { retrying } from "../retry.ts";
import { Vacuum } from "./vacuum.ts";
import { OPEN_OWNER, openShared, openTenant } from "../scope.ts";

/** Another process has the embedded database open. */
export class DatabaseInUse extends Error {
  override readonly name = "DatabaseInUse";
  constructor(directory: string) {
    super(`the embedded database ${directory} is in use by another process; stop that one first`);
  }
}

interface PgliteOptions {
  /** Data directory; null keeps the data in memory. */
  directory: string | null;
  /** An image made by `image()` to start from instead of an empty cluster. */
  image?: Uint8Array;
}

/** Milliseconds between two attempts to reopen: each takes a second of processor time. */
const REOPEN_EVERY = 2000;

/**
 * PGlite in its own worker, for evaluation and small sites. It has one connection, so transactions run one at
 * a time. Two processes would destroy its directory, so an exclusive lock file guards it. After a crash, for
 * example because its disk is full, it is reopened and recovers from its log what was committed.
 */
export class PgliteDatabase implements BulkDatabase {
  readonly engine = "pglite";
  #lastAttempt = -Infinity;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #vacuum = new Vacuum();
  #closing = false;

  private constructor(
    private readonly directory: string | null,
    private readonly lock: Deno.FsFile | null,
    private instance: PgliteInstance,
  ) {}

  static async open({ directory, image }: PgliteOptions): Promise<PgliteDatabase> {
    const lock = directory === null ? null : await lockDirectory(directory);
    try {
      return new PgliteDatabase(directory, lock, await PgliteInstance.open(directory, image ?? null));
    } catch (error) {
      lock?.close();
      throw error;
    }
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

  bulk<T>(work: (tx: BulkTx) => Promise<T>): Promise<T> {
    return this.#transaction(OPEN_OWNER, (tx) => work(bulkTx(tx, copies(this.instance, tx))));
  }

  /** The whole cluster as one file, to open other databases from. */
  async image(): Promise<Uint8Array> {
    return (await this.instance.ask({ op: "image" })).rows[0]!.image as Uint8Array;
  }

  async close(): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    await this.#turn;
    try {
      if (!this.instance.over) await this.instance.ask({ op: "close" });
    } finally {
      this.instance.end(new Error("it was closed"));
      // Lets the next process have the directory.
      this.lock?.close();
    }
  }

  #transaction<T>(open: string, work: (tx: OwnerTx) => Promise<T>, limits?: Limits): Promise<T> {
    if (this.#closing) return Promise.reject(closed());
    const deadline = limits && new Deadline(limits);
    const run = async () => {
      deadline?.begin();
      const connection = connectionOf(await this.#usable(), deadline);
      try {
        await connection.script(open);
        const result = await OpenTx.run(connection, work);
        deadline?.check();
        await connection.script("commit");
        return result;
      } catch (error) {
        await connection.script("rollback").catch(() => {});
        throw error;
      }
    };
    const result = this.#turn.then(() => retrying(run));
    this.#turn = result.catch(() => {}).then(() => this.#vacuum.afterTransaction(this.instance));
    // A running statement cannot be cancelled; only its caller stops waiting.
    return deadline?.bound(result, () => {}) ?? result;
  }

  /** @throws StoreUnavailable while the instance is broken and cannot be reopened. */
  async #usable(): Promise<PgliteInstance> {
    const { over } = this.instance;
    if (over === null) return this.instance;
    // Data in memory is lost, so there is nothing to reopen.
    if (this.directory === null || performance.now() - this.#lastAttempt < REOPEN_EVERY) {
      throw new StoreUnavailable(over);
    }
    try {
      this.instance = await PgliteInstance.open(this.directory, null);
    } catch (error) {
      throw new StoreUnavailable(error);
    } finally {
      this.#lastAttempt = performance.now();
    }
    return this.instance;
  }
}

function connectionOf(instance: PgliteInstance, deadline: Deadline | undefined): Connection {
  return {
    async query({ text, values }) {
      deadline?.check();
      return await instance.ask({ op: "query", text, values });
    },
    script: async (text) => void await instance.ask({ op: "script", text }),
  };
}

function closed(): StoreUnavailable {
  return new StoreUnavailable(new Error("the embedded database is closed"));
}

async function lockDirectory(directory: string): Promise<Deno.FsFile> {
  await Deno.mkdir(directory, { recursive: true, mode: 0o700 });
  // The real path: one lock file for all spellings of the directory.
  const file = await Deno.open(`${await Deno.realPath(directory)}.lock`, { create: true, write: true });
  if (!(await file.tryLock(true))) {
    file.close();
    throw new DatabaseInUse(directory);
  }
  return file;
}
