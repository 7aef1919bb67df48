// Delay from an incident to its webhook, measured by a receiver in this process that checks each signature.

import type { AddressInfo } from "node:net";
import { WEBHOOK_KEY, writeConnectors } from "../support/connector/connectors-file.ts";
import { createReceiver } from "../support/connector/webhook-receiver-example.ts";

export interface WebhookReceiver {
  /** Milliseconds from the creation of each incident to its receipt, since `begin`. */
  readonly delays: number[];
  /** Starts the measurement. */
  begin(): void;
  close(): Promise<void>;
}

/** Starts a receiver and writes `connectors.yaml` for it into the configuration folder. */
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
