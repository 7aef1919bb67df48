/** An HTTP proxy that records what it is asked for and answers everything with 403. */
interface RecordingProxy extends AsyncDisposable {
  /** `http://127.0.0.1:<port>` */
  url: string;
  /** The first line of each request, for example `CONNECT example.com:443 HTTP/1.1`. */
  requests: string[];
}

const REFUSAL = "HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";

/** Starts the proxy; a program that uses it for everything but loopback addresses cannot leave the machine unseen. */
export function startRecordingProxy(): RecordingProxy {
  const requests: string[] = [];
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const answer = async (connection: Deno.Conn) => {
    using _ = connection;
    const buffer = new Uint8Array(8192);
    const length = await connection.read(buffer);
    if (length === null) return;
    requests.push(new TextDecoder().decode(buffer.subarray(0, length)).split("\r\n", 1)[0]!);
    await connection.write(new TextEncoder().encode(REFUSAL));
  };
  const accepting = (async () => {
    // A client may go away at any time.
    for await (const connection of listener) answer(connection).catch(() => {});
  })();
  return {
    url: `http://127.0.0.1:${(listener.addr as Deno.NetAddr).port}`,
    requests,
    [Symbol.asyncDispose]: async () => {
      listener.close();
      await accepting;
    },
  };
}
