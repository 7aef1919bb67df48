import { CoreUnavailable } from "./errors.ts";

/**
 * The same answer with a body that fails with CoreUnavailable if its next chunk does not arrive within
 * `gapMs`, or its connection breaks. Time without a pending read does not count. `abandon` aborts the request.
 */
export function timedBody(response: Response, gapMs: number, abandon: () => void): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      // An aborted request does not always end a pending read, so the read is not waited for.
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => {
        abandon();
        late.reject(new DOMException("no chunk in time", "TimeoutError"));
      }, gapMs);
      try {
        const { done, value } = await Promise.race([reader.read(), late.promise]);
        if (done) controller.close();
        else controller.enqueue(value);
      } catch (error) {
        controller.error(new CoreUnavailable("the answer was cut off", { cause: error }));
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  return new Response(body, { status: response.status, headers: response.headers });
}
