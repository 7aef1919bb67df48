import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { Api, refusal, ZEEK } from "../api.ts";
import { conn } from "../records.ts";
import { liveWith, openStream, sendStream } from "./stream-client.ts";

testDatabase(
  "stream: if all are in use, anyone's next one is refused and the open ones continue",
  async (db) => {
    const { live, streams } = liveWith({}, 3);
    const api = new Api(db, [], {}, live);
    await api.take(ZEEK, [conn()]);
    const own = [];
    for (let opened = 0; opened < 3; opened++) own.push(await openStream(api, { subject: "ada" }));
    const others = [{ subject: "ada" }, { subject: "bob" }, { subject: "cy", tenantId: "branch" }];
    for (const sender of others) {
      const { details } = await refusal(await sendStream(api, sender), 429, "source_unavailable");
      assert.equal(details.reason, "streams");
    }
    assert.equal(streams().open, 3);
    for (const reader of own) assert.equal((await reader.next())!.event, "delta");
    await own.pop()!.close();
    const other = await openStream(api, { subject: "bob" });
    assert.equal((await other.next())!.event, "delta");
    for (const reader of [...own, other]) await reader.close();
    assert.equal(streams().open, 0);
  },
);
