// `ndr audit` as an administrator runs it, on its own database.

import assert from "node:assert/strict";
import { addAudit, addOutsideAudit } from "../../../src/store/session/audit.ts";
import { PgliteDatabase } from "../../../src/store/engine/pglite/pglite.ts";
import { registerTenants } from "../../../src/store/engine/tenants.ts";
import { auditRow } from "../../contract/session/audit.ts";
import { callNdr, type Ran } from "../../support/command.ts";
import { runNdr } from "../../support/program.ts";
import { makeEmbedded } from "../../support/database.ts";

const HOUR = 3_600_000_000;

function audit(folder: string, ...args: string[]): Promise<Ran> {
  return callNdr(["audit", ...args], { NDR_CONFIG_DIR: folder });
}

Deno.test("ndr audit: a table for people, lines for programs, and a plain message on failure", async () => {
  const folder = await Deno.makeTempDir({ prefix: "ndr-audit-" });
  try {
    const missing = await runNdr(["audit"], { NDR_CONFIG_DIR: folder });
    assert.equal(missing.code, 1);
    assert.match(missing.stderr, /NDR_DATABASE_URL: expected to be set/);
    // In the format systemd reads.
    await Deno.writeTextFile(
      `${folder}/ndr.env`,
      `# state\nNDR_DATABASE_URL="embedded:${folder}/database"\n`,
    );
    const none = await audit(folder);
    assert.equal(none.code, 1);
    assert.match(none.stderr, /no embedded database/);

    const now = Date.now() * 1000;
    await makeEmbedded(`${folder}/database`);
    const db = await PgliteDatabase.open({ directory: `${folder}/database` });
    await registerTenants(db, ["main", "branch"]);
    await db.tenant("main", async (tx) => {
      await addAudit(tx, "main", auditRow({ at: now - 30 * HOUR, operation: "signIn" }));
      await addAudit(
        tx,
        "main",
        auditRow({
          at: now - 2 * HOUR,
          operation: "patchIncident",
          targetId: "i-1",
          clientAddress: "192.0.2.7",
          changes: [{ field: "status", from: "open", to: "resolved" }, {
            field: "comment",
            from: null,
            to: "a\u001b[2Jb",
          }],
        }),
      );
    });
    await db.tenant(
      "branch",
      (tx) =>
        addAudit(
          tx,
          "branch",
          auditRow({ at: now - HOUR, subject: "bob", outcome: "refused", status: 403, reason: "no" }),
        ),
    );
    await db.shared((tx) =>
      addOutsideAudit(tx, auditRow({ at: now - HOUR / 2, subject: "mallory", operation: "signIn" }))
    );
    const busy = await audit(folder);
    assert.equal(busy.code, 1);
    assert.match(busy.stderr, /in use by another process/);
    await db.close();

    const table = (await audit(folder)).stdout.trimEnd().split("\n");
    assert.equal(table.length, 4);
    assert.match(table[0]!, /^TIME \(UTC\) +TENANT +WHO +OPERATION +OUTCOME +TARGET +FROM +WHAT$/);
    assert.match(
      table[1]!,
      /main +ada +patchIncident +done +i-1 +192\.0\.2\.7 +status: open -> resolved; comment: a \[2Jb$/,
    );
    assert.match(table[2]!, /branch +bob +patchDevice +refused 403 +- +- +no$/);
    assert.match(table[3]!, /- +mallory +signIn/);

    const json = await audit(
      folder,
      "--json",
      "--since",
      "7d",
      "--limit",
      "2",
      "--tenant",
      "main",
      "--subject",
      "ada",
    );
    const entries = json.stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(entries.map((entry) => [entry.tenant_id, entry.operation]), [
      ["main", "signIn"],
      ["main", "patchIncident"],
    ]);
    assert.deepEqual(entries[1].changes[0], { field: "status", from: "open", to: "resolved" });

    const refused = (await audit(folder, "--outcome", "refused")).stdout.trimEnd().split("\n");
    assert.equal(refused.length, 2);
    assert.match(refused[1]!, /bob/);

    const nothing = await audit(folder, "--operation", "decideProposal");
    assert.deepEqual([nothing.code, nothing.stdout, nothing.stderr], [0, "", "no entries found\n"]);
    const stranger = await audit(folder, "--tenant", "other");
    assert.deepEqual([stranger.code, stranger.stderr], [
      1,
      "ndr audit: there is no tenant other; there are: branch, main\n",
    ]);
    const wrong = await audit(folder, "--since", "yesterday");
    assert.equal(wrong.code, 1);
    assert.match(wrong.stderr, /expected a time such as/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
