import assert from "node:assert/strict";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import type { RecordKind } from "../../contract/record/kinds.ts";
import { readRecordLine } from "../../domain/record/record-line.ts";
import { normalise } from "../../domain/record/registry.ts";
import { openRecording, RecordCursor } from "./recording.ts";
import { type Skip, SkipReport } from "./skips.ts";

/** As written by Unbound 1.17.1; the third line is not UTF-8. */
const LOG = [
  "[1795288184] unbound[9411:0] info: start of service (unbound 1.17.1).",
  "[1795288186] unbound[9411:0] info: 2001:db8::9 slow.example.com. A IN",
  "[1795288187] unbound[9411:0] info: \xff",
  "[1795288187] unbound[9411:0] info: 2001:db8::9 slow.example.com. A IN NOERROR 1.201196 0 50",
  "[1795288187] unbound[9411:1] info: average recursion processing time 0.000128 sec",
  "Nov 21 19:09:48 unbound[9411:1] info: 192.0.2.9 www.example.com. A IN",
  "",
].join("\n");

interface Sent {
  lines: string[];
  skipped: Skip[];
}

/** The records that a replay makes of this content. */
async function replayOf(content: Uint8Array, kind: RecordKind | null, shiftSeconds = 0): Promise<Sent> {
  const folder = await Deno.makeTempDir();
  try {
    const file = join(folder, "unbound.log");
    await Deno.writeFile(file, content);
    const skips = new SkipReport();
    const options = { source: 0, passed: 0, shiftSeconds, skips, onDamage: assert.fail };
    const cursor = new RecordCursor(await openRecording(file, kind), options);
    const lines: string[] = [];
    for (let record = await cursor.next(); record !== null; record = await cursor.next()) {
      lines.push(new TextDecoder().decode(record.bytes));
    }
    await cursor.close();
    return { lines, skipped: skips.list() };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const bytes = Uint8Array.from(LOG, (character) => character.charCodeAt(0));

Deno.test("an Unbound log becomes one record per query with the original line; other lines are counted", async () => {
  for (const [content, kind] of [[bytes, "unbound.query"], [gzipSync(bytes), null]] as const) {
    const { lines, skipped } = await replayOf(content, kind);
    assert.deepEqual(lines, [
      '{"kind":"unbound.query","observed_at":"2026-11-21T19:09:46Z","payload":' +
      '{"message":"[1795288186] unbound[9411:0] info: 2001:db8::9 slow.example.com. A IN"}}',
      '{"kind":"unbound.query","observed_at":"2026-11-21T19:09:47Z","payload":{"message":' +
      '"[1795288187] unbound[9411:0] info: 2001:db8::9 slow.example.com. A IN NOERROR 1.201196 0 50"}}',
    ]);
    assert.deepEqual(skipped, [
      {
        reason: "not a query or reply line of Unbound's log",
        count: 2,
        examples: ["unbound.log:1", "unbound.log:5"],
      },
      { reason: "not UTF-8", count: 1, examples: ["unbound.log:3"] },
      { reason: "unbound.query without a source time", count: 1, examples: ["unbound.log:6"] },
    ]);
  }
});

Deno.test("a shifted Unbound log is parsed at the shifted time", async () => {
  const { lines } = await replayOf(bytes, null, 3600);
  assert.equal(lines.length, 2);
  for (const [index, line] of lines.entries()) {
    const record = readRecordLine(line);
    const context = { observedAt: 0, expectedExporters: null };
    const result = normalise("unbound.query", record.value, context);
    assert.ok("observation" in result);
    assert.equal(result.observation.end, (1795288186 + index + 3600) * 1e6);
    assert.equal(result.observation.end, record.observedAt.micros);
  }
});

Deno.test("a log that starts with other messages is read if its kind is given", async () => {
  const noise = "[1795288184] unbound[9411:0] info: server stats for thread 0\n".repeat(1500);
  const content = new TextEncoder().encode(noise + "[1795288187] unbound[9411:0] info: ::1 a. A IN\n");
  const { lines, skipped } = await replayOf(content, "unbound.query");
  assert.deepEqual([lines.length, skipped[0]?.count], [1, 1500]);
  await assert.rejects(replayOf(content, null), { name: "ReplayInputError", message: /not a recording/ });
});

Deno.test("JSON records of an Unbound log are replayed as they are", async () => {
  const payload = '{ "message":"[1795288187] unbound[9411:0] info: ::1 a. A IN", "host":"gw" }';
  const { lines } = await replayOf(new TextEncoder().encode(payload + "\n"), "unbound.query");
  assert.deepEqual(lines, [
    `{"kind":"unbound.query","observed_at":"2026-11-21T19:09:47Z","payload":${payload}}`,
  ]);
});
