import assert from "node:assert/strict";
import fc from "fast-check";
import { httpHost, httpVersion } from "./http.ts";

Deno.test("httpHost: the name normalised for comparison, without port", () => {
  const cases: [string, string | null][] = [
    ["www.example.org", "www.example.org"],
    ["WWW.Example.ORG:8080", "www.example.org"],
    ["www.example.org.:80", "www.example.org"],
    ["www.example.org:", "www.example.org"],
    [" www.example.org ", "www.example.org"],
    ["192.0.2.7:80", "192.0.2.7"],
    ["[2001:DB8:0::20]:8080", "2001:db8::20"],
    ["[::ffff:192.0.2.7]", "192.0.2.7"],
    ["2001:db8:0::20", "2001:db8::20"],
    ["[2001", null],
    ["[evil]", null],
    ["[::1]evil", null],
    [":80", null],
    ["a:b:c", "a:b:c"],
    ["example.org:99999999", "example.org:99999999"],
    ["a b/<script>", "a b/<script>"],
    ["", null],
    ["\0", null],
  ];
  for (const [given, expected] of cases) assert.equal(httpHost(given), expected, given);
  for (const none of [null, undefined, 7, {}]) assert.equal(httpHost(none), null);
});

Deno.test("httpHost: any text gives a bounded host or null", () => {
  const part = fc.oneof(
    fc.string({ maxLength: 30 }),
    fc.constantFrom("[", "]", ":", ".", "::", "80", "\0", " "),
  );
  fc.assert(fc.property(fc.array(part, { maxLength: 8 }).map((parts) => parts.join("")), (text) => {
    const host = httpHost(text);
    assert.ok(host === null || (host.length > 0 && host.length <= 1024 && !host.includes("\0")));
  }));
  assert.ok((httpHost("x".repeat(9000))?.length ?? 0) <= 1024);
});

Deno.test("httpVersion: the number as named in RFC 9110", () => {
  const cases: [string, string | null][] = [
    ["HTTP/1.1", "1.1"],
    ["1.0", "1.0"],
    ["0.9", "0.9"],
    ["HTTP/2", "2"],
    ["HTTP/2.0", "2"],
    ["3", "3"],
    ["1", "1.0"],
    ["HTTP/1.11", null],
    ["SSH-2.0", null],
    ["", null],
  ];
  for (const [given, expected] of cases) assert.equal(httpVersion(given), expected, given);
  for (const none of [null, undefined, 1.1, []]) assert.equal(httpVersion(none), null);
});
