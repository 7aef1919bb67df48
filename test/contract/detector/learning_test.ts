// Progress of a site's learning phase in the site route.
import assert from "node:assert/strict";
import { LEARNING_DAYS, MIN_RECORDS } from "../../../src/domain/detect/kernel/learning.ts";
import { testDatabase } from "../../support/database.ts";
import { Api, BRANCH_ZEEK, DAY, NOW, SECOND, ZEEK } from "../api.ts";
import { conn } from "../records.ts";

testDatabase(
  "site: learning starts with the first records and is complete after a week of them",
  async (db) => {
    const api = new Api(db);
    const learning = async () => (await api.read("getSite")).data.learning;
    assert.deepEqual(await learning(), { phase: "unknown", days: 0, needed_days: LEARNING_DAYS });
    for (let day = 1; day <= LEARNING_DAYS; day++) {
      await api.take(ZEEK, Array.from({ length: MIN_RECORDS }, (_, at) => recordOf(day, at)));
      const phase = day < LEARNING_DAYS ? "learning" : "complete";
      assert.deepEqual(await learning(), { phase, days: day, needed_days: LEARNING_DAYS });
    }
    await api.take(BRANCH_ZEEK, [recordOf(1, 0)]);
    const branch = (await api.read("getSite", {}, { tenantId: "branch" })).data.learning;
    assert.deepEqual(branch, { phase: "learning", days: 0, needed_days: LEARNING_DAYS });
  },
);

function recordOf(day: number, second: number): string {
  return conn({ at: NOW - (LEARNING_DAYS + 1 - day) * DAY + second * SECOND });
}
