const SHOWN = "[redacted]";

/**
 * A value that never shows itself: printing, inspecting or serialising it gives `[redacted]`. Only `reveal()`
 * returns it, so that all uses of a secret can be found by that name.
 */
class Hidden<T extends { length: number }> {
  readonly #value: T;

  constructor(value: T) {
    this.#value = value;
  }

  reveal(): T {
    return this.#value;
  }

  get length(): number {
    return this.#value.length;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [Symbol.for("Deno.customInspect")](): string {
    return SHOWN;
  }

  [Symbol.for("nodejs.util.inspect.custom")](): string {
    return SHOWN;
  }
}

/** A secret text. */
export class Secret extends Hidden<string> {}

/** A secret key of bytes. */
export class SecretKey extends Hidden<Uint8Array> {}
