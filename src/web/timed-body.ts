import { CoreUnavailable } from "./errors.ts";

/**
 * The same answer with a body that fails with CoreUnavailable if its next chunk does not arrive within
 * `gapMs`, or its connection breaks. Time in which nobody reads does not count. `abandon` aborts the request.
 */
export function timedBody(response: Response, gapMs: number, abandon: () => void): Response {
  if (response.body === null) return response;
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const timer = setTimeout(abandon, gapMs);
      try {
        const { done, value } = await reader.read();
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
