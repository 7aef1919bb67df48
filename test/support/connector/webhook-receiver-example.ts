// Receives the appliance's webhooks: deno run -A webhook-receiver-example.ts KEY-FILE [PORT] (also runs on
// Node.js 24). Listens on loopback; put a TLS proxy in front of it.

import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import process from "node:process";

export interface WebhookEvent {
  schema: string;
  id: string;
  type: string;
  /**
   * Read the fields you know and ignore the rest: new fields and event types do not change the schema
   * version.
   */
  [field: string]: unknown;
}

/** The event types this program handles. */
const SHOWN = new Set(["incident.created", "incident.escalated", "health.transition", "test"]);
const TOLERANCE_SECONDS = 300;
const MAX_BYTES = 1024 * 1024;
/** A repeat may arrive days later: a receiver that must never act twice keeps the ids in its database. */
const REMEMBERED_IDS = 100_000;

/** Calls `take` once per event. If `take` fails, the event is delivered again. */
export function createReceiver(
  key: string | Uint8Array,
  take: (event: WebhookEvent) => void | Promise<void>,
  now: () => number = () => Date.now() / 1000,
): Server {
  const taken = new Map<string, Promise<void>>();

  async function answer(request: IncomingMessage): Promise<number> {
    if (request.method !== "POST") return 405;
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of request) {
      bytes += part.length;
      if (bytes <= MAX_BYTES) parts.push(part);
    }
    if (bytes > MAX_BYTES) return 413;
    // Verify the raw bytes as received: parsed and re-serialised JSON has a different signature.
    const body = Buffer.concat(parts);
    const timestamp = String(request.headers["x-service-timestamp"]);
    if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now() - Number(timestamp)) > TOLERANCE_SECONDS) return 401;
    const signature = createHmac("sha256", key).update(`${timestamp}.`).update(body).digest("hex");
    const expected = Buffer.from(`sha256=${signature}`);
    const given = Buffer.from(String(request.headers["x-service-signature"]));
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return 401;

    // The signature is valid from here on. No other header is signed, so read the type from the body.
    const event: WebhookEvent = JSON.parse(body.toString());
    if (event.schema !== "service.webhook.v1") return 501;
    const taking = taken.get(event.id) ?? Promise.resolve(event).then(take);
    taken.set(event.id, taking);
    if (taken.size > REMEMBERED_IDS) taken.delete(taken.keys().next().value!);
    try {
      await taking;
      return 204;
    } catch {
      taken.delete(event.id);
      return 500;
    }
  }

  return createServer(async (request, response) => {
    response.statusCode = await answer(request).catch(() => 400);
    response.end();
  });
}

if (import.meta.main) {
  const [keyFile = "webhook.key", port = "9000"] = process.argv.slice(2);
  // A trailing newline in a plain-text key file is not part of the key.
  const key = readFileSync(keyFile, "utf8").replace(/\r?\n$/, "");
  const receiver = createReceiver(key, (event) => {
    if (SHOWN.has(event.type)) console.log(JSON.stringify(event));
  });
  receiver.listen(Number(port), "127.0.0.1", () => console.log(`listening on 127.0.0.1:${port}`));
}
