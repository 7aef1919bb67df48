import assert from "node:assert/strict";
import { MAX_LISTED_FACTS } from "../../../src/contract/flow/flow.ts";
import type { Facts } from "../../../src/contract/record/facts.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, MINUTE, NOW, refusal, SECOND, SURICATA, ZEEK } from "../api.ts";
import { alert, conn, dns, ssl } from "../records.ts";

const AT = NOW - MINUTE;

testDatabase(
  "flows: facts of a type come with the list, each once, with and without a filter",
  async (db) => {
    const api = new Api(db);
    // One flow with two questions, the first of them twice; one with TLS and an alert; one without facts.
    await api.take(ZEEK, [
      dns({ at: AT, query: "b.example", more: { uid: "D1" } }),
      dns({ at: AT + SECOND / 10, query: "a.example", more: { uid: "D1" } }),
      dns({ at: AT + SECOND / 5, query: "b.example", more: { uid: "D1" } }),
      conn({ at: AT, srcPort: 51000 }),
      ssl({ at: AT, srcPort: 51000, more: { server_name: "www.example.com" } }),
      conn({ at: AT, srcPort: 52000 }),
    ]);
    await api.take(SURICATA, [alert({ at: AT, srcPort: 51000 })]);
    const { data: plain } = await api.read("listFlows");
    assert.ok(plain.every(({ facts }) => facts === null));

    for (const filter of [{}, { filter: "proto:tcp or proto:udp" }] as Record<string, string>[]) {
      const factsOf = async (type: "dns" | "tls" | "alert" | "ssh"): Promise<Facts[]> => {
        const { data } = await api.read("listFlows", { facts: type, ...filter });
        assert.equal(data.length, plain.length, "facts do not filter");
        return data.flatMap(({ facts }) => facts!);
      };
      const questions = await factsOf("dns");
      assert.deepEqual(questions.map((facts) => facts.type === "dns" && facts.query), [
        "b.example",
        "a.example",
      ]);
      const [tls, ...others] = await factsOf("tls");
      assert.deepEqual(others, []);
      assert.equal(tls!.type === "tls" && tls!.server_name, "www.example.com");
      assert.equal((await factsOf("alert")).length, 1);
      assert.deepEqual(await factsOf("ssh"), []);

      // The same as in the evidence.
      const { data } = await api.read("listFlows", { facts: "tls", ...filter });
      const flow = data.find(({ facts }) => facts!.length > 0)!;
      const evidence = await api.read("getFlowEvidence", {}, {}, { flow_id: flow.flow_id });
      assert.deepEqual(
        flow.facts,
        evidence.data.flatMap(({ facts }) => facts?.type === "tls" ? [facts] : []),
      );
    }
    const error = await refusal(await api.send("listFlows", { facts: "ftp" }), 400, "invalid_request");
    assert.match(error.message, /facts/);
  },
);

testDatabase("flows: text that looks like a type of facts is none", async (db) => {
  const api = new Api(db);
  await api.take(ZEEK, [dns({ query: '"type":"tls"', more: { answers: ['{"type":"tls"}'] } })]);
  const { data: [flow] } = await api.read("listFlows", { facts: "tls" });
  assert.deepEqual(flow!.facts, []);
});

testDatabase("flows: facts of a flow are limited, and pages with facts end by bytes", async (db) => {
  const api = new Api(db);
  const questions = (port: number, count: number) =>
    Array.from(
      { length: count },
      (_, at) =>
        dns({ at: AT + at * 1000, srcPort: port, query: `${at}.example`, more: { uid: `D${port}` } }),
    );
  await api.take(ZEEK, [
    ...questions(51000, MAX_LISTED_FACTS + 5),
    ...questions(52000, 3),
    ...questions(53000, 3),
  ]);
  const { data } = await api.read("listFlows", { facts: "dns" });
  const counts = data.map(({ facts }) => facts!.length).sort((a, b) => a - b);
  assert.deepEqual(counts, [3, 3, MAX_LISTED_FACTS]);

  const pageBytes = 2500;
  const bounded = new Api(db, [], { pageBytes });
  for (const filter of [{}, { filter: "proto:udp" }] as Record<string, string>[]) {
    const pages = await bounded.walk("listFlows", { facts: "dns", ...filter });
    assert.ok(pages.length > 1, `${pages.length} pages`);
    const found = pages.flat();
    assert.deepEqual(found.map(({ flow_id }) => flow_id), data.map(({ flow_id }) => flow_id));
    for (const page of pages) {
      if (page.length > 1) assert.ok(JSON.stringify(page).length <= pageBytes + 2);
    }
    // Only the first flow of a page can have fewer facts than without the limit of bytes.
    for (const [at, flow] of found.entries()) {
      if (JSON.stringify(data[at]).length < pageBytes) assert.deepEqual(flow.facts, data[at]!.facts);
    }
  }
});
