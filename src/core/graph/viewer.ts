/** Bytes that a client may leave unread: a complete delta has about 1 MB. */
const MAX_UNREAD = 4 * 1024 * 1024;

interface ViewerOptions {
  /** In milliseconds. */
  lease: number;
  /** Called once, however the stream ends. */
  onEnd: (viewer: Viewer) => void;
  maxUnread?: number;
}

/**
 * One open stream. It ends when its lease does. If its client does not read, it ends without the events that are still
 * unread: the client may connect again with the last one that it has.
 */
export class Viewer {
  readonly body: ReadableStream<Uint8Array<ArrayBuffer>>;
  #controller!: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>;
  #unread: Uint8Array<ArrayBuffer>[] = [];
  #bytes = 0;
  /** The client waits for the next events. */
  #isAwaited = false;
  #ended = false;
  readonly #lease: ReturnType<typeof setTimeout>;

  constructor(private readonly options: ViewerOptions) {
    this.body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => {
        this.#controller = controller;
      },
      pull: () => {
        this.#isAwaited = true;
        this.#pass();
      },
      cancel: () => {
        this.#unread = [];
        if (!this.#ended) this.#end();
      },
    }, { highWaterMark: 0 });
    this.#lease = setTimeout(() => this.end(), options.lease);
  }

  send(events: Uint8Array<ArrayBuffer>): void {
    if (this.#ended) return;
    if (this.#bytes >= (this.options.maxUnread ?? MAX_UNREAD)) {
      this.#unread = [];
      return this.end();
    }
    this.#unread.push(events);
    this.#bytes += events.byteLength;
    this.#pass();
  }

  /** Ends the stream after what was sent. */
  end(): void {
    if (this.#ended) return;
    this.#end();
    this.#pass();
  }

  #pass(): void {
    const next = this.#isAwaited ? this.#unread.shift() : undefined;
    if (next !== undefined) {
      this.#isAwaited = false;
      this.#bytes -= next.byteLength;
      this.#controller.enqueue(next);
    }
    if (this.#ended && this.#unread.length === 0) this.#controller.close();
  }

  #end(): void {
    this.#ended = true;
    clearTimeout(this.#lease);
    this.options.onEnd(this);
  }
}
