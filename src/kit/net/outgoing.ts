// Outgoing connections to one address whose peer is authenticated.

/** A connection whose peer has proved its identity, if TLS is used. */
export interface Connection {
  write(bytes: Uint8Array): Promise<void>;
  /** The next bytes; null at the end. */
  read(): Promise<Uint8Array | null>;
  /** Ends it at once; pending operations fail. */
  close(): void;
}

export interface Place {
  /** Address to connect to. */
  address: string;
  port: number;
  /** The name that the certificate must be for. */
  host: string;
}

/** The peer is not who it should be, or its TLS is not acceptable. */
export class TlsFault extends Error {}

/** Plain TCP. */
export async function connectPlain({ address, port }: Place, signal: AbortSignal): Promise<Connection> {
  return connectionOf(await Deno.connect({ hostname: address, port, signal }));
}

/**
 * TLS verified against the system's roots and `roots` (PEM). Uses Deno's own client: its node:tls accepts any
 * X.509 version 1 certificate that only names a trusted issuer (tested with 2.9.6).
 *
 * @throws TlsFault
 */
export async function connectVerified(
  { address, port, host }: Place,
  roots: readonly string[],
  signal: AbortSignal,
): Promise<Connection> {
  const tcp = await Deno.connect({ hostname: address, port, signal });
  const tls = await Deno.startTls(tcp, { hostname: host, caCerts: [...roots] });
  const stop = () => close(tls);
  signal.addEventListener("abort", stop);
  if (signal.aborted) stop();
  try {
    await tls.handshake();
  } catch (error) {
    close(tls);
    if (isLost(error)) throw error;
    throw new TlsFault(tlsReason(error));
  } finally {
    signal.removeEventListener("abort", stop);
  }
  return connectionOf(tls);
}

function connectionOf(conn: Deno.Conn): Connection {
  const buffer = new Uint8Array(16 * 1024);
  return {
    async write(bytes) {
      for (let sent = 0; sent < bytes.length;) sent += await conn.write(bytes.subarray(sent));
    },
    async read() {
      const count = await conn.read(buffer);
      return count === null ? null : buffer.slice(0, count);
    },
    close: () => close(conn),
  };
}

function close(conn: Deno.Conn): void {
  try {
    conn.close();
  } catch {
    // Closed already.
  }
}

/** A connection that ended during the handshake is no verdict on the certificate. */
export function isLost(error: unknown): boolean {
  const lost = [
    Deno.errors.ConnectionReset,
    Deno.errors.ConnectionRefused,
    Deno.errors.ConnectionAborted,
    Deno.errors.TimedOut,
    Deno.errors.UnexpectedEof,
    Deno.errors.BrokenPipe,
    Deno.errors.Interrupted,
    Deno.errors.BadResource,
  ];
  if (lost.some((kind) => error instanceof kind)) return true;
  return error instanceof Error && "code" in error && typeof error.code === "string" &&
    /^E(CONN|HOST|NET|PIPE|TIMEDOUT|ADDR|NOTFOUND|ACCES)/.test(error.code);
}

/** A short reason; the error's text may contain what a peer wrote into its certificate, so it is cut. */
export function tlsReason(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return `TLS failed: ${text.replace(/\P{ASCII}|\p{Cc}/gu, "?").slice(0, 200)}`;
}
