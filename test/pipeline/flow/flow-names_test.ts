// Server names on a real day: from DNS, and as stated by the clients themselves.

import assert from "node:assert/strict";
import type { Flow } from "../../../src/contract/flow/flow.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, ZEEK } from "../../contract/api.ts";
import { linesOfFiles } from "../../support/record/pipeline.ts";

const M57 = new URL("../../data/captures/m57/", import.meta.url).pathname;
const DAY = { from: "2009-11-18T00:00:00Z", to: "2009-11-20T00:00:00Z" };

testDatabase("m57: the names through which the office's machines reached their servers", async (db) => {
  const api = new Api(db);
  const logs = ["conn.log.gz", "dns.log.gz", "http.log.gz", "ssl.log"].map((log) => M57 + log);
  await api.take(ZEEK, await linesOfFiles(...logs));
  const flows = (await api.walk("listFlows", { ...DAY, limit: 500 })).flat();
  assert.equal(flows.length, 8462);

  // Counted directly in the logs by an independent implementation of the rule.
  const answered = flows.map(({ names }) =>
    names.filter(({ via, same_client: own }) => via === "dns" && own)
  );
  assert.equal(answered.filter((names) => names.length > 0).length, 2924);
  assert.deepEqual([1, 2, 3].map((n) => answered.filter((names) => names.length === n).length), [
    1955,
    451,
    518,
  ]);
  const first = Map.groupBy(answered.filter((names) => names.length > 0), ([name]) => name!.name);
  const often = [
    "sn21.mailshell.net",
    "download.windowsupdate.com",
    "www.turtlefiji.com",
    "fwstats.mtrap.avg.com",
  ];
  assert.deepEqual(often.map((name) => first.get(name)?.length), [384, 124, 108, 66]);

  // If a client also stated the server name, DNS agreed in 94 of 100 flows.
  const stated = flows.filter((flow) => flow.server_name !== null);
  assert.equal(stated.length, 2101 + 47);
  const both = stated.filter(({ names }) => names.some(({ via, same_client: own }) => via === "dns" && own));
  const agree = both.filter(({ names, server_name }) =>
    names.some(({ via, name }) => via === "dns" && name === server_name)
  );
  assert.deepEqual([both.length, agree.length], [2144, 2021]);
  for (const { names, server_name } of stated) assert.equal(names[0]!.name, server_name);

  for (const flow of [flows.find(hasName("patft.uspto.gov")), flows.find(hasName("fwstats.mtrap.avg.com"))]) {
    const { name, flow_id, evidence_id } = flow!.names.find(({ via }) => via === "dns")!;
    const { data } = await api.read("getFlowEvidence", {}, {}, { flow_id });
    const { facts, observed_at } = data.find((one) => one.evidence_id === evidence_id)!;
    assert.ok(facts?.type === "dns" && facts.query === name && facts.answers.includes(flow!.dst.ip));
    assert.ok(observed_at <= flow!.start);
  }
});

function hasName(wanted: string): (flow: Flow) => boolean {
  return ({ names }) => names.some(({ name, via }) => via === "dns" && name === wanted);
}
