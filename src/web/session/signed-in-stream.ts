import type { Context } from "hono";
import type { Cookies } from "../cookies.ts";
import type { Sessions, SignedIn } from "./sessions.ts";

/** How often a stream's session is read again, in milliseconds: another process may have ended it. */
const CHECK_MS = 10_000;

interface SignedInOptions {
  sessions: Sessions;
  cookies: Cookies;
  sessionCheckMs?: number;
}

/**
 * A stream that ends when the session of its request does, has lost its tenant, or has selected another one. At once if
 * that happens in this process.
 */
export function whileSignedIn(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  c: Context,
  session: SignedIn,
  { sessions, cookies, sessionCheckMs = CHECK_MS }: SignedInOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = stream.getReader();
  const ended = Promise.withResolvers<null>();
  const token = cookies.session(c);
  const check = async () => {
    // While the core does not answer, its stream ends by itself.
    const now = await sessions.find(token).catch(() => session);
    if (now?.selected?.tenant_id !== session.selected?.tenant_id) ended.resolve(null);
  };
  const timer = setInterval(() => void check(), sessionCheckMs);
  const forget = sessions.onChange(session.tokenHash, () => void check());
  const release = () => {
    clearInterval(timer);
    forget();
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const read = await Promise.race([reader.read(), ended.promise]);
        if (read !== null && !read.done) return controller.enqueue(read.value);
        release();
        controller.close();
        if (read === null) await reader.cancel();
      } catch {
        // The core is gone. A plain end: the listener would send the text of an error to the client.
        release();
        controller.close();
      }
    },
    async cancel(reason) {
      release();
      await reader.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
