// The directory of people who have signed in to a tenant.

import assert from "node:assert/strict";
import { expirePeople, recordPerson } from "../../../src/store/session/people.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, DAY, NOW } from "../api.ts";

testDatabase("people: names by subject, paged, of one tenant", async (db) => {
  const api = new Api(db);
  const grants = [
    { tenant_id: "main", roles: ["analyst" as const, "responder" as const] },
    { tenant_id: "branch", roles: ["reader" as const] },
  ];
  for (const subject of ["cleo", "Ärger", "bob", "ada"]) {
    await db.shared((tx) =>
      recordPerson(tx, { subject, displayName: `${subject} X` }, grants, NOW - 2 * DAY)
    );
  }
  // Another sign-in, under another name and with other roles in one tenant.
  await db.shared((tx) =>
    recordPerson(
      tx,
      { subject: "bob", displayName: "Robert X" },
      [{ tenant_id: "main", roles: ["reader"] }],
      NOW,
    )
  );

  const { data } = await api.read("listPeople");
  assert.equal(data.length, 4);
  assert.deepEqual(data.find(({ subject }) => subject === "bob"), {
    subject: "bob",
    name: "Robert X",
    roles: ["reader"],
    last_seen: "2026-01-31T07:15:00.000Z",
  });
  assert.deepEqual(data.find(({ subject }) => subject === "ada")?.roles, ["analyst", "responder"]);
  const branch = (await api.read("listPeople", {}, { tenantId: "branch" })).data;
  assert.deepEqual(branch.map(({ name }) => name).sort(), ["ada X", "bob X", "cleo X", "Ärger X"].sort());

  const pages = await api.walk("listPeople", { limit: 1 });
  assert.deepEqual(pages.flat(), data);

  await db.tenant("main", (tx) => expirePeople(tx, "main", NOW - DAY));
  assert.deepEqual((await api.read("listPeople")).data.map(({ subject }) => subject), ["bob"]);
  assert.equal((await api.read("listPeople", {}, { tenantId: "branch" })).data.length, 4);
});
