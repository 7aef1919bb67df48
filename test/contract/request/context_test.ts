// The web layer's request context beside the claims, and how the core uses it.

import assert from "node:assert/strict";
import { CONTEXT_HEADER, sealContext } from "../../../src/contract/request/context.ts";
import { Logging } from "../../../src/observe/log.ts";
import { newRequest } from "../../../src/observe/request-scope.ts";
import { ObservedDatabase } from "../../../src/store/engine/observed.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabase } from "../../support/database.ts";
import { currentRequest } from "../../../src/observe/request-scope.ts";
import { coreOn, echoHandlers, type Sent } from "../core.ts";
import { refusal } from "../api.ts";

const CONTEXT = newRequest({ clientAddress: "192.0.2.7", displayName: "Ada" });

function patchWith(header: string | undefined, nonce: string): Sent {
  return {
    method: "PATCH",
    target: "/api/v1/devices/d1",
    body: { owner: "x" },
    nonce,
    headers: {
      "idempotency-key": crypto.randomUUID(),
      "if-match": '"1"',
      ...(header === undefined ? {} : { [CONTEXT_HEADER]: header }),
    },
  };
}

testDatabase(
  "request context: accepted as signed, and refused like any forgery otherwise",
  async (db) => {
    const core = coreOn(db);
    const { header, nonce } = await sealContext(CONTEXT);
    const answered = await core.send(patchWith(header, nonce));
    assert.equal(answered.status, 200);
    assert.equal((await answered.json()).meta.request_id, CONTEXT.requestId);
    assert.equal(answered.headers.get("x-request-id"), CONTEXT.requestId);

    const other = await sealContext({ ...CONTEXT, clientAddress: "203.0.113.9" });
    const forgeries = [
      patchWith(other.header, (await sealContext(CONTEXT)).nonce),
      patchWith(other.header, crypto.randomUUID()),
      patchWith("", (await sealContext(CONTEXT)).nonce),
      patchWith("%%%", (await sealContext(CONTEXT)).nonce),
      patchWith("A".repeat(9000), (await sealContext(CONTEXT)).nonce),
    ];
    const answers: string[] = [];
    for (const forged of forgeries) {
      const error = await refusal(await core.send(forged), 401, "unauthenticated");
      answers.push(JSON.stringify([error.message, error.details]));
    }
    assert.equal(new Set(answers).size, 1, "the fault is not named");

    const plain = await core.send(patchWith(undefined, crypto.randomUUID()));
    assert.equal(plain.status, 200, "without a context the core generates the request id");
    assert.notEqual((await plain.json()).meta.request_id, CONTEXT.requestId);
  },
);

testDatabase("request id: in each statement of a request and in each of its log lines", async (db) => {
  const lines: string[] = [];
  const logging = new Logging({ level: "debug", write: (line) => lines.push(line) });
  logging.start();
  const logger = logging.logger("core");
  const observed = new ObservedDatabase(db, {
    requestId: () => currentRequest()?.requestId ?? null,
    around: (_tenant, work) => work(),
  });
  try {
    const seen: string[] = [];
    const handlers = echoHandlers({
      getSite: async ({ caller: { tenantId } }) => {
        logger.info("something");
        const [row] = await observed.tenant(
          tenantId,
          (tx) => tx.rows<{ query: string }>(sql`select current_query() as query, ${1}::int as one`),
        );
        seen.push(row!.query);
        return { data: {} };
      },
    });
    const core = coreOn(db, { handlers, logger });
    const { header, nonce } = await sealContext(CONTEXT);
    const response = await core.send({
      target: "/api/v1/site",
      nonce,
      headers: { [CONTEXT_HEADER]: header },
    });
    assert.equal(response.status, 200);
    assert.equal(seen.length, 1);
    assert.ok(seen[0]!.startsWith(`/* request_id=${CONTEXT.requestId} */ select`), seen[0]!);
    assert.equal(JSON.parse(lines[0]!).request_id, CONTEXT.requestId);

    const [outside] = await observed.shared((tx) =>
      tx.rows<{ query: string }>(sql`select current_query() as query`)
    );
    assert.equal(outside!.query, "select current_query() as query");
  } finally {
    logging.stop();
  }
});
