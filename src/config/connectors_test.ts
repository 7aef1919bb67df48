import assert from "node:assert/strict";
import { parseConnectors, readConnectors } from "./connectors.ts";
import { Faults, formatFault } from "./yaml/faults.ts";
import { loadCoreConfig, secretTexts } from "./load.ts";

const KEY = "0123456789abcdef";
const FILES: Record<string, string> = {
  "/etc/ndr/soc.key": `${KEY}\n`,
  "/run/secrets/siem": "a key of another place, with spaces",
  "/etc/ndr/short.key": "fifteen bytes..\n",
  "/etc/ndr/exact.key": `${KEY}\r\n`,
};
const INPUT = {
  env: () => undefined,
  readFile(path: string): Uint8Array {
    const text = FILES[path];
    if (path === "/etc/ndr/binary.key") return new Uint8Array([...Array(15).fill(0xff), 10]);
    if (text === undefined) throw new Deno.errors.NotFound();
    return new TextEncoder().encode(text);
  },
};
const CONTEXT = { tenants: new Set(["main", "branch"]), publicUrl: "https://ndr.example" };
const FINGERPRINT = "AB:".repeat(31) + "AB";

function parse(text: string) {
  const faults = new Faults();
  const connectors = parseConnectors(text, "/etc/ndr/connectors.yaml", INPUT, faults, CONTEXT);
  return {
    connectors,
    faults: faults.list.map((fault) => formatFault(fault).replace("/etc/ndr/connectors.yaml", "")),
  };
}

/** An entry with these lines in its `config`. */
function entry(config: string[], change: { instance?: string; secret?: string; head?: string } = {}): string {
  return [
    `  - id: webhook`,
    `    instance: ${change.instance ?? "soc"}`,
    `    tenant: main`,
    ...(change.head === undefined ? [] : [`    ${change.head}`]),
    `    config:`,
    ...config.map((line) => `      ${line}`),
    `    secrets: { secret: ${change.secret ?? "soc.key"} }`,
  ].join("\n");
}

function faultOf(config: string[], change: { secret?: string } = {}): string {
  const { faults } = parse(`connectors:\n${entry(config, change)}`);
  assert.equal(faults.length, 1, faults.join("\n"));
  return faults[0]!;
}

const URL_LINE = "url: https://receiver.example/ndr";

Deno.test("connectors.yaml: the keys of a webhook instance", () => {
  const { connectors, faults } = parse(`
connectors:
  - id: webhook
    instance: soc
    tenant: main
    enabled: true
    config:
      url: https://receiver.example:8443/ndr?queue=1
      tls_fingerprint_sha256: "${FINGERPRINT}"
      events: incident.created, response.failed,test
      min_severity: high
      timeout: 7
      retry_delay: 1.5s
      max_pending: 10
      public_url: https://dashboard.example
    secrets: { secret: /run/secrets/siem }
  - id: webhook
    instance: local
    tenant: branch
    enabled: false
    config: { url: "http://127.0.0.1:9000/", allow_insecure_http: true, events: "" }
    secrets: { secret: soc.key }
`);
  assert.deepEqual(faults, []);
  const [soc, local] = connectors;
  assert.deepEqual([soc!.connector, soc!.instance, soc!.tenantId, soc!.enabled], [
    "webhook",
    "soc",
    "main",
    true,
  ]);
  const { url, key, events, ...rest } = soc!.webhook;
  assert.equal(url.href, "https://receiver.example:8443/ndr?queue=1");
  assert.equal(new TextDecoder().decode(key.reveal()), "a key of another place, with spaces");
  assert.deepEqual([...events!], ["incident.created", "response.failed", "test"]);
  assert.deepEqual(rest, {
    fingerprint: "ab".repeat(32),
    minSeverity: "high",
    timeoutMs: 7000,
    retryDelayMs: 1500,
    maxPending: 10,
    publicUrl: "https://dashboard.example",
  });
  assert.deepEqual([local!.tenantId, local!.enabled], ["branch", false]);
});

Deno.test("connectors.yaml: defaults of timeout, retry_delay, max_pending; public_url defaults to NDR_PUBLIC_URL; empty means every type", () => {
  const { connectors, faults } = parse(`connectors:\n${entry([URL_LINE, "events:"])}`);
  assert.deepEqual(faults, []);
  assert.equal(connectors[0]!.enabled, true);
  const { timeoutMs, retryDelayMs, maxPending, publicUrl, events, minSeverity, fingerprint } =
    connectors[0]!.webhook;
  assert.deepEqual({ timeoutMs, retryDelayMs, maxPending, publicUrl }, {
    timeoutMs: 5000,
    retryDelayMs: 1000,
    maxPending: 1000,
    publicUrl: "https://ndr.example",
  });
  assert.deepEqual([events, minSeverity, fingerprint], [null, null, null]);
});

Deno.test("connectors.yaml: url is https by default; allow_insecure_http must be true for plain http", () => {
  assert.match(faultOf(["url: http://10.0.0.1/"]), /^:6:12: connectors\[0\]\.config\.url: expected https:/);
  assert.match(faultOf(["url: http://10.0.0.1/", "allow_insecure_http: false"]), /expected https:/);
  assert.match(faultOf(["url: ftp://receiver.example/"]), /expected the receiver's URL/);
  assert.match(faultOf(["url: receiver"]), /expected the receiver's URL/);
  const insecure = entry(["url: http://10.0.0.1/", "allow_insecure_http: true"]);
  assert.deepEqual(parse(`connectors:\n${insecure}`).faults, []);
});

Deno.test("connectors.yaml: a url holds no user name, no fragment and no cloud metadata address, and is never shown", () => {
  const secret = "https://someone:hunter22@receiver.example/T0/B0/xyzzy";
  assert.match(faultOf([`url: ${secret}`]), /expected a URL without a user name and password/);
  assert.doesNotMatch(faultOf([`url: ${secret}`]), /hunter22|xyzzy/);
  assert.match(faultOf(["url: 'https://receiver.example/#a'"]), /without a fragment/);
  for (const host of ["169.254.169.254", "0xa9fea9fe", "[::ffff:169.254.169.254]", "[fd00:ec2::254]"]) {
    assert.match(faultOf([`url: "https://${host}/latest"`]), /cloud metadata addresses are refused/);
  }
});

Deno.test("connectors.yaml: a pin is a SHA-256 and there is no option to skip verification", () => {
  assert.match(faultOf([URL_LINE, "tls_fingerprint_sha256: abcd"]), /expected the SHA-256/);
  assert.match(
    faultOf([
      "url: http://10.0.0.1/",
      "allow_insecure_http: true",
      `tls_fingerprint_sha256: ${"ab".repeat(32)}`,
    ]),
    /expected an https:\/\/ url beside it/,
  );
  for (const key of ["insecure", "tls_verify", "skip_verify", "reject_unauthorized"]) {
    assert.match(
      faultOf([URL_LINE, `${key}: false`]),
      /unknown key, expected one of url, tls_fingerprint_sha256/,
    );
  }
});

Deno.test("connectors.yaml: timeout is from 1 s to 30 s, max_pending from 10 to 10000, min_severity one of five", () => {
  for (const bad of ["0.9", "31", "0", "-1", "soon", "30.5s", "[5]"]) {
    assert.match(faultOf([URL_LINE, `timeout: ${bad}`]), /timeout: expected 1 to 30 seconds/, bad);
  }
  for (const good of ["1", "30", "1s", "30s", "2.5", "' 5s '"]) {
    assert.deepEqual(parse(`connectors:\n${entry([URL_LINE, `timeout: ${good}`])}`).faults, [], good);
  }
  assert.match(faultOf([URL_LINE, "retry_delay: 61"]), /expected 0\.1 to 60 seconds/);
  assert.match(faultOf([URL_LINE, "max_pending: 9"]), /max_pending: expected at least 10/);
  assert.match(faultOf([URL_LINE, "max_pending: 10001"]), /max_pending: expected at most 10000/);
  assert.match(faultOf([URL_LINE, "max_pending: 10.5"]), /expected an integer/);
  assert.match(
    faultOf([URL_LINE, "min_severity: fatal"]),
    /expected one of info, low, medium, high, critical/,
  );
});

Deno.test("connectors.yaml: an unknown event type, connector id or tenant, and an instance of the same name", () => {
  assert.match(
    faultOf([URL_LINE, "events: incident.created,incident.opened"]),
    /^:7:15: connectors\[0\]\.config\.events: expected types of incident\.created, .*; not incident\.opened$/,
  );
  const { faults } = parse(`connectors:
${entry([URL_LINE])}
${entry([URL_LINE]).replace("id: webhook", "id: syslog").replace("tenant: main", "tenant: elsewhere")}
${entry([URL_LINE], { instance: "other" }).replace("tenant: main", "tenant: elsewhere")}
`);
  assert.deepEqual(faults.toSorted(), [
    ":10:13: connectors[1].tenant: expected a tenant that a sensor or a site names",
    ":16:13: connectors[2].tenant: expected a tenant that a sensor or a site names",
    ":8:9: connectors[1].id: expected one of webhook",
    ":9:15: connectors[1].instance: expected a unique name, but connectors[0] has it too",
  ]);
});

Deno.test("connectors.yaml: all faults of one entry are reported at once, whichever check finds them", () => {
  const { faults } = parse(`connectors:
  - id: syslog
    instance: soc
    tenant: elsewhere
    config:
      url: http://receiver.example/ndr
      timeout: 90
      events: incident.opened
      public_url: http://ndr.example
      tls_fingerprint_sha256: "00:11"
    secrets:
      secret: none.key
`);
  assert.deepEqual(faults.map((fault) => /connectors\[0\]\.([a-z_.0-9]+)/.exec(fault)![1]).sort(), [
    "config.events",
    "config.public_url",
    "config.timeout",
    "config.tls_fingerprint_sha256",
    "config.url",
    "id",
    "secrets.secret",
    "tenant",
  ]);
});

Deno.test("connectors.yaml: secrets.secret refers to a file holding a key of at least 16 bytes", () => {
  const bytes = (secret: string) => {
    const { connectors, faults } = parse(`connectors:\n${entry([URL_LINE], { secret })}`);
    assert.deepEqual(faults, []);
    return connectors[0]!.webhook.key.reveal();
  };
  assert.equal(new TextDecoder().decode(bytes("soc.key")), KEY, "without the line end of the text");
  assert.equal(new TextDecoder().decode(bytes("exact.key")), KEY);
  assert.equal(bytes("binary.key").length, 16, "bytes that are no text are taken as they are");
  assert.match(
    faultOf([URL_LINE], { secret: "short.key" }),
    /^:7:24: connectors\[0\]\.secrets\.secret: expected a key of at least 16 bytes in \/etc\/ndr\/short\.key, got 15$/,
  );
  assert.match(faultOf([URL_LINE], { secret: "none.key" }), /\/etc\/ndr\/none\.key: it does not exist/);
});

Deno.test("connectors.yaml: public_url is an origin", () => {
  for (const bad of ["http://ndr.example", "https://ndr.example/path", "https://u@ndr.example", "ndr"]) {
    assert.match(faultOf([URL_LINE, `public_url: ${bad}`]), /public_url: expected an origin/);
  }
});

Deno.test("connectors.yaml: the key is never shown", () => {
  const { connectors } = parse(`connectors:\n${entry([URL_LINE])}`);
  const { key } = connectors[0]!.webhook;
  for (const text of [JSON.stringify(connectors), Deno.inspect(connectors, { depth: 9 }), `${key}`]) {
    assert.doesNotMatch(text, new RegExp(KEY));
  }
});

Deno.test("connectors.yaml: without the file there are no connectors", () => {
  assert.equal(readConnectors(INPUT, "/elsewhere", new Faults(), CONTEXT), null);
});

Deno.test("connectors.yaml: a webhook key under 16 bytes stops the start; logs know the keys and the receivers' paths", () => {
  const files: Record<string, string> = {
    "/etc/ndr/service.key": "k".repeat(32),
    "/etc/ndr/sources.yaml": "sources:\n  - sensor_id: zeek-1\n    tenant_id: main\n    token_env: TOKEN\n" +
      "    allowed_kinds: [zeek.conn]\n    trust: packet\n",
    "/etc/ndr/connectors.yaml": `connectors:\n${
      entry(["url: https://receiver.example/T0/B0/a-long-secret"])
    }`,
  };
  const variables: Record<string, string> = {
    NDR_DATABASE_URL: "postgres:///ndr",
    NDR_SERVICE_KEY_FILE: "/etc/ndr/service.key",
    TOKEN: "the-token-of-a-sensor",
    NDR_CONNECTORS_ENABLED: "true",
  };
  const input = (key: string) => ({
    env: (name: string) => variables[name],
    readFile(path: string): Uint8Array {
      const text = path === "/etc/ndr/soc.key" ? key : files[path];
      if (text === undefined) throw new Deno.errors.NotFound();
      return new TextEncoder().encode(text);
    },
  });
  const { environment, connectors } = loadCoreConfig(input(KEY));
  assert.equal(environment.connectorsEnabled, true);
  const secrets = secretTexts(environment, [], [], connectors);
  const forms = [KEY, new TextEncoder().encode(KEY).toHex(), "/T0/B0/a-long-secret"];
  assert.deepEqual(forms.filter((form) => !secrets.includes(form)), []);
  assert.throws(
    () => loadCoreConfig(input(KEY.slice(1))),
    /secrets\.secret: expected a key of at least 16 bytes/,
  );
});
