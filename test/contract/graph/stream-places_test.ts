import assert from "node:assert/strict";
import { testDatabase } from "../../support/database.ts";
import { Api, refusal, ZEEK } from "../api.ts";
import { conn } from "../records.ts";
import { liveWith, openStream, sendStream } from "./stream-client.ts";

testDatabase(
  "stream: if all are in use, others take the places of the person who has the most, who cannot take them back",
  async (db) => {
    const { live, streams } = liveWith({}, 3);
    const api = new Api(db, [], {}, live);
    await api.take(ZEEK, [conn()]);
    const ada = [];
    for (let opened = 0; opened < 3; opened++) ada.push(await openStream(api, { subject: "ada" }));
    const refused = async (subject: string) => {
      const { details } = await refusal(await sendStream(api, { subject }), 429, "source_unavailable");
      assert.equal(details.reason, "streams");
    };
    await refused("ada");
    const others = [];
    for (const sender of [{ subject: "bob" }, { subject: "cy", tenantId: "branch" }]) {
      const other = await openStream(api, sender);
      assert.equal((await other.next())!.event, "delta");
      others.push(other);
      // The oldest of hers ends, after what was sent before.
      const lost = ada.shift()!;
      while (await lost.next() !== null);
      assert.equal(streams().open, 3);
      await refused("ada");
    }
    await refused("dan");
    assert.equal((await ada[0]!.next())!.event, "delta", "the rest goes on");
    for (const reader of [...ada, ...others]) await reader.close();
    assert.equal(streams().open, 0);
  },
);
