import assert from "node:assert/strict";
import { Faults, formatFault } from "./yaml/faults.ts";
import { parseSources, type RegisteredSource } from "./sources.ts";

const TOKENS: Record<string, string> = {
  TOKEN_A: "a-token-of-sixteen",
  TOKEN_B: "b-token-of-sixteen",
  TOKEN_SAME: "a-token-of-sixteen",
  TOKEN_SHORT: "fifteen-charact",
  TOKEN_SPACE: "sixteen characters ",
  TOKEN_EMPTY: "",
  TOKEN_FILE_FILE: "/run/token",
  TOKEN_BOTH: "both-ways-given-here",
  TOKEN_BOTH_FILE: "/run/token",
  TOKEN_GONE_FILE: "/run/gone",
};
const FILES: Record<string, string> = { "/run/token": "token-from-a-file\n" };

function parse(text: string): { sources: RegisteredSource[]; faults: string[] } {
  const faults = new Faults();
  const sources = parseSources(text, "/etc/ndr/sources.yaml", {
    env: (name) => TOKENS[name],
    readFile: (path) => {
      const content = FILES[path];
      if (content === undefined) throw new Deno.errors.NotFound(path);
      return new TextEncoder().encode(content);
    },
  }, faults);
  return { sources, faults: faults.list.map(formatFault) };
}

function entry(change: Record<string, string | null> = {}): string {
  const members: Record<string, string | null> = {
    sensor_id: "zeek-1",
    tenant_id: "main",
    token_env: "TOKEN_A",
    allowed_kinds: "[zeek.conn]",
    trust: "packet",
    ...change,
  };
  const lines = Object.entries(members).filter(([, value]) => value !== null).map(([key, value]) =>
    `${key}: ${value}`
  );
  return `  - ${lines.join("\n    ")}\n`;
}

function faultsOf(...entries: string[]): string[] {
  return parse(`sources:\n${entries.join("")}`).faults;
}

Deno.test("a registry of a packet sensor and a flow sensor", () => {
  const { sources, faults } = parse(`# sensors
sources:
  - sensor_id: zeek-1
    tenant_id: main
    token_env: TOKEN_A
    allowed_kinds: [zeek.conn, zeek.dns]
    trust: packet
  - sensor_id: flow.edge_2
    tenant_id: branch
    token_env: TOKEN_FILE
    allowed_kinds: [netflow.flow]
    trust: exporter
    expected_exporters: [192.0.2.1, "2001:db8::1"]
    enabled: true
`);
  assert.deepEqual(faults, []);
  assert.deepEqual(sources.map(({ source }) => source), [
    {
      sensorId: "zeek-1",
      tenantId: "main",
      allowedKinds: new Set(["zeek.conn", "zeek.dns"]),
      trust: "packet",
      expectedExporters: null,
    },
    {
      sensorId: "flow.edge_2",
      tenantId: "branch",
      allowedKinds: new Set(["netflow.flow"]),
      trust: "exporter",
      expectedExporters: new Set(["192.0.2.1", "2001:db8::1"]),
    },
  ]);
  assert.deepEqual(sources.map(({ token }) => token.reveal()), ["a-token-of-sixteen", "token-from-a-file"]);
});

Deno.test("a token is never shown", () => {
  const { sources } = parse(`sources:\n${entry()}`);
  const shown = [JSON.stringify(sources), Deno.inspect(sources, { depth: 9 }), `${sources[0]!.token}`];
  for (const text of shown) {
    assert.ok(text.includes("[redacted]"));
    assert.ok(!text.includes("a-token-of-sixteen"));
  }
});

Deno.test("a disabled source needs no token and is left out", () => {
  const { sources, faults } = parse(`sources:\n${entry({ enabled: "false", token_env: "NOT_SET" })}`);
  assert.deepEqual({ sources, faults }, { sources: [], faults: [] });
});

const AT = "/etc/ndr/sources.yaml";
const CASES: [name: string, faults: string[], expected: string[]][] = [
  ["missing member", faultsOf(entry({ trust: null })), [
    `${AT}:2:5: sources[0].trust: expected one of packet, firewall_app, exporter, inventory, derived`,
  ]],
  ["unknown key", faultsOf(entry({ tennant: "x" })), [
    `${AT}:7:5: sources[0].tennant: unknown key, expected one of sensor_id, tenant_id, token_env, allowed_kinds, ` +
    `trust, expected_exporters, enabled`,
  ]],
  ["unknown kind", faultsOf(entry({ allowed_kinds: "[zeek.conn, zeek.con]" })), [
    `${AT}:5:32: sources[0].allowed_kinds[1]: expected one of zeek.conn, zeek.dns, zeek.ssl, zeek.http, zeek.ssh, ` +
    `zeek.stats, zeek.capture_loss, suricata.flow, suricata.dns, suricata.tls, suricata.http, suricata.ssh, ` +
    `suricata.alert, suricata.anomaly, suricata.smb, suricata.dhcp, suricata.krb5, netflow.flow, unbound.query`,
  ]],
  ["no kind", faultsOf(entry({ allowed_kinds: "[]" })), [
    `${AT}:5:20: sources[0].allowed_kinds: expected at least 1 entry`,
  ]],
  ["unknown trust", faultsOf(entry({ trust: "paket" })), [
    `${AT}:6:12: sources[0].trust: expected one of packet, firewall_app, exporter, inventory, derived`,
  ]],
  ["identifiers", faultsOf(entry({ sensor_id: "-x", tenant_id: "''" })), [
    `${AT}:2:16: sources[0].sensor_id: expected 1 to 64 letters, digits, dots, underscores or hyphens, a letter or digit first`,
    `${AT}:3:16: sources[0].tenant_id: expected 1 to 64 letters, digits, dots, underscores or hyphens, a letter or digit first`,
  ]],
  ["number for a text", faultsOf(entry({ sensor_id: "12" })), [
    `${AT}:2:16: sources[0].sensor_id: expected a text, not a number: put it in quotes`,
  ]],
  [
    "duplicate sensor, also in another tenant",
    faultsOf(entry(), entry({ tenant_id: "branch", token_env: "TOKEN_B" })),
    [
      `${AT}:7:16: sources[1].sensor_id: expected a unique sensor, but sources[0] has it too`,
    ],
  ],
  ["duplicate token value", faultsOf(entry(), entry({ sensor_id: "b", token_env: "TOKEN_SAME" })), [
    `${AT}:9:16: sources[1].token_env: expected a unique token, but sources[0] has the same`,
  ]],
  ["token not set", faultsOf(entry({ token_env: "NOT_SET" })), [
    `${AT}:4:16: sources[0].token_env: expected NOT_SET (or NOT_SET_FILE) in the environment to hold the token, but it is not set`,
  ]],
  ["token empty", faultsOf(entry({ token_env: "TOKEN_EMPTY" })), [
    `${AT}:4:16: sources[0].token_env: expected TOKEN_EMPTY (or TOKEN_EMPTY_FILE) in the environment to hold the token, but it is not set`,
  ]],
  ["token too short", faultsOf(entry({ token_env: "TOKEN_SHORT" })), [
    `${AT}:4:16: sources[0].token_env: expected a token of at least 16 characters in TOKEN_SHORT, got 15`,
  ]],
  ["token that no header can carry", faultsOf(entry({ token_env: "TOKEN_SPACE" })), [
    `${AT}:4:16: sources[0].token_env: expected a token of printable ASCII characters without spaces in TOKEN_SPACE`,
  ]],
  ["token given twice", faultsOf(entry({ token_env: "TOKEN_BOTH" })), [
    `${AT}:4:16: sources[0].token_env: expected either TOKEN_BOTH or TOKEN_BOTH_FILE, not both`,
  ]],
  ["token file missing", faultsOf(entry({ token_env: "TOKEN_GONE" })), [
    `environment: TOKEN_GONE_FILE: expected the path of a readable file, but /run/gone: it does not exist`,
  ]],
  ["not a variable name", faultsOf(entry({ token_env: "a=b" })), [
    `${AT}:4:16: sources[0].token_env: expected the name of an environment variable`,
  ]],
  [
    "exporters that are not canonical",
    faultsOf(
      entry({ allowed_kinds: "[netflow.flow]", expected_exporters: "[010.0.0.1, 2001:DB8::0, 192.0.2.1]" }),
    ),
    [
      `${AT}:7:26: sources[0].expected_exporters[0]: expected an address, got "010.0.0.1"`,
      `${AT}:7:37: sources[0].expected_exporters[1]: expected the canonical address 2001:db8::, got "2001:DB8::0"`,
    ],
  ],
  ["exporters of a sensor without flows", faultsOf(entry({ expected_exporters: "[192.0.2.1]" })), [
    `${AT}:7:25: sources[0].expected_exporters: expected only where allowed_kinds has netflow.flow`,
  ]],
  [
    "a flow sensor with an empty list of exporters",
    faultsOf(
      entry({ allowed_kinds: "[netflow.flow]", expected_exporters: "[]" }),
    ),
    [
      `${AT}:7:25: sources[0].expected_exporters: expected at least one address; leave the key out to accept any exporter`,
    ],
  ],
  ["not a mapping", faultsOf("  - zeek-1\n"), [
    `${AT}:2:5: sources[0]: expected a mapping with sensor_id, tenant_id, token_env, allowed_kinds, trust, ` +
    "expected_exporters, enabled, not a text",
  ]],
  ["not a list", parse("sources: {}\n").faults, [`${AT}:1:10: sources: expected a list, not a mapping`]],
  ["empty file", parse("# nothing\n").faults, [`${AT}:1:1: expected a mapping with sources, not nothing`]],
  ["unknown top key", parse("sources: []\nsurces: []\n").faults, [
    `${AT}:2:1: surces: unknown key, expected sources`,
  ]],
  ["YAML faults", parse("sources:\n  - a: 1\n    a: 2\n    b: !secret x\n    c: *gone\n").faults, [
    `${AT}:3:5: expected valid YAML: Map keys must be unique`,
    `${AT}:4:8: expected valid YAML: Unresolved tag: !secret`,
    `${AT}:5:8: expected an anchor named "gone" before this`,
  ]],
];

for (const [name, faults, expected] of CASES) {
  Deno.test(`sources.yaml fault: ${name}`, () => assert.deepEqual(faults, expected));
}

Deno.test("faults across entries are reported beside faults within them", () => {
  const faults = faultsOf(
    entry({ trust: "wrong" }),
    entry({ trust: "wrong", token_env: "TOKEN_SAME" }),
    entry({ sensor_id: "other", token_env: "NOT_SET" }),
  );
  assert.deepEqual(faults.map((fault) => fault.replace(/^.*?: /, "").replace(/:.*/, "")), [
    "sources[0].trust",
    "sources[1].trust",
    "sources[1].sensor_id",
    "sources[1].token_env",
    "sources[2].token_env",
  ]);
});

Deno.test("no fault shows a token", () => {
  for (const name of ["TOKEN_SHORT", "TOKEN_SPACE", "TOKEN_BOTH"]) {
    assert.ok(!faultsOf(entry({ token_env: name })).join().includes(TOKENS[name]!));
  }
});

Deno.test("aliases that multiply are refused, not expanded", () => {
  const lines = ["sources:", "- &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let i = 1; i < 12; i++) {
    lines.push(`- &a${i} [${Array(10).fill(`*a${i - 1}`).join(", ")}]`);
  }
  assert.match(parse(lines.join("\n")).faults[0]!, /expected plain YAML/);
});
