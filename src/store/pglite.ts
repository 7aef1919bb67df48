import { type Database, type OwnerTx, StoreUnavailable, type Tx } from "./database.ts";
import { type Connection, OpenTx } from "./open-tx.ts";
import type { WorkerAnswer, WorkerRequest } from "./pglite-worker.ts";
import { retrying } from "./retry.ts";
import { OPEN_OWNER, OPEN_SHARED, openTenant } from "./scope.ts";

type Answer = { rows: Record<string, unknown>[]; changed: number };
type Ask = WorkerRequest extends infer R ? R extends { id: number } ? Omit<R, "id"> : never : never;

export interface PgliteOptions {
  /** Where the data lives; null keeps it in memory. */
  directory: string | null;
  /** An image made by `image()` to begin with instead of an empty cluster. */
  image?: Uint8Array;
}

/**
 * PGlite in a worker of its own: for evaluation and small sites. It has one connection, so transactions wait
 * for each other; and two processes destroy its directory, so an exclusive lock file guards it.
 */
export class PgliteDatabase implements Database {
  readonly engine = "pglite";
  readonly #worker: Worker;
  readonly #pending = new Map<
    number,
    { resolve: (answer: Answer) => void; reject: (error: Error) => void }
  >();
  #lock: Deno.FsFile | null = null;
  #sequence = 0;
  #turn: Promise<unknown> = Promise.resolve();
  #closing = false;
  #closed = false;
  readonly #connection: Connection = {
    query: (statement) => this.#ask({ op: "query", ...statement }),
    script: async (text) => void await this.#ask({ op: "script", text }),
  };

  private constructor() {
    const file = import.meta.url.endsWith(".ts") ? "./pglite-worker.ts" : "./pglite-worker.js";
    this.#worker = new Worker(new URL(file, import.meta.url), { type: "module" });
    this.#worker.onmessage = (event: MessageEvent<WorkerAnswer>) => this.#settle(event.data);
    this.#worker.onerror = (event) => {
      event.preventDefault();
      this.#fail(new Error(`the embedded database stopped: ${event.message}`));
    };
  }

  static async open(options: PgliteOptions): Promise<PgliteDatabase> {
    const lock = options.directory === null ? null : await lockDirectory(options.directory);
    const database = new PgliteDatabase();
    database.#lock = lock;
    try {
      await database.#ask({ op: "open", directory: options.directory, image: options.image ?? null });
    } catch (error) {
      database.#end();
      throw error;
    }
    return database;
  }

  async tenant<T>(tenantId: string, work: (tx: Tx) => Promise<T>): Promise<T> {
    return await this.#transaction(openTenant(tenantId), work);
  }

  shared<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#transaction(OPEN_SHARED, work);
  }

  owner<T>(work: (tx: OwnerTx) => Promise<T>): Promise<T> {
    return this.#transaction(OPEN_OWNER, work);
  }

  /** The whole cluster as one file, to open further databases from. */
  async image(): Promise<Uint8Array> {
    return (await this.#ask({ op: "image" })).rows[0]!.image as Uint8Array;
  }

  async close(): Promise<void> {
    if (this.#closing || this.#closed) return;
    this.#closing = true;
    await this.#turn;
    try {
      if (!this.#closed) await this.#ask({ op: "close" });
    } finally {
      this.#end();
    }
  }

  #transaction<T>(open: string, work: (tx: OwnerTx) => Promise<T>): Promise<T> {
    if (this.#closing) return Promise.reject(closed());
    const run = async () => {
      try {
        await this.#ask({ op: "script", text: open });
        const result = await OpenTx.run(this.#connection, work);
        await this.#ask({ op: "script", text: "commit" });
        return result;
      } catch (error) {
        await this.#ask({ op: "script", text: "rollback" }).catch(() => {});
        throw error;
      }
    };
    const result = this.#turn.then(() => retrying(run));
    this.#turn = result.catch(() => {});
    return result;
  }

  #ask(ask: Ask): Promise<Answer> {
    if (this.#closed) return Promise.reject(closed());
    const id = ++this.#sequence;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject });
      this.#worker.postMessage({ ...ask, id });
    });
  }

  #settle(answer: WorkerAnswer): void {
    const waiting = this.#pending.get(answer.id);
    this.#pending.delete(answer.id);
    if ("error" in answer) {
      waiting?.reject(Object.assign(new Error(answer.error.message), { code: answer.error.code }));
    } else waiting?.resolve(answer);
  }

  #fail(error: Error): void {
    this.#end();
    for (const { reject } of this.#pending.values()) reject(new StoreUnavailable(error));
    this.#pending.clear();
  }

  /** Lets the next process have the directory. */
  #end(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#worker.terminate();
    this.#lock?.close();
  }
}

function closed(): StoreUnavailable {
  return new StoreUnavailable(new Error("the embedded database is closed"));
}

async function lockDirectory(directory: string): Promise<Deno.FsFile> {
  await Deno.mkdir(directory, { recursive: true, mode: 0o700 });
  // One file, however the directory is spelled.
  const file = await Deno.open(`${await Deno.realPath(directory)}.lock`, { create: true, write: true });
  if (!(await file.tryLock(true))) {
    file.close();
    throw new Error(`the embedded database ${directory} is in use by another process; stop that one first`);
  }
  return file;
}
