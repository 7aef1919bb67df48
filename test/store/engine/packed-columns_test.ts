import assert from "node:assert/strict";
import {
  packed,
  packedTexts,
  unpackAddresses,
  unpackCounts,
  unpackTimes,
} from "../../../src/store/engine/packed-columns.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabases } from "../../support/database.ts";

const COUNTS = [
  0,
  1,
  -1,
  4294967295,
  4294967296,
  -4294967297,
  9007199254740991,
  9223372036854775807n,
  -(2n ** 63n),
];
const TIMES = ["1999-12-31 23:59:59.999999+00", "2000-01-01 00:00:00+00", "2026-11-29 04:00:00.000001+00"];
const ADDRESSES = ["10.0.0.1", "255.255.255.255", "10.0.0.1", "0.0.0.0", "2001:db8::1", "::", "fe80::10"];
const TEXTS = ["dns", null, "gssapi,smb", '"', "\n", ""];

testDatabases("packed columns are read as they are stored, in their order", async (db) => {
  const page = await db.shared(async (tx) => {
    const [row] = await tx.rows<
      Record<"counts" | "times" | "ips", Uint8Array> & { texts: (string | null)[] }
    >(sql`
      select (select ${packed(sql`v`)} from unnest(${`{${COUNTS.join()}}`}::bigint[]) v) as counts,
        (select ${packed(sql`v`)} from unnest(${`{${
      TIMES.map((time) => `"${time}"`).join()
    }}`}::timestamptz[]) v) as times,
        (select ${packed(sql`v`)} from unnest(${`{${ADDRESSES.join()}}`}::inet[]) v) as ips,
        (select ${packedTexts(sql`v #>> '{}'`)} from jsonb_array_elements(${
      JSON.stringify(TEXTS)
    }::jsonb) v) as texts`);
    return row!;
  });
  assert.deepEqual(unpackCounts(page.counts), COUNTS);
  assert.deepEqual(unpackTimes(page.times), [
    946684799999999,
    946684800000000,
    Date.UTC(2026, 10, 29, 4) * 1000 + 1,
  ]);
  assert.deepEqual(unpackAddresses(page.ips), ADDRESSES);
  assert.deepEqual(page.texts, TEXTS);
});
