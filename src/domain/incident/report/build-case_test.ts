import assert from "node:assert/strict";
import { IncidentCase, MAX_CASE_TEXT } from "../../../contract/incident/case.ts";
import { parseJson } from "../../../kit/json/json.ts";
import {
  caseInput,
  exampleCase,
  HOSTILE,
  hostileCase,
} from "../../../../test/support/domain/case-fixtures.ts";
import { buildCase } from "./build-case.ts";
import { renderJson } from "./render-json.ts";

Deno.test("a case has the schema that the API documents, and states the parties of each finding", () => {
  const value = IncidentCase.parse(exampleCase({ url: "https://ndr.example/t/main/incidents/1" }));
  assert.deepEqual(value.phases.map(({ phase, findings }) => [phase, findings.length]), [["control", 1]]);
  const [finding] = value.phases[0]!.findings;
  assert.equal(finding!.leading, true);
  assert.deepEqual(finding!.evidence_ids, [value.evidence[1]!.evidence_id]);
  assert.equal(finding!.device_name, "front-desk");
  assert.deepEqual(
    value.techniques.map(({ technique, name, tactics, url }) => [technique, name, tactics[0]!.name, url]),
    [
      [
        "T1071",
        "Application Layer Protocol",
        "Command and control",
        "https://attack.mitre.org/techniques/T1071/",
      ],
    ],
  );
  const [talk] = value.talks;
  assert.equal(talk!.severity, "medium");
  assert.equal(talk!.dst.ip, "198.51.100.7");
  assert.deepEqual(value.devices[0]!.mac_addresses, ["3c:22:fb:10:20:30"]);
});

Deno.test("equal input gives an equal file, and counters keep every digit", () => {
  assert.equal(renderJson(exampleCase()), renderJson(exampleCase()));
  const input = caseInput();
  const counters = {
    src_to_dst: { bytes: 9_007_199_254_740_993n, packets: 1 },
    dst_to_src: { bytes: null, packets: null },
    semantics: "session" as const,
  };
  const flows = input.flows.map((flow) => ({ ...flow, counters }));
  const parsed = parseJson(renderJson(buildCase({ ...input, flows }))) as unknown as IncidentCase;
  assert.equal(parsed.talks[0]!.bytes_out, 9_007_199_254_740_993n);
  assert.equal(parsed.talks[0]!.bytes_in, null);
});

Deno.test("people have the names of the page, and the subject where no name is known", () => {
  const input = caseInput();
  const entry = { at: input.incident.last_seen, comment: null, revision: 2 };
  const incident = {
    ...input.incident,
    assignee: "ada",
    workflow_history: [
      { ...entry, actor: "ada", action: "assigned", from: null, to: "ada" },
      { ...entry, actor: "bob", action: "status_changed", from: "open", to: "resolved", comment: "ada" },
    ],
    status: "resolved" as const,
  };
  const value = buildCase({ ...input, incident });
  assert.equal(value.incident.assignee, "Ada Lovelace");
  assert.deepEqual(value.history.map(({ actor, to, comment }) => [actor, to, comment]), [
    ["Ada Lovelace", "Ada Lovelace", null],
    ["bob", "resolved", "ada"],
  ]);
  assert.deepEqual(value.next_steps, [
    "The incident was resolved by bob. Reopen it if the activity returns.",
  ]);
});

Deno.test("evidence that an incident kept beyond the retention makes a flow of its own", () => {
  const value = exampleCase({ flows: [] });
  assert.equal(value.flows.length, 1);
  assert.equal(value.flows[0]!.proto, null);
  assert.equal(value.flows[0]!.counters?.src_to_dst.bytes, value.evidence[0]!.counters?.src_to_dst.bytes);
});

Deno.test("a hostile record stays a text of bounded size, and a query's resolver has the name of its sensor", () => {
  for (const text of HOSTILE) {
    const value = IncidentCase.parse(hostileCase(text));
    assert.equal((parseJson(renderJson(value)) as { schema: string }).schema, "ndr.case.v1");
  }
  const long = hostileCase("x".repeat(100_000));
  const facts = long.evidence[0]!.facts;
  assert.equal(facts?.type === "http" && facts.uri?.length, MAX_CASE_TEXT);
  const input = caseInput();
  const observations = input.observations.map((one) => ({
    ...one,
    source: "unbound" as const,
    sensor_id: "resolver-1",
    dst: { ...one.dst, ip: "0.0.0.0", port: 0 },
  }));
  const { dst } = buildCase({ ...input, observations, flows: [] }).evidence[0]!;
  assert.deepEqual([dst.ip, dst.port, dst.name], [null, null, "resolver-1"]);
});
