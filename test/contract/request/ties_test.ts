// Rows with equal times are ordered by identifier: pages neither repeat nor skip one.

import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { Api, MINUTE, NOW, ZEEK } from "../api.ts";
import { conn, dns } from "../records.ts";

const MANY = 1000;

testDatabase("ties: a thousand rows of one time, in every page order", async (db) => {
  const api = new Api(db);
  const at = NOW - MINUTE;
  await api.take(ZEEK, Array.from({ length: MANY }, (_, n) => conn({ at, srcPort: 1024 + n })));
  const asked = { at: NOW - 2 * MINUTE, more: { rtt: 3 } };
  await api.take(ZEEK, Array.from({ length: MANY }, (_, n) => dns({ ...asked, query: `w${n}.example.com` })));

  for (const limit of [37, 250, 500]) {
    const flows = (await api.walk("listFlows", { service: "ssl", limit })).flat();
    assert.equal(new Set(flows.map(({ flow_id }) => flow_id)).size, MANY);
    assert.equal(flows.length, MANY);
    const ids = flows.map(({ flow_id }) => flow_id);
    assert.deepEqual(
      ids,
      ids.toSorted().reverse(),
      "the identifier decides, in the direction of the start",
    );
  }
  const { flow_id } = (await api.read("listFlows", { service: "dns" })).data[0]!;
  for (const limit of [99, 500]) {
    const evidence = (await api.walk("getFlowEvidence", { limit }, { path: { flow_id } })).flat();
    assert.equal(evidence.length, MANY);
    assert.equal(new Set(evidence.map(({ evidence_id }) => evidence_id)).size, MANY);
  }
  // Many objects are created at the same instant of the clock.
  for (let n = 0; n < 60; n++) {
    const body = { model_id: "beacon", action: "change_threshold", details: `no. ${n}`, reason: "a tie" };
    assert.equal((await api.change("proposeModelChange", {}, { body })).status, 201);
  }
  const proposals = (await api.walk("listProposals", { limit: 7 })).flat();
  assert.equal(new Set(proposals.map(({ proposal_id }) => proposal_id)).size, 60);
  assert.equal(proposals.length, 60);
});
