// The program with two webhook instances; one receiver accepts requests and never answers.

import assert from "node:assert/strict";
import { INGEST_PATH } from "../../src/contract/record/ingest.ts";
import { WebhookEnvelope } from "../../src/contract/connector/webhook.ts";
import { alert } from "../contract/records.ts";
import { WEBHOOK_KEY, writeConnectors } from "../support/connector/connectors-file.ts";
import { DEFAULT_ENGINES, freshPostgres } from "../support/database.ts";
import { answer, hang } from "../support/connector/hostile-answers.ts";
import { HostileReceiver, type ReceivedRequest } from "../support/connector/hostile-receiver.ts";
import { signIn, startUp, type Up } from "../support/up.ts";

const INCIDENTS = 6;

interface ListedIncident {
  id: string;
  device_ids: string[];
}

async function send(up: Up, line: string): Promise<void> {
  const { token } = up.sources.find(({ sensor_id: id }) => id === "main-suricata")!;
  const response = await fetch(`${up.coreUrl}${INGEST_PATH}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/x-ndjson" },
    body: line,
  });
  assert.equal(response.status, 200, await response.text());
}

/** An alert about a new device, so that each alert opens an incident. */
function attack(number: number): string {
  return alert({ src: `10.0.${number}.${number}`, at: Date.now() * 1000, srcPort: 50_000 + number });
}

function envelopeOf({ body }: ReceivedRequest): WebhookEnvelope {
  return WebhookEnvelope.parse(JSON.parse(new TextDecoder().decode(body)));
}

function incidentsOf(requests: readonly ReceivedRequest[]): string[] {
  return requests.map(envelopeOf).filter(({ type }) => type === "incident.created")
    .map(({ incident }) => incident!.id);
}

for (const engine of DEFAULT_ENGINES) {
  Deno.test(`a slow receiver never delays another instance or the pipeline (${engine})`, async () => {
    const slow = await HostileReceiver.start(hang());
    const quick = await HostileReceiver.start(answer(204));
    const stateDir = await Deno.makeTempDir({ prefix: "ndr-isolation-" });
    const server = engine === "postgres" ? await freshPostgres() : null;
    await writeConnectors(`${stateDir}/etc`, [
      { instance: "slow", url: slow.url(), config: { timeout: "30s" } },
      { instance: "quick", url: quick.url() },
    ]);
    const up = await startUp({
      stateDir,
      sample: false,
      databaseUrl: server?.url,
      env: { NDR_CONNECTORS_ENABLED: "true" },
    });
    try {
      await send(up, attack(1));
      await Promise.all([slow.received(1), quick.received(1)]);
      for (let number = 2; number <= INCIDENTS; number++) {
        await send(up, attack(number));
        // Each event is sent before the next is created, while the other instance waits for its answer.
        while (incidentsOf(quick.requests).length < number) await quick.received(quick.requests.length + 1);
      }
      assert.equal(slow.connections, 1, "the slow instance still waits for its first answer");

      const person = await signIn(up.baseUrl, "admin");
      const listed = await person.get<ListedIncident[]>("/api/v1/incidents?limit=500");
      assert.deepEqual(new Set(listed.map(({ id }) => id)), new Set(incidentsOf(quick.requests)));
      assert.equal(listed.length, INCIDENTS);
    } finally {
      // A request without an answer must not delay the shutdown either.
      await up.stop();
      await Promise.all([slow.close(), quick.close()]);
      await server?.drop();
      await Deno.remove(stateDir, { recursive: true });
    }
    assert.ok(!up.output().includes(WEBHOOK_KEY), "the log contains the signing key");
  });
}
