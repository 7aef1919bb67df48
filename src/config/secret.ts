const SHOWN = "[redacted]";

/**
 * A secret text that does not show itself: printing, inspecting or serialising it gives `[redacted]`.
 * Only `reveal()` gives the text, so every place that uses a secret can be found by that name.
 */
export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  get length(): number {
    return this.#text.length;
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

/** A secret key of bytes that shows itself as little as a `Secret`. */
export class SecretKey {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  reveal(): Uint8Array {
    return this.#bytes;
  }

  get length(): number {
    return this.#bytes.length;
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
