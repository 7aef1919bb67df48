import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import fc from "fast-check";
import type { Source } from "../config/sources.ts";
import { ApiError } from "../contract/request/errors.ts";
import { RECORD_KINDS } from "../contract/record/kinds.ts";
import { splitLines } from "../kit/json/ndjson.ts";
import { countBody, parseBody, readBatch } from "./parse-body.ts";
import { packBatch } from "../store/record/packed-batch.ts";

const SOURCE: Source = {
  sensorId: "zeek-1",
  tenantId: "main",
  allowedKinds: new Set(RECORD_KINDS),
  trust: "packet",
  expectedExporters: null,
};

async function identitiesOf(lines: readonly string[], source = SOURCE): Promise<string[]> {
  const batch = await readBatch(lines.map((line) => Buffer.from(line)), source);
  assert.deepEqual(batch.rejected.map((rejection) => rejection.reason), []);
  return batch.records.map((record) => Buffer.from(record.eventId).toString("hex"));
}

/** Serialises a value with white space and key order taken from `choices`. */
function respell(value: unknown, choices: () => number): string {
  const space = () => ["", " ", "\t", "  ", "\r"][choices() % 5]!;
  if (Array.isArray(value)) {
    return `[${space()}${
      value.map((item) => respell(item, choices)).join(`${space()},${space()}`)
    }${space()}]`;
  }
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, item]) => ({ key, item, place: choices() }));
    members.sort((a, b) => a.place - b.place);
    const texts = members.map(({ key, item }) =>
      `${space()}${escaped(key, choices)}${space()}:${respell(item, choices)}`
    );
    return `{${texts.join(",")}${space()}}`;
  }
  return typeof value === "string" ? escaped(value, choices) : JSON.stringify(value);
}

/** A JSON string with some characters written as `\u` escapes. */
function escaped(text: string, choices: () => number): string {
  let written = "";
  for (const character of text) {
    const units = character.split("").map((unit) => unit.charCodeAt(0).toString(16).padStart(4, "0"));
    written += choices() % 4 > 0
      ? JSON.stringify(character).slice(1, -1)
      : units.map((unit) => `\\u${unit}`).join("");
  }
  return `"${written}"`;
}

const jsonObject = fc.dictionary(fc.string({ unit: "grapheme" }), fc.jsonValue({ stringUnit: "grapheme" }));

Deno.test("white space, key order and escapes never change an identity", async () => {
  await fc.assert(
    fc.asyncProperty(jsonObject, fc.array(fc.nat(), { minLength: 1 }), async (payload, numbers) => {
      let at = 0;
      const choices = () => numbers[at++ % numbers.length]! + at;
      const envelope = { kind: "zeek.http", observed_at: "2026-01-31T12:00:00Z", payload };
      const [plain, other] = await identitiesOf([JSON.stringify(envelope), respell(envelope, choices)]);
      assert.equal(other, plain);
    }),
    { numRuns: 300 },
  );
});

Deno.test("any changed value, time, kind, sensor or tenant changes the identity", async () => {
  await fc.assert(
    fc.asyncProperty(jsonObject, fc.string(), fc.jsonValue(), async (payload, key, value) => {
      const envelope = { kind: "zeek.http", observed_at: "2026-01-31T12:00:00Z", payload };
      const before = Object.hasOwn(payload, key) ? JSON.stringify(payload[key]) : undefined;
      fc.pre(before !== JSON.stringify(value));
      const changed = JSON.stringify({ ...envelope, payload: { ...payload, [key]: value } });
      const line = JSON.stringify(envelope);
      const identities = await identitiesOf([
        line,
        changed,
        JSON.stringify({ ...envelope, observed_at: "2026-01-31T12:00:00.0000001Z" }),
        JSON.stringify({ ...envelope, kind: "zeek.ssl" }),
      ]);
      identities.push(...await identitiesOf([line], { ...SOURCE, sensorId: "zeek-2" }));
      identities.push(...await identitiesOf([line], { ...SOURCE, tenantId: "branch" }));
      assert.equal(new Set(identities).size, 6);
    }),
    { numRuns: 300 },
  );
});

Deno.test("splitting into batches never changes identities, stored texts or reasons", async () => {
  const line = fc.oneof(
    jsonObject.map((payload) =>
      JSON.stringify({ kind: "zeek.dns", observed_at: "2026-01-31T12:00:00Z", payload })
    ),
    fc.string().filter((text) => !/[\r\n]/.test(text) && text.trim() !== ""),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 30 }), fc.nat(30), async (lines, cut) => {
      const bytes = lines.map((text) => Buffer.from(text));
      const whole = await readBatch(bytes, SOURCE);
      const [first, second] = [
        await readBatch(bytes.slice(0, cut), SOURCE),
        await readBatch(bytes.slice(cut), SOURCE),
      ];
      assert.deepEqual([...first.records, ...second.records], whole.records);
      assert.deepEqual([...first.rejected, ...second.rejected], whole.rejected);
      assert.equal(whole.records.length + whole.rejected.length, lines.length);
    }),
    { numRuns: 200 },
  );
});

Deno.test("arbitrary bytes give a record or a rejected line, never an error", async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), async (bytes) => {
      const lines = splitLines(bytes);
      const batch = await readBatch(lines, SOURCE);
      assert.equal(batch.rejected.length, lines.length);
      assert.deepEqual(batch.rejected.map((rejection) => rejection.line), lines);
      for (const { reason } of batch.rejected) assert.match(reason, /^\P{Cc}{1,200}$/u);
    }),
    { numRuns: 500 },
  );
});

Deno.test("a body reads like its lines, whether ASCII, UTF-8 or invalid text", async () => {
  const record = (name: string) =>
    `{"kind":"zeek.dns","observed_at":"2026-01-31T12:00:00.5Z","payload":{"query":"${name}"}}`;
  const bodies = [
    [record("a.example"), "", `\r${record("b.example")}\r`, "no JSON"],
    [record("é.example"), record("a.example"), "\ufeff{}"],
  ].map((lines) => Buffer.from(lines.join("\n")));
  bodies.push(Buffer.concat([bodies[0]!, Buffer.from([0x0a, 0xff, 0xfe])]));
  for (const body of bodies) {
    // A view into a larger buffer, as bodies are.
    const inside = new Uint8Array(Buffer.concat([Buffer.from("xyz"), body])).subarray(3);
    const { records, rejected } = await readBatch(splitLines(body), SOURCE);
    assert.deepEqual(await parseBody(inside, SOURCE), packBatch(records, rejected));
  }
});

Deno.test("a body must have 1 to 1,000 non-blank lines", () => {
  const body = (lines: number) => Buffer.from("{}\n \r\n".repeat(lines));
  assert.equal(countBody(body(1)), 1);
  assert.equal(countBody(body(1000)), 1000);
  const refused = (error: unknown) => error instanceof ApiError && error.status === 422;
  for (const wrong of [body(0), Buffer.from("\r\n \t\n"), body(1001), body(100_000)]) {
    assert.throws(() => countBody(wrong), refused);
  }
});

Deno.test("an alert with repeated keys is stored: parsed if the values are equal, else as unparsed", async () => {
  const alert = (fields: string) =>
    '{"kind":"suricata.alert","observed_at":"2026-11-21T01:02:03Z","payload":{"timestamp":"2026-11-21T01:02:03Z",' +
    '"event_type":"alert","src_ip":"10.0.0.1","src_port":1,"dest_ip":"10.0.0.2","dest_port":80,"proto":"TCP",' +
    `"alert":{"signature_id":1,"signature":"s","severity":1,"category":"c","action":"allowed"},${fields}}}`;
  const read = async (fields: string) => {
    const { records, rejected } = await readBatch([Buffer.from(alert(fields))], SOURCE);
    assert.deepEqual(rejected, []);
    return records[0]!.unparsed;
  };
  assert.equal(await read('"app_proto":"http","app_proto":"http"'), null);
  assert.equal(await read('"app_proto":"http","app_proto":"failed"'), 'repeated key "app_proto"');
  assert.equal(await read('"tls":{"sni":"a","sni":"b"}'), 'repeated key "sni"');
  const [once, twice] = await identitiesOf([
    alert('"app_proto":"http"'),
    alert('"app_proto":"http","app_proto":"http"'),
  ]);
  assert.equal(once, twice);
});
