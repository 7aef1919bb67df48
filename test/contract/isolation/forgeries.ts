// All places where a client could name another tenant, and the check that none affects a route.

import assert from "node:assert/strict";
import type { OperationId, Route } from "../../../src/contract/routes.ts";
import type { Answered, Ask } from "./matrix.ts";
import { codeOf } from "./matrix.ts";
import { type ApiRequest, comparable, type World } from "./world.ts";

const TENANT_HEADERS = [
  "Tenant",
  "Tenant-Id",
  "X-Tenant",
  "X-Tenant-Id",
  "X-Tenant-Name",
  "X-Org-Id",
  "X-Scope-OrgID",
  "X-NDR-Tenant-Id",
  "X_NDR_Tenant",
  "X-NDR_Tenant",
  "X-NDR-Selected-Tenant",
  "X-Forwarded-Tenant",
  "X-Forwarded-User",
  "X-Forwarded-Groups",
  "X-Remote-User",
  "Remote-User",
  "X-User",
  "X-Roles",
  "From",
];
/** Headers that name `branch`; claims themselves are tested with invalid senders. */
const FORGED_HEADERS: Record<string, string> = {
  ...Object.fromEntries(TENANT_HEADERS.map((name) => [name, "branch"])),
  "Forwarded": 'for=192.0.2.1;host=branch;proto=https;by="_branch"',
  "X-Forwarded-Host": "branch",
  "X-Forwarded-Server": "branch",
  "X-Forwarded-Prefix": "/branch",
  "X-Original-Host": "branch",
  "X-Original-URL": "/api/v1/site?tenant_id=branch",
  "X-Rewrite-URL": "/api/v1/site?tenant_id=branch",
  "X-HTTP-Method-Override": "DELETE",
  "Authorization": "Bearer branch",
  "Proxy-Authorization": "Basic YnJhbmNoOmJyYW5jaA==",
};
const FORGED_COOKIES =
  "tenant=branch; tenant_id=branch; ndr-tenant=branch; selected_tenant=branch; X-NDR-Tenant=branch";
const FORGED_PAIRS: [name: string, value: string][] = [
  ["tenant", "branch"],
  ["tenant_id", "branch"],
  ["tenantId", "branch"],
  ["selected_tenant", "branch"],
  ["x-ndr-tenant", "branch"],
  ["tenant_id[]", "branch"],
  ["roles", "admin"],
  ["subject", "somebody"],
];

/** One forgery per place; its name says what was forged. */
function forgeries(request: ApiRequest, route: Route): [name: string, forged: ApiRequest][] {
  const { target, body, headers } = request;
  const cookie = [headers.cookie, FORGED_COOKIES].filter(Boolean).join("; ");
  // A parameter of the route is no forgery: the audit log can be searched by subject.
  const query = new URLSearchParams(FORGED_PAIRS.filter(([name]) => route.query?.shape[name] === undefined));
  const forged: [string, ApiRequest][] = [
    ["headers", { ...request, headers: { ...headers, ...FORGED_HEADERS } }],
    ["host", { ...request, headers: { ...headers, Host: "branch.example" } }],
    ["cookies", { ...request, headers: { ...headers, cookie } }],
    ["query", { ...request, target: `${target}${target.includes("?") ? "&" : "?"}${query}` }],
  ];
  if (body === undefined) return forged;
  for (
    const [name, value] of [["tenant_id", "branch"], ["tenant", { id: "branch" }], ["__proto__", {
      tenant_id: "branch",
    }]]
  ) {
    const text = JSON.stringify(body).replace(/^\{/, `{${JSON.stringify(name)}:${JSON.stringify(value)},`);
    forged.push([`body ${name}`, { ...request, body: text }]);
  }
  const type = { "content-type": "application/json; tenant=branch" };
  return [...forged, ["content type", { ...request, headers: { ...headers, ...type } }]];
}

/**
 * Sends a route's request plainly and with each forgery, about own and foreign objects. A forged read must
 * return the plain one's answer; a forged write the answer stored for the plain one, because a write's key is
 * bound to tenant and person; or either is refused as invalid.
 */
export async function checkForgeries(id: OperationId, route: Route, world: World, ask: Ask): Promise<void> {
  const { main: own, branch: foreign } = { main: world.ids("main"), branch: world.ids("branch") };
  const objects = route.path.includes("{") ? [own, foreign] : [own];
  for (const path of objects) {
    const request = world.request(route, path, own);
    const plain = await ask(request);
    if (path === foreign) assert.equal(codeOf(plain), "not_found", `${id}: ${plain.text}`);
    for (const [name, forged] of forgeries(request, route)) {
      const what = `${id}, ${path === own ? "own" : "foreign"}, forged ${name}`;
      assertNoEffect(await ask(forged), plain, what);
      if (route.write) {
        // With a key of its own there is nothing to replay.
        const headers = { ...forged.headers, "idempotency-key": crypto.randomUUID() };
        const other = await ask({ ...forged, headers });
        if (path === foreign && other.status !== 400) assert.equal(codeOf(other), "not_found", what);
        assert.doesNotMatch(other.text, /10\.99\.0\./, what);
      }
    }
  }
}

function assertNoEffect(forged: Answered, plain: Answered, what: string): void {
  if (forged.status === 400 || forged.status === 422) {
    return assert.equal(codeOf(forged), "invalid_request", what);
  }
  assert.equal(forged.status, plain.status, `${what}: ${forged.text.slice(0, 500)}`);
  assert.equal(comparable(forged.text), comparable(plain.text), what);
}
