import { type OperationId, type Route, ROUTES } from "../../../src/contract/routes.ts";
import { Cursors } from "../../../src/core/cursor.ts";
import { createHandlers } from "../../../src/core/handlers/create-handlers.ts";
import { HealthReporter } from "../../../src/core/health-reporter.ts";
import { defaultSite } from "../../../src/config/sites.ts";
import { systemClock } from "../../../src/kit/clock.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { answerRun, waitingDesk } from "../../contract/analyst/desk.ts";
import { coreOn, TEST_KEY } from "../../contract/core.ts";
import { theDocument } from "../../contract/openapi/document.ts";
import { HandClock } from "../../contract/support.ts";
import { Random } from "../../fuzz/api/random.ts";
import { make, type OperationAt } from "../../fuzz/api/request.ts";
import { World } from "../../fuzz/api/world.ts";
import { largePartitions, type Plan, planned } from "../../support/record/planned.ts";
import { liveGraphs } from "../../contract/graph/live.ts";

interface Scans {
  /** Statements that scan a whole partition, with their operation. */
  found: string[];
  statements: number;
  /** Operations without a successful request: their statements are not all known. */
  untried: string[];
}

/** Sends a request and plans its statements; returns the body, of a file its beginning. */
type Ask = (id: string, request: Parameters<ReturnType<typeof coreOn>["send"]>[0]) => Promise<string>;

/** Sends each of `reads` and some generated requests, and plans every statement they run. */
export async function scansOf(
  db: Database,
  reads: readonly string[],
  rounds: number,
  options: { forbidScans: boolean; most?: number },
): Promise<Scans> {
  const large = await largePartitions(db);
  const plans: Plan[] = [];
  const watched = planned(db, plans, options);
  const clock = new HandClock(systemClock.now());
  const tenants = new Map([["main", { ...defaultSite("main"), sensors: [] }]]);
  const health = new HealthReporter({ db: watched, tenants });
  const deps = {
    db: watched,
    clock,
    tenants,
    cursors: new Cursors(TEST_KEY),
    health,
    analyst: waitingDesk(),
  };
  const handlers = createHandlers(deps, liveGraphs(deps));
  const core = coreOn(watched, { handlers, clock });
  const found = new Map<string, string>();
  const succeeded = new Set<string>();
  const world = new World();
  const random = new Random(1);
  let statements = 0;
  const ask: Ask = async (id, request) => {
    plans.length = 0;
    const response = await core.send({ roles: ["admin", "analyst", "responder"], ...request });
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const text = isJson ? await response.text() : await beginningOf(response);
    if (response.ok) {
      succeeded.add(id);
      if (isJson) world.learn(id, JSON.parse(text));
    }
    statements += plans.length;
    for (const { statement, scanned } of plans) {
      const tables = scanned.filter((table) => large.has(table));
      const key = `${id} ${statement}`;
      if (tables.length > 0 && !found.has(key)) {
        found.set(key, `${id} ${request.target} reads ${tables.join(" ")}:\n${statement}`);
      }
    }
    return text;
  };
  const operations = operationsOfCore();
  const idOf = (target: string) =>
    operations.find(({ method, path }) =>
      method === "GET" && new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`).test(target.split("?")[0]!)
    )?.operationId ?? target;
  for (const target of reads) await ask(idOf(target), { target });
  // Generated proposals rarely name a device or destination of their incident.
  const incidents = await core.send({ target: "/api/v1/incidents?limit=1" });
  for (const { id } of (await incidents.json()).data as { id: string }[]) {
    await ask("proposeResponseAction", {
      method: "POST",
      target: `/api/v1/incidents/${id}/response-actions`,
      headers: { "idempotency-key": "a-first-proposal" },
      body: { kind: "notify_only", reason: "The owner must know." },
    });
    await askForRuns(id, { ask, db, now: clock.now() });
  }
  for (let round = 0; round < rounds; round++) {
    for (const operation of operations) {
      const { method, target, headers, body } = make(random, operation, world, clock.now() / 1000);
      const text = body === null ? undefined : new TextDecoder().decode(body);
      await ask(operation.operationId, { method, target, headers, body: text });
    }
  }
  const untried = operations.map(({ operationId }) => operationId).filter((id) => !succeeded.has(id));
  return { found: [...found.values()], statements, untried };
}

/** What generated requests rarely meet: a run with an answer, and one that can be cancelled. */
async function askForRuns(
  incidentId: string,
  { ask, db, now }: { ask: Ask; db: Database; now: number },
): Promise<void> {
  const runs = `/api/v1/incidents/${incidentId}/analyst-runs`;
  const change = (id: OperationId, target: string, body: object) =>
    ask(id, {
      method: "POST",
      target,
      headers: { "idempotency-key": crypto.randomUUID(), "if-match": '"1"' },
      body,
    });
  const create = async () => JSON.parse(await change("createAnalystRun", runs, {})).data.run_id;
  await ask("previewAnalystRun", { target: `${runs}/preview` });
  const cancelled = await create();
  await change("cancelAnalystRun", `/api/v1/analyst-runs/${cancelled}/cancellation`, {});
  const answered = await create();
  await answerRun(db, "main", answered, now, { reasoning: [] });
  const { data: { revision } } = JSON.parse(
    await ask("getAnalystRun", { target: `/api/v1/analyst-runs/${answered}` }),
  );
  await ask("giveAnalystFeedback", {
    method: "POST",
    target: `/api/v1/analyst-runs/${answered}/feedback`,
    headers: { "idempotency-key": crypto.randomUUID(), "if-match": `"${revision}"` },
    body: { agrees: true },
  });
}

/** Characters of a file after which its statements repeat. */
const FILE_CHARACTERS = 200_000;

async function beginningOf(response: Response): Promise<string> {
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    // A stream does not end; its statements have run when its first message arrives.
    if (isStream ? text.includes("\n\n") : text.length >= FILE_CHARACTERS) break;
  }
  return text;
}

function operationsOfCore(): OperationAt[] {
  return (Object.entries(ROUTES) as [OperationId, Route][])
    .filter(([, route]) => route.servedBy === "core" && route.tenant)
    .map(([, { path, method }]) => ({ ...theDocument.paths[path]![method.toLowerCase()]!, path, method }));
}
