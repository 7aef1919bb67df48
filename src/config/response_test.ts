import assert from "node:assert/strict";
import { Faults, formatFault } from "./yaml/faults.ts";
import { parseResponse, readResponse } from "./response.ts";
import { Secret } from "./secret.ts";

const TOKENS: Record<string, string> = {
  NDR_EXECUTOR_TOKEN: "an-executor-token-1",
  BRANCH_TOKEN: "an-executor-token-2",
  SAME_TOKEN: "an-executor-token-1",
  SOURCE_TOKEN: "the-token-of-a-sensor",
  SHORT_TOKEN: "short",
};
const INPUT = {
  env: (name: string) => TOKENS[name],
  readFile(): Uint8Array {
    throw new Deno.errors.NotFound();
  },
};

function parse(text: string) {
  const faults = new Faults();
  const responses = parseResponse(text, "/etc/ndr/response.yaml", INPUT, faults, {
    tenants: new Set(["main", "branch"]),
    taken: [{ token: new Secret(TOKENS.SOURCE_TOKEN!), of: "sources[0]" }],
  });
  return { responses, faults: faults.list.map(formatFault) };
}

Deno.test("response.yaml: gates and executors of each tenant", () => {
  const { responses, faults } = parse(`
response:
  - tenant_id: main
    automatic:
      quarantine_device: { min_score: 90 }
    require_second_person: true
    executors:
      - { executor_id: nac, token_env: NDR_EXECUTOR_TOKEN }
  - tenant_id: branch
    executors:
      - { executor_id: branch-nac, token_env: BRANCH_TOKEN }
`);
  assert.deepEqual(faults, []);
  assert.deepEqual(responses.map(({ automatic }) => automatic), [
    { quarantine_device: { minScore: 90 } },
    {},
  ]);
  assert.deepEqual(responses.map(({ requireSecondPerson }) => requireSecondPerson), [true, false]);
  assert.deepEqual(
    responses.flatMap(({ executors }) => executors).map((one) => [
      one.executorId,
      one.tenantId,
      one.token.reveal(),
    ]),
    [["nac", "main", "an-executor-token-1"], ["branch-nac", "branch", "an-executor-token-2"]],
  );
  assert.equal(JSON.stringify(responses).includes("an-executor-token"), false);
});

Deno.test("response.yaml: each fault has its line and states what is expected", () => {
  const { faults } = parse(`
response:
  - tenant_id: main
    automatic:
      quarantine_device: { min_score: 900 }
      block_destination: { min_score: 90 }
  - tenant_id: main
    executors:
      - { executor_id: nac, token_env: NDR_EXECUTOR_TOKEN }
      - { executor_id: nac, token_env: SAME_TOKEN }
      - { executor_id: of-a-sensor, token_env: SOURCE_TOKEN }
      - { executor_id: short, token_env: SHORT_TOKEN }
      - { executor_id: unset, token_env: UNSET_TOKEN }
  - tenant_id: elsewhere
    executors: []
`);
  assert.deepEqual(faults.map((fault) => fault.replace("/etc/ndr/response.yaml", "")), [
    ":5:39: response[0].automatic.quarantine_device.min_score: expected at most 100",
    ":6:7: response[0].automatic.block_destination: unknown key, expected one of quarantine_device, notify_only",
    ":7:16: response[1].tenant_id: expected one entry per tenant, but response[0] has it too",
    ":10:24: response[1].executors[1].executor_id: expected a unique executor, but response[1].executors[0] has it too",
    ":10:40: response[1].executors[1].token_env: expected a unique token, but response[1].executors[0] has the same",
    ":11:48: response[1].executors[2].token_env: expected a unique token, but sources[0] has the same",
    ":12:42: response[1].executors[3].token_env: expected a token of at least 16 characters in SHORT_TOKEN, got 5",
    ":13:42: response[1].executors[4].token_env: expected UNSET_TOKEN (or UNSET_TOKEN_FILE) in the environment to " +
    "hold the token, but it is not set",
    ":14:16: response[2].tenant_id: expected a tenant that a sensor or a site names",
  ]);
  assert.equal(faults.join().includes("an-executor-token"), false);
});

Deno.test("response.yaml: without the file there are no gates and no executors", () => {
  const faults = new Faults();
  assert.equal(readResponse(INPUT, "/etc/ndr", faults, { tenants: null, taken: [] }), null);
  assert.deepEqual(faults.list, []);
});

Deno.test("response.yaml: all faults of one entry are reported at once", () => {
  const { faults } = parse(`
response:
  - tenant_id: elsewhere
    automatic:
      quarantine_device: { min_score: 900 }
    executors:
      - { executor_id: nac, token_env: SHORT_TOKEN }
      - { executor_id: nac, token_env: not a name }
`);
  assert.deepEqual(faults.map((fault) => /response\[0\]\.(\S+):/.exec(fault)![1]).sort(), [
    "automatic.quarantine_device.min_score",
    "executors[0].token_env",
    "executors[1].executor_id",
    "executors[1].token_env",
    "tenant_id",
  ]);
});
