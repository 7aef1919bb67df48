import assert from "node:assert/strict";
import { type Route, ROUTES } from "../../../../src/contract/routes.ts";
import { assertUnauthenticated } from "./raw.ts";
import { signRequest, WEB_SERVICE } from "../../../../src/contract/request/signed-request.ts";
import { coreOn, TEST_KEY, TEST_NOW } from "../../core.ts";
import { aRequestFor } from "../../requests.ts";
import { unreachableDatabase } from "../../support.ts";

/** A route's request and what the web layer would sign for it. */
function of(route: Route) {
  const { method, target, body, headers } = aRequestFor(route);
  const text = body === undefined ? "" : JSON.stringify(body);
  return { method, target, text, headers };
}

Deno.test("signed request: refuses the claims of one route on any other, for all pairs of routes", async () => {
  const db = unreachableDatabase();
  const core = coreOn(db);
  const routes = (Object.values(ROUTES) as Route[]).filter(({ servedBy }) => servedBy === "core");
  try {
    for (const from of routes) {
      const { method, target, text } = of(from);
      const claims = await signRequest(TEST_KEY, {
        method,
        pathname: target,
        search: "",
        body: new TextEncoder().encode(text),
      }, {
        service: WEB_SERVICE,
        tenantId: "main",
        subject: "ada",
        roles: ["admin", "analyst", "reader", "responder"],
        issuedAt: TEST_NOW,
        expiresAt: TEST_NOW + 60_000_000,
        nonce: crypto.randomUUID(),
      });
      for (const to of routes) {
        if (to === from) continue;
        const other = of(to);
        const response = await core.app.request(other.target, {
          method: other.method,
          headers: { ...other.headers, ...claims, "content-type": "application/json" },
          body: other.text === "" ? undefined : other.text,
        });
        const what = `${method} ${target} as ${other.method} ${other.target}`;
        assertUnauthenticated({ status: response.status, body: await response.text() }, what);
      }
    }
    assert.ok(routes.length > 15);
  } finally {
    await db.close();
  }
});
