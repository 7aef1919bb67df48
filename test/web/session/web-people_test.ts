// What the web layer adds to the directory of people and to conditional reads.

import assert from "node:assert/strict";
import { listPeople } from "../../../src/store/session/people.ts";
import { type Stack, testStack } from "./web-stack.ts";

async function peopleOf(stack: Stack, tenantId: string): Promise<string[]> {
  const rows = await stack.db.tenant(tenantId, (tx) => listPeople(tx, tenantId, null, 10));
  return rows.map(({ subject, display_name, roles }) => `${subject}: ${display_name}, ${roles}`);
}

testStack("people: a sign-in lists its person in each granted tenant", async (stack) => {
  await stack.browser().signIn("analyst");
  const multi = await stack.browser().signIn("multi");
  await (await multi.write("POST", "/api/v1/session/tenant", { tenant_id: "branch" })).body?.cancel();
  assert.deepEqual(await peopleOf(stack, "main"), [
    "analyst: Ada Analyst, analyst",
    "multi: Mika Multi, analyst",
  ]);
  assert.deepEqual(await peopleOf(stack, "branch"), ["multi: Mika Multi, analyst"]);
});

testStack(
  "summary: If-None-Match reaches the core, and its 304 the browser",
  async (stack) => {
    const reader = await stack.browser().signIn("reader");
    const ask = async (headers: Record<string, string>) => {
      const response = await reader.request("/api/v1/summary", { headers });
      const text = await response.text();
      assert.ok(response.headers.get("x-request-id"));
      return [response.status, response.headers.get("etag"), text.length > 0];
    };
    assert.deepEqual(await ask({}), [200, '"some-tag"', true]);
    assert.deepEqual(await ask({ "if-none-match": '"some-tag"' }), [304, '"some-tag"', false]);
    assert.deepEqual(await ask({ "if-none-match": '"other"' }), [200, '"some-tag"', true]);
  },
  { handlers: { getSummary: () => Promise.resolve({ data: {}, etag: "some-tag" }) } },
);
