import assert from "node:assert/strict";
import { Secret } from "../../../src/config/secret.ts";
import { EVENT_BODIES } from "../../../src/contract/connector/event.ts";
import type { ResponseAction } from "../../../src/contract/review/response.ts";
import { OutcomeAnswer } from "../../../src/contract/review/response-outcome.ts";
import { createHandlers } from "../../../src/core/handlers/create-handlers.ts";
import { HealthReporter } from "../../../src/core/health-reporter.ts";
import { createCoreApp } from "../../../src/core/app.ts";
import { Cursors } from "../../../src/core/cursor.ts";
import { Executors } from "../../../src/core/executors.ts";
import { silentLogger } from "../../../src/observe/log.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { Api } from "../api.ts";
import { TEST_KEY } from "../core.ts";
import { decide, propose, type Scene, scene } from "../responses.ts";
import { liveGraphs } from "../graph/live.ts";

export const TOKEN = "an-executor-token-of-main";
export const BRANCH_TOKEN = "an-executor-token-of-branch";
const EXECUTORS = [
  { executorId: "nac", tenantId: "main", token: new Secret(TOKEN) },
  { executorId: "branch-nac", tenantId: "branch", token: new Secret(BRANCH_TOKEN) },
];

interface Sent {
  token?: string | null;
  key?: string;
  method?: string;
  headers?: Record<string, string>;
}

/** A core with executors, and their reports. */
export class Reporting {
  readonly api: Api;
  readonly #app;
  #keys = 0;

  constructor(db: Api["db"], executors = EXECUTORS) {
    this.api = new Api(db);
    const tenants = new Map();
    const health = new HealthReporter({ db, tenants });
    const deps = { db, clock: this.api.clock, tenants, cursors: new Cursors(TEST_KEY), health };
    this.#app = createCoreApp({
      db,
      handlers: createHandlers(deps, liveGraphs(deps)),
      serviceKey: TEST_KEY,
      clock: this.api.clock,
      logger: silentLogger,
      tenants: new Set(["main", "branch"]),
      executors: new Executors(executors),
    });
  }

  async report(action_id: string, body: unknown, sent: Sent = {}): Promise<Response> {
    const { token = TOKEN, key = `report-${++this.#keys}`, method = "POST", headers } = sent;
    const hasBody = method !== "GET";
    return await this.#app.request(`http://127.0.0.1/internal/v1/response-actions/${action_id}/outcomes`, {
      method,
      headers: {
        "content-type": "application/json",
        "idempotency-key": key,
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
      body: hasBody ? typeof body === "string" ? body : JSON.stringify(body) : undefined,
    }, { address: "127.0.0.1", onEnd: () => {} });
  }

  async events(): Promise<
    { event_id: string; type: string; body: Record<string, Record<string, unknown>> }[]
  > {
    const rows = await this.api.db.tenant(
      "main",
      (tx) =>
        tx.rows<{
          event_id: string;
          type: keyof typeof EVENT_BODIES;
          body: Record<string, Record<string, unknown>>;
        }>(sql`select event_id, type, body from event_log order by event_no`),
    );
    for (const { type, body } of rows) EVENT_BODIES[type].parse(body);
    return rows.filter(({ type }) => type.startsWith("response."));
  }

  async action(action_id: string): Promise<ResponseAction> {
    const { data } = await this.api.read("listResponseActions");
    return data.find((one) => one.action_id === action_id)!;
  }
}

/** An approved action; proposed by automatic mode unless it is a person's. */
export async function approved(
  reporting: Reporting,
  mode: ResponseAction["mode"] = "automatic",
): Promise<ResponseAction & { scene: Scene }> {
  const { api } = reporting;
  const at = await scene(api);
  const { incident_id, device_id } = at;
  const action = await propose(api, incident_id, { kind: "quarantine_device", target: { device_id } });
  await api.db.tenant("main", (tx) =>
    tx.run(sql`
      update response_action set mode = ${mode} where tenant_id = 'main' and action_id = ${action.action_id}::uuid`));
  return { ...await decide(api, action, "approved"), scene: at };
}

/** The answer to a recorded report. */
export async function recorded(response: Response) {
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return OutcomeAnswer.parse(JSON.parse(text)).data;
}
