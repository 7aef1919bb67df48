import { Agent, request } from "node:http";

/**
 * Posts batches over `senders` connections, each batch after `mayGoOn` has resolved. Resolves with the seconds until the
 * last acknowledgement.
 */
export async function sendAll(
  coreUrl: string,
  token: string,
  batches: readonly Uint8Array[],
  senders: number,
  mayGoOn: () => Promise<void> = () => Promise.resolve(),
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: senders });
  let next = 0;
  const begun = performance.now();
  await Promise.all(Array.from({ length: senders }, async () => {
    for (;;) {
      await mayGoOn();
      if (next >= batches.length) return;
      await post(agent, coreUrl, token, batches[next++]!);
    }
  }));
  agent.destroy();
  return (performance.now() - begun) / 1000;
}

function post(agent: Agent, coreUrl: string, token: string, body: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    const call = request(`${coreUrl}/internal/v1/ingest/events`, {
      method: "POST",
      agent,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/x-ndjson",
        "content-length": body.length,
      },
    }, (response) => {
      response.resume();
      response.on(
        "end",
        () =>
          response.statusCode === 200
            ? resolve()
            : reject(new Error(`the ingest answered ${response.statusCode}`)),
      );
    });
    call.on("error", reject);
    call.end(body);
  });
}

/** Request bodies of `size` lines each. */
export function toBatches(lines: readonly string[], size: number): Uint8Array[] {
  const encoder = new TextEncoder();
  const batches: Uint8Array[] = [];
  for (let i = 0; i < lines.length; i += size) {
    batches.push(encoder.encode(lines.slice(i, i + size).join("\n")));
  }
  return batches;
}
