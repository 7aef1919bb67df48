// A whole appliance, the receiver from the README, and `ndr connectors`: switched off and on, replayed.

import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { INGEST_PATH } from "../../../src/contract/record/ingest.ts";
import { WebhookEnvelope } from "../../../src/contract/connector/webhook.ts";
import { alert } from "../../contract/records.ts";
import { callNdr, type Ran } from "../../support/command.ts";
import { WEBHOOK_KEY, writeConnectors } from "../../support/connector/connectors-file.ts";
import { DEFAULT_ENGINES, freshPostgres } from "../../support/database.ts";
import { type ApiClient, signIn, startUp, type Up } from "../../support/up.ts";
import { createReceiver, type WebhookEvent } from "../../support/connector/webhook-receiver-example.ts";

const PUBLIC_URL = "https://ndr.example";

/** Sends an alert for a distinct device, which opens an incident, and waits for it; returns its id. */
async function attack(up: Up, number: number): Promise<string> {
  const { token } = up.sources.find(({ sensor_id: id }) => id === "main-suricata")!;
  const response = await fetch(`${up.coreUrl}${INGEST_PATH}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: alert({ src: `10.0.${number}.${number}`, at: Date.now() * 1000, srcPort: 50_000 + number }),
  });
  assert.equal(response.status, 200, await response.text());
  const person: ApiClient = await signIn(up.baseUrl, "admin");
  return await until(async () => {
    const found = await person.get<{ id: string }[]>("/api/v1/incidents?limit=500");
    return found.length === number ? found[0]!.id : null;
  });
}

/** Polls until there is a result; otherwise the runner's time limit ends the test. */
async function until<T>(ask: () => Promise<T | null> | T | null): Promise<T> {
  for (;;) {
    const found = await ask();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const engine of DEFAULT_ENGINES) {
  Deno.test(`Connector activity is enabled with NDR_CONNECTORS_ENABLED=true; replay by reset-cursor (${engine})`, async () => {
    const stateDir = await Deno.makeTempDir({ prefix: "ndr-connectors-up-" });
    const postgres = engine === "postgres" ? await freshPostgres() : null;
    const databaseUrl = postgres?.url ?? `embedded:${stateDir}/database`;
    const taken: WebhookEvent[] = [];
    const deliveries: string[] = [];
    const server = createReceiver(new TextEncoder().encode(WEBHOOK_KEY), (event) => void taken.push(event));
    server.on("request", (request) => deliveries.push(String(request.headers["x-service-delivery"])));
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
    await writeConnectors(`${stateDir}/etc`, [{
      instance: "soc",
      url,
      config: { events: "incident.created", public_url: PUBLIC_URL },
    }]);
    const connectors = (...args: string[]): Promise<Ran> =>
      callNdr(["connectors", ...args], {
        NDR_CONFIG_DIR: `${stateDir}/etc`,
        NDR_DATABASE_URL: databaseUrl,
        NDR_CONNECTORS_ENABLED: "true",
      });
    const listed = async () => JSON.parse((await connectors("list", "--json")).stdout);
    const created = () => taken.map((event) => WebhookEnvelope.parse(event).incident!.id);
    let up: Up | null = null;
    const start = async (enabled: boolean) => {
      const env = enabled ? { NDR_CONNECTORS_ENABLED: "true" } : undefined;
      return up = await startUp({ stateDir, sample: false, databaseUrl, env });
    };
    try {
      const first = await attack(await start(false), 1);
      await up!.stop();
      assert.deepEqual((await listed()).recorded.state, "disabled");
      assert.deepEqual(deliveries, []);

      const second = await attack(await start(true), 2);
      await until(() => taken.length > 0 ? true : null);
      assert.deepEqual(created(), [second], "a new instance starts at the head of the log");
      assert.deepEqual(taken[0]!.links, {
        dashboard: `${PUBLIC_URL}/`,
        incident: `${PUBLIC_URL}/t/main/incidents/${second}`,
      });
      const refused = await connectors("reset-cursor", "soc");
      assert.deepEqual([refused.code, refused.stdout], [1, ""], refused.stderr);
      assert.match(refused.stderr, engine === "pglite" ? /in use by another process/ : /the service runs/);
      await up!.stop();

      const { recorded } = await listed();
      assert.deepEqual([recorded.state, recorded.delivered, recorded.pending], ["ok", 1, 0]);
      const reset = await connectors("reset-cursor", "soc");
      assert.equal(reset.code, 0, reset.stderr);
      await start(true);
      await until(() => deliveries.length >= 3 ? true : null);
      assert.deepEqual(created(), [second, first], "known events were recognised by id");
      assert.equal(new Set(deliveries).size, deliveries.length, "each request has its own delivery id");
    } finally {
      await (up as Up | null)?.stop();
      await new Promise((closed) => {
        server.close(closed);
        server.closeAllConnections();
      });
      await postgres?.drop();
      await Deno.remove(stateDir, { recursive: true });
    }
  });
}
