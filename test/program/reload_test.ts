// `ndr core` as a process whose configuration an administrator edits while a sensor sends: each change applies at
// SIGHUP, each fault changes nothing and is named, and no record is refused or lost.

import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import type { AnalystRunPreview } from "../../src/contract/analyst/analyst-run.ts";
import type { IncidentDetail } from "../../src/contract/incident/incident.ts";
import type { HealthReport } from "../../src/contract/health/health.ts";
import { openDatabase } from "../../src/store/engine/open.ts";
import { sql } from "../../src/store/engine/sql.ts";
import { WEBHOOK_KEY, writeConnectors } from "../support/connector/connectors-file.ts";
import { createReceiver, type WebhookEvent } from "../support/connector/webhook-receiver-example.ts";
import { type Core, startCore, until } from "../support/core-process.ts";
import { freshPostgres, POSTGRES_URL } from "../support/database.ts";
import { line } from "../support/record/pipeline.ts";

const ENV = {
  TOKEN_ALWAYS: "token-of-the-steady-sensor",
  TOKEN_OLD: "token-of-the-removed-sensor",
  TOKEN_NEW: "token-of-the-added-sensor",
  TOKEN_LAST: "token-of-the-last-sensor",
  TOKEN_NAC: "token-of-the-first-executor",
  TOKEN_SWITCH: "token-of-the-second-executor",
};
type Token = keyof typeof ENV;

/** What a file holds now, for the tokens that are read from one. */
const exchanged = new Map<Token, string>();

function tokenOf(token: Token): string {
  return exchanged.get(token) ?? ENV[token];
}

/** The peers that become internal. */
const NETWORKS = { first: "198.51.100.77", second: "203.0.113.77" };
/** The peers that become listed, each of another device, so that each makes an incident of its own. */
const LISTED = ["192.0.2.1", "192.0.2.2", "192.0.2.3"] as const;
const CONTACTS = [
  ["10.0.0.5", NETWORKS.first],
  ["10.0.0.5", NETWORKS.second],
  ["10.0.0.21", LISTED[0]],
  ["10.0.0.22", LISTED[1]],
  ["10.0.0.23", LISTED[2]],
] as const;

function sources(tokens: readonly Token[], trust = "packet"): string {
  const entries = tokens.map((token) =>
    `  - { sensor_id: ${
      token.toLowerCase().replace("_", "-")
    }, tenant_id: main, token_env: ${token}, trust: ${trust}, allowed_kinds: [zeek.conn] }\n`
  );
  return `sources:\n${entries.join("")}`;
}

function sites(name: string, networks: readonly string[], vlan: number): string {
  return `sites:\n  - tenant_id: main\n    display_name: ${name}\n    networks: [${networks.join(", ")}]\n` +
    `    vlans: [{ vlan_id: ${vlan}, name: Office, cidrs: [10.0.0.0/24] }]\n`;
}

function response(executor: Token, gate: string): string {
  return `response:\n  - tenant_id: main\n    automatic: { notify_only: { min_score: ${gate} } }\n` +
    `    executors:\n      - { executor_id: nac, token_env: ${executor} }\n`;
}

let sent = 0;
/** Requests of the steady sensor that were refused while its token was exchanged. */
let refusals = 0;

/** A connection, distinct from all others. */
function conn(originator: string, responder: string): string {
  const ts = Date.now() / 1000;
  sent++;
  return line("zeek.conn", new Date(ts * 1000).toISOString(), {
    ts,
    uid: `C${sent}`,
    "id.orig_h": originator,
    "id.orig_p": 20_000 + sent % 40_000,
    "id.resp_h": responder,
    "id.resp_p": 443,
    proto: "tcp",
    service: "ssl",
    conn_state: "SF",
    orig_bytes: 100,
    resp_bytes: 200,
  });
}

async function send(core: Core, token: Token, lines: readonly string[]) {
  const answer = await fetch(`${core.url}/internal/v1/ingest/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${tokenOf(token)}`, "content-type": "application/x-ndjson" },
    body: lines.join("\n"),
  });
  return { status: answer.status, text: await answer.text() };
}

/**
 * Sends without a pause until it is stopped; returns the number of records, all acknowledged. As a transport does, it
 * repeats what is refused because the token is being exchanged.
 */
function sendAlways(core: Core): { stop(): Promise<number> } {
  let stopped = false;
  const sending = (async () => {
    let acknowledged = 0;
    while (!stopped) {
      const lines = CONTACTS.map(([device, peer]) => conn(device, peer));
      let { status, text } = await send(core, "TOKEN_ALWAYS", lines);
      for (; status === 401 && exchanged.has("TOKEN_ALWAYS"); refusals++) {
        await new Promise((resolve) => setTimeout(resolve, 50));
        ({ status, text } = await send(core, "TOKEN_ALWAYS", lines));
      }
      assert.equal(status, 200, text);
      const { accepted, duplicates } = JSON.parse(text).data;
      assert.deepEqual([accepted, duplicates], [lines.length, 0]);
      acknowledged += accepted;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return acknowledged;
  })();
  // A failure is reported by `stop`.
  sending.catch(() => {});
  return { stop: () => (stopped = true, sending) };
}

class Receiver {
  readonly incidents: WebhookEvent[] = [];
  readonly #server = createReceiver(WEBHOOK_KEY, (event) => {
    if (event.type === "incident.created") this.incidents.push(event);
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  has(address: string): boolean {
    return this.incidents.some((event) => JSON.stringify(event).includes(address));
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }
}

interface World {
  core: Core;
  folder: string;
  /** Sends SIGHUP and returns what was logged until the core reported the outcome. */
  reload(): Promise<string>;
  receivers: [Receiver, Receiver];
  urls: [string, string];
}

async function applied(world: World, file: string, text: string): Promise<void> {
  await Deno.writeTextFile(`${world.folder}/${file}`, text);
  assert.match(await world.reload(), /"configuration reloaded"/);
  assert.deepEqual(await configurationHealth(world), ["ok", null]);
}

/** Health of the configuration, for administrators. */
async function configurationHealth({ core }: World): Promise<[status: string, message: string | null]> {
  const { components } = await core.get<HealthReport>("/api/v1/health");
  const { status, message } = components.find(({ kind }) => kind === "configuration")!;
  return [status, message];
}

async function rejected(world: World, file: string, text: string, fault: string): Promise<void> {
  await Deno.writeTextFile(`${world.folder}/${file}`, text);
  const logged = await world.reload();
  assert.match(logged, /"configuration not reloaded"/);
  assert.ok(logged.includes(`${world.folder}/${file}:${fault}`), `${fault} in ${logged}`);
  const [status, message] = await configurationHealth(world);
  assert.equal(status, "degraded");
  assert.match(
    message!,
    /^the reload at [^ ]+Z was rejected, and the former configuration is in use: fault at /,
  );
  assert.ok(message!.includes(`${world.folder}/${file}:${fault}`), message!);
}

/** Returns the number of acknowledged records, as each part that sends some. */
async function sourcesStory(world: World): Promise<number> {
  const status = async (token: Token) =>
    (await send(world.core, token, [conn("10.0.0.6", "10.0.0.7")])).status;
  const seen: number[] = [];
  const expect = async (expected: Partial<Record<Token, number>>) => {
    for (const [token, value] of Object.entries(expected)) {
      const got = await status(token as Token);
      assert.equal(got, value, token);
      seen.push(got);
    }
  };
  await expect({ TOKEN_OLD: 200, TOKEN_NEW: 401 });
  await applied(world, "sources.yaml", sources(["TOKEN_ALWAYS", "TOKEN_NEW"]));
  await expect({ TOKEN_OLD: 401, TOKEN_NEW: 200 });
  const next = sources(["TOKEN_ALWAYS", "TOKEN_LAST"]);
  await rejected(world, "sources.yaml", next.replace(/packet(?!.*packet)/s, "hearsay"), "3:");
  await expect({ TOKEN_NEW: 200, TOKEN_LAST: 401 });
  await applied(world, "sources.yaml", next);
  await expect({ TOKEN_NEW: 401, TOKEN_LAST: 200 });
  return seen.filter((one) => one === 200).length;
}

async function sitesStory(world: World): Promise<number> {
  const { core } = world;
  const vlansOf = async (ip: string) =>
    (await core.get<{ display_name: string; vlan_ids: number[] }[]>("/api/v1/devices"))
      .find((one) => one.display_name === ip)?.vlan_ids;
  const isDevice = async (ip: string) => await vlansOf(ip) !== undefined;
  const hasVlan = (vlan: number) =>
    until(async () => (await vlansOf("10.0.0.5"))?.includes(vlan) || undefined, core.output);
  const isFound = (ip: string) => until(async () => await isDevice(ip) || undefined, core.output);
  const siteName = async () => (await core.get<{ display_name: string }>("/api/v1/site")).display_name;
  await isFound("10.0.0.5");
  await isFound("10.0.0.6");
  assert.equal(await isDevice(NETWORKS.first), false);
  await applied(world, "sites.yaml", sites("Two", ["198.51.100.0/24"], 2));
  await isFound(NETWORKS.first);
  await hasVlan(2);
  assert.equal(await siteName(), "Two");
  await rejected(world, "sites.yaml", sites("Three", ["198.51.100.0/24", "203.0.113.9/24"], 3), "4:");
  assert.equal(await siteName(), "Two");
  // A round after the fault.
  assert.equal((await send(core, "TOKEN_ALWAYS", [conn("10.0.0.8", NETWORKS.second)])).status, 200);
  await isFound("10.0.0.8");
  assert.equal(await isDevice(NETWORKS.second), false);
  await applied(world, "sites.yaml", sites("Three", ["198.51.100.0/24", "203.0.113.0/24"], 3));
  await isFound(NETWORKS.second);
  await hasVlan(3);
  assert.equal(await siteName(), "Three");
  return 1;
}

async function report(core: Core, token: Token, headers: Record<string, string> = {}): Promise<number> {
  const answer = await fetch(
    `${core.url}/internal/v1/response-actions/${crypto.randomUUID()}/outcomes`,
    {
      method: "POST",
      headers: {
        authorization: `Bearer ${tokenOf(token)}`,
        "content-type": "application/json",
        "idempotency-key": "reload-1",
        ...headers,
      },
      body: JSON.stringify({ status: "executed", detail: "done" }),
    },
  );
  await answer.body?.cancel();
  return answer.status;
}

/** Executors and the gate of automatic proposals. The route answers 401 for an unknown token, 404 for an action that does not exist. */
async function executorsStory(world: World): Promise<void> {
  const statuses =
    async () => [await report(world.core, "TOKEN_NAC"), await report(world.core, "TOKEN_SWITCH")];
  assert.deepEqual(await statuses(), [404, 401]);
  await applied(world, "response.yaml", response("TOKEN_SWITCH", "100"));
  assert.deepEqual(await statuses(), [401, 404]);
  await rejected(world, "response.yaml", response("TOKEN_NAC", "1000"), "3:");
  assert.deepEqual(await statuses(), [401, 404]);
  await applied(world, "response.yaml", response("TOKEN_NAC", "1"));
  assert.deepEqual(await statuses(), [404, 401]);
}

/** Lists of indicators, the receivers of their incidents and the proposals for them. */
async function intelStory(world: World): Promise<void> {
  const { core, folder, receivers: [first, second], urls } = world;
  const list = (text: string) => Deno.writeTextFile(`${folder}/intel/feed.txt`, text);
  const health = async () =>
    (await core.get<HealthReport>("/api/v1/health")).components
      .find(({ kind, id }) => kind === "intelligence" && id.includes("feed"))?.message ?? "";
  const has = (receiver: Receiver, ip: string) => until(() => receiver.has(ip) || undefined, core.output);
  const write = (at: 0 | 1, config = {}) =>
    writeConnectors(folder, [{ instance: `receiver-${at}`, url: urls[at], config }]);

  const proposals = async () => (await core.get<unknown[]>("/api/v1/response-actions")).length;

  await list(`${LISTED[0]}\n`);
  await has(first, LISTED[0]);
  assert.equal(await proposals(), 0);
  await executorsStory(world);

  await write(1);
  assert.match(await world.reload(), /"configuration reloaded"/);
  await list(`${LISTED[0]}\n${LISTED[1]}\nnot an indicator\n`);
  await has(second, LISTED[1]);
  assert.equal(first.has(LISTED[1]), false);
  await until(async () => await proposals() > 0 || undefined, core.output);
  await until(() => core.output().includes("feed.txt:3:") || undefined, core.output);
  assert.match(await health(), /feed\.txt:3:/);

  await write(0, { timeout: "soon" });
  const faulty = await Deno.readTextFile(`${folder}/connectors.yaml`);
  const at = faulty.split("\n").findIndex((one) => one.includes("timeout")) + 1;
  await rejected(world, "connectors.yaml", faulty, `${at}:`);
  await list(`${LISTED[0]}\n${LISTED[1]}\n${LISTED[2]}\n`);
  await has(second, LISTED[2]);
  assert.equal(first.has(LISTED[2]), false);
  assert.equal(await health(), "");
}

/**
 * Tokens of a sensor and of an executor in files (`NAME_FILE`) are exchanged twice: the former one counts until the
 * reload, the present one from then on, and the steady sensor loses nothing.
 */
async function tokensStory(world: World): Promise<void> {
  const { core, folder } = world;
  const holders = { "TOKEN_ALWAYS": "always", "TOKEN_NAC": "nac" } as const;
  for (const turn of ["second", "third"]) {
    const before = { ...ENV, ...Object.fromEntries(exchanged) };
    for (const name of Object.values(holders)) {
      await Deno.writeTextFile(`${folder}/${name}.token`, `${turn}-token-of-${name}-in-its-file\n`);
    }
    assert.equal(await report(core, "TOKEN_NAC"), 404, "the former token counts until the reload");
    // The steady sensor goes on with the former one after the reload.
    exchanged.set("TOKEN_ALWAYS", before.TOKEN_ALWAYS);
    const refusedBefore = refusals;
    assert.match(await world.reload(), /"configuration reloaded"/);
    const former = { authorization: `Bearer ${before.TOKEN_NAC}` };
    assert.equal(await report(core, "TOKEN_NAC", former), 401);
    await until(() => refusals > refusedBefore || undefined, core.output);
    for (const [token, name] of Object.entries(holders)) {
      exchanged.set(token as Token, `${turn}-token-of-${name}-in-its-file`);
    }
    assert.equal(await report(core, "TOKEN_NAC"), 404);
    assert.ok(!core.output().includes("-in-its-file"), "no token is in the log");
  }
}

/** A tenant that a reload adds: its sensor is told to try again, and nothing of it is stored before the next start. */
async function newTenantStory(world: World): Promise<void> {
  const former = await Deno.readTextFile(`${world.folder}/sources.yaml`);
  const added =
    "  - { sensor_id: other, tenant_id: branch, token_env: TOKEN_OLD, trust: packet, allowed_kinds: [zeek.conn] }\n";
  await Deno.writeTextFile(`${world.folder}/sources.yaml`, former + added);
  assert.match(await world.reload(), /"configuration reloaded"/);
  assert.deepEqual(await configurationHealth(world), [
    "degraded",
    "1 tenant added by a reload is not served yet: restart ndr-core",
  ]);
  const { status, text } = await send(world.core, "TOKEN_OLD", [conn("10.0.0.30", "10.0.0.31")]);
  assert.deepEqual([status, JSON.parse(text).error.details.reason], [503, "new_tenant"]);
  await applied(world, "sources.yaml", former);
}

function analyst(budget: string): string {
  return `providers:\n  - id: local\n    api: openai\n    base_url: http://127.0.0.1:9/v1\n    model: reloaded\n` +
    `    input_microusd_per_million_tokens: 150000\n    output_microusd_per_million_tokens: 600000\n` +
    `    max_input_tokens: 4000\n    max_output_tokens: 500\n    timeout: 5s\n` +
    `tenants:\n  - { tenant_id: main, provider: local, daily_budget_microusd: ${budget}, send: [] }\n`;
}

/** A provider that appears, whose budget changes, and that goes. */
async function analystStory(world: World): Promise<void> {
  const { core, folder, urls } = world;
  await writeConnectors(folder, [{ instance: "receiver-0", url: urls[0] }]);
  const [{ id }] = await core.get<[{ id: string }]>("/api/v1/incidents?limit=1");
  const state = async () => (await core.get<IncidentDetail>(`/api/v1/incidents/${id}`)).analyst.state;
  const budget = async () =>
    (await core.get<AnalystRunPreview>(`/api/v1/incidents/${id}/analyst-runs/preview`)).budget.limit_microusd;
  assert.equal(await state(), "provider_disabled");
  await applied(world, "analyst.yaml", analyst("90000"));
  assert.deepEqual([await state(), await budget()], ["not_requested", 90_000]);
  await rejected(world, "analyst.yaml", analyst("much"), "12:");
  assert.equal(await budget(), 90_000);
  await applied(world, "analyst.yaml", analyst("80000"));
  assert.equal(await budget(), 80_000);
  await applied(world, "analyst.yaml", "providers: []\n");
  assert.equal(await state(), "provider_disabled");
}

/** Returns the number of acknowledged records. */
async function story(world: World): Promise<number> {
  const sender = sendAlways(world.core);
  let single = 0;
  try {
    single += await sourcesStory(world);
    single += await sitesStory(world);
    await newTenantStory(world);
    await tokensStory(world);
    await intelStory(world);
    await analystStory(world);
  } catch (error) {
    // If it failed, that is the cause.
    await sender.stop();
    throw error;
  }
  return await sender.stop() + single;
}

Deno.test("each file is reloaded while records flow, a faulty one changes nothing, and no record is lost", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-reload-" });
  const database = POSTGRES_URL === "" ? null : await freshPostgres();
  const databaseUrl = database?.url ?? `embedded:${folder}/database`;
  const receivers: World["receivers"] = [new Receiver(), new Receiver()];
  const urls: World["urls"] = [await receivers[0].start(), await receivers[1].start()];
  await Deno.mkdir(`${folder}/intel`);
  await Deno.writeTextFile(`${folder}/sources.yaml`, sources(["TOKEN_ALWAYS", "TOKEN_OLD"]));
  await Deno.writeTextFile(`${folder}/sites.yaml`, sites("One", ["10.0.0.0/8"], 1));
  await Deno.writeTextFile(`${folder}/response.yaml`, response("TOKEN_NAC", "100"));
  await writeConnectors(folder, [{ instance: "receiver-0", url: urls[0] }]);
  const { TOKEN_ALWAYS, TOKEN_NAC, ...others } = ENV;
  await Deno.writeTextFile(`${folder}/always.token`, TOKEN_ALWAYS);
  await Deno.writeTextFile(`${folder}/nac.token`, TOKEN_NAC);
  const core = await startCore(folder, databaseUrl, {
    ...others,
    TOKEN_ALWAYS_FILE: `${folder}/always.token`,
    TOKEN_NAC_FILE: `${folder}/nac.token`,
    NDR_CONNECTORS_ENABLED: "true",
  });
  let acknowledged: number;
  let code: number;
  try {
    const reload = async () => {
      const before = core.output().length;
      const logged = () => core.output().slice(before);
      core.signal("SIGHUP");
      await until(() => /"configuration (?:not )?reloaded".*\n/.test(logged()) || undefined, core.output);
      return logged();
    };
    acknowledged = await story({ core, folder, reload, receivers, urls });
  } finally {
    core.signal("SIGTERM");
    ({ code } = await core.ended);
    for (const receiver of receivers) await receiver.close();
  }
  try {
    assert.equal(code, 0, core.output());
    const db = await openDatabase(databaseUrl);
    try {
      const [stored] = await db.tenant(
        "main",
        (tx) =>
          tx.rows<{ records: number; ids: number }>(
            sql`select count(*)::int as records, count(distinct event_id)::int as ids from raw_record`,
          ),
      );
      assert.deepEqual(stored, { records: acknowledged, ids: acknowledged });
    } finally {
      await db.close();
    }
  } finally {
    await database?.drop();
    await Deno.remove(folder, { recursive: true });
  }
});
