/** A bound on the memory of all requests under way. */
export class Capacity {
  readonly #maxRequests: number;
  readonly #maxBytes: number;
  #requests = 0;
  #bytes = 0;

  constructor(maxRequests: number, maxBytes: number) {
    this.#maxRequests = maxRequests;
    this.#maxBytes = maxBytes;
  }

  /** Requests under way. */
  get requests(): number {
    return this.#requests;
  }

  /** A place for one more request; `null` if all are taken. */
  enter(): CapacityShare | null {
    if (this.#requests >= this.#maxRequests) return null;
    this.#requests++;
    let held = 0;
    return {
      hold: (bytes) => {
        if (this.#bytes + bytes > this.#maxBytes) return false;
        this.#bytes += bytes;
        held += bytes;
        return true;
      },
      leave: () => {
        this.#requests--;
        this.#bytes -= held;
        held = 0;
      },
    };
  }
}

export interface CapacityShare {
  /** Claims room for that many more bytes; false if there is none. */
  hold(bytes: number): boolean;
  /** Releases everything; call it once. */
  leave(): void;
}
