const NOTHING = new Uint8Array(0);

/** The bodies of all requests under way exceed their bound. */
export class NoRoom extends Error {}

/**
 * The exact bytes of a request's body, read as a stream. `null` as soon as it is known to be longer than
 * `maxBytes`, by its declared length or by what has arrived. An absent body is empty. `hold` claims room for
 * what arrives.
 *
 * @throws NoRoom if `hold` refuses; the stream's error if the body is incomplete.
 */
export async function readBody(
  request: Request,
  maxBytes: number,
  hold: (bytes: number) => boolean = () => true,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const declared = request.headers.get("content-length");
  if (declared !== null && Number(declared) > maxBytes) return null;
  if (request.method === "GET" || request.method === "HEAD" || request.body === null) return NOTHING;

  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  const reader = request.body.getReader();
  while (true) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > maxBytes || !hold(value.length)) {
      // Not cancelled: the listener drains a part of the rest, so that the client gets to read the answer.
      reader.releaseLock();
      if (length > maxBytes) return null;
      throw new NoRoom("no room for a body");
    }
    chunks.push(value);
  }
  if (chunks.length === 1) return chunks[0]!;
  const body = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    body.set(chunk, at);
    at += chunk.length;
  }
  return body;
}
