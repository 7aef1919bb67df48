// The webhook documentation matches the program.

import assert from "node:assert/strict";
import { parseConnectors } from "../../../src/config/connectors.ts";
import { Faults } from "../../../src/config/yaml/faults.ts";
import { callNdr } from "../../support/command.ts";
import { WEBHOOK_KEY, writeConnectors } from "../../support/connector/connectors-file.ts";

const PAGE = await Deno.readTextFile(new URL("../../../src/docs/webhooks.md", import.meta.url));
const RECEIVER = new URL("../../support/connector/webhook-receiver-example.ts", import.meta.url);

/** The first code block in a language on the page. */
function block(language: string): string {
  return new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, "ms").exec(PAGE)![1]!;
}

Deno.test("docs: the receiver on the webhooks page is the tested one", async () => {
  assert.equal(block("ts"), await Deno.readTextFile(RECEIVER));
});

Deno.test("docs: the connectors.yaml example has every key and no error", () => {
  const faults = new Faults();
  const readFile = (path: string) => {
    assert.equal(path, "/etc/ndr/soc.key");
    return new TextEncoder().encode(WEBHOOK_KEY);
  };
  const [soc] = parseConnectors(
    block("yaml"),
    "/etc/ndr/connectors.yaml",
    { env: () => undefined, readFile },
    faults,
    {
      tenants: new Set(["main"]),
      publicUrl: null,
    },
  );
  assert.deepEqual(faults.list, []);
  assert.equal(soc!.webhook.url.href, "https://receiver.example/ndr");
  const keys = [
    ...["id", "instance", "tenant", "enabled", "config", "secrets", "url", "tls_fingerprint_sha256"],
    ...[
      "allow_insecure_http",
      "events",
      "min_severity",
      "timeout",
      "retry_delay",
      "max_pending",
      "public_url",
    ],
    "secret",
  ];
  for (const key of keys) assert.match(block("yaml"), new RegExp(`^[ -]*${key}:`, "m"), key);
});

Deno.test("docs: the receiver runs standalone and accepts the appliance's deliveries", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-docs-" });
  const port = freePort();
  await Deno.writeTextFile(`${folder}/receiver.ts`, block("ts"));
  await Deno.writeTextFile(`${folder}/webhook.key`, `${WEBHOOK_KEY}\n`);
  await writeConnectors(folder, [{ instance: "soc", url: `http://127.0.0.1:${port}/ndr` }]);
  const receiver = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-config", "receiver.ts", "webhook.key", String(port)],
    cwd: folder,
    env: { NO_COLOR: "1" },
    stdout: "piped",
  }).spawn();
  const output = receiver.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let received = "";
    const until = async (pattern: RegExp) => {
      while (!pattern.test(received)) {
        const { value, done } = await output.read();
        assert.ok(!done, `the receiver exited: ${received}`);
        received += value;
      }
    };
    await until(/^listening on /);
    const live = await callNdr(["connectors", "test", "soc", "--live"], { NDR_CONFIG_DIR: folder });
    assert.deepEqual([live.code, live.stderr], [0, ""]);
    await until(/"type":"test".*\n/);

    // With another key it responds 401, as the page requires of receivers.
    await Deno.writeTextFile(`${folder}/soc.key`, "another key of sixteen bytes");
    const refused = await callNdr(["connectors", "test", "soc", "--live"], { NDR_CONFIG_DIR: folder });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /soc: auth\n/);
  } finally {
    receiver.kill("SIGTERM");
    await receiver.status;
    await output.cancel();
    await Deno.remove(folder, { recursive: true });
  }
});

/** Returns a free port; the appliance must know it before the receiver starts. */
function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
}
