// A tenant named by a client anywhere but in the signed claims has no effect on any route of the core.

import assert from "node:assert/strict";
import type { Role } from "../../../src/contract/record/kinds.ts";
import { testDatabase } from "../../support/database.ts";
import { checkForgeries } from "./forgeries.ts";
import type { Ask } from "./matrix.ts";
import { CORE_ROUTES, wholeTenant, World } from "./world.ts";
import { textOf } from "../../support/transport/event-stream.ts";

testDatabase("isolation: a forged tenant has no effect on any route of the core", async (db) => {
  const world = await World.create(db);
  const roles: Role[] = ["admin", "analyst", "responder"];
  const before = await wholeTenant(db, "branch");
  for (const [id, route] of CORE_ROUTES) {
    const ask: Ask = async (request) => {
      const response = await world.api.core.send({ ...request, roles });
      return { status: response.status, text: await textOf(response) };
    };
    await checkForgeries(id, route, world, ask);
  }
  assert.deepEqual(await wholeTenant(db, "branch"), before);
});
