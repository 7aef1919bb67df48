/** A TCP forwarder in front of a program, whose connections a test can cut. */
export class CutLink implements AsyncDisposable {
  readonly #listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  readonly #open = new Set<Deno.Conn>();
  readonly #accepting: Promise<void>;
  #target: { hostname: string; port: number } | null = null;

  constructor() {
    this.#accepting = this.#accept();
  }

  /** `http://127.0.0.1:<port>` */
  get url(): string {
    return `http://127.0.0.1:${(this.#listener.addr as Deno.NetAddr).port}`;
  }

  /** Forwards new connections to `host:port`. */
  connect(host: string): void {
    const { hostname, port } = new URL(`http://${host}`);
    this.#target = { hostname, port: Number(port) };
  }

  /** Closes every connection, and new ones at once until `connect`. */
  cut(): void {
    this.#target = null;
    for (const connection of this.#open) this.#close(connection);
  }

  #close(connection: Deno.Conn): void {
    if (this.#open.delete(connection)) connection.close();
  }

  async #accept(): Promise<void> {
    for await (const client of this.#listener) {
      this.#open.add(client);
      void this.#forward(client);
    }
  }

  async #forward(client: Deno.Conn): Promise<void> {
    try {
      if (this.#target === null) return;
      const server = await Deno.connect(this.#target);
      this.#open.add(server);
      try {
        // Either end may go away at any time, and takes the other with it.
        await Promise.race([copy(client, server), copy(server, client)]);
      } finally {
        this.#close(server);
      }
    } catch {
      // Cut, refused or closed by an end.
    } finally {
      this.#close(client);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#listener.close();
    this.cut();
    await this.#accepting;
  }
}

async function copy(from: Deno.Conn, to: Deno.Conn): Promise<void> {
  const buffer = new Uint8Array(64 * 1024);
  for (let length = await from.read(buffer); length !== null; length = await from.read(buffer)) {
    for (let at = 0; at < length;) at += await to.write(buffer.subarray(at, length));
  }
}
