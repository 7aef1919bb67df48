// Drives the whole document: every operation with every parameter and every documented status, each answer
// checked. An operation or status without a case fails here, and so does an undocumented one.

import assert from "node:assert/strict";
import type { OperationId, Route } from "../../../src/contract/routes.ts";
import { webLimits } from "../../../src/web/limits.ts";
import { testDatabase } from "../../support/database.ts";
import { TEST_PLAN } from "../analyst/desk.ts";
import { operationOf } from "./document.ts";
import { accountFor, type ApiRequest, Drive, targetOf } from "./drive/driver.ts";
import { Inside } from "./drive/inside.ts";
import { expectError, OPERATIONS, walkOperation } from "./drive/walk.ts";
import { discover } from "./drive/world.ts";

testDatabase("the document, driven: every operation, parameter and status", async (db) => {
  const inside = await Inside.start(db);
  try {
    await inside.fill();
    const drive = new Drive(
      inside.baseUrl,
      () => inside.clock.now() / 1000,
      (runId) => inside.answerRun(runId),
    );
    await discover(drive, inside.clock.now());
    for (const [id] of OPERATIONS) await walkOperation(drive, id);
    for (const [id, route] of OPERATIONS) await answersInProgress(inside, drive, id, route);
    await answersWithoutModel(inside, drive);
    await answersWhenSomethingIsWrong(inside, drive);
    await walksAndForgets(inside, drive);
    assertComplete(drive);
  } finally {
    await inside.close();
  }
});

/** 409 while the first request with a key is being answered. */
async function answersInProgress(inside: Inside, drive: Drive, id: OperationId, route: Route): Promise<void> {
  if (!route.write || route.servedBy !== "core") return;
  const request = await drive.good(id);
  const account = accountFor(route);
  const session = await (await drive.as(account)).json("/api/v1/session");
  await inside.holdKey(session.body.data.subject, route.method, targetOf(route, request), request);
  const answer = await drive.send(id, request);
  expectError(answer, 409, "invalid_request", id);
  assert.equal(answer.body.error.details.reason, "idempotency_in_progress");
}

/** 409 without a provider, 429 to 503 when it fails, 429 without a budget, 409 while a run is open. */
async function answersWithoutModel(inside: Inside, drive: Drive): Promise<void> {
  for (const [id, route] of OPERATIONS) {
    if (!route.asksModel) continue;
    const good = await drive.good(id);
    await inside.withPlan(null, async () => {
      expectError(await drive.send(id, good), 409, "provider_disabled", id);
    });
    if (route.awaitsModel) {
      for (
        const [code, status] of [
          ["provider_rate_limited", 429],
          ["provider_unavailable", 503],
          ["provider_response_invalid", 502],
        ] as const
      ) {
        await inside.withFailure(code, async () => expectError(await drive.send(id, good), status, code, id));
      }
    }
    if (!route.write && !route.awaitsModel) continue;
    await inside.withPlan({ ...TEST_PLAN, dailyBudgetMicrousd: 1 }, async () => {
      expectError(await drive.send(id, good), 429, "budget_exhausted", id);
    });
    assert.equal((await drive.send(id, good)).status, route.status, `${id}: a refused key can be used again`);
    if (!route.oneAtATime) continue;
    const headers = { ...good.headers, "idempotency-key": crypto.randomUUID() };
    expectError(await drive.send(id, { ...good, headers }), 409, "invalid_request", id);
  }
}

/** 429, 500, 503: the same operations through faulty web layers. */
async function answersWhenSomethingIsWrong(inside: Inside, drive: Drive): Promise<void> {
  const frugal = {
    ...webLimits({ address: 1e6, session: 1e6, signIn: 1e6 }),
    session: { perSecond: 1e-6, burst: 1 },
  };
  const broken = [
    { change: { limits: frugal }, status: 429, code: "source_unavailable" },
    {
      change: { serviceKey: "another key, unknown to the core" },
      status: 500,
      code: "internal_error",
    },
    { change: { coreUrl: "http://127.0.0.1:1" }, status: 503, code: "source_unavailable" },
  ];
  for (const { change, status, code } of broken) {
    const other = new Drive(await inside.otherWeb(change));
    other.known = drive.known;
    for (const [id, route] of OPERATIONS) {
      const path = (await drive.good(id)).path;
      const request = { path, query: [] as [string, string][], headers: {} };
      // The one request that the restrictive limit allows.
      if (status === 429 && id === OPERATIONS[0]![0]) await other.send(id, request, "stranger");
      expectError(await other.send(id, request, "stranger"), status, code, `${id} ${route.method}`);
      drive.seen.get(id)!.add(status);
    }
  }
  // A recent session can read health even without a database.
  await inside.withoutDatabase(async () => {
    const report = await drive.send("getHealth", await drive.good("getHealth"));
    assert.equal(report.status, 503);
    assert.equal(report.body.data.status, "unavailable");
    expectError(
      await drive.send("listDevices", await drive.good("listDevices")),
      503,
      "source_unavailable",
      "",
    );
  });
}

/** Every collection page by page, and 410 for a cursor of the day before yesterday. */
async function walksAndForgets(inside: Inside, drive: Drive): Promise<void> {
  const collections = OPERATIONS.filter(([, route]) => route.query && "cursor" in route.query.shape);
  // A window ends before now, and the clock stands still: what was written just now is not in it yet.
  inside.clock.advance(1);
  const started = new Map<OperationId, ApiRequest>();
  for (const [id, route] of collections) {
    const windowed = "from" in route.query!.shape;
    const request = collectionRequest(id, await drive.good(id));
    const query: [string, string][] = windowed ? [["from", drive.time(-3_600_000)]] : [];
    const ask = async (more: [string, string][]) =>
      (await drive.send(id, { ...request, query: [...query, ...more] })).body;
    const whole = await ask([["limit", "500"]]);
    assert.equal(whole.next_cursor, null, `${id} has a last page`);
    const first = await ask([["limit", "1"]]);
    assert.ok(first.next_cursor, `${id} has a second page`);
    const second = await ask([["limit", "1"], ["cursor", first.next_cursor]]);
    if (!windowed) assert.deepEqual([...first.data, ...second.data], whole.data.slice(0, 2), id);
    const elsewhere = collections.find(([other]) => other !== id)!;
    const foreign = await drive.send(elsewhere[0], {
      ...collectionRequest(elsewhere[0], await drive.good(elsewhere[0])),
      query: [["cursor", first.next_cursor]],
    });
    expectError(foreign, 400, "invalid_request", `${elsewhere[0]} with a cursor of ${id}`);
    started.set(id, { ...request, query: [...query, ["limit", "1"], ["cursor", first.next_cursor]] });
  }
  inside.clock.advance(25 * 3600);
  drive.forgetPeople();
  for (const [id, request] of started) {
    expectError(await drive.send(id, request), 410, "cursor_expired", id);
  }
}

/** A request for all objects of a collection; a search names them in its body. */
function collectionRequest(id: OperationId, { path }: ApiRequest): ApiRequest {
  const body = id === "search" ? { version: 1, kind: "flows", where: null } : undefined;
  return { path, query: [], headers: {}, body };
}

function assertComplete(drive: Drive): void {
  for (const [id] of OPERATIONS) {
    const documented = Object.keys(operationOf(id).responses).map(Number)
      .sort();
    assert.deepEqual(
      [...drive.seen.get(id) ?? []].sort(),
      documented,
      `${id}: statuses answered and documented`,
    );
  }
}
