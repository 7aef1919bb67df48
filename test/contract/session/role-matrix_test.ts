import assert from "node:assert/strict";
import { type Role, ROLES } from "../../../src/contract/record/kinds.ts";
import { type Route, ROUTES } from "../../../src/contract/routes.ts";
import { testDatabase } from "../../support/database.ts";
import { coreOn } from "../core.ts";
import { aRequestFor } from "../requests.ts";

/** All sets of roles that a person may have. */
const ROLE_SETS: Role[][] = Array.from(
  { length: 2 ** ROLES.length - 1 },
  (_, index) => ROLES.filter((_, bit) => (index + 1) & (1 << bit)),
);

testDatabase("roles: the core admits exactly the right ones on every route", async (db) => {
  const core = coreOn(db);
  for (const [id, route] of Object.entries(ROUTES) as [string, Route][]) {
    if (route.servedBy !== "core") continue;
    for (const roles of ROLE_SETS) {
      const allowed = route.role === "reader" || roles.includes(route.role);
      const response = await core.send({ ...aRequestFor(route), roles });
      const text = await response.text();
      assert.equal(response.status, allowed ? route.status : 403, `${id} as ${roles}: ${text}`);
      if (!allowed) assert.equal(JSON.parse(text).error.code, "forbidden");
    }
  }
});
