/** The messages to and from a thread; see `answerWith` for the thread's side. */
export interface Question<Q> {
  id: number;
  question: Q;
}
export type Answer<A> = { id: number } & ({ answer: A } | { failure: string });

/** The thread ended before it answered. */
export class ThreadLost extends Error {
  constructor() {
    super("the thread ended");
  }
}

/** Threads of one program, each started on its first question. A question goes to the thread with the fewest pending. */
export class Threads<Q, A> {
  readonly #threads: Thread<Q, A>[];

  constructor(program: URL, count: number) {
    this.#threads = Array.from({ length: count }, () => new Thread<Q, A>(program));
  }

  /**
   * Resolves with the answer.
   *
   * @param transfer Moved to the thread instead of copied.
   * @throws ThreadLost if the thread ended, or an Error with the message of the thread's own.
   */
  ask(question: Q, transfer: Transferable[] = []): Promise<A> {
    const idlest = this.#threads.reduce((best, thread) => thread.waiting < best.waiting ? thread : best);
    return idlest.ask(question, transfer);
  }

  /** Ends all threads and rejects pending questions. */
  close(): void {
    for (const thread of this.#threads) thread.close();
  }
}

interface Waiting<A> {
  resolve: (answer: A) => void;
  reject: (error: Error) => void;
}

class Thread<Q, A> {
  readonly #program: URL;
  readonly #waiting = new Map<number, Waiting<A>>();
  #worker: Worker | null = null;
  #sequence = 0;

  constructor(program: URL) {
    this.#program = program;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  ask(question: Q, transfer: Transferable[]): Promise<A> {
    const worker = this.#worker ??= this.#start();
    const id = ++this.#sequence;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.postMessage({ id, question } satisfies Question<Q>, transfer);
    });
  }

  close(): void {
    this.#worker?.terminate();
    this.#worker = null;
    for (const { reject } of this.#waiting.values()) reject(new ThreadLost());
    this.#waiting.clear();
  }

  #start(): Worker {
    const worker = new Worker(this.#program, { type: "module" });
    worker.onmessage = (event: MessageEvent<Answer<A>>) => this.#settle(event.data);
    worker.onerror = (event) => {
      // The next question starts a new thread.
      event.preventDefault();
      this.close();
    };
    return worker;
  }

  #settle(message: Answer<A>): void {
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if ("answer" in message) waiting?.resolve(message.answer);
    else waiting?.reject(new Error(message.failure));
  }
}
