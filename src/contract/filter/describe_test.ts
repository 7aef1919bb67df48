import assert from "node:assert/strict";
import fc from "fast-check";
import { conditions } from "../../../test/support/filter/conditions.ts";
import { chipsOf, describeCondition } from "./describe.ts";
import { parseText } from "./parser.ts";

function described(text: string): string {
  const parsed = parseText(text);
  assert.ok(parsed.ok && parsed.condition !== null, text);
  return describeCondition(parsed.condition);
}

Deno.test("filter: a condition in words", () => {
  const cases: [string, string][] = [
    ["src.ip:10.0.0.0/8", "source address in 10.0.0.0/8"],
    ["dst.ip:198.51.100.7", "destination address is 198.51.100.7"],
    ["ip:10.0.0.1..10.0.0.9", "address from 10.0.0.1 to 10.0.0.9"],
    ["dst.port!=443", "destination port is not 443"],
    ["port:(80, 443)", "port is 80 or 443"],
    ["port!=(80, 443)", "port is none of 80 and 443"],
    ["port:(1,2,3,4,5,6,7)", "port is 1, 2, 3, 4, 5 or 2 more"],
    ["country:RO", "country is Romania"],
    ["asn:13335", "autonomous system is AS13335"],
    ["bytes>1MB", "bytes above 1 MB"],
    ["rate<=1MB/s", "rate at most 1 MB/s"],
    ["duration:1m..2h", "duration from 1m to 2h"],
    ["service:ssl", "service is tls"],
    ["server_name:*.example.com", "server name matches *.example.com"],
    ["server_name=example.com", "server name is example.com"],
    ['alert:"ET MALWARE"', "alert contains “ET MALWARE”"],
    ["alert:* -intel:*", "any alert and no threat intelligence"],
    ["severity>=high", "severity at least high"],
    ["status:fp", "status is false positive"],
    ["-service:dns", "service is not dns"],
    ["assignee:me", "assignee is you"],
    ["-assignee:Me", "assignee is not you"],
    ["assignee:mel", "assignee contains “mel”"],
    ["-(port:80 or port:443)", "not (port is 80 or port is 443)"],
    ["(port:80 or port:443) tag=critical", "(port is 80 or port is 443) and tag is critical"],
    ["time:-2h", "in the last 2 hours"],
    ["time>=-1d", "in the last day"],
    ["time:today", "today"],
    ["time>=monday", "since Monday"],
    ["time<this-week", "before this week"],
    ["time:2026-11-01..2026-11-02T10:00", "from 2026-11-01 until 2026-11-02 10:00"],
    ["last_seen<-2d", "last seen before 2 days ago"],
    ["198.51.100.7", "address 198.51.100.7 anywhere"],
    [":443 example.com printer", "port 443 anywhere and name example.com anywhere and “printer” anywhere"],
  ];
  for (const [text, words] of cases) assert.equal(described(text), words, text);
});

Deno.test("filter: every part of a filter has a chip with its path, text and label", () => {
  const parsed = parseText("src.ip:10.1 -service:dns");
  assert.ok(parsed.ok);
  assert.deepEqual(chipsOf(parsed.condition), [
    { path: "where.all[0]", text: "src.ip:10.1.0.0/16", label: "source address in 10.1.0.0/16" },
    { path: "where.all[1]", text: "-service:dns", label: "service is not dns" },
  ]);
  assert.deepEqual(chipsOf({ field: "port", op: "=", value: 1 }).map(({ path }) => path), ["where"]);
  assert.deepEqual(chipsOf(null), []);
  fc.assert(fc.property(conditions(), (condition) => {
    for (const { label, text } of chipsOf(condition)) {
      assert.ok(label !== "" && text !== "" && !/undefined|NaN/.test(label));
    }
  }));
});
