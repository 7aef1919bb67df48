// What a person may see and do on each route, computed from the route table, and the check of an answer.

import assert from "node:assert/strict";
import { allows } from "../../../src/contract/session/access.ts";
import { type Role, ROLES } from "../../../src/contract/record/kinds.ts";
import type { OperationId, Route } from "../../../src/contract/routes.ts";
import {
  type ApiRequest,
  comparable,
  identifiersIn,
  type Ids,
  queriesAbout,
  type TestTenant,
  World,
} from "./world.ts";

/** All sets of roles that a person may have. */
export const ROLE_SETS: Role[][] = Array.from(
  { length: 2 ** ROLES.length - 1 },
  (_, index) => ROLES.filter((_, bit) => (index + 1) & (1 << bit)),
);

export interface Answered {
  status: number;
  text: string;
}

/** How a person sends a request: at the core or through the web layer. */
export type Ask = (request: ApiRequest) => Promise<Answered>;

export function codeOf({ text }: Answered): string | undefined {
  return JSON.parse(text).error?.code;
}

export function assertError(answer: Answered, status: number, code: string, what: string): void {
  assert.equal(answer.status, status, `${what}: ${answer.text}`);
  assert.equal(codeOf(answer), code, what);
}

/** A person of one tenant with some roles, with that tenant's objects, another tenant's, and missing ones. */
interface Person {
  world: World;
  tenant: TestTenant;
  roles: readonly Role[];
  ask: Ask;
  /** Identifiers of other tenants, which no answer may contain. */
  foreign: ReadonlySet<string>;
  /** Operations that succeeded, recorded here. */
  done: Set<OperationId>;
}

/** Checks one route for one person: own objects, foreign ones, and missing ones. */
export async function checkRoute(id: OperationId, route: Route, person: Person): Promise<void> {
  const { world, tenant, roles } = person;
  const what = `${id} in ${tenant} as ${roles}`;
  const own = world.ids(tenant);
  const other = world.ids(tenant === "main" ? "branch" : "main");
  // The audit log contains what people of this tenant sent, and nothing more of the other.
  const sent = new Set(id === "listAudit" ? Object.values(other) : []);
  const ask = async (request: ApiRequest): Promise<Answered> => {
    const answer = await person.ask(request);
    const leaked = identifiersIn(answer.text).filter((one) => person.foreign.has(one) && !sent.has(one));
    assert.deepEqual(leaked.slice(0, 5), [], `${what}, ${request.method} ${request.target}`);
    return answer;
  };

  if (!allows(roles, route.role)) {
    const paths = route.path.includes("{") ? [own, other, world.missing] : [own];
    for (const path of paths) {
      const answer = await ask(world.request(route, path));
      assertError(answer, 403, "forbidden", what);
      assert.equal(JSON.parse(answer.text).error.details.required_role, route.role, what);
    }
    return;
  }

  const mine = world.request(route, own);
  const answer = await ask(mine);
  if (answer.status === route.status || route.alsoStatus?.includes(answer.status)) person.done.add(id);
  // Earlier requests may have changed the object; it still exists, and the person may still do this.
  else assert.ok([400, 409, 412].includes(answer.status) && route.write, `${what}: ${answer.text}`);

  for (const [foreign, never] of foreignAndMissing(id, route, person, mine)) {
    const [seen, expected] = [await ask(foreign), await ask(never)];
    const about = `${what}, ${foreign.method} ${foreign.target} ${JSON.stringify(foreign.body) ?? ""}`;
    if (pathOf(foreign) !== pathOf(mine)) assertError(expected, 404, "not_found", about);
    assert.equal(seen.status, expected.status, `${about}: ${seen.text}`);
    assert.equal(comparable(seen.text, other), comparable(expected.text, world.missing), about);
  }
}

/** Requests about foreign objects, each beside the same one about missing objects. */
export function foreignAndMissing(
  id: OperationId,
  route: Route,
  { world, tenant }: Pick<Person, "world" | "tenant">,
  mine: ApiRequest,
): [foreign: ApiRequest, never: ApiRequest][] {
  const own = world.ids(tenant);
  const about = (ids: Ids): ApiRequest[] => {
    const inPath = route.path.includes("{") ? [world.request(route, ids, own)] : [];
    const bodies = route.body
      ? [world.request(route, own, ids).body, ...world.otherBodies(id, route, ids)]
      : [];
    const inBody = bodies.map((body) => ({ ...world.request(route, own), body }));
    // Attempts on foreign and missing objects are both in the audit log of the tenant that tried.
    const queries = id === "listAudit" ? [] : queriesAbout(route, mine.target, ids);
    const inQuery = queries.map((target) => ({ ...mine, target }));
    // A body that names no object is the same request as one's own.
    return [
      ...inPath,
      ...inBody.filter(({ body }) => JSON.stringify(body) !== JSON.stringify(mine.body)),
      ...inQuery,
    ];
  };
  const never = about(world.missing);
  return about(world.ids(tenant === "main" ? "branch" : "main")).map((
    foreign,
    index,
  ) => [foreign, never[index]!]);
}

function pathOf({ target }: ApiRequest): string {
  return target.split("?", 1)[0]!;
}
