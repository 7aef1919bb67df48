// `ndr core` as a process, with an inventory that an administrator edits while it runs.

import assert from "node:assert/strict";
import { type Core, startCore, until } from "../../support/core-process.ts";
import { freshPostgres, POSTGRES_URL } from "../../support/database.ts";
import { line } from "../../support/record/pipeline.ts";

const TOKEN = "a-token-of-sixteen";

const SOURCES = `sources:
  - { sensor_id: zeek-1, tenant_id: main, token_env: ZEEK_TOKEN, trust: packet, allowed_kinds: [zeek.conn] }
`;

function inventory(device: string): string {
  return `inventory:\n  - tenant_id: main\n    devices:\n      - ${device}\n`;
}

interface Shown {
  display_name: string;
  device_type: string;
  classification_source: string;
}

function devices(core: Core): Promise<Shown[]> {
  return core.get("/api/v1/devices");
}

async function send(core: Core, src: string): Promise<void> {
  const body = line("zeek.conn", "2026-01-31T07:15:00Z", {
    ts: 1_769_843_700,
    uid: `C${src}`,
    "id.orig_h": src,
    "id.orig_p": 50_000,
    "id.resp_h": "198.51.100.7",
    "id.resp_p": 443,
    proto: "tcp",
    orig_bytes: 100,
    resp_bytes: 200,
  });
  const response = await fetch(`${core.url}/internal/v1/ingest/events`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/x-ndjson" },
    body,
  });
  assert.equal(response.status, 200, await response.text());
}

function named(core: Core, name: string): Promise<Shown> {
  return until(async () => (await devices(core)).find((one) => one.display_name === name), core.output);
}

async function story(folder: string, core: Core): Promise<void> {
  await send(core, "10.0.0.5");
  assert.equal((await named(core, "Front desk")).classification_source, "inventory");

  await Deno.writeTextFile(
    `${folder}/inventory.yaml`,
    inventory("{ name: Reception, addresses: [10.0.0.5] }"),
  );
  core.signal("SIGHUP");
  const changed = await named(core, "Reception");
  assert.equal(changed.classification_source, "observed");

  await Deno.writeTextFile(`${folder}/inventory.yaml`, inventory("{ name: Lobby, addresses: [10.0.0.05] }"));
  core.signal("SIGHUP");
  const fault = `${folder}/inventory.yaml:4:36: inventory[0].devices[0].addresses[0]: expected an address`;
  await until(() => core.output().includes(fault) || undefined, core.output);
  await send(core, "10.0.0.6");
  await named(core, "10.0.0.6");
  await named(core, "Reception");

  await Deno.remove(`${folder}/inventory.yaml`);
  core.signal("SIGHUP");
  await named(core, "10.0.0.5");
}

Deno.test("an inventory is read at the start and at SIGHUP; a faulty one changes nothing", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-inventory-" });
  const database = POSTGRES_URL === "" ? null : await freshPostgres();
  const front = "{ name: Front desk, type: workstation, addresses: [10.0.0.5] }";
  await Deno.writeTextFile(`${folder}/inventory.yaml`, inventory(front));
  await Deno.writeTextFile(`${folder}/sources.yaml`, SOURCES);
  const core = await startCore(folder, database?.url ?? `embedded:${folder}/database`, { ZEEK_TOKEN: TOKEN });
  try {
    await story(folder, core);
  } finally {
    core.signal("SIGTERM");
    await core.ended;
    await database?.drop();
    await Deno.remove(folder, { recursive: true });
  }
});
