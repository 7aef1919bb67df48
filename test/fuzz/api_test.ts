// Requests for the whole API, generated from its own OpenAPI document and sent to web and core of the real
// program: whatever is sent, no response is a server error (5xx), and every response matches the document.
// NDR_FUZZ_SEED=<seed printed by a failure> repeats a run. NDR_TEST_DATABASE_URL names the PostgreSQL server
// to use; the default is the embedded database.

import assert from "node:assert/strict";
import { type OperationId, type Route, ROUTES } from "../../src/contract/routes.ts";
import { parseJson } from "../../src/kit/json/json.ts";
import { conformsToDocument, hasDocumentedHeaders, type OpenApi } from "../contract/openapi/document.ts";
import { checkFormats } from "../contract/openapi/formats.ts";
import { scaled } from "../support/scale.ts";
import { startUp } from "../support/up.ts";
import { asCurl, EntryPoints, type Sent } from "./api/entry-points.ts";
import { Random } from "./api/random.ts";
import { make, type OperationAt } from "./api/request.ts";
import { World } from "./api/world.ts";
import { mediaTypesOf } from "../contract/openapi/document.ts";
import { textOf } from "../support/transport/event-stream.ts";

const REQUESTS = scaled(3000);
const SEED = numberOf("NDR_FUZZ_SEED") ?? Date.now() % 2 ** 31;
/** The document's introduction lists these for requests that reach no operation. */
const BEFORE_ANY_OPERATION = [408, 414, 431];
/**
 * Maximum number of extra requests to operations that have not succeeded yet: a few need more attempts than
 * others.
 */
const MORE_REQUESTS = 1000;
/** Maximum number of failures reported per kind. */
const MAX_PROBLEMS = 20;

Deno.test(`fuzz: ${REQUESTS} requests of the API`, async () => {
  const stateDir = await Deno.makeTempDir({ prefix: "ndr-fuzz-" });
  const up = await startUp({ stateDir, sample: "loaded" });
  try {
    const entryPoints = await EntryPoints.open(up, stateDir);
    const document: OpenApi = await (await fetch(`${up.baseUrl}/api/v1/openapi.json`)).json();
    const run = new Run(entryPoints, operationsOf(document), new Random(SEED));
    await run.learn();
    for (let n = 0; n < REQUESTS; n++) await run.next();
    for (let n = 0; n < MORE_REQUESTS && run.untried().length > 0; n++) await run.next(run.untried());
    const problems = [...run.problems.values()].slice(0, MAX_PROBLEMS);
    assert.deepEqual(problems, [], `NDR_FUZZ_SEED=${SEED}\n${problems.join("\n\n")}\n${up.output()}`);
    assert.deepEqual(
      run.untried().map(({ operationId }) => operationId),
      [],
      `NDR_FUZZ_SEED=${SEED}: no successful response:\n${run.table()}`,
    );
    console.log(run.table());
  } finally {
    await up.stop();
    await Deno.remove(stateDir, { recursive: true });
  }
});

class Run {
  /** The first request that showed each problem, by operation, status and problem. */
  readonly problems = new Map<string, string>();
  readonly #world = new World();
  readonly #statuses = new Map<string, Map<number, number>>();

  constructor(
    private readonly entryPoints: EntryPoints,
    private readonly operations: readonly OperationAt[],
    private readonly random: Random,
  ) {}

  /** Fetches the lists once, so that the first requests can use known objects. */
  async learn(): Promise<void> {
    for (let round = 0; round < 3; round++) {
      for (
        const operation of this.operations.filter(({ method, path }) =>
          method === "GET" && !path.includes("{")
        )
      ) {
        const long = operation.parameters?.some(({ name }) => name === "from")
          ? "?from=2000-01-01T00:00:00Z"
          : "";
        const made = {
          operationId: operation.operationId,
          method: "GET",
          target: operation.path,
          headers: {},
          body: null,
        };
        await this.#send(
          await this.entryPoints.asAdmin({ ...made, target: operation.path + (round === 0 ? "" : long) }),
        );
      }
    }
  }

  async next(among: readonly OperationAt[] = this.operations): Promise<void> {
    const operation = this.random.pick(among);
    const made = make(this.random, operation, this.#world, Date.now());
    const route: Route = ROUTES[operation.operationId as OperationId];
    await this.#send(await this.entryPoints.through(this.random, made, route.servedBy === "web"));
  }

  async #send(sent: Sent): Promise<void> {
    const response = await this.entryPoints.send(sent);
    const text = await textOf(response);
    const { operationId } = sent;
    const statuses = this.#statuses.get(operationId) ?? new Map<number, number>();
    this.#statuses.set(operationId, statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1));
    const problem = this.#problem(sent, response, text);
    if (problem !== null) {
      const key = `${operationId} ${response.status} ${problem.replaceAll(/\d+/g, "#").slice(0, 80)}`;
      const report = `${operationId} by ${sent.sender}: ${problem}\n${asCurl(sent)}\n${text.slice(0, 1000)}`;
      if (!this.problems.has(key)) this.problems.set(key, report);
    } else if (response.ok && hasEnvelope(ROUTES[operationId as OperationId])) {
      this.#world.learn(operationId, JSON.parse(text));
    }
    // Rate limits are part of the API: wait when one is reached.
    if (response.status === 429) {
      await new Promise((resolve) =>
        setTimeout(resolve, Number(response.headers.get("retry-after") ?? 1) * 1000)
      );
    }
  }

  #problem({ operationId, target }: Sent, response: Response, text: string): string | null {
    const { status } = response;
    const route: Route = ROUTES[operationId as OperationId];
    if (status >= 500 && !(route.alsoStatus ?? []).includes(status)) return `answered ${status}`;
    const type = response.headers.get("content-type") ?? "";
    const types = mediaTypesOf(route, status);
    const media = type.split(";")[0]!;
    if (!types.includes(media)) return `responded ${status} as ${type || "nothing"}`;
    try {
      if (BEFORE_ANY_OPERATION.includes(status)) {
        assert.match(JSON.parse(text).error.code, /^invalid_request$/);
        return null;
      }
      conformsToDocument(
        operationId as OperationId,
        status,
        media === "application/json" ? parseJson(text) : text,
      );
      hasDocumentedHeaders(operationId as OperationId, response);
      // The content of a download is a sensor's.
      if (response.ok && !route.download && !route.stream) checkFormats(parseJson(text));
      return null;
    } catch (error) {
      return `${target.slice(0, 60)}: ${error instanceof Error ? error.message : error}`;
    }
  }

  /** Operations that never succeeded: an operation that only refuses is not tested. */
  untried(): OperationAt[] {
    return this.operations.filter(({ operationId, path }) =>
      // The service has no language model, and therefore no run.
      !(ROUTES[operationId as OperationId] as Route).asksModel && !path.includes("{run_id}") &&
      ![...this.#statuses.get(operationId)?.keys() ?? []].some((status) => status < 300)
    );
  }

  table(): string {
    return [...this.#statuses].map(([id, statuses]) => {
      const counts = [...statuses].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
      return `  ${id.padEnd(24)} ${counts.join("  ")}`;
    }).join("\n");
  }
}

function operationsOf(document: OpenApi): OperationAt[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      path,
      method: method.toUpperCase(),
    }))
  ).filter(({ operationId }) => operationId in ROUTES);
}

function numberOf(name: string): number | undefined {
  const text = Deno.env.get(name);
  if (text === undefined) return undefined;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < 0) throw new Error(`${name}: expected a whole number`);
  return number;
}

function hasEnvelope({ download, stream }: Route): boolean {
  return !download && !stream;
}
