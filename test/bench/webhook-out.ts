// How long an incident takes to reach a receiver of webhooks, which is a real one in this process: it checks each signature.

import type { AddressInfo } from "node:net";
import { WEBHOOK_KEY, writeConnectors } from "../support/connector/connectors-file.ts";
import { createReceiver } from "../support/connector/webhook-receiver-example.ts";

export interface WebhookReceiver {
  /** Milliseconds from each incident's writing to its receipt, those of before `begin` left out. */
  readonly delays: number[];
  /** Counts from now on. */
  begin(): void;
  close(): Promise<void>;
}

/** Starts one, and writes `connectors.yaml` for it into the configuration folder. */
export async function startReceiver(configDir: string): Promise<WebhookReceiver> {
  const delays: number[] = [];
  let from = Infinity;
  const server = createReceiver(new TextEncoder().encode(WEBHOOK_KEY), ({ type, occurred_at }) => {
    const occurredAt = Date.parse(String(occurred_at));
    if (type === "incident.created" && occurredAt >= from) delays.push(Date.now() - occurredAt);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await writeConnectors(configDir, [{ instance: "bench", url: `http://127.0.0.1:${port}/` }]);
  return {
    delays,
    begin: () => from = Date.now(),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
