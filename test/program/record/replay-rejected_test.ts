// `ndr replay` of lines that the ingest rejects, against the ingest itself.

import assert from "node:assert/strict";
import { join } from "node:path";
import type { Database } from "../../../src/store/engine/database.ts";
import { programArgs } from "../../support/program.ts";
import { testDatabase } from "../../support/database.ts";
import { sql } from "../../../src/store/engine/sql.ts";
import { TestListener, TOKENS } from "../../pipeline/record/ingest-harness.ts";

/** An alert as Suricata 6 writes it: `app_proto`, and in some versions fields of `tls`, occur twice. */
function alert(port: number, fields: string, signature = "ET SCAN"): string {
  return `{"timestamp":"2026-11-21T01:02:03.000000+0000","flow_id":${port},"event_type":"alert",` +
    `"src_ip":"10.0.0.1","src_port":${port},"dest_ip":"192.0.2.80","dest_port":443,"proto":"TCP",` +
    `"alert":{"signature_id":1,"signature":"${signature}","severity":1,"category":"c"},${fields}}`;
}

const FLOW = '{"timestamp":"2026-11-21T01:02:03.000000+0000","flow_id":9,"event_type":"flow",' +
  '"src_ip":"10.0.0.1","src_port":9,"dest_ip":"192.0.2.80","dest_port":443,"proto":"TCP","flow":{"note":"NOTE"}}';
const NOT_UNICODE = "\\ud800";
const TOO_DEEP = `"tls":${"[".repeat(200)}${"]".repeat(200)}`;

const KEPT = [
  alert(1, '"app_proto":"tls","app_proto":"tls"'),
  alert(2, '"app_proto":"tls","tls":{"sni":"a.example","version":"TLS 1.2","sni":"a.example"}'),
  alert(3, '"app_proto":"tls","app_proto":"failed"'),
  FLOW,
];

interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

async function replay(db: Database, lines: readonly string[], ...flags: string[]): Promise<Finished> {
  await using listener = await TestListener.start({ db });
  const home = await Deno.makeTempDir();
  try {
    const file = join(home, "eve.json");
    await Deno.writeTextFile(file, lines.join("\n") + "\n");
    const url = `http://127.0.0.1:${listener.port}`;
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [...await programArgs(), "replay", "--url", url, ...flags, file],
      env: { HOME: home, NDR_STATE_DIR: home, NDR_SOURCE_TOKEN: TOKENS.all, NO_COLOR: "1" },
    }).output();
    const decoder = new TextDecoder();
    return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  } finally {
    await Deno.remove(home, { recursive: true });
  }
}

/** The reasons why stored records were not parsed, in their order; null for a parsed one. */
async function stored(db: Database): Promise<(string | null)[]> {
  const rows = await db.tenant("main", (tx) =>
    tx.rows<{ parse_reason: string | null }>(
      sql`select parse_reason from raw_record order by position`,
    ));
  return rows.map((row) => row.parse_reason);
}

testDatabase("ndr replay lists rejected lines, warns of alerts among them, and fails", async (db) => {
  const rejected = [
    alert(4, '"app_proto":"tls"', NOT_UNICODE),
    FLOW.replace("NOTE", NOT_UNICODE),
    alert(5, TOO_DEEP),
  ];
  const { code, stdout, stderr } = await replay(db, [...KEPT, ...rejected]);
  assert.equal(code, 1, stderr);
  assert.match(stdout, /^ {2}accepted +4$/m);
  assert.match(stdout, /^ {2}rejected +3 {2}kept by the service with a reason$/m);
  const rejections = /^Rejected\n(.*\n.*\n.*)$/m.exec(stdout)?.[1]?.split("\n") ?? [];
  assert.match(rejections[0]!, /^ {2}\S*\/eve\.json:5 {2}not JSON: lone surrogate at character \d+$/);
  assert.match(rejections[1]!, /^ {2}\S*\/eve\.json:6 {2}not JSON: lone surrogate at character \d+$/);
  assert.match(rejections[2]!, /^ {2}\S*\/eve\.json:7 {2}not JSON: nested deeper than 128 levels at/);
  assert.match(stdout, /^WARNING: 2 of the rejected lines are Suricata alerts\.$/m);
  assert.match(stderr, /^ndr replay: the ingest rejected 3 lines, WITH 2 SURICATA ALERTS AMONG THEM$/m);
});

testDatabase("ndr replay --quiet says what was rejected, and fails", async (db) => {
  const { code, stdout, stderr } = await replay(db, [FLOW, alert(4, '"x":1', NOT_UNICODE)], "--quiet");
  assert.deepEqual([code, stdout], [1, ""]);
  assert.match(stderr, /^ndr replay: the ingest rejected 1 line, WITH 1 SURICATA ALERT AMONG THEM$/m);
  assert.match(stderr, /^ndr replay: \S*\/eve\.json:2: not JSON: lone surrogate/m);
});

testDatabase("ndr replay keeps Suricata 6 alerts with repeated keys, and succeeds", async (db) => {
  const { code, stdout, stderr } = await replay(db, KEPT);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^ {2}rejected +0$/m);
  assert.doesNotMatch(stdout + stderr, /WARNING|the ingest rejected/);
  assert.deepEqual(await stored(db), [null, null, 'repeated key "app_proto"', null]);
});
