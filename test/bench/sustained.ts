import type { Appliance } from "./appliance.ts";
import type { Idle } from "./idle.ts";
import { sendAll } from "./send.ts";

/** Unprocessed records at which the senders wait: a second's work or less. */
const AHEAD = 15_000;

/**
 * Records per second from end to end while senders stay at most `AHEAD` records ahead of the pipeline, a rate that can
 * be sustained indefinitely.
 *
 * @param idle Of a backlog that can be measured.
 */
export async function measureSustained(
  appliance: Appliance,
  idle: Idle,
  batches: readonly Uint8Array[],
  records: number,
  senders: number,
): Promise<number> {
  let sending = true;
  let ahead = 0;
  let changed = Promise.withResolvers<void>();
  const watch = (async () => {
    while (sending) {
      ahead = await idle.left() ?? 0;
      changed.resolve();
      changed = Promise.withResolvers<void>();
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  })();
  const mayGoOn = async () => {
    while (ahead > AHEAD) await changed.promise;
  };
  const begun = performance.now();
  await sendAll(appliance.coreUrl, appliance.token, batches, senders, mayGoOn);
  sending = false;
  await watch;
  await idle.reached();
  return records / (performance.now() - begun) * 1000;
}
