// People whose identity provider gives them a subject beyond ASCII.

import assert from "node:assert/strict";
import { entriesOf } from "../../contract/session/audit.ts";
import { testStack } from "./web-stack.ts";

const DEVICE = "/api/v1/devices/0190b2c3-0000-7000-8000-000000000001";

for (const subject of ["Zoë Müller", "李雷|💡", "100%", "Zo%C3%AB", "UTF-8''Zo%C3%AB"]) {
  testStack(`subject: ${subject} signs in, reads and writes, and the audit has this text`, async (stack) => {
    const person = await stack.browser().signIn("analyst");
    assert.equal((await person.json("/api/v1/session")).body.data.subject, subject);
    const devices = await person.json("/api/v1/devices");
    assert.equal(devices.status, 200);
    assert.equal(devices.body.data.caller.subject, subject, "the core reads the decoded subject");

    const patched = await person.write("PATCH", DEVICE, { owner: "x" }, { "if-match": '"1"' });
    assert.equal(patched.status, 200);
    await patched.body?.cancel();
    assert.equal((await person.json("/api/v1/audit")).status, 403);
    await (await person.write("POST", "/auth/logout", undefined)).body?.cancel();

    const entries = await entriesOf(stack.db, "main");
    assert.deepEqual(entries.map((entry) => `${entry.operation} ${entry.outcome} ${entry.subject}`).sort(), [
      `listAudit refused ${subject}`,
      `patchDevice done ${subject}`,
      `signIn done ${subject}`,
      `signOut done ${subject}`,
    ]);
  }, { subjectOf: (account) => account === "analyst" ? subject : account });
}
