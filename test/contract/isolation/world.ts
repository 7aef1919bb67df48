// Two tenants with the same objects under other identifiers, and every route's request for either. A route's
// needs come from the route table, so a new route joins automatically or fails here with what it lacks.

import assert from "node:assert/strict";
import { type OperationId, type Route, ROUTES } from "../../../src/contract/routes.ts";
import { formatMicros } from "../../../src/kit/time.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { addTransitions } from "../../../src/store/health/transitions.ts";
import { recordPerson } from "../../../src/store/session/people.ts";
import { identifier, sql } from "../../../src/store/engine/sql.ts";
import { sensor } from "../../support/record/pipeline.ts";
import { Api, DAY, MINUTE, NOW, SURICATA } from "../api.ts";
import { alert, conn, rawLine } from "../records.ts";
import { answerRun } from "../analyst/desk.ts";
import { aRequestFor, SOME_ID } from "../requests.ts";

/** By their contract names, such as `device_id`. */
export type Ids = Readonly<Record<string, string>>;

export interface ApiRequest {
  method: string;
  target: string;
  body?: unknown;
  headers: Record<string, string>;
}

export const TENANTS = ["main", "branch"] as const;
export type TestTenant = (typeof TENANTS)[number];

/** The detector of the incidents here. */
const MODEL = "signature-alert";
/** Addresses show the tenant. */
const NETWORK = { main: "10.0.0", branch: "10.99.0" };
const SENSORS = {
  main: SURICATA,
  branch: sensor("branch-suricata", { tenantId: "branch" }),
};

const routes = Object.entries(ROUTES) as [OperationId, Route][];
export const CORE_ROUTES = routes.filter(([, route]) => route.servedBy === "core");
export const ALL_ROUTES = routes;

export class World {
  readonly #ids: Record<TestTenant, Ids>;
  /** The operations that created the objects here. */
  static readonly MAKING: readonly OperationId[] = CORE_ROUTES.filter(([, route]) => isMaking(route)).map((
    [id],
  ) => id);
  /** The same names as the tenants' identifiers, without objects. */
  readonly missing: Ids;

  private constructor(readonly api: Api, private readonly started: number, ids: Record<TestTenant, Ids>) {
    this.#ids = ids;
    this.missing = Object.fromEntries(Object.entries(ids.branch).map(([name, id]) => [name, neverLike(id)]));
  }

  /** Fills an empty database; `now` in microseconds is its current time. */
  static async create(db: Database, now = NOW): Promise<World> {
    const api = new Api(db);
    api.clock.advance((now - NOW) / 1e6);
    const ids = { main: await fill(api, "main"), branch: await fill(api, "branch") };
    const [main, branch] = TENANTS.map((tenant) => new Set(Object.values(ids[tenant])));
    assert.ok(main!.isDisjointFrom(branch!), "no identifier is shared");
    return new World(api, api.clock.now(), ids);
  }

  ids(tenant: TestTenant): Ids {
    return this.#ids[tenant];
  }

  /** A route's request about the objects of `path`, with the ids of `body` in its body. */
  request(route: Route, path: Ids, body: Ids = path): ApiRequest {
    // The same text at any time.
    return requestFor(route, path, body, this.started);
  }

  /** Bodies that name objects in more places than the usual request. */
  otherBodies(id: OperationId, route: Route, ids: Ids): unknown[] {
    const { body } = this.request(route, ids);
    if (id === "createSuppression") return [{ ...body as object, pattern: pattern(ids.device_id!) }];
    if (id !== "createModelFeedback") return [];
    const { incident_id: _, ...rest } = body as { incident_id: string };
    return [{ ...rest, analysis_id: ids.analysis_id }];
  }

  /** Identifiers that only one tenant has. */
  async ownIdentifiers(tenant: TestTenant): Promise<ReadonlySet<string>> {
    const of = async (one: TestTenant) =>
      new Set(identifiersIn(JSON.stringify(await wholeTenant(this.api.db, one))));
    const [own, others] = [await of(tenant), await of(tenant === "main" ? "branch" : "main")];
    // Ids of missing objects appear in the audit log.
    return own.difference(others.union(new Set(Object.values(this.missing))));
  }
}

/** An identifier of the same time without an object. */
function neverLike(id: string): string {
  return `${id.slice(0, -12)}0000000fffff`;
}

/** Every identifier in a text. */
export function identifiersIn(text: string): string[] {
  return text.match(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g) ?? [];
}

/** Every row of a tenant, table by table. */
export async function wholeTenant(db: Database, tenant: string): Promise<Record<string, string[]>> {
  const tables = await db.owner((tx) =>
    tx.rows<{ name: string }>(sql`
      select c.relname::text as name from pg_class c
        join pg_namespace n on n.oid = c.relnamespace
        join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition and c.relrowsecurity
      order by 1`)
  );
  return await db.tenant(tenant, async (tx) => {
    const whole: Record<string, string[]> = {};
    for (const { name } of tables) {
      const rows = await tx.rows<{ row: string }>(
        sql`select to_jsonb(t)::text as row from ${identifier(name)} t order by 1`,
      );
      whole[name] = rows.map(({ row }) => row);
    }
    return whole;
  });
}

/** An answer's text without per-answer values, and without the requested identifiers. */
export function comparable(text: string, ids: Ids = {}): string {
  let plain = text
    .replaceAll(/"request_id":"[^"]*"/g, '"request_id":""')
    .replaceAll(/"generated_at":"[^"]*"/g, '"generated_at":""')
    // Sealed again each time.
    .replaceAll(/"(next_)?cursor":"[^"]*"/g, '"$1cursor":""').replaceAll(/^id: .*$/gm, "id: ");
  for (const id of Object.values(ids)) plain = plain.replaceAll(id, "<id>");
  return plain;
}

/** A window that contains everything, for routes with one; the graph allows a day at most. */
function windowFor(route: Route, now: number): string {
  if (!route.query?.shape.from) return "";
  const window = { from: formatMicros(now - DAY / 2), to: formatMicros(now + DAY / 2) };
  return `?${new URLSearchParams(window)}`;
}

/** For query parameters that name objects: a list's target, asked about one of them. */
export function queriesAbout(route: Route, target: string, ids: Ids): string[] {
  const query = route.query?.shape ?? {};
  const names = Object.keys(query).filter((name) => name.endsWith("_id") && name !== "vlan_id");
  return names.flatMap((name) => {
    // Any object can be a target.
    const values = name === "target_id"
      ? [ids.device_id!, ids.incident_id!]
      : [ids[name.replace("focus_", "")]];
    return values.flatMap((value) => {
      // Not an object: the name of a detector, which both tenants have.
      if (name === "model_id") return [];
      assert.ok(value, `say in isolation_world.ts what ${name} of ${route.path} is`);
      return [`${target}${target.includes("?") ? "&" : "?"}${name}=${value}`];
    });
  });
}

function pattern(deviceId: string) {
  return { source: deviceId, detector: "beacon" };
}

function requestFor(route: Route, path: Ids, body: Ids, now: number): ApiRequest {
  const request = aRequestFor(route);
  const target = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => idFor(path, name, route));
  return {
    ...request,
    target: target + windowFor(route, now),
    body: request.body === undefined ? undefined : withIds(request.body, "", body, route, now),
  };
}

/** A body of `requests.ts` about these objects and at this time. */
function withIds(value: unknown, name: string, ids: Ids, route: Route, now: number): unknown {
  if (Array.isArray(value)) return value.map((one) => withIds(one, name, ids, route, now));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, withIds(member, key, ids, route, now)]),
    );
  }
  if (value === SOME_ID) return idFor(ids, name, route);
  if (name === "expires_at") return formatMicros(now + DAY);
  return name === "model_id" ? MODEL : value;
}

function idFor(ids: Ids, name: string, route: Route): string {
  // An incident that no other request changes, because each names revision 1.
  const own = name === "incident_id" && route.path.endsWith("/assignee") ? ids.other_incident_id : undefined;
  // Feedback is given on an answer, and the other run is cancelled.
  const answered = name === "run_id" && route.path.endsWith("/feedback") ? ids.answered_run_id : undefined;
  const id = own ?? answered ?? ids[name];
  assert.ok(id, `nothing in isolation_world.ts makes a ${name}, which ${route.path} needs`);
  return id;
}

async function fill(api: Api, tenant: TestTenant): Promise<Ids> {
  const at = api.clock.now() - MINUTE;
  const src = `${NETWORK[tenant]}.5`;
  await api.take(SENSORS[tenant], [
    alert({ src, at }),
    alert({ src: `${NETWORK[tenant]}.6`, at, sid: 7 }),
    conn({ src, dst: `${NETWORK[tenant]}.6`, at }),
    rawLine("suricata.flow", formatMicros(at), `{"src_ip":"${src}"}`),
    `{"src_ip":"${src}"`,
  ]);
  for (const subject of ["bob", "carol", "dave", "erin", "frank"]) {
    await signIn(api, tenant, subject);
  }
  for (let n = 0; n < 5; n++) await changeHealth(api, tenant, at + n);
  const ids: Record<string, string> = {
    sensor_id: SENSORS[tenant].sensorId,
    component_id: componentOf(tenant),
  };
  await learn(api, tenant, ids);
  for (const [id, route] of CORE_ROUTES) {
    if (!isMaking(route)) continue;
    const response = await api.core.send({
      ...requestFor(route, ids, ids, api.clock.now()),
      tenantId: tenant,
      roles: [route.role],
    });
    assert.equal(response.status, route.status, `${id}: ${await response.text()}`);
  }
  await learn(api, tenant, ids);
  ids.answered_run_id = await answeredRun(api, tenant, ids);
  return ids;
}

/** A complete run about the other incident, with the revision that all requests name. */
async function answeredRun(api: Api, tenant: TestTenant, ids: Ids): Promise<string> {
  const { run_id: first } = ids;
  const response = await api.core.send({
    method: "POST",
    target: `/api/v1/incidents/${ids.other_incident_id}/analyst-runs`,
    body: {},
    headers: { "idempotency-key": crypto.randomUUID() },
    tenantId: tenant,
    roles: ["analyst"],
  });
  const { run_id: runId } = (await response.json()).data;
  const now = api.clock.now();
  await api.db.tenant(
    tenant,
    (tx) => tx.run(sql`update analyst_run set state = 'failed' where run_id = ${first}::uuid`),
  );
  await answerRun(api.db, tenant, runId, now);
  await api.db.tenant(tenant, async (tx) => {
    await tx.run(sql`update analyst_run set state = 'queued' where run_id = ${first}::uuid`);
    await tx.run(sql`update analyst_run set revision = 1 where run_id = ${runId}::uuid`);
  });
  return runId;
}

function componentOf(tenant: TestTenant): string {
  return `sensor:${SENSORS[tenant].sensorId}`;
}

/** Records a transition of a tenant's health; `at` in microseconds. */
export async function changeHealth(api: Api, tenant: TestTenant, at: number): Promise<void> {
  const componentId = componentOf(tenant);
  const change = { kind: "sensor", from: "ok", to: "stale", message: `silent in ${tenant}` } as const;
  await api.db.tenant(
    tenant,
    (tx) => addTransitions(tx, tenant, [{ id: crypto.randomUUID(), at, componentId, ...change }]),
  );
}

/** Lists a person in a tenant. */
export async function signIn(api: Api, tenant: TestTenant, subject: string): Promise<void> {
  const person = { subject, displayName: `${subject} of ${tenant}` };
  const grants = [{ tenant_id: tenant, roles: ["analyst" as const] }];
  await api.db.shared((tx) => recordPerson(tx, person, grants, api.clock.now()));
}

function isMaking(route: Route): boolean {
  return route.method === "POST" && route.write && !route.revisioned;
}

/** Reads the first object of every list that some route names in its path. */
async function learn(api: Api, tenant: TestTenant, ids: Record<string, string>): Promise<void> {
  const send = async (target: string, roles: Route["role"][]) => {
    const response = await api.core.send({ target, tenantId: tenant, roles });
    assert.equal(response.status, 200, target);
    return (await response.json()).data;
  };
  for (const [, list] of CORE_ROUTES) {
    if (list.method !== "GET" || list.path.includes("{")) continue;
    const member = routes.find(([, { path }]) => path.startsWith(`${list.path}/{`))?.[1].path;
    const name = /\{(\w+)\}/.exec(member ?? "")?.[1];
    if (name === undefined) continue;
    const [first] = await send(list.path + windowFor(list, api.clock.now()), [list.role]);
    if (first) ids[name] = first[name] ?? first.id;
  }
  const incident = await send(`/api/v1/incidents/${ids.incident_id}`, ["reader"]);
  const { data: incidents } = await api.read("listIncidents", {}, { tenantId: tenant });
  ids.other_incident_id = incidents.find(({ id }) => id !== ids.incident_id)!.id;
  ids.device_id = incident.device_ids[0];
  assert.deepEqual(incident.model_ids, [MODEL]);
  ids.evidence_id = incident.evidence[0].evidence_id;
  ids.analysis_id = incident.model_results[0].analysis_id;
}
