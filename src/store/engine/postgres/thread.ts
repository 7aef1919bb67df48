import { ThreadLost, Threads } from "../../../kit/threads/threads.ts";
import type { Connections, HeldConnection } from "../connections.ts";
import { StoreUnavailable } from "../database.ts";
import type { PoolOptions } from "./pool.ts";
import type { ForeignError, PostgresAnswer, PostgresQuestion } from "./postgres-worker.ts";

/**
 * Connections that a thread of their own feeds. A socket's buffer holds less than one of the pipeline's
 * statements, and a thread that is at work refills it only now and then: the server would wait for the rest
 * for a fifth of its time. Statements and rows are copied on their way, so this is for much to write and
 * little to read.
 */
export class PostgresThread implements Connections {
  readonly #thread: Threads<PostgresQuestion, PostgresAnswer>;

  constructor(private readonly options: PoolOptions) {
    const file = import.meta.url.endsWith(".ts") ? "./postgres-worker.ts" : "./postgres-worker.js";
    this.#thread = new Threads(new URL(file, import.meta.url), 1);
  }

  async connect(): Promise<HeldConnection> {
    const answer = await this.#ask({ op: "connect", options: this.options });
    if (!("connection" in answer)) throw new TypeError("the thread answered another question");
    const { connection } = answer;
    return {
      query: async (statement) => {
        const answer = await this.#ask({ op: "query", connection, statement });
        if (!("result" in answer)) throw new TypeError("the thread answered another question");
        return answer.result;
      },
      // Nobody waits for it, and a thread that is lost has lost its connections with it.
      release: (broken) => {
        const question = { op: "release", connection, broken: broken?.message ?? null } as const;
        this.#ask(question).catch(() => {});
      },
      destroy: () => void this.#ask({ op: "destroy", connection }).catch(() => {}),
    };
  }

  async end(): Promise<void> {
    // A thread that is lost has ended its connections already.
    await this.#ask({ op: "end" }).catch(() => {});
    this.#thread.close();
  }

  /**
   * @throws what the driver threw, with its code; StoreUnavailable where the thread ended, and the next
   *   question starts another.
   */
  async #ask(question: PostgresQuestion): Promise<PostgresAnswer> {
    let answer: PostgresAnswer;
    try {
      answer = await this.#thread.ask(question);
    } catch (error) {
      throw error instanceof ThreadLost ? new StoreUnavailable(error) : error;
    }
    if ("error" in answer) throw nativeOf(answer.error);
    return answer;
  }
}

function nativeOf({ message, code, constraint }: ForeignError): Error {
  return Object.assign(new Error(message), { code, constraint });
}
