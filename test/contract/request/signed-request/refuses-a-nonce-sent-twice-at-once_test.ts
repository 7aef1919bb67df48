import assert from "node:assert/strict";
import { testDatabase } from "../../../support/database.ts";
import { coreOn } from "../../core.ts";
import { assertUnauthenticated } from "./raw.ts";

const write = {
  method: "PATCH",
  target: "/api/v1/incidents/incident-1",
  body: { status: "investigating" },
  nonce: "9Zk0Vd1h3c7Q2m5x8b4L1A",
};

testDatabase("signed request: of one write nonce sent many times at once, one succeeds", async (db) => {
  const one = coreOn(db);
  const cores = [one, coreOn(db, { clock: one.clock })];
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) => {
      const headers = { "idempotency-key": `k${index}`, "if-match": '"1"' };
      const response = await cores[index % 2]!.send({ ...write, headers });
      return { status: response.status, body: await response.text() };
    }),
  );
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const answer of answers) if (answer.status !== 200) assertUnauthenticated(answer);
});

testDatabase("signed request: a write nonce is used up for every route, tenant and person", async (db) => {
  const core = coreOn(db);
  const headers = { "idempotency-key": "k", "if-match": '"1"' };
  assert.equal((await core.send({ ...write, headers })).status, 200);
  for (
    const other of [
      { tenantId: "branch" },
      { subject: "bob" },
      { target: "/api/v1/incidents/incident-2" },
      { target: "/api/v1/devices/d1", body: { owner: "x" } },
    ]
  ) {
    const response = await core.send({
      ...write,
      headers: { ...headers, "idempotency-key": "k2" },
      ...other,
    });
    assertUnauthenticated({ status: response.status, body: await response.text() }, JSON.stringify(other));
  }
});
