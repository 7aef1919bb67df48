import assert from "node:assert/strict";
import { parseAnalyst, readAnalyst } from "./analyst.ts";
import { loadCoreConfig, secretTexts } from "./load.ts";
import { Faults, formatFault } from "./yaml/faults.ts";

const FILES: Record<string, string> = {
  "/etc/ndr/analyst.key": "sk-a-key-of-a-test\n",
  "/run/keys/cloud": "sk-another-key\r\n",
  "/etc/ndr/empty.key": "\n",
  "/etc/ndr/lines.key": "sk-first-line\nX-Injected: 1\n",
  "/etc/ndr/long.key": "k".repeat(4097),
};
const INPUT = {
  env: () => undefined,
  readFile(path: string): Uint8Array {
    const text = FILES[path];
    if (text === undefined) throw new Deno.errors.NotFound();
    return new TextEncoder().encode(text);
  },
};
const PATH = "/etc/ndr/analyst.yaml";

function parse(text: string, tenants: ReadonlySet<string> | null = new Set(["main", "branch"])) {
  const faults = new Faults();
  const analyst = parseAnalyst(text, PATH, INPUT, faults, { tenants });
  return { analyst, faults: faults.list.map((fault) => formatFault(fault).replace(PATH, "")) };
}

const lineOf = (fault: string) => Number(fault.split(":")[1]);

const PROVIDER: Record<string, string> = {
  id: "local",
  api: "openai",
  base_url: "http://127.0.0.1:11434/v1",
  model: "llama3.1",
  input_microusd_per_million_tokens: "150000",
  output_microusd_per_million_tokens: "600000",
  max_input_tokens: "12000",
  max_output_tokens: "1000",
};
const TENANT: Record<string, string> = {
  tenant_id: "main",
  provider: "local",
  daily_budget_microusd: "1000000",
};

function entry(fields: Record<string, string>): string {
  return Object.entries(fields).filter(([, value]) => value !== "")
    .map(([key, value], at) => `  ${at === 0 ? "-" : " "} ${key}: ${value}`).join("\n");
}

function file(
  provider: Record<string, string> = {},
  tenant: Record<string, string> = {},
): string {
  return `providers:\n${entry({ ...PROVIDER, ...provider })}\ntenants:\n${entry({ ...TENANT, ...tenant })}\n`;
}

Deno.test("analyst.yaml: a provider and what a tenant uses of it", () => {
  const { analyst, faults } = parse(`
providers:
  - id: local
    api: openai                 # or anthropic
    base_url: http://127.0.0.1:11434/v1/
    model: llama3.1
    api_key_file: analyst.key
    input_microusd_per_million_tokens: 150000
    output_microusd_per_million_tokens: 600000
    max_input_tokens: 12000
    max_output_tokens: 1000
    timeout: 2m
  - id: cloud
    api: anthropic
    base_url: https://models.example
    model: claude
    api_key_file: /run/keys/cloud
    input_microusd_per_million_tokens: 3000000
    output_microusd_per_million_tokens: 15000000
    max_input_tokens: 2000
    max_output_tokens: 100
tenants:
  - tenant_id: main
    provider: local
    daily_budget_microusd: 1000000
    send: [names, addresses]
  - tenant_id: branch
    provider: cloud
    daily_budget_microusd: 1
`);
  assert.deepEqual(faults, []);
  const [local, cloud] = analyst.providers;
  assert.equal(local!.baseUrl.href, "http://127.0.0.1:11434/v1");
  assert.equal(local!.apiKey!.reveal(), "sk-a-key-of-a-test");
  assert.equal(cloud!.apiKey!.reveal(), "sk-another-key");
  assert.deepEqual([local!.timeoutMs, cloud!.timeoutMs], [120_000, 60_000]);
  const { baseUrl: _, apiKey: __, ...limits } = local!;
  assert.deepEqual(limits, {
    id: "local",
    api: "openai",
    model: "llama3.1",
    inputMicrousdPerMillion: 150_000,
    outputMicrousdPerMillion: 600_000,
    maxInputTokens: 12_000,
    maxOutputTokens: 1_000,
    timeoutMs: 120_000,
  });
  assert.deepEqual(analyst.tenants, [
    { tenantId: "main", provider: local, dailyBudgetMicrousd: 1_000_000, send: ["names", "addresses"] },
    { tenantId: "branch", provider: cloud, dailyBudgetMicrousd: 1, send: [] },
  ]);
  assert.equal(String(local!.apiKey), "[redacted]");
});

Deno.test("without the file, and with empty lists, there is no provider", () => {
  const none = { providers: [], tenants: [] };
  const faults = new Faults();
  assert.equal(readAnalyst(INPUT, "/elsewhere", faults, { tenants: null }), null);
  assert.deepEqual(faults.list, []);
  assert.deepEqual(parse("providers: []\n"), { analyst: none, faults: [] });
  assert.deepEqual(parse("providers: []\ntenants: []\n"), { analyst: none, faults: [] });
});

const PRICE =
  "expected whole micro-USD per million tokens: 1000 to 1000000000, or 0 for a model that costs nothing " +
  "(150000 is 0.15 USD)";
const TIMEOUT = "expected 1 s to 10 min with its unit, such as 60s or 2m";

Deno.test("each wrong value is a fault with its line and what is expected", () => {
  const faultOf = (provider: Record<string, string>, tenant: Record<string, string> = {}) => {
    const { faults } = parse(file(provider, tenant));
    assert.equal(faults.length, 1, faults.join("\n"));
    return faults[0]!.replace(/^:\d+:\d+: \w+\[0\]/, "");
  };
  for (const key of ["input_microusd_per_million_tokens", "output_microusd_per_million_tokens"]) {
    for (
      const wrong of ["999", "1", "-150000", "150000.5", "1000000001", '"150000"', "1e30", ".nan", "null"]
    ) {
      assert.equal(faultOf({ [key]: wrong }), `.${key}: ${PRICE}`, wrong);
    }
    assert.equal(faultOf({ [key]: "" }), `.${key}: ${PRICE}, but it is missing`);
  }
  for (const wrong of ["60", "60.5s", "0s", "601s", "11m", "1h", "-1s", "60 sec", "true"]) {
    assert.equal(faultOf({ timeout: wrong }), `.timeout: ${TIMEOUT}`, wrong);
  }
  assert.equal(faultOf({ api: "ollama" }), ".api: expected one of openai, anthropic");
  assert.equal(faultOf({ max_input_tokens: "1999" }), ".max_input_tokens: expected at least 2000");
  assert.equal(faultOf({ max_input_tokens: "1000001" }), ".max_input_tokens: expected at most 1000000");
  assert.equal(faultOf({ max_output_tokens: "99" }), ".max_output_tokens: expected at least 100");
  assert.match(faultOf({ max_output_tokens: "1.5" }), /^\.max_output_tokens: expected an integer/);
  assert.match(faultOf({ model: '"two words"' }), /^\.model: expected the model's name/);
  assert.match(faultOf({ model: "" }), /^\.model: expected a text, but it is missing/);
  assert.match(faultOf({ colour: "red" }), /^\.colour: unknown key, expected one of id, api, /);
  assert.match(faultOf({}, { daily_budget_microusd: "0" }), /^\.daily_budget_microusd: expected at least 1/);
  assert.match(
    faultOf({}, { daily_budget_microusd: "1.5" }),
    /^\.daily_budget_microusd: expected an integer/,
  );
  assert.match(faultOf({}, { daily_budget_microusd: "1000000000001" }), /expected at most 1000000000000/);
  assert.match(
    faultOf({}, { send: "[names, mail]" }),
    /^\.send\[1\]: expected one of names, addresses, payloads/,
  );
  assert.equal(
    faultOf({}, { tenant_id: "elsewhere" }),
    ".tenant_id: expected a tenant that a sensor or a site names",
  );
  assert.equal(
    faultOf({}, { provider: "cloud" }),
    ".provider: expected the id of a provider above: local",
  );
});

Deno.test("a base_url is https, or http to this machine or a private address", () => {
  for (
    const good of [
      "https://models.example/v1",
      "https://models.example:8443",
      "https://10.0.0.5/v1",
      "http://localhost:11434/v1",
      "http://127.0.0.1:11434",
      "http://10.0.0.5:8000/v1",
      "http://[fd00::5]:8000/v1",
      "http://[::1]:8000/v1",
    ]
  ) assert.deepEqual(parse(file({ base_url: `"${good}"` })).faults, [], good);
  for (
    const [wrong, expected] of [
      ["models.example/v1", /the URL of the provider's API/],
      ["ftp://models.example", /the URL of the provider's API/],
      ["http://models.example/v1", /expected https:\/\//],
      ["http://203.0.113.5/v1", /expected https:\/\//],
      ["https://user:hunter2@models.example", /without a user name and password/],
      ["https://models.example/v1?key=1", /without a query or a fragment/],
      ["https://models.example/v1#", /without a query or a fragment/],
      ["https://169.254.169.254/v1", /cloud metadata addresses are refused/],
      ["http://[fe80::1]/v1", /link-local/],
    ] as const
  ) {
    const { analyst, faults } = parse(file({ base_url: `"${wrong}"` }));
    assert.equal(faults.length, 1, wrong);
    assert.match(faults[0]!, /^:4:15: providers\[0\]\.base_url: /, wrong);
    assert.match(faults[0]!, expected, wrong);
    assert.doesNotMatch(faults[0]!, /hunter2|key=1/);
    assert.deepEqual(analyst.tenants, []);
  }
});

Deno.test("a key is one line without spaces, and its text is in no fault", () => {
  for (
    const [name, expected] of [
      [
        "missing.key",
        /expected the path of a readable file, but \/etc\/ndr\/missing\.key: it does not exist/,
      ],
      ["empty.key", /expected one line with a key of 8 to 4096 characters/],
      ["lines.key", /expected one line with a key/],
      ["long.key", /expected one line with a key/],
    ] as const
  ) {
    const { faults } = parse(file({ api_key_file: name }));
    assert.equal(faults.length, 1, name);
    assert.match(faults[0]!, /^:10:19: providers\[0\]\.api_key_file: /);
    assert.match(faults[0]!, expected);
    assert.doesNotMatch(faults[0]!, /sk-first|Injected/);
  }
});

Deno.test("ids and tenants are unique, and all faults are reported at once", () => {
  const { faults } = parse(
    `providers:\n${entry(PROVIDER)}\n${entry({ ...PROVIDER, timeout: "1h" })}\n` +
      `tenants:\n${entry(TENANT)}\n${entry({ ...TENANT, provider: "none", daily_budget_microusd: "x" })}\n`,
  );
  assert.deepEqual(faults.toSorted((a, b) => lineOf(a) - lineOf(b)), [
    ":10:9: providers[1].id: expected a unique id, but providers[0] has it too",
    `:18:14: providers[1].timeout: ${TIMEOUT}`,
    ":23:16: tenants[1].tenant_id: expected one entry per tenant, but tenants[0] has it too",
    ":24:15: tenants[1].provider: expected the id of a provider above: local",
    ":25:28: tenants[1].daily_budget_microusd: expected a number, not a text",
  ]);
});

Deno.test("another form of the file is a fault", () => {
  for (const text of ["", "[]", "providers: {}", "providers: []\nbudget: 1", "tenants:\n  - main"]) {
    assert.ok(parse(text).faults.length > 0, text);
  }
});

Deno.test("the file of the package has no provider, and its example is valid once the comments are removed", async () => {
  const shipped = await Deno.readTextFile(new URL("../../debian/conf/analyst.yaml", import.meta.url));
  assert.deepEqual(parse(shipped), { analyst: { providers: [], tenants: [] }, faults: [] });
  const example = shipped.split("providers: []\n")[1]!.replaceAll(/^# /gm, "");
  const { analyst, faults } = parse(example);
  assert.deepEqual(faults, []);
  assert.equal(analyst.tenants[0]!.provider.id, "local");
});

Deno.test("the core reads the file, stops at its faults, and hides its keys from the log", () => {
  const files: Record<string, string> = {
    ...FILES,
    "/etc/ndr/sources.yaml": "sources:\n  - sensor_id: z\n    tenant_id: main\n    token_env: NDR_TOKEN_Z\n" +
      "    allowed_kinds: [zeek.conn]\n    trust: packet\n",
    "/etc/ndr/service.key": "0123456789abcdef0123456789abcdef",
    [PATH]: file({ api_key_file: "analyst.key" }),
  };
  const env: Record<string, string> = {
    NDR_CONFIG_DIR: "/etc/ndr",
    NDR_DATABASE_URL: "embedded:/tmp/never",
    NDR_SERVICE_KEY_FILE: "/etc/ndr/service.key",
    NDR_TOKEN_Z: "a-token-of-sixteen-bytes-or-more",
  };
  const input = {
    env: (name: string) => env[name],
    readFile(path: string): Uint8Array {
      const text = files[path];
      if (text === undefined) throw new Deno.errors.NotFound();
      return new TextEncoder().encode(text);
    },
  };
  const { analyst, environment } = loadCoreConfig(input);
  assert.equal(analyst.tenants[0]!.provider.model, "llama3.1");
  assert.ok(secretTexts(environment, [], [], [], analyst).includes("sk-a-key-of-a-test"));
  files[PATH] = file({ input_microusd_per_million_tokens: "15" });
  assert.throws(
    () => loadCoreConfig(input),
    /analyst\.yaml:6:\d+: providers\[0\]\.input_microusd_per_million_tokens: /,
  );
});
