// The licence of an installation over its lifetime: real files, a real store.

import assert from "node:assert/strict";
import { NO_SERVICES } from "../../../src/domain/health/services.ts";
import type { Database } from "../../../src/store/engine/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { RENEWED_FILE, TIME_FILE } from "../../../src/telemetry/license-files.ts";
import { testDatabase } from "../../support/database.ts";
import { DAY, HOUR, INSTALL_ID, LicenseBench, START } from "../../support/telemetry/licensing.ts";

const onBench = LicenseBench.with;

async function rows(db: Database): Promise<unknown[]> {
  return await db.shared((tx) => tx.rows(sql`select * from license_time`));
}

testDatabase("without a licence file: off, the free plan, nothing saved and no row", async (db) => {
  await onBench(db, async (bench) => {
    const licensing = await bench.started();
    assert.deepEqual(licensing.facts(), NO_SERVICES.license);
    assert.deepEqual(licensing.plan(), { plan: "free", keyIdHash: null });
    await bench.run(licensing, 2 * DAY);
    await licensing.stop();
    assert.deepEqual([bench.stateFiles(), await rows(db)], [[], []]);
  });
});

testDatabase(
  "valid until it expires, 72 hours of grace, then expired; a new file makes it valid again",
  async (db) => {
    await onBench(db, async (bench) => {
      await bench.install();
      let licensing = await bench.started();
      assert.deepEqual(licensing.facts(), {
        state: "valid",
        expiresAt: START + 100 * DAY,
        graceUntil: START + 100 * DAY + 72 * HOUR,
        seats: 5,
        message: null,
      });
      assert.equal(licensing.plan().plan, "pro");
      assert.equal(await bench.run(licensing, 100 * DAY - HOUR), "valid");
      assert.equal(await bench.run(licensing, HOUR), "grace");
      licensing = await bench.restart(licensing);
      assert.equal(await bench.run(licensing, 71 * HOUR), "grace");
      assert.equal(await bench.run(licensing, HOUR), "expired");
      assert.equal(licensing.plan().plan, "pro", "so that the registration server can renew it");
      licensing = await bench.restart(licensing);
      assert.equal(licensing.facts().state, "expired");
      await bench.install({ expiresAt: START + 200 * DAY });
      await licensing.reload();
      assert.equal(licensing.facts().state, "valid");
      await licensing.stop();
    });
  },
);

testDatabase(
  "the state folder: mode 0600, written atomically, whatever an interrupted start left behind",
  async (db) => {
    await onBench(db, async (bench) => {
      await bench.install();
      for (const name of [TIME_FILE, RENEWED_FILE]) {
        await Deno.writeTextFile(`${bench.stateDir}/.${name}.new`, "half of", { mode: 0o644 });
      }
      const licensing = await bench.started();
      await licensing.renew(await bench.token({ installId: INSTALL_ID, expiresAt: START + 200 * DAY }));
      await licensing.stop();
      assert.deepEqual(bench.stateFiles(), [TIME_FILE, RENEWED_FILE].sort());
      for (const name of bench.stateFiles()) {
        const { mode } = await Deno.stat(`${bench.stateDir}/${name}`);
        assert.equal(mode! & 0o7777, 0o600, name);
      }
      assert.deepEqual(JSON.parse(await Deno.readTextFile(`${bench.stateDir}/${TIME_FILE}`)), {
        issued_at: START,
        known_at: START,
        leap: null,
      });
    });
  },
);

testDatabase(
  "an unwritable state folder costs only the saved time, and the log reports it",
  async (db) => {
    await onBench(db, async (bench) => {
      await bench.install();
      const warnings: string[] = [];
      bench.logger = { ...bench.logger, error: (message) => void warnings.push(message) };
      await Deno.remove(bench.stateDir);
      const licensing = await bench.started();
      assert.equal(licensing.facts().state, "valid");
      assert.equal(await bench.run(licensing, 104 * DAY), "expired");
      await assert.rejects(
        licensing.renew(await bench.token({ installId: INSTALL_ID, expiresAt: START + 900 * DAY })),
      );
      assert.equal(licensing.facts().state, "expired", "a time that could not be saved does not count");
      await licensing.stop();
      assert.deepEqual([...new Set(warnings)], ["could not store the time"]);
      await Deno.mkdir(bench.stateDir);
    });
  },
);

testDatabase(
  "files that are not licences: invalid, with the reason; special files are never opened",
  async (db) => {
    await onBench(db, async (bench) => {
      const licensing = await bench.started();
      const put = async (make: () => Promise<unknown>) => {
        await Deno.remove(bench.licensePath, { recursive: true }).catch(() => {});
        await make();
        await licensing.reload();
        const { state, message } = licensing.facts();
        assert.deepEqual(licensing.plan(), {
          plan: state === "valid" ? "pro" : "free",
          keyIdHash: licensing.plan().keyIdHash,
        });
        return `${state}: ${message?.replace(bench.licensePath, "it").split(";")[0]}`;
      };
      const write = (text: string) => put(() => Deno.writeTextFile(bench.licensePath, text));
      assert.equal(
        await write(""),
        "invalid: it is not a signed token (three base64url parts separated by dots)",
      );
      assert.equal(await write("x".repeat(20_000)), "invalid: it is longer than 8192 characters");
      assert.equal(
        await write("\xff\xfe"),
        "invalid: it is not a signed token (three base64url parts separated by dots)",
      );
      assert.equal(await put(() => Deno.mkdir(bench.licensePath)), "invalid: it is not a regular file");
      const pipe = () => new Deno.Command("mkfifo", { args: [bench.licensePath] }).output();
      assert.equal(await put(pipe), "invalid: it is not a regular file");
      const token = await bench.token();
      assert.equal(await write(`${token}\r\n`), "valid: undefined");
      await Deno.writeTextFile(`${bench.folder}/elsewhere`, token);
      assert.equal(
        await put(() => Deno.symlink(`${bench.folder}/elsewhere`, bench.licensePath)),
        "valid: undefined",
      );
      assert.equal(
        await put(() => bench.install({ installId: `ins_${"f".repeat(32)}` })),
        `invalid: it is bound to the installation ins_${"f".repeat(32)}, but this one is ${INSTALL_ID}`,
      );
      await Deno.remove(bench.licensePath);
      await licensing.reload();
      assert.equal(licensing.facts().state, "off");
      await licensing.stop();
    });
  },
);
