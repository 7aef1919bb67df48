import assert from "node:assert/strict";
import fc from "fast-check";
import { jsonText, textArray, timestampLiteral } from "../../../src/store/engine/literals.ts";
import { type Column, relation } from "../../../src/store/engine/rows.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { testDatabases } from "../../support/database.ts";
import { testDatabase } from "./one-database.ts";

const TEXTS = [
  "",
  " ",
  "NULL",
  "null",
  "{}",
  "{a,b}",
  ",",
  '"',
  "'",
  "\\",
  '\\"',
  "\\x00",
  "a\nb\tc\r",
  "$1",
  "é😀\u2028\ufeff",
  "'; drop table flow; --",
];

testDatabases("texts arrive unchanged as values, in arrays and in nested arrays", async (db) => {
  const anything = fc.sample(fc.string({ unit: "binary" }), 300).map((text) =>
    text.replaceAll("\0", "").toWellFormed()
  );
  const texts = [...TEXTS, ...anything];
  await db.shared(async (tx) => {
    const [row] = await tx.rows(sql`select ${textArray(texts)}::text[] as texts, ${texts[5]}::text as one`);
    assert.deepEqual(row, { texts, one: texts[5] });
    const nested = await tx.rows(sql`
      select u.one::text[] as inner from unnest(${
      textArray(texts.map((text) => textArray([text, null])))
    }::text[])
        with ordinality as u (one, place) order by place`);
    assert.deepEqual(nested, texts.map((text) => ({ inner: [text, null] })));
    const [json] = await tx.rows(sql`select ${jsonText({ texts })}::jsonb as value`);
    assert.deepEqual(json!.value, { texts });
  });
});

testDatabase("NUL and unpaired surrogates become U+FFFD", async (db) => {
  await db.shared(async (tx) => {
    const [row] = await tx.rows(sql`
      select ${"a\0b"}::text as one, ${textArray(["\0", "x\ud800"])}::text[] as many,
        ${jsonText({ "k\0": "\0 \udc00" })}::jsonb as json`);
    assert.deepEqual(row, {
      one: "a\ufffdb",
      many: ["\ufffd", "x\ufffd"],
      json: { "k\ufffd": "\ufffd \ufffd" },
    });
  });
});

const TEXT: Column<string | null>[] = [{ name: "text", type: "text", of: (text) => text }];

testDatabases("texts of a relation arrive unchanged, except for NUL and unpaired surrogates", async (db) => {
  const anything = fc.sample(fc.string({ unit: "binary" }), 300);
  const texts = [...TEXTS, null, "a\0b", "x\ud800", ...anything];
  await db.shared(async (tx) => {
    const rows = await tx.rows<{ text: string | null }>(sql`select u.text from ${relation(TEXT, texts)}`);
    assert.deepEqual(
      rows.map(({ text }) => text),
      texts.map((text) => text === null ? null : text.replaceAll("\0", "\ufffd").toWellFormed()),
    );
  });
});

const TIME: Column<number>[] = [{ name: "at", type: "timestamptz", of: (micros) => micros }];

testDatabases("a time of any year is the same in text and binary format", async (db) => {
  const seconds = fc.integer({ min: -62_135_596_800, max: 253_402_300_798 });
  const micros = fc.tuple(seconds, fc.integer({ min: 0, max: 999_999 })).map(([s, rest]) =>
    s * 1_000_000 + rest
  );
  const times = [...fc.sample(micros, 500), 0, -1, 1, -62_135_596_800_000_000, Number.MAX_SAFE_INTEGER];
  await db.shared(async (tx) => {
    const bulk = await tx.rows<{ at: number }>(sql`select u.at from ${relation(TIME, times)}`);
    const single = await tx.rows<{ at: number }>(sql`
      select u.at::timestamptz from unnest(${textArray(times.map(timestampLiteral))}::text[])
        with ordinality as u (at, place) order by place`);
    assert.deepEqual(bulk.map((row) => row.at), times);
    assert.deepEqual(single.map((row) => row.at), times);
  });
});

testDatabase(
  "a time outside four-digit years is clamped, in text and binary format",
  async (db) => {
    const wild = [-Infinity, -8.64e18, Date.parse("0000-06-01T00:00:00Z") * 1000, 8.64e18, Infinity];
    await db.shared(async (tx) => {
      const bulk = await tx.rows<{ at: number }>(sql`select u.at from ${relation(TIME, wild)}`);
      const single = await Promise.all(
        wild.map((at) => tx.rows<{ at: number }>(sql`select ${timestampLiteral(at)}::timestamptz as at`)),
      );
      assert.deepEqual(bulk, single.flat());
      assert.deepEqual(new Date(bulk[0]!.at / 1000).toISOString(), "0001-01-01T00:00:00.000Z");
      assert.equal(bulk[0]!.at, bulk[2]!.at);
      assert.equal(new Date(bulk[4]!.at / 1000).getUTCFullYear(), 9999);
    });
  },
);
