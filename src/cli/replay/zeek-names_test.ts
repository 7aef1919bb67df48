import assert from "node:assert/strict";
import { zeekLogOfFile } from "./zeek-names.ts";

Deno.test("a Zeek log is recognised by its file name", () => {
  const cases: [string, string | null][] = [
    ["conn.log", "conn"],
    ["/var/log/zeek/dns.log.gz", "dns"],
    ["conn.ndjson", "conn"],
    ["zeek-conn.log", "conn"],
    ["NASHUA_conn.log", "conn"],
    ["conn_20200101.log", "conn"],
    ["conn.00:00:00-01:00:00.log.gz", "conn"],
    ["capture_loss.log", "capture_loss"],
    ["conn_long.log", "conn_long"],
    ["smb_files.ndjson", "smb_files"],
    ["kerberos.log", "kerberos"],
    ["connections.log", null],
    ["conn-dns.log", null],
    ["export.json", null],
    ["dns/export.json", null],
  ];
  for (const [file, log] of cases) assert.equal(zeekLogOfFile(file), log, file);
});
