import assert from "node:assert/strict";
import { connectionVerdict } from "../../domain/health/connections.ts";
import { ConnectionShortage } from "./connection-shortage.ts";

Deno.test("connection shortage: the store is degraded for five minutes after a refused connection", () => {
  let now = 0;
  const shortage = new ConnectionShortage({ now: () => now }, 10);
  assert.deepEqual(connectionVerdict(shortage.facts()), { status: "ok", message: null });
  shortage.refused('too many connections for role "ndr"');
  now = 200_000_000;
  shortage.refused("sorry, too many clients already");
  assert.deepEqual(connectionVerdict(shortage.facts()), {
    status: "degraded",
    message: "the database refused 2 connections of late: sorry, too many clients already; " +
      "the service uses up to 10",
  });
  now = 400_000_000;
  assert.equal(shortage.facts()!.refused, 1);
  now = 500_000_001;
  assert.equal(shortage.facts(), null);
});
