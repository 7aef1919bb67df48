/** Both ends of a connection of this thread with itself. */
interface Wire {
  from: Deno.TcpConn;
  to: Deno.TcpConn;
}

const ONE = new Uint8Array(1);

/**
 * Tells when this thread has looked at its sockets. Deno does so only while the thread waits for something outside of it; what it
 * sends to itself is there at once, and no other thread has to come to its turn for it. Connects on first use, and is to be closed.
 */
export class SelfWire {
  #wire: Promise<Wire | null> | null = null;
  #passing: Promise<void> | null = null;
  readonly #read = new Uint8Array(1);

  /** Resolves when all that had come in by now has been seen; where there is no connection to be had, in a millisecond or two. */
  pass(): Promise<void> {
    return this.#passing ??= this.#pass().finally(() => this.#passing = null);
  }

  async #pass(): Promise<void> {
    const wire = await (this.#wire ??= connect());
    try {
      if (wire !== null) return void await Promise.all([wire.to.read(this.#read), wire.from.write(ONE)]);
    } catch {
      // Somebody has cut it: the next one has another.
      await this.close();
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
  }

  async close(): Promise<void> {
    const wire = await this.#wire;
    this.#wire = null;
    for (const end of wire === null ? [] : [wire.from, wire.to]) close(end);
  }
}

async function connect(): Promise<Wire | null> {
  const listener = listen();
  if (listener === null) return null;
  const accepted = listener.accept().catch(() => null);
  const from = await Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port }).catch(() => null);
  if (from === null) listener.close();
  const to = await accepted;
  if (from !== null) listener.close();
  if (from !== null && to !== null && to.remoteAddr.port === from.localAddr.port) return { from, to };
  // Anybody on this machine may have been faster.
  for (const end of [from, to]) if (end !== null) close(end);
  return null;
}

function listen(): Deno.TcpListener | null {
  try {
    return Deno.listen({ hostname: "127.0.0.1", port: 0 });
  } catch {
    return null;
  }
}

function close(end: Deno.TcpConn): void {
  try {
    end.close();
  } catch {
    // It is closed already.
  }
}
