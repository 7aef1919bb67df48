import assert from "node:assert/strict";
import { readEnvironment } from "./environment.ts";
import { ConfigError, Faults, formatFault } from "./yaml/faults.ts";
import type { ConfigInput } from "./yaml/input.ts";
import { loadCoreConfig, loadWebConfig, secretTexts } from "./load.ts";

function input(env: Record<string, string>, files: Record<string, string> = {}): ConfigInput {
  return {
    env: (name) => env[name],
    readFile: (path) => {
      const content = files[path];
      if (content === undefined) throw new Deno.errors.NotFound(path);
      return new TextEncoder().encode(content);
    },
  };
}

function read(env: Record<string, string>, files: Record<string, string> = {}) {
  const faults = new Faults();
  const environment = readEnvironment(input(env, files), faults);
  return { environment, faults: faults.list.map(formatFault) };
}

const KEY = "k".repeat(32);

Deno.test("without variables the documented defaults apply", () => {
  const { environment, faults } = read({});
  assert.deepEqual(faults, []);
  assert.deepEqual(environment, {
    configDir: "/etc/ndr",
    stateDir: "/var/lib/ndr",
    databaseUrl: null,
    coreListen: { host: "127.0.0.1", port: 8081 },
    webListen: { host: "127.0.0.1", port: 8080 },
    serviceKey: null,
    publicUrl: null,
    oidc: null,
    metricsToken: null,
    connectorsEnabled: false,
    telemetry: true,
    telemetryUrl: null,
    retentionDays: 30,
    auditDays: 400,
    retentionBytes: null,
    identityJob: false,
    ingest: { ratePerSecond: 50_000, burst: 200_000 },
    rates: { session: 100, address: 300, signIn: 20 },
    logLevel: "info",
  });
});

Deno.test("all variables set, secrets from files", () => {
  const { environment, faults } = read({
    NDR_CONFIG_DIR: "/c",
    NDR_STATE_DIR: "/s",
    NDR_DATABASE_URL_FILE: "/run/db",
    NDR_CORE_LISTEN: "[::1]:9001",
    NDR_WEB_LISTEN: "localhost:0",
    NDR_SERVICE_KEY_FILE: "/run/key",
    NDR_PUBLIC_URL: "https://ndr.example/",
    NDR_OIDC_ISSUER: "https://id.example/realms/ndr/",
    NDR_OIDC_CLIENT_ID: "ndr",
    NDR_OIDC_CLIENT_SECRET_FILE: "/run/oidc",
    NDR_METRICS_TOKEN: "0123456789abcdef",
    NDR_CONNECTORS_ENABLED: "true",
    NDR_TELEMETRY: "off",
    NDR_TELEMETRY_URL: "http://127.0.0.1:9000",
    NDR_RETENTION_DAYS: "3650",
    NDR_RETENTION_BYTES: "500G",
    NDR_IDENTITY_JOB: "on",
    NDR_INGEST_RATE: "1",
    NDR_INGEST_BURST: "2",
    NDR_LOG_LEVEL: "debug",
  }, { "/run/db": "postgres://u:hunter2@db/ndr\r\n", "/run/key": KEY + "\n", "/run/oidc": "shh\n" });
  assert.deepEqual(faults, []);
  assert.equal(environment.databaseUrl?.reveal(), "postgres://u:hunter2@db/ndr");
  assert.equal(environment.oidc?.clientSecret.reveal(), "shh");
  assert.equal(environment.oidc?.issuer, "https://id.example/realms/ndr/");
  assert.equal(environment.publicUrl, "https://ndr.example");
  // Both processes read the same file, so all its bytes count.
  assert.equal(environment.serviceKey?.length, 33);
  assert.deepEqual(environment.coreListen, { host: "::1", port: 9001 });
  assert.deepEqual(environment.webListen, { host: "127.0.0.1", port: 0 });
  assert.equal(environment.retentionBytes, 500 * 1024 ** 3);
  assert.deepEqual(environment.ingest, { ratePerSecond: 1, burst: 2 });
  assert.ok(!Deno.inspect(environment, { depth: 9 }).includes("hunter2"));
  assert.deepEqual(secretTexts(environment), [
    "shh",
    "0123456789abcdef",
    "postgres://u:hunter2@db/ndr",
    "hunter2",
  ]);
});

const FAULTS: [env: Record<string, string>, fault: RegExp][] = [
  [{ NDR_CORE_LISTEN: "0.0.0.0:8081" }, /^environment: NDR_CORE_LISTEN: expected a loopback address/],
  [{ NDR_CORE_LISTEN: "[::]:8081" }, /NDR_CORE_LISTEN: expected a loopback address/],
  [{ NDR_WEB_LISTEN: "192.168.1.1:80" }, /NDR_WEB_LISTEN: expected a loopback address/],
  [{ NDR_WEB_LISTEN: "ndr.example:80" }, /NDR_WEB_LISTEN: expected an address and port/],
  [{ NDR_WEB_LISTEN: "127.0.0.1:65536" }, /NDR_WEB_LISTEN: expected an address and port/],
  [{ NDR_WEB_LISTEN: "127.0.0.1" }, /NDR_WEB_LISTEN: expected an address and port/],
  [
    { NDR_PUBLIC_URL: "http://ndr.example" },
    /NDR_PUBLIC_URL: expected an origin .*https, or http to a loopback/,
  ],
  [{ NDR_PUBLIC_URL: "https://ndr.example/app" }, /NDR_PUBLIC_URL: expected an origin .*without a path/],
  [{ NDR_PUBLIC_URL: "https://u:p@ndr.example" }, /NDR_PUBLIC_URL: .*without a user name/],
  [{ NDR_PUBLIC_URL: "ndr.example" }, /NDR_PUBLIC_URL: expected an origin/],
  [{ NDR_TELEMETRY_URL: "http://reg.example" }, /NDR_TELEMETRY_URL: expected an origin/],
  [
    { NDR_TELEMETRY_URL: "https://[::ffff:0:a9fe:a9fe]" },
    /NDR_TELEMETRY_URL: expected a server's address; link-local and cloud metadata/,
  ],
  [{ NDR_TELEMETRY_URL: "https://169.254.169.254" }, /NDR_TELEMETRY_URL: expected a server's address/],
  [{ NDR_OIDC_ISSUER: "https://[fec0::1]/realms/ndr" }, /NDR_OIDC_ISSUER: expected a server's address/],
  [{ NDR_OIDC_CLIENT_ID: "a" }, /NDR_OIDC_ISSUER: expected the provider's issuer URL/],
  [{ NDR_RETENTION_DAYS: "0" }, /NDR_RETENTION_DAYS: expected an integer from 1 to 3650, got "0"/],
  [{ NDR_RETENTION_DAYS: "3651" }, /NDR_RETENTION_DAYS/],
  [{ NDR_RETENTION_DAYS: "30d" }, /NDR_RETENTION_DAYS/],
  [{ NDR_RETENTION_DAYS: "-1" }, /NDR_RETENTION_DAYS/],
  [{ NDR_RETENTION_BYTES: "5 GB" }, /NDR_RETENTION_BYTES: expected a number of bytes/],
  [{ NDR_TELEMETRY: "maybe" }, /NDR_TELEMETRY: expected on, off, true or false/],
  [{ NDR_LOG_LEVEL: "loud" }, /NDR_LOG_LEVEL: expected one of debug, info, warn, error/],
  [{ NDR_METRICS_TOKEN: "fifteen-charact" }, /NDR_METRICS_TOKEN: expected at least 16 characters, got 15/],
  [
    { NDR_METRICS_TOKEN: "fifteen-charact with more" },
    /NDR_METRICS_TOKEN: expected printable ASCII .*spaces/,
  ],
  [{ NDR_METRICS_TOKEN: "fifteen-charact-ü" }, /NDR_METRICS_TOKEN: expected printable ASCII/],
  [{ NDR_METRICS_TOKEN_FILE: "/run/short" }, /NDR_METRICS_TOKEN: expected at least 16 characters, got 5/],
  [
    { NDR_SERVICE_KEY_FILE: "/run/short" },
    /NDR_SERVICE_KEY_FILE: expected at least 32 bytes in \/run\/short, got 5/,
  ],
  [
    { NDR_SERVICE_KEY_FILE: "/run/gone" },
    /NDR_SERVICE_KEY_FILE: expected the path .* \/run\/gone: it does not exist/,
  ],
  [{ NDR_DATABASE_URL: "mysql://x" }, /NDR_DATABASE_URL: expected postgres:/],
];

for (const [env, expected] of FAULTS) {
  Deno.test(`environment fault: ${JSON.stringify(env)}`, () => {
    const { faults } = read(env, { "/run/short": "short" });
    assert.match(faults[0] ?? "", expected);
    assert.ok(!faults.join().includes("fifteen-charact"), "a secret stands in the fault");
  });
}

Deno.test("a fault names the line of ndr.env with the variable", () => {
  const { faults } = read({ NDR_RETENTION_DAYS: "x" }, {
    "/etc/ndr/ndr.env": "# days\nNDR_RETENTION_DAYS=7\nNDR_RETENTION_DAYS=x\n",
  });
  assert.deepEqual(faults, [
    '/etc/ndr/ndr.env:3:1: NDR_RETENTION_DAYS: expected an integer from 1 to 3650, got "x"',
  ]);
});

Deno.test("core: every fault of every file in one error", () => {
  const load = () =>
    loadCoreConfig(input({ NDR_CORE_LISTEN: "0.0.0.0:1" }, { "/etc/ndr/sites.yaml": "sites: [{}]" }));
  assert.throws(load, (error: unknown) => {
    assert.ok(error instanceof ConfigError);
    assert.deepEqual(error.faults.map(formatFault).map((fault) => fault.slice(0, 60)), [
      "environment: NDR_DATABASE_URL: expected to be set",
      "environment: NDR_SERVICE_KEY_FILE: expected to be set",
      "environment: NDR_CORE_LISTEN: expected a loopback address (1",
      "/etc/ndr/sources.yaml: expected a file with `sources:` and a",
      "/etc/ndr/sites.yaml:1:9: sites[0].tenant_id: expected a text",
    ]);
    assert.match(error.message, /^the configuration has 5 faults:\n {2}environment: /);
    return true;
  });
});

Deno.test("core and web load a valid configuration", () => {
  const files = {
    "/run/key": KEY,
    "/etc/ndr/sources.yaml": "sources: []",
    "/etc/ndr/access.yaml": "rules: [{ claim: g, value: v, tenant: t, roles: [reader] }]",
  };
  const core = loadCoreConfig(
    input({ NDR_DATABASE_URL: "embedded:/tmp/x", NDR_SERVICE_KEY_FILE: "/run/key" }, files),
  );
  assert.deepEqual([core.sources, core.sites, core.environment.serviceKey.length], [[], [], 32]);
  const web = loadWebConfig(input({
    NDR_SERVICE_KEY_FILE: "/run/key",
    NDR_PUBLIC_URL: "http://127.0.0.1:8080",
    NDR_OIDC_ISSUER: "https://id.example",
    NDR_OIDC_CLIENT_ID: "ndr",
    NDR_OIDC_CLIENT_SECRET: "shh",
  }, files));
  assert.deepEqual(web.access.grantsFor({ g: "v" }), [{ tenant_id: "t", roles: ["reader"] }]);
});
