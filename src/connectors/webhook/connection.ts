import { once } from "node:events";
import { connect, type TLSSocket } from "node:tls";
import { type Connection, isLost, type Place, TlsFault, tlsReason } from "../../kit/net/outgoing.ts";
import { parseIp } from "../../kit/net/ip.ts";
import { sha256Hex } from "../../kit/hash.ts";

/**
 * TLS with exactly the certificate of this SHA-256, whatever its issuer, name and dates. It is compared
 * before a byte is sent.
 *
 * @throws TlsFault
 */
export async function connectPinned(
  { address, port, host }: Place,
  fingerprint: string,
  signal: AbortSignal,
): Promise<Connection> {
  // The handshake still proves that the peer holds the certificate's key.
  const socket = connect({
    host: address,
    port,
    servername: parseIp(host) === null ? host : "",
    rejectUnauthorized: false,
  });
  const pieces = socket[Symbol.asyncIterator]();
  // Readers and writers see an error; between these it is not needed.
  socket.on("error", () => {});
  try {
    await once(socket, "secureConnect", { signal });
    refuseOther(socket, fingerprint);
  } catch (error) {
    socket.destroy();
    if (error instanceof TlsFault || signal.aborted || isLost(error)) throw error;
    throw new TlsFault(tlsReason(error));
  }
  return {
    write: (bytes) =>
      new Promise((resolve, reject) => socket.write(bytes, (error) => error ? reject(error) : resolve())),
    read: async () => {
      const { value, done } = await pieces.next();
      return done ? null : value;
    },
    close: () => socket.destroy(),
  };
}

function refuseOther(socket: TLSSocket, fingerprint: string): void {
  const { raw } = socket.getPeerCertificate();
  if (raw === undefined || sha256Hex(raw) !== fingerprint) {
    throw new TlsFault("its certificate is not the one of tls_fingerprint_sha256");
  }
  // For other versions Deno does not verify that the peer holds the key, and the certificate itself is no
  // secret.
  if (!isVersion3(raw)) throw new TlsFault("its certificate is not of X.509 version 3");
}

/** Whether DER bytes start like a version 3 certificate: SEQUENCE { SEQUENCE { [0] { INTEGER 2 } … */
function isVersion3(der: Uint8Array): boolean {
  const inner = contentAt(der, contentAt(der, 0));
  return [0xa0, 3, 2, 1, 2].every((byte, index) => der[inner + index] === byte);
}

/** Start of the content of the DER element at `at`. */
function contentAt(der: Uint8Array, at: number): number {
  const length = der[at + 1] ?? 0;
  return at + 2 + (length & 0x80 ? length & 0x7f : 0);
}
