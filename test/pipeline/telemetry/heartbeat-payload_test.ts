// The heartbeat of an installation whose configuration, store and release file are full of marks: the payload
// is valid and contains none of them.

import assert from "node:assert/strict";
import { type CoreConfig, loadCoreConfig, tenantsOf } from "../../../src/config/load.ts";
import { prepareHeartbeat } from "../../../src/domain/telemetry/heartbeat/build.ts";
import { configureConnectors } from "../../../src/store/connector/connectors.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { heartbeatFacts } from "../../../src/store/telemetry/heartbeat-facts.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { heartbeatNow, type HeartbeatParts } from "../../../src/telemetry/heartbeat.ts";
import { ensureInstallId } from "../../../src/telemetry/install-id.ts";
import { machineFacts } from "../../../src/telemetry/machine.ts";
import { testDatabase } from "../../support/database.ts";

const NOW = Date.parse("2026-01-31T07:15:00.125Z") * 1000;

/** Appears in every name, so that a leak of any part is found; the others have the usual form of names. */
const MARKS = [
  "zebrafish",
  "203.0.113.77",
  "10.66.77.0",
  "2001:db8:66::77",
  "66:77:88:99:aa:bb",
  "66.77",
  "ada@",
];

const FILES: Record<string, string> = {
  "sources.yaml": `
sources:
  - { sensor_id: zeek.zebrafish, tenant_id: zebrafish-hq, token_env: ZEBRAFISH_TOKEN, allowed_kinds: [zeek.conn, zeek.dns],
      trust: packet }
  - { sensor_id: flow.zebrafish, tenant_id: 203.0.113.77, token_env: OTHER_TOKEN, allowed_kinds: [netflow.flow],
      trust: exporter, expected_exporters: [203.0.113.77] }
  - { sensor_id: off.zebrafish, tenant_id: zebrafish-off, token_env: OFF_TOKEN, allowed_kinds: [unbound.query],
      trust: packet, enabled: false }
`,
  "sites.yaml": `
sites:
  - { tenant_id: zebrafish-hq, display_name: Zebrafish ada@zebrafish.example,
      home_coordinates: { latitude: 66.77, longitude: 77.66 }, networks: [10.66.77.0/24, "2001:db8:66::/64"],
      vlans: [{ vlan_id: 66, name: zebrafish voice, cidrs: [10.66.77.0/25] }] }
`,
  "connectors.yaml": `
connectors:
  - { id: webhook, instance: zebrafish-siem, tenant: zebrafish-hq, config: { url: "https://siem.zebrafish.example/hook" },
      secrets: { secret: webhook.key } }
  - { id: webhook, instance: 203.0.113.77, tenant: 203.0.113.77, config: { url: "https://203.0.113.77/hook" },
      secrets: { secret: webhook.key } }
`,
  "webhook.key": "zebrafish-webhook-key",
  "service.key": "zebrafish".repeat(4),
  "os-release":
    'ID="zebrafish-203.0.113.77"\nVERSION_ID=66.77\nPRETTY_NAME="zebrafish ada@zebrafish.example"\n',
};

const ENVIRONMENT = {
  NDR_DATABASE_URL: "postgres://zebrafish:zebrafish@203.0.113.77/zebrafish",
  ZEBRAFISH_TOKEN: "zebrafish-token-1234",
  OTHER_TOKEN: "zebrafish-token-5678",
  OFF_TOKEN: "zebrafish-token-9012",
  NDR_PUBLIC_URL: "https://ndr.zebrafish.example",
};

async function withConfiguration(
  body: (directory: string, config: CoreConfig) => Promise<void>,
): Promise<void> {
  const directory = await Deno.makeTempDir({ prefix: "ndr-zebrafish-" });
  try {
    for (const [name, text] of Object.entries(FILES)) {
      await Deno.writeTextFile(`${directory}/${name}`, text, { mode: 0o600 });
    }
    const variables = new Map(Object.entries({
      ...ENVIRONMENT,
      NDR_CONFIG_DIR: directory,
      NDR_SERVICE_KEY_FILE: `${directory}/service.key`,
    }));
    const config = loadCoreConfig({
      env: (name) => variables.get(name),
      readFile: (path) => Deno.readFileSync(path),
    });
    await body(directory, config);
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

function partsOf({ sources, sites }: CoreConfig): HeartbeatParts {
  return {
    productVersion: "0.1.0",
    bundleVersion: "0.1.0-2",
    tenantIds: tenantsOf(sources, sites),
    recordKinds: sources.flatMap(({ source }) => [...source.allowedKinds]),
    license: { plan: "pro", keyIdHash: "0123456789abcdef" },
  };
}

async function fill(db: Database, { connectors, ...config }: CoreConfig): Promise<void> {
  const tenants = tenantsOf(config.sources, config.sites);
  await registerTenants(db, [...tenants]);
  for (const tenantId of tenants) {
    const own = connectors.filter((connector) => connector.tenantId === tenantId);
    const instances = own.map(({ instance, connector, enabled }) => ({
      instance,
      connector,
      active: enabled,
    }));
    await db.tenant(tenantId, async (tx) => {
      await configureConnectors(tx, tenantId, instances, NOW);
      await tx.run(sql`
        insert into device (tenant_id, device_id, display_name, owner, first_seen, last_seen)
        select ${tenantId}, gen_random_uuid(), 'fw01.zebrafish.example', 'ada@zebrafish.example', now(), now()
        from generate_series(1, 30)`);
      await tx.run(sql`
        insert into raw_batch (tenant_id, batch_no, received_at, sensor_id, trust, accepted, unparsed, rejected)
        values (${tenantId}, 1, to_timestamp(${
        NOW / 1e6 - 60
      }::float8), 'zeek.zebrafish', 'packet', 10, 2, 1)`);
    });
  }
}

testDatabase(
  "a tenant whose names, addresses and configuration are full of marks: none is reported",
  async (db) => {
    await withConfiguration(async (directory, config) => {
      await fill(db, config);
      const parts = partsOf(config);
      const { id } = await ensureInstallId({ directory, owner: null });
      const tenants = await heartbeatFacts(db, parts.tenantIds, NOW);
      const machine = {
        ...await machineFacts([`${directory}/os-release`]),
        kernelRelease: "6.66.77-zebrafish",
        arch: "x86_64",
        uptimeSeconds: 100 * 86_400,
      };
      const { payload, text, violations } = prepareHeartbeat({
        ...parts,
        installId: id!,
        machine,
        tenants,
        now: NOW,
      });
      assert.deepEqual(violations, []);
      assert.deepEqual(payload, {
        schema_version: 1,
        install_id: id,
        product_version: "0.1.0",
        bundle_version: "0.1.0-2",
        os_id: "other",
        os_version_major: "unknown",
        kernel_major: "6",
        arch: "x86_64",
        plan: "pro",
        license_key_id_hash: "0123456789abcdef",
        tenant_count: 2,
        device_bucket: "51-200",
        source_kinds: ["netflow", "zeek"],
        connector_counts: { webhook: 2 },
        uptime_bucket: ">90d",
        learning_phase: "unknown",
        ingest_error_bucket: "1-10",
        sent_at: "2026-01-31T07:15:00.125Z",
      });
      for (const mark of MARKS) assert.ok(!text.toLowerCase().includes(mark), mark);
    });
  },
);

testDatabase("the heartbeat of this machine passes both guards", async (db) => {
  await withConfiguration(async (_, config) => {
    await fill(db, config);
    const { payload, violations } = await heartbeatNow(db, partsOf(config), `ins_${"ab".repeat(16)}`, NOW);
    assert.deepEqual(violations, []);
    assert.equal(payload.kernel_major, Deno.osRelease().split(".")[0]);
    assert.equal(payload.arch, Deno.build.arch);
  });
});

Deno.test("a version of four numbers is an IPv4 address: the send is aborted, nothing is trimmed", async () => {
  const machine = await machineFacts();
  const version = "10.66.77.1";
  const { text, violations } = prepareHeartbeat({
    installId: `ins_${"ab".repeat(16)}`,
    productVersion: version,
    bundleVersion: "0.1.0",
    license: { plan: "free", keyIdHash: null },
    recordKinds: [],
    tenants: [],
    now: NOW,
    machine,
  });
  assert.deepEqual(violations.map(({ guard, field }) => [guard, field]), [
    ["fields", "product_version"],
    ["patterns", "product_version"],
  ]);
  assert.ok(text.includes(version), "the payload is unchanged");
});

Deno.test("the release file: the first readable one; a pipe, a folder and a huge one are skipped", async () => {
  const directory = await Deno.makeTempDir({ prefix: "ndr-release-" });
  try {
    const good = `${directory}/good`;
    await Deno.writeTextFile(good, "ID=debian\n");
    await Deno.writeTextFile(`${directory}/huge`, "ID=debian\n".repeat(10_000));
    await new Deno.Command("mkfifo", { args: [`${directory}/pipe`] }).output();
    const osRelease = async (...files: string[]) => (await machineFacts(files)).osRelease;
    assert.equal(await osRelease(good), "ID=debian\n");
    for (const bad of [directory, `${directory}/missing`, `${directory}/huge`, `${directory}/pipe`]) {
      assert.equal(await osRelease(bad), null, bad);
      assert.equal(await osRelease(bad, good), "ID=debian\n", bad);
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});

Deno.test("a sandbox that hides the machine does not prevent the heartbeat", async () => {
  const module = new URL("../../../src/telemetry/machine.ts", import.meta.url).pathname;
  const { code, stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "eval",
      "--no-check",
      `import { machineFacts } from "${module}";
      await Deno.permissions.revoke({ name: "sys" });
      await Deno.permissions.revoke({ name: "read" });
      console.log(JSON.stringify(await machineFacts()));`,
    ],
  }).output();
  assert.equal(code, 0);
  const facts = JSON.parse(new TextDecoder().decode(stdout));
  assert.deepEqual(facts, {
    osRelease: null,
    kernelRelease: null,
    arch: Deno.build.arch,
    uptimeSeconds: null,
  });
});
